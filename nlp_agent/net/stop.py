"""Leaving in two steps: first after the running game, then at once."""

from __future__ import annotations

import asyncio


class Stop:
    """``soon`` is set by the first request, ``now`` by the second."""

    def __init__(self) -> None:
        self.soon = asyncio.Event()
        self.now = asyncio.Event()

    def request(self) -> None:
        """One press of Ctrl-C, or one SIGTERM."""
        if self.soon.is_set():
            self.now.set()
        self.soon.set()
