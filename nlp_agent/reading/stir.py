"""What somebody's talk means to whoever is just thinking about the next one of its own. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Statement

_AT_US = frozenset({"address", "ask", "suspect", "vote", "result"})
_CHANGES = frozenset({"claim", "result"})


class Stir(Enum):
    NONE = "none"
    CHANGES = "changes"
    """A claim or a result: what was about to be said may be wrong now."""
    AT_US = "at us"
    """This seat is spoken to, asked, suspected, or called something by a result."""


def stir(talk: Talk, statements: Iterable[Statement], me: str) -> Stir:
    """How ``talk``, which says ``statements``, concerns ``me``."""
    found = list(statements)
    if talk.agent == me or not talk.said:
        return Stir.NONE
    if f"@{me}" in talk.text or any(s.kind in _AT_US and s.target == me for s in found):
        return Stir.AT_US
    return Stir.CHANGES if any(s.kind in _CHANGES for s in found) else Stir.NONE
