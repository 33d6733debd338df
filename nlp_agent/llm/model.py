"""The seam between the player and whatever speaks: one question, one answer before the deadline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from nlp_agent.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of answers; adding two gives the sum. ``seconds`` is time spent waiting for the endpoint.

    ``cached_tokens`` are part of ``prompt_tokens``. ``money`` by the endpoint's prices; None when they are not known.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = 0.0
    money: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
            self.seconds + other.seconds,
            None if self.money is None or other.money is None else self.money + other.money,
        )


@dataclass(frozen=True, slots=True)
class Prices:
    """The price of a million tokens: those of a prompt, those of them that the endpoint still had, and those
    answered.
    """

    input: float
    cached: float
    output: float

    def of(self, usage: Usage) -> float:
        """The money that ``usage`` costs."""
        fresh = max(0, usage.prompt_tokens - usage.cached_tokens)
        millions = fresh * self.input + usage.cached_tokens * self.cached + usage.completion_tokens * self.output
        return millions / 1_000_000


class StreamListener(Protocol):
    """A listener to what happens while one question is being answered; what it holds outlives the question's
    cancellation.
    """

    def heard(self, text: str, sure: bool) -> None:
        """Note that the endpoint gave a sign of life; ``text`` is what is visible so far.

        ``sure``: it cannot turn out to be a thought whose closing tag comes later.
        """
        ...

    def told_to_wait(self) -> None:
        """The endpoint refused the request for now and said when to come back (``Retry-After``)."""
        ...

    def spent(self, usage: Usage) -> None:
        """Note that a call has ended, in whatever way, at this cost."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a model.

    ``purpose`` is the request's name (TALK, VOTE, ...). Non-empty ``choices`` ask for exactly one of these names as
    structured output; a ``schema`` asks for JSON of that strict form. ``enough`` looks at the visible text streamed so
    far and says whether a complete talk is there, so that from the moment ``soft`` on the rest need not be waited for
    (see :meth:`is_enough`); ``None`` waits for the end. ``whole`` gives the complete sentences of an unfinished text,
    ``""`` when there are none; ``None`` takes none. ``pace`` is the share of the usual time this table gives: moments
    of a policy are scaled by it. ``seat`` names who asks, for a server that keeps what it has read for each. ``body``
    holds more fields for the request. ``background``: no answer of a seat waits for it, so that it is tried once, gives
    way to every other question (it is cancelled then), and nothing is concluded from how it goes.
    """

    messages: tuple[Message, ...]
    purpose: str
    choices: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = None
    enough: Callable[[str], bool] | None = None
    soft: Deadline | None = None
    whole: Callable[[str], str] | None = None
    max_tokens: int | None = None
    pace: float = 1.0
    seat: str = ""
    background: bool = False
    body: Mapping[str, Any] = field(default_factory=dict)
    listener: StreamListener | None = None

    def is_enough(self, text: str) -> bool:
        """Tell whether the visible ``text`` of a stream may be taken now, though more is coming."""
        ripe = self.soft is None or self.soft.passed
        return bool(text) and ripe and self.enough is not None and self.enough(text)


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer. ``text`` is what may be shown (thinking removed; for a target question the bare chosen text).

    ``raw`` is what the model wrote, thinking included. ``complete`` is False when the text was cut by the deadline or
    the token cap. ``notes`` tell what happened on the way (a step-down, a retry) for the journal.
    """

    text: str
    raw: str = ""
    complete: bool = True
    usage: Usage = Usage()
    endpoint: str = ""
    notes: tuple[str, ...] = field(default=())


class Model(Protocol):
    """The interface of anything that answers: an endpoint, several models in order of preference, the scripted
    model.
    """

    async def warm(self) -> None:
        """Load what the first question would otherwise wait for."""
        ...

    async def ask(self, ask: Question, deadline: Deadline) -> Answer:
        """Answer before ``deadline`` or raise LlmError. Must be cancellable at any await."""
        ...

    async def aclose(self) -> None:
        """Close connections; safe to call twice."""
        ...
