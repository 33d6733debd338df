"""Made-up comparisons that are looked at after every deal: how often equals are told apart, and how soon others are.

``python -m tests.tournament.null_comparisons`` prints the table of docs/en/tournaments.md.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from nlp_agent.tournament.confidence_sequence import REFUSED, Floats, log_capital

OUTCOMES = np.array([-1.0, 0.0, 1.0])
"""Of a deal between two: one wins both games, or each one of them."""
_RUNS_AT_ONCE = 50


def outcome_shares(difference: float, equal: float) -> list[float]:
    """How often a deal ends -1, 0, 1 when the mean is ``difference`` and a share ``equal`` of deals ends equal."""
    return [(1 - equal - difference) / 2, equal, (1 - equal + difference) / 2]


def first_claims(
    runs: int, deals: int, difference: float, equal: float, seed: int, *, fixed: bool = False
) -> NDArray[np.int64]:
    """The number of deals after which each run first claims a difference; ``deals`` + 1 where it never does.

    ``fixed``: by the interval of a fixed number of deals, as it was before, from the sixth deal on.
    """
    rng, found = np.random.default_rng(seed), []
    for begin in range(0, runs, _RUNS_AT_ONCE):
        size = (min(_RUNS_AT_ONCE, runs - begin), deals)
        drawn = rng.choice(3, size=size, p=outcome_shares(difference, equal))
        counts = np.stack([np.cumsum(drawn == outcome, axis=1) for outcome in range(3)], axis=-1).astype(np.float64)
        claimed = _fixed_claims(counts) if fixed else refuses_zero(OUTCOMES, counts)
        found.append(np.where(claimed.any(axis=1), claimed.argmax(axis=1) + 1, deals + 1))
    return np.concatenate(found)


def refuses_zero(values: Floats, counts: Floats) -> NDArray[np.bool_]:
    """Tell of each sample whether a mean of 0 is refused, on either side; shapes as in :func:`log_capital`."""
    above, below = log_capital(values, counts, 0.0), log_capital(-values, counts, 0.0)
    return np.asarray(np.maximum(above, below) >= REFUSED)


def _fixed_claims(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """What :func:`nlp_agent.tournament.standings.mean_interval` would claim, with 2 for Student's quantile."""
    deals = counts.sum(axis=-1) + 2
    mean = (counts[..., 2] - counts[..., 0]) / deals
    spread = np.sqrt((counts[..., 0] + counts[..., 2] + 1) / deals - mean**2) / np.sqrt(deals - 1)
    return np.asarray((np.abs(mean) > 2.0 * spread) & (deals >= 8))


def fixed_plan(difference: float, equal: float) -> int:
    """Deals to be fixed beforehand so that a 95 % interval leaves 0 out in 80 of 100 runs."""
    variance = 1 - equal - difference**2
    return math.ceil((1.959964 + 0.841621) ** 2 * variance / difference**2)


def main() -> None:
    for equal in (0.77, 0.5, 0.0):
        never, before = (first_claims(2000, 500, 0.0, equal, 1, fixed=fixed) for fixed in (False, True))
        print(  # noqa: T201
            f"{100 * equal:.0f} % of deals equal, 2,000 runs of equals, a look after each of 500 deals: false claims "
            f"{100 * np.mean(never <= 500):.1f} %, by the fixed interval {100 * np.mean(before <= 500):.1f} %"
        )
    print("difference, deals equal: deals to decide (median, 80 of 100 runs), deals of a fixed plan (80 of 100 runs)")  # noqa: T201
    for equal in (0.77, 0.5):
        for difference in (0.05, 0.10, 0.20):
            plan = fixed_plan(difference, equal)
            needed = first_claims(400, 6 * plan, difference, equal, 2)
            middle, most = np.percentile(needed, (50, 80))
            print(f"{100 * difference:.0f} points, {100 * equal:.0f} %: {middle:.0f}, {most:.0f}; {plan}")  # noqa: T201


if __name__ == "__main__":
    main()
