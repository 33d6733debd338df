"""How much is taken of anything that comes in: one table for packets, for guests of a table and for models.

Applied where bytes become objects, so that nothing behind can be kept busy by a number or a length. Each bound is
many times what any known server, game or model sends; beyond it a value is cut or left out with a note.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

# --- packets ----------------------------------------------------------------------------------------------

FRAME = 2_000_000
"""Bytes of the largest frame that is parsed; a day's history of thirteen players is some 10 kB."""
FRAME_HELD = 4 * FRAME
"""Bytes of the largest frame that is buffered: a longer one ends the connection."""
DEPTH = 12
"""Lists and mappings within each other; packets have five."""
LIST = 500
"""Talks or votes in a list; the newest stand last and are kept."""
PLAYERS = 32
"""Players of a village, and entries of any mapping."""
NAME = 200
"""Characters of a player's name: one that is longer is no player, as cut it would name nobody."""
TEXT = 2_000
"""Characters of a talk, a profile or any other text."""
REQUEST = 64
DAYS = 100
COUNT = 100_000
"""Any other number: turns, indexes, talks that are left, characters."""
TALKS = 10_000
"""Talks of a whole game that are kept."""
MILLISECONDS = 86_400_000
"""A day: no phase and no question takes longer."""
NOTES = 20
"""Notes on one packet."""

# --- logs of games ----------------------------------------------------------------------------------------

LOG = 20_000_000
"""Characters of a game's log that are looked at; one of thirteen players has some 100,000."""
LOG_LINES = 20_000
"""Lines of it that are read; one of thirteen players has some 500."""

# --- models -----------------------------------------------------------------------------------------------

BODY = 4_000_000
"""Bytes of an answer that comes whole, after unpacking."""
STREAM = 32_000_000
"""Bytes of a streamed answer: it is read event by event, and thinking of many thousand words is in it."""
LINE = 1_000_000
"""Bytes of a stream without an end of line."""
EVENTS = 100_000
"""Events of a stream, those without any text included."""
ANSWER = 200_000
"""Characters of an answer, thoughts included: no talk is that long, and memory is for thirteen seats."""
TOKENS = 1_000_000_000
"""Tokens that one call may be said to have cost."""

# --- journals ---------------------------------------------------------------------------------------------

KEPT = 10_000
"""Characters of a text that a journal keeps, such as a model's answer with its thoughts."""
KEPT_WHOLE = 200_000
"""Characters it keeps of what a game is replayed from: packets and prompts."""


Place = tuple[int | str, ...]


def load_json(raw: str | bytes) -> Any:
    """The value of anybody's JSON text. Raises ValueError for whatever cannot be read, a text too deep included."""
    try:
        return json.loads(raw)
    except RecursionError:
        raise ValueError("lists and mappings are too deep within each other") from None


def within(value: Any, notes: list[str], place: Place = (), depth: int = DEPTH) -> Any:
    """Cut ``value``, as JSON gave it, to what the table allows, without nulls; ``notes`` tell what was cut.

    Only what is kept is walked.
    """
    if isinstance(value, str):
        return value if len(value) <= TEXT else _cut(value[:TEXT], notes, place, f"{len(value)} characters")
    if not isinstance(value, list | dict):
        return value
    if depth <= 0:
        return _cut(None, notes, place, "too deep")
    most = LIST if isinstance(value, list) else PLAYERS
    if len(value) > most:
        _cut(value, notes, place, f"{len(value)} entries")
    if isinstance(value, list):
        kept = value[-LIST:]
        return [
            item if _is_small(item) else within(item, notes, (*place, at), depth - 1)
            for at, item in enumerate(kept)
            if item is not None
        ]
    pairs = list(islice(value.items(), PLAYERS))
    if [key for key, _ in pairs if len(key) > NAME]:
        pairs = [(key, item) for key, item in pairs if len(key) <= NAME]
        _cut(value, notes, place, "a name that is too long")
    return {
        key: item if _is_small(item) else within(item, notes, (*place, key), depth - 1)
        for key, item in pairs
        if item is not None
    }


def _is_small(item: Any) -> bool:
    """Whether there is nothing to cut: so are nearly all parts of a packet."""
    return len(item) <= TEXT if isinstance(item, str) else isinstance(item, int | float)


def _cut(value: Any, notes: list[str], place: Place, what: str) -> Any:
    notes.append(f"{'.'.join(map(str, place))}: {what}, cut")
    return value
