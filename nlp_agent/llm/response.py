"""What one call to an endpoint has brought so far, whole or in pieces, and what all calls for one question have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.llm.model import Answer, Usage
from nlp_agent.llm.reading import ThoughtFilter, estimate_tokens, get, plain_text, whole_number
from nlp_agent.protocol import bounds

_SHORT = 200
"""Characters of a refusal or a reason to finish."""


@dataclass
class Trail:
    """What happens while one question is being answered, over all its calls; ``hopeless``: a retry would not help."""

    notes: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    partial: Answer | None = None
    hopeless: bool = False


@dataclass
class Response:
    """What one call has brought so far; it outlives the call's cancellation by the deadline."""

    thoughts: ThoughtFilter
    events: int = 0
    finish: str = ""
    refusal: str = ""
    usage: object = None
    reasoning: bool = False
    late: bool = False

    def take(self, part: object, message: str) -> None:
        """Take in a whole completion (``message="message"``) or one event of a stream (``"delta"``)."""
        self.events += 1
        self.usage = get(part, "usage") or self.usage
        choice = get(part, "choices", 0)
        said = get(choice, message)
        self.refusal = self.refusal or plain_text(get(said, "refusal"))[:_SHORT]
        self.reasoning = self.reasoning or bool(get(said, "reasoning") or get(said, "reasoning_content"))
        self.finish = plain_text(get(choice, "finish_reason"))[:_SHORT] or self.finish
        if piece := plain_text(get(said, "content"))[: bounds.ANSWER - self.thoughts.length]:
            self.thoughts.feed(piece)

    @property
    def is_full(self) -> bool:
        """Whether it is as long as an answer can be: then no more is heard."""
        return self.thoughts.length >= bounds.ANSWER or self.events >= bounds.EVENTS

    def spent_on_thinking(self, knows_thinking: bool) -> bool:
        """Whether the cap was reached before anything was said, or before it is sure that what was said is no thought.

        ``knows_thinking``: it is known how this endpoint tells its thoughts.
        """
        if self.finish != "length":
            return False
        return not self.thoughts.visible or not (knows_thinking or self.reasoning)

    def usage_of(self, request: Mapping[str, Any], seconds: float) -> tuple[Usage, bool]:
        """What the call cost, and whether the endpoint told it; else, as a stream ended before, it is an estimate."""
        told = self.usage
        if told is not None:
            cached = whole_number(get(told, "prompt_tokens_details", "cached_tokens"))
            prompt = whole_number(get(told, "prompt_tokens"))
            return Usage(1, prompt, whole_number(get(told, "completion_tokens")), cached, seconds), True
        if not self.events:
            return Usage(1, seconds=seconds), True
        prompt = sum(estimate_tokens(message["content"]) for message in request["messages"])
        return Usage(1, prompt, estimate_tokens(self.thoughts.raw), 0, seconds), False
