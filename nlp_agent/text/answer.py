"""Which player an answer means. Pure."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import jaconv
import regex
from rapidfuzz import fuzz

from nlp_agent.text.model_habits import json_text, without_thoughts
from nlp_agent.text.names import names_of
from nlp_agent.text.rules import SpeechRules

_MAX_RAW = 4_000
_FUZZY_WORDS = 3
_FUZZY_LETTERS = 24
_FUZZY_SCORE = 75.0
_FUZZY_LEAD = 8.0
_TARGET_FIELDS = ("target", "name", "player", "vote", "choice", "answer", "agent", "対象", "投票先", "名前")


@dataclass(frozen=True, slots=True)
class NameMatch:
    """``name`` is one of the choices, byte for byte; ``step`` is exact, normalised, sentence or fuzzy."""

    name: str
    step: str


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
        names = names_of(tuple(spelt))
        masked = names.mask(words)
        if len(spelt) == len(everyone) and (found := set(names.named(masked))):
            left = {name for name in found if not _said_of(masked, names.sign(name), rules.refusals, rules)}
            if len(left) != 1:
                left = {name for name in left if _said_of(masked, names.sign(name), rules.verdicts, rules)}
            return spelt[left.pop()] if len(left) == 1 else _UNDECIDED
    return None


_UNDECIDED = "\0"
"""No player's name: stands for a sentence that names players without deciding."""
_THIS = "\ue1ff"
"""A sign no player has: whoever is looked at."""


def _said_of(masked: str, sign: str, patterns: tuple[str, ...], rules: SpeechRules) -> bool:
    """Whether one of ``patterns`` says its thing of the player with ``sign``."""
    return any(pattern.search(masked.replace(sign, _THIS)) for pattern in _filled(patterns, rules))


@lru_cache(maxsize=128)
def _filled(patterns: tuple[str, ...], rules: SpeechRules) -> tuple[regex.Pattern[str], ...]:
    words = sorted((_plain(word) for word in rules.honorifics), key=len, reverse=True)
    titles = "|".join(regex.escape(word) for word in words) or r"(?!)"
    this = rf"(?:(?:{titles})\s*)?[@\"'「『]?{_THIS}[\"'」』]?(?:{titles})?"
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
