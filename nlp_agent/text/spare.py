"""What a talk that is a little too long can do without, before anything it says is cut off. Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import combinations

import regex

from nlp_agent.text.rules import SpeechRules
from nlp_agent.text.sentences import Sentences

Fits = Callable[[str], bool]
Tells = Callable[[str], Mapping[Hashable, int]]
"""What a text says that is not to be lost, in any form that can be compared, with what it is worth."""
_MOST = 7
"""Sentences of a talk of which any may be left out; of longer ones only the end is cut."""
_SAYS = 15
"""Bytes from which a sentence is more than a filler: three short words, or five signs that are words."""


class Sparing:
    """Makes talks of one language shorter by what is worth least."""

    def __init__(self, rules: SpeechRules, sentences: Sentences) -> None:
        self._sentences = sentences
        self._shorter = [(regex.compile(long, regex.IGNORECASE), short) for long, short in rules.shorter.items()]

    def slim(self, text: str, fits: Fits, tells: Tells) -> str:
        """``text`` with as few words as need be put more shortly; ``""`` where that is not enough."""
        told, slim = tells(text).keys(), text
        for pattern, short in self._shorter:
            for found in reversed(list(pattern.finditer(slim))):
                made = slim[: found.start()] + _put(found, short) + slim[found.end() :]
                if not told <= tells(made).keys():
                    continue
                slim = made
                if fits(slim):
                    return slim
        return ""

    def without_least(self, text: str, fits: Fits, tells: Tells) -> str:
        """``text`` without the sentences that are worth least, and then the shortest; ``""`` where none can go."""
        parts = self._sentences.split(text)
        if not 1 < len(parts) <= _MOST:
            return ""
        kept = [made for made in self._kept(parts) if fits(made)]
        worth, first = worth_of(text, tells), opening(parts)
        # Who was asked or charged answers first.
        return max(kept, key=lambda made: (worth(made) + bool(first and made.startswith(first)), len(made)), default="")

    def _kept(self, parts: list[str]) -> Iterator[str]:
        for count in range(len(parts) - 1, 0, -1):
            for places in combinations(range(len(parts)), count):
                yield self._sentences.join([parts[place] for place in places])


def opening(sentences: list[str]) -> str:
    """The first of ``sentences`` when it says something: mostly the answer to whoever spoke before; or ``""``."""
    return sentences[0] if sentences and len(sentences[0].encode()) >= _SAYS else ""


def worth_of(text: str, tells: Tells) -> Callable[[str], int]:
    """What a shorter form of ``text`` is worth: what it tells that ``text`` tells too."""
    told = tells(text)
    return lambda made: sum(told[one] for one in tells(made) if one in told)


def _put(found: regex.Match[str], short: str) -> str:
    """``short`` in place of ``found``, with a capital where that had one."""
    made = found.expand(short)
    return made[:1].upper() + made[1:] if found[0][:1].isupper() else made
