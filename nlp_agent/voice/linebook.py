"""How characters speak without a model: ``lines.yml`` of a pack, as plain data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from math import prod

from nlp_agent.text.rules import Strict

Texts = tuple[str, ...]

_SLOT_IN_LINE = r"\{[^{}]*\}"
_OPTIONS = re.compile(r"\(([^()]*)\)")
_COUNT = re.compile(r"<(\d+)>")
_ENDS = re.compile(r"[.!?。！？]+\s*")
_REASONS = 4
"""As how many ways a reason counts in a sentence."""


def spelled_out(line: str, pick: Callable[[Sequence[str]], str]) -> str:
    """Replace each ``(a/b/c)`` in ``line`` by one of its options, chosen by ``pick``; inner ones come first."""
    while len(parts := _taken_apart(line)) > 1:
        line = "".join([part if isinstance(part, str) else pick(part) for part in parts])
    return line


@lru_cache(maxsize=16384)
def _taken_apart(line: str) -> tuple[str | Texts, ...]:
    """What stands between the innermost choices of ``line``, in turn with the options of each."""
    parts = _OPTIONS.split(line)
    return tuple([tuple(part.split("/")) if place % 2 else part for place, part in enumerate(parts)])


class WordSwaps:
    """Replaces words of a line by a voice's own: whole words where they are written in Latin letters, never in slots.

    Args:
        swaps: word -> what stands instead of it.
    """

    def __init__(self, swaps: Mapping[str, str]) -> None:
        words = sorted(swaps, key=len, reverse=True)
        apart, joined = ("|".join(re.escape(w) for w in words if w[0].isascii() is ascii) for ascii in (True, False))
        either = [_SLOT_IN_LINE, rf"(?<!\w)(?:{apart})(?!\w)"] if apart else [_SLOT_IN_LINE]
        self._swaps, self._found = swaps, re.compile("|".join([*either, joined] if joined else either))

    def in_line(self, line: str) -> str:
        """``line`` with all of them replaced."""
        return self._found.sub(lambda m: self._swaps.get(m[0], m[0]), line) if self._swaps else line


def ways(line: str) -> int:
    """Count in how many ways the least varied sentence of ``line`` can be put, about.

    Lines drawn in proportion to it let no sentence return sooner than another.
    """
    if "(" not in line and "eason}" not in line:
        return 1
    counted = line
    while (found := _OPTIONS.sub(lambda m: f"<{m[1].count('/') + 1}>", counted)) != counted:
        counted = found
    least = [
        prod(map(int, _COUNT.findall(part))) * (_REASONS if "eason}" in part else 1) for part in _ENDS.split(counted)
    ]
    return min(least[:-1] or least)


def shortest(line: str) -> str:
    """Take the shortest of all options in ``line``."""
    return spelled_out(line, lambda options: min(options, key=len)) if "(" in line else line


def every_option(line: str) -> list[str]:
    """Spell ``line`` out so often that each of its options stands in at least one of the results."""
    if "(" not in line:
        return [line]
    most = 1

    def take(turn: int) -> Callable[[Sequence[str]], str]:
        def pick(options: Sequence[str]) -> str:
            nonlocal most
            most = max(most, len(options))
            return options[turn % len(options)]

        return pick

    found = [spelled_out(line, take(0))]
    found += [spelled_out(line, take(turn)) for turn in range(1, most)]
    return list(dict.fromkeys(found))


@dataclass(frozen=True, eq=False)
class VoiceFit(Strict):
    """The characters whom a voice suits. A stated gender or age that does not match rules it out; every word found
    speaks for it.
    """

    gender: str = ""
    min_age: int = 0
    max_age: int = 200
    words: Texts = ()
    base: float = 0.0


@dataclass(frozen=True, eq=False)
class Manner(Strict):
    """The lines of one manner of speaking, in which a voice or a habit adds to those that everybody may say.

    ``openers`` may start an opinion and ``tails`` may end one; ``barbs`` are tails that mean something behind an
    accusation alone. ``lines`` are extra lines for an act, ``reasons`` extra phrases for a reason.
    """

    openers: Texts = ()
    tails: Texts = ()
    barbs: Texts = ()
    lines: dict[str, Texts] = field(default_factory=dict)
    reasons: dict[str, Texts] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Voice(Manner):
    """A way of speaking. ``polite`` picks the first half of ``[polite|plain]`` in lines.

    ``honorific`` follows the names of other players. ``me``: gender (male, female, any) -> first persons to choose one
    from. ``endings``: token -> forms (``{だ}``); one form is drawn for each character and kept. ``swaps``: words
    replaced in finished lines (contractions for a formal speaker). ``once``: an ending that stands once in a talk, the
    last time -> what stands instead of it before that.
    """

    polite: bool = False
    honorific: str = ""
    fit: VoiceFit = field(default_factory=VoiceFit)
    me: dict[str, Texts] = field(default_factory=dict)
    endings: dict[str, Texts] = field(default_factory=dict)
    swaps: dict[str, str] = field(default_factory=dict)
    once: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Habit(Manner):
    """A small habit of speech for profiles in which one of ``words`` (regular expressions) is found; its lines join
    those of the voice. ``voices``: the only ones that may have it, where its lines are written for them; all may when
    it is empty.
    """

    words: Texts = ()
    voices: Texts = ()


@dataclass(frozen=True, eq=False)
class SmallTalk(Strict):
    """A thing that the first evening's talk comes to. ``words``: patterns (regular expressions) that find it in a talk.

    ``chat``: what somebody says to ``{greeter}`` who has spoken of it; ``answer``: what somebody says who is asked.
    """

    words: Texts = ()
    chat: Texts = ()
    answer: Texts = ()


@dataclass(frozen=True, eq=False)
class LineBook(Strict):
    """The whole of what the player says without a model.

    ``voices``: name -> way of speaking. ``acts``: act -> lines with slots (see the head of ``lines.yml``). ``reasons``:
    why somebody is suspected or trusted -> phrases for the slot ``{reason}``. ``small_talk``: what is taken up on the
    first evening. ``ages``: patterns with one group that find the age in a profile; ``genders``: gender -> patterns.
    ``default_voice`` is used when nothing fits. ``oneself`` stands for the speaker inside a reason (``me``); when
    empty, the voice's first person does. ``either`` joins names of which it is one; ``joined``: how a second ground
    (``{also}``) follows a ``{reason}``. ``dates``: what ``{when}`` says of today, of yesterday and of an earlier
    ``{day}``. ``habits``: name -> habit. ``variants``: rows of words that mean the same, of
    which each character settles on one. ``firsts`` and ``registers`` are for measuring alone: patterns that find a
    first person in a talk, and name of a register -> patterns of the sentences that are spoken in it.
    """

    default_voice: str = ""
    voices: dict[str, Voice] = field(default_factory=dict)
    ages: Texts = ()
    oneself: str = ""
    either: str = " / "
    joined: Texts = ()
    dates: Texts = ()
    genders: dict[str, Texts] = field(default_factory=dict)
    acts: dict[str, Texts] = field(default_factory=dict)
    small_talk: dict[str, SmallTalk] = field(default_factory=dict)
    reasons: dict[str, Texts] = field(default_factory=dict)
    habits: dict[str, Habit] = field(default_factory=dict)
    variants: tuple[Texts, ...] = ()
    firsts: Texts = ()
    registers: dict[str, Texts] = field(default_factory=dict)

    @property
    def manners(self) -> list[Manner]:
        """All voices and habits."""
        return [*self.voices.values(), *self.habits.values()]


def every_line(book: LineBook) -> Iterator[str]:
    """Yield each line, phrase and turn of phrase of ``book``, slots and choices included."""
    for manner in book.manners:
        yield from (*manner.openers, *manner.tails, *manner.barbs)
    for lines in (book.acts, *(manner.lines for manner in book.manners)):
        yield from chain.from_iterable(lines.values())
    for reasons in (book.reasons, *(manner.reasons for manner in book.manners)):
        yield from chain.from_iterable(reasons.values())
    for talk in book.small_talk.values():
        yield from (*talk.chat, *talk.answer)
