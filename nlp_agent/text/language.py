"""One language, compiled once when its pack is loaded (:class:`Language`), and how it looks in one village.

:class:`VillageLanguage` knows the players as well and keeps for the length of a game what was found out about each text
(:class:`AnalysedText`). Pure.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property
from weakref import WeakValueDictionary

import regex

from nlp_agent.text.anchor import Anchors, Vocatives
from nlp_agent.text.answer import TargetReader
from nlp_agent.text.clean import CJK, STRAY_APOSTROPHE, WORD, Cleaner, DialogueParser, with_capitals
from nlp_agent.text.fit import Fitter
from nlp_agent.text.guardrails import (
    OVERLAP,
    UNITS,
    GuardrailPatterns,
    GuardrailRules,
    InjectedOrders,
    Plausibility,
    PlausibleRules,
    PromptLine,
    PromptLines,
    nul_joined,
    plain,
    runs_of,
    unquoted,
)
from nlp_agent.text.names import NAME, PLACEHOLDERS, names_of
from nlp_agent.text.rules import SpeechRules, Words
from nlp_agent.text.sentences import Sentences

_ANCHOR = regex.compile(f"@{NAME}\\s*")
_SENTENCE_END = regex.compile(r"[.!?;。！？；]+")
_BROKEN = regex.compile(rf"(?<=[{WORD}])\.{{3}}(?= [{WORD}])")
_KEPT = 1_000
"""Characters of a text up to which what was derived from it is kept: talks and lines, no whole prompts."""
_LONGEST = 8_000
"""Characters of anybody's text that are compared with anything."""


class Language:
    """A language as its pack describes it, for everything but how talk is read and what is said without a model.

    ``name`` is the pack's language (``en``, ``ja``). Each part does one thing to a text: ``sentences`` splits it,
    ``turns`` finds the own words in an answer, ``anchors`` its ``@Name``, ``vocatives`` calls that would be misread,
    ``cleaner`` makes it speakable, ``fitter`` short enough; ``answers`` finds the player meant. :meth:`village` knows
    the players as well.
    """

    def __init__(
        self,
        name: str,
        words: Words,
        rules: SpeechRules,
        guard: GuardrailRules | None = None,
        plausible: PlausibleRules | None = None,
    ) -> None:
        self.name, self.words, self.rules, self.spaced = name, words, rules, rules.spaced
        self.sentences = Sentences(rules)
        self.turns, self.anchors, self.vocatives, self.cleaner = (
            DialogueParser(rules),
            Anchors(rules),
            Vocatives(rules),
            Cleaner(rules),
        )
        self.fitter = Fitter(rules, self.sentences)
        self.answers = TargetReader(rules)
        self.guardrails = GuardrailPatterns(guard or GuardrailRules(), spaced=rules.spaced)
        self.plausibility = Plausibility(plausible or PlausibleRules(), spaced=rules.spaced)
        marks, ends = regex.escape(rules.punctuation + rules.joints), regex.escape(rules.terminals)
        self._legal = regex.compile(rf"[{WORD}][{WORD}{marks} ]*[{ends}]")
        self._faults = regex.compile("|".join(_faults(rules)))
        self._villages: WeakValueDictionary[tuple[str, ...], VillageLanguage] = WeakValueDictionary()

    def broken_patterns(self) -> Iterator[tuple[str, str]]:
        """Compile what is else compiled when a text first needs it: section of ``pack.yml`` -> what is wrong in it."""
        for section, patterns in (("guard", self.guardrails), ("plausible", self.plausibility)):
            try:
                patterns.compile()
            except regex.error as error:
                yield section, f"{error} in the pattern {getattr(error, 'pattern', '')!r:.200}"

    def is_legal(self, words: str) -> bool:
        """Tell whether masked ``words`` are what :attr:`cleaner` would leave as they are."""
        broken = "..." in words and self.cleaner.hesitates(words)
        unbroken = _BROKEN.sub("", words) if broken else words
        return (
            self._legal.fullmatch(unbroken) is not None
            and self._faults.search(unbroken) is None
            and unicodedata.is_normalized("NFC", words)
            and with_capitals(words) == words
            and not [pattern for pattern in self.cleaner.laughter if pattern.search(words)]
        )

    def village(self, players: tuple[str, ...]) -> VillageLanguage:
        """The language among ``players``; the same object as long as anybody who plays there holds it."""
        village = self._villages.get(players)
        if village is None:
            village = self._villages[players] = VillageLanguage(self, players)
        return village


class VillageLanguage:
    """Looks at the texts of one game. What it finds out about a talk is kept as long as the game."""

    def __init__(self, language: Language, players: tuple[str, ...]) -> None:
        self.language, self.players, self.names = language, players, names_of(players)
        self._seen: dict[str, AnalysedText] = {}
        self._lines: dict[str, PromptLine] = {}

    def look(self, text: str) -> AnalysedText:
        """Analyse ``text`` for all that has to be found out about it; the same object for the same talk."""
        seen = self._seen.get(text)
        if seen is None:
            seen = AnalysedText(text, self.names.mask(text[:_LONGEST]), self.language)
            if len(text) <= _KEPT:
                self._seen[text] = seen
        return seen

    def read_orders(self, texts: Iterable[str]) -> InjectedOrders:
        """Collect what ``texts`` (talks known to give orders) would have a model say."""
        return self.language.guardrails.read_orders([self.look(text).plain for text in texts])

    def prompt_lines(self, prompt: str) -> PromptLines:
        """The lines of ``prompt`` without what they quote, for :meth:`AnalysedText.echoes`."""
        lines = unquoted(prompt).splitlines()
        for line in lines:
            if line not in self._lines:
                self._lines[line] = self.language.plausibility.line(plain(self.names.mask(line)))
        return PromptLines.of([self._lines[line] for line in lines])


class AnalysedText:
    """A text as all checks look at it: ``masked``, and in its ``plain`` form for comparing (see
    :mod:`nlp_agent.text.guardrails`). Whatever is asked about it is found out once.
    """

    def __init__(self, text: str, masked: str, language: Language) -> None:
        self.text, self.masked, self.plain = text, masked, plain(masked)
        self._language = language

    @cached_property
    def nul_joined(self) -> str:
        """The words of the text (letters and digits where words are not separated), joined so that whole words can be
        found.
        """
        return nul_joined(UNITS[self._language.spaced](self.plain.casefold()))

    def quotes(self, secret: str, told: str = "") -> str:
        """Words in a row, enough to count as quoted, that stand in ``secret`` and not in ``told`` (both
        :attr:`nul_joined`), or ``""``.
        """
        for run in runs_of(self.nul_joined, OVERLAP[self._language.spaced]):
            if run in secret and run not in told:
                return run.strip("\0").replace("\0", " " if self._language.spaced else "")
        return ""

    @cached_property
    def said(self) -> frozenset[str]:
        """The sentences of the text, for comparing: without anchor and marks."""
        spaced = self._language.spaced
        glue, parts = " " if spaced else "", _SENTENCE_END.split(_ANCHOR.sub("", self.plain).casefold())
        return frozenset([said for part in parts if (said := glue.join(UNITS[spaced](part)))])

    @cached_property
    def is_injection(self) -> bool:
        """Whether the text speaks to a model, or looks like a part of a prompt, instead of speaking to players."""
        return self._language.guardrails.is_injection(self.plain)

    @cached_property
    def unspeakable(self) -> str:
        """The reason why no character would say the text, or ``""``."""
        return self._language.guardrails.unspeakable(self.masked, self.plain)

    @cached_property
    def implausible(self) -> str:
        """The reason why the text is no talk of this game, or ``""``."""
        return self._language.plausibility.implausible(self.plain)

    def obeys(self, orders: InjectedOrders) -> str:
        """The first thing in the text that was ordered, or ``""``."""
        return orders.obeyed_by(self.plain, spaced=self._language.spaced)

    def echoes(self, prompt: PromptLines) -> str:
        """A sentence of it that is one of the prompt's own; sentences with names do not count."""
        return self._language.plausibility.echoes(self.plain, prompt)


def _faults(rules: SpeechRules) -> list[str]:
    """What must not occur in the masked words of a finished talk."""
    marks, ends, soft = (
        regex.escape(signs) for signs in (rules.punctuation + rules.joints, rules.terminals, rules.inner_marks)
    )
    beside = rf"[{CJK}{PLACEHOLDERS}{ends}{soft}]"
    return [
        *(r"  ", rf" [{marks}]", rf"[{ends}{soft}][{ends}{soft}]", STRAY_APOSTROPHE),
        rf"[{ends}{soft}](?![ \d]|$)" if rules.spaced else rf"{beside} | {beside}",
        r"(?<![\p{L}\p{M}\p{Nd}])\p{M}|\p{M}{3}|[\u115F\u1160\u3164\uFFA0\uFE00-\uFE0F\p{Me}]",
    ]
