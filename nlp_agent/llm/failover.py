"""Several endpoints as one model: the next one when one fails, a second request when the first takes long, the
sentences that are there when time runs out.

First the rules (which endpoint is asked when, which one rests) on a clock that is passed in; then :class:`Failover`,
which asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.model import Answer, Model, Question, Usage

# --- Which endpoint is asked when, and which one rests ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FailoverPolicy:
    """Seconds after the packet's arrival at the usual pace (60 s for an answer); a question's pace scales them all.

    ``hedge``: a second request is sent; the first good answer wins. ``partial``: the complete sentences of an
    unfinished talk are taken. An endpoint that failed ``failures`` times in a row rests for ``rest`` seconds where
    another one can be asked; then one question at a time tries it again. Every question waits for ``pause`` seconds
    before it is sent, whatever happened before, but at most for half of its time. The figures are those of the config
    (``app/wiring/models.py``).
    """

    hedge: float
    partial: float
    failures: int
    rest: float
    pause: float = 0.0


class CircuitBreaker:
    """A switch that keeps questions away from an endpoint after several failures in a row. All seats share one per
    endpoint.
    """

    def __init__(self, failures: int) -> None:
        self._limit = failures
        self._row = 0
        self._until: float | None = None
        self._sent_away = 0.0
        self._trying = False

    def resting(self, now: float) -> float:
        """Seconds for which no question goes to this endpoint; 0 when it may be asked. While one question tries it
        again, others are kept away.
        """
        if self._until is None:
            return 0.0
        return max(0.0, self._until - now) or float(self._trying)

    def asked_to_stay_away(self, now: float) -> bool:
        """Tell whether the endpoint itself asked us to stay away for longer than until ``now``."""
        return now < self._sent_away

    @property
    def probing(self) -> bool:
        """Whether the next question to the endpoint finds out if it is well again."""
        return self._until is not None

    def asked(self) -> None:
        """Note that a question goes to the endpoint: after a rest it is a trial."""
        self._trying = self._until is not None

    def answered(self) -> None:
        """Note that the endpoint has answered: failures before no longer count."""
        self._row, self._until, self._trying = 0, None, False

    def failed(self, now: float, rest: float, asked_for: float | None = None) -> None:
        """Note that a question failed; after several in a row the endpoint rests for ``rest`` seconds. ``asked_for``:
        seconds for which the endpoint itself asked us to stay away.
        """
        self._row += 1
        self._sent_away = now + (asked_for or 0.0)
        wait = max(asked_for or 0.0, rest if self._row >= self._limit else 0.0)
        if wait:
            self._until = now + wait
        self._trying = False

    def let_go(self) -> None:
        """Note that a question ended before it could tell anything about the endpoint."""
        self._trying = False


@dataclass(slots=True, eq=False)
class Attempt:
    """A request for a question, and what has been heard of it; a :class:`~nlp_agent.llm.model.StreamListener`."""

    endpoint: str
    on_news: Callable[[], None]
    text: str = ""
    sure: bool = False
    alive: bool = False
    asked_to_wait: bool = False
    running: bool = True
    usage: Usage = field(default_factory=Usage)

    def heard(self, text: str, sure: bool) -> None:
        """Note that the endpoint gave a sign of life; see :class:`~nlp_agent.llm.model.StreamListener`."""
        self.alive, self.text, self.sure = True, text, sure
        self.on_news()

    def told_to_wait(self) -> None:
        """Note that the endpoint said when to come back, so that it is not asked again for this question."""
        self.asked_to_wait = True

    def spent(self, usage: Usage) -> None:
        """Add the cost of a call to this attempt."""
        self.usage += usage


def next_to_ask(order: Sequence[str], attempts: Sequence[Attempt], *, late: bool) -> str | None:
    """The endpoint to ask now, if any, of those in ``order`` that may be asked; ``late``: the hedge moment has come.

    One request at a time until then, the next endpoint as soon as one has failed; then two at a time. The second may
    go to the same endpoint when there is no other, once, and not when that endpoint told us to wait.
    """
    running = [attempt for attempt in attempts if attempt.running]
    if len(running) >= (2 if late else 1):
        return None
    asked = {attempt.endpoint for attempt in attempts}
    fresh = next((name for name in order if name not in asked), None)
    if fresh is not None or not running:
        return fresh
    again = running[0].endpoint
    return again if len(attempts) == 1 and again in order and not running[0].asked_to_wait else None


def best_unfinished(attempts: Sequence[Attempt], whole: Callable[[str], str]) -> tuple[Attempt, str] | None:
    """The longest run of complete sentences; what may be a thought counts only where there is nothing else."""
    found = [(attempt, text) for attempt in attempts if (text := whole(attempt.text))]
    return max(found, key=lambda pair: (pair[0].sure, len(pair[1])), default=None)


# --- Several endpoints as one model ----------------------------------------------------------------------------------


_TIME_TO_CHOOSE = 0.01
"""Share of the time kept for choosing among answers, so that one is there before whoever asked has given up."""
_ABOUT_THE_PROMPT = frozenset({"refused", "request"})
"""Failures that say nothing about an endpoint's health."""
LONGEST_REST = 120.0


class Failover:
    """Asks ``models``, by name and in order of preference, by the rules of
    :class:`~nlp_agent.llm.failover.FailoverPolicy`.

    All seats share one. There is at most one answer to a question, and when it is there, no request is left open.
    """

    def __init__(self, models: Mapping[str, Model], policy: FailoverPolicy) -> None:
        self.models = dict(models)
        self.policy = policy
        self.breakers = {name: CircuitBreaker(self.policy.failures) for name in self.models}

    async def warm(self) -> None:
        """Load what the first question to any endpoint would otherwise wait for."""
        await asyncio.gather(*(model.warm() for model in self.models.values()))

    async def aclose(self) -> None:
        """Close the connections of all endpoints."""
        await asyncio.gather(*(model.aclose() for model in self.models.values()))

    async def ask(self, ask: Question, deadline: Deadline) -> Answer:
        """The first good answer before ``deadline``, else the best unfinished one; raises LlmError without any."""
        if self.policy.pause:
            await asyncio.sleep(min(self.policy.pause, deadline.remaining / 2))
        if ask.background:
            return await self._in_background(ask, deadline)
        question = _HedgedQuestion(self, ask, deadline.minus(deadline.total * _TIME_TO_CHOOSE))
        try:
            answer = await question.run()
        finally:
            await question.end()
        return question.with_cost(answer)

    def order(self, now: float) -> list[str]:
        """The endpoints that may be asked; those that rest only where all do, for no answer at all is no better."""
        well = [name for name, breaker in self.breakers.items() if not breaker.resting(now)]
        return well or [name for name, breaker in self.breakers.items() if not breaker.asked_to_stay_away(now)]

    async def _in_background(self, ask: Question, deadline: Deadline) -> Answer:
        """One try of the first endpoint that is well; whatever comes of it is not held against that endpoint."""
        now = deadline.clock()
        for name, breaker in self.breakers.items():
            if not breaker.resting(now) and not breaker.probing:
                return await self.models[name].ask(ask, deadline)
        raise LlmError(f"{', '.join(self.models)}: resting after failures", kind="unreachable")


class _HedgedQuestion:
    """One question on its way to one answer."""

    def __init__(self, failover: Failover, ask: Question, deadline: Deadline) -> None:
        self._failover, self._ask, self._deadline = failover, ask, deadline
        policy, born = failover.policy, deadline.arrived_at
        self._hedge, self._partial = (born + seconds * ask.pace for seconds in (policy.hedge, policy.partial))
        self._soft = ask.soft.at if ask.soft else born
        self._rest = policy.rest * ask.pace
        self._attempts: dict[asyncio.Task[Answer], Attempt] = {}
        self._news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._notes: list[str] = []
        self._unfinished: dict[Attempt, Answer] = {}
        self._failure: BaseException | None = None
        self._winner: Attempt | None = None

    # --- asking ----------------------------------------------------------------------------------------------------

    async def run(self) -> Answer:
        while True:
            self._start_what_is_due()
            running = self._running()
            if not running:
                return self._last_resort()
            await self._something_happens(running)
            for task in running:
                if task.done() and (answer := self._result(task)) is not None:
                    return answer
            if (early := self._taken_early()) is not None:
                return early
            if self._deadline.passed:
                return self._last_resort()

    def _running(self) -> list[asyncio.Task[Answer]]:
        return [task for task, attempt in self._attempts.items() if attempt.running]

    def _start_what_is_due(self) -> None:
        while not self._deadline.passed:
            now = self._deadline.clock()
            order = self._failover.order(now)
            late = now >= self._hedge
            name = next_to_ask(order, list(self._attempts.values()), late=late)
            if name is None:
                return
            if self._running():
                self._notes.append(f"no answer yet: asked {name} as well")
            self._failover.breakers[name].asked()
            attempt = Attempt(name, self._hear)
            question = replace(self._ask, listener=attempt)
            self._attempts[asyncio.create_task(self._failover.models[name].ask(question, self._deadline))] = attempt

    def _hear(self) -> None:
        # Before that moment the pieces of a stream are nobody's business here.
        if self._deadline.clock() >= self._partial and not self._news.done():
            self._news.set_result(None)

    async def _something_happens(self, running: list[asyncio.Task[Answer]]) -> None:
        """Wait for an answer, a failure, the next moment of the failover, or late news."""
        if self._news.done():
            self._news = asyncio.get_running_loop().create_future()
        now = self._deadline.clock()
        moments = [moment for moment in (self._soft, self._hedge, self._partial) if moment > now]
        timeout = max(0.0, min([*moments, self._deadline.at]) - now)
        things: set[asyncio.Future[Any]] = {self._news, *running}
        await asyncio.wait(things, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)

    def _result(self, task: asyncio.Task[Answer]) -> Answer | None:
        """The answer of an attempt that has ended, if it is good; otherwise what it brought is kept."""
        attempt = self._attempts[task]
        attempt.running = False
        breaker = self._failover.breakers[attempt.endpoint]
        error = task.exception()
        if error is not None:
            self._failure = error
            self._notes.append(
                f"{attempt.endpoint}: {error.kind if isinstance(error, LlmError) else type(error).__name__}"
            )
            self._count_failure(attempt, error)
            return None
        answer = task.result()
        breaker.answered()
        if answer.text and (answer.complete or answer.text in self._ask.choices):
            self._winner = attempt
            return answer
        attempt.text = answer.text
        if answer.text:
            self._unfinished[attempt] = answer
            self._notes.append(f"{attempt.endpoint}: unfinished")
        else:
            self._failure = LlmError(f"{attempt.endpoint} answered with no text", kind="empty")
            self._notes.append(f"{attempt.endpoint}: empty")
        return None

    def _count_failure(self, attempt: Attempt, error: BaseException | None = None) -> None:
        breaker = self._failover.breakers[attempt.endpoint]
        failure = error if isinstance(error, LlmError) else None
        if failure is not None and failure.kind in _ABOUT_THE_PROMPT:
            breaker.let_go()
            return
        asked_for = min(failure.retry_after, LONGEST_REST) if failure and failure.retry_after else None
        breaker.failed(self._deadline.clock(), self._rest, asked_for)

    # --- answers that are not finished -------------------------------------------------------------------------

    def _taken_early(self) -> Answer | None:
        """A talk that is complete though its stream goes on, or, once time is short, what is there of one."""
        now = self._deadline.clock()
        for attempt in self._attempts.values():
            if attempt.running and attempt.sure and self._ask.is_enough(attempt.text):
                self._winner = attempt
                return Answer(attempt.text, raw=attempt.text, endpoint=attempt.endpoint)
        return self._sentences() if now >= self._partial else None

    def _sentences(self) -> Answer | None:
        if self._ask.whole is None:
            return None
        best = best_unfinished(list(self._attempts.values()), self._ask.whole)
        if best is None:
            return None
        self._winner, text = best
        self._notes.append("the complete sentences of an unfinished answer")
        unfinished = self._unfinished.get(self._winner)
        raw, notes = (unfinished.raw, unfinished.notes) if unfinished else (self._winner.text, ())
        return Answer(text, raw, complete=False, endpoint=self._winner.endpoint, notes=notes)

    def _last_resort(self) -> Answer:
        if (sentences := self._sentences()) is not None:
            return sentences
        if self._ask.whole is None and self._unfinished:
            self._winner, answer = next(iter(self._unfinished.items()))
            return answer
        # Where one still runs, time has run out, whatever became of the others.
        if self._failure is not None and not self._running():
            raise self._failure
        names = ", ".join(self._failover.models)
        if self._unfinished:
            raise LlmError(f"{names}: not one sentence was finished in time", kind="timeout")
        if not self._attempts:
            raise LlmError(f"{names}: asked us to stay away for a while", kind="unreachable")
        raise LlmError(f"{names}: no answer in time; a faster model or another endpoint may help", kind="timeout")

    # --- afterwards --------------------------------------------------------------------------------------------

    async def end(self) -> None:
        """Cancel what still runs, see it closed, and tell the breakers what its silence means."""
        running = self._running()
        for task in running:
            self._judge_silence(self._attempts[task], ended=task.done())
            task.cancel()
        await asyncio.gather(*self._attempts, return_exceptions=True)
        # The failure's traceback and the listeners of the attempts refer back to this object. Without these circles it
        # is freed now, with its prompts, and not only by the next full garbage collection, some ten games later.
        self._failure = None
        for attempt in self._attempts.values():
            attempt.on_news = _ignore_news

    def _judge_silence(self, attempt: Attempt, *, ended: bool) -> None:
        """Not a word by the deadline, or before another endpoint had answered the second request, is a failure."""
        beaten = self._winner is not None and self._winner.endpoint != attempt.endpoint
        slow = self._deadline.passed or (beaten and self._deadline.clock() >= self._hedge)
        if slow and not ended and not attempt.alive:
            self._count_failure(attempt)
        else:
            self._failover.breakers[attempt.endpoint].let_go()

    def with_cost(self, answer: Answer) -> Answer:
        """The answer with what the whole question cost and the notes of what happened."""
        usage = answer.usage
        for attempt in self._attempts.values():
            if attempt is not self._winner or not usage.calls:
                usage += attempt.usage
        return replace(answer, usage=usage, notes=(*answer.notes, *self._notes))


def _ignore_news() -> None:
    """News of a question that is over."""
