"""Half-width commas rewritten into connected prose. Pure.

Commas are forbidden in a talk, and deleting them leaves scars. Works on masked text (see
:mod:`~nlp_agent.text.names`) of a language that puts spaces between words.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import regex

from nlp_agent.text.names import SIGNS
from nlp_agent.text.rules import SpeechRules

_THOUSANDS = regex.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")
_COMMA = regex.compile(r"\s*[,，､、﹐﹑]+[\s,，､、]*")
_SENTENCE_END = regex.compile(r"(?<=[.!?])\s+")
_OPENER_WORDS = 3
_ITEM_WORDS = 3


class _Words(NamedTuple):
    conjunctions: frozenset[str]
    subordinators: frozenset[str]
    subjects: frozenset[str]


@lru_cache(maxsize=64)
def _words(rules: SpeechRules) -> _Words:
    lists = (rules.conjunctions, rules.subordinators, rules.subjects)
    return _Words(*(frozenset(word.casefold() for word in words) for words in lists))


def rewrite_commas(text: str, rules: SpeechRules) -> str:
    """``text`` without any comma: lists joined by a word, spliced statements parted, the rest dropped."""
    text = _THOUSANDS.sub("", text)
    if not _COMMA.search(text):
        return text
    return " ".join(_rewrite_sentence(sentence, rules) for sentence in _SENTENCE_END.split(text))


def _rewrite_sentence(sentence: str, rules: SpeechRules) -> str:
    parts = [part for part in _COMMA.split(sentence) if part]
    if not parts:
        return ""
    listed = _list_joints(parts, rules)
    done, current = "", parts[0]
    for place, part in enumerate(parts[1:], start=1):
        if place in listed:
            word = listed[place]
            current += f" {part}" if first_word(part) == word else f" {word} {part}"
        elif _is_new_statement(current, part, rules):
            done += f"{current}{rules.full_stop} "
            current = capitalised(part)
        else:
            current += f" {part}"
    return done + current


def _list_joints(parts: list[str], rules: SpeechRules) -> dict[int, str]:
    """Which joints (index of the part behind the comma) belong to a list, and the word that joins it."""
    joints: dict[int, str] = {}
    for place in range(len(parts) - 1, 0, -1):
        word = first_word(parts[place])
        last_joins = word in (rules.list_word, "or", "nor") and place >= 2
        inner = _inner_join(parts[place], rules)
        if not last_joins and inner is None:
            continue
        chain = place
        while chain - 1 >= 1 and len(parts[chain - 1].split()) <= _ITEM_WORDS and not _opens(parts[chain - 1], rules):
            chain -= 1
        if last_joins and chain == place:
            continue
        if not last_joins and not _ends_like(parts[chain - 1], parts[place]):
            continue
        joiner = word if last_joins else inner
        joints.update((joint, joiner or rules.list_word) for joint in range(chain, place + 1))
        break
    return joints


def _inner_join(part: str, rules: SpeechRules) -> str | None:
    """The list word inside ``B and C …``, when ``part`` starts like the end of a list of single words."""
    words = part.split()[:3]
    return words[1].casefold() if len(words) == 3 and words[1].casefold() in (rules.list_word, "or") else None


def _ends_like(left: str, right: str) -> bool:
    """Both sides of the comma are names, or both plain words of a list in the making."""
    return bool(regex.search(rf"[{SIGNS}]$", left)) and len(left) > 1 and bool(regex.match(rf"[{SIGNS}]", right))


def _opens(part: str, rules: SpeechRules) -> bool:
    word = first_word(part)
    words = _words(rules)
    return word in words.subjects or word in words.conjunctions


def _is_new_statement(left: str, right: str, rules: SpeechRules) -> bool:
    """A comma splice: two statements that could stand alone."""
    words = _words(rules)
    opening = first_word(right)
    names_someone = bool(regex.match(rf"[{SIGNS}](?:'s)? \S+ \S+", right))
    if opening in words.conjunctions or not (opening in words.subjects or names_someone):
        return False
    body = left.split()
    while body and body[0].casefold() in ("and", "but", "so", "or", "well", "yes", "no"):
        body = body[1:]
    if not body or first_word(body[0]) in words.subordinators or len(right.split()) < 2:
        return False
    starts_whole = first_word(body[0]) in words.subjects or (is_named(body[0]) and len(body) > 1)
    return len(body) > _OPENER_WORDS or (starts_whole and len(body) > 1)


def is_named(word: str) -> bool:
    return bool(regex.match(rf"[{SIGNS}]", word))


def first_word(text: str) -> str:
    found = regex.match(r"[^\s.!?]+", text)
    return found[0].casefold() if found else ""


def capitalised(text: str) -> str:
    """``text`` with a capital where it starts with a small letter that has one."""
    upper = text[:1].upper()
    return upper + text[1:] if len(upper) == 1 else text
