"""Whether words can be somebody's talk in this game at all: a small model also writes noise, loops and prompts. Pure.

What a good model or the LLM-free player says passes; what does not is replaced, so in doubt a sentence may be lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import regex

from nlp_agent.talk.guard import Patterns, compiled, plain_form
from nlp_agent.talk.mask import SLOT


@dataclass(frozen=True, eq=False)
class PlausibleRules:
    """Section ``plausible`` of ``pack.yml``; an empty rule asks for nothing.

    Patterns are regular expressions as in section ``guard``. ``topics``: what people at this table speak of; each talk
    holds one of them or a player's name. ``leftovers``: numbering, headings, instructions and the like. ``common``: the
    little words every text is full of, and ``least_common`` the share of them in a talk of eight words (or thirty
    characters) and more. ``longest_word``: letters of the longest word anybody says.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    topics: Patterns = ()
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
_HEADING = regex.compile(r"^#+ *(.+)$", regex.MULTILINE)
_SENTENCE = regex.compile(r"[^.!?。！？\n]+")


def implausible(text: str, players: tuple[str, ...], rules: PlausibleRules, *, spaced: bool) -> str:
    """Why ``text`` is no talk of this game, or ``""``."""
    form = plain_form(text, players)
    if found := compiled(rules.leftovers).search(form):
        return f"no spoken words: {found[0].strip()}"
    units = _units(form, spaced)
    if loop := _loop(units, spaced):
        return f"goes round in circles: {loop}"
    if rules.topics and not regex.search(f"[{SLOT}]", form) and not compiled(rules.topics).search(form):
        return "not about this game"
    if rules.longest_word and (long := regex.search(rf"\p{{L}}{{{rules.longest_word + 1},}}", form)):
        return f"not a word: {long[0][:40]}"
    if rules.common and len(units) >= _JUDGED[spaced]:
        common = sum(len(_units(found[0], spaced)) for found in compiled(rules.common).finditer(form))
        if common < rules.least_common * len(units):
            return "no sentence"
    return ""


def echoes(text: str, prompt: str, players: tuple[str, ...], *, spaced: bool) -> str:
    """A sentence of ``text`` that is one of ``prompt``'s own; quoted words and sentences with names do not count."""
    lines, headings = _own_words(prompt, players, spaced)
    for found in _SENTENCE.finditer(plain_form(text, players).casefold()):
        units = _units(found[0], spaced)
        if tuple(units) in headings:
            return found[0].strip()
        if len(units) < _ECHOED[spaced] or any(SLOT_CLASS.search(unit) for unit in units):
            continue
        said = f"\0{chr(0).join(units)}\0"
        if said in lines:
            return found[0].strip()
    return ""


SLOT_CLASS = regex.compile(f"[{SLOT}]")


def unquoted(prompt: str) -> str:
    """``prompt`` without what it quotes: talk of others, samples of the character's own voice, examples."""
    return _QUOTED.sub(" ", prompt)


@lru_cache(maxsize=64)
def _own_words(prompt: str, players: tuple[str, ...], spaced: bool) -> tuple[str, frozenset[tuple[str, ...]]]:
    """The prompt without what it quotes, as units between zeros; and its headings."""
    form = plain_form(unquoted(prompt), players).casefold()
    headings = frozenset(tuple(_units(found[1], spaced)) for found in _HEADING.finditer(form))
    return f"\0{chr(0).join(_units(form, spaced))}\0", headings


def _loop(units: list[str], spaced: bool) -> str:
    size = _REPEATED[spaced]
    seen: dict[tuple[str, ...], int] = {}
    for at in range(len(units) - size + 1):
        run = tuple(unit.casefold() for unit in units[at : at + size])
        if at - seen.setdefault(run, at) >= size or (run in seen and seen[run] != at and len(set(run)) == 1):
            return ("" if not spaced else " ").join(run)
    return ""


def _units(form: str, spaced: bool) -> list[str]:
    return regex.findall(rf"[\p{{L}}\p{{N}}{SLOT}']+" if spaced else rf"[\p{{L}}\p{{N}}{SLOT}ー]", form)
