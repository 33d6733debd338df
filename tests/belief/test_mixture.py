"""What is believed is what the components believe, weighed by how likely each of them is."""

from __future__ import annotations

import pytest

from nlp_agent.belief.facts import OWN_LINES, Fact
from nlp_agent.belief.mixture import MOST_OURS, SHIPPED, Mixture, look_mixed
from nlp_agent.belief.odds import Odds
from nlp_agent.belief.seat_posterior import Knowledge, look

PLAYERS = ("Ann", "Ben", "Cleo", "Dan", "Eve")
COUNTS = (("WEREWOLF", 1), ("POSSESSED", 1), ("SEER", 1), ("VILLAGER", 2))
FACTS = (Fact("seer_claim_first", "Ben"), Fact("seer_black", "Ben", "Cleo"), Fact("suspects", "Dan", "Cleo"))
FIELD = Odds({"one_wolf": {"suspects": {"ANY>WEREWOLF": 1.0}, "seer_claim_first": {"SEER": 3.0}}})
OWN = Odds({"one_wolf": {"suspects": {"ANY>WEREWOLF": -2.0}, "seer_claim_first": {"SEER": 1.0, "POSSESSED": 2.0}}})
BOTH = Mixture(FIELD, OWN, {"suspects": 15.0})
SEEN = Knowledge(PLAYERS, COUNTS, "Ann", "VILLAGER", {}, PLAYERS)


def test_table_counts_as_field_until_something_happens() -> None:
    """Where nothing has happened a table is taken for one of the field; what a seat does itself says nothing of it."""
    before = BOTH.share((), "Ann", 5)
    assert before < 0.1
    assert BOTH.share([Fact("suspects", "Ann", "Cleo")], "Ann", 5) == before
    assert BOTH.share([Fact("suspects", "Ben", "Cleo")], "Ann", 5) > before


def test_players_who_speak_our_lines_are_taken_for_ours() -> None:
    """Who talks in the lines of players without a model plays like them, before it has done anything else.

    A single talk tells little, strangers share a few words by chance, and one's own words say nothing.
    """
    lines = [Fact(OWN_LINES, name, amount=0.3) for name in PLAYERS[1:]]
    assert BOTH.share(lines, "Ann", 5) > 0.9
    assert BOTH.share([one._replace(amount=0.1) for one in lines], "Ann", 5) == BOTH.share((), "Ann", 5)
    assert BOTH.share([Fact(OWN_LINES, "Ann", amount=0.9)], "Ann", 5) == BOTH.share((), "Ann", 5)
    half = [one._replace(amount=0.3 * (place < 2)) for place, one in enumerate(lines)]
    assert BOTH.share((), "Ann", 5) < BOTH.share(half, "Ann", 5) < 0.5


def test_words_move_nobody() -> None:
    """That somebody speaks our lines is no reason for or against it."""
    facts = (*FACTS, Fact(OWN_LINES, "Cleo", amount=0.6))
    seen = look_mixed(SEEN, facts, BOTH)
    assert seen is not None
    assert seen.push(facts[-1], "Cleo") == pytest.approx(0.0)


def test_belief_is_the_weighted_mean_of_components() -> None:
    """The belief is the mean of the components by their shares, for every player and every role.

    The odds of players like ours never count alone: some liars know them.
    """
    share, mixed = MOST_OURS["one_wolf"] * BOTH.share(FACTS, "Ann", 5), look_mixed(SEEN, FACTS, BOTH)
    field, own = look(SEEN, FACTS, FIELD), look(SEEN, FACTS, OWN)
    assert mixed is not None
    assert field is not None
    assert own is not None
    for name in PLAYERS[1:]:
        assert mixed.wolf[name] == pytest.approx((1 - share) * field.wolf[name] + share * own.wolf[name])
        assert mixed.chance(name, "SEER") == pytest.approx(mixed.roles[name]["SEER"])
    assert sum(mixed.wolf.values()) == pytest.approx(1.0)


def test_one_component_alone_is_that_component() -> None:
    """Its probabilities and its reasons are not changed by the way round the mixture."""
    alone, plain = look_mixed(SEEN, FACTS, FIELD), look(SEEN, FACTS, FIELD)
    assert alone is not None
    assert plain is not None
    assert alone.wolf == pytest.approx(plain.wolf)
    for name in ("Ben", "Cleo"):
        assert alone.push(FACTS[2], name) == pytest.approx(plain.push(FACTS[2], name))


def test_fact_pushes_between_the_components_pushes() -> None:
    """A fact pushes by an amount between what it pushes in each component.

    One component takes a suspicion for a sign of a wolf and the other for the opposite.
    """
    views = [look_mixed(SEEN, FACTS, odds) for odds in (FIELD, BOTH, OWN)]
    field, both, own = (view.push(FACTS[2], "Cleo") for view in views if view is not None)
    assert own < both < field


def test_the_shipped_components_know_the_same_facts() -> None:
    """Both were fitted with the same kinds and patterns."""
    for size, kinds in SHIPPED.field.sizes.items():
        own = SHIPPED.own.sizes[size]
        assert {kind: set(patterns) for kind, patterns in kinds.items()} == {k: set(p) for k, p in own.items()}
    assert SHIPPED.signs.keys() == SHIPPED.own.sizes["one_wolf"].keys()
