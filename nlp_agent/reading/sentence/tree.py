"""The sentences as immutable trees.

A player is a number, ``Agent[01]`` is 1, and :data:`ANY` is 0. A ``subject`` of ``None`` is left out: the speaker at
the outermost level, and below that whatever :func:`settle` puts in once an outer subject is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

ANY = 0
"""Some player or other: the sentence holds for one of all substitutions."""

ActVerb: TypeAlias = Literal["ATTACK", "ATTACKED", "DIVINATION", "GUARD", "GUARDED", "VOTE", "VOTED"]
GuessVerb: TypeAlias = Literal["ESTIMATE", "COMINGOUT"]
FindingVerb: TypeAlias = Literal["DIVINED", "IDENTIFIED"]
ReplyVerb: TypeAlias = Literal["AGREE", "DISAGREE"]
DirectedVerb: TypeAlias = Literal["REQUEST", "INQUIRE"]
Operator: TypeAlias = Literal["BECAUSE", "XOR", "NOT", "DAY", "AND", "OR"]


@dataclass(frozen=True, slots=True)
class NothingSaid:
    """Nothing to say now (``Skip``), or no more today (``Over``)."""

    verb: Literal["Skip", "Over"]
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """Something done or to be done to a player."""

    verb: ActVerb
    target: int
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """A player's role as believed (ESTIMATE) or stated (COMINGOUT). ``role`` is a wire name or ``ANY``."""

    verb: GuessVerb
    target: int
    role: str
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A colour learnt about a living (DIVINED) or dead (IDENTIFIED) player. ``species``: HUMAN, WEREWOLF or ``ANY``."""

    verb: FindingVerb
    target: int
    species: str
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement with a talk, which ``day`` and ``idx`` name."""

    verb: ReplyVerb
    channel: Literal["TALK", "WHISPER"]
    day: int
    idx: int
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Directed:
    """A wish that ``target`` does ``what``, or a question to it about ``what``.

    A REQUEST whose target is ``None`` goes to the subject of ``what``.
    """

    verb: DirectedVerb
    target: int | None
    what: Sentence
    subject: int | None = None


@dataclass(frozen=True, slots=True)
class Compound:
    """``BECAUSE`` (the reason, then what follows) and ``XOR`` have two parts, ``NOT`` and ``DAY`` one."""

    verb: Operator
    parts: tuple[Sentence, ...]
    day: int | None = None
    subject: int | None = None


Sentence: TypeAlias = NothingSaid | Action | Guess | Finding | Agreement | Directed | Compound


def settle(sentence: Sentence, outer: int | None = None) -> Sentence:
    """``sentence`` with every omitted subject filled in that ``outer`` or the sentence itself determines."""
    if isinstance(sentence, NothingSaid):
        return sentence
    subject = outer if sentence.subject is None else sentence.subject
    if isinstance(sentence, Directed):
        target = sentence.what.subject if sentence.target is None else sentence.target
        target = ANY if target is None else target
        return replace(sentence, subject=subject, target=target, what=settle(sentence.what, target))
    if isinstance(sentence, Compound):
        return replace(sentence, subject=subject, parts=tuple(settle(part, subject) for part in sentence.parts))
    return replace(sentence, subject=subject)


def walk(sentence: Sentence) -> Iterator[Sentence]:
    """``sentence`` and all sentences inside it, the outer ones first."""
    yield sentence
    inner: tuple[Sentence, ...] = ()
    if isinstance(sentence, Directed):
        inner = (sentence.what,)
    elif isinstance(sentence, Compound):
        inner = sentence.parts
    for part in inner:
        yield from walk(part)
