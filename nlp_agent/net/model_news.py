"""When a seat's model falls silent and when it speaks again: said once, not for each talk."""

from __future__ import annotations

from nlp_agent.protocol import OVER, TALK_REQUESTS
from nlp_agent.seat import Decision, How

_AGAIN = 10
"""Every so many answers without the model it is said once more."""
_LONGEST = 200
"""Characters of a cause that are told; the journal has all of it."""


class ModelNews:
    """Hears what one seat sent in one game."""

    def __init__(self) -> None:
        self._misses = 0
        self._kind = ""

    def of(self, decision: Decision) -> str:
        """What is news after ``decision`` went out, ``""`` when nothing is."""
        if decision.how in (How.LLM, How.RETRY):
            missed, self._misses, self._kind = self._misses, 0, ""
            return f"the model answers again, after {missed} without it" if missed else ""
        if decision.how is not How.FALLBACK:
            return ""
        self._misses += 1
        kind, before = decision.unanswered.partition(":")[0], self._kind
        self._kind = kind
        if self._misses > 1 and kind == before and self._misses % _AGAIN:
            return ""
        cause = decision.unanswered or "none came"
        cause = cause if len(cause) <= _LONGEST else cause[: _LONGEST - 1] + "…"
        row = f", {self._misses} in a row" if self._misses > 1 else ""
        return f"no answer of the model{row} ({cause}); {_instead(decision)}"


def _instead(decision: Decision) -> str:
    if decision.request not in TALK_REQUESTS:
        return "the seat's own choice goes out"
    return "the seat has no words of its own and says Over" if decision.text == OVER else "the seat's own words go out"
