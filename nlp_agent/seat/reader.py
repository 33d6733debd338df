"""A model reads what the patterns may have missed, in the quiet between this seat's own answers.

One question at a time, about all new talks at once; it is given up as soon as this seat is asked for anything. What a
model finds only adds to what the patterns read, and only where the talk itself bears it out: see :func:`found_in`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.model import Ask, Message, Model, Usage
from nlp_agent.planning.mind import Mind
from nlp_agent.prompting import Pack
from nlp_agent.protocol import Role, Species, Talk
from nlp_agent.reading.ledger import Statement
from nlp_agent.reading.reader import bears_out
from nlp_agent.reading.rules import ReadingRules

PURPOSE = "READING"
FEWEST, MOST = 2, 30
"""Talks from which a question is worth its price, and those that are shown at once."""
FAILURES = 3
PATIENCE = 30.0
"""Seconds after which an answer is not waited for any more."""
QUIET = 0.5
"""Seconds of silence before a question, so that it is in nobody's way where seats answer one right after the other."""
_LONGEST = 20_000
_KINDS = ("claim", "result", "vote", "suspect", "trust")
_SPECIES = (Species.HUMAN.value, Species.WEREWOLF.value)
_ROLES = tuple(role.value for role in Role)
_VALUES = {"claim": _ROLES, "result": _SPECIES}

Found = dict[tuple[int, int], tuple[Statement, ...]]
"""(day, idx) of a talk -> what a model found in it."""


def schema(players: Sequence[str], count: int) -> dict[str, Any]:
    """The strict JSON schema of an answer about ``count`` talks."""
    item = {
        "talk": {"type": "integer", "enum": list(range(1, count + 1))},
        "kind": {"type": "string", "enum": list(_KINDS)},
        "target": {"type": "string", "enum": ["", *players]},
        "value": {"type": "string", "enum": ["", *_ROLES, *_SPECIES[:1]]},
    }
    row = {"type": "object", "properties": item, "required": list(item), "additionalProperties": False}
    found = {"found": {"type": "array", "items": row}}
    return {"type": "object", "properties": found, "required": ["found"], "additionalProperties": False}


def found_in(answer: str, talks: Sequence[Talk], players: tuple[str, ...], rules: ReadingRules) -> Found:
    """What ``answer`` tells about ``talks``, as far as each talk bears it out. Raises ValueError for nonsense.

    A statement belongs to the speaker of the talk it is said to stand in, whatever the model thinks, and must be borne
    out by a sentence of that very talk: so no talk can put words into the mouth of another.
    """
    found: dict[tuple[int, int], list[Statement]] = {}
    for row in _rows(answer):
        number = row.get("talk")
        if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= len(talks):
            talk = talks[number - 1]
            statement = _statement(row, talk, players, rules)
            if statement is not None:
                found.setdefault((talk.day, talk.idx), []).append(statement)
    return {key: tuple(dict.fromkeys(statements)) for key, statements in found.items()}


def _rows(answer: str) -> list[Mapping[str, Any]]:
    start, end = answer.find("{"), answer.rfind("}")
    try:
        whole = json.loads(answer[start : end + 1]) if 0 <= start < end < start + _LONGEST else None
    except (ValueError, RecursionError):
        whole = None
    rows = whole.get("found") if isinstance(whole, dict) else None
    if not isinstance(rows, list):
        raise ValueError("no list of what was found")
    return [row for row in rows if isinstance(row, dict)]


def _statement(row: Mapping[str, Any], talk: Talk, players: tuple[str, ...], rules: ReadingRules) -> Statement | None:
    kind, target, value = (str(row.get(key, "")) for key in ("kind", "target", "value"))
    if kind not in _KINDS or target == talk.agent or (kind in _VALUES and value not in _VALUES[kind]):
        return None
    said = Statement(kind, target=target)
    if kind == "claim":
        said = Statement("claim", role=value)
    elif kind == "result":
        said = Statement("result", target=target, result=value)
    return said if bears_out(rules, talk.text, players, said) else None


class Reader:
    """One per seat and game. ``go`` whenever the seat is idle, ``stop`` before it answers and at the end.

    ``trusted`` says whether a talk may be shown: one that gives orders to models is not. ``crashed`` is called while an
    error of our own is being handled.
    """

    def __init__(
        self,
        *,
        model: Model,
        mind: Mind,
        pack: Pack,
        trusted: Callable[[str], bool],
        write: Callable[[str, dict[str, Any]], None],
        spent: Callable[[Usage], None],
        crashed: Callable[[str], None],
        quiet: float = QUIET,
    ) -> None:
        self._model, self._mind, self._pack = model, mind, pack
        self._trusted, self._write, self._spent, self._crashed = trusted, write, spent, crashed
        self._quiet = quiet
        self._task: asyncio.Task[None] | None = None
        self._asked = 0
        """Talks of the game before this one were asked about or passed over."""
        self._failures = 0
        """Answers in a row that were none; after a few the model is not asked for the rest of the game."""

    @property
    def busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def go(self, talks: Sequence[Talk], me: str, players: tuple[str, ...], pace: float) -> None:
        """Begin to read what is new, unless a question is under way or there is too little of it. Never waits."""
        if self.busy or self._failures >= FAILURES:
            return
        new = [talk for talk in talks[self._asked :] if talk.said and talk.agent != me]
        if len(new) < FEWEST:
            return
        loop = _running_loop()
        shown = [talk for talk in new[-MOST:] if self._trusted(talk.text)]
        if loop is not None and shown:
            self._task = loop.create_task(self._read(shown, players, len(talks), pace))

    def stop(self) -> None:
        """Give up the question under way; its talks are asked about again with the next ones."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _read(self, talks: list[Talk], players: tuple[str, ...], asked: int, pace: float) -> None:
        row: dict[str, Any] = {"talks": [[talk.day, talk.idx] for talk in talks]}
        try:
            if self._quiet:
                await asyncio.sleep(self._quiet * pace)
            until = Deadline.after(PATIENCE * pace, asyncio.get_running_loop().time)
            prompt = self._pack.reading_prompt([(talk.agent, talk.text) for talk in talks], players)
            row["user"] = prompt.user
            messages = (Message("user", prompt.user),)
            ask = Ask(messages, PURPOSE, schema=schema(players, len(talks)), pace=pace, aside=True)
            async with asyncio.timeout(until.remaining):
                answer = await self._model.ask(ask, until)
            self._spent(answer.usage)
            row |= {"raw": answer.raw or answer.text, "notes": list(answer.notes)}
            row["added"] = self._mind.amend(found_in(answer.text, talks, players, self._pack.reading))
            self._failures = 0
        except asyncio.CancelledError:
            if "user" in row:
                self._write("reading", row | {"problem": "given up"})
            raise
        except (LlmError, TimeoutError, ValueError) as error:
            row["problem"] = str(error) or "too late"
        except Exception as error:
            row["problem"] = f"{type(error).__name__}: {error}"
            self._crashed("reading with the model")
        self._failures += "problem" in row
        self._asked = asked  # A model that fails here is not bothered with the same talks again.
        self._write("reading", row)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
