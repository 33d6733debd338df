"""Half-width commas rewritten so that a sentence still says the same and reads well. Pure.

Commas are forbidden in a talk. Bare deletion makes two statements breathless, and a full stop put by guess tears a name
off the sentence that speaks to it. So each comma is asked what it does: it calls somebody, joins the members of a list,
parts two statements, or only marks a pause. Works on masked text (see :mod:`~nlp_agent.text.names`) of a language that
puts spaces between words. Each part is looked at a bounded number of times, and of a long one the head alone.
"""

from __future__ import annotations

from itertools import islice, pairwise

import regex

from nlp_agent.text.names import NAME
from nlp_agent.text.rules import SpeechRules

_THOUSANDS = regex.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")
_COMMA = regex.compile(r"\s*[,，､、﹐﹑]+[\s,，､、]*")
_SENTENCE_END = regex.compile(r"(?<=[.!?;:])\s+")
_IS_NAME = regex.compile(rf"{NAME}(?:'s)?[.!?:;]?")
_MARKS = ".!?:;"
_ITEM_WORDS = 4
"""Words of the longest member of a list."""
_LONGEST_LIST = 12
_HEAD = 24
"""Words from which it is told what a statement is."""
_CALL_WORDS = 3


class Commas:
    """Rewrites the commas of one language."""

    def __init__(self, rules: SpeechRules) -> None:
        self.list_word, self.joint, self.denial = rules.list_word, rules.joints[:1], rules.denial.casefold()
        # Without a mark that joins, a statement that a comma parted from the one before begins a sentence.
        self.full_stop = rules.full_stop
        lists = (rules.conjunctions, rules.subordinators, rules.subjects, rules.openers, rules.address_words)
        self.conjunctions, self.subordinators, self.subjects, self.openers, self.address_words = (
            frozenset(word.casefold() for word in words) for words in lists
        )
        self.list_words = frozenset((rules.list_word, *rules.list_words))

    def rewrite(self, text: str) -> str:
        """``text`` without any comma: names called stay in their sentence, lists get a word, statements a joint."""
        text = _THOUSANDS.sub("", text)
        if not _COMMA.search(text):
            return text
        return " ".join(_Sentence(sentence, self).rewritten() for sentence in _SENTENCE_END.split(text))


class _Sentence:
    """One sentence in its parts between commas."""

    def __init__(self, sentence: str, of: Commas) -> None:
        self._of = of
        self._parts = [part for part in _COMMA.split(sentence) if part]
        self._words = [_words(part) for part in self._parts]
        self._calls = [self._is_call(words) for words in self._words]
        self._last_said = max((n for n, call in enumerate(self._calls) if not call), default=-1)
        self._only_names = all(
            _is_name(part) or self._is_pair(words) or words[0] in of.list_words
            for part, words in zip(self._parts, self._words, strict=True)
            if words
        )

    def rewritten(self) -> str:
        if not self._parts:
            return ""
        said, joined = [self._parts[0]], self._listed()
        since: list[str] = []
        """What was said since the last joint, calls left out: where a statement is looked for."""
        for place, (left, right) in enumerate(pairwise(self._words), start=1):
            since = since if self._calls[place - 1] else [*since, *left][:_HEAD]
            if (word := joined.get(place)) is not None:
                said.append(self._parts[place] if right[0] == word else f"{word} {self._parts[place]}")
            elif right[0] == self._of.denial and not self._calls[place]:
                said.append(f"{self._of.list_word} {self._parts[place]}")
            elif self._parts_statements(since, place):
                said[-1] += self._of.joint or self._of.full_stop
                said.append(self._parts[place] if self._of.joint else capitalised(self._parts[place]))
                since = []
            else:
                said.append(self._parts[place])
        return " ".join(said)

    # --- lists -------------------------------------------------------------------------------------------------

    def _listed(self) -> dict[int, str]:
        """The joints (place of the part behind the comma) between members of a list, and the word that joins them."""
        found: dict[int, str] = {}
        for place in range(1, len(self._parts)):
            words = self._words[place]
            if words[0] in self._of.list_words and len(words) <= _ITEM_WORDS + 1 and not self._clauses(words[1:]):
                start = place  # "A, B, and C"
                while start > max(1, place - _LONGEST_LIST) and self._is_member(start - 1):
                    start -= 1
                if start < place:
                    found.update(dict.fromkeys(range(start, place + 1), words[0]))
            elif self._is_pair(words) and not self._calls_first(place - 1) and self._goes_on(place):
                found[place] = words[1]  # "A, B and C"
                if place > 1 and len(self._words[place - 1]) == 1 and not self._calls_first(place - 2):
                    found[place - 1] = words[1]
            elif (
                _is_name(self._parts[place]) and _is_name(self._parts[place - 1]) and (place == 1 or place - 1 in found)
            ):
                found[place] = self._of.list_word  # "Ken, Bob, what do you say?"
        return found

    def _is_member(self, place: int) -> bool:
        words, call = self._words[place], self._calls[place]
        plain = words[0] not in self._of.subordinators and not self._clauses(words)
        named = not call or _is_name(self._parts[place])
        return len(words) <= _ITEM_WORDS and plain and named and not self._calls_first(place - 1)

    def _is_pair(self, words: list[str]) -> bool:
        """Whether these are the last two members of a list: "Bob and Hugo", "what or why"."""
        if len(words) < 3 or words[1] not in self._of.list_words or words[0] in self._of.openers:
            return False
        return len(words) == 3 or (_is_name(words[0]) and _is_name(words[2]))

    def _goes_on(self, place: int) -> bool:
        """Whether a pair goes on with a list; "or" may only set off an afterthought: "my coin, first or second"."""
        words, left = self._words[place], self._words[place - 1]
        return words[1] == self._of.list_word or len(left) == 1 or (_is_name(words[0]) and _is_name(left[-1]))

    def _calls_first(self, place: int) -> bool:
        """Whether the part calls somebody to whom the rest is said, so that it begins no list: "Lorcan, keep it"."""
        return self._calls[place] and not (place == 0 and self._only_names and _is_name(self._parts[0]))

    # --- calls -------------------------------------------------------------------------------------------------

    def _is_call(self, words: list[str]) -> bool:
        """Whether the words only call somebody: a name, "my dears", "dear Hugo", "and Hugo"."""
        words = words[1:] if words and words[0] in self._of.list_words else words
        return 0 < len(words) <= _CALL_WORDS and all(_is_name(w) or w in self._of.address_words for w in words)

    # --- statements --------------------------------------------------------------------------------------------

    def _parts_statements(self, left: list[str], place: int) -> bool:
        """Whether the comma before part ``place`` stands between two statements, each of which can stand alone."""
        of, before, part = self._of, self._words[place - 1], self._words[place]
        if place > self._last_said or self._calls[place] or part[0] in of.conjunctions or not left:
            return False
        if before[0] in of.conjunctions and (self._calls[place - 1] or (before[1:2] and before[1] in of.subordinators)):
            return False  # "and Hugo, I ask you", "and if he lies, hang him"
        if not self._is_whole(left):
            return False
        right = [word for words in islice(self._words, place, place + 3) for word in words][:_HEAD]
        if part[0] in of.subordinators:
            return self._clauses(right) > 1
        return len(part) > 1 or self._clauses(right) > 0

    def _is_whole(self, left: list[str]) -> bool:
        """Whether ``left`` says something of its own, beyond an opening such as "if Ken is true" or "well"."""
        start = next((n for n, w in enumerate(left) if w not in self._of.conjunctions | self._of.openers), len(left))
        words = left[start:]
        if words and words[0] in self._of.subordinators:
            return self._clauses(words) > 1
        return len(words) > 1

    def _clauses(self, words: list[str]) -> int:
        """How many subjects with something behind them there are."""
        of = self._of
        return sum(
            word in of.subjects or (_is_name(word) and not _is_name(after) and after not in of.list_words)
            for word, after in pairwise(words[:_HEAD])
        )


def _words(part: str) -> list[str]:
    """The head of ``part`` in small letters, without marks; never empty."""
    return [word.casefold().strip(_MARKS) for word in part.split(maxsplit=_HEAD)[:_HEAD]] or [""]


def _is_name(part: str) -> bool:
    return _IS_NAME.fullmatch(part) is not None


def capitalised(text: str) -> str:
    """``text`` with a capital where it starts with a small letter that has one."""
    upper = text[:1].upper()
    return upper + text[1:] if len(upper) == 1 else text
