"""The posterior over worlds is exact: it equals counting every assignment of roles one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nlp_agent.belief import posterior
from nlp_agent.belief.constants import FADING
from nlp_agent.belief.facts import ALONE, BETWEEN, Fact, public_facts
from nlp_agent.belief.odds import SHIPPED_ODDS, Odds, log_odds_of
from nlp_agent.belief.posterior import core_table, reduced_counts
from nlp_agent.belief.seat_posterior import Knowledge, look
from nlp_agent.game import SeatState, role_spec
from nlp_agent.game.roles import VILLAGES
from nlp_agent.protocol import Role, Species
from nlp_agent.reading.ledger import Ledger, Remark
from tests.effort import examples
from tests.selfplay import pack

SMALL = {
    "five": {"WEREWOLF": 1, "POSSESSED": 1, "SEER": 1, "VILLAGER": 2},
    "seven": {"WEREWOLF": 2, "SEER": 1, "MEDIUM": 1, "BODYGUARD": 1, "VILLAGER": 2},
    "two of a kind": {"WEREWOLF": 2, "POSSESSED": 1, "MEDIUM": 2, "VILLAGER": 1},
    "no villagers": {"WEREWOLF": 1, "SEER": 1, "MEDIUM": 1, "FOX": 1},
    "only wolves and seers": {"WEREWOLF": 1, "SEER": 3},
}
SIZE = {
    "seer_claim_first": {"WEREWOLF": 0.4, "POSSESSED": 1.5, "SEER": 2.0},
    "medium_claim_first": {"WEREWOLF": -0.3, "MEDIUM": 2.2, "BODYGUARD": -1.0},
    "seer_black": {"SEER>HUMAN": -3.0, "POSSESSED>WEREWOLF": -0.5},
    "medium_white": {"MEDIUM>WEREWOLF": -2.5},
    "suspects": {"WEREWOLF>WEREWOLF": -0.8, "OTHER>WEREWOLF": 0.4, "WEREWOLF>BODYGUARD": 0.3, "SEER": 0.2},
}
ODDS = Odds({"one_wolf": SIZE, "more_wolves": SIZE})
PLAIN = {"WEREWOLF": 2, "POSSESSED": 1, "SEER": 1, "VILLAGER": 3}


def _deals(counts: Mapping[str, int], players: int) -> Iterator[tuple[str, ...]]:
    """Every assignment of roles once."""
    if not players:
        yield ()
    for role, left in counts.items():
        if left:
            yield from ((role, *rest) for rest in _deals({**counts, role: left - 1}, players - 1))


def _brute_force(
    knowledge: Knowledge, facts: list[Fact], odds: Odds, given: Mapping[str, str] | None = None
) -> dict[str, dict[str, float]] | None:
    """P(role) of every player by weighing every assignment, of those with the roles ``given``."""
    players, counts = knowledge.players, dict(knowledge.counts)
    kinds = odds.of(counts["WEREWOLF"])
    weigh = cache(lambda kind, who, about: log_odds_of(kinds[kind], who, about))
    found: dict[str, dict[str, float]] = {name: dict.fromkeys(counts, 0.0) for name in players}
    total = 0.0
    for world in _deals(counts, len(players)):
        roles = dict(zip(players, world, strict=True))
        if not _possible(knowledge, roles) or any(roles[name] != role for name, role in (given or {}).items()):
            continue
        score = 0.0
        for fact in facts:
            if fact.who != knowledge.me:
                score += fact.amount * weigh(fact.kind, roles[fact.who], roles.get(fact.about, ""))
        share = math.exp(score)
        total += share
        for name, role in roles.items():
            found[name][role] += share
    if not total:
        return None
    return {name: {role: value / total for role, value in row.items()} for name, row in found.items()}


def _possible(knowledge: Knowledge, roles: Mapping[str, str]) -> bool:
    if knowledge.me and roles[knowledge.me] != knowledge.role:
        return False
    if any(role_spec(roles[name]).species != species for name, species in (knowledge.species or {}).items()):
        return False
    wolves = sum(roles[name] == Role.WEREWOLF for name in knowledge.alive)
    return not knowledge.alive or 1 <= wolves < len(knowledge.alive) - wolves


@st.composite
def _cases(draw: st.DrawFn) -> tuple[Knowledge, list[Fact]]:
    counts = SMALL[draw(st.sampled_from(sorted(SMALL)))]
    players = tuple("abcdefgh"[: sum(counts.values())])
    me = draw(st.sampled_from(["", players[-1]]))
    role = draw(st.sampled_from(sorted(counts))) if me else ""
    names = st.sampled_from(players)
    species = draw(st.dictionaries(names.filter(lambda n: n != me), st.sampled_from([*Species]), max_size=2))
    alive = draw(st.sampled_from([(), players, players[1:]]))
    facts = [
        Fact(draw(st.sampled_from(sorted(SIZE))), who, about, draw(st.sampled_from([1.0, 0.5, -1.0])))
        for who, about in draw(st.lists(st.tuples(names, names), max_size=6))
        if who != about
    ]
    return Knowledge(players, tuple(counts.items()), me, role, species, alive), facts


@examples(60)
@given(_cases())
@example(
    (
        Knowledge(tuple("abcdefg"), tuple(SMALL["seven"].items()), "g", "BODYGUARD", {}, ()),
        [Fact("suspects", "a", "g")],
    )
)
def test_summing_up_equals_counting_every_world(case: tuple[Knowledge, list[Fact]]) -> None:
    """For tables with and without each role, from a seat or none, whatever is known and said; small tables, which are
    listed in full, as well as the same ones taken for large."""
    knowledge, facts = case
    expected = _brute_force(knowledge, facts, ODDS)
    for most in (posterior.MOST_LISTED, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(posterior, "MOST_LISTED", most)
            core_table.cache_clear()
            found = look(knowledge, facts, ODDS)
        if expected is None:
            assert found is None
            continue
        assert found is not None
        roles = found.roles
        for name, row in expected.items():
            for role, value in row.items():
                assert roles[name].get(role, 0.0) == pytest.approx(value, abs=2e-5)


NINE = (
    *(Fact("seer_claim_first", "a"), Fact("seer_claim_second", "b"), Fact("seer_rivals", "a", "b")),
    *(Fact("medium_claim_first", "c"), Fact("seer_black", "a", "d"), Fact("seer_white", "b", "i")),
    *(Fact("medium_white", "c", "e"), Fact("voted", "d", "a", 0.6), Fact("suspects", "f", "d", 0.5)),
)


@pytest.mark.parametrize("role", ["", "VILLAGER", "WEREWOLF", "MEDIUM"])
def test_nine_players_are_weighed_by_every_world(role: str) -> None:
    """A village of nine is weighed as counting its 30,240 worlds does.

    With the shipped odds, on day 2, after an execution and an attack, from several seats and from none.
    """
    players = tuple("abcdefghi")
    counts = tuple((str(r), n) for r, n in VILLAGES[9].items() if n)
    species = {"h": Species.HUMAN, "b": Species.WEREWOLF} if role == "WEREWOLF" else {"h": Species.HUMAN}
    knowledge = Knowledge(players, counts, "g" if role else "", role, species, tuple("abcdfgi"))
    expected, view = _brute_force(knowledge, list(NINE), SHIPPED_ODDS), look(knowledge, NINE, SHIPPED_ODDS)
    assert expected is not None
    assert view is not None
    roles = view.roles
    for name, row in expected.items():
        assert row == pytest.approx({role: roles[name].get(role, 0.0) for role in row}, abs=2e-5)


@pytest.mark.parametrize(("players", "worlds"), [(5, 60), (9, 30_240), (13, 1_441_440)])
def test_contest_villages_have_known_numbers_of_worlds(players: int, worlds: int) -> None:
    """Cores times the ways to give the named roles to the rest."""
    table = core_table(tuple((str(r), n) for r, n in VILLAGES[players].items() if n), "")
    rest = players - sum(n for r, n in VILLAGES[players].items() if r in table.groups)
    ways = math.prod(math.comb(rest - place, count) for place, (_, count) in enumerate(table.named))
    assert table.fits.sum() * ways == worlds


def test_village_too_large_to_enumerate_is_judged() -> None:
    """With more worlds than anybody enumerates, roles leave the core one by one."""
    counts = (("WEREWOLF", 4), ("POSSESSED", 2), ("SEER", 2), ("VILLAGER", 12))
    players = tuple(f"p{n}" for n in range(20))
    view = look(Knowledge(players, counts, "p0", "SEER", {"p1": "WEREWOLF"}), [], ODDS)
    assert view is not None
    assert view.roles["p1"]["WEREWOLF"] == pytest.approx(1.0, abs=1e-4)
    assert sum(row["WEREWOLF"] for row in view.roles.values()) == pytest.approx(4.0, abs=1e-3)


@examples(30)
@given(_cases(), st.data())
def test_chances_under_known_roles_equal_counted_worlds(
    case: tuple[Knowledge, list[Fact]], data: st.DataObject
) -> None:
    """What would be if roles were known equals counting the worlds left.

    "If Rosalind is the seer the wolf is Elowen" is exact, for roles of the core and others.
    """
    knowledge, facts = case
    view = look(knowledge, facts, ODDS)
    if view is None:
        return
    name = data.draw(st.sampled_from([n for n in knowledge.players if n != knowledge.me]))
    role = data.draw(st.sampled_from([role for role, _ in knowledge.counts]))
    found = view.given({name: role})
    expected = _brute_force(knowledge, facts, ODDS, {name: role})
    assert (found is None) == (expected is None)
    for player, row in (expected or {}).items():
        assert found is not None
        assert found.roles[player] == pytest.approx({r: row.get(r, 0.0) for r in found.roles[player]}, abs=2e-5)


@pytest.mark.parametrize("village", ["seven", "plain"])
def test_leaving_a_fact_out_tells_what_it_moved(village: str) -> None:
    """The push of a fact is the difference to a judgement without it, in log-odds: with roles outside the core, and in
    a village where none has a name."""
    counts = tuple((SMALL["seven"] if village == "seven" else PLAIN).items())
    facts = [Fact("suspects", "a", "b"), Fact("seer_claim_first", "c"), Fact("seer_black", "c", "b")]
    facts.append(Fact("medium_claim_first", "d"))
    knowledge = Knowledge(tuple("abcdefg"), counts, "g", "VILLAGER")
    whole = look(knowledge, facts, ODDS)
    assert whole is not None

    def log_odds(p: float) -> float:
        return math.log(p / (1 - p))

    for fact in facts:
        less = look(knowledge, [other for other in facts if other != fact], ODDS)
        assert less is not None
        for name in "abcdef":
            moved = log_odds(whole.wolf[name]) - log_odds(less.wolf[name])
            assert whole.push(fact, name) == pytest.approx(moved, abs=1e-3)


def test_the_shipped_odds_cover_both_kinds_of_villages() -> None:
    """Every kind of fact has odds in both, and only patterns of known words."""
    sizes = SHIPPED_ODDS.sizes
    assert sizes["one_wolf"].keys() == sizes["more_wolves"].keys() == {*ALONE, *BETWEEN}
    words = {*map(str, Role), "HUMAN", "OTHER", "ANY"}
    for kinds in sizes.values():
        for patterns in kinds.values():
            assert {word for pattern in patterns for word in pattern.split(">")} <= words


def test_opinions_fade_and_are_worth_less_among_many() -> None:
    """Said yesterday counts less than said today; among thirteen, a third of what it counts among five."""
    amounts = {}
    for size in (5, 13):
        state = SeatState(day=2)
        state.players = state.alive = tuple("abcdefghijklm"[:size])
        ledger = Ledger(pack("en").reading, suspicions=[Remark(1, 0, "a", "b"), Remark(2, 1, "b", "c")])
        found = {fact.who: fact.amount for fact in public_facts(state, ledger) if fact.kind == "suspects"}
        assert found["a"] == pytest.approx(FADING * found["b"])
        amounts[size] = found["b"]
    assert amounts == pytest.approx({5: 1.0, 13: 1 / 3})


def test_every_contest_village_is_summed_exactly() -> None:
    """Every village of a contest is summed up as it is.

    Only villages with more worlds than can be counted are taken for simpler ones.
    """
    for players, roles in VILLAGES.items():
        assert reduced_counts(roles, players) == {role: count for role, count in roles.items() if count}
    assert reduced_counts({"WEREWOLF": 10, "FOX": 1, "VILLAGER": 21}, 32) == {"WEREWOLF": 4, "FOX": 1, "VILLAGER": 21}
