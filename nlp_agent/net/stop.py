"""Leaving in two steps: first after the running game, then at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stop:
    """A wish to leave: ``soon`` (after the running game) is set by the first request, ``now`` by the second."""

    def __init__(self) -> None:
        self.soon = asyncio.Event()
        self.now = asyncio.Event()
        self._games: list[Callable[[], bool]] = []

    @property
    def in_game(self) -> bool:
        """Whether a game runs that the first request would let finish."""
        return any(runs() for runs in self._games)

    @contextmanager
    def minding(self, runs: Callable[[], bool]) -> Iterator[None]:
        """Count the game of which ``runs`` tells, whether it is still played, within this block."""
        self._games.append(runs)
        try:
            yield
        finally:
            self._games.remove(runs)

    def request(self) -> None:
        """Ask to leave: one press of Ctrl-C, or one SIGTERM."""
        if self.soon.is_set():
            self.now.set()
        self.soon.set()
