"""Real games of players without a model, compared where nobody is better."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlp_agent.study.statistics import grouped
from nlp_agent.tournament.confidence_sequence import refuses_zero
from nlp_agent.tournament.deals import Tables
from nlp_agent.tournament.rows import read_rows
from nlp_agent.tournament.standings import deal_scores
from tests.tournament.inline import Inline, plan_of, play

DEALS = 60


@pytest.mark.statistics
def test_of_200_real_null_comparisons_few_name_somebody_ahead(tmp_path: Path) -> None:
    """Two strategies play; who is called which is thrown anew for each deal, so that neither name is better."""
    play(plan_of(games=2 * DEALS), tmp_path, Inline(real=True))
    deals = grouped((row.deal, row) for row in read_rows(tmp_path)).values()
    scores = [deal_scores(games, Tables.SIDES) for games in deals]
    values = np.array([each["plain"] - each["crowd"] for each in scores])
    kinds = np.array(sorted({*values, *-values}))
    rng, claimed = np.random.default_rng(1), 0
    for _ in range(200):
        named = rng.permutation(values) * rng.choice((-1.0, 1.0), size=len(values))
        counts = np.cumsum(named[:, None] == kinds, axis=0).astype(np.float64)
        claimed += bool(refuses_zero(kinds, counts).any())
    equal = 100 * float(np.mean(values == 0))
    print(f"\n{len(values)} real deals, {equal:.0f} % equal: {claimed} of 200 null comparisons claim")  # noqa: T201
    assert claimed <= 10
