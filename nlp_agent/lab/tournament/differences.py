"""Who is better, and how sure that is: differences paired by deal, with honest intervals. Pure.

Games of one deal share their luck and are no independent trials, so the deal is what is counted: of each the difference
between two contestants' scores, and of these differences the mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from nlp_agent.lab.study.statistics import student95

LEAST_DEALS = 6
"""Deals below which nothing is decided: six of six for one of two equals happen in one of 32 times."""


@dataclass(slots=True)
class Sums:
    """Differences by deal (each from -1 to 1), as their count, sum and sum of squares."""

    deals: int = 0
    total: float = 0.0
    squares: float = 0.0
    equal: int = 0

    def add(self, value: float) -> None:
        self.deals += 1
        self.total += value
        self.squares += value * value
        self.equal += value == 0.0


@dataclass(frozen=True, slots=True)
class Difference:
    """``first`` less ``second`` in points of 1, the mean over ``deals``, with its 95 % interval ``low`` .. ``high``;
    on ``equal`` of them both scored the same."""

    first: str
    second: str
    deals: int
    mean: float
    low: float
    high: float
    equal: int = 0

    @classmethod
    def of(cls, first: str, second: str, sums: Sums) -> Difference:
        mean = sums.total / sums.deals if sums.deals else 0.0
        return cls(first, second, sums.deals, mean, *interval(sums), sums.equal)

    @property
    def decided(self) -> bool:
        """Whether the interval leaves out no difference at all, on more than a handful of deals."""
        return self.deals >= LEAST_DEALS and not self.low <= 0.0 <= self.high

    @property
    def all_equal(self) -> bool:
        """Whether no deal told the two apart, so that nobody can say how many would."""
        return 0 < self.deals == self.equal

    @property
    def half(self) -> float:
        """Half the width of the interval: the ± of it."""
        return (self.high - self.low) / 2

    @property
    def better(self) -> str:
        """Whoever is ahead for sure, or ``""``."""
        return (self.first if self.low > 0 else self.second) if self.decided else ""


def points(share: float, form: str = "+.1f") -> str:
    """A difference as games of 100."""
    return f"{100 * share:{form}}"


def interval(sums: Sums) -> tuple[float, float]:
    """The 95 % interval of the mean, by Student's t over the differences and two imagined ones.

    One imagined value is 0, and half a value each is -1 and 1, after Agresti and Min (Statistics in Medicine 24, 2005):
    twenty deals alike are no proof that there is never another, and so no interval is ever a point.
    """
    count = sums.deals + 2
    mean = sums.total / count
    spread = math.sqrt(max(0.0, (sums.squares + 1.0) / count - mean * mean) / (count - 1))
    half = student95(count - 1) * spread
    return max(-1.0, mean - half), min(1.0, mean + half)
