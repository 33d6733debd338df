"""What one guest may cost a table; many times what any agent of a contest does. Beyond it a guest is shown out."""

from __future__ import annotations

import re
from dataclasses import dataclass

ORIGINS = (None, re.compile(r"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?/?"))
"""Where a WebSocket may come from: from a program, which has no origin, or from a page of this machine. Any other page
that somebody has open could otherwise take a seat at a table on loopback."""


@dataclass(frozen=True, slots=True)
class Limits:
    """``frame``: bytes of one frame. ``ahead``: frames that wait unasked, and keep-alive pings since the last packet.
    ``unread``: bytes that a guest may leave unread. ``connections``: guests at once, nameless ones included;
    ``namesakes``: those of one name. ``name``: characters of a name. ``waiting``: seconds in the waiting room.
    """

    frame: int = 64_000
    ahead: int = 64
    unread: int = 1_000_000
    connections: int = 200
    namesakes: int = 32
    name: int = 100
    waiting: float = 6 * 3600.0
