"""The bound on how well liars can hide behind their claims."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bench.liars_bound import ClaimGame, Programme, seen


@pytest.fixture(scope="module")
def game() -> ClaimGame:
    return ClaimGame()


def test_a_listener_knows_others_by_the_order_of_their_claims_only() -> None:
    told = (("S", "U", "w"), ("W", "S", "b"))
    assert seen(told, "V")[0] == seen((("P", "W", "w"), ("U", "P", "b")), "V")[0] == "Axw BAb"
    assert seen(told, "W")[0] == "Axw mAb"


def test_for_given_plans_all_courses_of_the_claims_add_up_to_one(game: ClaimGame) -> None:
    plans = {liar: _even_plan(game, liar) for liar in "WP"}
    total = sum(chance * plans["W"][wolf] * plans["P"][helper] for (*_, wolf, helper), chance in game.courses.items())
    assert total == pytest.approx(1.0)


def test_each_liar_hides_the_wolf_better_once_it_answers_the_other(game: ClaimGame) -> None:
    programme = Programme(game)
    wolf, alone = programme.best("W", programme.some_plan("P", np.random.default_rng(0)))
    _, both = programme.best("P", wolf)
    assert 0.25 < both <= alone < 1.0


def _even_plan(game: ClaimGame, liar: str) -> dict[object, float]:
    """Move -> how likely it is to have been made by who takes each way equally often."""
    plan: dict[object, float] = {None: 1.0}
    for moment, (before, acts) in sorted(game.moments[liar].items(), key=lambda one: len(one[0][1])):
        plan |= {(moment, act): plan[before] / len(acts) for act in acts}
    return plan
