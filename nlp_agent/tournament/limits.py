"""When a tournament ends (games, width of the intervals, budget), and what it will have cost by then. Pure."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from nlp_agent.study.statistics import Z95
from nlp_agent.tournament.rows import GameRow
from nlp_agent.tournament.standings import Difference

DECIDED = "decided"
"""As ``until``: play until each difference is decided."""
USUAL_MARGIN = 0.02
"""Differences that small do not matter, where nobody said which do not."""


@dataclass(frozen=True, slots=True)
class TournamentLimits:
    """The limits at which a tournament ends. ``games`` to be played (None: any number), rounded up to whole deals;
    ``until``: the ± of all differences, in points of 1, that is narrow enough, or :data:`DECIDED`; ``budget`` in the
    currency of the prices; differences up to ``margin`` do not matter.
    """

    games: int | None = None
    until: float | Literal["decided"] | None = None
    budget: float | None = None
    margin: float = USUAL_MARGIN

    @property
    def told_margin(self) -> float | None:
        """The margin where it is played for; elsewhere nobody asked which differences matter."""
        return self.margin if self.until == DECIDED else None

    def enough(self, differences: Sequence[Difference]) -> bool:
        """Tell whether no more games are needed. Intervals are right at any look, so a clear lead may end a
        tournament.
        """
        if self.until is None or not differences:
            return False
        return all(self._known(one) for one in differences)

    def _known(self, one: Difference) -> bool:
        if isinstance(self.until, float):
            return one.half <= self.until
        return one.decided or one.negligible(self.margin)

    def deals_needed(self, differences: Sequence[Difference]) -> int | None:
        """Deals after which :meth:`enough` is likely true, if all goes on like this; None where nobody can say."""
        if self.until is None or not differences or not all(one.deals for one in differences):
            return None
        # An interval becomes half as wide by four times the deals.
        needed = (one.deals * (one.half / self._width(one)) ** 2 for one in differences if not self._known(one))
        return round(max([*needed, *(one.deals for one in differences)]))

    def _width(self, one: Difference) -> float:
        if isinstance(self.until, float):
            return self.until
        return max(abs(one.mean), self.margin - abs(one.mean))

    def spent(self, money: float, running: int, each: float) -> bool:
        """Tell whether one more game may cost more than is left, when each of ``running`` games still costs
        ``each``.
        """
        return self.budget is not None and money + (running + 1) * each > self.budget


RATE_SECONDS = 300.0
RATE_GAMES = 20
"""A rate is that of the last five minutes, or of the last twenty games where these took longer."""


class RecentRate:
    """The number of games finished per second over the last minutes: machines and endpoints become slower and faster.

    Times are seconds of one clock; ``began`` is when the first game was begun.
    """

    def __init__(self, began: float) -> None:
        self._since, self._finished = began, deque[float]()

    def finish(self, now: float) -> None:
        """Count one more finished game; ``now`` is in seconds."""
        self._finished.append(now)

    def per_second(self, now: float) -> float:
        """The games finished per second: 0 before the first is finished; it falls while none is. ``now`` is in
        seconds.
        """
        while len(self._finished) > RATE_GAMES and self._finished[0] < now - RATE_SECONDS:
            self._since = self._finished.popleft()
        return len(self._finished) / (now - self._since) if now > self._since else 0.0


@dataclass(slots=True)
class Costs:
    """The costs of the games played so far: seconds of a worker, tokens, money."""

    games: int = 0
    seconds: float = 0.0
    tokens: int = 0
    cached: int = 0
    money: float = 0.0
    squares: float = 0.0
    unpriced: int = 0

    def take(self, row: GameRow) -> None:
        """Add the costs of the finished game ``row``."""
        money = sum(seat.money or 0.0 for seat in row.seats)
        self.games += 1
        self.seconds += row.seconds
        self.tokens += row.total("tokens")
        self.cached += row.total("cached_tokens")
        self.money += money
        self.squares += money * money
        self.unpriced += row.money is None

    def project(self, games: int, workers: int) -> Projection:
        """Estimate what ``games`` more will take if they are like those so far."""
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
    """An estimate of what ``games`` will take: seconds on the clock, tokens (``cached`` of them known to the endpoint),
    and money with the interval it will be in 95 times of 100. ``priced``: all of it has a price.
    """

    games: int
    seconds: float
    tokens: int
    cached: int
    money: float
    low: float
    high: float
    priced: bool
