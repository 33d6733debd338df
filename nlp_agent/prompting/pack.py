"""Language packs: folders of data and templates, found by name or path, loaded once, reloaded when they change."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from nlp_agent.errors import PackError, did_you_mean
from nlp_agent.prompting.official import FOLDER, OfficialPrompts
from nlp_agent.prompting.pack_file import PackFile
from nlp_agent.prompting.pack_folder import check_file, files_of
from nlp_agent.prompting.prompt import Prompt, Section, SectionKind, Speaker, Style
from nlp_agent.prompting.quote import quote_name, quote_talk
from nlp_agent.prompting.templates import Templates, read_sections
from nlp_agent.reading.own_lines import OwnLines
from nlp_agent.reading.patterns import ReadingRules
from nlp_agent.reading.reader import TalkReader
from nlp_agent.text.language import Language
from nlp_agent.voice.linebook import LineBook, every_line
from nlp_agent.voice.lines import Playbook
from nlp_agent.yamlfile import Document, read_document, shipped_dir

if TYPE_CHECKING:
    from nlp_agent.prompting.problem import Problem
    from nlp_agent.prompting.view import Manner, View

T = TypeVar("T")


# --- Where packs are -------------------------------------------------------------------------------------------------


Snapshot = dict[str, tuple[int, int]]
"""File -> (modification time in ns, size)."""


def shipped_packs_dir() -> Path:
    """The folder of the shipped packs: inside the installed package, or at the top of a checkout."""
    return shipped_dir("prompts")


def shipped_packs() -> dict[str, Path]:
    """Name -> folder of every shipped pack."""
    return folders_with("pack.yml", shipped_packs_dir())


def folders_with(file: str, inside: Path) -> dict[str, Path]:
    """Name -> folder of every folder ``inside`` that has such a ``file``."""
    found = sorted(inside.iterdir()) if inside.is_dir() else []
    return {path.name: path for path in found if (path / file).is_file()}


def find_pack(wanted: str, base: Path | None = None) -> Path:
    """The folder of the shipped pack of that name, or that folder; raises PackError when there is none."""
    shipped = shipped_packs()
    if wanted in shipped:
        return shipped[wanted]
    path = ((base or Path.cwd()) / Path(wanted).expanduser()).resolve()
    if (path / "pack.yml").is_file():
        return path
    if path.is_dir():
        raise PackError(
            "this folder is no language pack: it has no pack.yml; start one with nlp-agent new-pack, or write this "
            "file with the line extends: en",
            file=str(path),
        )
    raise PackError(
        f"no language pack {wanted!r}: give a shipped name or a folder with a pack.yml. {did_you_mean(wanted, shipped)}"
    )


def chain_of(folder: Path) -> list[Path]:
    """List ``folder`` and the packs it extends, nearest first.

    Raises PackError when a ``pack.yml`` cannot be read, names a pack that is not there, or extends itself in a circle.
    """
    chain: list[Path] = []
    current: Path | None = folder
    while current is not None:
        chain.append(current)
        document = read_document(check_file(current / "pack.yml", current))
        parent = document.data.get("extends") or ""
        if not isinstance(parent, str):
            raise document.fault(("extends",), "'extends' is the name or the folder of one pack")
        try:
            current = find_pack(parent, current) if parent else None
        except PackError as error:
            raise document.fault(("extends",), str(error)) from error
        if current in chain:
            raise document.fault(("extends",), f"'extends: {parent}' goes round in a circle")
    return chain


def snapshot(name_or_path: str | Path) -> Snapshot:
    """The state of all files of a pack and of those it extends; of a broken one what can be found."""
    folder = find_pack(str(name_or_path))
    try:
        return snapshot_of(chain_of(folder))
    except PackError:
        return snapshot_of([folder])


def snapshot_of(folders: Iterable[Path]) -> Snapshot:
    """Note when each file of ``folders`` was changed and how large it is, to notice that one of them changes."""
    snapshot: Snapshot = {}
    for folder in folders:
        for path in files_of(folder, ".jinja", ".yml"):
            try:
                stat = path.stat()
            except OSError:  # gone since it was listed
                continue
            snapshot[str(path)] = (stat.st_mtime_ns, stat.st_size)
    return snapshot


# --- Language packs --------------------------------------------------------------------------------------------------


RETRY = "retry.jinja"
_FRAMES = ("request.jinja", "talk.jinja", "whisper.jinja")
"""Beside the sample's templates these say that lines of ours are wanted below them."""
_FILES = ("pack.yml", "lines.yml", "reading.yml")


@dataclass(eq=False)
class Pack:
    """A usable language pack. Everything it hands out comes from one consistent loading of its files.

    ``playbook``: language, reading and lines, for a game. ``chain``: this pack's folder and those it extends, nearest
    first, and ``snapshot`` their files as they were last looked at. ``official``: templates of a conversation in the
    manner of the official sample, if there are any; ``given`` those that came from elsewhere than from its folders.
    """

    words: PackFile
    playbook: Playbook
    templates: Templates
    chain: tuple[Path, ...]
    snapshot: Snapshot
    official: OfficialPrompts | None = None
    given: OfficialPrompts | None = None

    @property
    def name(self) -> str:
        """The name of the pack's folder."""
        return self.folder.name

    @property
    def folder(self) -> Path:
        """The pack's own folder; its parents stand behind it in the chain."""
        return self.chain[0]

    @property
    def code(self) -> str:
        """The language, such as ``ja``."""
        return self.words.code

    @property
    def language(self) -> Language:
        """The rules by which texts of the pack's language are split, cleaned, cut and guarded."""
        return self.playbook.language

    @property
    def reading(self) -> TalkReader:
        """The reader of talk in the pack's language."""
        return self.playbook.reading

    @property
    def lines(self) -> LineBook:
        """The lines of a seat without a model, in the voices of the pack."""
        return self.playbook.lines

    @property
    def verbatim(self) -> bool:
        """Whether talks are asked in the sample's words alone: nobody wrote a frame of ours beside them."""
        if self.official is None or self.given is not None:
            return self.official is not None
        end = next(at for at, folder in enumerate(self.chain) if (folder / FOLDER).is_dir())
        return not any((folder / name).is_file() for folder in self.chain[: end + 1] for name in _FRAMES)

    def find(self, file: str) -> Path | None:
        """The nearest file of that name in the chain, such as ``cast.yml``."""
        return next((folder / file for folder in self.chain if (folder / file).is_file()), None)

    def files(self, pattern: str) -> list[Path]:
        """The nearest files of the chain that match a glob ``pattern``."""
        found: dict[str, Path] = {}
        for folder in self.chain:
            for path in sorted(folder.glob(pattern)):
                found.setdefault(path.relative_to(folder).as_posix(), path)
        return list(found.values())

    def has(self, template: str) -> bool:
        """Tell whether there is a template of that name, such as ``talk.jinja``."""
        return template in self.templates.names

    def render(self, request: str, view: View) -> Prompt:
        """The prompt for ``request`` (TALK, VOTE, ...). Raises PackError with file and line.

        The request's template is looked for as ``roles/<ROLE>/<request>.jinja``, then ``<request>.jinja``, in the
        advised style first in ``advised/``; the role is the seat's true one, while the templates themselves see only
        what ``view`` shows them.
        """
        variables = view.variables()
        # What no template calls by a kind is taken for instructions.
        system = self._sections(_candidates("system", view), variables, SectionKind.SPEECH, "system")
        return Prompt(
            (*system, *self._sections(_candidates(request.lower(), view), variables, SectionKind.TASK, "user"))
        )

    def reading_prompt(self, talks: Sequence[tuple[str, str]], players: Sequence[str]) -> Prompt:
        """The question what ``talks`` (speaker, words) say, for a model that helps to read. Raises PackError."""
        shown = [{"who": quote_talk(who), "text": quote_talk(text)} for who, text in talks]
        return Prompt(self._asked({"talks": shown, "players": [*map(quote_talk, players)]}, "reading.jinja"))

    def character_prompt(self, me: str, profile: tuple[str, ...], manner: Manner) -> Prompt:
        """The question that completes a character's sheet, with texts that are safe to show. Raises PackError."""
        return Prompt(self._asked({"me": me, "profile": profile, "manner": manner}, "character.jinja"))

    def retry_prompt(
        self, prompt: Prompt, problem: Problem, me: str, choices: Sequence[str], style: Style = Style.DIRECTED
    ) -> Prompt:
        """Make the prompt that asks ``prompt`` once more, with what was wrong with the answer to it. Raises PackError
        when a template of it fails.
        """
        names = (RETRY,) if style is Style.DIRECTED else (f"{style.value}/{RETRY}", RETRY)
        if not any(map(self.has, names)):
            return prompt
        parts = ("check", "said", "name", "role", "result", "case")
        about: dict[str, Any] = {key: quote_talk(getattr(problem, key)) for key in parts}
        about["over"] = str(problem.over)
        for key in ("stays", "moves"):
            about[key] = [(quote_name(name), count) for name, count in getattr(problem, key)]
        variables = {"problem": about, "me": quote_name(me), "choices": tuple(map(quote_name, choices))}
        return Prompt((*prompt.sections, *self._asked(variables, *names)))

    def _asked(self, variables: Mapping[str, Any], *templates: str) -> tuple[Section, ...]:
        return self._sections(templates, variables, SectionKind.TASK, "user")

    def _sections(
        self, names: tuple[str, ...], variables: Mapping[str, Any], otherwise: SectionKind, by: Speaker
    ) -> tuple[Section, ...]:
        """What the first template of ``names`` that exists renders to."""
        text = self.templates.render(self.templates.find(names), variables)
        return tuple(read_sections(text, otherwise, by))

    def faults(self, request: str, view: View) -> list[PackError]:
        """Find everything that fails when the prompt for ``request`` is rendered."""
        names, variables = (_candidates(name, view) for name in ("system", request.lower())), view.variables()
        return [fault for candidates in names for fault in self.templates.faults(candidates, variables)]

    def unseen(self) -> list[PackError]:
        """Find what is written in the pack's own templates and never shown to any model."""
        return self.templates.unseen()

    def refresh(self, check: Callable[[Pack], PackError | None]) -> PackError | None:
        """Take in changed files; call between games. Never raises.

        A change that does not load, or in which ``check`` finds a fault, is returned once as an error, and the last
        good state stays.
        """
        now = snapshot_of(self.chain)
        if now == self.snapshot:
            return None
        self.snapshot = now
        try:
            fresh = load_pack(self.folder, official=self.given)
        except PackError as error:
            return error
        if fault := check(fresh):
            return fault
        vars(self).update(vars(fresh))
        return None


def _candidates(template: str, view: View) -> tuple[str, ...]:
    plain = (f"roles/{view.variant}/{template}.jinja", f"{template}.jinja")
    if view.style == Style.DIRECTED:
        return plain
    return (*(f"{view.style}/{name}" for name in plain), *plain)


def load_pack(name_or_path: str | Path, official: OfficialPrompts | None = None) -> Pack:
    """The pack of that name or in that folder; a relative path starts at the working folder.

    ``official`` are templates of a conversation in place of the pack's own. Raises PackError with file and line for
    whatever is wrong.
    """
    folder = find_pack(str(name_or_path))
    kept = _KEPT.get(folder)
    if kept is None or snapshot_of(kept.chain) != kept.snapshot:
        kept = _KEPT[folder] = _read(folder)
    return replace(kept, official=official or kept.official, given=official)


_KEPT: dict[Path, Pack] = {}
"""What this process has loaded: packs are loaded again only where their files have changed. Nobody else has these."""


def _read(folder: Path) -> Pack:
    folders: dict[str, Path] = {}
    documents = {name: Document.empty(str(folder / name)) for name in _FILES}
    for part in chain_of(folder):
        folders.setdefault(part.name, part)
        for name in _FILES:
            if os.path.lexists(part / name):
                # The nearest pack comes first in the chain, so what is already there lies over what follows.
                documents[name] = documents[name].over(read_document(check_file(part / name, part)))
    snapshot = snapshot_of(folders.values())
    built = _Built(documents)
    words, lines = built.of("pack.yml", PackFile), built.of("lines.yml", LineBook)
    rules = built.of("reading.yml", ReadingRules)
    if words is None or lines is None or rules is None:
        parent = next(iter([*folders.values()][1:]), None)
        if spoken := words or (load_pack(parent).words if parent else None):
            built.keep(Templates(folders, spoken).compile_all)
        raise built.faults()
    language = Language(words.code, words.words, words.speech, words.guard, words.plausible)
    own_lines = OwnLines(every_line(lines), spaced=language.spaced)
    playbook = Playbook(language, _reader(rules, own_lines), lines)
    if not folder.is_relative_to(shipped_packs_dir()):  # whose patterns are tested
        for section, why in playbook.language.broken_patterns():
            raise documents["pack.yml"].fault((section,), f"not a regular expression: {why}")
        own = (part for part in folders.values() if not part.is_relative_to(shipped_packs_dir()))
        if any((part / "reading.yml").is_file() for part in own):
            _check_patterns(documents["reading.yml"])
    templates = Templates(folders, words)
    templates.compile_all()
    official = next((found for part in folders.values() if (found := OfficialPrompts.from_folder(part))), None)
    return Pack(words, playbook, templates, tuple(folders.values()), snapshot, official)


class _Built:
    """Makes what the files of a pack hold, and keeps what is wrong with each, so that all of it is told at once."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._found: list[PackError] = []

    def of(self, name: str, kind: type[T]) -> T | None:
        """What the file ``name`` holds; None where that does not fit."""
        return self.keep(lambda: self._documents[name].build(kind))

    def keep(self, make: Callable[[], T]) -> T | None:
        """What ``make`` returns; None where it raises PackError, which is kept."""
        try:
            return make()
        except PackError as error:
            self._found += [error, *error.others]
            return None

    def faults(self) -> PackError:
        """The first fault with all others."""
        first, *others = self._found
        first.others = tuple(others)
        return first


def _check_patterns(reading: Document) -> None:
    """Raise PackError for the first pattern that is no regular expression: else a game would find out."""
    try:
        for _ in TalkReader(reading.build(ReadingRules)).compiling():
            pass
    except (re.error, RecursionError, OverflowError) as error:
        pattern = str(getattr(error, "pattern", ""))
        plain = {place: mark.written.partition("{")[0] for place, mark in reading.marks.items()}
        key = max(
            (place for place in plain if plain[place] in pattern), key=lambda place: len(plain[place]), default=()
        )
        raise reading.fault(key, f"not a regular expression: {error} in the pattern {pattern!r:.200}") from error


def _reader(rules: ReadingRules, own_lines: OwnLines) -> TalkReader:
    """That of a loaded pack with the same rules and lines, which has compiled them: most packs inherit theirs."""
    for reader in (kept.reading for kept in _KEPT.values()):
        if reader.own_lines.lines == own_lines.lines and vars(reader.rules) == vars(rules):
            return reader
    return TalkReader(rules, own_lines)
