"""An event loop that waits for nothing: when nobody has anything to do, its clock jumps to the next appointment.

For games whose seats, table and player are all in this process. A phase of two minutes, in which seats read, type and
let others speak, then takes as long as the work in it; what is computed still takes its real time, so that being late
stays being late, also when a thread computes it. Whatever is waited for outside this process, such as a model's answer,
would never come in time.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple

_Given = TypeVarTuple("_Given")
_Made = TypeVar("_Made")


class _Impatient(selectors.DefaultSelector):
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
        self._impatient = _Impatient()
        super().__init__(self._impatient)

    def time(self) -> float:
        return super().time() + self._impatient.skipped

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*_Given], _Made], *args: *_Given
    ) -> asyncio.Future[_Made]:
        """As usual; as long as somebody waits for a thread the clock does not jump."""
        future = super().run_in_executor(executor, func, *args)
        self._impatient.busy += 1
        future.add_done_callback(self._rest)
        return future

    def _rest(self, _: asyncio.Future[Any]) -> None:
        self._impatient.busy -= 1
