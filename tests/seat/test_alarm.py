"""A seat that thinks for too long in a game of milliseconds: broken off, and still legal, as announced, and alive."""

from __future__ import annotations

import asyncio
import threading

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.situation import Situation
from nlp_agent.planning.strategy import Standard
from nlp_agent.planning.talk_plan import TalkContext
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Info, Packet, Request, Setting, Talk
from nlp_agent.reading.protocol_language import is_legal
from nlp_agent.seat import Seat, Timing
from nlp_agent.seat.alarm import OutOfTimeError, alarm
from nlp_agent.seat.decision import How

PLAYERS = tuple(f"Agent[{number:02}]" for number in range(1, 6))
SETTING = Setting.model_validate(
    {
        "agent_count": 5,
        "role_num_map": {"WEREWOLF": 1, "POSSESSED": 1, "SEER": 1, "VILLAGER": 2},
        "timeout": {"action": 100, "response": 100},
        "protocol_language": True,
    }
)


class Endless(Standard):
    """Never comes to an end."""

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        return self._think()

    def choose(self, scene: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        return self._think()

    def _think(self) -> TalkPlan:
        while True:
            pass


def _packet(request: str) -> Packet:
    info = Info.model_validate(
        {
            **{"game_id": "g", "day": 1, "agent": PLAYERS[0], "remain_count": 5, "role_map": {PLAYERS[0]: "VILLAGER"}},
            "status_map": dict.fromkeys(PLAYERS, "ALIVE"),
        }
    )
    return Packet(request=request, info=info, setting=SETTING)


@pytest.mark.parametrize("request_", ["TALK", "VOTE"])
def test_a_thought_without_end_is_broken_off(request_: str) -> None:
    """What the built-in strategy finds in the rest of the time goes out, else a plain answer; and so the next time."""
    pack = load_pack("en")
    seat = Seat(choose_pack=lambda _: pack, model=None, timing=Timing(), seed=1, record=None, strategy=Endless)
    for _ in range(2):
        seat.hear(_packet("INITIALIZE"))
        seat.hear(_packet(request_))
        decision = asyncio.run(seat.answer(_packet(request_), Deadline.after(0.03)))
        assert decision.how in (How.RESCUE, How.MIND)
        assert decision.text in PLAYERS[1:] if request_ == "VOTE" else is_legal(decision.text)


def test_a_vote_that_was_announced_is_cast_even_then() -> None:
    """What others were told is known without any thought."""
    pack = load_pack("en")
    seat = Seat(choose_pack=lambda _: pack, model=None, timing=Timing(), seed=1, record=None, strategy=Endless)
    told = (Talk(idx=0, day=1, agent=PLAYERS[0], text="VOTE Agent[04]"),)
    seat.hear(_packet("INITIALIZE"))
    seat.hear(_packet("TALK").model_copy(update={"talk_history": told}))
    seat.hear(_packet("VOTE"))
    last = Deadline(-1.0, -2.0, lambda: 0.0)  # no time is left at all
    assert asyncio.run(seat.answer(_packet("VOTE"), last)).text == "Agent[04]"


def test_an_alarm_rings_only_where_it_is_caught() -> None:
    """Within the given functions of the main thread; elsewhere the work goes on, and afterwards nothing is left."""

    def counting(turns: int) -> int:
        while turns:
            turns -= 1
        return turns

    def catching(turns: int) -> int:
        for _ in range(turns // 100):
            pass  # before it begins to catch
        try:
            return counting(turns)
        except OutOfTimeError:
            return -1

    within = frozenset((catching.__code__,))
    with alarm(0.001, within):
        assert catching(10**9) == -1
        assert sum(range(300_000)) > 0
        assert catching(10) == 0
    found: list[int] = []

    def elsewhere() -> None:
        with alarm(0.001, within):
            found.append(catching(2_000_000))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert found == [0]
