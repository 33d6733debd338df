"""A strategy of the user's own, asked in a worker thread: one that does not answer in time is left behind.

Somebody else's code may loop for ever, wait for a network, or sleep; a thread cannot be stopped from outside, and is
not. It is left to itself, its strategy is not asked again in this game, and the built-in one decides instead. Whoever
plays where threads are forbidden (the contest's Protocol Division) uses the built-in strategy.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from typing import TypeVar

from nlp_agent.deadline import Deadline
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.situation import Situation
from nlp_agent.planning.strategy import Standard, Strategy, TooSlowError
from nlp_agent.planning.talk_plan import TalkContext
from nlp_agent.protocol import Request

T = TypeVar("T")

SHARE = 0.25
"""Share of the time left for the request that one question may take.

The event loop waits meanwhile, so that nothing changes under a strategy's hands. A share of what is *left* is enough
for all: of 13 seats in one process whose strategies all hang in the same moment, each waits for a quarter of what the
others have left it, so every reply is made before its deadline, and the next turns wait for none of them.
"""
_UNLIMITED = 10.0
"""Seconds one question may take where there is no request with a deadline: in a check before the match."""


def timed(strategy: Strategy | None) -> TimedStrategy | None:
    """Give ``strategy`` a limit of time; ``None`` for the built-in one, which needs none."""
    return None if strategy is None or type(strategy) is Standard else TimedStrategy(strategy)


class TimedStrategy:
    """A strategy of the user's own with a limit of time for each question.

    Both methods return what ``strategy`` does and raise what it raises. When it gives no answer in time TooSlowError is
    raised, once in a game: from then on the built-in strategy answers.

    Attributes:
        until: the deadline of the request that questions are asked for; a question gets :data:`SHARE` of what is left.
    """

    def __init__(self, strategy: Strategy) -> None:
        self._strategy: Strategy = strategy
        self.until: Deadline | None = None

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        """Ask the strategy what to say in public now. Raises TooSlowError, and whatever the strategy raises."""
        strategy = self._strategy
        return self._ask(lambda: strategy.plan_talk(context), lambda: Standard().plan_talk(context))

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        """Ask the strategy whom to name. Raises TooSlowError, and whatever the strategy raises."""
        strategy = self._strategy
        return self._ask(
            lambda: strategy.choose(situation, request, legal), lambda: Standard().choose(situation, request, legal)
        )

    @property
    def is_left_behind(self) -> bool:
        """Whether the strategy gave no answer in time and is not asked any more."""
        return type(self._strategy) is Standard

    def _ask(self, question: Callable[[], T], built_in: Callable[[], T]) -> T:
        seconds = _UNLIMITED if self.until is None else SHARE * self.until.remaining
        if self.is_left_behind or seconds <= 0.0:  # that no time was left is not the strategy's fault
            return built_in()
        answer: Future[T] = Future()
        thread = Thread(target=_answer, args=(question, answer), daemon=True, name="strategy")
        thread.start()
        try:
            return answer.result(seconds)
        except TimeoutError:
            if answer.done():  # an error of its own of this kind, or an answer at the very last moment
                return answer.result()
        place, stack = _place_of(thread)
        self._strategy = Standard()
        raise TooSlowError(f"gave no answer within {seconds:.3g} s{place}, and is not asked again in this game", stack)


def _answer(question: Callable[[], T], answer: Future[T]) -> None:
    """Runs in the worker thread: whatever happens there is the answer."""
    try:
        answer.set_result(question())
    except BaseException as error:  # somebody else's code: SystemExit too costs its own answer, nothing more
        answer.set_exception(error)


def _place_of(thread: Thread) -> tuple[str, str]:
    """Where ``thread`` is just now, as ``", file line n"`` and as a stack trace; both empty when it cannot be told."""
    frame = sys._current_frames().get(thread.ident or 0)
    if frame is None:
        return "", ""
    place = f", {Path(frame.f_code.co_filename).name} line {frame.f_lineno}"
    return place, "".join(traceback.format_stack(frame))
