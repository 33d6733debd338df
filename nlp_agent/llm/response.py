"""What one call to an endpoint has brought so far, whole or in pieces."""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.llm.reading import ThoughtFilter, get, plain_text


@dataclass
class Response:
    """What one call has brought so far; it outlives the call's cancellation by the deadline."""

    thoughts: ThoughtFilter
    events: int = 0
    finish: str = ""
    refusal: str = ""
    usage: object = None
    reasoning: bool = False
    stopped: bool = False
    late: bool = False

    def take(self, part: object, message: str) -> None:
        """Take in a whole completion (``message="message"``) or one event of a stream (``"delta"``)."""
        self.events += 1
        self.usage = get(part, "usage") or self.usage
        choice = get(part, "choices", 0)
        said = get(choice, message)
        self.refusal += plain_text(get(said, "refusal"))
        self.reasoning = self.reasoning or bool(get(said, "reasoning") or get(said, "reasoning_content"))
        self.finish = plain_text(get(choice, "finish_reason")) or self.finish
        if piece := plain_text(get(said, "content")):
            self.thoughts.feed(piece)
