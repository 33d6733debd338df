"""What each vote, look and guard leads to, in villages small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest

from nlp_agent.belief.odds import SHIPPED_ODDS
from nlp_agent.belief.seat_posterior import Knowledge, SeatPosterior, look
from nlp_agent.game.roles import VILLAGES
from nlp_agent.planning.outcomes import RoleTable, divination_outcomes, guard_outcomes, vote_outcomes
from nlp_agent.planning.worlds import Claims, DivinationOutcome, VoteCase, worlds_of
from nlp_agent.protocol import Role

FIVE = ("Ann", "Ben", "Cat", "Dan", "Eve")


def seen(
    players: tuple[str, ...], role: str, *, alive: tuple[str, ...] = (), species: dict[str, str] | None = None
) -> SeatPosterior:
    """What the first of ``players``, who has ``role``, makes of a village in which nothing has been said."""
    counts = tuple((str(name), number) for name, number in VILLAGES[len(players)].items() if number)
    found = look(Knowledge(players, counts, players[0], role, species or {}, alive or players), (), SHIPPED_ODDS)
    assert found is not None
    return found


def outcome(table: RoleTable, alive: tuple[str, ...], target: str) -> dict[tuple[str, str], float]:
    (found,) = vote_outcomes(table, alive, [target])
    return {(case.dies, case.then): case.p for case in found.cases}


def test_a_villager_of_five_counts_three_ways() -> None:
    """Of four strangers one is the werewolf, one the possessed, two are of the village: a wrong execution leaves three
    tomorrow, and only where the possessed was hanged does the village still have most of the votes."""
    table = RoleTable.of(seen(FIVE, Role.VILLAGER))
    assert table.p.sum() == pytest.approx(1)
    for target in FIVE[1:]:
        assert outcome(table, FIVE, target) == {
            (Role.WEREWOLF, "won"): 0.25,
            (Role.POSSESSED, "open"): 0.25,
            ("", "outvoted"): 0.5,
        }
    assert outcome(table, FIVE, "Ann") == {("", "outvoted"): 1.0}


def test_of_three_the_vote_decides_the_game() -> None:
    """Whoever is not the werewolf, its death makes wolf and human equal."""
    alive, dead = ("Ann", "Ben", "Cat"), {"Dan": "HUMAN", "Eve": "HUMAN"}
    table = RoleTable.of(seen(FIVE, Role.VILLAGER, alive=alive, species=dead))
    found = outcome(table, alive, "Ben")
    assert found[Role.WEREWOLF, "won"] == 0.5
    assert {then for _, then in found} == {"won", "lost"}
    assert sum(found.values()) == pytest.approx(1)


def test_of_four_the_night_decides_it() -> None:
    """After a day without an execution a wrong one leaves three, and the night makes two of them."""
    alive = ("Ann", "Ben", "Cat", "Dan")
    found = outcome(RoleTable.of(seen(FIVE, Role.VILLAGER, alive=alive, species={"Eve": "HUMAN"})), alive, "Ben")
    assert {then for _, then in found} == {"won", "night"}


def test_a_werewolf_looks_for_its_possessed() -> None:
    """It knows the colour of all: one of four is the possessed, without whom its own vote is one of three."""
    assert outcome(RoleTable.of(seen(FIVE, Role.WEREWOLF)), FIVE, "Ben") == {
        ("", "outvoted"): 0.75,
        (Role.POSSESSED, "open"): 0.25,
    }
    assert outcome(RoleTable.of(seen(FIVE, Role.WEREWOLF)), FIVE, "Ann") == {(Role.WEREWOLF, "won"): 1.0}


def test_possessed_counts_itself_for_its_side() -> None:
    """A possessed counts itself among the votes of its side.

    One of four is its werewolf; of the others' deaths each leaves two against one.
    """
    assert outcome(RoleTable.of(seen(FIVE, Role.POSSESSED)), FIVE, "Ben") == {
        (Role.WEREWOLF, "won"): 0.25,
        ("", "outvoted"): 0.75,
    }


@pytest.mark.parametrize(
    ("alive", "wolves", "possessed", "target", "case"),
    [
        (7, "Bb", "c", "B", (Role.WEREWOLF, "open")),  # one of five, with a possessed: two of five votes
        (7, "Bb", "c", "c", (Role.POSSESSED, "open")),  # two of five
        (7, "Bb", "c", "d", ("", "outvoted")),  # three of five
        (6, "Bb", "", "d", ("", "night")),  # two of five today, two of four tomorrow
        (5, "Bb", "", "d", ("", "lost")),  # two of four today
        (5, "Bb", "c", "B", (Role.WEREWOLF, "outvoted")),  # two of three
        (5, "Bb", "", "B", (Role.WEREWOLF, "open")),  # one of three
    ],
)
def test_two_werewolves_are_counted_by_those_who_live(
    alive: int, wolves: str, possessed: str, target: str, case: tuple[str, str]
) -> None:
    """What follows an execution depends on who of the wolves' side lives, in each world alone."""
    players = ("A", "B", "b", "c", "d", "e", "f")[:alive]

    def row(names: str) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        return np.array([[name in names for name in players]])

    table = RoleTable(players, row(wolves), row(possessed), row(""), np.ones(1))
    assert outcome(table, players, target) == {case: 1.0}


def test_count_of_claims_is_followed_as_told() -> None:
    """Two claim seer. In the world of the first the third is the werewolf, in that of the second the third or the
    fourth: followed in full, all that is left are worlds in which the false one is of the wolves' side."""
    claims = Claims(
        FIVE, VILLAGES[5], "Ann", Role.VILLAGER, {}, {"Ben": Role.SEER, "Cat": Role.SEER},
        {"Ben": [("Dan", "WEREWOLF")], "Cat": [("Ben", "HUMAN")]}, FIVE,
    )  # fmt: skip
    worlds = worlds_of(claims)
    table = RoleTable.of(seen(FIVE, Role.VILLAGER)).follow(worlds, ("Ben", "Cat"), 1.0)
    # (werewolf, possessed): Ben true: (Dan, Cat); Cat true: (Dan, Ben), (Eve, Ben); neither: (Ben, Cat), (Cat, Ben),
    # each with Dan or Eve the seer who says nothing. Every one of the seven weighs alike.
    found = outcome(table, FIVE, "Dan")
    assert found == {(Role.WEREWOLF, "won"): 0.29, ("", "outvoted"): 0.71}
    assert outcome(table, FIVE, "Ben") == {
        (Role.WEREWOLF, "won"): 0.29,
        (Role.POSSESSED, "open"): 0.57,
        ("", "outvoted"): 0.14,
    }
    halfway = RoleTable.of(seen(FIVE, Role.VILLAGER)).follow(worlds, ("Ben", "Cat"), 0.5)
    assert outcome(halfway, FIVE, "Ben")[Role.POSSESSED, "open"] == pytest.approx((4 / 7 + 1 / 4) / 2, abs=0.01)


def test_the_chances_are_those_shown_as_odds() -> None:
    """A village of one werewolf, and one of three, are weighed so that each player is a werewolf as likely as told."""
    shares = {"Ben": 0.6, "Cat": 0.2, "Dan": 0.15, "Eve": 0.05}
    table = RoleTable.of(seen(FIVE, Role.VILLAGER)).with_shares(shares)
    assert {name: outcome(table, FIVE, name)[Role.WEREWOLF, "won"] for name in shares} == shares
    players = tuple(f"P{number}" for number in range(13))
    wanted = {name: 0.25 + (0.3 if name == "P3" else -0.3 / 11) for name in players[1:]}
    table = RoleTable.of(seen(players, Role.VILLAGER)).with_shares(wanted)
    for name in ("P3", "P4", "P12"):
        assert outcome(table, players, name)[Role.WEREWOLF, "open"] == pytest.approx(wanted[name], abs=0.006)


def test_worlds_differing_in_seer_lead_alike() -> None:
    """Worlds that differ in the seer alone lead to the same outcomes.

    Taken together they are fewer, and every outcome is as likely as before.
    """
    table = RoleTable.of(seen(FIVE, Role.VILLAGER))
    fewer = table.without_seer()
    assert (len(table.p), len(fewer.p)) == (4 * 3 * 2, 4 * 3)
    assert outcome(fewer, FIVE, "Ben") == outcome(table, FIVE, "Ben")


def test_divination_tells_how_many_suspects_remain() -> None:
    """What a divination would tell is shown as how many can be the werewolf after it.

    Three can be the werewolf: the result human leaves two, the result werewolf one.
    """
    worlds = worlds_of(Claims(FIVE, VILLAGES[5], "Ann", Role.SEER, {"Ben": "HUMAN"}, alive=FIVE))
    (told,) = divination_outcomes({"Dan": 0.5}, worlds, ["Dan"])
    assert told == DivinationOutcome("Dan", 0.5, 1, 2, ("Cat", "Eve"))


def test_a_guard_saves_what_somebody_is() -> None:
    """Who claims seer in a village in which nothing else is known is one as likely as anybody, and who claims nothing
    is of the village where it is neither a werewolf nor the possessed."""
    players = tuple(f"P{number}" for number in range(9))
    view = seen(players, Role.BODYGUARD)
    claimed, silent = guard_outcomes(view, view.wolf, {"P1": Role.SEER}, ("P1", "P2"))
    assert (claimed.role, claimed.p, claimed.wolf) == (Role.SEER, 0.12, 0.25)
    assert silent.role == ""
    assert silent.p == pytest.approx(1 - 2 / 8 - 1 / 8, abs=0.011)


def test_cases_stand_in_the_order_of_their_chances() -> None:
    """The likeliest is told first."""
    (found,) = vote_outcomes(RoleTable.of(seen(FIVE, Role.VILLAGER)), FIVE, ["Ben"])
    assert found.cases[0] == VoteCase(0.5, "", "outvoted")
