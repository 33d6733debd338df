"""Names out of harm's way: while a text is cleaned, each player's name is one private-use character. Pure."""

from __future__ import annotations

import re

from nlp_agent.text.names import names_pattern

FIRST_SLOT = 0xF0000
SLOT = "\U000f0000-\U000f0fff"
"""The stand-ins as the inside of a character class."""


def mask(text: str, players: tuple[str, ...]) -> str:
    """``text`` with stand-ins for the names; its own private-use characters are dropped first."""
    if not text.isascii():
        text = _PRIVATE.sub("", text)
    pattern = names_pattern(players)
    if pattern is None:
        return text
    return pattern.sub(lambda m: chr(FIRST_SLOT + players.index(m[0])), text)


def unmask(text: str, players: tuple[str, ...]) -> str:
    """The names back, byte for byte."""
    return text if text.isascii() else _SLOTS.sub(lambda m: players[ord(m[0]) - FIRST_SLOT], text)


def is_slot(char: str) -> bool:
    return FIRST_SLOT <= ord(char) <= FIRST_SLOT + 0xFFF


_SLOTS = re.compile(f"[{SLOT}]")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff\ud800-\udfff]")
