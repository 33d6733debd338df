"""A strategy of the user's own: asked every time while it answers, left behind for the game when it does not."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.situation import Situation
from nlp_agent.planning.strategy import Standard, TooSlowError
from nlp_agent.planning.talk_plan import TalkContext
from nlp_agent.protocol import Request
from nlp_agent.seat.own_strategy import SHARE, TimedStrategy, timed

_SCENE, _CONTEXT = cast(Situation, None), cast(TalkContext, None)


class Instant:
    """Answers at once, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        self.asked += 1
        return TalkPlan(over=True)

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        self.asked += 1
        return TargetPlan(legal[0])


class Hanging(Instant):
    """Answers when the test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.over = threading.Event()

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        self.asked += 1
        self.over.wait()
        return TargetPlan(legal[0])


@contextmanager
def _busy_machine(processes: int = 4) -> Iterator[None]:
    """Meanwhile other processes want all of every core."""
    command = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(command) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


@pytest.mark.parametrize(
    "calls", [3_000, pytest.param(60_000, marks=pytest.mark.statistics)], ids=["quick", "sixty thousand"]
)
def test_an_instant_strategy_is_asked_every_time(calls: int) -> None:
    """Also on a busy machine, where the thread of the last question may still be ending when the next one comes."""
    strategy = Instant()
    asked = TimedStrategy(strategy)
    with _busy_machine():
        for _ in range(calls // 2):
            asked.until = Deadline.after(55.0)
            asked.choose(_SCENE, Request.VOTE, ("Mia",))
            asked.plan_talk(_CONTEXT)
    assert strategy.asked == calls
    assert not asked.is_left_behind


def test_a_strategy_that_hangs_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets a share of the time left, is told of once, and is not asked again: the built-in one answers."""
    built_in: list[str] = []

    def choose(self: Standard, situation: Any, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        built_in.append(legal[0])
        return TargetPlan(legal[0])

    monkeypatch.setattr(Standard, "choose", choose)
    strategy = Hanging()
    asked = TimedStrategy(strategy)
    asked.until = Deadline.after(0.4, lambda: 0.0)
    patience = rf"gave no answer within {SHARE * 0.4:g} s, .*, and is not asked again in this game"
    with pytest.raises(TooSlowError, match=patience) as told:
        asked.choose(_SCENE, Request.VOTE, ("Mia",))
    assert "over.wait()" in told.value.stack
    strategy.over.set()
    for _ in range(3):
        asked.choose(_SCENE, Request.VOTE, ("Mia",))
    assert (strategy.asked, built_in) == (1, ["Mia"] * 3)
    assert asked.is_left_behind


def test_no_time_left_is_not_the_strategys_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """The built-in one answers where the deadline has passed; with the next request it is asked again."""
    monkeypatch.setattr(Standard, "choose", lambda _, situation, request, legal: TargetPlan(legal[0]))
    strategy = Instant()
    asked = TimedStrategy(strategy)
    asked.until = Deadline.after(-1.0)
    asked.choose(_SCENE, Request.VOTE, ("Mia",))
    assert (strategy.asked, asked.is_left_behind) == (0, False)
    asked.until = Deadline.after(55.0)
    asked.choose(_SCENE, Request.VOTE, ("Mia",))
    assert strategy.asked == 1


def test_what_a_strategy_raises_is_raised() -> None:
    """A TimeoutError of its own too: that is a failure, not a strategy that is too slow."""

    class Failing(Instant):
        def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
            raise TimeoutError("my own")

    asked = TimedStrategy(Failing())
    with pytest.raises(TimeoutError, match="my own"):
        asked.choose(_SCENE, Request.VOTE, ("Mia",))
    assert not asked.is_left_behind


def test_the_built_in_strategy_needs_no_thread() -> None:
    """Only somebody else's code is timed."""
    assert timed(None) is None
    assert timed(Standard()) is None
    assert isinstance(timed(Instant()), TimedStrategy)
