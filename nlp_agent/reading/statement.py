"""What a talk says: one :class:`Statement` for each thing said, a :class:`Reading` for a text, and a talk with its
reading.

:func:`news_of` is what a talk claims and tells; :func:`shapes` are sentences with all names alike, by which repetitions
are found; :func:`relevance` tells whether a talk concerns a seat that is just thinking about its own next one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from nlp_agent.protocol import Talk
from nlp_agent.reading.own_lines import NO_LINES, Familiar, OwnLines
from nlp_agent.text.names import Names
from nlp_agent.text.sentences import sentences_of

# --- The shape of what is said, whoever it speaks of -----------------------------------------------------------------


_HONORIFIC = re.compile("(?<=\ue000)(?:さん|さま|様|殿|くん|君|ちゃん)")
"""Voices differ in it; what they say with it may still be the same."""


def shapes(text: str, names: Names) -> tuple[str, ...]:
    """The sentences of ``text`` with names masked and anchors removed."""
    shape = names.shape(text).replace("@\ue000", "")
    parts = map(str.strip, sentences_of(_HONORIFIC.sub("", shape)))
    return tuple([part for part in parts if len(part) > 3])


# --- What a talk says ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Statement:
    """A single thing that was said.

    | kind | fields | |---|---| | claim, unclaim | ``role`` (of ``unclaim`` ``""`` when not named) | | denial | ``role``
    that the speaker says it does not have, ``""``: it has no result | | result | ``target``, ``result``; ``role`` SEER
    or MEDIUM when the words themselves claim the gift, else ``""`` | | vote, voted, guarded, suspect, trust, attack |
    ``target`` | | night | ``target``; ``topic`` divine or guard: what the speaker will do tonight | | retract | takes
    back the announced vote | | address | ``target``: an anchor at the start | | ask | ``topic``; ``target`` is who
    shall answer, ``""`` for everybody; ``to`` whom the speaker speaks to | | demand | ``topic`` vote, divine or guard;
    ``target``; ``to`` is who shall do it, ``""`` for everybody | | agree, disagree | ``target``: with whom | | either |
    ``target`` or ``to`` is a wolf |
    """

    kind: str
    target: str = ""
    role: str = ""
    result: str = ""
    topic: str = ""
    to: str = ""


@dataclass(frozen=True, eq=False)
class Reading:
    """A text that was read: ``statements`` in the order said, ``names`` of its village. Every seat that hears it shares
    it. ``lines``: those that :attr:`familiar` compares it with. ``joins``: the player whose vote its first words join,
    if that vote was the last thing that others said of the player: "Ken too!" behind "I vote for Ken".
    """

    text: str
    names: Names
    statements: tuple[Statement, ...]
    lines: OwnLines = NO_LINES
    joins: str = ""

    @cached_property
    def shapes(self) -> tuple[str, ...]:
        """The sentences of the text with names masked and anchors removed, to find repetitions."""
        return shapes(self.text, self.names)

    @cached_property
    def folded(self) -> str:
        """The lines of all :attr:`shapes`, whatever their case."""
        return "\n".join(self.shapes).casefold()

    @cached_property
    def familiar(self) -> Familiar:
        """How far the text is made of the lines of players without a model."""
        return self.lines.familiar(self.shapes)

    def of(self, kind: str) -> Sequence[Statement]:
        """The statements of one ``kind``, in the order said."""
        return self._kinds.get(kind, ())

    @cached_property
    def _kinds(self) -> dict[str, list[Statement]]:
        found: dict[str, list[Statement]] = {}
        for said in self.statements:
            found.setdefault(said.kind, []).append(said)
        return found


@dataclass(slots=True, eq=False)
class TalkRecord:
    """A talk, with what it says.

    ``statements``: what was read, and what else is known to be meant. ``role``: what its speaker claims to be after it;
    ``vote``: the vote announced before it; ``""`` where there is none.
    """

    talk: Talk
    reading: Reading
    role: str
    vote: str
    statements: tuple[Statement, ...]
    whispered: bool = False
    who: str = field(init=False)
    day: int = field(init=False)
    idx: int = field(init=False)

    def __post_init__(self) -> None:
        self.who, self.day, self.idx = self.talk.agent, self.talk.day, self.talk.idx


class News(NamedTuple):
    """A claim (``what``: the role), a claim taken back, or a result (``what``) of ``target``."""

    who: str
    kind: str
    target: str
    what: str


_NEWS = frozenset({"claim", "unclaim", "result"})


def news_of(heard: TalkRecord) -> set[News]:
    """What ``heard`` claims, takes back and tells; the same said again is equal to what was said before."""
    return {
        News(heard.who, one.kind, one.target, one.result or one.role) for one in heard.statements if one.kind in _NEWS
    }


# --- What somebody's talk means to whoever is just thinking about the next one of its own ----------------------------


_AT_US = frozenset({"address", "ask", "suspect", "vote", "result"})
_FACTS = frozenset({"claim", "result"})


class Relevance(Enum):
    """A measure of how much a talk matters to a seat that is thinking about its own next one."""

    NONE = "none"
    FACTS = "facts"
    """A claim or a result: what was about to be said may be wrong now."""
    DIRECT = "direct"
    """This seat is spoken to, asked, suspected, or called something by a result."""


def relevance(talk: Talk, reading: Reading, me: str) -> Relevance:
    """Tell how ``talk``, of which ``reading`` tells what it says, concerns ``me``."""
    if talk.agent == me or not talk.said:
        return Relevance.NONE
    if f"@{me}" in talk.text or any(s.kind in _AT_US and s.target == me for s in reading.statements):
        return Relevance.DIRECT
    return Relevance.FACTS if any(s.kind in _FACTS for s in reading.statements) else Relevance.NONE
