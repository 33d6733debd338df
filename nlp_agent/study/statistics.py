"""95 % intervals for shares, means and whatever else is made of cases that belong to games."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")

Z95 = 1.959964
"""Standard normal quantile of a two-sided 95 % interval."""
LEAST_GAMES = 5
"""Of fewer games drawn again tell nothing."""
ASSUMED_CORRELATION = 0.2
"""Correlation within a game where its cases tell nothing of it."""
RESAMPLES = 400
"""Games drawn again that often for the interval of a mean."""


def wilson(hits: float, count: float) -> tuple[float, float]:
    """The Wilson 95 % interval of a share of ``hits`` in ``count``, as fractions; (0, 1) when nothing was counted."""
    if count == 0:
        return 0.0, 1.0
    share, spread = hits / count, Z95 * Z95 / count
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 / (1 + spread) * math.sqrt(share * (1 - share) / count + spread / (4 * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def between(interval: tuple[float, float], digits: int, scale: float = 1.0) -> str:
    """Write an interval as in ``0.41-0.52``; of shares 100 as ``scale`` makes percent."""
    return "-".join(f"{scale * end:.{digits}f}" for end in interval)


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """The values of each key, in their order."""
    found: dict[K, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def resampled(values: Sequence[tuple[str, float]]) -> tuple[float, float]:
    """The 95 % interval of a mean when whole games are drawn again: votes of one game are no independent trials."""
    sums = [(sum(found), len(found)) for found in grouped(values).values()]
    rng, means = random.Random(1), []
    for _ in range(RESAMPLES):
        drawn = rng.choices(sums, k=len(sums))
        means.append(sum(total for total, _ in drawn) / sum(count for _, count in drawn))
    means.sort()
    return means[round(0.025 * RESAMPLES)], means[round(0.975 * RESAMPLES) - 1]


_FEW = (12.706, 4.303, 3.182)


def student95(freedom: int) -> float:
    """The quantile of Student's t for a two-sided 95 % interval; right to 1 %.

    Source: the expansion around the normal quantile, Abramowitz and Stegun 26.7.5, and their table below 4 degrees of
    ``freedom``.
    """
    if freedom <= len(_FEW):
        return _FEW[max(1, freedom) - 1]
    z, n = Z95, max(1, freedom)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(float(term / n**power) for power, term in enumerate(terms, 1))


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its 95 % interval, of ``count`` cases in ``games`` games.

    ``value`` is None where there was nothing to tell it from, ``low`` and ``high`` are where there were too few
    games to tell how much they differ.
    """

    value: float | None
    low: float | None
    high: float | None
    count: int
    games: int

    @property
    def decided(self) -> bool:
        """Whether the interval leaves 0 out; one without width tells nothing."""
        if self.low is None or self.high is None or self.low == self.high:
            return False
        return self.low > 0 or self.high < 0


NOTHING = Figure(None, None, None, 0, 0)


def by_game(cases: Iterable[tuple[str, T]], value: Callable[[Sequence[T]], float | None]) -> Figure:
    """Work out ``value`` of all cases, each with its game, and its interval when whole games are drawn again."""
    games = grouped(cases)
    found = list(games.values())
    whole = [case for part in found for case in part]
    middle = value(whole) if whole else None
    found = found if len(found) >= LEAST_GAMES else []
    rng = random.Random(1)
    drawn = (value([case for part in rng.choices(found, k=len(found)) for case in part]) for _ in range(RESAMPLES))
    values = sorted(each for each in drawn if each is not None) if middle is not None and found else []
    if not values:
        return Figure(middle, None, None, len(whole), len(games))
    low, high = values[round(0.025 * len(values))], values[max(0, round(0.975 * len(values)) - 1)]
    return Figure(middle, low, high, len(whole), len(games))


@dataclass(slots=True)
class ShareSums:
    """Hits and what they are out of, cluster by cluster (a game or deal), as sums."""

    clusters: int = 0
    hits: float = 0.0
    of: float = 0.0
    hits_hits: float = 0.0
    hits_of: float = 0.0
    of_of: float = 0.0

    def add(self, hits: float, of: float) -> None:
        """Add one whole cluster of cases: ``hits`` of them ``of`` so many."""
        if of:
            self.clusters += 1
            self.hits += hits
            self.of += of
            self.hits_hits += hits * hits
            self.hits_of += hits * of
            self.of_of += of * of

    def copy(self) -> ShareSums:
        """The same sums once more, to go on with."""
        return replace(self)

    @property
    def figure(self) -> Figure:
        """The share with Wilson's interval for as many independent trials as the clusters are worth.

        Where all of a cluster goes the same way its trials count as one. Few clusters say little of how much they
        differ, so their worth is less by the square of Student's quantile (Korn and Graubard, Survey Methodology 24,
        1998); where nothing differs this cannot be seen at all, and :data:`ASSUMED_CORRELATION` is assumed.
        """
        if not self.of:
            return Figure(None, None, None, 0, 0)
        share, clusters = self.hits / self.of, self.clusters
        worth = self.of / (1 + (self.of / clusters - 1) * ASSUMED_CORRELATION)
        squares = self.hits_hits - 2 * share * self.hits_of + share * share * self.of_of
        if clusters > 1 and squares > 1e-9 * self.of:
            spread = clusters / (clusters - 1) * squares / self.of**2 * (student95(clusters - 1) / Z95) ** 2
            worth = min(self.of, share * (1 - share) / spread)
        low, high = wilson(share * worth, worth)
        return Figure(share, low, high, round(self.of), clusters)


def share_of(cases: Iterable[tuple[str, float, float]]) -> Figure:
    """A share, each case with its cluster (a game or deal), its hits and what they are out of: see
    :class:`ShareSums`. ``count`` is what all hits are out of.
    """
    found: dict[str, list[float]] = {}
    for cluster, hits, of in cases:
        part = found.setdefault(cluster, [0.0, 0.0])
        part[0] += hits
        part[1] += of
    sums = ShareSums()
    for hits, of in found.values():
        sums.add(hits, of)
    return sums.figure


def average_of(cases: Iterable[tuple[str, float]], least: float = -math.inf) -> Figure:
    """A mean of numbers that are never below ``least``, each with its cluster: Student's interval, with the clusters
    for trials."""
    sums: dict[str, list[float]] = {}
    for cluster, value in cases:
        found = sums.setdefault(cluster, [0.0, 0.0])
        found[0] += value
        found[1] += 1
    whole, clusters = sum(of for _, of in sums.values()), len(sums)
    if not whole:
        return Figure(None, None, None, 0, 0)
    mean = sum(total for total, _ in sums.values()) / whole
    if clusters < 2:
        return Figure(mean, None, None, round(whole), clusters)
    spread = clusters / (clusters - 1) * sum((total - mean * of) ** 2 for total, of in sums.values()) / whole**2
    half = student95(clusters - 1) * math.sqrt(spread)
    return Figure(mean, max(least, mean - half), mean + half, round(whole), clusters)
