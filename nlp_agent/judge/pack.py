"""The judge's prompts: a folder of words and templates, found by language or path and changed like any other pack."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from nlp_agent.errors import PackError, did_you_mean
from nlp_agent.judge.transcript import Line, MaskedGame
from nlp_agent.judge.verdicts import CRITERIA, AnswerFault
from nlp_agent.llm.model import Message
from nlp_agent.prompting.pack import folders_with, shipped_packs_dir
from nlp_agent.text.rules import Strict
from nlp_agent.yamlfile import Document, read_document

FILE = "judge.yml"
MOST_PLAYERS = 13


@dataclass(frozen=True)
class Criterion(Strict):
    """A criterion by which players are ranked: ``title`` heads a table, ``asks`` is what the judge is to look at."""

    title: str
    asks: str


@dataclass(frozen=True)
class JudgeWords(Strict):
    """The contents of the file ``judge.yml``. ``names`` are shown instead of the players'; ``faults``: what was wrong
    with an answer, by :class:`~nlp_agent.judge.verdicts.AnswerFault`; ``roles`` as the prompts call them.
    """

    name: str
    names: tuple[str, ...]
    separator: str
    roles: Mapping[str, str]
    criteria: Mapping[str, Criterion]
    faults: Mapping[str, str]
    extends: str = ""


class JudgePack:
    """Renders the four messages of a verdict. Raises PackError with file and line for whatever is wrong."""

    def __init__(self, folder: Path, words: JudgeWords, chain: Sequence[Path]) -> None:
        self.folder, self.words = folder, words
        self._environment = ImmutableSandboxedEnvironment(
            loader=ChoiceLoader([FileSystemLoader(part) for part in chain]),
            undefined=StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["json_line"] = _json_line

    def reading(self, sheet: MaskedGame) -> tuple[Message, Message]:
        """Make the messages with rules and game: the beginning that all criteria of a reading share, letter by
        letter.
        """
        characters = [{**who, "role": self.words.roles.get(who["role"], who["role"])} for who in sheet.characters]
        game = self._render("game.jinja", {"characters": characters, "lines": sheet.lines})
        return Message("system", self._render("system.jinja", {})), Message("user", game)

    def asking(self, criterion: str, names: Sequence[str]) -> Message:
        """The question for one criterion, with the players in the order they are to be told in."""
        return Message(
            "user", self._render("ask.jinja", {"criterion": self.words.criteria[criterion], "names": list(names)})
        )

    def again(self, faults: Sequence[AnswerFault], names: Sequence[str]) -> Message:
        """Make the message that tells a model what was wrong with its answer."""
        joined, kinds = self.words.separator.join, self.words.faults
        sentences = [kinds[fault.kind].replace("{names}", joined(fault.names)) for fault in faults]
        return Message("user", self._render("retry.jinja", {"faults": sentences, "names": list(names)}))

    def _render(self, template: str, variables: Mapping[str, Any]) -> str:
        try:
            return self._environment.get_template(template).render(separator=self.words.separator, **variables).strip()
        except TemplateError as error:
            line = getattr(error, "lineno", None)
            raise PackError(f"{template}: {error}", file=str(self.folder / template), line=line) from error


def judge_packs() -> dict[str, Path]:
    """The folders of the shipped prompts for judges, by language."""
    return folders_with(FILE, shipped_packs_dir() / "judge")


def load_judge_pack(wanted: str, base: Path | None = None) -> JudgePack:
    """Load the prompts of that language, or in that folder, laid over those they extend.

    Raises PackError when they are not there, cannot be read, or lack a criterion, a fault's wording or enough names.
    """
    chain: list[Path] = []
    document = Document.empty()
    folder: Path | None = _find(wanted, base or Path.cwd())
    while folder is not None and folder not in chain:
        chain.append(folder)
        own = read_document(folder / FILE)
        document = document.over(own) if len(chain) > 1 else own
        parent = own.data.get("extends")
        folder = _find(str(parent), folder) if parent else None
    words = document.build(JudgeWords)
    for kind, needed, there in (
        ("criteria", CRITERIA, words.criteria),
        ("faults", ("form", "unknown", "twice", "unranked", "missing"), words.faults),
    ):
        if lacking := [key for key in needed if key not in there]:
            raise document.fault((kind,), f"{kind} lack {', '.join(lacking)}")
        for key in there:
            if key not in needed:
                raise document.fault((kind, key), f"unknown key '{kind}.{key}': {did_you_mean(key, needed)}")
    if len(set(words.names)) < MOST_PLAYERS:
        raise document.fault(("names",), f"{MOST_PLAYERS} different names are needed, one for each player")
    return JudgePack(chain[0], words, chain)


def _find(wanted: str, base: Path) -> Path:
    shipped = judge_packs()
    if wanted in shipped:
        return shipped[wanted]
    folder = (base / Path(wanted).expanduser()).resolve()
    if (folder / FILE).is_file():
        return folder
    raise PackError(f"no judge's prompts {wanted!r}: give a folder with a {FILE}, or {did_you_mean(wanted, shipped)}")


def _json_line(line: Line) -> str:
    """A happening as one line of JSON: nothing in it can end the line, or the quotation it stands in."""
    return json.dumps(line, ensure_ascii=False)
