"""Whether words can be somebody's talk in this game at all: a small model also writes noise, loops and prompts. Pure.

What a good model or the LLM-free player says passes; what does not is replaced, so in doubt a sentence may be lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import regex

from nlp_agent.text.guard import Patterns, compiled, plain_form, units
from nlp_agent.text.names import SIGNS


@dataclass(frozen=True, eq=False)
class PlausibleRules:
    """Section ``plausible`` of ``pack.yml``; an empty rule asks for nothing.

    Patterns are regular expressions as in section ``guard``. ``leftovers``: numbering, headings, instructions and the
    like. ``common``: the little words every text is full of, and ``least_common`` the share of them in a talk of eight
    words (or thirty characters) and more. ``longest_word``: letters of the longest word anybody says.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    leftovers: Patterns = ()
    common: Patterns = ()
    least_common: float = 0.2
    longest_word: int = 0


_REPEATED = {True: 5, False: 8}
"""Words (characters) in a row that nobody says twice in one talk."""
_ECHOED = {True: 4, False: 8}
"""A sentence of so many words (characters) or more that stands in the prompt word for word was not thought up."""
_JUDGED = {True: 8, False: 30}
_QUOTED = regex.compile(r"“[^”]*”|「[^」]*」|『[^』]*』")
_HEADING = regex.compile(r"#+ *(.+)$")
_SENTENCE = regex.compile(r"[^.!?。！？\n]+")


def implausible(text: str, players: tuple[str, ...], rules: PlausibleRules, *, spaced: bool) -> str:
    """Why ``text`` is no talk of this game, or ``""``."""
    form = plain_form(text, players)
    if found := compiled(rules.leftovers).search(form):
        return f"no spoken words: {found[0].strip()}"
    said = units(form, spaced=spaced)
    if loop := _loop(said, spaced):
        return f"goes round in circles: {loop}"
    if rules.longest_word and (long := regex.search(rf"\p{{L}}{{{rules.longest_word + 1},}}", form)):
        return f"not a word: {long[0][:40]}"
    if rules.common and len(said) >= _JUDGED[spaced]:
        common = " ".join(found[0] for found in compiled(rules.common).finditer(form))
        if len(units(common, spaced=spaced)) < rules.least_common * len(said):
            return "no sentence"
    return ""


OwnWords = tuple[str, bool]
"""A line of a prompt as units between zeros, and whether it is a heading."""


def own_words(prompt: str, players: tuple[str, ...], *, spaced: bool) -> list[OwnWords]:
    """The lines of ``prompt`` without what they quote."""
    return [_own_words(line, players, spaced) for line in _QUOTED.sub(" ", prompt).splitlines()]


def echoes(text: str, lines: Sequence[OwnWords], players: tuple[str, ...], *, spaced: bool) -> str:
    """A sentence of ``text`` that is one of a prompt's own ``lines``; sentences with names do not count."""
    for found in _SENTENCE.finditer(plain_form(text, players).casefold()):
        words = units(found[0], spaced=spaced)
        said = f"\0{chr(0).join(words)}\0"
        if words and any(heading and said == line for line, heading in lines):
            return found[0].strip()
        if len(words) < _ECHOED[spaced] or any(_NAMED.search(word) for word in words):
            continue
        if any(said in line for line, _ in lines):
            return found[0].strip()
    return ""


_NAMED = regex.compile(f"[{SIGNS}]")


def unquoted(prompt: str) -> str:
    """``prompt`` without what it quotes: talk of others, samples of the character's own voice, examples."""
    return _QUOTED.sub(" ", prompt)


@lru_cache(maxsize=1024)  # prompts grow line by line
def _own_words(line: str, players: tuple[str, ...], spaced: bool) -> OwnWords:
    form = plain_form(line, players).casefold()
    heading = _HEADING.match(form)
    return f"\0{chr(0).join(units(heading[1] if heading else form, spaced=spaced))}\0", heading is not None


def _loop(words: list[str], spaced: bool) -> str:
    size = _REPEATED[spaced]
    seen: dict[tuple[str, ...], int] = {}
    for at in range(len(words) - size + 1):
        run = tuple(word.casefold() for word in words[at : at + size])
        if at - seen.setdefault(run, at) >= size or (run in seen and seen[run] != at and len(set(run)) == 1):
            return ("" if not spaced else " ").join(run)
    return ""
