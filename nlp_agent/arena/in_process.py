"""Games whose table and seats are all in this process: played without sockets, or with sockets on a clock that jumps.

:func:`play_out` plays a game with a function for each seat. :class:`HurriedLoop` is an event loop that waits for
nothing: when nobody has anything to do, its clock jumps to the next appointment, so that a group chat of two minutes
takes as long as the work in it. What is computed, here or in a thread, still takes its real time. Whatever is waited
for outside this process, such as a model's answer, would never come in time.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple

from nlp_agent.arena.engine import Deliver, Game
from nlp_agent.protocol import Packet

# --- An event loop that waits for nothing ----------------------------------------------------------------------------


_Given = TypeVarTuple("_Given")
_Made = TypeVar("_Made")


class _JumpingSelector(selectors.DefaultSelector):
    """Waits only where there is no appointment to jump to, or while threads are ``busy``; ``skipped`` seconds were not
    waited."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0
        self.busy = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or self.busy:
            return super().select(timeout)
        ready = super().select(0)
        if not ready and timeout > 0:
            self.skipped += timeout
        return ready


class HurriedLoop(asyncio.SelectorEventLoop):
    """A loop whose :meth:`time` is the monotonic clock plus all that was not waited."""

    def __init__(self) -> None:
        self._impatient = _JumpingSelector()
        super().__init__(self._impatient)

    def time(self) -> float:
        """Seconds of the monotonic clock, with all that was not waited."""
        return super().time() + self._impatient.skipped

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*_Given], _Made], *args: *_Given
    ) -> asyncio.Future[_Made]:
        """Run ``func`` in a thread; simulated time does not jump ahead until it is done."""
        future = super().run_in_executor(executor, func, *args)
        self._impatient.busy += 1
        future.add_done_callback(self._rest)
        return future

    def _rest(self, _: asyncio.Future[Any]) -> None:
        self._impatient.busy -= 1


# --- Whole games in this process, without sockets --------------------------------------------------------------------


Decider = Callable[[Packet], str | None]
"""One seat: gets every packet; returns the reply, or ``None`` for silence (a timeout, if one is due)."""


def play_out(game: Game, deciders: Sequence[Decider]) -> None:
    """Play ``game``, which has not begun, to its end; ``deciders`` sit in seat order."""
    order = game.start()
    while isinstance(order, Deliver):
        reply = deciders[order.seat](order.packet)
        order = game.answer(reply if order.needs_reply else None)
