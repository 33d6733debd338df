"""Shortening a talk so that the server never cuts it. Pure.

Whole trailing sentences go first, then the last clauses, then the last phrases; what remains ends properly. Where it
is known what a talk says that must not be lost, longer wordings are put more shortly and the least valuable sentences
go first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import combinations

import regex

from nlp_agent.text.names import NAME
from nlp_agent.text.rules import SpeechRules, one_of
from nlp_agent.text.sentences import Sentences

# --- Shortening a talk so that the server never cuts it --------------------------------------------------------------


_FEWEST_WORDS = 3
_FEWEST_LETTERS = 4
_SENSE = {True: 30, False: 10}
"""Characters, names not counted, from which the beginning of a sentence says something (spaced, unspaced)."""
_MOST_OF_IT = 0.6
_NAME = regex.compile(NAME)
_TORN = regex.compile(r"\p{Hiragana}\Z")
"""How a word of a language without spaces ends that lost its ending with what must not stand last."""
_DANGLES = 64
"""Characters at the end of a piece that are looked at for what must not stand last."""
FitsLimit = Callable[[str], bool]
ContentOf = Callable[[str], Mapping[Hashable, int]]
"""What a text says that is not to be lost, in any form that can be compared, with what it is worth."""
_MOST_SENTENCES = 7
"""Sentences of a talk of which any may be left out; of longer ones only the end is cut."""
_MORE_THAN_FILLER = 15
"""Bytes from which a sentence is more than a filler: three short words, or five signs that are words."""


class Fitter:
    """Shortens finished talks of one language."""

    def __init__(self, rules: SpeechRules, sentences: Sentences) -> None:
        self._rules, self._sentences = rules, sentences
        self._shorter = [(regex.compile(long, regex.IGNORECASE), short) for long, short in rules.shorter.items()]
        marks = regex.escape(rules.inner_marks + "'") + r"\s"
        words = one_of(rules.dangling)
        one = rf"(?<!\S)(?:{words})" if rules.spaced else rf"(?:{words})"
        self._dangling = regex.compile(rf"(?:[{marks}]+|{one})+$", regex.IGNORECASE)
        self._may_end = regex.compile(f"(?:{rules.sentence_end})$" if rules.sentence_end else r"(?!)")
        self._break = regex.compile(rules.clause_break or r"(?!)")
        self._unfinished = regex.compile(rules.unfinished or r"(?!)")
        # A clause that ends with somebody's name and title has not come to its predicate.
        titles = one_of(() if rules.spaced else rules.honorifics)
        self._open = regex.compile(rf"{NAME}(?:{titles})\Z")
        self._subordinators = tuple(word.casefold() for word in rules.subordinators)

    def fit(self, text: str, fits: FitsLimit, content_of: ContentOf | None = None) -> str | None:
        """The longest good beginning of ``text`` for which ``fits`` holds; ``None`` when nothing that makes sense fits.

        ``content_of``: what a text says that must not be lost. With it words that can be put more shortly are, and if
        the beginning lost something, the sentences go that cost least. Of a text for which ``fits`` holds, it must hold
        for every beginning.
        """
        if fits(text):
            return text
        if content_of is None:
            return self._beginning(text, fits)
        if shortened := self._reworded(text, fits, content_of):
            return shortened
        begun = self._beginning(text, fits)
        if begun is not None and content_of(text).keys() <= content_of(begun).keys():
            return begun
        spared = self._without_least_valuable(text, fits, content_of)
        worth = worth_of(text, content_of)
        return spared if spared and (begun is None or worth(spared) >= worth(begun)) else begun

    def _beginning(self, text: str, fits: FitsLimit) -> str | None:
        join, parts = self._sentences.join, self._sentences.split(text)
        if not parts:
            return None
        whole = _most(range(1, len(parts)), lambda count: fits(join(parts[:count])))
        kept = parts[:whole]
        # A lone "Hm." is worth less than the beginning of what follows.
        if kept and len(join(kept)) * 2 >= len(join(parts[: whole + 1])):
            return join(kept)
        shorter = self._shorten(parts[whole], lambda piece: fits(join([*kept, piece])), phrases=not kept)
        return join(kept) or None if shorter is None else join([*kept, shorter])

    def _shorten(self, sentence: str, fits: FitsLimit, *, phrases: bool) -> str | None:
        """The longest beginning that makes sense; a short one cut between phrases is a stump unless most is there."""
        spaced = self._rules.spaced
        least = min(_SENSE[spaced], _MOST_OF_IT * len(_NAME.sub("", sentence)))
        # Nothing beyond what fits can be kept, but for words at the end that must not stand last and go.
        sentence = sentence[: _most(range(1, len(sentence) + 1), lambda end: fits(sentence[:end])) + _DANGLES]
        for end in reversed(self._sentences.clause_ends(sentence)):
            ended = self._ended(sentence[:end])
            if ended is not None and fits(ended) and not self._is_subordinate(sentence[:end]):
                return ended
        if not phrases:
            return None
        for end in reversed([found.start() for found in self._break.finditer(sentence)]):
            ended = sentence[:end] + self._rules.full_stop
            if len(_NAME.sub("", ended)) >= least and fits(ended):
                return ended
        second_best = None
        for end in reversed(self._sentences.phrase_ends(sentence)):
            ended = self._ended(sentence[:end])
            if ended is None or not fits(ended) or (not spaced and self._is_subordinate(sentence[:end])):
                continue
            if len(_NAME.sub("", ended)) < least:
                break
            if spaced or len(ended) > end or self._may_end.search(ended[:-1]):
                return ended
            if not (_TORN.search(ended[:-1]) or self._unfinished.match(sentence, len(ended) - 1, end)):
                second_best = second_best or ended
        return second_best

    def _ended(self, piece: str) -> str | None:
        """``piece`` without what must not stand last, and with a full stop; ``None`` when too little is left."""
        piece = piece.rstrip()
        found = self._dangling.search(piece, max(0, len(piece) - _DANGLES))
        piece = piece[: found.start()] if found else piece
        enough = len(piece.split()) >= _FEWEST_WORDS if self._rules.spaced else len(piece) >= _FEWEST_LETTERS
        if not enough:
            return None
        return piece if piece[-1] in self._rules.terminals else piece + self._rules.full_stop

    def _is_subordinate(self, piece: str) -> bool:
        """Whether ``piece`` is a clause that says something else, or nothing, alone ("if Ken is the wolf")."""
        if self._rules.spaced:
            return "".join(piece.split(maxsplit=1)[:1]).casefold() in self._subordinators
        return piece.endswith(self._subordinators) or self._open.search(piece) is not None

    # --- what a talk that is a little too long can do without, before anything it says is cut off ---------------------

    def _reworded(self, text: str, fits: FitsLimit, content_of: ContentOf) -> str:
        """Shorten ``text`` by shorter wordings for longer ones, as few as needed; ``""`` if that is not enough."""
        content, shortened = content_of(text).keys(), text
        for pattern, short in self._shorter:
            for found in reversed(list(pattern.finditer(shortened))):
                made = shortened[: found.start()] + _put(found, short) + shortened[found.end() :]
                if not content <= content_of(made).keys():
                    continue
                shortened = made
                if fits(shortened):
                    return shortened
        return ""

    def _without_least_valuable(self, text: str, fits: FitsLimit, content_of: ContentOf) -> str:
        """Leave the sentences out of ``text`` that are worth least, and then the shortest; ``""`` where none can go."""
        parts = self._sentences.split(text)
        if not 1 < len(parts) <= _MOST_SENTENCES:
            return ""
        kept = [made for made in self._kept(parts) if fits(made)]
        worth, first = worth_of(text, content_of), opening_statement(parts)
        # Who was asked or charged answers first.
        return max(kept, key=lambda made: (worth(made) + bool(first and made.startswith(first)), len(made)), default="")

    def _kept(self, parts: list[str]) -> Iterator[str]:
        for count in range(len(parts) - 1, 0, -1):
            for places in combinations(range(len(parts)), count):
                yield self._sentences.join([parts[place] for place in places])


def _most(counts: range, holds: Callable[[int], bool]) -> int:
    """The last of ``counts`` for which ``holds``, which holds up to some count; the one before the first for none."""
    return counts.start - 1 + bisect_right(counts, False, key=lambda count: not holds(count))


def opening_statement(sentences: list[str]) -> str:
    """The first of ``sentences`` when it says something: mostly the answer to whoever spoke before; or ``""``."""
    return sentences[0] if sentences and len(sentences[0].encode()) >= _MORE_THAN_FILLER else ""


def worth_of(text: str, content_of: ContentOf) -> Callable[[str], int]:
    """Make the function that tells what a shorter form of ``text`` is worth: how much it tells that ``text``
    tells too.
    """
    content = content_of(text)
    return lambda made: sum(content[one] for one in content_of(made) if one in content)


def _put(found: regex.Match[str], short: str) -> str:
    """``short`` in place of ``found``, with a capital where that had one."""
    made = found.expand(short)
    return made[:1].upper() + made[1:] if found[0][:1].isupper() else made
