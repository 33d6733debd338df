"""The village of fifteen of the Protocol Division: 5.4 million worlds, weighed exactly and in milliseconds."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations, permutations
from random import Random

import pytest

from nlp_agent.belief.facts import Fact
from nlp_agent.belief.odds import SHIPPED_ODDS, log_odds_of
from nlp_agent.belief.posterior import CORE, core_table
from nlp_agent.belief.seat_posterior import Knowledge, look
from nlp_agent.game import role_spec
from nlp_agent.game.roles import CLASSIC_VILLAGES
from nlp_agent.protocol import Role, Species

PLAYERS = tuple(f"Agent[{number:02}]" for number in range(1, 16))
COUNTS = tuple((str(role), count) for role, count in CLASSIC_VILLAGES[15].items())
FACTS = [
    Fact("seer_claim_first", PLAYERS[1], day=1),
    Fact("seer_claim_second", PLAYERS[4], day=1),
    Fact("seer_rivals", PLAYERS[1], PLAYERS[4], day=1),
    Fact("seer_black", PLAYERS[1], PLAYERS[7], day=1),
    Fact("seer_white", PLAYERS[4], PLAYERS[7], day=1),
    Fact("medium_claim_first", PLAYERS[9], day=2),
    Fact("medium_white", PLAYERS[9], PLAYERS[2], day=2),
    Fact("bodyguard_claim", PLAYERS[11], day=2),
    Fact("suspects", PLAYERS[3], PLAYERS[1], 0.5, 1),
    Fact("voted", PLAYERS[6], PLAYERS[8], 1.0, 1),
    Fact("voted", PLAYERS[7], PLAYERS[1], 1.0, 1),
    Fact("attacked", PLAYERS[12], day=1),
]
DEAD = {PLAYERS[12]: Species.HUMAN.value}


def _sampled(knowledge: Knowledge, steps: int) -> dict[str, dict[str, float]]:
    """P(role) of every player by a walk from world to world: two players swap roles, as often as the odds have it."""
    rng, kinds = Random(7), SHIPPED_ODDS.of(3)
    weigh = cache(lambda kind, who, about: log_odds_of(kinds[kind], who, about))
    told = [fact for fact in FACTS if fact.who != knowledge.me]
    others = [name for name in PLAYERS if name != knowledge.me]

    def score(roles: dict[str, str]) -> float:
        if any(role_spec(roles[name]).species != species for name, species in knowledge.species.items()):
            return -math.inf
        return sum(f.amount * weigh(f.kind, roles[f.who], roles.get(f.about, "")) for f in told)

    pool = [role for role, count in COUNTS for _ in range(count)]
    pool.remove(knowledge.role)
    roles = {knowledge.me: knowledge.role}
    while (now := score(roles) if len(roles) > 1 else -math.inf) == -math.inf:
        rng.shuffle(pool)
        roles.update(zip(others, pool, strict=True))
    found = {name: dict.fromkeys(dict(COUNTS), 0) for name in PLAYERS}
    for _ in range(steps):
        one, other = rng.sample(others, 2)
        swapped = {**roles, one: roles[other], other: roles[one]}
        then = now if roles[one] == roles[other] else score(swapped)
        if then >= now or rng.random() < math.exp(then - now):
            roles, now = swapped, then
        for name, role in roles.items():
            found[name][role] += 1
    return {name: {role: count / steps for role, count in row.items()} for name, row in found.items()}


def test_village_of_fifteen_lists_few_of_its_worlds() -> None:
    """Of the five million worlds of the village of fifteen few are listed.

    Wolves, possessed and seer are chosen; the medium's and the bodyguard's places are summed up.
    """
    table = core_table(COUNTS, "")
    assert table.groups[:-1] == CORE
    assert table.fits.size < 100_000


@pytest.mark.parametrize("role", [Role.VILLAGER, Role.MEDIUM, Role.WEREWOLF])
def test_the_posterior_is_what_drawing_worlds_gives(role: str) -> None:
    """Worlds drawn by the same odds give the same chances, as far as so many can tell."""
    known = {**DEAD, PLAYERS[5]: Species.WEREWOLF.value} if role == Role.WEREWOLF else DEAD
    knowledge = Knowledge(PLAYERS, COUNTS, PLAYERS[0], role, known)
    view = look(knowledge, FACTS, SHIPPED_ODDS)
    assert view is not None
    drawn = _sampled(knowledge, 160_000)
    for name in PLAYERS:
        for each, chance in view.roles[name].items():
            assert chance == pytest.approx(drawn[name][each], abs=0.06), (name, each)
    assert sum(view.wolf.values()) == pytest.approx(3.0)


def test_counting_every_remaining_world_agrees() -> None:
    """Where much is known, counting every world gives the same chances.

    A seer who has cleared seven: the 35 packs that are left, with every way to give out the other roles.
    """
    cleared = dict.fromkeys(PLAYERS[8:], Species.HUMAN.value)
    knowledge = Knowledge(PLAYERS, COUNTS, PLAYERS[0], Role.SEER.value, cleared)
    view = look(knowledge, FACTS, SHIPPED_ODDS)
    assert view is not None
    kinds = SHIPPED_ODDS.of(3)
    weigh = cache(lambda kind, who, about: log_odds_of(kinds[kind], who, about))
    told = [fact for fact in FACTS if fact.who != knowledge.me]
    found = {name: dict.fromkeys(dict(COUNTS), 0.0) for name in PLAYERS}
    for pack in combinations(PLAYERS[1:8], 3):
        rest = [name for name in PLAYERS[1:] if name not in pack]
        for mad, medium, guard in permutations(rest, 3):
            roles = {**dict.fromkeys(rest, "VILLAGER"), **dict.fromkeys(pack, "WEREWOLF"), PLAYERS[0]: "SEER"}
            roles.update({mad: "POSSESSED", medium: "MEDIUM", guard: "BODYGUARD"})
            share = math.exp(sum(f.amount * weigh(f.kind, roles[f.who], roles.get(f.about, "")) for f in told))
            for name, role in roles.items():
                found[name][role] += share
    total = sum(found[PLAYERS[0]].values())
    for name, row in found.items():
        assert view.roles[name] == pytest.approx({role: value / total for role, value in row.items()}, abs=2e-5)


def test_weight_of_a_fact_is_what_omission_changes() -> None:
    """What a fact moves is what leaving it out changes.

    Reasons at fifteen players are as exact as the chances they explain.
    """
    knowledge = Knowledge(PLAYERS, COUNTS, PLAYERS[0], Role.VILLAGER.value, DEAD)
    view = look(knowledge, FACTS, SHIPPED_ODDS)
    assert view is not None
    for fact in FACTS:
        if (name := fact.about or fact.who) not in DEAD:
            less = look(knowledge, [other for other in FACTS if other != fact], SHIPPED_ODDS)
            assert less is not None
            before, after = (math.log(v.wolf[name] / (1 - v.wolf[name])) for v in (less, view))
            assert view.push(fact, name) == pytest.approx(after - before, abs=1e-6), fact
