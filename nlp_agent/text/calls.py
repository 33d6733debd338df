"""Names that are called where a lost comma would make them the object: "He would not, Agnes." Pure.

Such a name becomes the anchor, where the talk has none for somebody else, or is called first in its sentence.
Elsewhere it can simply lose its comma (:mod:`~nlp_agent.text.commas`). Works on masked text of a language that puts
spaces between words.
"""

from __future__ import annotations

from collections.abc import Callable

import regex

from nlp_agent.text.names import NAME, SIGNS
from nlp_agent.text.rules import SpeechRules

_COMMA = "[,，､]"
_CALL = regex.compile(
    rf"(?<![\p{{L}}'])(?P<before>[\p{{L}}']++)\s*+{_COMMA}\s*(?P<name>{NAME})"
    rf"(?=\s*(?:[.!?;:…]|$|{_COMMA}\s*(?P<on>[\p{{L}}']+)?))"
)
_LISTED = regex.compile(rf"\s*{_COMMA}\s*(?:\p{{L}}+\s+)?{NAME}")
_CALLED = regex.compile(rf"(?:^|[.!?;]\s+|{_COMMA}\s*){NAME}(?=\s*{_COMMA})")
_FIRST = regex.compile(rf"\s*(?P<name>{NAME})\s*{_COMMA}\s*(?=(?P<after>[\p{{L}}']+))")
_SENTENCE = regex.compile(rf"[^{SIGNS}\p{{L}}\p{{Nd}}]*")
_END = regex.compile(r"[.!?…]\s")
_PAUSED = regex.compile(rf"(?<![\p{{L}}'])([\p{{L}}']++)\s*+{_COMMA}")


class Calls:
    """Finds the calls of one language that would be misread."""

    def __init__(self, rules: SpeechRules) -> None:
        words = (rules.subjects, rules.questions, rules.conjunctions, rules.subordinators, rules.openers)
        self._small = frozenset(word for some in words for word in some if word[:1].islower())
        self._takers = frozenset(rules.takers if rules.spaced and rules.comma == "rewrite" else ())
        self._goes_on = frozenset(word.casefold() for word in rules.conjunctions)
        resumes = (*rules.subjects, *rules.conjunctions, *rules.subordinators, *rules.determiners)
        self._resumes = frozenset(word.casefold() for word in resumes)
        self._pauses = self._takers.union(rules.dangling)
        self._joint = rules.joints[:1] or rules.full_stop

    def settle(self, sign: str, words: str, me: str, anchors: Callable[[str], bool]) -> tuple[str, str]:
        """The anchor (``sign`` or, without one, a name that ``anchors`` allows) and ``words`` with such calls settled.

        Of a player's own name (``me``, a sign) nothing is made.
        """
        place, first = 0, _FIRST.match(words)
        if self._takers and sign and first and first["name"] not in (sign, me) and first["after"] not in self._goes_on:
            # Behind an anchor for somebody else a name without a mark would belong to it.
            words = f"{first['name']}{self._joint} {words[first.end() :]}"
        while self._takers and (found := _CALL.search(words, place)):
            name, begin, end = found["name"], found.end("before"), found.end()
            place = end
            if name == me or not self._misread(found, words):
                continue
            others = {call[0][-1] for call in _CALLED.finditer(words, 0, begin)} - {name}
            if not sign and not others and anchors(name):
                sign = name
            if sign == name and not others:
                words, place = words[:begin] + words[end:], begin
            else:
                words = self._called_first(words, name, begin, end)
        return sign, words

    def _misread(self, found: regex.Match[str], words: str) -> bool:
        """Whether the name would be the object of the word before it, and is in no list and no object already."""
        if found["before"].casefold() not in self._takers or _LISTED.match(words, found.end()):
            return False
        if found["on"] and found["on"].casefold() not in self._resumes:
            return False  # "if you must, Ken, vote for me": without the name the two would be one
        paused = _PAUSED.findall(words, _begin(words, found.start()), found.end("before"))
        return not any(word.casefold() in self._pauses for word in paused)

    def _called_first(self, words: str, name: str, begin: int, end: int) -> str:
        start = _begin(words, begin)
        said = words[start:begin] + words[end:]
        first = said.split(maxsplit=1)[0]
        if regex.match(NAME, first):
            return words
        small = first[:1].lower() + first[1:]
        joined = small.strip(",") in self._small
        mark, said = (self._joint, small + said[len(first) :]) if joined else (".", said)
        return f"{words[:start]}{name}{mark} {said}"


def _begin(words: str, place: int) -> int:
    """Where the sentence begins that goes on at ``place``."""
    start = max((found.end() for found in _END.finditer(words, 0, place)), default=0)
    opening = _SENTENCE.match(words, start)
    return opening.end() if opening else start
