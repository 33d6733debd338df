"""Language packs: folders of data and templates, found by name or path, loaded once, reloaded when they change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nlp_agent.errors import PackError
from nlp_agent.prompting.folders import Snapshot, chain_of, find_pack, snapshot_of
from nlp_agent.prompting.official import OfficialPrompts
from nlp_agent.prompting.prompt import Kind, Prompt, Section, Style
from nlp_agent.prompting.quote import quote_name, quote_talk
from nlp_agent.prompting.sections import read_sections
from nlp_agent.prompting.templates import Templates
from nlp_agent.prompting.words import PackFile
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.rules import ReadingRules
from nlp_agent.text.language import Language
from nlp_agent.voice.linebook import LineBook
from nlp_agent.voice.playbook import Playbook
from nlp_agent.yamlfile import Document, read_document

if TYPE_CHECKING:
    from nlp_agent.prompting.problem import Problem
    from nlp_agent.prompting.view import Manner, View

RETRY = "retry.jinja"
_FILES = ("pack.yml", "lines.yml", "reading.yml")


@dataclass(frozen=True)
class _Loaded:
    words: PackFile
    playbook: Playbook
    templates: Templates
    folders: dict[str, Path]
    snapshot: Snapshot
    official: OfficialPrompts | None


class Pack:
    """A usable language pack. Everything it hands out comes from one consistent loading of its files."""

    def __init__(self, folder: Path, official: OfficialPrompts | None = None) -> None:
        self._folder, self._official = folder, official
        self._loaded = _load(folder)
        self._seen = self._loaded.snapshot

    @property
    def name(self) -> str:
        """The folder's name."""
        return self._folder.name

    @property
    def folder(self) -> Path:
        return self._folder

    @property
    def code(self) -> str:
        """The language, such as ``ja``."""
        return self._loaded.words.code

    @property
    def words(self) -> PackFile:
        return self._loaded.words

    @property
    def language(self) -> Language:
        return self._loaded.playbook.language

    @property
    def reading(self) -> TalkReader:
        return self._loaded.playbook.reading

    @property
    def lines(self) -> LineBook:
        return self._loaded.playbook.lines

    @property
    def playbook(self) -> Playbook:
        """Language, reading and lines of one loading, for a game."""
        return self._loaded.playbook

    @property
    def official(self) -> OfficialPrompts | None:
        """Templates of a conversation in the manner of the official sample, if the pack has any."""
        return self._official or self._loaded.official

    @property
    def chain(self) -> tuple[Path, ...]:
        """This pack's folder and those it extends, nearest first."""
        return tuple(self._loaded.folders.values())

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
        """Whether there is a template of that name, such as ``talk.jinja``."""
        return template in self._loaded.templates.names

    def render(self, request: str, view: View) -> Prompt:
        """The prompt for ``request`` (TALK, VOTE, ...). Raises PackError with file and line.

        The request's template is looked for as ``roles/<ROLE>/<request>.jinja``, then ``<request>.jinja``, in the
        advised style first in ``advised/``; the role is the seat's true one, while the templates themselves see only
        what ``view`` shows them.
        """
        templates, variables = self._loaded.templates, view.variables()
        system = templates.find(_candidates("system", view))
        user = templates.find(_candidates(request.lower(), view))
        # What no template calls by a kind is taken for instructions.
        told = read_sections(templates.render(system, variables), Kind.SPEECH, "system")
        asked = read_sections(templates.render(user, variables), Kind.TASK, "user")
        return Prompt((*told, *asked))

    def reading_prompt(self, talks: Sequence[tuple[str, str]], players: Sequence[str]) -> Prompt:
        """The question what ``talks`` (speaker, words) say, for a model that helps to read. Raises PackError."""
        templates = self._loaded.templates
        shown = [{"who": quote_talk(who), "text": quote_talk(text)} for who, text in talks]
        names = [quote_talk(name) for name in players]
        template = templates.find(("reading.jinja",))
        return _question(templates.render(template, {"talks": shown, "players": names}))

    def character_prompt(self, me: str, profile: tuple[str, ...], manner: Manner) -> Prompt:
        """The question that completes a character's sheet, with texts that are safe to show. Raises PackError."""
        templates = self._loaded.templates
        template = templates.find(("character.jinja",))
        return _question(templates.render(template, {"me": me, "profile": profile, "manner": manner}))

    def retry_prompt(self, prompt: Prompt, problem: Problem, me: str, choices: Sequence[str]) -> Prompt:
        """``prompt`` once more, with what was wrong with the answer to it. Raises PackError."""
        if not self.has(RETRY):
            return prompt
        templates = self._loaded.templates
        about = {key: quote_talk(getattr(problem, key)) for key in ("check", "said", "name", "role", "result")}
        variables = {"problem": about, "me": quote_name(me), "choices": tuple(map(quote_name, choices))}
        told = read_sections(templates.render(templates.find((RETRY,)), variables), Kind.TASK, "user")
        return Prompt((*prompt.sections, *told))

    def faults(self, request: str, view: View) -> list[PackError]:
        """Everything that fails when the prompt for ``request`` is rendered."""
        templates, variables = self._loaded.templates, view.variables()
        names = (_candidates(name, view) for name in ("system", request.lower()))
        return [fault for candidates in names for fault in templates.faults(candidates, variables)]

    def unseen(self) -> list[PackError]:
        """What is written in the pack's own templates and never shown to any model.

        Inherited ones may well fill blocks that this pack has done away with.
        """
        return [fault for fault in self._loaded.templates.unseen() if Path(fault.file).is_relative_to(self._folder)]

    def refresh(self, check: Callable[[Pack], Sequence[PackError]]) -> PackError | None:
        """Take in changed files; call between games. Never raises.

        A change that does not load, or in which ``check`` finds faults, is returned once as an error, and the last good
        state stays.
        """
        now = snapshot_of(self._loaded.folders.values())
        if now == self._seen:
            return None
        self._seen = now
        try:
            fresh = Pack(self._folder, self._official)
        except PackError as error:
            return error
        if faults := check(fresh):
            return faults[0]
        self._loaded, self._seen = fresh._loaded, fresh._seen
        return None


def _question(text: str) -> Prompt:
    return Prompt((Section(Kind.TASK, text),))


def _candidates(template: str, view: View) -> tuple[str, ...]:
    plain = (f"roles/{view.variant}/{template}.jinja", f"{template}.jinja")
    return (*(f"advised/{name}" for name in plain), *plain) if view.style is Style.ADVISED else plain


def load_pack(name_or_path: str | Path, base: Path | None = None, official: OfficialPrompts | None = None) -> Pack:
    """The pack of that name or in that folder; a relative path starts at ``base`` (default: the working folder).

    ``official`` are templates of a conversation in place of the pack's own. Raises PackError with file and line for
    whatever is wrong.
    """
    return Pack(find_pack(str(name_or_path), base), official)


_KEPT: dict[Path, _Loaded] = {}
"""What this process has loaded: packs are loaded again only where their files have changed."""


def _load(folder: Path) -> _Loaded:
    kept = _KEPT.get(folder)
    if kept is None or snapshot_of(kept.folders.values()) != kept.snapshot:
        kept = _KEPT[folder] = _read(folder)
    return kept


def _read(folder: Path) -> _Loaded:
    folders: dict[str, Path] = {}
    documents = {name: Document.empty(str(folder / name)) for name in _FILES}
    for part in chain_of(folder):
        folders.setdefault(part.name, part)
        for name in _FILES:
            if (part / name).is_file():
                # The nearest pack comes first in the chain, so what is already there lies over what follows.
                documents[name] = documents[name].over(read_document(part / name))
    snapshot = snapshot_of(folders.values())
    words = documents["pack.yml"].build(PackFile)
    playbook = Playbook(
        Language(words.code, words.words, words.speech, words.guard, words.plausible),
        TalkReader(documents["reading.yml"].build(ReadingRules)),
        documents["lines.yml"].build(LineBook),
    )
    templates = Templates(folders, words)
    templates.compile_all()
    official = next((found for part in folders.values() if (found := OfficialPrompts.from_folder(part))), None)
    return _Loaded(words, playbook, templates, folders, snapshot, official)
