"""What a mind must know about a language: plain frozen data, filled from a language pack, never from code.

Where the data lives in a pack: ``Words`` is the section ``words`` of ``pack.yml``, ``ReadingRules`` is
``reading.yml``, ``LineBook`` is ``lines.yml``. These classes hold dicts and compare by identity, so that readings
can be cached on them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

Texts = tuple[str, ...]
_FORBID: dict[str, str] = {"extra": "forbid"}


@dataclass(frozen=True, eq=False)
class Why:
    """How reasons are told outside of character. ``against`` and ``clears``: whole sentences with ``{name}`` and
    ``{facts}``; ``facts``: kind of fact (:mod:`nlp_agent.belief.facts`, and ``known``) -> what happened, with
    ``{who}`` and ``{about}``; ``join`` stands between two of them."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID

    against: str = ""
    clears: str = ""
    join: str = " "
    facts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Words:
    """Names of things. ``roles``: wire name -> spoken name; ``results``: HUMAN and WEREWOLF -> spoken name.
    ``why`` words what moved a judgement.

    ``joiner`` stands between the last two names of a list, ``separator`` between the others.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID

    roles: dict[str, str] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)
    joiner: str = " and "
    separator: str = " and "
    why: Why = field(default_factory=Why)

    def role(self, role: str) -> str:
        return self.roles.get(role, role.lower())

    def result(self, result: str) -> str:
        return self.results.get(result, result.lower())


@dataclass(frozen=True, eq=False)
class ReadingRules:
    """Regular expressions (case-insensitive) that turn talk into statements; see :mod:`nlp_agent.reading.reader`.

    In every pattern ``{name}`` stands for a player, ``{names}`` for one or several joined by ``between``, ``{sign}``
    inside square brackets for all players, ``{role}`` for any of ``roles``, ``{black}``/``{white}`` for any of those
    words. Around a name ``before_name`` and ``after_name`` (titles, honorifics) are taken away first, ``quotes`` (other
    people's words) likewise, and each of ``pronouns`` is replaced by the player named last; ``spaced: false`` drops
    blanks beside names. A talk is cut into sentences at ``sentence`` and matched sentence by sentence; votes, prey and
    opinions are looked for in each part between ``clause`` marks, so that a reason hides none.

    ``claims``: "I am the {role}"; ``unclaims`` takes it back. ``seen`` and ``sensed``: a result told in the first
    person by a seer or a medium; ``results``: any other; all need ``{name}`` and ``{colour}``. ``self_results`` and, in
    the first person of a seer, ``seen_you``: a colour for the player spoken to (by an anchor or one of ``vocatives``).
    ``checks`` ("I divined {names}") wait for one of ``outcomes`` ("{colour}") in the next sentence; where one of
    ``tells`` ("my results") stands in a talk, all its results are the speaker's own.

    ``votes``, ``voted``, ``guarded``, ``suspects``, ``trusts``: need ``{name}``; ``retracts``: takes back an
    announced vote; ``switches``: does so for another player, the last ``{name}`` in it; ``attacks``: names
    tonight's prey in a whisper; ``demands``: vote, divine, guard -> what somebody is told to do; ``nights``:
    divine, guard -> what the speaker will do; ``agrees``, ``disagrees``; ``either``: one of two ``{name}`` is a
    wolf; ``asks``: topic -> patterns, the first that fits counts, where topics are role, result, suspect, vote,
    believe, why_vote, why_divine and why; ``question`` marks a sentence as wanting an answer.

    ``selves`` ("I", "my"): a claim that only a model has read counts where one of them stands beside the role's word.

    ``hedges`` makes a sentence say nothing certain (conditions, denials), ``reports`` only its results (other people's
    words), ``unsure`` only its votes.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID

    sentence: str = r"[.!?]+|\n"
    clause: str = r"(?!)"
    spaced: bool = True
    before_name: Texts = ()
    after_name: Texts = ()
    between: Texts = (" and ", ", ?")
    quotes: Texts = ()
    pronouns: Texts = ()
    vocatives: Texts = ()
    roles: dict[str, Texts] = field(default_factory=dict)
    black: Texts = ()
    white: Texts = ()
    claims: Texts = ()
    unclaims: Texts = ()
    selves: Texts = ()
    seen: Texts = ()
    sensed: Texts = ()
    results: Texts = ()
    self_results: Texts = ()
    seen_you: Texts = ()
    checks: Texts = ()
    outcomes: Texts = ()
    tells: Texts = ()
    votes: Texts = ()
    voted: Texts = ()
    guarded: Texts = ()
    suspects: Texts = ()
    trusts: Texts = ()
    retracts: Texts = ()
    switches: Texts = ()
    attacks: Texts = ()
    pretends: Texts = ()
    """In a whisper: "I'll play the {role}"."""
    demands: dict[str, Texts] = field(default_factory=dict)
    nights: dict[str, Texts] = field(default_factory=dict)
    agrees: Texts = ()
    disagrees: Texts = ()
    either: Texts = ()
    asks: dict[str, Texts] = field(default_factory=dict)
    question: Texts = ()
    hedges: Texts = ()
    reports: Texts = ()
    unsure: Texts = ()


@dataclass(frozen=True, eq=False)
class Fit:
    """Whom a voice suits. A stated gender or age that does not match rules it out; every word found speaks for it."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID

    gender: str = ""
    min_age: int = 0
    max_age: int = 200
    words: Texts = ()
    base: float = 0.0


@dataclass(frozen=True, eq=False)
class Voice:
    """One way of speaking. ``polite`` picks the first half of ``[polite|plain]`` in lines.

    ``honorific`` follows the names of other players. ``me``: gender (male, female, any) -> first persons to choose
    one from. ``endings``: token -> forms (``{だ}``); one form is drawn for each character and kept. ``swaps``: words
    replaced in finished lines (contractions for a formal speaker). ``openers`` may start a talk and ``tails`` may
    end one; ``lines`` are extra lines for an act.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID

    polite: bool = False
    honorific: str = ""
    fit: Fit = field(default_factory=Fit)
    me: dict[str, Texts] = field(default_factory=dict)
    endings: dict[str, Texts] = field(default_factory=dict)
    swaps: dict[str, str] = field(default_factory=dict)
    openers: Texts = ()
    tails: Texts = ()
    lines: dict[str, Texts] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Habit:
    """A small habit of speech for profiles in which one of ``words`` (regular expressions) is found.

    ``note`` says it in a few words of the pack's language, for a model; ``openers``, ``tails`` and ``lines`` join
    those of the voice.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID

    words: Texts = ()
    note: str = ""
    openers: Texts = ()
    tails: Texts = ()
    lines: dict[str, Texts] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Trait:
    """A ``note`` for a model about characters up to ``max_age`` or with one of ``words`` in the profile."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID

    note: str = ""
    words: Texts = ()
    max_age: int = 200


@dataclass(frozen=True, eq=False)
class LineBook:
    """Everything the player says without a model.

    ``voices``: name -> way of speaking. ``acts``: act -> lines with slots (see the head of ``lines.yml``).
    ``reasons``: why somebody is suspected or trusted -> phrases for the slot ``{reason}``. ``ages``: patterns with one
    group that find the age in a profile; ``genders``: gender -> patterns. ``default_voice`` is used when nothing fits.
    ``oneself`` stands for the speaker inside a reason (``me``); when empty, the voice's first person does.
    ``habits``: name -> habit. ``tempers``: the one with most words in the profile is the character's, an empty list
    of words is for the rest. ``vocabulary``: by age, ascending. ``variants``: rows of words that mean the same, of
    which each character settles on one. ``firsts`` and ``registers`` are for measuring alone: patterns that find a
    first person in a talk, and name of a register -> patterns of the sentences that are spoken in it.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID

    default_voice: str = ""
    voices: dict[str, Voice] = field(default_factory=dict)
    ages: Texts = ()
    oneself: str = ""
    genders: dict[str, Texts] = field(default_factory=dict)
    acts: dict[str, Texts] = field(default_factory=dict)
    reasons: dict[str, Texts] = field(default_factory=dict)
    habits: dict[str, Habit] = field(default_factory=dict)
    tempers: tuple[Trait, ...] = ()
    vocabulary: tuple[Trait, ...] = ()
    variants: tuple[Texts, ...] = ()
    firsts: Texts = ()
    registers: dict[str, Texts] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Language:
    """``name`` is the pack's language (``en``, ``ja``); ``spaced``: words are separated by spaces."""

    name: str
    words: Words
    reading: ReadingRules
    lines: LineBook
    spaced: bool = True
