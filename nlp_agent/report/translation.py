"""A report in another language than the English in which it is made: sentence by sentence, by the same keys of
``prompts/pages/<lang>/report.yml``. Pure but for reading those files.

Names of contestants, numbers and CSV files stay as they are. What has no translation stays English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from nlp_agent.web.rendering import DEFAULT_LANGUAGE, load_texts

_PLACE = re.compile(r"\{(\w+)\}")
_NUMBER = r"[-+−]?\d[\d.,]*"
_BEGINS = r"(?:[A-Z“]|n = |p50)"
"""How a sentence of a report begins."""
_WORDS, _LIST = rf"(?:(?![.?] {_BEGINS}|; ).)+?", rf"(?:(?![.?] {_BEGINS}).)+?"
"""Anything but the end of a sentence, or of a part of one."""
_SHAPES = {"n": rf"{_NUMBER}(?: to {_NUMBER})?", "games": r"[\d,]+ games?", "state": r"[a-z ]+", "trials": r"[a-z]+"}
_SHAPES |= dict.fromkeys(("ends", "list", "why"), _LIST)
_NUMBERS = frozenset({"n", "m", "e", "d", "lo", "hi", "low", "high", "a", "b", "s"})
_INSIDE = frozenset({"n", "games", "ends", "state", "whose", "trials", "role", "why"})
"""Places in which there may be words of the report, not a name."""
_SEVERAL = frozenset({"list", "who"})
"""Places for names, of which there may be several."""
_SENTENCES = re.compile(rf"(?<=[.?])\s+(?={_BEGINS})")
_SHOWN = re.compile(r">([^<>]+)</text>")


class Translator:
    """Tells what a report says in ``lang``; callable, so that templates can use it."""

    def __init__(self, lang: str) -> None:
        texts = load_texts()
        written, own = texts[DEFAULT_LANGUAGE]["report"], texts[lang]["report"]
        self.lang = lang
        self._same = lang == DEFAULT_LANGUAGE
        self._exact = {text: own[key] for key, text in written.items() if "{" not in text}
        shapes = [(text, own[key]) for key, text in written.items() if "{" in text]
        shapes.sort(key=lambda pair: -len(_PLACE.sub("", pair[0])))
        self._shapes = [(_shape(text), told) for text, told in shapes]
        self._found = lru_cache(2_000)(self._phrase)

    def __call__(self, text: object) -> str:
        """``text``, which may be several sentences, in this language."""
        if self._same or not isinstance(text, str):
            return str(text)
        # The last word of a sentence in a shape would take the full stop with it.
        if (text in self._exact or not text.endswith(".")) and (whole := self._found(text)) is not None:
            return whole
        return "".join(self._sentence(sentence) for sentence in _SENTENCES.split(text))

    def picture(self, svg: str) -> str:
        """A picture with its words in this language."""
        return _SHOWN.sub(lambda shown: f">{self(shown[1])}</text>", svg)

    def _sentence(self, sentence: str) -> str:
        end = "。" if sentence.endswith(".") else ""
        words = sentence.removesuffix(".")
        parts = [words] if self._found(words) is not None else words.split("; ")
        told = [self._found(part) for part in parts]
        if any(part is None for part in told):
            return f"{sentence} "
        return "、".join(filter(None, told)) + end

    def _phrase(self, text: str) -> str | None:
        """One phrase, or None where it is none of ours."""
        if text in self._exact:
            return self._exact[text]
        for shape, told in self._shapes:
            if found := shape.fullmatch(text):
                values = {key: self._inside(key, value) for key, value in found.groupdict().items()}
                return _PLACE.sub(lambda place: values[place[1]], told)  # noqa: B023
        return None

    def _inside(self, key: str, value: str) -> str:
        told = self._found(value) if key in _INSIDE or value in self._exact else None
        if told is None and key in _SEVERAL:
            return value.replace(", ", "、")
        return value if told is None else told


def _shape(text: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def place(found: re.Match[str]) -> str:
        key = found[1]
        if key in seen:
            return f"(?P={key})"
        seen.add(key)
        return f"(?P<{key}>{_SHAPES.get(key) or (_NUMBER if key in _NUMBERS else _WORDS)})"

    return re.compile(_PLACE.sub(place, re.escape(text).replace(r"\{", "{").replace(r"\}", "}")), re.DOTALL)


def report_language(languages: Iterable[str], asked: str = "") -> str:
    """Choose the report's language: the one ``asked`` for, else the one that most games were played in, or English.
    Raises KeyError for one without pages.
    """
    there: Mapping[str, object] = load_texts()
    if asked:
        if asked not in there:
            raise KeyError(asked)
        return asked
    most = Counter(languages).most_common(1)
    return most[0][0] if most and most[0][0] in there else DEFAULT_LANGUAGE
