"""The Jinja side of a pack: sandboxed, strict about undefined variables, compiled once.

First the tag ``{% section kind %}``, by which templates say what a part of a prompt holds; then finding what Jinja
passes over in silence (words outside blocks, blocks that nobody shows); then :class:`Templates`.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any
from zlib import crc32

from jinja2 import (
    ChainableUndefined,
    ChoiceLoader,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    Template,
    TemplateError,
    Undefined,
    nodes,
)
from jinja2.bccache import Bucket
from jinja2.exceptions import TemplateNotFound, TemplateSyntaxError, UndefinedError
from jinja2.ext import Extension
from jinja2.loaders import split_template_path
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from nlp_agent.errors import PackError, did_you_mean
from nlp_agent.prompting.pack_file import PackFile, wording
from nlp_agent.prompting.pack_folder import check_file
from nlp_agent.prompting.prompt import Section, SectionKind, Speaker
from nlp_agent.prompting.view import Day, Line

# --- The tag ``{% section kind %} … {% endsection %}``, by which templates say what a part of a prompt holds ---------


_OPEN, _CLOSE = "\ue000{}\ue001", "\ue002"
"""Around a section in a rendered text. Other people's words never hold such characters: see prompting.quote."""
_MARK = re.compile("\ue000([a-z]+)\ue001|\ue002")
_KINDS = {kind.value: kind for kind in SectionKind}
_SPEAKERS: dict[SectionKind, Speaker] = {SectionKind.SAID: "assistant"}
"""Who speaks in sections that are not of whoever speaks around them."""


class SectionTag(Extension):
    """Marks its body with its kind; the innermost section counts."""

    tags = {"section"}  # noqa: RUF012 - as Jinja declares it

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """Parse one section: its body between two marks. Fails for a kind that does not exist."""
        line = next(parser.stream).lineno
        kind = parser.stream.expect("name").value
        if kind not in _KINDS:
            parser.fail(f"there is no kind of section {kind!r}: {did_you_mean(kind, _KINDS)}", line)
        body = parser.parse_statements(("name:endsection",), drop_needle=True)
        return [_text_node(_OPEN.format(kind), line), *body, _text_node(_CLOSE, line)]


def _text_node(text: str, line: int) -> nodes.Output:
    return nodes.Output([nodes.TemplateData(text, lineno=line)], lineno=line)


def read_sections(rendered: str, otherwise: SectionKind, by: Speaker) -> list[Section]:
    """The sections of a rendered text, blank ones left out; words outside of all sections are of kind ``otherwise``."""
    found: list[Section] = []
    open_kinds = [otherwise]
    start = 0
    for mark in _MARK.finditer(rendered):
        if text := rendered[start : mark.start()].strip():
            found.append(Section(open_kinds[-1], text, _SPEAKERS.get(open_kinds[-1], by)))
        start = mark.end()
        if mark[1]:
            open_kinds.append(_KINDS[mark[1]])
        elif len(open_kinds) > 1:
            open_kinds.pop()
    if text := rendered[start:].strip():
        found.append(Section(open_kinds[-1], text, _SPEAKERS.get(open_kinds[-1], by)))
    return found


# --- What Jinja passes over in silence -------------------------------------------------------------------------------


Parse = Callable[[str], nodes.Template | None]
"""The tree of the template of that name, None when there is none."""


def never_shown(name: str, parse: Parse) -> Iterator[tuple[int, str]]:
    """Find everything in the template ``name`` that is never shown, as (line, what is wrong)."""
    tree = parse(name)
    parent = _parent(tree)
    if tree is None or not parent:
        return
    known = _blocks_above(parent, parse)
    for node in tree.body:
        if isinstance(node, nodes.Output) and (line := _first_printed_line(node)):
            yield line, "this is never shown: a template that extends another shows what stands in its blocks alone"
        if isinstance(node, nodes.Block) and known is not None and node.name not in known:
            yield (
                node.lineno,
                f"this block is never shown: {parent} has none called so; {did_you_mean(node.name, known)}",
            )


def _parent(tree: nodes.Template | None) -> str:
    """What the template extends, where that is a plain name."""
    found = tree.find(nodes.Extends) if tree is not None else None
    name = found.template.value if found is not None and isinstance(found.template, nodes.Const) else ""
    return name if isinstance(name, str) else ""


def _blocks_above(name: str, parse: Parse) -> list[str] | None:
    """The blocks of ``name`` and of all it extends; None when one of them cannot be told."""
    blocks: list[str] = []
    seen: set[str] = set()
    while name:
        tree = parse(name)
        if tree is None or name in seen:
            return None
        seen.add(name)
        blocks += [block.name for block in tree.find_all(nodes.Block)]
        parent = _parent(tree)
        if not parent and tree.find(nodes.Extends) is not None:
            return None
        name = parent
    return blocks


def _first_printed_line(node: nodes.Output) -> int:
    """The line of the first thing this would print, 0 when it is only white space."""
    for part in node.nodes:
        if not isinstance(part, nodes.TemplateData):
            return part.lineno
        if text := part.data.strip():
            return part.lineno + part.data[: part.data.index(text)].count("\n")
    return 0


# --- The Jinja side of a pack ----------------------------------------------------------------------------------------


SUFFIX = ".jinja"
_VARIABLES_HINT = "VARIABLES.md (in prompts, and in a pack made by new-pack) lists what templates may use"


class _PackLoader(FileSystemLoader):
    """The files of one pack and of no other place, by whatever name a template asks for them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._folder = folder

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        file = self._folder.joinpath(*split_template_path(template))
        if any(part.startswith(".") for part in file.relative_to(self._folder).parts):
            raise TemplateNotFound(template)
        if file.is_file():
            check_file(file, self._folder)
        return super().get_source(environment, template)


class Templates:
    """Templates of a chain of pack folders, nearest first. ``find`` and ``render`` raise PackError with file and line.

    ``{% extends "talk.jinja" %}`` finds the nearest file of that name; ``{% extends "ja/talk.jinja" %}`` the one of the
    pack called ``ja`` in the chain, so that a child can extend the very file it overrides.
    """

    def __init__(self, folders: Mapping[str, Path], words: PackFile) -> None:
        loaders = {name: _PackLoader(folder) for name, folder in folders.items()}
        self._folder = next(iter(folders.values()))
        self._environment = ImmutableSandboxedEnvironment(
            loader=ChoiceLoader([*loaders.values(), PrefixLoader(loaders)]),
            undefined=StrictUndefined,
            auto_reload=False,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            cache_size=-1,
            extensions=[SectionTag],
            bytecode_cache=_bytecode(),
        )
        self._environment.filters.update(_filters(words), each=self._each)
        self.names = frozenset(
            name for loader in loaders.values() for name in loader.list_templates() if name.endswith(SUFFIX)
        )

    def compile_all(self) -> None:
        """Compile every template now, so that syntax errors show before the match and rendering is fast."""
        faults: list[PackError] = []
        for name in sorted(self.names):
            try:
                self._load(name)
            except PackError as fault:
                faults.append(fault)
        if faults:
            faults[0].others = tuple(faults[1:])
            raise faults[0]

    def find(self, names: Iterable[str]) -> Template:
        """Load the first template of ``names`` that exists. Raises PackError when none does, or it cannot be read."""
        wanted = list(names)
        for name in wanted:
            if name in self.names:
                return self._load(name)
        raise PackError(
            f"template {wanted[-1]} is missing: {did_you_mean(wanted[-1], sorted(self.names))}",
            file=str(self._folder),
        )

    def unseen(self) -> list[PackError]:
        """Find what is written in the templates of the nearest folder and never shown, with file and line.

        Inherited ones may well fill blocks that this pack has done away with.
        """
        trees: dict[str, nodes.Template | None] = {}
        files: dict[str, str] = {}

        def parse(name: str) -> nodes.Template | None:
            if name not in trees:
                loader = self._environment.loader
                assert loader is not None
                try:
                    source, file, _ = loader.get_source(self._environment, name)
                    trees[name], files[name] = self._environment.parse(source), file or name
                except (TemplateError, PackError):
                    trees[name] = None
            return trees[name]

        own = [name for name in sorted(self.names) if (self._folder / name).is_file()]
        found = ((name, *fault) for name in own for fault in never_shown(name, parse))
        return [PackError(message, file=files[name], line=line) for name, line, message in found]

    def _each(self, parts: Iterable[Line | Day], name: str) -> str:
        """Filter ``parts|each("line.jinja")``: the template for each of them, made once and kept with it."""
        template = self._load(name)
        return "".join(
            [known if (known := part.rendered.get(template)) is not None else _show(part, template) for part in parts]
        )

    def render(self, template: Template, variables: Mapping[str, Any]) -> str:
        """Render a template: its text, without blank lines at its ends. Raises PackError with file and line for any
        fault in it.
        """
        try:
            return template.render(variables).strip()
        except PackError:
            raise
        except Exception as error:
            raise self._fault(error, template) from error

    def faults(self, names: Iterable[str], variables: Mapping[str, Any]) -> list[PackError]:
        """Find everything that fails when the first template of ``names`` is rendered, not only what fails first."""
        try:
            self.render(self.find(names), variables)
            return []
        except PackError as first:
            faults = {str(first): first}
        # What is undefined is noted and shown as nothing, so that the rest of the template has its turn.
        noted: list[PackError] = []
        lenient = self._environment.overlay(undefined=_noting(noted), cache_size=-1)
        try:
            lenient.get_template(next(name for name in names if name in self.names)).render(variables)
        except Exception as error:
            noted.append(self._fault(error, self.find(names)))
        for fault in noted:
            faults.setdefault(str(fault), fault)
        return list(faults.values())

    def _load(self, name: str) -> Template:
        try:
            return self._environment.get_template(name)
        except TemplateSyntaxError as error:
            where = error.filename or error.name or name
            raise PackError(_syntax(error), file=where, line=error.lineno) from error
        except (TemplateError, OSError, UnicodeDecodeError) as error:
            raise PackError(f"template cannot be read: {error}", file=str(self._folder / name)) from error

    def _fault(self, error: Exception, template: Template) -> PackError:
        if isinstance(error, PackError):
            return error
        file, line = _place(error, template.filename or template.name or "")
        if isinstance(error, TemplateSyntaxError):
            return PackError(_syntax(error), file=error.filename or file, line=error.lineno)
        if isinstance(error, TemplateNotFound):
            hint = did_you_mean(str(error.name), sorted(self.names))
            return PackError(f"no template called {error.name!r}: {hint}", file=file, line=line)
        if isinstance(error, UndefinedError):
            return PackError(f"{error.message}; {_VARIABLES_HINT}", file=file, line=line)
        return PackError(f"{type(error).__name__}: {error}", file=file, line=line)


def _syntax(error: TemplateSyntaxError) -> str:
    return f"template error: {error.message}; is a bracket or tag not closed, here or in a line before?"


class _Bytecode(FileSystemBytecodeCache):
    """Compiled templates of earlier processes, kept where this user's temporary files are; none where that fails."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _bytecode() -> _Bytecode | None:
    # What is compiled depends on the template, which Jinja looks at itself, and on how this room compiles it.
    ours = crc32(Path(__file__).read_bytes())
    try:
        return _Bytecode(pattern=f"nlp-agent-{ours:08x}-%s.cache")
    except (OSError, RuntimeError):
        return None


def _show(part: Line | Day, template: Template) -> str:
    part.rendered[template] = text = template.render(this=part, line=part)
    return text


def _noting(noted: list[PackError]) -> type[Undefined]:
    """A kind of undefined value that notes each use, with file and line, and goes on as nothing."""

    def used(value: Undefined) -> None:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and "__jinja_template__" not in frame.f_globals:
            frame = frame.f_back
        template = frame.f_globals["__jinja_template__"] if frame is not None else None
        line = template.get_corresponding_lineno(frame.f_lineno) if frame is not None and template else None
        kind, message = value._undefined_exception, value._undefined_message
        message = f"{message}; {_VARIABLES_HINT}" if kind is UndefinedError else f"{kind.__name__}: {message}"
        noted.append(PackError(message, file=template.filename if template else "", line=line))

    def as_nothing(nothing: object) -> Callable[..., object]:
        def use(self: Undefined, *_: object) -> object:
            used(self)
            return nothing

        return use

    shown = {"__str__": "", "__iter__": iter(()), "__bool__": False, "__len__": 0, "__eq__": False}
    uses = {name: as_nothing(nothing) for name, nothing in shown.items()}
    return type("Noting", (ChainableUndefined,), {**uses, "__hash__": ChainableUndefined.__hash__})


def _place(error: Exception, otherwise: str) -> tuple[str, int | None]:
    """File and line of the innermost template frame: Jinja rewrites tracebacks to point into templates."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.endswith(SUFFIX)]
    return (frames[-1].filename, frames[-1].lineno) if frames else (otherwise, None)


def _filters(words: PackFile) -> dict[str, Any]:
    """The pack's words as filters: ``{{ role|role_name }}``. A wire name the pack does not know is shown as it is."""
    prompt = words.prompt

    def names(items: Iterable[object]) -> str:
        return prompt.separator.join(map(str, items))

    def day_name(day: int) -> str:
        return prompt.day.replace("{day}", str(day))

    return {
        "role_name": words.words.role,
        "result_name": words.words.result,
        "side_name": lambda side: prompt.sides.get(side, side),
        "request_name": lambda request: prompt.requests.get(request, request),
        "verdict": lambda result: prompt.verdicts.get(result, result),
        "day_name": day_name,
        "wording": lambda act: wording(act, words),
        "names": names,
    }
