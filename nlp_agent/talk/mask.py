"""Names out of harm's way: while a text is cleaned, each player's name is one private-use character. Pure."""

from __future__ import annotations

from nlp_agent.talk.names import names_pattern

FIRST_SLOT = 0xF0000
SLOT = "\U000f0000-\U000f0fff"
"""The stand-ins as the inside of a character class."""


def mask(text: str, players: tuple[str, ...]) -> str:
    """``text`` with stand-ins for the names; its own private-use characters are dropped first."""
    if not text.isascii():
        text = "".join(c for c in text if not _is_private(c))
    pattern = names_pattern(players)
    if pattern is None:
        return text
    return pattern.sub(lambda m: chr(FIRST_SLOT + players.index(m[0])), text)


def unmask(text: str, players: tuple[str, ...]) -> str:
    """The names back, byte for byte."""
    if text.isascii():
        return text
    return "".join(players[ord(c) - FIRST_SLOT] if is_slot(c) else c for c in text)


def is_slot(char: str) -> bool:
    return FIRST_SLOT <= ord(char) <= FIRST_SLOT + 0xFFF


def _is_private(char: str) -> bool:
    code = ord(char)
    return 0xE000 <= code <= 0xF8FF or code >= FIRST_SLOT or 0xD800 <= code <= 0xDFFF
