"""Half-width commas rewritten into connected prose. Pure.

Commas are forbidden in a talk, and deleting them leaves scars. Works on masked text (see
:mod:`~nlp_agent.text.names`) of a language that puts spaces between words.
"""

from __future__ import annotations

import regex

from nlp_agent.text.names import NAME
from nlp_agent.text.rules import SpeechRules

_THOUSANDS = regex.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")
_COMMA = regex.compile(r"\s*[,，､、﹐﹑]+[\s,，､、]*")
_SENTENCE_END = regex.compile(r"(?<=[.!?])\s+")
_FIRST_WORD = regex.compile(r"[^\s.!?]+")
_NAME = regex.compile(NAME)
_NAME_AT_END = regex.compile(rf"(?<=.){NAME}$")
_SAYS_OF_NAME = regex.compile(rf"{NAME}(?:'s)? \S+ \S+")
_FILLERS = frozenset({"and", "but", "so", "or", "well", "yes", "no"})
_OPENER_WORDS = 3
_ITEM_WORDS = 3
_LONGEST_LIST = 12
_HEAD = 16
"""Words at the head of a statement that tell what it is."""


class Commas:
    """Rewrites the commas of one language."""

    def __init__(self, rules: SpeechRules) -> None:
        self._full_stop, self._list_word = rules.full_stop, rules.list_word
        lists = (rules.conjunctions, rules.subordinators, rules.subjects)
        self._conjunctions, self._subordinators, self._subjects = (
            frozenset(word.casefold() for word in words) for words in lists
        )

    def rewrite(self, text: str) -> str:
        """``text`` without any comma: lists joined by a word, spliced statements parted, the rest dropped."""
        text = _THOUSANDS.sub("", text)
        if not _COMMA.search(text):
            return text
        return " ".join(map(self._rewrite_sentence, _SENTENCE_END.split(text)))

    def _rewrite_sentence(self, sentence: str) -> str:
        parts = [part for part in _COMMA.split(sentence) if part]
        listed = self._list_joints(parts)
        said: list[str] = []
        begun = 0
        for place, part in enumerate(parts):
            if place in listed:
                said += [part] if first_word(part) == listed[place] else [listed[place], part]
            elif place and self._is_new_statement(" ".join(said[begun : begun + _HEAD]), part):
                said[-1] += self._full_stop
                begun = len(said)
                said.append(capitalised(part))
            else:
                said.append(part)
        return " ".join(said)

    def _list_joints(self, parts: list[str]) -> dict[int, str]:
        """Which joints (index of the part behind the comma) belong to a list, and the word that joins it."""
        for place in range(len(parts) - 1, 0, -1):
            word = first_word(parts[place])
            last_joins = word in (self._list_word, "or", "nor") and place >= 2
            inner = self._inner_join(parts[place])
            if not last_joins and inner is None:
                continue
            chain = place
            while chain > max(1, place - _LONGEST_LIST) and self._is_item(parts[chain - 1]):
                chain -= 1
            if chain < place if last_joins else self._ends_like(parts[chain - 1], parts[place]):
                joiner = word if last_joins else inner
                return dict.fromkeys(range(chain, place + 1), joiner or self._list_word)
        return {}

    def _inner_join(self, part: str) -> str | None:
        """The list word inside ``B and C …``, when ``part`` starts like the end of a list of single words."""
        words = part.split(maxsplit=3)[:3]
        return words[1].casefold() if len(words) == 3 and words[1].casefold() in (self._list_word, "or") else None

    def _is_item(self, part: str) -> bool:
        opening = first_word(part)
        opens = opening in self._subjects or opening in self._conjunctions
        return not opens and len(part.split(maxsplit=_ITEM_WORDS)) <= _ITEM_WORDS

    @staticmethod
    def _ends_like(left: str, right: str) -> bool:
        """Both sides of the comma are names: a list in the making."""
        return bool(_NAME_AT_END.search(left) and _NAME.match(right))

    def _is_new_statement(self, left: str, right: str) -> bool:
        """A comma splice: two statements that could stand alone. Of ``left`` the head is enough."""
        opening = first_word(right)
        if opening in self._conjunctions or not (opening in self._subjects or _SAYS_OF_NAME.match(right)):
            return False
        body = left.split(maxsplit=_HEAD)
        while body and body[0].casefold() in _FILLERS:
            del body[0]
        if len(body) < 2 or first_word(body[0]) in self._subordinators or len(right.split(maxsplit=1)) < 2:
            return False
        return len(body) > _OPENER_WORDS or first_word(body[0]) in self._subjects or bool(_NAME.match(body[0]))


def first_word(text: str) -> str:
    found = _FIRST_WORD.match(text)
    return found[0].casefold() if found else ""


def capitalised(text: str) -> str:
    """``text`` with a capital where it starts with a small letter that has one."""
    upper = text[:1].upper()
    return upper + text[1:] if len(upper) == 1 else text
