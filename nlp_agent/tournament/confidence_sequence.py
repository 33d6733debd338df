"""An interval for a mean that stays right however often somebody looks, and whenever they stop. Pure.

An ordinary 95 % interval is right at one number of values that was fixed before. Whoever looks after every value, and
stops at the first interval that leaves 0 out, finds a difference between equals far more often than in 5 % of runs. A
*confidence sequence* holds the true mean at **all** looks together in at least 95 % of runs.

This one bets (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal
Statistical Society B 86, 2024): for each mean that could be true a gambler begins with 1 and bets a share of the
capital on the next value being above it. If that mean is true, or too high, the bets are fair at best, and by Ville's
inequality the capital ever reaches 1 / p in at most a share p of runs. So a mean against which the capital has become
40 is refused as too low, one against which bets on lower values have made 40 as too high, and what is left is the
interval (the paper's hedged capital). The gambler divides the capital among fixed shares, small and large, and leaves
each alone; so no variance has to be known, and the order of the values does not matter.

What must hold: values lie in -1 .. 1, are drawn independently, and have one mean. Where they take turns in having
different ones (a tournament's villages), the interval is that of their average.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ERROR = 0.05
"""The share of runs in which the interval may miss the true mean, at whichever look."""
BETS: Floats = np.geomspace(0.01, 0.95, 24)
"""Shares of the capital that are bet, each by its own part of it. Small ones find small differences in many values."""
REFUSED = float(np.log(2 / ERROR))
"""Log capital at which a mean is refused; half of the error is for each side."""
_HALVINGS = 32
"""Halvings of the range in which an end is looked for: the ends are right to 10^-9."""


def log_capital(values: Floats, counts: Floats, mean: float) -> Floats:
    """The log of what 1 has become by bets that values lie above ``mean``.

    Args:
        values: The different values that came, shape (v,).
        counts: How often each came, shape (..., v): any number of runs at once.
        mean: The mean that is doubted, above -1.

    Returns:
        Shape (...).
    """
    # A stake of the share b wins b (value - mean) / (1 + mean), so that the lowest value, -1, loses just the stake.
    gains = np.log1p(BETS[:, None] * ((values - mean) / (1.0 + mean)))
    parts: Floats = np.asarray(counts @ gains.T)
    most = parts.max(axis=-1, keepdims=True)
    summed = np.log(np.exp(parts - most).mean(axis=-1)) + most[..., 0]
    return np.asarray(summed)


def mean_bounds(counts: Mapping[float, int]) -> tuple[float, float]:
    """The interval (low, high) of the mean.

    Args:
        counts: How often each value came; values from -1 to 1.

    Returns:
        (-1, 1) where there are no values yet.
    """
    if not counts:
        return -1.0, 1.0
    values = np.array(list(counts), dtype=np.float64)
    times = np.array(list(counts.values()), dtype=np.float64)
    return _lowest(values, times), -_lowest(-values, times)


def _lowest(values: Floats, counts: Floats) -> float:
    """The lowest mean that is not refused: the capital falls as the doubted mean rises, and is below 1 at the mean."""
    refused, kept = -1.0, float(values @ counts / counts.sum())
    for _ in range(_HALVINGS):
        middle = (refused + kept) / 2
        if middle > -1.0 and log_capital(values, counts, middle) >= REFUSED:
            refused = middle
        else:
            kept = middle
    return refused
