"""Finding players: where they are named in a text, and which one an answer means. Pure."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import jaconv
import regex
from rapidfuzz import fuzz

from nlp_agent.text.model_habits import json_text, without_thoughts
from nlp_agent.text.rules import SpeechRules

_MAX_RAW = 4_000
_FUZZY_WORDS = 3
_FUZZY_LETTERS = 24
_FUZZY_SCORE = 75.0
_FUZZY_LEAD = 8.0
_TARGET_FIELDS = ("target", "name", "player", "vote", "choice", "answer", "agent", "対象", "投票先", "名前")


class NameSpan(NamedTuple):
    """``text[start:end] == name``; ``mention`` tells that an ``@`` stands right before it."""

    start: int
    end: int
    name: str
    mention: bool


@dataclass(frozen=True, slots=True)
class NameMatch:
    """``name`` is one of the choices, byte for byte; ``step`` is exact, normalised, sentence or fuzzy."""

    name: str
    step: str


@lru_cache(maxsize=32)
def names_pattern(players: tuple[str, ...], ignore_case: bool = False) -> regex.Pattern[str] | None:
    """A pattern whose match is a player's name standing alone, longest name first; ``None`` without names.

    A name in letters that put spaces between words is not found inside a longer word, one in katakana not
    inside a longer run of katakana. Kanji and hiragana have no such border.
    """
    names = sorted({name for name in players if name.strip()}, key=len, reverse=True)
    if not names:
        return None
    flags = regex.IGNORECASE if ignore_case else 0
    # Neighbours in the list with the same borders share them: each border is costly to compile.
    return regex.compile("|".join(_bordered(*same) for _, same in groupby(names, _borders)), flags)


_LATIN_LETTER = r"[\p{L}\p{Nd}--[\p{Han}\p{Hiragana}\p{Katakana}ー]]"


def _bordered(*names: str) -> str:
    """A pattern for any of ``names``, all with the same borders."""
    before, after = _borders(names[0])
    left = f"(?<!{before})" if before else ""
    right = f"(?!{after})" if after else ""
    return rf"(?V1:{left}(?:{'|'.join(map(regex.escape, names))}){right}(?!\p{{M}}))"


def _borders(name: str) -> tuple[str, str]:
    return _border(name[0]), _border(name[-1])


def _border(char: str) -> str:
    if regex.match(r"[\p{Katakana}ー]", char):
        return r"[\p{Katakana}ー]"
    if regex.match(r"[\p{Han}\p{Hiragana}]", char):
        return ""
    return _LATIN_LETTER if regex.match(r"[\p{L}\p{Nd}]", char) else ""


def find_names(text: str, players: tuple[str, ...], *, ignore_case: bool = False) -> list[NameSpan]:
    """Where players are named in ``text``, in order, without overlaps; the longest name wins at a place."""
    pattern = names_pattern(players, ignore_case)
    if pattern is None:
        return []
    return [
        NameSpan(m.start(), m.end(), _spelt(m[0], players) if ignore_case else m[0], text[: m.start()].endswith("@"))
        for m in pattern.finditer(text)
    ]


def _spelt(found: str, players: tuple[str, ...]) -> str:
    if found in players:
        return found
    return next((name for name in players if name.casefold() == found.casefold()), found)


def resolve_name(
    raw: str, choices: tuple[str, ...], rules: SpeechRules, players: tuple[str, ...] = ()
) -> NameMatch | None:
    """Which of ``choices`` the answer ``raw`` means, or ``None`` when that is not certain.

    ``players`` are all names of the game: an answer that means one of them who is no choice is refused rather
    than bent to the nearest choice.
    """
    if raw in choices:
        return NameMatch(raw, "exact")
    text = _target_text(without_thoughts(raw[:_MAX_RAW]))
    everyone = tuple(dict.fromkeys((*choices, *players)))
    for loose in (False, True):
        same = [name for name in everyone if _key(name, rules, loose) == _key(text, rules, loose) != ""]
        if len(same) > 1:
            same = [name for name in same if _tidy(name) == _tidy(text)] or same
        if same:
            return NameMatch(same[0], "normalised") if len(same) == 1 and same[0] in choices else None
    named = _named(text, everyone, rules)
    if named is not None:
        return NameMatch(named, "sentence") if named in choices else None
    return _fuzzy(text, choices, everyone, rules)


def _target_text(text: str) -> str:
    """The answer itself when it is wrapped in JSON."""
    return json_text(text, _TARGET_FIELDS) or text.strip()


def _tidy(text: str) -> str:
    return text.strip().strip("@\"'`*_「」『』“”‘’.。!！ \n")


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    """The same for spellings that differ in width, case and invisible marks only."""
    return unicodedata.normalize("NFKC", regex.sub(r"[\p{Cf}\uFE00-\uFE0F]", "", text)).casefold()


def _fold(text: str) -> str:
    """The same for spellings that a person takes for the same name: kana of both kinds are equal, too."""
    return jaconv.hira2kata(_plain(text))


@lru_cache(maxsize=256)
def _honorific_pattern(rules: SpeechRules) -> tuple[regex.Pattern[str], regex.Pattern[str]]:
    words = sorted((_fold(word) for word in rules.honorifics), key=len, reverse=True)
    any_of = "|".join(regex.escape(word) for word in words) or r"(?!)"
    space = r"\s+" if rules.spaced else r"\s*"
    return regex.compile(rf"^(?:{any_of}){space}"), regex.compile(rf"\s*(?:{any_of})$")


def _key(text: str, rules: SpeechRules, loose: bool) -> str:
    folded = regex.sub(r"^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$", "", _fold(text))
    if loose:
        before, after = _honorific_pattern(rules)
        shorter = after.sub("", before.sub("", folded))
        folded = regex.sub(r"[\s・·=＝\-]+", "", shorter) or folded
    return folded


def _named(text: str, everyone: tuple[str, ...], rules: SpeechRules) -> str | None:
    """The one player a sentence decides for; ``None`` when it names nobody."""
    words = _plain(text)
    for respell in (_plain, lambda name: jaconv.kata2hira(_plain(name)), _fold):
        spelt = {respell(name): name for name in everyone}
        found = {span.name for span in find_names(words, tuple(spelt))}
        if len(spelt) == len(everyone) and found:
            return spelt.get(_decided(words, found, tuple(spelt), rules), _UNDECIDED)
    return None


def _decided(words: str, found: set[str], everyone: tuple[str, ...], rules: SpeechRules) -> str:
    """The name left when those refused are gone, or the only one with a verdict on it; ``""`` without either."""
    left = {name for name in found if not _says(words, name, everyone, rules.refusals, rules)}
    if len(left) != 1:
        left = {name for name in left if _says(words, name, everyone, rules.verdicts, rules)}
    return next(iter(left)) if len(left) == 1 else ""


_UNDECIDED = "\0"
"""No player's name: stands for a sentence that names players without deciding."""


def _says(words: str, name: str, everyone: tuple[str, ...], patterns: tuple[str, ...], rules: SpeechRules) -> bool:
    return any(pattern.search(words) for pattern in _filled(patterns, name, everyone, rules))


@lru_cache(maxsize=128)
def _filled(
    patterns: tuple[str, ...], name: str, everyone: tuple[str, ...], rules: SpeechRules
) -> tuple[regex.Pattern[str], ...]:
    words = sorted((_plain(word) for word in rules.honorifics), key=len, reverse=True)
    titles = "|".join(regex.escape(word) for word in words) or r"(?!)"
    # "ハル" must not be found at the head of "ハルト": what would make it a longer name may not follow.
    tails = (other[len(name) :] for other in everyone if other != name and other.startswith(name))
    guard = "".join(f"(?!{regex.escape(tail)})" for tail in tails)
    this = rf"(?:(?:{titles})\s*)?[@\"'「『]?{_bordered(name)}{guard}[\"'」』]?(?:{titles})?"
    return tuple(regex.compile(pattern.replace("{name}", this)) for pattern in patterns)


def _fuzzy(text: str, choices: tuple[str, ...], everyone: tuple[str, ...], rules: SpeechRules) -> NameMatch | None:
    wanted = _key(text, rules, loose=True)
    if not 2 <= len(wanted) <= _FUZZY_LETTERS or len(text.split()) > _FUZZY_WORDS:
        return None
    keys = {name: _key(name, rules, loose=True) for name in everyone}
    if sum(key.startswith(wanted) for key in keys.values()) > 1:
        return None
    scores = sorted(((fuzz.ratio(wanted, key), name) for name, key in keys.items()), reverse=True)
    best, second = scores[0], scores[1] if len(scores) > 1 else (0.0, "")
    clear = best[0] >= _FUZZY_SCORE and best[0] - second[0] >= _FUZZY_LEAD
    return NameMatch(best[1], "fuzzy") if clear and best[1] in choices else None
