"""An event loop that waits for nothing: when nobody has anything to do, its clock jumps to the next appointment.

For games whose seats, table and player are all in this process. A phase of two minutes, in which seats read, type and
let others speak, then takes as long as the work in it; what is computed still takes its real time, so that being late
stays being late. Whatever is waited for outside this process, such as a model's answer, would never come in time.
"""

from __future__ import annotations

import asyncio
import selectors


class _Impatient(selectors.DefaultSelector):
    """Waits only where there is no appointment to jump to; ``skipped`` seconds were not waited."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)
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
