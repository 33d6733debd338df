"""A model behind an OpenAI-compatible endpoint: one question, one answer before the deadline, or an LlmError."""

from __future__ import annotations

import asyncio
import random
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.failure import can_step_down, complaint, explain, timed_out
from nlp_agent.llm.model import Answer, Question, Usage
from nlp_agent.llm.request import Capabilities, EndpointConfig, build_request, step_down
from nlp_agent.llm.response import AskTrace, Response, ThoughtFilter, chosen_name
from nlp_agent.llm.retrying import retrying_for

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = ["EndpointConfig", "EndpointModel"]

_TAIL_SECONDS = 1.0
"""How long to wait for the usage once the model has said that it is finished."""


@dataclass
class _Failed:
    error: LlmError
    complaint: str = ""


@dataclass
class Health:
    """The record of how the calls to an endpoint went: ``seconds`` of the last ones, ``failures`` by kind (``rate`` is
    a 429), and what all of them cost.
    """

    seconds: deque[float] = field(default_factory=lambda: deque(maxlen=100))
    failures: Counter[str] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)


class EndpointModel:
    """A model behind one endpoint, shared by all seats: one client, one limit of open requests, one memory of
    step-downs.

    ``usage`` is the sum over all seats, failed calls included, ``health`` how these calls went. ``sleep`` and
    ``jitter`` (0 to 1) are for tests.
    """

    def __init__(
        self,
        config: EndpointConfig,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.config = config
        self.health = Health()
        self._sleep, self._jitter = sleep, jitter
        self._dialect = Capabilities.of(config)
        self._headless = bool(config.headless_thinking)
        self._knows_thinking = config.headless_thinking is not None
        self._slots = asyncio.Semaphore(max(1, config.concurrency))
        self._background: set[asyncio.Task[Any]] = set()
        """Who holds a slot for a background request."""
        self._opening = asyncio.Lock()
        self._client: AsyncOpenAI | None = None

    @property
    def usage(self) -> Usage:
        """The cost of all calls of this process to the endpoint."""
        return self.health.usage

    async def warm(self) -> None:
        """Import and open the client in a thread. Optional; the first question does it otherwise."""
        await self.client()

    async def aclose(self) -> None:
        """Close the client and its connections; safe to call twice."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def ask(self, ask: Question, deadline: Deadline) -> Answer:
        """Answer before ``deadline``; a text that is there when time or connection ends comes back incomplete.

        Raises LlmError when there is nothing to show. Cancelling leaves no task and no connection behind.
        """
        trail = AskTrace()
        try:
            most = 1 if ask.background else self.config.attempts
            retrying = retrying_for(ask, deadline, trail, most, self._sleep, self._jitter)
            try:
                return await retrying(self._attempt, ask, deadline, trail)
            finally:
                retrying.iter_state.reset()  # its list of steps holds itself, and so the prompt, for long
        except LlmError as error:
            failure = error
        if trail.partial is not None:
            notes = (*trail.notes, f"broke off: {failure.kind}")
            return replace(trail.partial, usage=trail.usage, notes=notes)
        # Raised outside the handler: nothing that could hold the key is chained to it.
        try:
            raise failure
        finally:
            del failure  # or the error would hold this frame, and the frame the error

    async def client(self) -> AsyncOpenAI:
        """The client, opened in a thread when it is not open yet; one for all seats."""
        if self._client is None:
            async with self._opening:
                if self._client is None:
                    self._client = await asyncio.to_thread(_open_client, self.config)
        return self._client

    async def _attempt(self, ask: Question, deadline: Deadline, trail: AskTrace) -> Answer:
        """One turn of the retry layer: a call, and those that a refused feature or a small cap make necessary.

        What was learned is remembered for the session only when a call succeeds with it, so that one odd
        refusal does not make all later requests poorer.
        """
        dialect, enlarged = self._dialect, False
        while True:
            request = build_request(self.config, dialect, ask)
            response = await self._call(request, ask, deadline, trail)
            if isinstance(response, _Failed):
                lower = step_down(dialect, request, response.complaint) if can_step_down(response.error) else None
                if lower is None:
                    raise response.error
                dialect = lower[0]
                trail.notes.append(lower[1])
                continue
            if request.get("stream") and not response.events and not response.late:
                dialect = replace(dialect, dropped=dialect.dropped | {"stream"})
                trail.notes.append("stepped down: no stream")
                continue
            if not ask.background:
                self._dialect = self._dialect.merged(dialect)
            if response.spent_on_thinking(self._knows_thinking) and not enlarged and not deadline.passed:
                dialect, enlarged = dialect.roomier(), True
                trail.notes.append("cap spent on thinking: asked again with more room")
                continue
            return self._answer(response, ask, trail)

    async def _call(
        self, request: dict[str, Any], ask: Question, deadline: Deadline, trail: AskTrace
    ) -> Response | _Failed:
        response = Response(ThoughtFilter(headless=self._headless, secrets=self.config.secrets))
        if ask.background and self._slots.locked():
            raise LlmError(f"endpoint {self.config.name!r} is busy with questions that cannot wait", kind="other")
        started = deadline.clock()
        failed = None
        try:
            async with asyncio.timeout(deadline.remaining) as limit, self._slot(ask):
                started = deadline.clock()
                await self._listen(request, ask, response, deadline, limit)
        except TimeoutError:
            response.late = not response.finish
            self.health.failures["timeout"] += response.late
        except Exception as error:
            failed = _Failed(explain(error, self.config), complaint(error))
            self.health.failures[failed.error.kind] += 1
        finally:
            spent, counted = response.usage_of(request, deadline.clock() - started)
            spent = replace(spent, money=self.config.prices.of(spent) if self.config.prices else None)
            trail.notes += [] if counted else ["tokens estimated"]
            trail.usage += spent
            self.health.usage += spent
            self.health.seconds.append(spent.seconds)
            if ask.listener:
                ask.listener.spent(spent)
        response.thoughts.finish(whole=response.finish == "stop")
        if failed is None:
            return response
        self._keep_partial(response, ask, trail)
        return failed

    @asynccontextmanager
    async def _slot(self, ask: Question) -> AsyncIterator[None]:
        """One of the calls the endpoint takes at a time; a background request gives its own up to any other."""
        task = asyncio.current_task()
        holders = {task} if ask.background and task else set()
        if not ask.background and self._slots.locked() and self._background:
            self._background.pop().cancel()
        async with self._slots:
            self._background |= holders
            try:
                yield
            finally:
                self._background -= holders

    async def _listen(
        self, request: dict[str, Any], ask: Question, response: Response, deadline: Deadline, limit: asyncio.Timeout
    ) -> None:
        client = await self.client()
        from nlp_agent.llm.client import post_chat  # noqa: PLC0415 - loaded with the client

        # The client's own timeout is per read and only a second line behind ``limit``.
        reply: Any = await post_chat(client, request, deadline.remaining + 1)
        if not request.get("stream"):
            response.take(reply, "message")
            return
        loop = asyncio.get_running_loop()
        async with reply:
            async for event in reply:
                ended = bool(response.finish)
                response.take(event, "delta")
                text, sure = response.thoughts.visible, self._sure(response)
                if ask.listener:
                    ask.listener.heard(text, sure)
                if response.finish and not ended:
                    limit.reschedule(min(limit.when() or loop.time(), loop.time() + _TAIL_SECONDS))
                if response.is_full or (not response.finish and sure and ask.is_enough(text)):
                    break

    def _sure(self, response: Response) -> bool:
        """Until it is known how this endpoint thinks, what looks like a talk may be a thought that is closed later."""
        return self._knows_thinking or response.reasoning or response.thoughts.opened or response.thoughts.headless

    def _answer(self, response: Response, ask: Question, trail: AskTrace) -> Answer:
        text = response.thoughts.visible
        self._learn_thinking(response, ask)
        if text:
            complete = not response.late and response.finish != "length" and not response.is_full
            named = chosen_name(text) if ask.choices else text
            return Answer(named, response.thoughts.raw, complete, trail.usage, self.config.name, tuple(trail.notes))
        if response.late:
            raise timed_out(self.config)
        name = self.config.name
        if response.refusal or response.finish == "content_filter":
            raise LlmError(f"the model behind {name!r} refuses to answer this prompt", kind="refused")
        trail.hopeless = response.finish == "length"
        why = (
            "spent its whole cap on thinking: raise llm.max_tokens or lower llm.reasoning_effort"
            if trail.hopeless
            else "answered with no text: is it a chat model?"
        )
        raise LlmError(f"the model behind {name!r} {why}", kind="empty")

    def _learn_thinking(self, response: Response, ask: Question) -> None:
        """Remember whether thoughts come without an opening tag; only a whole, unforced answer can tell."""
        if response.thoughts.headless and self.config.headless_thinking is None:
            self._headless = self._knows_thinking = True
        elif response.finish == "stop" and response.thoughts.visible and not ask.choices:
            self._knows_thinking = True

    def _keep_partial(self, response: Response, ask: Question, trail: AskTrace) -> None:
        """Keep the longest talk of a broken stream for the case that no later call does better."""
        text = response.thoughts.visible
        if not ask.choices and text and (trail.partial is None or len(text) > len(trail.partial.text)):
            trail.partial = Answer(text, response.thoughts.raw, complete=False, endpoint=self.config.name)


def _open_client(config: EndpointConfig) -> AsyncOpenAI:
    from nlp_agent.llm.client import open_client  # noqa: PLC0415 - takes most of a second, so in a thread

    return open_client(config)
