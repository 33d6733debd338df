"""A background request: a model completes the character's sheet, once a game.

The sheet by rules is in use until then, and for good when nothing usable comes back. First person and endings stay as
they are, so that the model's words and the LLM-free player's remain one person's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from nlp_agent.game import SeatState
from nlp_agent.prompting import Pack, character_prompt
from nlp_agent.prompting.quote import quote_talk
from nlp_agent.protocol import LengthRule, Request
from nlp_agent.seat.background import BackgroundQuestion
from nlp_agent.seat.json_answers import LONGEST, read_object, strict_object
from nlp_agent.seat.setup import Setup
from nlp_agent.text import Allowance, make_utterance
from nlp_agent.text.finder import Phrase
from nlp_agent.voice.character_sheet import SAMPLES, CharacterSheet, make_character_sheet
from nlp_agent.voice.persona import Persona

_TEMPLATE = "character.jinja"
FEWEST = 3
"""Usable sample lines from which they take the place of those by rules."""
_NOTE, _LINE = 80, 60
"""Characters of a note and of a sample line."""
_HABITS = 3


def schema() -> dict[str, Any]:
    """The strict JSON schema of an answer."""
    text = {"type": "string"}
    many = {"type": "array", "items": text}
    return strict_object({"temper": text, "words": text, "habits": many, "lines": many})


def completed(answer: str, sheet: CharacterSheet, persona: Persona, pack: Pack, state: SeatState) -> CharacterSheet:
    """``sheet`` with what is usable of a model's ``answer``; nonsense, orders and secrets leave it as it is."""
    whole = read_object(answer)
    notes = _Notes(persona, pack, state)
    temper, words = notes.note(whole.get("temper")), notes.note(whole.get("words"))
    habits = tuple(dict.fromkeys(filter(None, map(notes.note, _texts(whole.get("habits"))))))[:_HABITS]
    lines = tuple(dict.fromkeys(filter(None, map(notes.line, _texts(whole.get("lines"))))))[:SAMPLES]
    own = len(lines) >= FEWEST
    samples = lines if own else sheet.samples
    return CharacterSheet(temper or sheet.temper, words or sheet.vocabulary, habits or sheet.habits, samples, own)


def _texts(value: object) -> Iterator[object]:
    yield from value if isinstance(value, list) else ()


class _Notes:
    """What may stand on a sheet: no orders, no players, no roles, nothing that commits, no other first person."""

    def __init__(self, persona: Persona, pack: Pack, state: SeatState) -> None:
        self._me, self._pack, self._players = persona.me, pack, state.players
        self._village = pack.language.village(state.players)
        cap = LengthRule(base_length=_LINE, mention_length=_LINE)
        self._table = Allowance(state.me, state.players, state.players, cap)

    def note(self, value: object) -> str:
        """One phrase without a full stop, or ``""``."""
        text = quote_talk(value, LONGEST).strip(" .。") if isinstance(value, str) else ""
        return text if text and len(text) <= _NOTE and self._harmless(text) else ""

    def line(self, value: object) -> str:
        """One line as it could be said at the table, or ``""``."""
        if not isinstance(value, str) or len(value) > 2 * _NOTE:
            return ""
        made = make_utterance(value, self._table, self._pack.language)
        if made is None or not self._harmless(made.text):
            return ""
        pack = self._pack
        firsts = {first for pattern in pack.lines.firsts for first in re.findall(pattern, made.text)}
        told = (said.kind for said in pack.reading.read(made.text, self._players).statements)
        if firsts - {self._me} or any(kind != "ask" for kind in told):
            return ""
        return "" if self._village.look(made.text).unspeakable else made.text

    def _harmless(self, text: str) -> bool:
        reading = self._pack.reading
        return not (
            self._village.names.players_in(text)
            or reading.roles_in(Phrase(text))
            or self._village.look(text).gives_orders
        )


class GettingIntoCharacter:
    """The question that completes the sheet of ``setup``, which prompts show from then on."""

    event, purpose, patience, lasts = "character", "CHARACTER", 60.0, True

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        # A profile with orders for models is shown to none.
        self._due = setup.pack.has(_TEMPLATE) and setup.reviewer.guard.trusts(setup.state.profile)

    def due(self) -> bool:
        return self._due  # It is asked once, and the answer is taken whenever it comes.

    def question(self) -> BackgroundQuestion:
        self._due = False
        setup, persona, state = self._setup, self._setup.words.persona, self._setup.state
        sheet = setup.sheet or make_character_sheet(setup.pack.playbook, persona, state.me)

        def learn(answer: str) -> Mapping[str, Any]:
            setup.sheet = completed(answer, sheet, persona, setup.pack, state)
            row: dict[str, Any] = {"sheet": asdict(setup.sheet)}
            return row if setup.sheet != sheet else row | {"problem": "nothing usable"}

        style = setup.style.of(Request.TALK, setup.pack)
        return BackgroundQuestion(character_prompt(setup.pack, state, persona, sheet, style), schema(), learn)

    def ended(self, *, well: bool) -> None:
        """Nobody asks again, however it went."""

    def take(self) -> list[str]:
        """Every seat has a character of its own."""
        return []

    def leave(self) -> None:
        """Nobody else waits for the answer."""
