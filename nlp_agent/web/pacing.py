"""Reading pace: what happens at a table is shown one thing after another, with time to read, however fast it happened.

The game itself goes on at its own speed; only what is shown waits. An onlooker may stop, step and go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from nlp_agent.arena.events import Attacked, DayOpened, Ended, Event, Executed, Talked, Voted
from nlp_agent.protocol import OVER, SKIP

_SHARES = {Voted: 0.2, Executed: 1.0, Attacked: 1.0, DayOpened: 0.5, Ended: 1.0}
_SILENT = 0.2
"""Share of the pace for a talk without words."""


def share_of(event: Event) -> float:
    """The part of the usual pause that goes by before ``event`` is shown: 1 for a talk with words, 0 for what is not
    read.
    """
    if isinstance(event, Talked):
        return _SILENT if event.text in (OVER, SKIP) else 1.0
    return _SHARES.get(type(event), 0.0)


class Pacer:
    """Does what it is given in order, ``pace`` seconds (times its share) after what came before.

    ``on_change`` hears when it is stopped or goes on.
    """

    def __init__(self, pace: float, on_change: Callable[[], None] = lambda: None) -> None:
        self.stopped = False
        self.on_change = on_change
        self._pace = pace
        self._queue: asyncio.Queue[tuple[float, Callable[[], object]]] = asyncio.Queue()
        self._told = asyncio.Event()
        """Set when somebody has stopped, stepped or gone on."""
        self._step = False

    def put(self, act: Callable[[], object], share: float = 0.0) -> None:
        """Queue ``act``, to be called after ``share`` of the usual pause, when all before it is done."""
        self._queue.put_nowait((share * self._pace, act))

    async def run(self) -> None:
        """Show queued events, each after its pause, until cancelled."""
        while True:
            seconds, act = await self._queue.get()
            if seconds:
                await self._wait(seconds)
            act()
            self._queue.task_done()

    async def _wait(self, seconds: float) -> None:
        while not self._step:
            self._told.clear()
            if self.stopped:
                await self._told.wait()
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._told.wait()
                    continue
            return
        self._step = False

    def stop(self) -> None:
        """Show nothing more until told."""
        self._tell(stopped=True)

    def go_on(self) -> None:
        """Go on showing events at the usual pace."""
        self._tell(stopped=False)

    def step(self) -> None:
        """Show the next thing now, and stop there."""
        self._step = True
        self._tell(stopped=True)

    def _tell(self, *, stopped: bool) -> None:
        self.stopped = stopped
        self._told.set()
        self.on_change()

    async def caught_up(self) -> None:
        """Wait until all that has happened is shown."""
        await self._queue.join()

    def hurry(self) -> None:
        """Do at once what has not been done."""
        while not self._queue.empty():
            _, act = self._queue.get_nowait()
            act()
            self._queue.task_done()
