"""Honest intervals for shares."""

from __future__ import annotations

import math

Z95 = 1.959964
"""Standard normal quantile of a two-sided 95 % interval."""


def wilson(hits: int, count: int) -> tuple[float, float]:
    """The Wilson 95 % interval of a share of ``hits`` in ``count``, as fractions; (0, 1) when nothing was counted."""
    if count == 0:
        return 0.0, 1.0
    share, spread = hits / count, Z95 * Z95 / count
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 / (1 + spread) * math.sqrt(share * (1 - share) / count + spread / (4 * count))
    return max(0.0, middle - half), min(1.0, middle + half)
