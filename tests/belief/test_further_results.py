"""A seer looks at one player a night: what it calls a result beyond that is an opinion."""

from __future__ import annotations

import pytest

from nlp_agent.belief.facts import public_facts
from nlp_agent.game import SeatState
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import load_pack
from nlp_agent.prompting.sample_village import sample_packets
from nlp_agent.protocol import Packet, Role, Talk

KINDS = ("seer_white", "seer_black", "suspects", "trusts")


@pytest.mark.parametrize(
    ("day", "results"),
    [
        (1, ["seer_white", "suspects"]),
        (2, ["seer_white", "seer_black"]),
    ],
)
def test_only_one_result_a_night_counts(day: int, results: list[str]) -> None:
    """On day 1 the second "result" is an opinion; on day 2 both nights may have been told at once."""
    pack, state = load_pack("en"), SeatState()
    for packet in sample_packets(pack, 5, Role.VILLAGER, day):
        state.apply(packet.model_copy(update={"talk_history": None}))
    seer, first, second = state.others[0], state.me, state.others[1]
    words = f"I am the seer. I divined {first} and {first} is human. I divined {second} and {second} is a werewolf."
    talks = (Talk(idx=0, day=day, agent=seer, text=words),)
    state.apply(Packet(request="TALK", talk_history=talks))
    planner = Planner(state, pack.reading, 1, why=pack.words.words.why)
    planner.observe()
    told = [one for one in public_facts(state, planner.ledger) if one.who == seer and one.kind in KINDS]
    assert [one.kind for one in told] == results
    assert [one.about for one in told] == [first, second]
