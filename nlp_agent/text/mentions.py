"""Players' names in talk, made into signs: one private-use character a player, so that patterns can look for them."""

from __future__ import annotations

import re
from functools import lru_cache

_FIRST = 0xE000
NAME = "[\ue000-\ue1ff]"
"""A pattern for any player's sign."""

_KATAKANA = "[ァ-ヺー]"
_HIRAGANA = "[ぁ-ゖー]"
# What may follow a short name in its own script without making it a part of another word.
_AFTER_KATAKANA = f"(?!(?!グレ|ライン|ロラ|ロー|スライド|サン|クン|チャン){_KATAKANA})"
_AFTER_HIRAGANA = f"(?!(?!さん|くん|ちゃん|さま|どの|[がをにのはもとへやよ](?!い|な)){_HIRAGANA})"
# Hiragana are what particles are written in: a name may follow one.
_SCRIPTS = (
    (_KATAKANA, f"(?<!{_KATAKANA})", _AFTER_KATAKANA),
    (_HIRAGANA, f"(?:(?<!{_HIRAGANA})|(?<=[がをにのはもとへや]))", _AFTER_HIRAGANA),
)
_OUR_SIGNS = re.compile(NAME)


def mask(text: str, players: tuple[str, ...]) -> str:
    """``text`` with every player's name replaced by its sign; a name inside another word stays as it is."""
    clean = _OUR_SIGNS.sub(" ", text)
    if not any(name and name in clean for name in players):
        return clean
    finder = _finder(players)
    return finder.sub(lambda match: chr(_FIRST + (match.lastindex or 1) - 1), clean) if finder else clean


def signs(text: str, players: tuple[str, ...]) -> list[str]:
    """The players whose signs stand in ``text``, in that order."""
    return [players[ord(sign) - _FIRST] for sign in _OUR_SIGNS.findall(text) if ord(sign) - _FIRST < len(players)]


def sign(name: str, players: tuple[str, ...]) -> str:
    return chr(_FIRST + players.index(name))


def mask_names(text: str, players: tuple[str, ...]) -> str:
    """``text`` with every name replaced by one and the same sign: the shape of a line, whoever it speaks of."""
    return _OUR_SIGNS.sub("\ue000", mask(text, players))


@lru_cache(maxsize=64)
def _finder(players: tuple[str, ...]) -> re.Pattern[str] | None:
    if not any(players):
        return None
    # Groups count by seat, so every seat has one; longer names are looked for first by standing first in a lookahead.
    order = sorted((name for name in players if name), key=len, reverse=True)
    branches = {
        name: _bounded(name, [longer for longer in order if name != longer and name in longer]) for name in order
    }
    return re.compile("|".join(f"({branches[name]})" if name else "((?!))" for name in players))


def _bounded(name: str, longer: list[str]) -> str:
    """A pattern for ``name`` as a word of its own. A name said twice over (``@マリマリ``) is one."""
    text = "".join(f"(?!{re.escape(other)})" for other in longer if other.startswith(name))
    text += f"(?:{re.escape(name)})" + "{1,2}"
    if name[0].isascii() and name[0].isalnum():
        text = f"(?<![A-Za-z0-9]){text}"
    if name[-1].isascii() and name[-1].isalnum():
        text += "(?![A-Za-z0-9])"
    for script, before, after in _SCRIPTS:
        if re.fullmatch(f"{script}+", name):
            text = f"{before}{text}" + (after if len(name) <= 2 else "")
    return text
