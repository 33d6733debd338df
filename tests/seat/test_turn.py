"""A turn: what is worked out when, and what goes out where time has run out."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Mapping
from typing import Any
from weakref import ref

import pytest

from nlp_agent.belief.assessment import Belief
from nlp_agent.deadline import Arrival, Deadline
from nlp_agent.errors import LlmError
from nlp_agent.game import SeatState
from nlp_agent.llm.model import Answer, Question
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import Style, load_pack
from nlp_agent.protocol import OVER, SKIP, Request, parse_packet
from nlp_agent.seat import AskingOptions, Decision, How, Seat, Timing
from nlp_agent.seat.decision import SeatLog
from tests.net.server import packet
from tests.timing import TIMING


class Rows(list[dict[str, Any]]):
    def write(self, event: str, row: Mapping[str, Any]) -> None:
        self.append({"event": event, **row})


class Silent:
    """A model that never answers, or that fails at once with ``error``."""

    def __init__(self, error: LlmError | None = None) -> None:
        self._error = error

    async def warm(self) -> None:
        """There is nothing to load."""

    async def aclose(self) -> None:
        """There is nothing to close."""

    async def ask(self, ask: Question, deadline: Deadline) -> Answer:
        if self._error is not None:
            raise self._error
        await asyncio.sleep(3600)
        raise AssertionError


def _talk(skips: int) -> str:
    talks = [{"idx": 0, "day": 1, "turn": 0, "agent": "Leo", "text": "I am the seer and Ida is a werewolf."}]
    asked = parse_packet(packet("TALK", talk_history=talks))
    assert asked.info is not None
    return asked.model_copy(update={"info": asked.info.model_copy(update={"remain_skip": skips})}).to_json()


def _answer(raw: str, model: Silent | None, timing: Timing | None = None) -> tuple[Decision, Seat, Rows]:
    rows, pack = Rows(), load_pack("en")
    seat = Seat(choose_pack=lambda _: pack, model=model, timing=timing or TIMING, seed=1, record=rows)

    async def main() -> Decision:
        for before in (packet("INITIALIZE", day=0), packet("DAILY_INITIALIZE", day=1)):
            seat.hear(parse_packet(before))
        asked = parse_packet(raw)
        seat.hear(asked)
        return await seat.answer(asked, seat.timing.last_moment(Arrival.now(), 60_000))

    return asyncio.run(main()), seat, rows


@pytest.mark.parametrize("request_", ["TALK", "VOTE"])
def test_journal_work_follows_the_reply(request_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What only the journal wants is worked out after the reply.

    Nobody who waits for the answer waits for the posterior, or for what was heard as protocol sentences.
    """
    worked_out: list[str] = []

    def noted(name: str, work: Callable[..., object]) -> Callable[..., object]:
        def worked(*given: object) -> object:
            worked_out.append(name)
            return work(*given)

        return worked

    monkeypatch.setattr(Belief, "row", noted("posterior", Belief.row))
    monkeypatch.setattr(Planner, "heard", noted("heard", Planner.heard))
    decision, seat, rows = _answer(_talk(0) if request_ == "TALK" else packet("VOTE"), None)
    assert worked_out == []
    seat.delivered(decision, Deadline.after(1.0))
    assert worked_out == ["posterior", "heard"]
    assert {"posterior"} <= rows[-1].keys()
    decision.complete()
    assert worked_out == ["posterior", "heard"]


@pytest.mark.parametrize("skips", [0, 1])
@pytest.mark.parametrize(
    ("error", "given_up"),
    [(None, True), (LlmError("late", kind="timeout"), True), (LlmError("down", kind="unreachable"), False)],
)
def test_timed_out_model_does_not_end_talk(
    error: LlmError | None, given_up: bool, skips: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that is given up for lack of time does not end the talk.

    Where the plan has nothing to say but others have news, Skip goes out while skips are left, and it is counted.
    """
    monkeypatch.setattr(Planner, "plan_talk", lambda *_, **__: TalkPlan(over=True, why="nothing new"))
    decision, seat, rows = _answer(_talk(skips), Silent(error), Timing(soft=0.1, give_up=0.2, ceiling=0.5))
    seat.delivered(decision, Deadline.after(1.0))
    assert decision.how is How.FALLBACK
    assert decision.text == (SKIP if given_up and skips else OVER)
    assert (seat.stats.given_up, seat.stats.crashes, seat.stats.late) == (int(given_up), 0, 0)
    assert rows[-1].get("given_up", False) is given_up


def test_failing_plan_does_not_end_talk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan that fails does not end the talk.

    One fault of our own costs one talk, not the day.
    """

    def fails(*_: Any, **__: Any) -> TalkPlan:
        raise RuntimeError("planted")

    monkeypatch.setattr(Planner, "plan_talk", fails)
    assert [_answer(_talk(skips), None)[0].text for skips in (1, 0)] == [SKIP, OVER]


@pytest.mark.parametrize("style", list(Style))
def test_a_finished_turn_leaves_no_garbage(style: Style) -> None:
    """Python frees it, and later all that its game has left, at once: a search for garbage may take half of 100 ms."""
    seat = Seat(
        choose_pack=lambda _: load_pack("en"),
        model=Silent(),
        timing=TIMING,
        seed=1,
        record=Rows(),
        asking=AskingOptions(style),
    )
    for raw in (packet("INITIALIZE", day=0), packet("DAILY_INITIALIZE", day=1), _talk(0)):
        seat.hear(parse_packet(raw))
    turn = seat.begin(Request.TALK)
    assert turn.style.name is style
    turn.prompt()
    turn.own_words()
    seat.delivered(turn.decision, Deadline.after(1.0))
    left, alive = ref(turn), gc.isenabled()
    gc.disable()
    try:
        del turn
        assert left() is None
    finally:
        if alive:
            gc.enable()


def test_late_and_lost_are_counted_by_their_names() -> None:
    """What was not ready in time is late; what ended before its time is lost; neither is a fault of our code."""
    log = SeatLog(Rows(), SeatState())
    log.dropped(None, "TALK", "NAME was asked", Deadline.after(-1.0))
    log.dropped(None, "VOTE", "the connection was lost", Deadline.after(60.0))
    assert (log.stats.late, log.stats.lost, log.stats.dropped, log.stats.crashes) == (1, 1, 2, 0)
    log.sent(Decision("VOTE", 1, "Mia", How.STRATEGY), Deadline.after(-1.0))  # to a server that waits once
    assert log.stats.late == 2


def test_a_long_thought_is_not_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two and a half seconds of 60 are no reason to say less: only the deadline decides what took too long."""
    plan_talk = Planner.plan_talk

    def slow(self: Planner, *given: Any, **more: Any) -> TalkPlan:
        time.sleep(2.5)
        return plan_talk(self, *given, **more)

    quick, _, _ = _answer(_talk(0), None)
    monkeypatch.setattr(Planner, "plan_talk", slow)
    decision, seat, _ = _answer(_talk(0), None)
    assert (decision.text, decision.how, seat.stats.crashes) == (quick.text, How.STRATEGY, 0)
    assert decision.text != OVER
