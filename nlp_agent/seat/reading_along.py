"""A background request: a model reads what the patterns may have missed, in all new talks at once.

What it finds only adds to what the patterns read, and only where the talk itself bears it out (see :func:`found_in`),
so that it is not asked about a talk that names neither a player nor a role.
What a talk says is the same for everybody who hears it, so of the seats that share a model one asks for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.protocol import Role, Species, Talk
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement
from nlp_agent.seat.background import BackgroundQuestion
from nlp_agent.seat.json_answers import read_object, strict_object
from nlp_agent.seat.setup import Setup

_TEMPLATE = "reading.jinja"
FEWEST, MOST = 2, 30
"""Talks from which a question is worth its price, and those that are shown at once."""
FAILURES = 3
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
    return strict_object({"found": {"type": "array", "items": strict_object(item)}})


def found_in(answer: str, talks: Sequence[Talk], players: tuple[str, ...], reader: TalkReader) -> Found:
    """What ``answer`` tells about ``talks``, as far as each talk bears it out. Raises ValueError for nonsense.

    A statement belongs to the speaker of the talk it is said to stand in, whatever the model thinks, and must be borne
    out by a sentence of that very talk: so no talk can put words into the mouth of another.
    """
    found: dict[tuple[int, int], list[Statement]] = {}
    rows = read_object(answer).get("found")
    if not isinstance(rows, list):
        raise ValueError("no list of what was found")
    for row in rows:
        number = row.get("talk") if isinstance(row, dict) else None
        if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= len(talks):
            talk = talks[number - 1]
            statement = _statement(row, talk, players, reader)
            if statement is not None:
                found.setdefault(talk.place, []).append(statement)
    return {key: tuple(dict.fromkeys(statements)) for key, statements in found.items()}


def _statement(row: Mapping[str, Any], talk: Talk, players: tuple[str, ...], reader: TalkReader) -> Statement | None:
    kind, target, value = (str(row.get(key, "")) for key in ("kind", "target", "value"))
    if kind not in _KINDS or target == talk.agent or (kind in _VALUES and value not in _VALUES[kind]):
        return None
    said = Statement(kind, target=target)
    if kind == "claim":
        said = Statement("claim", role=value)
    elif kind == "result":
        said = Statement("result", target=target, result=value)
    return said if reader.bears_out(talk.text, players, said) else None


@dataclass(eq=False)
class SharedReading:
    """What the seats of one game that share a model have learnt from it. ``seats``: the players who take part;
    ``found`` has every talk that was read; ``failures``: answers in a row that were none."""

    seats: set[str] = field(default_factory=set)
    found: Found = field(default_factory=dict)
    failures: int = 0


class ReadingAlong:
    """The question what the new talks say. One that gives orders to models is not shown to any."""

    event, purpose, patience, lasts = "reading", "READING", 30.0, False

    def __init__(self, setup: Setup, shared: SharedReading) -> None:
        self._setup, self._shared = setup, shared
        shared.seats.add(setup.state.me)

    def leave(self) -> None:
        """This seat neither asks any more, nor for others."""
        self._shared.seats.discard(self._setup.state.me)

    def take(self) -> list[str]:
        """Take in what was read for other seats in talks that are known here, and set aside those that tell nothing;
        returns what was new."""
        found, players, may_tell = self._shared.found, self._setup.state.players, self._setup.pack.reading.may_tell
        unchecked = self._unchecked()
        read = [talk for talk in unchecked if talk.place in found]
        idle = [talk for talk in unchecked if talk.place not in found and not may_tell(talk.text, players)]
        self._setup.mind.ledger.check(read + idle)
        return self._setup.mind.amend({talk.place: found[talk.place] for talk in read if found[talk.place]})

    def due(self) -> bool:
        # In a group chat there is no quiet, and what is read a phase later is of no use.
        able = self._shared.failures < FAILURES and self._setup.pack.has(_TEMPLATE)
        return able and not self._setup.state.phase_no and self._asks_for_all() and bool(self._shown())

    def _asks_for_all(self) -> bool:
        """Whether nobody before this seat lives and takes part."""
        state = self._setup.state
        return next((name for name in state.alive if name in self._shared.seats), state.me) == state.me

    def _shown(self) -> list[Talk]:
        telling, trusts = self._unchecked(), self._setup.reviewer.guard.trusts
        return [talk for talk in telling[-MOST:] if len(telling) >= FEWEST and trusts(talk.text)]

    def _unchecked(self) -> list[Talk]:
        return self._setup.mind.ledger.unchecked(self._setup.state.me)

    def question(self) -> BackgroundQuestion:
        state, pack, talks = self._setup.state, self._setup.pack, self._shown()
        players = state.players
        # Whatever becomes of the question: a model is not bothered, nor paid, with the same talks again.
        self._setup.mind.ledger.check(self._unchecked())
        prompt = pack.reading_prompt([(talk.agent, talk.text) for talk in talks], players)

        def learn(answer: str) -> Mapping[str, Any]:
            found = found_in(answer, talks, players, pack.reading)
            self._shared.found |= {talk.place: found.get(talk.place, ()) for talk in talks}
            return {"added": self._setup.mind.amend(found)}

        about = {"talks": [[talk.day, talk.idx] for talk in talks]}
        return BackgroundQuestion(prompt.user, schema(players, len(talks)), learn, about)

    def ended(self, *, well: bool) -> None:
        self._shared.failures = 0 if well else self._shared.failures + 1
