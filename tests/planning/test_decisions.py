"""Decisions of the plan, as sentences: each game is played by planners alone and looked at afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Request, Role, Species, Talk
from nlp_agent.study.duel import NOBODY, VILLAGE, WOLVES, Matchup, WinTally, play_one
from tests.selfplay import Match, Player, about_to, played


def _matches(size: int) -> list[Match]:
    return [played("en", size, seed) for seed in range({5: 8, 9: 2, 13: 1}[size])]


def _seats(role: str, size: int = 5) -> Iterator[tuple[Match, Player]]:
    for match in _matches(size):
        for player in match.players:
            if match.role_of(player) == role:
                yield match, player


@cache
def _tally(ours: str, opponent: str) -> WinTally:
    total = WinTally()
    for seed in range(1, 41):
        total.add(play_one(Matchup(opponent, ours), 5, seed))
    return total


@pytest.mark.parametrize("seed", [1, 2])
def test_vote_is_announced_before_a_phase_ends(seed: int) -> None:
    """The vote is announced in the last talk and before a phase ends.

    Not in the first of four, but as soon as none follows, be it by the count of talks or by the clock.
    """
    player = about_to("en", 5, seed, Request.TALK, day=1)

    def announced(*, closing: bool = False) -> list[str]:
        assert player.planner is not None
        return [
            act.target for act in player.planner.plan_talk(Request.TALK, closing=closing).acts if act.kind == "vote"
        ]

    assert (player.state.talks_after, announced()) == (3, [])
    assert len(announced(closing=True)) == 1
    player.state.talks_after = 0
    assert len(announced()) == 1


def test_possessed_never_votes_for_wolf_in_final() -> None:
    """A possessed never votes for the wolf on the last day when both are players of this program.

    They side with each other openly, and the wolf says who it is before the possessed names a vote.
    """
    marks = _tally(WOLVES, "greedy").marks
    assert marks["final votes of the possessed"] > 10
    assert marks["final votes of the possessed against a wolf"] == 0


def test_wolves_spare_their_possessed_once_it_lied() -> None:
    """Wolves do not attack their possessed once it has lied.

    A false result gives the possessed away to the wolves, who know every colour; a true one, or none, does not.
    """
    marks = _tally(WOLVES, "greedy").marks
    assert marks["attacks"] > 10
    assert marks["attacks on the possessed"] <= marks["attacks"] / 10


@pytest.mark.statistics
def test_sides_of_ours_beat_the_opponents_own() -> None:
    """More wins than the opponents get for the same side in the same deals."""
    alone = _tally(NOBODY, "greedy")
    assert _tally(WOLVES, "greedy").wins > (alone.games - alone.wins) + 5
    assert _tally(VILLAGE, "greedy").wins > 20


def test_seer_claims_and_possessed_counters_early() -> None:
    """A seer claims on day 1 and a possessed counters.

    Both come out on the first day; the possessed mostly lets the true seer speak first.
    """
    for role in (Role.SEER, Role.POSSESSED):
        days = [
            min(d for d, r, plan, _ in p.said if any(a.kind == "claim" for a in plan.acts)) for _, p in _claiming(role)
        ]
        assert set(days) == {1}


def _claiming(role: str) -> list[tuple[Match, Player]]:
    return [(m, p) for m, p in _seats(role) if any(a.kind == "claim" for _, _, plan, _ in p.said for a in plan.acts)]


def test_possessed_accuses_nobody_the_seer_accused() -> None:
    """A possessed calls nobody a wolf whom the seer has called one.

    The rival's wolf is its own friend: the lie goes against somebody else.
    """
    for match, player in _seats(Role.POSSESSED):
        seer = next(p for p in match.players if match.role_of(p) == Role.SEER)
        found = {j.target for j in seer.state.divinations if j.result == Species.WEREWOLF}
        heard = {d for d, r, plan, _ in seer.said for a in plan.acts if a.kind == "result" and a.target in found}
        for day, _, plan, _ in player.said:
            for act in plan.acts:
                if act.kind == "result" and act.result == Species.WEREWOLF and any(d < day for d in heard):
                    assert act.target not in found


def _in_danger(plan: TalkPlan) -> bool:
    """Called a wolf by a result, or about to be executed."""
    return any(a.kind == "deny" for a in plan.acts) or "votes are announced against us" in plan.why


def test_bodyguard_hides_its_role_unless_in_danger() -> None:
    """Nobody learns who guards before a wrong result or many announced votes force it out."""
    for size in (9, 13):
        for _, player in _seats(Role.BODYGUARD, size):
            for _, request, plan, _ in player.said:
                if any(a.kind == "claim" for a in plan.acts) and request is Request.TALK:
                    assert _in_danger(plan)


def test_a_medium_claims_once_it_has_a_result() -> None:
    """That is after the first execution, and before it only in danger."""
    for _, player in _seats(Role.MEDIUM, 9):
        claims = [(d, plan) for d, _, plan, _ in player.said if any(a.kind == "claim" for a in plan.acts)]
        assert all(day >= 2 or _in_danger(plan) for day, plan in claims)


def test_nobody_announces_a_vote_then_discusses_another() -> None:
    """Nobody announces a vote and then talks of another; the last announcement of the day is the vote."""
    for size in (5, 9):
        for match in _matches(size):
            for player in match.players:
                cast = {d: t for (d, request), t in player.state.chosen.items() if request == Request.VOTE}
                said = {
                    d: a.target for d, _, plan, _ in player.said for a in plan.acts if a.kind in ("vote", "retract")
                }
                assert all(cast[day] == target for day, target in said.items() if day in cast)


def _whispered(player: Player, text: str) -> None:
    """Let the partner have whispered ``text`` just now."""
    state = player.state
    state.whispers.append(Talk(day=state.day, idx=99, agent=state.partners[0], text=text))
    assert player.planner is not None
    player.planner.observe()


def test_wolf_leaves_lying_to_a_willing_partner() -> None:
    """A wolf leaves the lie to a partner who wants it.

    Who meant to pretend to be the seer hides once the partner has whispered the same.
    """
    player = about_to("en", 9, 1, Request.WHISPER)
    assert player.planner is not None
    player.planner.story = replace(player.planner.story, role=Role.SEER)
    assert player.planner.plan_talk(Request.WHISPER).acts[0].role == Role.SEER
    _whispered(player, "I'll pretend to be the seer tomorrow.")
    assert player.planner.plan_talk(Request.WHISPER).acts[0].role == Role.VILLAGER


def test_wolf_takes_the_prey_its_partner_names() -> None:
    """A wolf takes the prey a partner names first.

    The whispered proposal is agreed to and attacked, whomever this wolf would have chosen.
    """
    player = about_to("en", 9, 3, Request.WHISPER, day=1)
    assert player.planner is not None
    planner, humans = player.planner, [n for n in player.state.others if n not in player.state.partners]
    other = next(name for name in humans if name != planner.plan_talk(Request.WHISPER).acts[0].target)
    _whispered(player, f"Let's attack {other}.")
    assert planner.plan_talk(Request.WHISPER).acts[0] == SpeechAct(
        "attack", other, topic="agree", to=player.state.partners[0]
    )
    assert planner.plan_target(Request.ATTACK, tuple(humans)).name == other


@pytest.mark.parametrize("size", [5, 9, 13])
def test_liar_votes_by_results_it_told(size: int) -> None:
    """A liar votes by the results it has told.

    As long as the mask is on: against its living black, if there is one, and never against its white.
    """
    for role in (Role.POSSESSED, Role.WEREWOLF):
        for _, player in _seats(role, size):
            state = player.state
            gone = {name: day for book in (state.executions, state.attacks) for day, name in book.items()}
            talks = [(day, act) for day, _, plan, _ in player.said for act in plan.acts]
            bare = min((day for day, act in talks if act.kind in ("confess", "ally")), default=99)
            for (day, request), cast in state.chosen.items():
                told = {act.target: act.result for d, act in talks if act.kind == "result" and d <= day}
                if request != Request.VOTE or day >= bare:
                    continue
                assert told.get(cast) != Species.HUMAN
                living = {name for name, result in told.items() if result == "WEREWOLF" and gone.get(name, 99) >= day}
                assert cast in living or not living


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_wolves_understand_each_others_plans(language: str) -> None:
    """Every whispered line about pretending to be the seer is read as that, and no line about hiding is."""
    pack = load_pack(language)
    voice = next(iter(pack.lines.voices.values()))
    me = next(iter(next(iter(voice.me.values()))))
    for act, role in (("pretend_SEER", "SEER"), ("pretend_VILLAGER", "")):
        for line in pack.lines.acts[act]:
            text = line.replace("{I}", me)
            for old, new in (("[ります|る{よ}]", "る"), ("{て}", "て"), ("[します|する{よ}]", "する")):
                text = text.replace(old, new)
            read = pack.reading.announced_claim(pack.reading.read(text, ("Anna", "Ben")))
            assert (read == Role.SEER) == (role == "SEER"), text
