"""What a seat tells of itself: rows for the journal, counts for the summary, and faults of our own that it survived."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from nlp_agent.deadline import Deadline
from nlp_agent.game import SeatState
from nlp_agent.llm.model import Usage
from nlp_agent.planning.strategy import StrategyFault
from nlp_agent.protocol import OVER, TALK_REQUESTS
from nlp_agent.seat.decision import Decision, How

T = TypeVar("T")
logger = logging.getLogger(__name__)

_TOLD = 3
"""Different slips of a strategy that are told at once; all are counted and in the journal."""


class Recorder(Protocol):
    """Where a seat writes what happens, such as a journal."""

    def write(self, event: str, row: Mapping[str, Any]) -> None: ...


@dataclass(slots=True)
class SeatStats:
    """Counts over one game. ``milliseconds`` from packet to reply, one entry a reply. ``slips`` are those of a strategy
    of the user's own.
    """

    talks: int = 0
    by_how: dict[How, int] = field(default_factory=dict)
    dropped: int = 0
    crashes: int = 0
    slips: int = 0
    usage: Usage = field(default_factory=Usage)
    milliseconds: list[float] = field(default_factory=list)


class SeatLog:
    """The one way from a seat to its journal and its counts. ``record`` is ``None`` for a seat of which nobody will
    read anything."""

    def __init__(self, record: Recorder | None, state: SeatState) -> None:
        self.stats = SeatStats()
        self._record, self._state = record, state
        self.kept = record is not None
        """Whether anybody will read what is written."""
        self._told: set[str] = set()

    def write(self, event: str, row: Mapping[str, Any]) -> None:
        if self._record is not None:
            self._record.write(event, row)

    def spend(self, usage: Usage) -> None:
        self.stats.usage += usage

    # --- decisions ---------------------------------------------------------------------------------------------

    def sent(self, decision: Decision, deadline: Deadline) -> None:
        """``decision`` went out."""
        # Told before anything is counted: the journal is to hold it, at its very moment, whatever comes.
        if self.kept:
            self.write("decision", {**decision.row(), **_times(deadline)})
        stats = self.stats
        stats.by_how[decision.how] = stats.by_how.get(decision.how, 0) + 1
        stats.talks += decision.request in TALK_REQUESTS and decision.text != OVER
        stats.milliseconds.append(deadline.spent * 1000)
        self.spend(decision.usage)

    def dropped(self, decision: Decision | None, request: str, why: str, deadline: Deadline) -> None:
        """Nothing went out for ``request``."""
        self.stats.dropped += 1
        row = decision.row() if decision else {"request": request}
        self.write("dropped", {**row, "why": why, **_times(deadline)})

    def unsaid(self, decision: Decision, why: str) -> None:
        """A talk of a group chat was thought and thrown away; what it cost counts."""
        self.spend(decision.usage)
        self.write("unsaid", {**decision.row(), "why": why})

    def slipped(self, slips: Sequence[StrategyFault], decision: Decision) -> None:
        """A strategy of the user's own failed or answered nonsense; ``decision`` is the built-in one's instead."""
        for slip in slips:
            self.stats.slips += 1
            decision.problems.append(slip.what)
            if slip.traceback:
                row = {"what": slip.what, "request": decision.request, "day": decision.day}
                self.write("strategy", {**row, "traceback": slip.traceback})
            if slip.what not in self._told and len(self._told) < _TOLD:
                self._told.add(slip.what)
                logger.warning("%s day %s %s: %s", self._state.me, decision.day, decision.request, slip.what)

    # --- faults of our own -------------------------------------------------------------------------------------

    def guarded(self, doing: str, work: Callable[[], T], otherwise: T) -> T:
        """What ``work`` gives, or ``otherwise`` when it fails: a fault of ours costs quality, never the game."""
        try:
            return work()
        except Exception:
            self.crash(doing)
            return otherwise

    def crash(self, doing: str, decision: Decision | None = None) -> None:
        """Count the exception that is being handled, and keep its traceback."""
        self.stats.crashes += 1
        if decision is not None:
            decision.problems.append(f"failed while {doing}")
        self.write("crash", {"doing": doing, "day": self._state.day, "traceback": traceback.format_exc()})


def _times(deadline: Deadline) -> dict[str, float]:
    return {"ms": round(deadline.spent * 1000, 2), "left_s": round(deadline.remaining, 3)}
