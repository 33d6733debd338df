"""A village votes together: announced votes are counted, and wolves do not run twice into the same guard."""

from __future__ import annotations

import pytest

from nlp_agent.game import SeatState
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Info, Judge, Packet, Request, Role, Setting, Species, Status, Talk, Vote

PLAYERS = ("Ann", "Ben", "Cleo", "Dan", "Eve")
NINE = (*PLAYERS, "Finn", "Gus", "Hal", "Ivy")
ROLES_OF_FIVE = {"WEREWOLF": 1, "POSSESSED": 1, "SEER": 1, "VILLAGER": 2}


def _planner(said: list[tuple[str, str]], seed: int = 1, cleared: str = "") -> Planner:
    """Ann on day 1 after these talks, with one talk left: the seer if it has ``cleared`` somebody, else a villager."""
    state, alive = SeatState(), dict.fromkeys(PLAYERS, Status.ALIVE.value)
    judge = Judge(day=0, agent="Ann", target=cleared, result=Species.HUMAN.value) if cleared else None
    role = Role.SEER if cleared else Role.VILLAGER
    info = Info(day=1, agent="Ann", status_map=alive, role_map={"Ann": role.value}, divine_result=judge)
    talks = tuple(Talk(idx=n, day=1, agent=who, text=text) for n, (who, text) in enumerate(said))
    setting = Setting(agent_count=5, role_num_map=ROLES_OF_FIVE)
    state.apply(Packet(request="INITIALIZE", info=info, setting=setting))
    state.apply(Packet(request="TALK", info=info, talk_history=talks))
    state.talks_after = 1
    planner = Planner(state, load_pack("en").reading, seed)
    planner.observe()
    return planner


@pytest.mark.parametrize("seed", range(3))
def test_lone_vote_changes_to_one_that_decides(seed: int) -> None:
    """A vote that nobody joins is given up for one that decides.

    Two are named by others and one only by this seat, with nothing else to go on: two candidates become one.
    """
    said = [("Ann", "I vote for Ben."), ("Ben", "I vote for Cleo."), ("Dan", "I vote for Eve.")]
    planner = _planner([*said, ("Cleo", "I vote for Eve."), ("Eve", "I vote for Cleo.")], seed)
    changed = [act.target for act in planner.plan_talk(Request.TALK).acts if act.kind == "retract"]
    assert len(changed) == 1
    assert changed[0] in ("Cleo", "Eve")


def test_plan_keeps_a_vote_the_model_announced() -> None:
    """A vote that a model has announced is not changed by the plan.

    Where a model fails to answer, its own words of this day still stand.
    """
    said = [("Ann", "I vote for Ben."), ("Ben", "I vote for Cleo."), ("Dan", "I vote for Eve.")]
    planner = _planner([*said, ("Cleo", "I vote for Eve."), ("Eve", "I vote for Cleo.")], 0)
    assert [act.kind for act in planner.plan_talk(Request.TALK).acts] == ["retract"]
    planner.sent(Request.TALK, "I vote for Ben.", TalkPlan((SpeechAct("vote", target="Ben"),), meant="Ben"))
    assert not [act for act in planner.plan_talk(Request.TALK).acts if act.kind == "retract"]


@pytest.mark.parametrize("seed", range(3))
def test_seer_does_not_vote_for_cleared_player(seed: int) -> None:
    """A seer does not vote for a player whom it has cleared.

    A false rival that it knows to be human is the possessed; the wolf is somebody else.
    """
    said = [("Ann", "I am the seer. I divined Ben and Ben is human."), ("Ben", "I am the seer. Ann is a werewolf.")]
    others = tuple(name for name in PLAYERS if name != "Ann")
    assert _planner(said, seed, cleared="Ben").plan_target(Request.VOTE, others).name != "Ben"


def test_a_vote_that_already_decides_is_kept() -> None:
    """Three of five vote for the same player: nothing is to be gained elsewhere."""
    said = [("Ann", "I vote for Ben."), ("Cleo", "I vote for Ben."), ("Dan", "I vote for Ben.")]
    acts = _planner([*said, ("Ben", "I vote for Cleo."), ("Eve", "I vote for Cleo.")]).plan_talk(Request.TALK).acts
    assert not [act for act in acts if act.kind == "retract"]


def _wolf_after_a_saved_night(guarded: str) -> Planner:
    """Ann, a wolf of nine, on day 2: the pack attacked ``guarded`` in the night before, and nobody died."""
    state, alive = SeatState(), dict.fromkeys(NINE, Status.ALIVE.value)
    roles = dict.fromkeys(("Ann", "Ben"), Role.WEREWOLF.value)
    setting = Setting(
        agent_count=9,
        role_num_map={"WEREWOLF": 2, "POSSESSED": 1, "SEER": 1, "MEDIUM": 1, "BODYGUARD": 1, "VILLAGER": 3},
    )
    info = Info(day=0, agent="Ann", status_map=alive, role_map=roles)
    state.apply(Packet(request="INITIALIZE", info=info, setting=setting))
    state.apply(Packet(request="DAILY_INITIALIZE", info=Info(day=2, agent="Ann", status_map=alive, role_map=roles)))
    state.attack_votes[1] = tuple(Vote(day=1, agent=who, target=guarded) for who in ("Ann", "Ben"))
    planner = Planner(state, load_pack("en").reading, 3)
    planner.observe()
    return planner


def test_wolves_avoid_whom_a_guard_just_saved() -> None:
    """Wolves do not attack at once whom a guard has saved.

    Whoever was the best prey the night before is not the next night's, for the guard may stand there still.
    """
    fresh = _wolf_after_a_saved_night("")
    legal = tuple(name for name in NINE if name not in ("Ann", "Ben"))
    best = fresh.plan_target(Request.ATTACK, legal).name
    assert _wolf_after_a_saved_night(best).plan_target(Request.ATTACK, legal).name != best


def _said_to_bodyguards(*claimants: str) -> set[str]:
    """What a villager of nine, whoever it is, says to those who claim to be the bodyguard: topics of its reactions."""
    found: set[str] = set()
    setting = Setting(
        agent_count=9,
        role_num_map={"WEREWOLF": 2, "POSSESSED": 1, "SEER": 1, "MEDIUM": 1, "BODYGUARD": 1, "VILLAGER": 3},
    )
    for me in (name for name in NINE if name not in claimants):
        info = Info(
            day=1,
            agent=me,
            status_map=dict.fromkeys(NINE, Status.ALIVE.value),
            role_map={me: Role.VILLAGER.value},
        )
        talks = tuple(Talk(idx=n, day=1, agent=who, text="I am the bodyguard.") for n, who in enumerate(claimants))
        state = SeatState()
        state.apply(Packet(request="INITIALIZE", info=info, setting=setting))
        state.apply(Packet(request="TALK", info=info, talk_history=talks))
        state.talks_after = 3
        planner = Planner(state, load_pack("en").reading, 1)
        planner.observe()
        acts = planner.plan_talk(Request.TALK).acts
        found |= {act.topic for act in acts if act.kind == "react" and act.target in claimants}
    return found


def test_who_claims_to_be_the_bodyguard_is_answered() -> None:
    """One alone is believed and spared aloud; of two none is."""
    assert _said_to_bodyguards("Hal") == {"bodyguard"}
    assert _said_to_bodyguards("Hal", "Ivy") == {"doubt_bodyguard"}
