"""Whom a talk asks something: who is called in the question or just before it, else whose anchor it is behind. Pure.

A name in a question is not yet somebody asked: "Why were you so quick to accuse Tom?" asks whoever was called before.
The words by which a language calls and asks stand in ``reading.yml`` of its pack, under ``question``, ``everybody``
and ``asked``; here is only the order in which they are looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nlp_agent.reading.patterns import AskingWords
from nlp_agent.text.finder import Phrase
from nlp_agent.text.names import NAME, Names

_ANCHOR = re.compile(f"@ ?({NAME})")
_SIGN = re.compile(NAME)
_CLOSES = re.compile(rf"^([^@]*?)[,、]? ?(@ ?{NAME}) ?(?=[?？]+$)")
_TURNED = re.compile(rf"^[^\w{NAME[1:-1]}]*({NAME}) ?[,，、]")
"""How a sentence begins that turns to somebody: "Ann, a wolf would have waited."."""
_WORD = re.compile(r"\w")
_WORDS = re.compile(r"\w+")
_FEW = 1
"""Words beside a name that is called alone: "Okay Ann."."""


@dataclass(frozen=True)
class _Part:
    """A piece of a talk: whom it is for, its sentences, and whether its anchor is only a word of its sentence."""

    group: frozenset[str]
    sentences: Sequence[Phrase]
    mentioned: bool = False


def asked_in(sentences: Sequence[Phrase], words: AskingWords, names: Names, speaker: str = "") -> frozenset[str]:
    """The players who are asked something in the masked ``sentences`` of a talk of ``speaker``, who asks others."""
    return frozenset(who for part in _parts(sentences, words, names) for who in _asked(part, words, names, speaker))


def _parts(sentences: Sequence[Phrase], words: AskingWords, names: Names) -> Iterator[_Part]:
    """The talk cut at its anchors."""
    group: frozenset[str] = frozenset()
    held: list[Phrase] = []
    mentioned = False
    for one in sentences:
        sentence = _CLOSES.sub(r"\2 \1", one)  # "Are you ready, @Ann?"
        anchors = [*_ANCHOR.finditer(sentence)]
        spoken = [match.span() for match in words.spoken_of.finditer(Phrase(sentence))] if anchors else []
        start = end = 0
        for anchor in anchors:
            about = any(a <= anchor.start() < b for a, b in spoken)
            if about and group:
                continue
            between = sentence[end : anchor.start()]
            if group and not held and end and (not between.strip() or words.joined.search(Phrase(between))):
                group = group | set(names.named(anchor[1]))
            else:
                _hold(held, sentence[start : anchor.start()])
                yield _Part(group, held, mentioned)
                group, held = frozenset(names.named(anchor[1])), []
            mentioned = about
            start = end = anchor.end()
        _hold(held, sentence[start:])
    yield _Part(group, held, mentioned)


def _hold(held: list[Phrase], piece: str) -> None:
    """Add ``piece`` to the sentences ``held``; marks alone ("…" and then "?") belong to the sentence before."""
    if _WORD.search(piece) or _SIGN.search(piece):
        held.append(Phrase(piece.strip()))
    elif held and piece.strip():
        held[-1] = Phrase(held[-1] + piece.strip())


def _asked(part: _Part, words: AskingWords, names: Names, speaker: str) -> set[str]:
    asked: set[str] = set()
    spoken_to: set[str] = set()  # of a talk without an anchor: who was turned to last
    perhaps: set[str] = set()  # called before a question: it is for them unless another question calls somebody
    called_before: set[str] = set()
    standing: set[str] = set()
    others_before: set[str] = set()
    met = False  # whether a sentence before has spoken to "you"
    for number, sentence in enumerate(part.sentences):
        called = _called(sentence, words, names) - part.group - {speaker}
        others = set(names.named(sentence)) - part.group - {speaker}
        turned_to = _TURNED.match(sentence)
        spoken_to = set(names.named(turned_to[1])) - {speaker} if turned_to and not part.group else spoken_to
        if words.wait(sentence) and not words.passes_over(part.sentences, number):
            to_you = bool(words.you.search(sentence))
            general = number > 0 and words.general.search(sentence) is not None
            to_all = bool(general or words.everybody.search(sentence) or (words.all.search(sentence) and not to_you))
            asked |= called
            perhaps |= set() if called or to_all else called_before
            # Right behind an anchor a question is for it, whomever it names; further on it may be about the others.
            request = bool(words.requests.search(sentence))
            plain = to_you or request or bool(words.views.search(sentence))
            about_others = bool(others or (others_before and not met)) and not plain
            straight = not number or not (called or called_before or about_others)
            # Who is only named behind an anchor is asked by "you" in the same breath, or by a request right after it.
            turned = not called and ((to_you and not number) or (request and number <= 1 and not others))
            if straight and not to_all and (turned or not part.mentioned):
                asked |= part.group
            if plain and not (to_all or called or called_before):
                perhaps |= spoken_to
        if called and len(_WORDS.findall(sentence)) <= _FEW:
            standing = called  # a name alone calls for whatever comes behind it
        elif called:
            standing = set()
        called_before, others_before = called or standing, others
        met = met or words.you.search(sentence) is not None
    return asked or perhaps


def _called(sentence: Phrase, words: AskingWords, names: Names) -> set[str]:
    """Who is called in ``sentence``."""
    spans = [match.span() for match in _SIGN.finditer(sentence)]
    if not spans:
        return set()
    hits = {
        match.span(group)[0]
        for match in words.called.finditer(sentence)
        for group, value in match.groupdict().items()
        if value
    }
    called = {number for number, (start, _) in enumerate(spans) if start in hits}
    pairs = range(1, len(spans))
    between = {n: sentence[spans[n - 1][1] : spans[n][0]] for n in pairs}
    for n in pairs:  # "Ann and Ben, what ..." calls both; behind "Ann, " may come somebody who is only spoken of
        if n - 1 in called and words.both.search(Phrase(between[n])):
            called.add(n)
    for n in reversed(pairs):
        if n in called and words.joined.search(Phrase(between[n])):
            called.add(n - 1)
    return {who for n in called for who in names.named(sentence[slice(*spans[n])])}
