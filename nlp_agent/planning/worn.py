"""What one player says again in talk after talk, found by counting: a favourite word, and short remarks in front. Pure.

A character may have its word; in every talk it sounds like a machine. What many players say is no habit of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nlp_agent.reading.reader import TalkReader
from nlp_agent.text.anchor import without_anchor
from nlp_agent.text.finder import Phrase
from nlp_agent.text.names import NAME, names_of

_TALKS = 4
"""Talks in each of which a word has to stand."""
_OPENINGS = 3
"""Talks each of which has to begin with a short remark."""
_OTHERS = 0.1
"""Share of the other players' talks from which on a word is nobody's own."""
_MOST = 2
"""Words that are told."""
_LETTERS = 4
"""Letters of the shortest word that is told, where words are separated; ``_SIGNS``: where they are not."""
_SIGNS = range(6, 2, -1)
_ENDING = 2
"""Signs before the end of a sentence that belong to how it ends."""
_SHORT = (3, 14)
"""Words of a short remark where words are separated, and signs where they are not."""

_WORD = re.compile("[A-Za-zÀ-ɏ']+")
_SENTENCE = re.compile(r"[^.!?。！？…]+[.!?。！？…]+")
_PIECE = re.compile(r"[^\W_]+")
_WEIGHTY = frozenset({"claim", "unclaim", "result", "vote", "retract"})


def worn_words(
    own: Sequence[str], others: Sequence[str], players: tuple[str, ...], reader: TalkReader, profile: str = ""
) -> tuple[str, ...]:
    """The words that stand in each of the last talks in ``own`` and hardly in those of the ``others``; words for roles
    are left out, and so are those that the ``profile`` has its character say ("calls everyone dear")."""
    if len(own) < _TALKS or not others:
        return ()
    names, spaced = names_of(players), reader.rules.spaced
    found = [frozenset(_terms(names.mask(text), spaced=spaced)) for text in own[-_TALKS:]]
    common = frozenset.intersection(*found)
    heard = [names.mask(text).casefold() for text in others] if common else []
    rare = (term for term in common if sum(term in text for text in heard) <= _OTHERS * len(heard))
    told: list[str] = []
    for term in sorted(rare, key=lambda one: (-len(one), one)):
        wanted = reader.roles_in(Phrase(term)) or reader.is_favourite(term, profile)
        if not any(term in longer for longer in told) and not wanted:
            told.append(term)
    return tuple(told[:_MOST])


def _terms(masked: str, *, spaced: bool) -> Iterator[str]:
    if spaced:
        for word in _WORD.findall(masked):
            plain = word.casefold().removesuffix("s")
            if len(plain) >= _LETTERS:
                yield plain
        return
    for sentence in _SENTENCE.findall(f"{masked}。"):
        body = sentence.rstrip("。！？…!?.")[:-_ENDING]
        for piece in _PIECE.findall(re.sub(NAME, " ", body)):
            for size in _SIGNS:
                yield from (piece[at : at + size] for at in range(len(piece) - size + 1))


def short_openings(own: Sequence[str], players: tuple[str, ...], reader: TalkReader) -> tuple[str, ...]:
    """The short remarks with which the last talks in ``own`` begin, if each of them does: sentences that name nobody,
    and claim, tell and announce nothing, with more behind them."""
    found = [_opening(text, players, reader) for text in own[-_OPENINGS:]]
    return tuple(found) if len(found) == _OPENINGS and all(found) else ()


def _opening(text: str, players: tuple[str, ...], reader: TalkReader) -> str:
    words = without_anchor(text)
    first = _SENTENCE.match(words)
    if first is None or not words[first.end() :].strip():
        return ""
    said, spaced = first[0].strip(), reader.rules.spaced
    size = len(said.split()) if spaced else len(said)
    if size > _SHORT[not spaced] or names_of(players).players_in(said):
        return ""
    return "" if _WEIGHTY.intersection(one.kind for one in reader.read(said, players).statements) else said
