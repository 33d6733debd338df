"""Whether words can be somebody's talk in this game at all: a small model also writes noise, loops and prompts. Pure.

What a good model or the LLM-free player says passes; what does not is replaced, so in doubt a sentence may be lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import regex

from nlp_agent.text.finder import Phrase
from nlp_agent.text.guard import OVERLAP, UNITS, Patterns, any_of
from nlp_agent.text.names import NAME
from nlp_agent.text.rules import Strict
from nlp_agent.text.sentences import sentences_of


@dataclass(frozen=True, eq=False)
class PlausibleRules(Strict):
    """Section ``plausible`` of ``pack.yml``; an empty rule asks for nothing.

    Patterns are regular expressions as in section ``guard``. ``leftovers``: numbering, headings, instructions and the
    like. ``common``: the little words every text is full of, and ``least_common`` the share of them in a talk of eight
    words (or thirty characters) and more. ``longest_word``: letters of the longest word anybody says.
    """

    leftovers: Patterns = ()
    common: Patterns = ()
    least_common: float = 0.2
    longest_word: int = 0


_REPEATED = {True: 5, False: 8}
"""Words (characters) in a row that nobody says twice in one talk."""
_AGAIN = {True: 3, False: 6}
"""Words (characters) of a sentence from which nobody says it twice and nothing else."""
_ECHOED = {True: 4, False: 8}
"""A sentence of so many words (characters) or more that stands in the prompt word for word was not thought up."""
_RECITED = 0.8
"""Share of a sentence that stands in the prompt in long runs from which it was recited."""
_JUDGED = {True: 8, False: 30}
_QUOTED = regex.compile(r"“[^”]*”|「[^」]*」|『[^』]*』")
_HEADING = regex.compile(r"#+ *(.+)$")
_CLAUSE = regex.compile(r"[;:]")
_ANCHOR = regex.compile(rf"@{NAME}")
_NAME = regex.compile(NAME)

PromptLine = tuple[str, bool]
"""A line of a prompt as units between zeros, and whether it is a heading."""


@dataclass(frozen=True, slots=True)
class PromptLines:
    """All lines of a prompt in one ``text``, and those that are ``headings``; units stand between zeros."""

    text: str
    headings: frozenset[str]

    @classmethod
    def of(cls, lines: Sequence[PromptLine]) -> PromptLines:
        return cls("".join([line for line, _ in lines]), frozenset([line for line, heading in lines if heading]))


class Plausibility:
    """:class:`PlausibleRules` ready to be held against plain forms (see :mod:`nlp_agent.text.guard`)."""

    def __init__(self, rules: PlausibleRules, *, spaced: bool) -> None:
        self._rules, self._spaced, self._units = rules, spaced, UNITS[spaced]
        self._leftovers = any_of(rules.leftovers)
        # As one: no word may count twice.
        self._common = any_of(("|".join(f"(?:{one})" for one in rules.common) or r"(?!)",))
        self._long = regex.compile(rf"\p{{L}}{{{rules.longest_word + 1},}}" if rules.longest_word else r"(?!)")

    def compile(self) -> None:
        """As that of the guard."""
        self._leftovers.compile()
        self._common.compile()

    def implausible(self, form: Phrase) -> str:
        """Why a text is no talk of this game, or ``""``."""
        rules = self._rules
        if found := self._leftovers.search(form):
            return f"no spoken words: {found[0].strip()}"
        said = self._units(form)
        if loop := self._loop(said) or self._only(form):
            return f"goes round in circles: {loop}"
        if found := self._long.search(form):
            return f"not a word: {found[0][:40]}"
        if rules.common and len(said) >= _JUDGED[self._spaced]:
            common = " ".join([found[0] for found in self._common.finditer(form)])
            if len(self._units(common)) < rules.least_common * len(said):
                return "no sentence"
        return ""

    def line(self, form: str) -> PromptLine:
        """A line of a prompt, without what it quotes, for :meth:`echoes`."""
        heading = _HEADING.match(form.casefold())
        return zeroed(self._units(heading[1] if heading else form.casefold())), heading is not None

    def echoes(self, form: str, prompt: PromptLines) -> str:
        """A sentence of a text that is one of a prompt's own; sentences with names do not count."""
        for sentence in chain.from_iterable(map(_CLAUSE.split, sentences_of(_ANCHOR.sub("", form).casefold()))):
            words = self._units(sentence)
            said = zeroed(words)
            if words and said in prompt.headings:
                return sentence.strip()
            if len(words) < _ECHOED[self._spaced] or _NAME.search(said):
                continue
            if said in prompt.text or self._covered(said, prompt) >= _RECITED * len(words):
                return sentence.strip()
        return ""

    def _covered(self, said: str, prompt: PromptLines) -> int:
        """How many of the words ``said`` stand in a prompt within a run that is long enough to be a quotation."""
        size = OVERLAP[self._spaced]
        found = [run in prompt.text for run in runs_of(said, size)]
        return len({at + place for at, there in enumerate(found) if there for place in range(size)})

    def _only(self, form: str) -> str:
        """The one sentence that a text says over and over, and nothing else."""
        parts = [*map(self._units, sentences_of(form.casefold()))]
        again = len(parts) > 1 and parts.count(parts[0]) == len(parts) and len(parts[0]) >= _AGAIN[self._spaced]
        return sentences_of(form)[0] if again else ""

    def _loop(self, words: list[str]) -> str:
        size = _REPEATED[self._spaced]
        words = list(map(str.casefold, words))
        seen: dict[tuple[str, ...], int] = {}
        for at in range(len(words) - size + 1):
            run = tuple(words[at : at + size])
            if at - seen.setdefault(run, at) >= size or (seen[run] != at and len(set(run)) == 1):
                return (" " if self._spaced else "").join(run)
        return ""


def zeroed(words: Sequence[str]) -> str:
    """``words``, each between zeros: what is found in it begins and ends with a word."""
    return "\0".join(("", *words, ""))


def runs_of(zeroed: str, size: int) -> list[str]:
    """Every ``size`` words in a row of a :func:`zeroed` text, in the same form."""
    zeros = [at for at, sign in enumerate(zeroed) if sign == "\0"]
    return [zeroed[first : last + 1] for first, last in zip(zeros, zeros[size:], strict=False)]


def unquoted(prompt: str) -> str:
    """``prompt`` without what it quotes: talk of others, samples of the character's own voice, examples."""
    return _QUOTED.sub(" ", prompt)
