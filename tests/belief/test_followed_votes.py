"""Announced votes that merely follow one another weigh as one."""

from __future__ import annotations

import pytest

from nlp_agent.belief.facts import Fact, public_facts
from nlp_agent.belief.mixture import SHIPPED
from nlp_agent.game import SeatState
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import load_pack
from nlp_agent.prompting.sample_village import sample_packets
from nlp_agent.protocol import Packet, Role, Talk


def _planner(players: int, *votes: tuple[int, str]) -> tuple[Planner, SeatState]:
    """Day 1 after ``votes``: the number of who speaks among the others, and the words, in which {} is the last one."""
    pack, state = load_pack("en"), SeatState()
    for packet in sample_packets(pack, players, Role.VILLAGER, 1):
        state.apply(packet.model_copy(update={"talk_history": None}))
    said = tuple(
        Talk(idx=n, day=1, agent=state.others[who], text=text.format(state.others[-1]))
        for n, (who, text) in enumerate(votes)
    )
    state.apply(Packet(request="TALK", talk_history=said or None))
    planner = Planner(state, pack.reading, 1, why=pack.words.words.why)
    planner.observe()
    return planner, state


VOTES = ((0, "I will vote for {}."), (1, "I vote for {} too."), (2, "I will vote for {} as well."))


def test_following_votes_say_no_more_than_the_first() -> None:
    """The first announced vote raises the chance; two that follow it, with no word of their own, do not."""
    chances = []
    for count in range(4):
        planner, state = _planner(5, *VOTES[:count])
        chances.append({one.name: one.p for one in planner.advice().odds}[state.others[-1]])
    assert chances[1] > chances[0]
    assert max(chances[1:]) - chances[1] <= 0.02


@pytest.mark.parametrize(
    ("players", "votes", "counted"),
    [
        (5, VOTES, [True, False, False]),
        (5, ((0, "I will vote for {}."), (0, "I withdraw my vote."), (1, "I vote for {}.")), [True]),
        (5, ((0, "I will vote for {}."), (0, "I will still vote for {}."), (1, "I vote for {}.")), [True, False]),
        (9, VOTES, [True, True, True]),
    ],
)
def test_which_votes_follow(players: int, votes: tuple[tuple[int, str], ...], counted: list[bool]) -> None:
    """A vote follows one that stands; where several wolves play each is counted, as public games bear out."""
    planner, state = _planner(players, *votes)
    facts = [one for one in public_facts(state, planner.ledger) if one.kind == "announced"]
    assert [one.amount > 0 for one in facts] == counted


def test_votes_of_the_last_three_say_nothing() -> None:
    """Of three each of two suspects has to name the other: only in a larger village its vote counts."""
    for gone, counted in (0, [1.0]), (2, [0.0]):
        planner, state = _planner(5, (0, "I will vote for {}."))
        (voter,) = {who for _, who in planner.ledger.votes}
        dead = [name for name in state.others if name != voter][:gone]
        state.alive = tuple(name for name in state.alive if name not in dead)
        facts = [one for one in public_facts(state, planner.ledger) if one.kind == "announced"]
        assert [one.amount for one in facts] == counted


def test_who_plays_is_told_by_each_vote() -> None:
    """To tell players like ours from a field, a vote that follows counts as any other."""
    first, second = Fact("announced", "Ann", "Cy", 1.0), Fact("announced", "Ben", "Cy", 0.0)
    assert SHIPPED.share([first, second], "Dee", 5) > SHIPPED.share([first], "Dee", 5)
