"""Sentences and shorter pieces of a finished talk. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import regex

from nlp_agent.text.names import SIGNS
from nlp_agent.text.rules import SpeechRules


@lru_cache(maxsize=64)
def _splitter(rules: SpeechRules) -> regex.Pattern[str]:
    ends = regex.escape(rules.terminals)
    # A full stop inside 3.5 ends nothing where words are spaced.
    return regex.compile(rf"(?<=[{ends}])\s+" if rules.spaced else rf"(?<=[{ends}])(?![{ends}])\s*")


def sentences(text: str, rules: SpeechRules) -> list[str]:
    """The sentences of ``text`` with their terminals; the last one may lack its own."""
    return [part for part in _splitter(rules).split(text.strip()) if part]


def joined(parts: list[str], rules: SpeechRules) -> str:
    """The opposite of :func:`sentences`."""
    return (" " if rules.spaced else "").join(parts)


@lru_cache(maxsize=64)
def _clause_border(rules: SpeechRules) -> regex.Pattern[str]:
    if rules.clause_marks:
        return regex.compile(rf"[{regex.escape(rules.clause_marks)}]")
    words = "|".join(regex.escape(word) for word in rules.conjunctions) or r"(?!)"
    return regex.compile(rf"\s+(?=(?:{words})\s)", regex.IGNORECASE)


def clause_ends(sentence: str, rules: SpeechRules) -> list[int]:
    """Places where a clause ends inside ``sentence``, in order."""
    return [found.start() for found in _clause_border(rules).finditer(sentence)]


def phrase_ends(sentence: str, rules: SpeechRules) -> list[int]:
    """Places where a word (where words are spaced) or a phrase ends inside ``sentence``, in order."""
    if rules.spaced:
        return [found.start() for found in regex.finditer(r"\s+", sentence)]
    ends, place = [], 0
    for phrase in _phrases(sentence, rules.phrase_model)[:-1]:
        place += len(phrase)
        ends.append(place)
    return ends


_LOADERS = {
    "ja": "load_default_japanese_parser",
    "zh-hans": "load_default_simplified_chinese_parser",
    "zh-hant": "load_default_traditional_chinese_parser",
    "th": "load_default_thai_parser",
}
_PLAIN_NAMES = {"ja": "ナ", "th": "น"}
"""A name is one character here; written as a letter of the script it is split like a word."""


@lru_cache(maxsize=4)
def _parser(model: str) -> Any:
    import budoux  # noqa: PLC0415 - 124 KB of model, needed only when a long sentence must be shortened

    return getattr(budoux, _LOADERS.get(model, _LOADERS["ja"]))()


def _phrases(sentence: str, model: str) -> list[str]:
    plain = regex.sub(f"[{SIGNS}]", _PLAIN_NAMES.get(model, "王"), sentence)
    cut = _parser(model).parse(plain)
    phrases, place = [], 0
    for piece in cut:
        phrases.append(sentence[place : place + len(piece)])
        place += len(piece)
    return phrases
