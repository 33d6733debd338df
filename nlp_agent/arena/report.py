"""The referee's report on a game: a view of its event log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from nlp_agent.arena.events import Dealt, DealtSeat, Ended, Event, Faulted, GuestFault, Talked, killed_by
from nlp_agent.arena.village import LONGEST_GAME
from nlp_agent.errors import TableError
from nlp_agent.protocol import OVER, SKIP, Request

ILLEGAL = frozenset(
    {GuestFault.VOID_TARGET, GuestFault.TRIMMED, GuestFault.EMPTY, GuestFault.SKIP_BECAME_OVER, GuestFault.NEWLINE}
)
"""Faults that changed or voided what a guest meant."""
LATE = frozenset({GuestFault.TIMEOUT, GuestFault.LOST, GuestFault.AFTER_PHASE})
"""Answers that did not come in time or at all (a late one that cost the seat counts once, as lost)."""


@dataclass(frozen=True, slots=True)
class SeatReport:
    """The report on one seat of a game. ``talks`` counts talks with words; ``faults`` counts them by kind."""

    seat: DealtSeat
    survived: bool
    talks: int = 0
    faults: dict[GuestFault, int] = field(default_factory=dict)

    @property
    def illegal(self) -> int:
        """The number of answers that were changed or voided."""
        return sum(count for fault, count in self.faults.items() if fault in ILLEGAL)

    @property
    def late(self) -> int:
        """The number of answers that did not come in time."""
        return sum(count for fault, count in self.faults.items() if fault in LATE)

    @property
    def dropped(self) -> int:
        """The number of things said in a group chat and heard by nobody: beyond the talks, after Over, or nothing."""
        return self.faults.get(GuestFault.DROPPED, 0)


@dataclass(frozen=True, slots=True)
class TableReport:
    """The referee's report on one game.

    ``winner`` is VILLAGER, WEREWOLF or NONE; ``days`` is the day on which the game ended.

    ``warnings`` are lines for people: every fault, in order.
    """

    game_id: str
    winner: str
    days: int
    aborted: bool
    seats: tuple[SeatReport, ...]
    warnings: tuple[str, ...]

    @property
    def roles(self) -> dict[str, str]:
        """The role of each player by in-game name, in seat order."""
        return {report.seat.name: report.seat.role for report in self.seats}

    @property
    def illegal(self) -> int:
        """The number of answers of all seats that were changed or voided."""
        return sum(report.illegal for report in self.seats)

    @property
    def late(self) -> int:
        """The number of answers of all seats that did not come in time."""
        return sum(report.late for report in self.seats)


def report_on(events: Sequence[Event]) -> TableReport:
    """Make the referee's report on a game. Raises TableError when ``events`` are not those of a finished game."""
    dealt, ended = events[0] if events else None, events[-1] if events else None
    if not isinstance(dealt, Dealt):
        raise TableError("no report: the game was never dealt")
    if not isinstance(ended, Ended):
        raise TableError("no report: the game is not over")
    said = Counter(
        event.seat
        for event in events
        if isinstance(event, Talked) and event.request is Request.TALK and event.text not in (SKIP, OVER)
    )
    found = [event for event in events if isinstance(event, Faulted)]
    by_seat = Counter((event.seat, event.fault) for event in found)
    dead = {killed_by(event) for event in events}
    return TableReport(
        game_id=dealt.game_id,
        winner=ended.winner,
        days=ended.day,
        aborted=ended.aborted,
        seats=tuple(
            SeatReport(
                seat,
                seat.idx not in dead,
                said[seat.idx],
                {fault: count for (idx, fault), count in by_seat.items() if idx == seat.idx},
            )
            for seat in dealt.seats
        ),
        warnings=(*(_warning(dealt.seats[event.seat], event) for event in found), *_undecided(ended)),
    )


def _undecided(ended: Ended) -> tuple[str, ...]:
    endless = ended.day > LONGEST_GAME and not ended.aborted
    return (f"the table ends a game that is undecided after day {LONGEST_GAME}",) if endless else ()


_WORDS = {
    GuestFault.TIMEOUT: "gave no answer in time",
    GuestFault.LOST: "was lost for the rest of the game",
    GuestFault.VOID_TARGET: "named nobody who can be chosen",
    GuestFault.TRIMMED: "was cut short by the length rules",
    GuestFault.EMPTY: "left nothing to say, which became Over",
    GuestFault.SKIP_BECAME_OVER: "skipped without a skip left, which became Over",
    GuestFault.NEWLINE: "sent line breaks, which the server deletes",
    GuestFault.COMMA: "used a half-width comma, which breaks the organisers' logs",
    GuestFault.UNASKED: "sent a frame nobody asked for, which shifts every later answer",
    GuestFault.LATE: "answered where its name was expected, too late",
    GuestFault.DROPPED: "said what nobody heard: its talks were used up or over, or nothing was left of it",
    GuestFault.AFTER_PHASE: "spoke as the phase came to its end; nobody heard it",
    GuestFault.EXPELLED: "was disconnected by the table",
    GuestFault.PING: "sends keep-alive pings, which the official server leaves unanswered",
}


def _warning(seat: DealtSeat, event: Faulted) -> str:
    what = f" {event.request}" if event.request else ""
    quote = f": {event.text[:80]!r}" if event.text else ""
    return f"day {event.day}{what}: {seat.name} ({seat.guest}) {_WORDS[event.fault]}{quote}"
