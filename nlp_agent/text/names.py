"""Where players are named in a text, and texts in which every name is replaced by a placeholder. Pure.

A placeholder is one private-use character that stands for one player. A text with
placeholders is called *masked*: in it no rule about words can touch a name, and a pattern can look for "any player"
(:data:`NAME`).
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple
from weakref import WeakValueDictionary

_FIRST = 0xE000
PLACEHOLDERS = "\ue000-\ue1ff"
"""All placeholders, as the inside of a character class."""
NAME = f"[{PLACEHOLDERS}]"
"""A pattern for any player's placeholder."""
_SIGN = re.compile(NAME)
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff\ud800-\udfff]")
_WIDE = {0xFF01 + place: 0x21 + place for place in range(0x5E)}
"""Full-width letters, figures and marks, and the ordinary ones they are read as."""
_IS_WIDE = re.compile("[\uff01-\uff5e]")

_KATAKANA = re.compile("[ァ-ヺー-ヿㇰ-ㇿｦ-ﾟ]")
_HIRAGANA = re.compile("[ぁ-ゟ]")
_UNBORDERED = re.compile("[\u3400-\u9fff\uf900-\ufaff\uac00-\ud7ff\U00020000-\U0003ffff々〆]")
"""Letters of scripts that join words without any border: nothing beside such a name tells where it ends."""
_BEHIND_KATAKANA = ("グレ", "ライン", "ロラ", "ロー", "スライド", "サン", "クン", "チャン", "サマ")
"""What is written right behind a name in katakana: titles, and the table's own words for what happens to a player."""
_BEFORE_HIRAGANA = frozenset("がをにのはもとへや")
"""Particles: a name in hiragana may follow one."""
_BEHIND_HIRAGANA = re.compile("さん|くん|ちゃん|さま|どの|[がをにのはもとへやよ](?![いな])")
_SHORT = 2
"""Letters of a name in hiragana up to which it may as well be a part of another word."""
_KEPT = 500
"""So many texts of at most so many characters are held as they look: one talk is looked at again and again."""
_BORDERS = frozenset(" .,;:!?'\"()")
"""What mostly stands behind a name, and goes on with no word of any script."""


class NameSpan(NamedTuple):
    """A place where a player is named: ``text[start:end]`` is ``name``, maybe in full width; ``mention``: an ``@``
    stands right before it.
    """

    start: int
    end: int
    name: str
    mention: bool


class Names:
    """The names of one village, in seat order. Get it by :func:`names_of`."""

    def __init__(self, players: tuple[str, ...]) -> None:
        self.players = players
        self._signs = {name: chr(_FIRST + seat) for seat, name in reversed([*enumerate(players)])}
        spoken = [name for name in self._signs if name.strip()]
        # A name in full width is found in a text of either width, and the other way round, unless two would be one.
        spelt = {name.translate(_WIDE): name for name in spoken}
        self._any_width = len(spelt) == len(spoken)
        self._spelt = spelt if self._any_width else {name: name for name in spoken}
        self._longest_first = tuple(sorted(self._spelt, key=len, reverse=True))
        self._spoken = {_FIRST + seat: name for seat, name in enumerate(players)}
        self._masked: dict[str, str] = {}
        self._speaking = re.compile(
            rf"\b({'|'.join(map(re.escape, self._longest_first)) or '(?!)'})(?=\s?[:：])", re.IGNORECASE
        )
        self._in_any_case = {name.casefold(): name for name in self._longest_first}
        # Anything may be found that begins like a name; whether it is one is looked at where it stands.
        self._may = re.compile("|".join(map(re.escape, self._longest_first)) or r"(?!)")

    def find(self, text: str) -> list[NameSpan]:
        """Find where players are named in ``text``, in order, without overlaps; the longest name wins at a place.

        Case counts: Will is a player, will is none. A name is never a part of another word, where its script tells
        words apart; beside another name it is one (``マリマリ``).
        """
        if self._any_width and not text.isascii() and _IS_WIDE.search(text):
            text = text.translate(_WIDE)
        found: list[NameSpan] = []
        place = 0
        while (hit := self._may.search(text, place)) is not None:
            start, end = hit.span()
            after_name = found[-1].end if found else -1
            # Between plain borders the longest name that stands there, which is the hit, is the name.
            plain = (not start or text[start - 1] in " @") and (end == len(text) or text[end] in _BORDERS)
            spelt = hit[0] if plain else self._at(text, start, after_name)
            if spelt:
                place = start + len(spelt)
                found.append(NameSpan(start, place, self._spelt[spelt], text[max(start - 1, 0) : start] == "@"))
            else:
                place = start + 1
        return found

    def with_speakers(self, text: str) -> str:
        """Spell each name before a colon in ``text`` as the player's (``KEN:``): whoever speaks there is a player."""
        return self._speaking.sub(lambda found: self._in_any_case.get(found[1].casefold(), found[1]), text)

    def players_in(self, text: str) -> set[str]:
        """The players named in ``text``."""
        return {span.name for span in self.find(text)}

    def _at(self, text: str, start: int, after_name: int) -> str:
        """The longest name that stands at ``start``, or ``""``; the name before it ends at ``after_name``."""
        before = "" if start == after_name else text[max(start - 1, 0) : start]
        for name in self._longest_first:
            if text.startswith(name, start) and not _goes_on(before, name[0]):
                end = start + len(name)
                if _ends(text, end, name) or text.startswith(self._longest_first, end):
                    return name
        return ""

    def mask(self, text: str) -> str:
        """Put a placeholder for every name in ``text``; its own private-use characters are dropped first."""
        known = self._masked.get(text)
        if known is not None:
            return known
        clean = text if text.isascii() else _PRIVATE.sub("", text)
        parts: list[str] = []
        place = 0
        for span in self.find(clean):
            parts += [clean[place : span.start], self._signs[span.name]]
            place = span.end
        masked = "".join((*parts, clean[place:]))
        if len(self._masked) >= _KEPT:
            self._masked.clear()
        if len(text) <= _KEPT:
            self._masked[text] = masked
        return masked

    def unmask(self, text: str) -> str:
        """The names back, byte for byte."""
        return text if text.isascii() else text.translate(self._spoken)

    def shape(self, text: str) -> str:
        """Put one and the same placeholder for every name in ``text``: the shape of a line, whoever it speaks of."""
        return _SIGN.sub(chr(_FIRST), self.mask(text))

    def placeholder_of(self, name: str) -> str:
        """The placeholder that stands for the player ``name``. Raises KeyError for anybody else."""
        return self._signs[name]

    def player_of(self, placeholder: str) -> str:
        """The player ``placeholder`` stands for."""
        return self.players[ord(placeholder) - _FIRST]

    def named(self, masked: str) -> list[str]:
        """The players whose placeholders stand in ``masked``, in that order."""
        return [self.player_of(placeholder) for placeholder in _SIGN.findall(masked)]


_alive: WeakValueDictionary[tuple[str, ...], Names] = WeakValueDictionary()


def names_of(players: tuple[str, ...]) -> Names:
    """The names of a village; the same object as long as anybody holds it."""
    names = _alive.get(players)
    if names is None:
        names = _alive[players] = Names(players)
    return names


def _goes_on(before: str, first: str) -> bool:
    """Whether the letter ``before`` a name and its ``first`` one may be of the same word."""
    if not before or before == " " or _script(before) != _script(first):
        return False
    return _script(first) != "" and not (_HIRAGANA.match(first) and before in _BEFORE_HIRAGANA)


def _ends(text: str, end: int, name: str) -> bool:
    """Whether ``name``, found in ``text`` up to ``end``, ends a word there."""
    behind = text[end : end + 1]
    if not behind or behind in _BORDERS:
        return True
    if unicodedata.category(behind)[0] == "M":
        return False
    script = _script(name[-1])
    if not script or script != _script(behind):
        return True
    if script == "katakana":
        return text.startswith(_BEHIND_KATAKANA, end)
    if script == "hiragana":
        return len(name) > _SHORT or _BEHIND_HIRAGANA.match(text, end) is not None
    return False


def _script(char: str) -> str:
    """The script within which ``char`` can be a part of a longer word; ``""`` where nothing tells."""
    if _KATAKANA.match(char):
        return "katakana"
    if _HIRAGANA.match(char):
        return "hiragana"
    return "letters" if char.isalnum() and not _UNBORDERED.match(char) else ""
