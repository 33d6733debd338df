"""Sentences and shorter pieces of a talk: the one place where a text is split. Pure."""

from __future__ import annotations

from typing import Any

import regex

from nlp_agent.text.names import NAME
from nlp_agent.text.rules import SpeechRules, one_of

_LOADERS = {
    "ja": "load_default_japanese_parser",
    "zh-hans": "load_default_simplified_chinese_parser",
    "zh-hant": "load_default_traditional_chinese_parser",
    "th": "load_default_thai_parser",
}
_PLAIN_NAMES = {"ja": "ナ", "th": "น"}
"""A name is one character here; written as a letter of the script it is split like a word."""
_NAME = regex.compile(NAME)
_SPACES = regex.compile(r"\s+")
_ANY_SENTENCE = regex.compile(r"[^.!?。！？]+[.!?。！？]*")


def sentences_of(text: str) -> list[str]:
    """The sentences of a text in whatever language, with their marks; for comparing, where a 3.5 cut in two is no harm.

    Where a language is known its :class:`Sentences` know better.
    """
    return _ANY_SENTENCE.findall(text)


class Sentences:
    """How texts of one language are taken apart and put together."""

    def __init__(self, rules: SpeechRules) -> None:
        ends, soft, joints = (regex.escape(marks) for marks in (rules.terminals, rules.clause_marks, rules.joints))
        self._spaced, self._model = rules.spaced, rules.phrase_model
        # A full stop inside 3.5 ends nothing where words are spaced, and what breaks off goes on ("and he... well").
        self._border = regex.compile(
            rf"(?<=(?<!\.\.)[{ends}])\s+" if rules.spaced else rf"(?<=[{ends}])(?![{ends}])\s*"
        )
        clause = rf"[{soft}]" if soft else rf"\s+(?=(?:{one_of(rules.conjunctions)})\s)"
        self._clause = regex.compile(rf"[{joints}]|{clause}" if joints else clause, regex.IGNORECASE)
        self._parser: Any = None

    def split(self, text: str) -> list[str]:
        """The sentences of ``text`` with their terminals; the last one may lack its own."""
        return [part for part in self._border.split(text.strip()) if part]

    def join(self, parts: list[str]) -> str:
        """The opposite of :meth:`split`."""
        return (" " if self._spaced else "").join(parts)

    def clause_ends(self, sentence: str) -> list[int]:
        """Places where a clause ends inside ``sentence``, in order."""
        return [found.start() for found in self._clause.finditer(sentence)]

    def phrase_ends(self, sentence: str) -> list[int]:
        """Places where a word (where words are spaced) or a phrase ends inside ``sentence``, in order."""
        if self._spaced:
            return [found.start() for found in _SPACES.finditer(sentence)]
        ends, place = [], 0
        for phrase in self._phrases(_NAME.sub(_PLAIN_NAMES.get(self._model, "王"), sentence))[:-1]:
            place += len(phrase)
            ends.append(place)
        return ends

    def _phrases(self, text: str) -> list[str]:
        if self._parser is None:
            import budoux  # noqa: PLC0415 - 124 KB of model, needed only where a long sentence must be shortened

            self._parser = getattr(budoux, _LOADERS.get(self._model, _LOADERS["ja"]))()
        return [str(phrase) for phrase in self._parser.parse(text)]
