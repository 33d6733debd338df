"""Honest intervals for shares."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

Z95 = 1.959964
"""Standard normal quantile of a two-sided 95 % interval."""
RESAMPLES = 400
"""Games drawn again that often for the interval of a mean."""


def wilson(hits: int, count: int) -> tuple[float, float]:
    """The Wilson 95 % interval of a share of ``hits`` in ``count``, as fractions; (0, 1) when nothing was counted."""
    if count == 0:
        return 0.0, 1.0
    share, spread = hits / count, Z95 * Z95 / count
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 / (1 + spread) * math.sqrt(share * (1 - share) / count + spread / (4 * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def resampled(values: Sequence[tuple[str, float]]) -> tuple[float, float]:
    """The 95 % interval of a mean when whole games are drawn again: votes of one game are no independent trials."""
    games: dict[str, list[float]] = {}
    for game, value in values:
        games.setdefault(game, []).append(value)
    sums = [(sum(found), len(found)) for found in games.values()]
    rng, means = random.Random(1), []
    for _ in range(RESAMPLES):
        drawn = rng.choices(sums, k=len(sums))
        means.append(sum(total for total, _ in drawn) / sum(count for _, count in drawn))
    means.sort()
    return means[round(0.025 * RESAMPLES)], means[round(0.975 * RESAMPLES) - 1]
