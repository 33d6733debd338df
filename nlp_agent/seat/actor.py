"""A model completes the character's sheet once a game, in the quiet between this seat's own answers.

The sheet by rules is in use until then, and for good when nothing usable comes back. First person and endings stay as
they are, so that the model's words and the LLM-free player's remain one person's.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.game import SeatState
from nlp_agent.llm.model import Ask, Message, Model, Usage
from nlp_agent.prompting import Pack, character_prompt
from nlp_agent.prompting.quote import quote_talk
from nlp_agent.protocol import LengthRule, Role
from nlp_agent.reading.ledger import read_talk
from nlp_agent.reading.reader import names_role
from nlp_agent.text import Floor, make_utterance
from nlp_agent.text.guard import gives_orders, unspeakable
from nlp_agent.text.names import names_of
from nlp_agent.voice.persona import Persona
from nlp_agent.voice.sheet import SAMPLES, Sheet

PURPOSE = "CHARACTER"
TEMPLATE = "character.jinja"
PATIENCE = 20.0
"""Seconds after which an answer is not waited for any more."""
QUIET = 0.5
"""Seconds of silence before a question, so that it is in nobody's way where seats answer one right after the other."""
TRIES = 3
"""Questions that may be begun: each is given up when the seat is asked for something."""
FEWEST = 3
"""Usable sample lines from which they take the place of those by rules."""
_LONGEST = 20_000
_NOTE, _LINE = 80, 60
"""Characters of a note and of a sample line."""
_HABITS = 3


def schema() -> dict[str, Any]:
    """The strict JSON schema of an answer."""
    text = {"type": "string"}
    many = {"type": "array", "items": text}
    parts = {"temper": text, "words": text, "habits": many, "lines": many}
    return {"type": "object", "properties": parts, "required": list(parts), "additionalProperties": False}


def completed(answer: str, sheet: Sheet, persona: Persona, pack: Pack, state: SeatState) -> Sheet:
    """``sheet`` with what is usable of a model's ``answer``; nonsense, orders and secrets leave it as it is."""
    whole = _json(answer)
    notes = _Notes(persona, pack, state)
    temper, words = notes.note(whole.get("temper")), notes.note(whole.get("words"))
    habits = tuple(dict.fromkeys(filter(None, map(notes.note, _texts(whole.get("habits"))))))[:_HABITS]
    lines = tuple(dict.fromkeys(filter(None, map(notes.line, _texts(whole.get("lines"))))))[:SAMPLES]
    return Sheet(
        temper or sheet.temper,
        words or sheet.vocabulary,
        habits or sheet.habits,
        # A few good ones are filled up with the rules' own.
        tuple(dict.fromkeys((*lines, *sheet.samples)))[:SAMPLES] if len(lines) >= FEWEST else sheet.samples,
    )


def _json(answer: str) -> dict[str, Any]:
    start, end = answer.find("{"), answer.rfind("}")
    if start < 0 or end - start > _LONGEST:
        return {}
    try:
        whole = json.loads(answer[start : end + 1])
    except (ValueError, RecursionError):
        return {}
    return whole if isinstance(whole, dict) else {}


def _texts(value: object) -> Iterator[object]:
    yield from value if isinstance(value, list) else ()


class _Notes:
    """What may stand on a sheet: no orders, no players, no roles, nothing that commits, no other first person."""

    def __init__(self, persona: Persona, pack: Pack, state: SeatState) -> None:
        self._me, self._pack, self._players = persona.me, pack, state.players
        cap = LengthRule(base_length=_LINE, mention_length=_LINE)
        self._floor = Floor(state.me, state.players, state.players, cap)

    def note(self, value: object) -> str:
        """One phrase without a full stop, or ``""``."""
        text = quote_talk(value, _LONGEST).strip(" .。") if isinstance(value, str) else ""
        return text if text and len(text) <= _NOTE and self._harmless(text) else ""

    def line(self, value: object) -> str:
        """One line as it could be said at the table, or ``""``."""
        if not isinstance(value, str) or len(value) > 2 * _NOTE:
            return ""
        made = make_utterance(value, self._floor, self._pack.speech)
        if made is None or not self._harmless(made.text):
            return ""
        pack = self._pack
        firsts = {first for pattern in pack.lines.firsts for first in re.findall(pattern, made.text)}
        told = (said.kind for said in read_talk(pack.reading, made.text, self._players))
        if firsts - {self._me} or any(kind != "ask" for kind in told):
            return ""
        return "" if unspeakable(made.text, self._players, self._pack.words.guard) else made.text

    def _harmless(self, text: str) -> bool:
        reading = self._pack.reading
        return not (
            names_of(self._players).players_in(text)
            or any(names_role(reading, text, role) for role in Role)
            or gives_orders(text, self._players, self._pack.words.guard)
        )


class Actor:
    """One per seat and game. ``go`` whenever the seat is idle, ``stop`` before it answers and at the end.

    ``wear`` is given the new sheet, once; ``crashed`` is called while an error of our own is being handled.
    """

    def __init__(
        self,
        *,
        model: Model,
        pack: Pack,
        state: SeatState,
        persona: Persona,
        sheet: Sheet,
        wear: Callable[[Sheet], None],
        write: Callable[[str, dict[str, Any]], None],
        spent: Callable[[Usage], None],
        crashed: Callable[[str], None],
        quiet: float = QUIET,
    ) -> None:
        self._model, self._pack, self._state = model, pack, state
        self._persona, self._sheet = persona, sheet
        self._wear, self._write, self._spent, self._crashed = wear, write, spent, crashed
        self._quiet = quiet
        self._task: asyncio.Task[None] | None = None
        self._left = TRIES

    @property
    def busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def go(self, pace: float) -> None:
        """Ask, unless that was done or is under way. Never waits."""
        if self._left > 0 and not self.busy:
            try:
                loop = asyncio.get_running_loop()
            except RuntimeError:
                return
            self._task = loop.create_task(self._ask(pace))

    def stop(self) -> None:
        """Give up the question under way; there may be another in the next quiet moment."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _ask(self, pace: float) -> None:
        if self._quiet:
            await asyncio.sleep(self._quiet * pace)
        self._left -= 1
        row: dict[str, Any] = {}
        try:
            until = Deadline.after(PATIENCE * pace, asyncio.get_running_loop().time)
            prompt = character_prompt(self._pack, self._state, self._persona, self._sheet)
            row["user"] = prompt
            ask = Ask((Message("user", prompt),), PURPOSE, schema=schema(), pace=pace, seat=self._state.me, aside=True)
            async with asyncio.timeout(until.remaining):
                answer = await self._model.ask(ask, until)
            self._spent(answer.usage)
            sheet = completed(answer.text, self._sheet, self._persona, self._pack, self._state)
            row |= {"raw": (answer.raw or answer.text)[:_LONGEST], "sheet": asdict(sheet), "notes": list(answer.notes)}
            if sheet != self._sheet:
                self._wear(sheet)
            else:
                row["problem"] = "nothing usable"
        except asyncio.CancelledError:
            self._write("character", row | {"problem": "given up"})
            raise
        except (LlmError, TimeoutError) as error:
            row["problem"] = str(error) or "too late"
        except Exception as error:
            row["problem"] = f"{type(error).__name__}: {error}"
            self._crashed("getting into character")
        self._left = 0  # A model that has answered, or failed, is not asked again.
        self._write("character", row)
