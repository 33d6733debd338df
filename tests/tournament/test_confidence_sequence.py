"""An interval that may be looked at after every value."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.tournament.confidence_sequence import log_capital, mean_bounds
from tests.effort import examples
from tests.tournament.null_comparisons import OUTCOMES, first_claims, fixed_plan, outcome_shares, refuses_zero

some_values = st.lists(st.sampled_from([-1.0, -0.4, 0.0, 0.2, 1.0]), min_size=1, max_size=300)


@examples(100)
@given(some_values)
def test_the_interval_holds_the_mean_so_far(values: list[float]) -> None:
    """And stays within what values can be."""
    low, high = mean_bounds(Counter(values))
    assert -1.0 <= low <= sum(values) / len(values) + 1e-9
    assert sum(values) / len(values) - 1e-9 <= high <= 1.0


@examples(100)
@given(some_values)
def test_swapping_the_two_turns_the_interval_round(values: list[float]) -> None:
    """Swapping the two contestants mirrors the interval at zero."""
    low, high = mean_bounds(Counter(values))
    turned_low, turned_high = mean_bounds(Counter(-value for value in values))
    assert (turned_low, turned_high) == pytest.approx((-high, -low))


@examples(100)
@given(some_values)
def test_zero_is_refused_outside_the_interval(values: list[float]) -> None:
    """That there is no difference is refused exactly where the interval leaves zero out."""
    counts = Counter(values)
    low, high = mean_bounds(counts)
    refused = refuses_zero(np.array(list(counts)), np.array(list(counts.values()), dtype=np.float64))
    assert bool(refused) == (not low < 0.0 < high)


@examples(100)
@given(st.integers(0, 2), st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.floats(-0.99, 0.99))
def test_one_more_value_is_a_fair_bet(which: int, lower: int, equal: int, upper: int, mean: float) -> None:
    """The expected capital after the next value is what it was, if the doubted mean is the true one."""
    shares = [(1 - mean) / 4, 0.5, (1 + mean) / 4] if which else [(1 - mean) / 2, 0.0, (1 + mean) / 2]
    true = float(OUTCOMES @ shares)
    before = np.array([lower, equal, upper], dtype=np.float64)
    after = np.exp(log_capital(OUTCOMES, before + np.eye(3), true) - log_capital(OUTCOMES, before, true))
    assert float(after @ shares) == pytest.approx(1.0)


def test_few_values_or_none_tell_little() -> None:
    """Nothing is known of nothing, five of five are no proof, and a hundred alike are no point."""
    assert mean_bounds({}) == (-1.0, 1.0)
    assert mean_bounds({1.0: 5})[0] < 0.0 < mean_bounds({1.0: 12})[0]
    low, high = mean_bounds({0.0: 100})
    assert low == pytest.approx(-high)
    assert 0.01 < high < 0.1


def test_equals_are_seldom_told_apart_by_looking_often() -> None:
    """Of 200 runs of equals that are looked at after each of 300 deals; the fixed interval claims what is not there."""
    claimed = np.mean(first_claims(200, 300, 0.0, 0.77, 3) <= 300)
    before = np.mean(first_claims(200, 300, 0.0, 0.77, 3, fixed=True) <= 300)
    assert claimed <= 0.05
    assert before > 0.15


@pytest.mark.statistics
@pytest.mark.parametrize("equal", [0.77, 0.5, 0.0])
def test_equal_contestants_are_rarely_told_apart(equal: float) -> None:
    """Of 2,000 runs of equals one in twenty at most is told apart.

    Looked at after each of 500 deals.
    """
    claimed = float(np.mean(first_claims(2000, 500, 0.0, equal, 1) <= 500))
    print(f"\n{100 * equal:.0f} % of deals equal: false claims in {100 * claimed:.1f} % of 2,000 runs")  # noqa: T201
    assert claimed <= 0.05


@pytest.mark.statistics
@pytest.mark.parametrize("true", [-0.3, 0.05, 0.6])
def test_true_mean_lies_in_all_intervals(true: float) -> None:
    """The true mean lies in all intervals of a run.

    Of 2,000 runs, looked at after each of 500 deals, 95 of 100 never leave it out.
    """
    rng, missed = np.random.default_rng(4), 0
    for _ in range(40):
        drawn = rng.choice(3, size=(50, 500), p=outcome_shares(true, 0.3))
        counts = np.stack([np.cumsum(drawn == outcome, axis=1) for outcome in range(3)], axis=-1).astype(np.float64)
        capital = np.maximum(log_capital(OUTCOMES, counts, true), log_capital(-OUTCOMES, counts, -true))
        missed += int((capital >= np.log(40.0)).any(axis=1).sum())
    print(f"\nmean {true}: left out in {missed / 20:.1f} % of 2,000 runs")  # noqa: T201
    assert missed <= 100


@pytest.mark.statistics
@pytest.mark.parametrize("difference", [0.05, 0.10, 0.20])
def test_sequential_plan_needs_few_more_deals(difference: float) -> None:
    """Half of all runs need less than half more deals than a fixed plan.

    Beside a plan of a fixed number of deals that decides in 80 of 100 runs.
    """
    plan = fixed_plan(difference, 0.77)
    needed = first_claims(400, 6 * plan, difference, 0.77, 2)
    print(f"\n{100 * difference:.0f} points: median {np.median(needed):.0f} deals, fixed plan {plan}")  # noqa: T201
    assert np.median(needed) <= 1.45 * plan
