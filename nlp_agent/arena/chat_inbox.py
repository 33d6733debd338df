"""Listening to all guests of a game at once while a group chat is open."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from nlp_agent.arena.events import GuestFault, Silence
from nlp_agent.arena.guests import Guest
from nlp_agent.arena.steps import HeardFrame

_AHEAD = 8
"""Frames of one guest that wait to be heard; further ones stay in its connection."""


class ChatInbox:
    """One queue a seat, heard in turn: whoever floods the table waits for itself alone."""

    def __init__(self) -> None:
        self._queues: dict[int, asyncio.Queue[str | Silence]] = {}
        self._news = asyncio.Event()

    def open(self, seat: int, guest: Guest) -> None:
        """From now on hear what ``guest`` says unasked."""
        queue: asyncio.Queue[str | Silence] = asyncio.Queue(_AHEAD)
        self._queues[seat] = queue

        async def hear(what: str | Silence) -> None:
            if what is Silence.LOST and queue.full():
                queue.get_nowait()
            self._news.set()
            await queue.put(what)
            self._news.set()

        guest.on_chat = hear
        if guest.gone:
            queue.put_nowait(Silence.LOST)
            self._news.set()

    def close(self, seat: int, guest: Guest) -> None:
        """Hear it no more; what was said and not heard yet is thrown away, and noted as such."""
        guest.on_chat = None
        queue = self._queues.pop(seat, None)
        # A frame that waits for room comes in behind each that is thrown away, and is thrown away with the queue.
        while queue is not None and not queue.empty():
            what = queue.get_nowait()
            if not isinstance(what, Silence):
                guest.note(GuestFault.AFTER_PHASE, what)

    async def next(self, seconds: float) -> HeardFrame | None:
        """What is said next, each seat in its turn; ``None`` when nothing is for so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    for seat in list(self._queues):
                        queue = self._queues[seat]
                        if not queue.empty():
                            # To the end of the row: the others are heard first now.
                            self._queues[seat] = self._queues.pop(seat)
                            return HeardFrame(seat, queue.get_nowait())
                    self._news.clear()
                    await self._news.wait()
        return None
