"""The worlds told to a model are counted in full: nothing possible is missing, nothing impossible is told."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest

from nlp_agent.game.roles import VILLAGES
from nlp_agent.planning.advice import shown_odds
from nlp_agent.planning.worlds import Claims, World, WorldCounter, outvoted_after, spare_executions, worlds_of

FIVE = {str(role): count for role, count in VILLAGES[5].items() if count}
NAMES = ("Ada", "Bo", "Cy", "Dot", "Eve")
EVIL = ("WEREWOLF", "POSSESSED")


def every_dealing(counts: dict[str, int], names: tuple[str, ...]) -> Iterator[dict[str, str]]:
    cards = [role for role, count in counts.items() for _ in range(count)]
    for dealt in set(permutations(cards)):
        yield dict(zip(names, dealt, strict=True))


def fits(claims: Claims, roles: dict[str, str]) -> bool:
    if claims.me and roles[claims.me] != claims.role:
        return False
    if any((roles[name] == "WEREWOLF") != (colour == "WEREWOLF") for name, colour in claims.known.items()):
        return False
    for name, claimed in claims.claimed.items():
        if roles[name] != claimed and roles[name] not in EVIL and name != claims.me:
            return False
        told = claims.results.get(name, ()) if roles[name] == claimed else ()
        if any((roles[target] == "WEREWOLF") != (colour == "WEREWOLF") for target, colour in told):
            return False
    wolves = sum(roles[name] == "WEREWOLF" for name in claims.alive)
    return not claims.alive or 0 < 2 * wolves < len(claims.alive)


def by_brute_force(claims: Claims, *, helped: bool = False) -> dict[str, set[tuple[str, ...]]]:
    """The packs of each world; with ``helped`` those beside which the possessed lives."""
    seers = [name for name, role in claims.claimed.items() if role == "SEER"]
    found: dict[str, set[tuple[str, ...]]] = {name: set() for name in (*seers, "")}
    for roles in every_dealing(dict(claims.counts), claims.players):
        lives = any(roles[name] == "POSSESSED" for name in claims.alive or claims.players)
        if fits(claims, roles) and (lives or not helped):
            seer = next((name for name in seers if roles[name] == "SEER"), "")
            seer = claims.me if claims.role == "SEER" else seer
            pack = tuple(name for name in claims.players if roles[name] == "WEREWOLF")
            found.setdefault(seer, set()).add(pack)
    return found


def some_claims(rng: Random) -> Claims:
    """An honest player's view, or an onlooker's, of a village of five in which up to three have claimed."""
    me = rng.choice(("", *NAMES))
    role = rng.choice(("VILLAGER", "SEER")) if me else ""
    others = [name for name in NAMES if name != me]
    claimed = {name: rng.choice(("SEER", "SEER", "VILLAGER")) for name in rng.sample(others, rng.randint(0, 4))}
    if role == "SEER" and rng.random() < 0.5:
        claimed[me] = "SEER"
    results = {}
    for name in [name for name, what in claimed.items() if what == "SEER"]:
        targets = rng.sample([n for n in NAMES if n != name], rng.randint(0, 2))
        results[name] = [(target, rng.choice(("HUMAN", "HUMAN", "WEREWOLF"))) for target in targets]
    known = {}
    if role == "SEER":
        known = {name: rng.choice(("HUMAN", "WEREWOLF")) for name in rng.sample(others, 1)}
        results[me] = list(known.items())
    alive: tuple[str, ...] = NAMES
    if rng.random() < 0.4:
        dead = rng.sample(others, 2)
        alive = tuple(name for name in NAMES if name not in dead)
        known.update({name: "HUMAN" for name in dead if name not in known or known[name] == "HUMAN"})
    return Claims(NAMES, FIVE, me, role, known, claimed, results, alive)


@pytest.mark.parametrize("seed", range(150))
def test_worlds_are_those_of_all_dealings_of_roles(seed: int) -> None:
    """Every set of werewolves that some dealing allows is told under the right seer, and no other."""
    claims = some_claims(Random(seed))
    told = {world.seer: set(world.packs) for world in worlds_of(claims)}
    wanted = by_brute_force(claims)
    assert {seer: packs for seer, packs in told.items() if packs} == {s: packs for s, packs in wanted.items() if packs}
    helped = {world.seer: set(world.helped) for world in worlds_of(claims) if world.helped}
    assert helped == {seer: packs for seer, packs in by_brute_force(claims, helped=True).items() if packs}


@pytest.mark.parametrize("seed", range(150))
def test_possessed_of_each_werewolf_are_told(seed: int) -> None:
    """Under each seer every werewolf is told with all who can be the possessed beside it, and with nobody else."""
    claims = some_claims(Random(seed))
    told = {
        (world.seer, wolf, other)
        for world in worlds_of(claims)
        for side in world.sides
        for wolf in side.wolves
        for other in side.possessed
    }
    seers = [name for name, role in claims.claimed.items() if role == "SEER"]
    wanted = set()
    for roles in every_dealing(FIVE, NAMES):
        if fits(claims, roles):
            who = {role: name for name, role in roles.items()}
            seer = who["SEER"] if who["SEER"] in seers or claims.role == "SEER" else ""
            wanted.add((seer, who["WEREWOLF"], who["POSSESSED"]))
    assert told == wanted


def test_two_seers_leave_the_hand_counted_worlds() -> None:
    """Two seers leave the worlds that players count by hand.

    'If Ada is the seer the wolf is Dot; if Bo is, it is Ada or Cy': each false claimant is a wolf or possessed.
    """
    results = {"Ada": [("Dot", "WEREWOLF")], "Bo": [("Dot", "HUMAN")]}
    claims = Claims(NAMES, FIVE, "Eve", "VILLAGER", {}, {"Ada": "SEER", "Bo": "SEER"}, results, NAMES)
    ada, bo, none = worlds_of(claims)
    assert (ada.seer, ada.certain) == ("Ada", ("Dot",))
    assert (bo.seer, bo.among, bo.certain) == ("Bo", ("Ada", "Cy"), ())
    assert (none.seer, none.among) == ("", ("Ada", "Bo"))


def test_worlds_are_recounted_only_for_new_facts() -> None:
    """Worlds are counted anew only where something counts that did not count before.

    Equal claims bring the same worlds; a new result, or another who counts, brings its own.
    """
    count, seer = WorldCounter(), {"Ada": "SEER"}

    def claims(me: str, *told: tuple[str, str]) -> Claims:
        return Claims(NAMES, FIVE, me, "VILLAGER" if me else "", {}, seer, {"Ada": list(told)}, NAMES)

    found = count.worlds(claims("Eve"))
    count.worlds(claims("", ("Dot", "WEREWOLF")))
    assert count.worlds(claims("Eve")) is found
    for other in (claims("Eve", ("Dot", "WEREWOLF")), claims("")):
        assert count.worlds(other) == worlds_of(other) != found


def survived(living: int, wolves: int) -> int:
    """Hang a human, lose one at night, and look who has won, again and again."""
    count = 0
    while True:
        living -= 1
        if 2 * wolves >= living:
            return count
        living -= 1
        if 2 * wolves >= living:
            return count
        count += 1


def test_wrong_executions_that_the_village_survives() -> None:
    """The number is what playing it out gives, in any village that is not lost yet."""
    for living in range(3, 16):
        for wolves in range(1, (living + 1) // 2):
            assert spare_executions(living, wolves) == survived(living, wolves), (living, wolves)


def test_wrong_executions_until_defeat_are_counted() -> None:
    """It is told how many wrong executions there are until the wolves' side has most votes.

    The number is what counting the votes of each day gives.
    """
    for living in range(3, 16):
        for side in (2, 3, 4):
            after = outvoted_after(living, side)
            assert 2 * side > living - 2 * after, (living, side)
            assert after == 0 or 2 * side <= living - 2 * (after - 1), (living, side)


@pytest.mark.parametrize(
    ("worlds", "shown"),
    [
        ((World("Bo", (("Cy",),)), World("", (("Bo",),))), {"Bo": 0.01, "Cy": 0.99, "Dot": 0.0}),
        ((World("Bo", (("Cy",),)),), {"Bo": 0.0, "Cy": 1.0, "Dot": 0.0}),
    ],
)
def test_odds_are_certain_only_when_worlds_are(worlds: tuple[World, ...], shown: dict[str, float]) -> None:
    """Odds are certain only where the worlds leave no choice.

    However seldom a werewolf of past games dared what a lone claimant says.
    """
    odds = shown_odds({"Bo": 0.001, "Cy": 0.999, "Dot": 0.0}, worlds)
    assert odds == pytest.approx(shown, abs=0.001)
