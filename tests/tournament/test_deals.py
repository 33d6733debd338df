"""Deals and seatings: the same for all, everybody everywhere equally often, and all of it from a seed."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from nlp_agent.arena.village import contest_village
from nlp_agent.game import role_spec
from nlp_agent.tournament.deals import Deal, Tables, deals, fixtures_of, turns_of

VILLAGES = {"small": contest_village(5), "nine": contest_village(9)}


def _deals(count: int, seed: int = 1) -> list[Deal]:
    return list(islice(deals(seed, VILLAGES), count))


@pytest.mark.parametrize("tables", list(Tables))
@pytest.mark.parametrize("contestants", [("a", "b"), ("a", "b", "c"), tuple("abcdefg")])
def test_every_contestant_has_every_seat_equally_often(tables: Tables, contestants: tuple[str, ...]) -> None:
    """In every deal each contestant has every seat equally often.

    Also with more contestants than seats; the roles go with the seats, so they are shared alike.
    """
    for deal in _deals(6):
        fixtures = fixtures_of(deal, contestants, tables)
        assert len(fixtures) == turns_of(tables, len(contestants))
        for seat in range(len(deal.roles)):
            had = Counter(fixture.seats[seat] for fixture in fixtures)
            assert set(had) == set(contestants)
            assert len(set(had.values())) == 1


def test_sides_are_each_of_one_contestant() -> None:
    """Seer, medium, bodyguard and villagers are one's, wolves and possessed the other's, then the other way round."""
    for deal in _deals(4):
        first, second = fixtures_of(deal, ("a", "b"), Tables.SIDES)
        wanted = {"VILLAGER": "a", "WEREWOLF": "b"}
        assert first.seats == tuple(wanted[role_spec(role).side] for role in deal.roles)
        assert second.seats == tuple({"a": "b", "b": "a"}[one] for one in first.seats)


def test_mixed_tables_differ_from_deal_to_deal() -> None:
    """Nobody always sits beside the same contestant."""
    seatings = {fixtures_of(deal, ("a", "b"), Tables.MIXED)[0].seats for deal in _deals(40) if deal.group == "small"}
    assert len(seatings) > 5


def test_deals_follow_the_seed_through_villages() -> None:
    """Deals follow from the seed and take villages in turn.

    The same seed deals the same again, another seed something else; no two games have one key.
    """
    assert _deals(10) == _deals(10)
    assert {deal.seed for deal in _deals(10)}.isdisjoint(deal.seed for deal in _deals(10, seed=2))
    assert [deal.group for deal in _deals(4)] == ["small", "nine", "small", "nine"]
    games = [fixture.game for deal in _deals(10) for fixture in fixtures_of(deal, ("a", "b"), Tables.SIDES)]
    assert len(set(games)) == len(games) == 20
