"""What the game server keeps of a talk, counted and cut exactly as it does.

Source: behaviour of the turn-based server, proved row by row by ``tests/data/truncation.jsonl.gz``. The referee of
the local table uses this very module; a seat uses it to send only what will be kept whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nlp_agent.protocol import OVER, SKIP, LengthRule

# White space as the server's language knows it. Python's ``\s`` also holds U+001C..1F, which the server counts.
_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_WORD = re.compile(f"[^{_SPACE}]+")
_BLANK = re.compile(f"[{_SPACE}]")
FORCE_SKIP = "ForceSkip"
_UNENDED = re.compile(r"[\w,、，:：;；]\s*\Z")
"""What a sentence does not end with where it has an end; many end without a mark, but not just where room ends."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A talk as the server keeps it. ``text`` is what the others receive (``Skip`` and ``Over`` included).

    ``remain_length`` and ``remain_skip`` are the speaker's budgets afterwards (the length may become negative);
    ``None`` stays ``None``. ``crashed`` marks a text on which the real server dies: it cut at a negative place.
    """

    text: str
    remain_length: int | None = None
    over: bool = False
    skip: bool = False
    remain_skip: int | None = None
    crashed: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """The anchor the server found: ``name`` and the text around ``@name``."""

    before: str
    name: str
    after: str


def length_of(text: str, length: LengthRule) -> int:
    """The length the server counts: code points without white space, with it, or words."""
    if length.count_in_word:
        return len(_WORD.findall(text))
    if length.count_spaces:
        return len(text)
    return len(text) - len(_BLANK.findall(text))


def is_capped(length: LengthRule) -> bool:
    """Whether the server applies length rules at all; if not, it keeps nothing of any talk (a bug of its own)."""
    return length.without_unset.per_agent is not None or length.without_unset.base_length is not None


def find_mention(text: str, me: str, players: tuple[str, ...], *, newer: bool = False) -> Mention | None:
    """The mention that splits ``text``; dead players count, ``me`` does not.

    The turn-based generation takes the first *player in seat order* that is mentioned anywhere, the ``newer`` one the
    mention that stands first *in the text* (the earlier seat when two names start there).
    """
    if "@" not in text:
        return None
    found = [(text.find("@" + name), name) for name in players if name != me]
    hits = [(place, name) for place, name in found if place >= 0]
    if not hits:
        return None
    place, name = min(hits, key=lambda hit: hit[0]) if newer else hits[0]
    return Mention(text[:place], name, text[place + 1 + len(name) :])


def server_keeps(
    text: str,
    me: str,
    players: tuple[str, ...],
    length: LengthRule,
    remain_length: int | None = None,
    *,
    remain_skip: int | None = None,
    max_skip: int = 0,
    newer: bool = False,
) -> Kept:
    """Tell what the server makes of the reply ``text`` of player ``me`` to TALK or WHISPER.

    ``players`` in seat order, the dead included. ``remain_skip`` is the number of skips left; ``None`` counts as 0,
    where the server turns a Skip into Over; words give the speaker all ``max_skip`` back. ``newer`` chooses the
    generation (see :func:`find_mention`).
    """
    text = text.replace("\n", "")
    if text in (SKIP, FORCE_SKIP):
        if remain_skip:
            return Kept(SKIP, remain_length, skip=True, remain_skip=remain_skip - 1)
        return Kept(OVER, remain_length, over=True, remain_skip=remain_skip)
    if text in ("", OVER):
        return Kept(OVER, remain_length, over=True, remain_skip=remain_skip)
    remain_skip = None if remain_skip is None else max_skip
    if not is_capped(length):
        return Kept(OVER, remain_length, over=True, remain_skip=remain_skip)
    cutting = _Cutting(length, remain_length)
    kept = cutting.keep(find_mention(text, me, players, newer=newer), text)
    after = None if remain_length is None else cutting.remain
    if kept == "":
        return Kept(OVER, after, over=True, remain_skip=remain_skip, crashed=cutting.crashed)
    return Kept(kept, after, remain_skip=remain_skip, crashed=cutting.crashed)


def fills_its_room(text: str, me: str, players: tuple[str, ...], length: LengthRule, *, newer: bool = False) -> bool:
    """Whether what came of a talk of ``me`` takes all the room that the server leaves and ends within a sentence: so it
    was cut. Never where what is left of a budget for the day counts too, which only the speaker knows.
    """
    rule = length.without_unset
    if not text or not is_capped(rule) or rule.per_agent is not None or not _UNENDED.search(text):
        return False
    found = find_mention(text, me, players, newer=newer)
    cap, words = (rule.base_length, text) if found is None else (rule.mention_length, found.after.removeprefix(" "))
    return (bool(cap) and length_of(words, rule) == cap) or length_of(text, rule) == rule.per_talk


class _Cutting:
    """The cutting of one talk, with what is left of the speaker's ``per_agent`` budget."""

    def __init__(self, length: LengthRule, remain_length: int | None) -> None:
        self.length = length.without_unset
        self.remain = (remain_length or 0) if self.length.per_agent is not None else 0
        self.crashed = False

    def keep(self, mention: Mention | None, text: str) -> str:
        base = self.length.base_length or 0
        if mention is None:
            kept = self._trim(text, base + self.remain)
            self._charge(text, base)
            return self._bounded(kept, None, "")
        before = self._trim(mention.before, base + self.remain)
        self._charge(mention.before, base)
        extra = self.length.mention_length or 0
        after = self._trim(mention.after, extra + self.remain)
        # The server charges the cut text here and the whole text above; so do we.
        self._charge(after, extra)
        return self._bounded(before, mention.name, after)

    def _charge(self, text: str, free: int) -> None:
        if self.length.per_agent is not None:
            self.remain -= max(0, length_of(text, self.length) - free)

    def _bounded(self, before: str, name: str | None, after: str) -> str:
        """Apply ``per_talk`` to the words around the mention, and put them together."""
        per_talk = self.length.per_talk
        if per_talk is not None:
            used = length_of(before, self.length)
            if used > per_talk:
                return self._trim(before, per_talk)
            after = self._trim(after, per_talk - used)
        return before if name is None else f"{before} @{name} {after}"

    def _trim(self, text: str, cap: int) -> str:
        if self.length.count_in_word:
            words = _WORD.findall(text)
            return text if len(words) <= cap else " ".join(words[: self._place(cap)])
        if self.length.count_spaces:
            return text if len(text) <= cap else text[: self._place(cap)]
        if cap <= 0 or length_of(text, self.length) <= cap:
            return text
        seen = 0
        for place, char in enumerate(text):
            if _BLANK.match(char) is None:
                seen += 1
                if seen == cap:
                    # The real server stops behind the last counted letter, yet lets trailing white space pass whole.
                    rest = text[place + 1 :]
                    return text if _WORD.search(rest) is None else text[: place + 1]
        return text

    def _place(self, cap: int) -> int:
        self.crashed = self.crashed or cap < 0
        return max(cap, 0)
