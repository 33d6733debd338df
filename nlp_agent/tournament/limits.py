"""When a tournament ends (games, width of the intervals, budget), and what it will have cost by then. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nlp_agent.study.statistics import Z95
from nlp_agent.tournament.rows import GameRow
from nlp_agent.tournament.standings import Difference

LEAST_DEALS_FOR_WIDTH = 20
"""Deals below which nothing ends for a narrow interval: so few say little about how much deals differ."""


@dataclass(frozen=True, slots=True)
class TournamentLimits:
    """``games`` to be played (None: any number), rounded up to whole deals; ``until``: the ± of all differences, in
    points of 1, that is narrow enough; ``budget`` in the currency of the prices.
    """

    games: int | None = None
    until: float | None = None
    budget: float | None = None

    def narrow(self, differences: Sequence[Difference]) -> bool:
        """Whether more games are not needed. Only the width counts: stopping once somebody is ahead would often crown
        whoever was lucky first.
        """
        if self.until is None or not differences:
            return False
        return all(one.deals >= LEAST_DEALS_FOR_WIDTH and one.half <= self.until for one in differences)

    def spent(self, money: float, running: int, each: float) -> bool:
        """Whether another game may cost more than there is, when ``running`` ones cost ``each`` still."""
        return self.budget is not None and money + (running + 1) * each > self.budget


@dataclass(slots=True)
class Costs:
    """What games cost so far: seconds of a worker, tokens, money."""

    games: int = 0
    seconds: float = 0.0
    tokens: int = 0
    cached: int = 0
    money: float = 0.0
    squares: float = 0.0
    unpriced: int = 0

    def take(self, row: GameRow) -> None:
        money = sum(seat.money or 0.0 for seat in row.seats)
        self.games += 1
        self.seconds += row.seconds
        self.tokens += row.total("tokens")
        self.cached += row.total("cached_tokens")
        self.money += money
        self.squares += money * money
        self.unpriced += row.money is None

    def project(self, games: int, workers: int) -> Projection:
        """What ``games`` more will take if they are like those so far."""
        count = max(1, self.games)
        each = self.money / count
        variance = max(0.0, self.squares / count - each * each) * count / max(1, count - 1)
        # Of the mean so far, and of the games that are still to come.
        half = Z95 * math.sqrt(variance * (games * games / count + games))
        return Projection(
            games,
            seconds=self.seconds / count * games / max(1, workers),
            tokens=round(self.tokens / count * games),
            cached=round(self.cached / count * games),
            money=each * games,
            low=max(0.0, each * games - half),
            high=each * games + half,
            priced=not self.unpriced,
        )


@dataclass(frozen=True, slots=True)
class Projection:
    """What ``games`` will take: seconds on the clock, tokens (``cached`` of them known to the endpoint), and money with
    the interval it will be in 95 times of 100. ``priced``: all of it has a price.
    """

    games: int
    seconds: float
    tokens: int
    cached: int
    money: float
    low: float
    high: float
    priced: bool
