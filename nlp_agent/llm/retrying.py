"""The one retry layer of a question: passing faults only, a few times, never beyond the deadline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tenacity import RetryCallState
from tenacity.asyncio import AsyncRetrying

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.model import Question
from nlp_agent.llm.response import AskTrace

_BACK_OFF = (0.5, 1.0, 2.0, 4.0)
"""Seconds, before jitter, unless the endpoint asks for others."""
_PASSING = frozenset({"unreachable", "rate", "server", "empty"})


def retrying_for(
    ask: Question,
    deadline: Deadline,
    trail: AskTrace,
    attempts: int,
    sleep: Callable[[float], Awaitable[None]],
    jitter: Callable[[], float],
) -> AsyncRetrying:
    """Make the retries of one question: at most ``attempts`` calls for ``ask``; ``trail`` and its listener are told of
    each retry.
    """

    def passing(state: RetryCallState) -> bool:
        error = _error(state)
        return error is not None and error.kind in _PASSING and not trail.hopeless

    def pause(state: RetryCallState) -> float:
        error = _error(state)
        usual = _BACK_OFF[min(state.attempt_number, len(_BACK_OFF)) - 1] * (0.5 + jitter() / 2)
        return usual if error is None or error.retry_after is None else error.retry_after

    def enough_tried(state: RetryCallState) -> bool:
        return state.attempt_number >= attempts or state.upcoming_sleep >= deadline.remaining

    def tell(state: RetryCallState) -> None:
        error = _error(state)
        trail.notes.append(f"retry after {error.kind if error else 'other'}, waited {state.upcoming_sleep:.1f} s")
        if ask.listener and error is not None and error.retry_after is not None:
            ask.listener.told_to_wait()

    return AsyncRetrying(sleep=sleep, stop=enough_tried, wait=pause, retry=passing, before_sleep=tell, reraise=True)


def _error(state: RetryCallState) -> LlmError | None:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, LlmError) else None
