"""Looking for many regular expressions at once, without running those that cannot match.

A group of a pack's patterns is an alternation of dozens that may begin anywhere: running it over a sentence costs far
more than looking for the few words without which none of it can match. Those words (:func:`needles`) are taken from
the patterns themselves, so that a pack's author need not know of them. :class:`LazyFinder` (module ``regex``) and
:class:`Finder` (module ``re``) compile each pattern when a text first needs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import chain, groupby, pairwise
from typing import Protocol, TypeVar

import regex

from nlp_agent.text.names import NAME

PLACEHOLDER = "\ue000"
"""Stands for every player's placeholder in what patterns need."""
_NAME = re.compile(NAME)
_LETTERS = re.compile(r"[^\\()\[\]{}|.^$?*+]+(?![?*+{])")
"""Letters that stand for themselves, none of them repeated."""
_GROUP = re.compile(r"\((?!\?)|\(\?(?:P<\w+>|>|[ims-]*:)")
_AROUND = re.compile(r"\(\?<?[=!]")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\\\]])*\]", re.DOTALL)
_REPEAT = re.compile(r"(?:\{(\d*),?\d*\}|[?*+])[?+]?")
_NOTHING = re.compile(r"(?!)")
Needles = tuple[str, ...]


class Phrase(str):
    """A text that many finders look at. ``folded``: what they look for needed words in, each player's placeholder being
    the same one."""

    def __init__(self, text: str) -> None:
        self.folded = text.casefold() if text.isascii() else _NAME.sub(PLACEHOLDER, text.casefold())


class LazyFinder:
    """Finds what any of ``patterns`` of the ``regex`` package finds, ignoring case; each is compiled and run only where
    a word that it needs occurs. Any method raises regex.error.
    """

    def __init__(self, patterns: tuple[str, ...]) -> None:
        needed = [needles(one) for one in patterns]
        compiled = [cache(partial(regex.compile, one, regex.IGNORECASE)) for one in patterns]
        self._parts = [*zip(needed, compiled, strict=True)]
        self._any = first_of(needed)

    def search(self, text: Phrase) -> regex.Match[str] | None:
        """The leftmost match; of several at one place, that of the first pattern."""
        found = fitting(self._parts, self._any, text)
        return leftmost([pattern.search(text) for pattern in found]) if found else None

    def finditer(self, text: Phrase) -> Iterator[regex.Match[str]]:
        """Find all matches in ``text``, pattern by pattern."""
        return chain.from_iterable([pattern.finditer(text) for pattern in fitting(self._parts, self._any, text)])

    def compile(self) -> None:
        """Compile all that no text has needed yet."""
        for _, pattern in self._parts:
            pattern()


class Finder:
    """Finds what any of ``patterns`` finds, ignoring case, exactly as one alternation of them would.

    Each pattern is compiled and run only where a text has a word that it needs. In a pattern ``(?P<NAME>…)`` may stand
    any number of times. Raises re.error.
    """

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self._patterns = patterns

    @classmethod
    def of(cls, finders: Sequence[Finder]) -> Finder:
        """Make one finder that finds whatever any of ``finders`` finds."""
        found = cls(tuple(pattern for finder in finders for pattern in finder._patterns))
        found._needed = tuple(words for finder in finders for words in finder._needed)
        return found

    @cached_property
    def _needed(self) -> tuple[Needles, ...]:
        """For each pattern the words without which it can not match."""
        return tuple(map(needles, self._patterns))

    @cached_property
    def _any(self) -> re.Pattern[str]:
        # One search for any of many words is quicker than a look for each.
        return first_of(self._needed)

    @cached_property
    def _parts(self) -> list[tuple[Needles, Callable[[], re.Pattern[str]]]]:
        """For each pattern the words that it needs, and the pattern, compiled once it is called."""
        compiled = (cache(partial(_compiled, pattern)) for pattern in self._patterns)
        return [*zip(self._needed, compiled, strict=True)]

    def compile(self) -> None:
        """Compile what is else compiled when a text first needs it."""
        _ = self._any
        for _, pattern in self._parts:
            pattern()

    def may_match(self, text: Phrase) -> bool:
        """Whether ``text`` has what at least one of the patterns needs."""
        return self._any.search(text.folded) is not None

    def search(self, text: Phrase) -> re.Match[str] | None:
        """The leftmost match; of several at one place, that of the first pattern."""
        found = fitting(self._parts, self._any, text)
        return leftmost([pattern.search(text) for pattern in found]) if found else None

    def finditer(self, text: Phrase) -> Iterator[re.Match[str]]:
        """Find all matches in ``text``, from left to right."""
        patterns, place = fitting(self._parts, self._any, text), 0
        while patterns and place <= len(text) and (match := leftmost([one.search(text, place) for one in patterns])):
            yield match
            place = match.end() + (match.end() == match.start())

    def sub(self, replacement: str, text: Phrase) -> str:
        """Put ``replacement`` in place of every match in ``text``."""
        return replacement.join(self.split(text))

    def split(self, text: Phrase) -> list[str]:
        """The parts of ``text`` between matches."""
        cuts = [(0, 0), *(match.span() for match in self.finditer(text)), (len(text), len(text))]
        return [text[end:begin] for (_, end), (begin, _) in pairwise(cuts)]


def _compiled(pattern: str) -> re.Pattern[str]:
    # Each occurrence of a group needs a name of its own.
    begin, *parts = pattern.split("(?P<NAME>")
    return re.compile(begin + "".join(f"(?P<n{i}>{part}" for i, part in enumerate(parts)), re.IGNORECASE)


_Pattern = TypeVar("_Pattern")


class _Match(Protocol):
    def start(self) -> int: ...


_Found = TypeVar("_Found", bound=_Match)


def fitting(
    parts: Sequence[tuple[Needles, Callable[[], _Pattern]]], needed_at_all: re.Pattern[str], text: Phrase
) -> list[_Pattern]:
    """The patterns, in order, of whose needed words ``text`` has one.

    ``parts``: the words that each pattern needs, and what compiles it; ``needed_at_all``: :func:`first_of` these words.
    """
    folded = text.folded
    if needed_at_all.search(folded) is None:
        return []
    return [pattern() for needed, pattern in parts if _has_one(needed, folded)]


def leftmost(matches: Iterable[_Found | None]) -> _Found | None:
    """The match that begins first; of several at one place, the first of them."""
    first: _Found | None = None
    for match in matches:
        if match is not None and (first is None or match.start() < first.start()):
            first = match
    return first


def _has_one(words: Needles, folded: str) -> bool:
    """Whether ``folded`` has one of the ``words`` that a pattern needs, or it needs none."""
    for word in words:
        if word in folded:
            return True
    return not words


def first_of(needed: Sequence[Needles]) -> re.Pattern[str]:
    """What finds any of the words that patterns need: anywhere where one of them needs none, nowhere without any."""
    if not needed:
        return _NOTHING
    return _any_of(tuple({word for words in needed for word in words}) if all(needed) else ())


def _any_of(words: Needles) -> re.Pattern[str]:
    """What finds any of ``words``, or anywhere without them."""
    return re.compile(_letter_by_letter(_shortest(set(words))))


def _letter_by_letter(words: Iterable[str]) -> str:
    """A pattern of sorted ``words``, none of which begins another, in which each beginning stands once: the fewer
    alternatives there are at a place, the quicker it is seen that none of them stands there."""
    found: list[str] = []
    for first, group in groupby(words, key=lambda word: word[:1]):
        rest = [word[1:] for word in group]
        found.append(re.escape(first) + (f"(?:{_letter_by_letter(rest)})" if len(rest) > 1 else re.escape(rest[0])))
    return "|".join(found)


def _shortest(words: set[str]) -> Needles:
    """``words`` without those that hold another one."""
    found: list[str] = []
    for word in sorted(words, key=len):
        if not any(map(word.__contains__, found)):
            found.append(word)
    return tuple(sorted(found))


# --- what a pattern needs --------------------------------------------------------------------------------------


def needles(pattern: str) -> Needles:
    """Words of which at least one, case folded, is in every text that ``pattern`` matches; none where unsure."""
    scan = _Scan(pattern.replace(f"(?P<NAME>{NAME})", PLACEHOLDER).replace(NAME, PLACEHOLDER))
    try:
        found = scan.choice()
        return _shortest(set(found)) if scan.at_end() else ()
    except ValueError:
        return ()


class _Scan:
    """Walks through a regular expression once. Raises ValueError at what it does not know."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._place = 0

    def at_end(self) -> bool:
        return self._place == len(self._pattern)

    def choice(self) -> Needles:
        """Needles of alternatives: all of theirs, or none when one of them needs nothing."""
        found = [self._sequence()]
        while self._pattern.startswith("|", self._place):
            self._place += 1
            found.append(self._sequence())
        return tuple(word for words in found for word in words) if all(found) else ()

    def _sequence(self) -> Needles:
        """The most telling of the needles that stand one after the other."""
        found: list[Needles] = []
        run = ""
        while not self.at_end() and self._pattern[self._place] not in "|)":
            if plain := self._take(_LETTERS):
                run += plain[0].casefold()
                continue
            letters, words = self._atom()
            repeat = self._take(_REPEAT)
            if repeat is None:
                run += letters or ""
            least = repeat is None or repeat[0][0] == "+" or (repeat[1] or "0") > "0"
            if repeat is not None or letters is None:
                found += [(run + (letters or "") * least,), words if least else ()]
                run = ""
        if not found:
            return (run,) if run else ()
        best = max([*found, (run,)], key=_worth)
        return best if _worth(best) >= 0 else ()

    def _atom(self) -> tuple[str | None, Needles]:
        """What one item stands for, ``""`` if for a place and ``None`` if unknown, and what it needs."""
        char = self._pattern[self._place]
        if char == "(":
            return self._group()
        if char == "[":
            letters = self._need(_CLASS)[0][1:-1]
            return None, () if set(letters) & set("^-\\") else tuple(letters.casefold())
        self._place += 1
        if char == "\\":
            return self._escaped()
        return ("", ()) if char in "^$" else (None if char == "." else char.casefold(), ())

    def _escaped(self) -> tuple[str | None, Needles]:
        char = self._pattern[self._place : self._place + 1]
        self._place += 1
        if char.isalnum() and char not in "wWsSdDbB":
            raise ValueError(char)
        return (None if char in "wWsSdD" else "" if char in "bB" else char.casefold()), ()

    def _group(self) -> tuple[str | None, Needles]:
        around = self._take(_AROUND)
        if around is None:
            self._need(_GROUP)
        words = self.choice()
        if not self._pattern.startswith(")", self._place):
            raise ValueError(self._pattern)
        self._place += 1
        return ("", ()) if around else (None, words)

    def _take(self, form: re.Pattern[str]) -> re.Match[str] | None:
        match = form.match(self._pattern, self._place)
        self._place = match.end() if match else self._place
        return match

    def _need(self, form: re.Pattern[str]) -> re.Match[str]:
        match = self._take(form)
        if match is None:
            raise ValueError(self._pattern[self._place :])
        return match


def _worth(words: Needles) -> float:
    """How seldom a text holds one of ``words``: roughly by the letters of the shortest; below 0 for none."""
    if not words or not all(words):
        return -1.0
    return min(map(_weight, words)) - 0.05 * len(words)


def _weight(word: str) -> float:
    frequent = word.count(" ") + word.count(PLACEHOLDER)
    rare = 0 if word.isascii() else sum(not char.isascii() for char in word) - word.count(PLACEHOLDER)
    return len(word) - 0.5 * frequent + 2.0 * rare
