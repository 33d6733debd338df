"""Background requests: what a seat asks its model while nobody waits for an answer of its own.

One question at a time, after a moment of quiet; it is given up as soon as the seat is asked for anything. Whatever a
model does with such a question costs at most what it might have brought.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.model import Answer, Message, Model, Question
from nlp_agent.seat.json_answers import LONGEST
from nlp_agent.seat.log import SeatLog


@dataclass(frozen=True, slots=True)
class BackgroundQuestion:
    """``learn`` takes the answer in and tells for the journal what it brought; it raises ValueError for nonsense.

    ``about`` is what the journal tells of the question itself, beside its prompt.
    """

    prompt: str
    schema: Mapping[str, Any]
    learn: Callable[[str], Mapping[str, Any]]
    about: Mapping[str, Any] = field(default_factory=dict)


class BackgroundRequest(Protocol):
    """Something worth asking a model in a quiet moment."""

    event: str
    """What the journal's row is called."""
    purpose: str
    patience: float
    """Seconds after which an answer is not waited for any more, at the usual pace."""
    lasts: bool
    """Whether the answer is of use whenever it comes, so that the seat's own questions do not end this one."""

    def due(self) -> bool:
        """Whether there is something to ask now."""
        ...

    def question(self) -> BackgroundQuestion:
        """Called when the question goes out, so that it is about the newest state."""
        ...

    def ended(self, *, well: bool) -> None:
        """The question was answered ``well`` or in vain. One that was given up has not ended."""
        ...

    def take(self) -> list[str]:
        """Take in what was asked for other seats and is of use here; returns what was new, for the journal."""
        ...

    def leave(self) -> None:
        """This seat takes no more part."""
        ...


class Background:
    """``hear`` whenever it has heard something, ``idle`` when it has nothing to answer; ``pause`` before it answers,
    ``leave`` at the end.

    ``requests`` come in order of worth. ``pace`` is the share of the usual time that this table gives.
    """

    def __init__(
        self,
        model: Model,
        requests: Sequence[BackgroundRequest],
        log: SeatLog,
        *,
        seat: str,
        quiet: float,
        pace: Callable[[], float],
    ) -> None:
        self._model, self._requests, self._log = model, requests, log
        self._seat, self._quiet, self._pace = seat, quiet, pace
        self._task: asyncio.Task[None] | None = None
        self._settled = False
        """Whether an answer was waited for: that happens once."""
        self._lasting = False
        """Whether the question under way has gone out and is kept until its answer comes."""
        self._unasked = asyncio.Event()
        """Set while nobody waits for an answer of the seat's own."""
        self._unasked.set()

    @property
    def busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def hear(self) -> None:
        """Take in what was asked for other seats. Never raises."""
        for request in self._requests:
            if added := self._log.guarded("taking in what others asked", request.take, None):
                self._log.write(request.event, {"added": added})

    def idle(self) -> None:
        """Ask what is due, unless a question is under way. Never waits, never raises."""
        self._unasked.set()
        request = None if self.busy else self._log.guarded("looking for what to ask", self._next, None)
        if request is not None and (loop := _running_loop()) is not None:
            self._task = loop.create_task(self._ask(request))

    async def settle(self, seconds: float) -> None:
        """Before the first answer of one's own: wait at most ``seconds`` for what is of use whenever it comes, asked
        now if it is due. Never raises."""
        first = not self._settled
        self._settled = True
        lasting = [request for request in self._requests if request.lasts and request.due()] if first else []
        if lasting and not self._lasting:
            self.stop()
            self._task = asyncio.get_running_loop().create_task(self._ask(lasting[0], quiet=False))
        if first and self._task is not None and (lasting or self._lasting):
            await asyncio.wait({self._task}, timeout=seconds)

    def pause(self) -> None:
        """Give up the question under way, unless it lasts: endpoints let every other question go before it. What that
        brings is taken in after the answer, so that no prompt changes between two attempts, nor against the journal."""
        self._unasked.clear()
        if not (self.busy and self._lasting):
            self.stop()

    def stop(self) -> None:
        """Give up the question under way."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def leave(self) -> None:
        """Give up the question under way, and ask for nobody any more."""
        self.stop()
        for request in self._requests:
            request.leave()

    def _next(self) -> BackgroundRequest | None:
        return next((request for request in self._requests if request.due()), None)

    async def _ask(self, request: BackgroundRequest, *, quiet: bool = True) -> None:
        pace = self._pace()
        self._lasting = False
        if quiet and self._quiet:
            await asyncio.sleep(self._quiet * pace)
            if not request.due():
                return  # another seat's answer came meanwhile
        row: dict[str, Any] = {}
        try:
            question = request.question()
            self._lasting = request.lasts
            row |= {**question.about, "user": question.prompt}
            answer = await self._answer(request, question, pace)
            self._log.spend(answer.usage)
            row |= {"raw": (answer.raw or answer.text)[:LONGEST], "notes": list(answer.notes)}
            await self._unasked.wait()
            row |= question.learn(answer.text)
        except asyncio.CancelledError:
            self._log.write(request.event, row | {"problem": "given up"})
            raise
        except (LlmError, TimeoutError, ValueError) as error:
            row["problem"] = str(error) or "too late"
        except Exception as error:
            row["problem"] = f"{type(error).__name__}: {error}"
            self._log.crash(f"asking {request.purpose}")
        request.ended(well="problem" not in row)
        self._log.write(request.event, row)

    async def _answer(self, request: BackgroundRequest, question: BackgroundQuestion, pace: float) -> Answer:
        until = Deadline.after(request.patience * pace, asyncio.get_running_loop().time)
        messages = (Message("user", question.prompt),)
        ask = Question(messages, request.purpose, schema=question.schema, pace=pace, seat=self._seat, background=True)
        async with asyncio.timeout(until.remaining):
            return await self._model.ask(ask, until)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:  # a seat that is played without an event loop does without
        return None
