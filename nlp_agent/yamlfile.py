"""A YAML file read as values, with the line of every key kept, so that a fault can be pointed at."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from reprlib import Repr
from typing import Any, NamedTuple, Protocol, TypeVar, cast, get_args, get_type_hints

import yaml
from pydantic import TypeAdapter, ValidationError

from nlp_agent.errors import NlpAgentError, PackError, did_you_mean

Place = tuple[int | str, ...]
"""The keys that lead to a value."""
T = TypeVar("T")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LARGEST = 5_000_000
"""Characters of a file that is read, which may be a device without end; the largest of ours has 75,000."""
_DEEPEST = 50
"""Sections and lists within each other. The C parser ends the whole process at some thousands."""
_MOST = 200_000
"""Values of a file with each alias counted as what it stands for: a few lines of aliases can make billions."""
_PACKAGE = Path(__file__).resolve().parent


def shipped_dir(name: str) -> Path:
    """The folder ``name`` that comes with this package, such as ``prompts``: inside the installed package, or beside it
    in a checkout.
    """
    inside = _PACKAGE / "_shipped"
    return (inside if inside.is_dir() else _PACKAGE.parent) / name


_OURS = (_PACKAGE, shipped_dir("prompts"))
"""Folders whose files come with this package: looking at their depth first would cost half of reading them."""


class Mark(NamedTuple):
    """The place where a key stands, and its value as it is written; ``""`` for a section."""

    file: str
    line: int
    written: str = ""


class MakeError(Protocol):
    """Makes the error for what is wrong with a file; ``key`` as a dotted path."""

    def __call__(self, message: str, *, line: int | None = None, key: str = "") -> NlpAgentError: ...


@dataclass(frozen=True)
class Document:
    """A mapping read from one or more YAML files; ``marks`` tell where each of its keys was written."""

    data: dict[str, Any]
    marks: dict[Place, Mark]
    file: str

    @classmethod
    def empty(cls, file: str = "") -> Document:
        """A document without any key."""
        return cls({}, {}, file)

    def over(self, parent: Document) -> Document:
        """Lay this document over ``parent``: mappings are merged key by key, everything else is replaced."""
        return Document(_merged(parent.data, self.data), {**parent.marks, **self.marks}, self.file or parent.file)

    def mark(self, place: Place) -> Mark | None:
        """The mark of the key at ``place``, or of the nearest section around it."""
        nearest = (self.marks.get(place[:length]) for length in range(len(place), 0, -1))
        return next(filter(None, nearest), None)

    def line_of(self, place: Place) -> int | None:
        """The line, counted from 1, of the key at ``place`` or of the nearest section around it."""
        mark = self.mark(place)
        return mark.line if mark else None

    def fault(self, place: Place, message: str) -> PackError:
        """An error that points at ``place``, or at the nearest key above it."""
        mark = self.mark(place) or self.marks.get(())
        return PackError(message, file=mark.file, line=mark.line) if mark else PackError(message, file=self.file)

    def build(self, kind: type[T]) -> T:
        """The data as an instance of the dataclass ``kind``; raises PackError for the first thing that does not fit,
        with whatever else does not.
        """
        try:
            return cast(T, _adapter(cast(Any, kind)).validate_python(self.data))
        except ValidationError as error:
            told = [(tuple(one["loc"]), one) for one in error.errors(include_url=False)]
            found = sorted(told, key=lambda one: self.line_of(one[0]) or 0)
            first, *others = [self.fault(place, _explained(kind, place, one)) for place, one in found]
            first.others = tuple(others)
            raise first from error


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Making one takes longer than reading a file with it."""
    return TypeAdapter(kind)


def read_document(file: Path, complain: MakeError | None = None) -> Document:
    """Read a YAML file whose top level is a mapping; an empty one has no keys.

    Raises what ``complain`` makes, by default PackError with the line: also for a key given twice, which YAML would
    settle in silence.
    """
    name = str(file)

    def as_pack(message: str, *, line: int | None = None, key: str = "") -> NlpAgentError:
        return PackError(message, file=name, line=line)

    error = complain or as_pack
    text = _text(file, error)
    try:
        if not any(file.resolve().is_relative_to(folder) for folder in _OURS):
            _check_depth(text)
    except yaml.YAMLError as problem:
        raise _unreadable(problem, text, error) from None
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            return Document.empty(name)
        if not isinstance(root, yaml.MappingNode):
            raise error("expected sections such as 'name:' at the top (a mapping), found something else", line=1)
        _check_size(root)
        marks: dict[Place, Mark] = {}
        _mark(root, (), name, marks, error)
        return Document(loader.construct_document(root), marks, name)
    except yaml.YAMLError as problem:
        raise _unreadable(problem, text, error) from None
    except (ValueError, RecursionError) as problem:
        raise error(f"YAML error: {problem}") from None
    finally:
        loader.dispose()


@cache
def page_texts(lang: str, section: str) -> Mapping[str, str]:
    """The texts of a ``section`` of the pages, or of what the terminal tells, in ``lang``, by key. Raises PackError."""
    file = shipped_dir("prompts") / "pages" / lang / f"{section}.yml"
    return {key: str(text) for key, text in read_document(file).data.items()}


def read_yaml(text: str) -> Any:
    """Read a YAML text. Raises yaml.YAMLError also for one that is deeper or larger than any file of ours."""
    _check_depth(text)
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            return None
        _check_size(root)
        return loader.construct_document(root)
    except (ValueError, RecursionError) as problem:
        raise yaml.YAMLError(str(problem)) from None
    finally:
        loader.dispose()


def _check_depth(text: str) -> None:
    """Raise yaml.YAMLError for a text too long or too deep to be composed."""
    if len(text) > _LARGEST:
        what = f"{len(text)} characters are more than the {_LARGEST} that are read"
        raise yaml.constructor.ConstructorError(problem=what)
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _DEEPEST:
                what = f"sections and lists more than {_DEEPEST} deep within each other"
                mark: Any = event.start_mark
                raise yaml.constructor.ConstructorError(problem=what, problem_mark=mark)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _check_size(root: yaml.Node) -> None:
    """Raise yaml.YAMLError where aliases make more of a file than it says, or never end."""
    left = _MOST
    waiting: list[tuple[yaml.Node, int]] = [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        left -= 1
        if left < 0 or depth > _DEEPEST:
            what = f"with its aliases this is more than {_MOST} values, or more than {_DEEPEST} deep"
            raise yaml.constructor.ConstructorError(problem=what, problem_mark=node.start_mark)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise yaml.constructor.ConstructorError(
                        problem="a key is no plain word", problem_mark=key.start_mark
                    )
                waiting.append((value, depth + 1))
        elif isinstance(node, yaml.SequenceNode):
            waiting += [(value, depth + 1) for value in node.value]


def _text(file: Path, error: MakeError) -> str:
    try:
        with file.open(encoding="utf-8-sig") as opened:
            text = opened.read(_LARGEST + 1)
        if len(text) > _LARGEST:
            raise error(f"has more than {_LARGEST:,} characters; is it the right file?")
        return text
    except FileNotFoundError:
        siblings = sorted(path.name for path in file.parent.glob("*.y*ml")) if file.parent.is_dir() else []
        hint = did_you_mean(file.name, siblings) or "run `nlp-agent init` to write a commented one"
        raise error(f"no such file; {hint}") from None
    except IsADirectoryError:
        raise error("is a folder; name a file such as config.yml") from None
    except UnicodeDecodeError:
        raise error("is not UTF-8 text; save it as UTF-8") from None
    except OSError as problem:
        raise error(f"cannot be read: {problem.strerror}") from problem


_UNSPACED = re.compile(r"\s*(?:- )?([A-Za-z]\w*:)(?!//)[^\s:]")
"""A line that begins with a key and its value, without a blank between them."""


def _unreadable(problem: yaml.YAMLError, text: str, error: MakeError) -> NlpAgentError:
    mark = getattr(problem, "problem_mark", None) or getattr(problem, "context_mark", None)
    said = getattr(problem, "problem", None) or getattr(problem, "context", None) or str(problem).splitlines()[0]
    if isinstance(problem, yaml.constructor.ConstructorError):
        return error(f"YAML error: {said}", line=mark.line + 1 if mark else None)
    where = f" in line {mark.line + 1}" if mark else ""
    lines = text.splitlines()
    if mark and mark.line < len(lines) and "\t" in re.sub(r"\S.*", "", lines[mark.line], flags=re.DOTALL):
        return error(f"a tab in front of the key{where}; use spaces", line=mark.line + 1)
    near = lines[max(0, mark.line - 1) : mark.line + 1] if mark else []
    unspaced = next((found[1] for line in near if (found := _UNSPACED.match(line))), "")
    hint = f"a blank is missing behind {unspaced!r}" if unspaced else "texts with ':' '#' or '{' need quotes"
    return error(f"YAML syntax error{where}: {said} ({hint})", line=mark.line + 1 if mark else None)


def _mark(node: yaml.Node, place: Place, file: str, marks: dict[Place, Mark], error: MakeError) -> None:
    if isinstance(node, yaml.MappingNode):
        marks.setdefault(place, Mark(file, node.start_mark.line + 1))
        for key, value in node.value:
            below, line = (*place, str(key.value)), key.start_mark.line + 1
            if below in marks:
                message = f"given twice, in lines {marks[below].line} and {line}; remove one of them"
                raise error(message, line=line, key=".".join(map(str, below)))
            marks[below] = Mark(file, line, str(value.value) if isinstance(value, yaml.ScalarNode) else "")
            _mark(value, below, file, marks, error)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            written = str(value.value) if isinstance(value, yaml.ScalarNode) else ""
            marks[(*place, index)] = Mark(file, value.start_mark.line + 1, written)
            _mark(value, (*place, index), file, marks, error)


def _merged(parent: Mapping[str, Any], child: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(parent)
    for key, value in child.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _merged(old, value) if both else value  # type: ignore[arg-type]
    return merged


_SHORT = Repr()
"""Shows a value in a message: a file may hold one that takes screens to print."""
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlevel, _SHORT.maxdict, _SHORT.maxlist = 2, 4, 4


def _explained(kind: type[Any], place: Place, error: Any) -> str:
    """What is wrong at ``place`` and what would be right, in one line."""
    dotted = ".".join(map(str, place))
    if error["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        return f"unknown key {dotted!r}: {did_you_mean(str(place[-1]), _known_keys(kind, place[:-1]))}"
    if error["type"] in ("missing", "missing_argument"):
        return f"key {dotted!r} is missing"
    hint = "; put it in quotes" if error["type"] == "string_type" and _scalar(error.get("input")) else ""
    said = re.sub(r"^Input", "it", str(error["msg"]))
    return f"{dotted!r} is {_SHORT.repr(error.get('input'))}: {said}{hint}"


def _scalar(value: object) -> bool:
    return isinstance(value, (bool, int, float)) or value is None


def _known_keys(kind: Any, place: Place) -> list[str]:
    """Names of the fields of the dataclass that stands at ``place`` below ``kind``."""
    for part in place:
        if is_dataclass(kind):
            kind = get_type_hints(kind).get(str(part))
        else:
            arguments = get_args(kind)
            kind = arguments[-1] if arguments else None
    return [field.name for field in fields(kind)] if is_dataclass(kind) else []
