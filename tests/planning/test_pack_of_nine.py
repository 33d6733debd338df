"""Wolves of a larger village: false claims of rare roles, votes that save or give up a partner, nights with a guard."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from nlp_agent.game import SeatState
from nlp_agent.planning.lies import begin_story
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Info, Packet, Request, Role, Setting, Species, Status, Talk

NINE = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ivy")
SETTING = Setting(
    agent_count=9,
    role_num_map={"WEREWOLF": 2, "POSSESSED": 1, "SEER": 1, "MEDIUM": 1, "BODYGUARD": 1, "VILLAGER": 3},
)
HUMANS = tuple(name for name in NINE if name not in ("Ann", "Ben"))


def _wolf(
    said: list[tuple[str, str]], lives: str = Role.VILLAGER, *, shields: bool = False, day: int = 1, seed: int = 3
) -> Planner:
    """Ann, a wolf beside Ben, after these talks; on day 2 Ivy has been executed, and the night took nobody."""
    state, alive = SeatState(), dict.fromkeys(NINE, Status.ALIVE.value)
    roles = dict.fromkeys(("Ann", "Ben"), Role.WEREWOLF.value)
    info = Info(day=0, agent="Ann", status_map=alive, role_map=roles)
    state.apply(Packet(request="INITIALIZE", info=info, setting=SETTING))
    if day == 2:
        alive["Ivy"] = Status.DEAD.value
    dawn = Info(day=day, agent="Ann", status_map=alive, role_map=roles, executed_agent="Ivy" if day == 2 else None)
    state.apply(Packet(request="DAILY_INITIALIZE", info=dawn))
    talks = tuple(Talk(idx=n, day=day, agent=who, text=text) for n, (who, text) in enumerate(said))
    state.apply(Packet(request="TALK", info=dawn, talk_history=talks))
    state.talks_after = 1
    planner = Planner(state, load_pack("en").reading, seed)
    planner.story = replace(planner.story, role=lives, shields=shields, counters=False)
    planner.observe()
    return planner


def _claims(planner: Planner) -> list[str]:
    return [act.role for act in planner.plan_talk(Request.TALK).acts if act.kind == "claim"]


def test_endangered_wolf_claims_to_be_bodyguard() -> None:
    """A wolf that is about to be executed says that it is the bodyguard.

    Not unless its story has it, not before votes gather, and not where somebody else has said so.
    """
    against = [(who, "I vote for Ann.") for who in ("Cleo", "Dan", "Eve", "Finn")]
    assert _claims(_wolf(against, shields=True)) == [Role.BODYGUARD]
    assert _claims(_wolf(against)) == []
    assert _claims(_wolf(against[:1], shields=True)) == []
    assert _claims(_wolf([("Gus", "I am the bodyguard."), *against], shields=True)) == []


def test_false_medium_tells_of_the_executed() -> None:
    """A wolf that lives as the medium tells of the executed.

    It claims with a result on the first morning after an execution, as a true one does, and not before.
    """
    assert _claims(_wolf([], Role.MEDIUM)) == []
    acts = _wolf([], Role.MEDIUM, day=2).plan_talk(Request.TALK).acts
    told = [act for act in acts if act.kind in ("claim", "result")]
    assert [(act.kind, act.role) for act in told] == [("claim", Role.MEDIUM), ("result", Role.MEDIUM)]
    assert told[1].target == "Ivy"


def test_two_of_a_pack_are_not_mediums() -> None:
    """The partner's claim is enough, and so are two of anybody."""
    assert _claims(_wolf([("Ben", "I am the medium. Ivy was human.")], Role.MEDIUM, day=2)) == []
    crowd = [("Cleo", "I am the medium. Ivy was human."), ("Dan", "I am the medium. Ivy was a werewolf.")]
    assert _claims(_wolf(crowd, Role.MEDIUM, day=2)) == []
    assert _claims(_wolf(crowd[:1], Role.MEDIUM, day=2)) == [Role.MEDIUM]


def test_a_wolfs_vote_saves_its_partner() -> None:
    """Three vote for the partner and three for a villager: a seventh vote decides."""
    said = [(who, "I vote for Ben.") for who in ("Cleo", "Dan", "Eve")]
    said += [(who, "I vote for Hal.") for who in ("Finn", "Gus", "Ivy")]
    for seed in range(4):
        assert _wolf(said, seed=seed).plan_target(Request.VOTE, NINE[1:]).name == "Hal"


def test_some_wolves_vote_against_a_lost_partner() -> None:
    """Some wolves vote with all others for a partner that is lost.

    Nothing saves it any more, and who votes elsewhere alone is looked at next; but not every wolf does the same.
    """
    said = [(who, "I vote for Ben.") for who in HUMANS]
    votes = {_wolf(said, seed=seed).plan_target(Request.VOTE, NINE[1:]).name == "Ben" for seed in range(8)}
    assert votes == {True, False}


def test_wolves_attack_the_known_bodyguard_first() -> None:
    """Wolves attack the bodyguard that they know before the player whom it guards.

    Nobody guards itself, and a trusted medium is guarded.
    """
    said = [("Cleo", "I am the medium. Ivy was human."), ("Dan", "I am the bodyguard.")]
    assert _wolf(said, day=2).plan_target(Request.ATTACK, HUMANS[:-1]).name == "Dan"


@pytest.mark.parametrize("role", [Role.SEER, Role.POSSESSED, Role.WEREWOLF])
def test_seers_true_and_false_open_and_wait(role: str) -> None:
    """Who is first, and whether a wolf claims at all, tells nobody for certain which role it has."""
    state = SeatState()
    info = Info(day=0, agent="Ann", status_map=dict.fromkeys(NINE[:5], Status.ALIVE.value), role_map={"Ann": role})
    five = Setting(agent_count=5, role_num_map={"WEREWOLF": 1, "POSSESSED": 1, "SEER": 1, "VILLAGER": 2})
    state.apply(Packet(request="INITIALIZE", info=info, setting=five))
    stories = [begin_story(state, Random(seed)) for seed in range(60)]
    assert {story.turn for story in stories} == {0, 1}
    claiming = sum(story.role == Role.SEER for story in stories) / len(stories)
    assert claiming == 1.0 if role == Role.SEER else 0.25 < claiming < 0.85


def test_false_medium_keeps_its_told_results() -> None:
    """A false medium stays with what it has told.

    Its colour of a dead player is written down once.
    """
    planner = _wolf([], Role.MEDIUM, day=2)
    plan = planner.plan_talk(Request.TALK)
    planner.sent(Request.TALK, "I am the medium. Ivy was human.", plan)
    told = {judge.target: judge.result for judge in planner.story.results.values()}
    assert set(told) == {"Ivy"}
    assert told["Ivy"] in (Species.HUMAN, Species.WEREWOLF)
    assert plan.story == planner.story
