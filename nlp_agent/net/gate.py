"""How the seats of a process come in to a server: one after another, and ready for a game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager


class Gate:
    """One seat at a time: the server may lose connections that arrive at the same instant.

    When the first has given its name, ``prepare`` makes ready what a game needs, before any other seat comes in. So no
    name waits for it, and no game of several of these seats begins before it is done. Where it fails, it fails for all.
    """

    def __init__(self, prepare: Callable[[], Awaitable[None]] | None = None) -> None:
        self._lock = asyncio.Lock()
        self._prepare = prepare

    @asynccontextmanager
    async def entering(self) -> AsyncIterator[None]:
        """Connect and answer NAME within this block; it raises what ``prepare`` does."""
        async with self._lock:
            yield
            if self._prepare is not None:
                await self._prepare()
                self._prepare = None
