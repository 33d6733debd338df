"""Situations played by hand: the game goes on and refutes the wolf's black, and what the last three make of it."""

from __future__ import annotations

import pytest

from nlp_agent.belief.facts import public_facts
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.protocol import Request, Role, Talk
from tests.planning.test_true_reasons import hears, seat

CALL = "I am the possessed. Wolf, show yourself."


def _last_three(role: str, liar: str, *said: tuple[str, str]) -> Planner:
    """Ann, Cyd and Dee on day 2: ``liar`` has called Ben the wolf, and Ben was executed for it."""
    planner, _ = seat(role, day=2, dead=["Ben", "Eve"])
    planner._state.executions[1] = "Ben"
    planner._state.attacks[1] = "Eve"
    planner.ledger.observe(Talk(day=1, idx=0, agent=liar, text="I'm the seer. I divined Ben as a werewolf."))
    hears(planner, *said)
    return planner


def _acts(planner: Planner) -> list[tuple[str, str, str]]:
    return [(act.kind, act.role, act.target) for act in planner.plan_talk(Request.TALK).acts]


def test_found_out_wolf_passes_for_the_possessed() -> None:
    """A wolf whose black the game has refuted tells no further result: it says that it is the possessed."""
    assert _acts(_last_three(Role.WEREWOLF, "Ann")) == [("confess", "POSSESSED", "")]


def test_unrefuted_wolf_confesses_nothing() -> None:
    """A wolf of whom nothing is known to be false stays hidden."""
    assert "confess" not in {kind for kind, _, _ in _acts(_last_three(Role.WEREWOLF, "Cyd"))}


def test_wolf_joins_the_true_possessed() -> None:
    """A wolf that has passed for the possessed says what it is once the true one sides with it."""
    planner = _last_three(Role.WEREWOLF, "Ann")
    planner.sent(Request.TALK, CALL, planner.plan_talk(Request.TALK))
    hears(planner, ("Cyd", "I am the possessed. Say the name."))
    assert ("ally", "WEREWOLF", "Dee") in _acts(planner)


def test_silence_after_the_call_is_a_fact() -> None:
    """Who talks after the possessed's call and does not answer as the wolf has let it go by."""
    planner = _last_three(Role.VILLAGER, "Cyd", ("Dee", "Good morning."), ("Cyd", CALL), ("Dee", "So that is it."))
    facts = public_facts(planner._state, planner.ledger)
    assert [(one.who, one.about) for one in facts if one.kind == "call_unanswered"] == [("Dee", "Cyd")]
    assert "possessed_claim_refuted" in {one.kind for one in facts}


@pytest.mark.parametrize("answer", ["I am the wolf. I vote for Ann.", ""])
def test_answered_call_is_no_silence(answer: str) -> None:
    """Who answers as the wolf, or has not talked since, has let nothing go by."""
    said = [("Cyd", CALL), ("Dee", answer)] if answer else [("Dee", "Good morning."), ("Cyd", CALL)]
    planner = _last_three(Role.VILLAGER, "Cyd", *said)
    assert "call_unanswered" not in {one.kind for one in public_facts(planner._state, planner.ledger)}


def test_village_does_not_take_the_refuted_at_its_word() -> None:
    """With nobody answering its call, the false seer that was found out is suspected more than the other one."""
    planner = _last_three(Role.VILLAGER, "Cyd", ("Cyd", CALL), ("Dee", "So that is what Cyd is."))
    planner.sent(Request.TALK, "Well.", TalkPlan())
    wolf = planner._situation_with_lies(told_now=False).outer.wolf
    assert wolf["Cyd"] > wolf["Dee"]
