"""Shortening a talk so that the server never cuts it. Pure.

Whole trailing sentences go first, then the last clauses, then the last phrases; what remains ends properly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import regex

from nlp_agent.protocol import LengthRule
from nlp_agent.text.count import is_capped, limit
from nlp_agent.text.rules import SpeechRules
from nlp_agent.text.sentences import clause_ends, joined, phrase_ends, sentences

Fits = Callable[[str], bool]
_FEWEST_WORDS = 3
_FEWEST_LETTERS = 4


def room(length: LengthRule, remain_length: int | None, *, anchored: bool) -> int | None:
    """How long the words of one talk may be, counted as the server counts; ``None`` is without limit.

    An anchor is counted apart from the words behind it. Where the server's settings keep nothing of any talk, only
    ``per_talk`` bounds it.
    """
    per_talk = limit(length.per_talk)
    if not is_capped(length):
        return per_talk
    extra = (remain_length or 0) if limit(length.per_agent) is not None else 0
    base = (limit(length.base_length) or 0) + extra
    most = (length.mention_length or 0) + extra if anchored else base
    if base < 0:
        # The words before the anchor are cut first, and a cut at a negative place kills the server.
        return 0
    return most if per_talk is None else min(most, per_talk)


def fit(text: str, fits: Fits, rules: SpeechRules) -> str | None:
    """The longest good beginning of ``text`` for which ``fits`` holds; ``None`` when not even a phrase fits."""
    if fits(text):
        return text
    parts = sentences(text, rules)
    whole = len(parts)
    while whole and not fits(joined(parts[:whole], rules)):
        whole -= 1
    kept = parts[:whole]
    # A lone "Hm." is worth less than the beginning of what follows.
    if len(joined(kept, rules)) * 2 >= len(joined(parts[: whole + 1], rules)):
        return joined(kept, rules)

    def fits_behind(piece: str) -> bool:
        return fits(joined([*kept, piece], rules))

    shorter = _shorten(parts[whole], fits_behind, rules, phrases=not kept)
    if shorter is None:
        return joined(kept, rules) or None
    return joined([*kept, shorter], rules)


def _shorten(sentence: str, fits: Fits, rules: SpeechRules, *, phrases: bool) -> str | None:
    by_clause = (sentence[:end] for end in reversed(clause_ends(sentence, rules)))
    for piece in by_clause:
        ended = _ended(piece, rules)
        if ended is not None and fits(ended) and not _is_subordinate(piece, rules):
            return ended
    if not phrases:
        return None
    fallback = None
    for end in reversed(phrase_ends(sentence, rules)):
        ended = _ended(sentence[:end], rules)
        if ended is None or not fits(ended) or (not rules.spaced and _is_subordinate(sentence[:end], rules)):
            continue
        if rules.spaced or len(ended) > end or _may_end(ended[:-1], rules):
            return ended
        fallback = fallback or ended
    return fallback


def _ended(piece: str, rules: SpeechRules) -> str | None:
    """``piece`` without what must not stand last, and with a full stop; ``None`` when too little is left."""
    piece = _dangling(rules).sub("", piece.rstrip())
    enough = len(piece.split()) >= _FEWEST_WORDS if rules.spaced else len(piece) >= _FEWEST_LETTERS
    if not enough:
        return None
    return piece if piece[-1] in rules.terminals else piece + rules.full_stop


@lru_cache(maxsize=64)
def _dangling(rules: SpeechRules) -> regex.Pattern[str]:
    marks = regex.escape(rules.clause_marks + "'") + r"\s"
    words = sorted((regex.escape(word) for word in rules.dangling), key=len, reverse=True)
    start = r"(?<!\S)" if rules.spaced else ""
    one = f"{start}(?:{'|'.join(words)})" if words else r"(?!)"
    return regex.compile(rf"(?:[{marks}]+|{one})+$", regex.IGNORECASE)


def _may_end(piece: str, rules: SpeechRules) -> bool:
    return bool(rules.sentence_end) and regex.search(f"(?:{rules.sentence_end})$", piece) is not None


def _is_subordinate(piece: str, rules: SpeechRules) -> bool:
    """Whether ``piece`` is a clause that says something else when it stands alone ("if Ken is the wolf")."""
    words = [word.casefold() for word in rules.subordinators]
    if rules.spaced:
        head = piece.split(maxsplit=1)[0].casefold() if piece.split() else ""
        return head in words
    return piece.endswith(tuple(words)) if words else False
