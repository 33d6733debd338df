"""Sentences and shorter pieces of a talk, and the commas between them. Pure.

:class:`Sentences` is the one place where a text is split. :class:`Commas` rewrites half-width commas, which are
forbidden in a talk: deleting them makes two statements breathless, and a full stop put by guess tears a name off the
sentence that speaks to it. So each comma is asked what it does: it calls somebody, joins the members of a list, parts
two statements, or only marks a pause. That works on masked text (see :mod:`~nlp_agent.text.names`) of a language with
spaces between words; each part is looked at a bounded number of times, and of a long one the head alone.
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import Any

import regex

from nlp_agent.text.names import NAME
from nlp_agent.text.rules import SpeechRules, one_of

# --- Sentences and shorter pieces of a talk --------------------------------------------------------------------------


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
    """The one place where texts of a language are taken apart into sentences and put together."""

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


# --- Half-width commas rewritten so that a sentence still says the same and reads well -------------------------------


_THOUSANDS = regex.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")
_COMMA = regex.compile(r"\s*[,，､、﹐﹑]+[\s,，､、]*")
_SENTENCE_END = regex.compile(r"(?<=[.!?;:…])\s+")
_IS_NAME = regex.compile(rf"{NAME}(?:'s)?[.!?:;]?")
_MARKS = ".!?:;"
_ITEM_WORDS = 4
"""Words of the longest member of a list."""
_LONGEST_LIST = 12
_HEAD = 24
"""Words from which it is told what a statement is."""
_CALL_WORDS = 3


class Commas:
    """Rewrites the commas of one language by its word lists, which it holds in small letters, as sets.

    ``joint`` is the mark put between two statements (``;``), ``colon`` the one before a list that explains what was
    said. ``contrast`` is the conjunction put where a comma sets what is against what is not ("not luck, but work").
    """

    def __init__(self, rules: SpeechRules) -> None:
        self.list_word, self.joint, self.denial = rules.list_word, rules.joints[:1], rules.denial.casefold()
        # Without a mark that joins, a statement that a comma parted from the one before begins a sentence.
        self.full_stop = rules.full_stop
        lists = (rules.conjunctions, rules.subordinators, rules.subjects, rules.openers, rules.address_words)
        self.conjunctions, self.subordinators, self.subjects, self.openers, self.address_words = (
            frozenset(word.casefold() for word in words) for words in lists
        )
        self.list_words = frozenset((rules.list_word, *rules.list_words))
        self.contrast, self.colon = rules.contrast, rules.joints[1:2] or self.joint
        small = (rules.answers, rules.tags, rules.questions, rules.articles)
        self.answers, self.tags, self.questions, self.articles = (
            frozenset(word.casefold() for word in words) for words in small
        )
        heads = (rules.replies, rules.sounds, rules.pointers, rules.introductions)
        self.replies, self.sounds, self.pointers, self.introductions = (
            frozenset(word.casefold() for word in words) for words in heads
        )
        self.exclamations = self.answers | self.openers | self.sounds

    def rewrite(self, text: str) -> str:
        """Rewrite ``text`` without any comma: names called stay in their sentence, lists get an "and", statements a
        conjunction or an end.
        """
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
            _is_name(part) or (self._pair(words) and _is_name(words[0])) or self._ends_list(words)
            for part, words in zip(self._parts, self._words, strict=True)
            if words
        )

    def rewritten(self) -> str:
        if not self._parts:
            return ""
        said, joined = [self._parts[0]], self._listed()
        since: list[str] = []
        """The words since the last mark that was put, without names called: where a statement is looked for."""
        of = self._of
        for place, (left, right) in enumerate(pairwise(self._words), start=1):
            since = since if self._calls[place - 1] else [*since, *left][:_HEAD]
            part, word = self._parts[place], joined.get(place) or self._set_against(since, place)
            if word and word in _MARKS:
                said[-1] += word
                said.append(part)
            elif word:
                said.append(part if right[0] == word else f"{word} {part}")
            elif mark := of.full_stop if self._replied(since, place) else self._mark(since, place):
                said[-1] += mark
                said.append(part if mark != of.full_stop else capitalised(part))
                since = []
            else:
                said.append(part)
        return " ".join(said)

    def _set_against(self, since: list[str], place: int) -> str:
        """The conjunction that a contrast needs ("human and not a wolf", "not luck but work"), or ``""``."""
        of, before, words = self._of, self._words[place - 1], self._words[place]
        if self._calls[place] or not of.denial:
            return ""
        if words[0] == of.denial:
            denied = of.joint if of.exclamations.issuperset(since) else of.list_word  # "Blast, not Ken"
            return denied if since and not self._calls[place - 1] else ""
        short = len(words) <= _ITEM_WORDS and words[0] not in of.conjunctions and not self._clauses(words)
        return of.contrast if before[0] == of.denial and short else ""

    def _mark(self, since: list[str], place: int) -> str:
        """The mark that a pause needs to be heard, or ``""``."""
        of, words = self._of, self._words[place]
        if " ".join(words) in of.tags:
            return ""
        if self._aside(place):
            pending = self._aside(place - 1) or self._words[place - 1][-1] in of.conjunctions
            return of.joint if self._is_whole(since) and not pending else ""
        if self._aside(place - 1) and not self._calls[place]:
            begun = next((n for n in range(place - 1, -1, -1) if not self._aside(n)), -1)
            if begun >= 0 and not self._calls[begun] and len(self._words[begun]) > 1:
                return "" if self._clauses(words) else of.colon
        if self._tells_called(place) or (self._renames(place - 1) and not self._calls[place - 2]):
            return of.joint
        if self._renames(place) and since and place < len(self._words) - 1:
            return ""
        # "if Ken lies, hang him, if not, hang me"
        otherwise = words[0] in of.subordinators and words[1:] == [of.denial]
        parts = otherwise or self._denies(since, place) or self._parts_statements(since, place)
        return (of.joint or of.full_stop) if parts else ""

    def _denies(self, since: list[str], place: int) -> bool:
        """Whether the words so far are only a "no", which without its pause would deny what follows: "Hmm no, slow
        dough is best"."""
        of, words = self._of, self._words[place]
        if not since or since[-1] not in of.replies or not of.openers.issuperset(since) or self._calls[place]:
            return False
        begins = words[0] in of.subjects or _is_name(words[0])  # which no reply could belong to
        clear = begins and (self._aside(place - 1) or not self._parts[0][:1].isupper())
        return len(words) > 1 and words[0] not in of.conjunctions | of.subordinators and not clear

    def _tells_called(self, place: int) -> bool:
        """Whether a sentence calls a player and what follows would be taken for more of the name: "Ken, agreed", "Ken,
        the seer lies". Before any other statement blind readers want no pause."""
        of, words, last = self._of, self._words[place], place == len(self._words) - 1
        tells = len(words) > (2 if last else _CALL_WORDS) and words[0] in of.articles  # no "Ken, the seer, says so"
        return place == 1 and _is_name(self._parts[0]) and (tells or (last and words[0] in of.answers | of.openers))

    def _replied(self, since: list[str], place: int) -> bool:
        """Whether a sentence begins with what can stand alone and is all said so far, and more follows: a reply before
        a statement ("No, I am human"), a sound or a greeting before anything ("Hm, never mind")."""
        of, words = self._of, self._words[place]
        if not since or not self._parts[0][:1].isupper() or not all(self._calls[1:place]):
            return False
        if " ".join(since) in of.sounds:
            return not self._calls[place] and not self._aside(place) and words[0] not in of.conjunctions
        subject = words[0] in of.subjects or _is_name(words[0])
        states = subject and len(words) > 1 and " ".join(words) not in of.tags
        return states and since[0] in of.replies and all(word in of.address_words for word in since[1:])

    def _aside(self, place: int) -> bool:
        """Whether a part is a mere interjection: "well", "no"."""
        return place > 0 and all(word in self._of.openers for word in self._words[place])

    def _renames(self, place: int) -> bool:
        """Whether a part is an apposition to the one before it, and a statement follows: "me, a villager, and"."""
        words, after = self._words[place], self._words[place + 1 : place + 2]
        short = 1 < len(words) <= _CALL_WORDS and words[0] in self._of.articles and place > 0
        return short and bool(after) and after[0][0] in self._of.conjunctions and len(after[0]) > 2

    # --- lists -------------------------------------------------------------------------------------------------

    def _listed(self) -> dict[int, str]:
        """The joints (place of the part behind the comma) between members of a list, and the word that joins them."""
        found: dict[int, str] = {}
        for place in range(1, len(self._parts)):
            words = self._words[place]
            if self._ends_list(words):
                start = place  # "A, B, and C"
                asks = not self._of.questions.isdisjoint(words[1:2])  # "whom you saw, why that name, and whom next"
                while start > max(1, place - _LONGEST_LIST) and self._is_member(start - 1, asks=asks):
                    start -= 1
                if start < place:
                    found.update(dict.fromkeys(range(start, place + 1), words[0]))
            elif (word := self._pair(words)) and self._goes_on(place, word):
                found[place] = word  # "A, B and C"
                if place > 1 and len(self._words[place - 1]) == 1 and not self._calls_first(place - 2):
                    found[place - 1] = self._leads(place - 1) or word
                elif not _is_name(words[0]):
                    found[place] = self._leads(place) or word
            elif _is_name(self._parts[place]) and (place - 1 in found or self._begins_row(place)):
                found[place] = self._of.list_word  # "Ken, Bob, what do you say?"
        return found

    def _begins_row(self, place: int) -> bool:
        """Whether the second name of a list of names stands there; behind other words a third must follow: "then Ken,
        Bob, Tom"."""
        after = self._parts[place + 1 : place + 2]
        third = bool(after) and _is_name(after[0])
        return _is_name(self._words[place - 1][-1]) and (third or (place == 1 and len(self._words[0]) == 1))

    def _ends_list(self, words: list[str]) -> bool:
        """Whether the words are the last member of a list with what joins it: "and Hugo"."""
        short = words[0] in self._of.list_words and len(words) <= _ITEM_WORDS + 1
        return short and not self._clauses(words[1:])

    def _is_member(self, place: int, *, asks: bool) -> bool:
        words, call = self._words[place], self._calls[place]
        if asks and words[0] in self._of.questions:
            return True
        plain = words[0] not in self._of.subordinators and not self._clauses(words)
        named = not call or _is_name(self._parts[place])
        return len(words) <= _ITEM_WORDS and plain and named and not self._calls_first(place - 1)

    def _pair(self, words: list[str]) -> str:
        """What joins the last two members of a list where these are two: "Bob and Hugo", "what or why"."""
        words = [word for word in words if word not in self._of.articles]
        if len(words) < 3 or words[1] not in self._of.list_words or words[0] in self._of.openers:
            return ""
        two = len(words) == 3 or (_is_name(words[0]) and (_is_name(words[2]) or len(words) == _ITEM_WORDS))
        return words[1] if two else ""

    def _are_names(self, place: int) -> bool:
        """Whether a name and two more in a pair stand there, which are a list and call nobody."""
        return len(self._words[place]) == 3 and all(map(_is_name, (self._parts[place - 1], *self._words[place][::2])))

    def _leads(self, place: int) -> str:
        """The colon before a list that explains a statement, or ``""``: "you set the rule: who and why"."""
        left, words = self._words[place - 1], self._words[place]
        means = (words[0] in self._of.questions and left[-1] not in self._of.questions) or _is_name(words[0])
        return (
            self._of.colon
            if (means and self._clauses(left) > 0) or (len(words) > 1 and len(left) > _ITEM_WORDS)
            else ""
        )

    def _goes_on(self, place: int, word: str) -> bool:
        """Whether a pair ("B or C") continues a list; "or" may be an afterthought: "my coin, first or second"."""
        words, left = self._words[place], self._words[place - 1]
        if self._calls_first(place - 1) and not self._are_names(place):
            return False
        return word == self._of.list_word or len(left) == 1 or (_is_name(words[0]) and _is_name(left[-1]))

    def _calls_first(self, place: int) -> bool:
        """Whether the part is a vocative that opens the sentence, and so no member of a list: "Lorcan, keep it"."""
        return self._calls[place] and not (place == 0 and self._only_names and _is_name(self._parts[0]))

    # --- calls -------------------------------------------------------------------------------------------------

    def _is_call(self, words: list[str]) -> bool:
        """Whether the words only call somebody: a name, "my dears", "dear Hugo", "and Hugo"."""
        words = words[1:] if words and words[0] in self._of.list_words else words
        if len(words) == 1 and words[0] in self._of.answers:
            return False
        return 0 < len(words) <= _CALL_WORDS and all(_is_name(w) or w in self._of.address_words for w in words)

    # --- statements --------------------------------------------------------------------------------------------

    def _parts_statements(self, left: list[str], place: int) -> bool:
        """Whether the comma before part ``place`` stands between two statements, each of which can stand alone."""
        of, before, part = self._of, self._words[place - 1], self._words[place]
        if place > self._last_said or self._calls[place] or not left or self._introduces(left, part):
            return False
        if part[0] in of.conjunctions and " ".join(part[:2]) not in of.pointers:
            return self._asks_more(part) and left[0] not in of.questions and self._is_whole(left)
        if before[0] in of.conjunctions and (self._calls[place - 1] or (before[1:2] and before[1] in of.subordinators)):
            return False  # "and Hugo, I ask you", "and if he lies, hang him"
        if not self._is_whole(left):
            return len(left) == 1 and left[0] in of.answers and len(part) > 1  # "True, Hugo, a liar may plan"
        right = [word for words in islice(self._words, place, place + 3) for word in words][:_HEAD]
        if part[0] in of.subordinators:
            return self._clauses(right) > 1
        judged = part[0] in of.answers and place == self._last_said and self._clauses(before) > 0  # "You landed, good."
        return len(part) > 1 or judged or self._clauses(right) > 0

    def _asks_more(self, words: list[str]) -> bool:
        """Whether another question follows the first: "and who smells burnt to you?"."""
        asks = words[0] == self._of.list_word and words[1:2] and words[1] in self._of.questions
        return bool(asks) and len(words) > _ITEM_WORDS and self._parts[-1].endswith("?")

    def _introduces(self, left: list[str], part: list[str]) -> bool:
        """Whether ``left`` only says who speaks and ``part`` who that is: "hello Ken here, carver of puppets"."""
        said = " ".join("{name}" if _is_name(word) else word for word in left if word not in self._of.openers)
        return said in self._of.introductions and not self._clauses(part)

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
    """Put a capital where ``text`` starts with a small letter that has one."""
    upper = text[:1].upper()
    return upper + text[1:] if len(upper) == 1 else text
