"""How characters speak without a model: ``lines.yml`` of a pack, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlp_agent.text.rules import Strict

Texts = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class VoiceFit(Strict):
    """Whom a voice suits. A stated gender or age that does not match rules it out; every word found speaks for it."""

    gender: str = ""
    min_age: int = 0
    max_age: int = 200
    words: Texts = ()
    base: float = 0.0


@dataclass(frozen=True, eq=False)
class Voice(Strict):
    """One way of speaking. ``polite`` picks the first half of ``[polite|plain]`` in lines.

    ``honorific`` follows the names of other players. ``me``: gender (male, female, any) -> first persons to choose
    one from. ``endings``: token -> forms (``{だ}``); one form is drawn for each character and kept. ``swaps``: words
    replaced in finished lines (contractions for a formal speaker). ``openers`` may start a talk and ``tails`` may
    end one; ``lines`` are extra lines for an act.
    """

    polite: bool = False
    honorific: str = ""
    fit: VoiceFit = field(default_factory=VoiceFit)
    me: dict[str, Texts] = field(default_factory=dict)
    endings: dict[str, Texts] = field(default_factory=dict)
    swaps: dict[str, str] = field(default_factory=dict)
    openers: Texts = ()
    tails: Texts = ()
    lines: dict[str, Texts] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Habit(Strict):
    """A small habit of speech for profiles in which one of ``words`` (regular expressions) is found.

    ``openers``, ``tails`` and ``lines`` join those of the voice.
    """

    words: Texts = ()
    openers: Texts = ()
    tails: Texts = ()
    lines: dict[str, Texts] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class LineBook(Strict):
    """Everything the player says without a model.

    ``voices``: name -> way of speaking. ``acts``: act -> lines with slots (see the head of ``lines.yml``).
    ``reasons``: why somebody is suspected or trusted -> phrases for the slot ``{reason}``. ``ages``: patterns with one
    group that find the age in a profile; ``genders``: gender -> patterns. ``default_voice`` is used when nothing fits.
    ``oneself`` stands for the speaker inside a reason (``me``); when empty, the voice's first person does.
    ``habits``: name -> habit. ``variants``: rows of words that mean the same, of which each character settles on one.
    ``firsts`` and ``registers`` are for measuring alone: patterns that find a first person in a talk, and name of a
    register -> patterns of the sentences that are spoken in it.
    """

    default_voice: str = ""
    voices: dict[str, Voice] = field(default_factory=dict)
    ages: Texts = ()
    oneself: str = ""
    genders: dict[str, Texts] = field(default_factory=dict)
    acts: dict[str, Texts] = field(default_factory=dict)
    reasons: dict[str, Texts] = field(default_factory=dict)
    habits: dict[str, Habit] = field(default_factory=dict)
    variants: tuple[Texts, ...] = ()
    firsts: Texts = ()
    registers: dict[str, Texts] = field(default_factory=dict)
