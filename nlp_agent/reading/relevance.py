"""What somebody's talk means to whoever is just thinking about the next one of its own. Pure."""

from __future__ import annotations

from enum import Enum

from nlp_agent.protocol import Talk
from nlp_agent.reading.statement import Reading

_AT_US = frozenset({"address", "ask", "suspect", "vote", "result"})
_FACTS = frozenset({"claim", "result"})


class Relevance(Enum):
    NONE = "none"
    FACTS = "facts"
    """A claim or a result: what was about to be said may be wrong now."""
    DIRECT = "direct"
    """This seat is spoken to, asked, suspected, or called something by a result."""


def relevance(talk: Talk, reading: Reading, me: str) -> Relevance:
    """How ``talk``, of which ``reading`` tells what it says, concerns ``me``."""
    if talk.agent == me or not talk.said:
        return Relevance.NONE
    if f"@{me}" in talk.text or any(s.kind in _AT_US and s.target == me for s in reading.statements):
        return Relevance.DIRECT
    return Relevance.FACTS if any(s.kind in _FACTS for s in reading.statements) else Relevance.NONE
