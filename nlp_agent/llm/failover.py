"""Several endpoints as one model: the next one when one fails, a second request when the first takes long,
the sentences that are there when time runs out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.hedging import Attempt, Breaker, Policy, best_unfinished, next_to_ask
from nlp_agent.llm.model import Answer, Ask, Model

_KEPT_BACK = 0.01
"""Share of the time kept for choosing among answers, so that one is there before whoever asked has given up."""
_ABOUT_THE_PROMPT = frozenset({"refused", "request"})
"""Failures that say nothing about an endpoint's health."""
LONGEST_REST = 120.0


class Failover:
    """Asks ``models``, by name and in order of preference, by the rules of :class:`~nlp_agent.llm.hedging.Policy`.

    All seats share one. There is at most one answer to a question, and when it is there, no request is left open.
    """

    def __init__(self, models: Mapping[str, Model], policy: Policy | None = None) -> None:
        self.models = dict(models)
        self.policy = policy or Policy()
        self.breakers = {name: Breaker(self.policy.failures) for name in self.models}

    async def warm(self) -> None:
        await asyncio.gather(*(model.warm() for model in self.models.values()))

    async def aclose(self) -> None:
        await asyncio.gather(*(model.aclose() for model in self.models.values()))

    async def ask(self, ask: Ask, deadline: Deadline) -> Answer:
        """The first good answer before ``deadline``, else the best unfinished one; raises LlmError without any."""
        if self.policy.pause:
            await asyncio.sleep(min(self.policy.pause, deadline.remaining / 2))
        if ask.background:
            return await self._in_background(ask, deadline)
        question = _HedgedQuestion(self, ask, deadline.minus(deadline.total * _KEPT_BACK))
        try:
            answer = await question.run()
        finally:
            await question.end()
        return question.told(answer)

    def order(self, now: float) -> list[str]:
        """The endpoints that may be asked; those that rest only where all do, for no answer at all is no better."""
        well = [name for name, breaker in self.breakers.items() if not breaker.resting(now)]
        return well or [name for name, breaker in self.breakers.items() if not breaker.sent_away(now)]

    async def _in_background(self, ask: Ask, deadline: Deadline) -> Answer:
        """One try of the first endpoint that is well; whatever comes of it is not held against that endpoint."""
        now = deadline.clock()
        for name, breaker in self.breakers.items():
            if not breaker.resting(now) and not breaker.probing:
                return await self.models[name].ask(ask, deadline)
        raise LlmError(f"{', '.join(self.models)}: resting after failures", kind="unreachable")


class _HedgedQuestion:
    """One question on its way to one answer."""

    def __init__(self, failover: Failover, ask: Ask, deadline: Deadline) -> None:
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
        """The answer of a attempt that has ended, if it is good; otherwise what it brought is kept."""
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
        told = error if isinstance(error, LlmError) else None
        if told is not None and told.kind in _ABOUT_THE_PROMPT:
            breaker.let_go()
            return
        asked_for = min(told.retry_after, LONGEST_REST) if told and told.retry_after else None
        breaker.failed(self._deadline.clock(), self._rest, asked_for)

    # --- answers that are not finished -------------------------------------------------------------------------

    def _taken_early(self) -> Answer | None:
        """A talk that is complete though its stream goes on, or late in the day what is there of one."""
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
        told = self._unfinished.get(self._winner)
        raw, notes = (told.raw, told.notes) if told else (self._winner.text, ())
        return Answer(text, raw, complete=False, endpoint=self._winner.endpoint, notes=notes)

    def _last_resort(self) -> Answer:
        if (sentences := self._sentences()) is not None:
            return sentences
        if self._ask.whole is None and self._unfinished:
            self._winner, answer = next(iter(self._unfinished.items()))
            return answer
        if self._failure is not None:
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
        # A question that holds itself no longer goes at once, with the prompts it holds, instead of with the next full
        # collection, ten games later.
        self._failure = None
        for attempt in self._attempts.values():
            attempt.on_news = _unheard

    def _judge_silence(self, attempt: Attempt, *, ended: bool) -> None:
        """Not a word by the deadline, or before another endpoint had answered the second request, is a failure."""
        beaten = self._winner is not None and self._winner.endpoint != attempt.endpoint
        slow = self._deadline.passed or (beaten and self._deadline.clock() >= self._hedge)
        if slow and not ended and not attempt.alive:
            self._count_failure(attempt)
        else:
            self._failover.breakers[attempt.endpoint].let_go()

    def told(self, answer: Answer) -> Answer:
        """The answer with what the whole question cost and the notes of what happened."""
        usage = answer.usage
        for attempt in self._attempts.values():
            if attempt is not self._winner or not usage.calls:
                usage += attempt.usage
        return replace(answer, usage=usage, notes=(*answer.notes, *self._notes))


def _unheard() -> None:
    """News of a question that is over."""
