"""A model that answers from a script: for tests and demonstrations, without any network."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.model import Answer, Question, Usage


@dataclass(frozen=True)
class Delay:
    """Wait for ``until`` (such as ``asyncio.Event().wait``) before ``then`` happens."""

    until: Callable[[], Awaitable[object]]
    then: str | Exception


Reaction = str | Exception | Delay
Script = Callable[[Question], Reaction] | Sequence[Reaction]


class ScriptedModel:
    """Answers each question with the script's next reaction: a text, an exception to raise, or a delayed one.

    ``script`` is a function of the question, or a sequence used up in order; after its end every question
    fails with LlmError. ``asks`` records the questions. ``Answer.usage`` counts the call.
    """

    def __init__(self, script: Script, *, name: str = "scripted") -> None:
        self.name = name
        self.asks: list[Question] = []
        self._script = script

    async def warm(self) -> None:
        """Do nothing: there is nothing to load."""

    async def ask(self, ask: Question, deadline: Deadline) -> Answer:
        """The next answer of the script; raises LlmError where the script says so, or after the deadline."""
        self.asks.append(ask)
        reaction = self._next(ask)
        try:
            async with asyncio.timeout(deadline.remaining):
                if isinstance(reaction, Delay):
                    await reaction.until()
                    reaction = reaction.then
        except TimeoutError:
            raise LlmError("the script's answer came too late", kind="timeout") from None
        if isinstance(reaction, Exception):
            raise reaction
        return Answer(reaction, raw=reaction, usage=Usage(calls=1), endpoint=self.name)

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""

    def _next(self, ask: Question) -> Reaction:
        if callable(self._script):
            return self._script(ask)
        number = len(self.asks) - 1
        if number < len(self._script):
            return self._script[number]
        return LlmError(f"the script has only {len(self._script)} answers", kind="empty")
