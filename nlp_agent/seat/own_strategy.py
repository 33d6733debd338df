"""A strategy of the user's own, asked in a thread of its own: one that never returns costs its answer, not the game."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.situation import Situation
from nlp_agent.planning.strategy import Strategy, TooSlowError
from nlp_agent.planning.talk_plan import TalkContext
from nlp_agent.protocol import Request

T = TypeVar("T")

PATIENCE = 0.8
"""Seconds one question may take. Meanwhile the event loop waits, so that nothing changes under a strategy's hands; a
talk is two questions, and together they stay below what the watchdog allows a loop to be held."""
_PARTING = 0.05
"""Seconds a thread that was told to stop gets for it."""
CHANCES = 3
"""Questions of a game that may go unanswered before no more are asked."""


class _Enough(BaseException):
    """Raised within the thread of a strategy that is no longer waited for. No ``except Exception`` holds it."""


class TimedStrategy:
    """``strategy`` with ``patience`` seconds for a question; methods raise what it raises, or TooSlowError.

    A thread that cannot be stopped is left alone, and its strategy is not asked again before it has come back.
    """

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self._chances = CHANCES
        self._at_it: Thread | None = None

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        return self._ask(lambda: self._strategy.plan_talk(context))

    def choose(self, scene: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        return self._ask(lambda: self._strategy.choose(scene, request, legal))

    def _ask(self, question: Callable[[], T]) -> T:
        if self._at_it is not None and self._at_it.is_alive():
            raise TooSlowError("was not asked, being still at an earlier question")
        if not self._chances:
            raise TooSlowError(f"was not asked, having been too slow {CHANCES} times in this game")
        answer: Future[T] = Future()
        self._at_it = thread = Thread(target=_answer, args=(question, answer), daemon=True, name="strategy")
        thread.start()
        try:
            return answer.result(PATIENCE)
        except TimeoutError:
            if answer.done():  # its own error, or an answer at the very last moment
                return answer.result()
        self._chances -= 1
        frame = sys._current_frames().get(thread.ident or 0)
        place = f", {frame.f_code.co_filename.rpartition('/')[2]} line {frame.f_lineno}" if frame else ""
        late = TooSlowError(f"gave no answer within {PATIENCE} s{place}", "".join(traceback.format_stack(frame)))
        del frame  # it holds all that the strategy has made
        _stop(thread)
        raise late


def _answer(question: Callable[[], T], answer: Future[T]) -> None:
    try:
        answer.set_result(question())
    except BaseException as error:
        answer.set_exception(error)


def _stop(thread: Thread) -> None:
    """Ask the interpreter to end ``thread`` at its next step; what waits outside of it goes on waiting."""
    import ctypes  # noqa: PLC0415 - hardly ever needed

    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_Enough))
        thread.join(_PARTING)
