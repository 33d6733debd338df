"""Whom a talk asks something: who is called in the question or just before it, else whose anchor it is behind. Pure.

A name in a question is not yet somebody asked: "Why were you so quick to accuse Tom?" asks whoever was called before.
The words by which a language calls and asks stand in ``reading.yml`` of its pack, under ``question``, ``everybody``
and ``asked``; here is only the order in which they are looked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from nlp_agent.reading.patterns import AskingWords
from nlp_agent.text.finder import Phrase
from nlp_agent.text.names import NAME, Names

_ANCHOR = re.compile(f"@ ?({NAME})")
_SIGN = re.compile(NAME)
_CLOSES = re.compile(rf"^([^@]*?)[,、]? ?(@ ?{NAME}) ?(?=[?？]+$)")
_TURNED = re.compile(rf"^[^\w{NAME[1:-1]}]*(?:(?:[\w']+ ){{0,2}}[\w']+, )?({NAME}) ?[,，、]")
"""How a sentence begins that turns to somebody: "Ann, a wolf would have waited.", "Well said, Ann, and thanks."."""
_WORD = re.compile(r"\w")
_WORDS = re.compile(r"[\u3040-\u9fff々ー]{1,3}|[^\W\u3040-\u9fff々ー]+")
"""Words, or what is as long as one where a language writes them without blanks between."""
_FEW = 1
"""Words beside a name that is called alone: "Okay Ann."."""


@dataclass(frozen=True)
class _Part:
    """A piece of a talk: whom it is for, its sentences, and whether its anchor is only a word of its sentence."""

    group: frozenset[str]
    sentences: Sequence[Phrase]
    mentioned: bool = False


def asked_in(
    sentences: Sequence[Phrase],
    words: AskingWords,
    names: Names,
    speaker: str = "",
    living: Collection[str] = (),
) -> frozenset[str]:
    """The players who are asked something in the masked ``sentences`` of a talk of ``speaker``, who asks others.

    ``living``: who can answer, everybody if empty; a call to one of the dead ("Ken, rest in peace.") asks nobody.
    """
    others = frozenset(living or names.players) - {speaker}
    return frozenset(who for part in _parts(sentences, words, names) for who in _asked(part, words, names, others))


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


def _asked(part: _Part, words: AskingWords, names: Names, others: frozenset[str]) -> set[str]:
    """Whom a part asks of the ``others``, all who can be asked."""
    asked: set[str] = set()
    spoken_to: set[str] = set()  # of a talk without an anchor: who was turned to last
    perhaps: set[str] = set()  # called before a question: it is for them unless another question calls somebody
    called_before: set[str] = set()
    standing: set[str] = set()
    named_before: set[str] = set()
    for number, sentence in enumerate(part.sentences):
        called = (_called(sentence, words, names) - part.group) & others
        named = (set(names.named(sentence)) - part.group) & others
        turned = None if part.group else _TURNED.match(sentence)
        spoken_to = set(names.named(turned[1])) & others if turned else spoken_to
        if words.wait(sentence) and not words.passes_over(part.sentences, number):
            to_you = bool(words.you.search(sentence))
            general = bool(number and words.general.search(sentence))
            saying = bool(number and not called and words.rhetorical.search(sentence))
            shared = _shared(sentence, words, named, named_before, others)
            to_all = bool(
                general
                or saying
                or shared
                or words.everybody.search(sentence)
                or (words.all.search(sentence) and not to_you)
            )
            asked |= called | shared
            perhaps |= set() if called or to_all else called_before
            # Right behind an anchor a question is for it, whomever it names; further on somebody else may be called.
            request = bool(words.requests.search(sentence))
            plain = to_you or request or bool(words.views.search(sentence))
            straight = not number or not (called or called_before)
            # Who is only named behind an anchor is asked by "you" in the same breath, or by a request right after it.
            told = not called and ((to_you and not number) or (request and number <= 1 and not named))
            if straight and not to_all and (told or not part.mentioned):
                asked |= part.group & others
            if not (to_all or called or called_before):
                if spoken_to and (plain or words.open.search(sentence)):
                    perhaps |= spoken_to
                elif not (part.group or named) and len(named_before) == 1 and words.you_one.search(sentence):
                    perhaps |= named_before  # "Ken's answer is missing. Which is it for you?"
        if called and len(_WORDS.findall(sentence)) <= _FEW:
            standing = called  # a name alone calls for whatever comes behind it
        elif called:
            standing = set()
        called_before, named_before = called or standing, named
    return asked or perhaps


def _shared(
    sentence: Phrase, words: AskingWords, named: set[str], named_before: set[str], others: frozenset[str]
) -> set[str]:
    """Whom a question to two or more asks ("Is either of you the seer?"): those it names itself, those of the sentence
    before, or both who are left."""
    if not words.several.search(sentence):
        return set()
    told = next((group for group in (named, named_before) if len(group) > 1), set[str]())
    return told or (set(others) if len(others) == 2 else set())


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
