"""What a session needs of whoever sits behind it, and what it tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from nlp_agent.deadline import Deadline
from nlp_agent.protocol import Packet, Request
from nlp_agent.seat import Decision, Pace, SeatStats, Timing

if TYPE_CHECKING:
    from nlp_agent.game import SeatState


class PhaseTalks(Protocol):
    """One phase of group chat; ``next`` waits for the moment to speak."""

    async def next(self, left: int) -> tuple[Decision, Deadline]: ...


class Player(Protocol):
    """What sits behind a connection; :class:`nlp_agent.seat.Seat` does."""

    state: SeatState
    timing: Timing

    @property
    def stats(self) -> SeatStats: ...
    def hear(self, packet: Packet) -> None: ...
    def leave(self) -> None: ...
    async def answer(self, packet: Packet, last: Deadline) -> Decision: ...
    def join(self, request: Request, closes: Deadline, pace: Pace) -> PhaseTalks: ...
    def delivered(self, decision: Decision, deadline: Deadline) -> None: ...
    def dropped(self, decision: Decision | None, request: str, why: str, deadline: Deadline) -> None: ...


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """``finished``: FINISH came. ``started``: INITIALIZE came. ``more``: the server has begun another game instead."""

    started: bool
    finished: bool
    more: bool = False
