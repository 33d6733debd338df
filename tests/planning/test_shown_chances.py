"""The chances that a model is shown fit together: they add up, and votes announced for a player count for something."""

from __future__ import annotations

import pytest

from nlp_agent.planning.advice import in_hundredths
from nlp_agent.protocol import Role
from tests.planning.test_told_apart import CLUB, FIRST_DAY, VOTES, played


@pytest.mark.parametrize(
    ("shares", "most", "whole"),
    [
        ({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}, 1, [0.34, 0.33, 0.33]),
        ({"a": 0.335, "b": 0.335, "c": 0.325, "d": 0.005}, 1, [0.34, 0.34, 0.32, 0.0]),
        ({"a": 0.99, "b": 0.01, "c": 0.01, "d": 0.01}, 1, [0.97, 0.01, 0.01, 0.01]),
        ({"a": 0.665, "b": 0.665, "c": 0.67}, 2, [0.67, 0.66, 0.67]),
        ({"a": 0.2, "b": 0.3}, 2, [0.2, 0.3]),
        ({"a": 1.0, "b": 0.0}, 1, [1.0, 0.0]),
        ({}, 1, []),
    ],
)
def test_hundredths_add_up(shares: dict[str, float], most: int, whole: list[float]) -> None:
    """Whole hundredths have the sum of the shares, and no more than all werewolves there are."""
    found = in_hundredths(shares, most)
    assert sum(round(100 * share) for share in found.values()) == sum(round(100 * share) for share in whole)
    assert sorted(found.values()) == sorted(whole)


@pytest.mark.parametrize("me", CLUB)
@pytest.mark.parametrize("role", [Role.VILLAGER, Role.WEREWOLF, Role.POSSESSED, Role.SEER])
def test_shown_chances_add_up_to_one_werewolf(me: str, role: str) -> None:
    """After each talk of a game with one werewolf the chances make 100 %, also those to a human in its place."""
    for until in range(len(FIRST_DAY) + 1):
        advice = played(me, role, FIRST_DAY[:until]).advice()
        for shown in (advice.odds, advice.human):
            assert not shown or sum(round(100 * one.p) for one in shown) == 100
    left = [one for one in CLUB if one not in ("Lorcan", "Jasper")]
    if me in left:
        shown = played(me, role, FIRST_DAY, VOTES, "Lorcan", "Jasper").advice().odds
        assert sum(round(100 * one.p) for one in shown) == 100


AGAINST = tuple((name, "I vote for Barnaby.") for name in ("Dmitri", "Jasper", "Ottilie"))


@pytest.mark.parametrize(("votes", "least"), [(3, 0.75), (2, 0.5), (1, 0.0)])
def test_votes_announced_for_a_liar_tell_how_it_looks(votes: int, least: float) -> None:
    """Whoever has two votes or more against it does not read that it hardly looks like a werewolf."""
    quiet = (("Barnaby", "I am a plain villager."), *FIRST_DAY[:2])
    wolf = played("Barnaby", Role.WEREWOLF, (*quiet, *AGAINST[:votes])).advice()
    mine = next(one.p for one in wolf.odds if one.name == "Barnaby")
    liar = played("Barnaby", Role.POSSESSED, (*quiet, *AGAINST[:votes])).advice()
    assert liar.suspected is not None
    assert min(mine, liar.suspected) >= least
    assert votes > 1 or max(mine, liar.suspected) < 0.5
