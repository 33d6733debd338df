"""Frames: a line of a pack with its slots and choices left open, by which it is recognised in anybody's mouth. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from nlp_agent.voice.linebook import LineBook, WordSwaps

_ENDS = ".!?。！？"
_PART = re.compile(r"\{[^{}]*\}|\[[^\[\]]*\]|[()/]|[^{}\[\]()/]+")
_OPEN = re.compile(r"\{[^{}]*\}|\[[^\[\]]*\]")
_WIDE = re.compile("[\u2e81-\U0010ffff]")
LEAST_LETTERS = 5
"""So many letters of a sentence must be the same in every mouth for it to count as a frame."""


@dataclass(frozen=True)
class Frame:
    """A sentence of a line, open where slots and choices stand. ``words``: the longest piece of it that is the same in
    every mouth; ``sentence``: the whole as a pattern."""

    words: str
    sentence: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when a talk has the words."""
        return re.compile(self.sentence, re.MULTILINE)

    def found_in(self, sentences: str) -> bool:
        """Whether one of these case-folded ``sentences``, one a line, has this frame."""
        return self.words in sentences and self.pattern.search(sentences) is not None


@lru_cache(maxsize=8192)
def frame_of(line: str) -> Frame | None:
    """The frame of ``line``: its sentence with most words of its own, whatever stands in the slots and whichever choice
    is taken. ``None`` for a line whose sentences have hardly a word in common with each other, or nothing open.
    """
    sentence = max(_sentences(line), key=_letters, default="")
    if _letters(sentence) < LEAST_LETTERS or not ("{" in sentence or "(" in sentence):
        return None
    found, same, depth = list[str](), [""], 0
    for part in _PART.findall(sentence.strip().casefold()):
        depth += (part == "(") - (part == ")")
        found.append(_open(part))
        if not depth and part[0] not in "{[()/":
            same.append(part)
    return Frame(max(same, key=len), f"^{''.join(found)}$")


@lru_cache(maxsize=1024)
def phrases_of(book: LineBook, keys: tuple[str, ...]) -> re.Pattern[str] | None:
    """The frame of every phrase, of its last sentence, by which any character gives the reasons ``keys``, to be
    searched in case-folded sentences: pictures of a trade, and words that a formal speaker does not contract, too.
    ``None`` without any.
    """
    lines = ((_sentences(line) or [line])[-1] for key in keys for line in _phrases(book, key))
    found = dict.fromkeys(_open_ended(line) for line in lines if _letters(line) >= LEAST_LETTERS)
    return re.compile("|".join(f"(?:{one})" for one in found)) if found else None


def _phrases(book: LineBook, key: str) -> Iterator[str]:
    """The lines for the reason ``key`` of every voice and habit, and each of them in the words of voices that swap
    some."""
    lines = [*book.reasons.get(key, ()), *(line for one in book.manners for line in one.reasons.get(key, ()))]
    yield from lines
    for swaps in (WordSwaps(one.swaps) for one in book.voices.values() if one.swaps):
        yield from map(swaps.in_line, lines)


def _open_ended(line: str) -> str:
    """``line`` as a pattern that leaves its slots and choices open, without slots at its ends."""
    parts = _PART.findall(line.casefold())
    while parts and parts[0][0] in "{[":
        parts.pop(0)
    while parts and parts[-1][0] in "{[":
        parts.pop()
    if parts:
        parts[0], parts[-1] = parts[0].lstrip(), parts[-1].rstrip()
    return "".join(map(_open, filter(None, parts)))


def _open(part: str) -> str:
    """A piece of a line as a pattern: the sign of a choice, a slot that holds anything, or plain words."""
    if part in "()/":
        return {"(": "(?:", ")": ")", "/": "|"}[part]
    return ".*?" if part[0] in "{[" else re.escape(part)


def _sentences(line: str) -> list[str]:
    """The sentences of ``line``; what ends inside a choice ends none."""
    found, depth, start = list[str](), 0, 0
    for place, sign in enumerate(line):
        depth += (sign == "(") - (sign == ")")
        if sign in _ENDS and not depth:
            found.append(line[start : place + 1])
            start = place + 1
    return [*found, line[start:]] if line[start:].strip() else found


def _letters(sentence: str) -> int:
    """How many letters of ``sentence`` stand outside of slots and choices."""
    rest = _OPEN.sub("", sentence)
    while (shorter := re.sub(r"\([^()]*\)", "", rest)) != rest:
        rest = shorter
    letters = "".join(filter(str.isalpha, rest))
    # Letters of scripts that write a word in one or two signs count for more.
    return (len(letters) + len(_WIDE.findall(letters))) // 2
