"""Real games of players without a model, compared where nobody is better."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from nlp_agent.app.config import Config
from nlp_agent.study.statistics import grouped
from nlp_agent.tournament.plan import Contestant
from nlp_agent.tournament.rows import read_rows
from tests.effort import TIMES
from tests.tournament.inline import CROWD, Inline, plan_of, play
from tests.tournament.real_deals import null_claims, play_deals, variance_left

DEALS = 60


@pytest.mark.statistics
@pytest.mark.parametrize("against", ["", CROWD])
def test_equal_strategies_rarely_get_a_named_leader(against: str) -> None:
    """Of 200 comparisons without a real difference few name somebody ahead.

    The same strategy with other luck plays, or two strategies do; who is called which is thrown anew for each deal,
    so that neither name is better.
    """
    values = np.array([deal.value for deal in islice(play_deals(against), DEALS)])
    claimed = null_claims(values, 200)
    equal = 100 * float(np.mean(values == 0))
    print(f"\n{len(values)} real deals, {equal:.0f} % equal: {claimed} of 200 null comparisons claim")  # noqa: T201
    assert claimed <= 10


@pytest.mark.statistics
def test_identical_strategies_play_alike_without_errors(tmp_path: Path) -> None:
    """The same strategy twice plays alike and never slips.

    An instant strategy is asked every time: had the built-in one answered once, the two games of a deal would
    differ, and the row would tell of a slip.
    """
    twins = [Contestant(name, Config(strategy=CROWD)) for name in ("one", "two")]
    run, _ = play(plan_of(*twins, games=max(2, round(10 * TIMES))), tmp_path, Inline(real=True))
    rows = list(read_rows(tmp_path))
    assert sum(seat.strategy_slips for row in rows for seat in row.seats) == 0
    (one,) = run.standings.differences()
    assert one.equal == one.deals == len(rows) // 2
    for first, second in grouped((row.deal, row) for row in rows).values():
        assert (first.winner, [seat.votes for seat in first.seats]) == (
            second.winner,
            [seat.votes for seat in second.seats],
        )
    print(f"\n{len(rows)} games, {sum(seat.replies for row in rows for seat in row.seats)} replies, no slip")  # noqa: T201


@pytest.mark.parametrize("useful", [True, False])
def test_luck_shortens_intervals_only_when_informative(useful: bool) -> None:
    """What is known to be luck shortens an interval only where it tells something.

    The measure of how much is left of a variance finds what was planted, and nothing where there is nothing.
    """
    rng = np.random.default_rng(1)
    luck, noise = rng.normal(size=2000), rng.normal(size=2000)
    left = variance_left(noise + luck if useful else noise, luck[:, None])
    assert left == pytest.approx(0.5 if useful else 1.0, abs=0.05)
