"""What is said of somebody is what moved the belief about it: every reason is a fact of the log, with its log-odds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, partial
from typing import Any
from unittest.mock import Mock

import pytest

from nlp_agent.arena.village import contest_village
from nlp_agent.belief.assessment import Assessment, Viewpoint, assess
from nlp_agent.belief.constants import SPEAKABLE
from nlp_agent.belief.facts import CERTAIN_KINDS, CONCLUDED, Fact, public_facts
from nlp_agent.belief.seat_posterior import SeatPosterior, look
from nlp_agent.game import SeatState
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.target_plan import ABOUT_TALKING
from nlp_agent.protocol import Request, Role, Setting, Species, Status, Talk
from nlp_agent.reading.ledger import ClaimedResult, Ledger, Remark
from tests.selfplay import Player, about_to, pack
from tests.without_sockets import play_without_sockets

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve")
STOCK = {"hunch", "good_feeling", "why_vote", "why_divine"}


def _look_again(facts: Sequence[Fact], one: SeatPosterior) -> SeatPosterior | None:
    return look(one.knowledge, facts, one.odds)


def _log_odds(p: float) -> float:
    return math.log(max(p, 1e-9) / max(1 - p, 1e-9))


@pytest.mark.parametrize(("size", "day"), [(5, 1), (5, 2), (9, 1), (9, 2), (13, 2)])
def test_reason_is_a_fact_weighed_by_omission(size: int, day: int) -> None:
    """A reason is a fact, and weighs what leaving it out would change.

    For everybody alive and both directions, as the table stands before a vote.
    """
    player = about_to("en", size, 4, Request.VOTE, day)
    assert player.planner is not None
    player.planner.plan_target(Request.VOTE, player.state.others)
    seen = player.planner.belief.outer
    assert seen.view is not None
    told = 0
    for name in player.state.others:
        for against in (True, False):
            reasons = seen.reasons(name, against=against)
            weights = [abs(reason.push) for reason in reasons]
            assert weights == pytest.approx(sorted(weights, reverse=True))  # equal ones differ by rounding
            for reason in reasons:
                assert (reason.push > 0) == against
                if reason.kind in CERTAIN_KINDS:
                    continue
                told += 1
                assert reason.fact in seen.facts
                assert reason.fact.who != seen.me
                rest = [fact for fact in seen.facts if fact != reason.fact]
                less = seen.view.each(partial(_look_again, rest))
                assert less is not None
                moved = _log_odds(seen.view.wolf[name]) - _log_odds(less.wolf[name])
                assert reason.push == pytest.approx(moved, abs=1e-3)
    assert told


class _Watched(Player):
    """Keeps what was thought at every talk."""

    def __init__(self, language: str, seed: int) -> None:
        super().__init__(language, seed)
        self.thought: list[tuple[tuple[SpeechAct, ...], Assessment, int | None, int]] = []

    def _talk(self, planner: Planner, request: Request) -> str:
        text = super()._talk(planner, request)
        state = self.state
        acts = self.said[-1][2].acts if request is Request.TALK else ()
        self.thought.append((acts, planner.belief.outer, state.talks_after, len(state.alive) if state.day > 1 else 99))
        return text


@cache
def _watched(language: str, size: int) -> list[_Watched]:
    players = []
    for seed in range({5: 6, 9: 2, 13: 1}[size]):
        seats = [_Watched(language, seed * 100 + number) for number in range(size)]
        play_without_sockets(contest_village(size, language), seats, seed)
        players += seats
    return players


EMPTY = {"announced", *ABOUT_TALKING}
"""Kinds of reasons that say nothing of their player but how much it talks, and who else votes for it."""


@pytest.mark.parametrize(("language", "size"), [("en", 5), ("ja", 5), ("zh", 5), ("en", 9), ("en", 13)])
def test_every_reason_in_whole_games_is_grounded(language: str, size: int) -> None:
    """Every reason given in whole games is what the belief rests on.

    No stock reason is given as if it were a fact: but for a hunch, which says so, and for the word of a seer, which was
    told, each stands in the assessment, for trust on the side of trust and against a suspect on the other.
    """
    given = 0
    for player in _watched(language, size):
        before: set[tuple[str, str]] = set()
        for acts, seen, _, _ in player.thought:
            for act in acts:
                changed = act.kind == "retract" and act.proof[-1:] == ("announced_by",)
                if act.proof and act.proof[-1] not in STOCK.union(CONCLUDED) and not changed:
                    given += 1
                    if act.topic == "why_vote" and (act.target, act.proof[-1]) in before:
                        continue  # Asked for yesterday's vote, it tells yesterday's reason.
                    before.add((act.target, act.proof[-1]))
                    against = act.kind != "trust" and act.topic != "believe"
                    if act.proof[-1] == "seer_black_by":
                        # Where nothing speaks more clearly, the word of a seer who may be true is named.
                        told = {(fact.kind, fact.who, fact.about) for fact in seen.facts}
                        assert ("seer_black", act.other, act.target) in told
                        continue
                    if act.proof == ("werewolf_claim",):
                        assert ("werewolf_claim", act.target) in {(fact.kind, fact.who) for fact in seen.facts}
                        continue
                    reasons = seen.reasons(act.target, against=against)
                    # Where only others' votes and silence speak, a seer's result is said instead.
                    if act.proof[-1] != "seer_black_by" or not {reason.kind for reason in reasons} <= EMPTY:
                        assert act.proof[-1] in {reason.wordings[-1] for reason in reasons}
    assert given > 10


def test_no_early_vote_before_a_final_lacks_grounds() -> None:
    """Before a final no early vote rests on nothing.

    Who announces two talks before its last has more against its target than how much that one talks.
    """
    early = 0
    for player in _watched("en", 5):
        for acts, seen, left, alive in player.thought:
            for act in acts:
                spares = player.state.role == Role.POSSESSED  # whom it takes for its wolf, the likeliest
                if act.kind == "vote" and act.topic != "ally" and left == 2 and alive > 4 and not spares:
                    early += 1
                    assert {r.kind for r in seen.reasons(act.target)} - {"talks", "silent", "no_opinion"}
    assert early


def _village(ledger: Ledger, role: str = Role.VILLAGER, results: dict[str, str] | None = None) -> Assessment:
    state = SeatState(me="Ann", role=role, day=1)
    state.players = state.alive = NAMES
    state.status = dict.fromkeys(NAMES, Status.ALIVE.value)
    state.setting = Setting(agent_count=5, role_num_map={"WEREWOLF": 1, "POSSESSED": 1, "SEER": 1, "VILLAGER": 2})
    return assess(state, ledger, Viewpoint("Ann", role, results or {}), {})


def _ledger(**said: Any) -> Ledger:
    ledger = Ledger(pack("en").reading, players=NAMES, **said)
    for name in NAMES:
        for idx in range(3):
            ledger.observe(Talk(day=1, idx=idx, agent=name, text="Hmm."))
    return ledger


def test_nobody_who_named_a_suspect_is_called_silent() -> None:
    """Nobody who named a suspect is said to have named none.

    A suspicion, an announced vote or a claim is enough; and who has hardly spoken yet is left in peace.
    """
    ledger = _ledger(suspicions=[Remark(1, 0, "Ben", "Cy")], votes={(1, "Cy"): "Ben"}, claims={"Dee": "SEER"})
    state = SeatState(day=1)
    state.players = state.alive = NAMES
    assert {fact.who for fact in public_facts(state, ledger) if fact.kind == "no_opinion"} == {"Ann", "Eve"}
    del ledger.talks[1, "Eve"][1:]
    assert {fact.who for fact in public_facts(state, ledger) if fact.kind == "no_opinion"} == {"Ann"}


def test_own_results_are_the_only_reason() -> None:
    """Where there are own results they are the only reason.

    What is certain needs no other grounds.
    """
    seen = _village(_ledger(suspicions=[Remark(1, 0, "Ben", "Cy")]), Role.SEER, {"Cy": Species.WEREWOLF})
    assert [reason.kind for reason in seen.reasons("Cy")] == ["own_black"]
    assert seen.reasons("Cy", against=False) == []


def test_results_of_a_disbelieved_seer_are_no_reason() -> None:
    """Results of a seer that nobody believes are no reason.

    Of two claimants only the one believed is quoted, and a refuted one is called that.
    """
    told = {"Ben": [ClaimedResult("Cy", Species.WEREWOLF, 1)], "Dee": [ClaimedResult("Ann", Species.WEREWOLF, 1)]}
    seen = _village(_ledger(claims={"Ben": "SEER", "Dee": "SEER"}, claimed_on={"Ben": 1, "Dee": 1}, results=told))
    assert seen.trusted == "Ben"
    assert seen.credit["Dee"] == 0.0
    assert [reason.wordings for reason in seen.reasons("Cy") if reason.kind == "seer_black"] == [("seer_black_by",)]
    about_dee = {reason.wordings[0] for reason in (*seen.reasons("Dee"), *seen.reasons("Dee", against=False))}
    assert "seer_black" not in about_dee


def test_credit_is_the_posterior_and_nothing_on_top() -> None:
    """A claimant that no certain fact refutes is believed as far as the worlds in which it tells the truth weigh."""
    ledger = _ledger(claims={"Ben": "SEER", "Dee": "SEER"}, claimed_on={"Ben": 1, "Dee": 1})
    seen = _village(ledger)
    assert seen.credit == {name: seen.roles[name]["SEER"] for name in ("Ben", "Dee")}


@pytest.mark.parametrize("rest", [-4e-16, 0.0, 4e-16])
def test_rounding_does_not_decide_what_a_reason_is(rest: float) -> None:
    """What just weighs enough is a reason, whatever the last digit says.

    The order in which numbers are added up decides nothing.
    """
    fact, view = Fact("suspects", "Ben", "Ann"), Mock(push=lambda _, __: SPEAKABLE + rest)
    seen = Assessment(me="Cid", facts=[fact], looking=lambda: view)
    assert [reason.fact for reason in seen.reasons("Ann")] == [fact]


@pytest.mark.parametrize("role", [Role.VILLAGER, Role.SEER, Role.POSSESSED, Role.WEREWOLF, ""])
def test_before_anything_is_told_nobody_need_weigh_worlds(role: str) -> None:
    """What the role table alone tells is what all worlds together would say."""
    seen = _village(Ledger(pack("en").reading, players=NAMES), role)
    exact = seen.exact
    assert ("view" in vars(seen)) == (role in (Role.WEREWOLF, ""))
    assert seen.view is not None
    assert exact == pytest.approx({name: seen.view.wolf[name] for name in exact})
