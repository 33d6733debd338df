"""What a report is made of, wherever it comes from: rows of games, and what was looked at more closely in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nlp_agent.lab.study.statistics import grouped
from nlp_agent.lab.tournament.rows import GameRow, SeatRow
from nlp_agent.records.summary import WordCounts


@dataclass(frozen=True, slots=True)
class LoggedVote:
    """A vote by somebody who is no wolf. ``p``: P(wolf) of each other living player as the voter could know it."""

    day: int
    seat: int
    p: Mapping[str, float]
    wolves: frozenset[str]
    voted: str

    @property
    def chance(self) -> float:
        """Of hitting a wolf with closed eyes."""
        return len(self.wolves) / len(self.p)


@dataclass(frozen=True, slots=True)
class Highlight:
    """A moment worth looking at: ``size`` to compare it with others of its kind, ``what`` happened in a line."""

    size: float
    day: int
    what: str


@dataclass(frozen=True, slots=True)
class Detail:
    """What a closer look at one game found.

    ``votes`` with what could be believed. ``words`` by 0-based seat where they were counted here. ``own``: beliefs are
    the seats' own, from their journals, and not worked out from the talk.
    """

    votes: tuple[LoggedVote, ...] = ()
    words: Mapping[int, WordCounts] = field(default_factory=dict)
    own: bool = False
    swing: Highlight | None = None
    fallback: Highlight | None = None
    lie: Highlight | None = None


@dataclass(frozen=True, slots=True)
class GamePlace:
    """Where a game is: ``nlp-agent replay path`` opens it alone, ``key`` names it in addresses of that server."""

    path: str
    key: str


@dataclass(frozen=True)
class Evidence:
    """All games of a folder. ``who``: contestants or teams, in the order they are shown.

    ``details`` by game, of those that were looked at, and their ``places``. ``folder`` as the user named it.
    ``judged``: what a judge's run over them wrote into its summary.
    """

    title: str
    rows: Sequence[GameRow]
    who: tuple[str, ...]
    details: Mapping[str, Detail]
    places: Mapping[str, GamePlace]
    folder: str = ""
    judged: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def finished(self) -> tuple[GameRow, ...]:
        """The games that one side won."""
        return tuple(row for row in self.rows if row.winner in ("VILLAGER", "WEREWOLF"))

    @cached_property
    def by_deal(self) -> dict[str, list[GameRow]]:
        """The games of each deal; empty where games have none."""
        return grouped((row.deal, row) for row in self.rows if row.deal)

    @cached_property
    def nameless(self) -> int:
        """Seats of which nobody knows whose they were."""
        return sum(seat.contestant not in self.who for row in self.rows for seat in row.seats)

    def seats(self, who: str) -> list[tuple[str, SeatRow]]:
        """All seats of ``who``, each with what its game shares its luck with."""
        return [(cluster(row), seat) for row in self.rows for _, seat in seats_of(row, who)]

    @property
    def trials(self) -> str:
        """What intervals count: see :func:`cluster`."""
        return "deals" if self.by_deal else "games"


def cluster(row: GameRow) -> str:
    """What ``row`` shares its luck with: the games of its deal, or only itself."""
    return row.deal or row.game


def seats_of(row: GameRow, who: str) -> list[tuple[int, SeatRow]]:
    """The seats of ``who``, each with its 0-based number."""
    return [(number, seat) for number, seat in enumerate(row.seats) if seat.contestant == who]
