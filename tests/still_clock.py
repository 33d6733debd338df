"""An event loop on whose clock computing takes no time: what a test says of time holds on any machine."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from nlp_agent.arena.in_process import HurriedLoop

T = TypeVar("T")


class StillLoop(HurriedLoop):
    """Its clock moves only where everybody waits, and then jumps to the next appointment."""

    def time(self) -> float:
        """Seconds that were waited for."""
        return self._impatient.skipped


def run_still(work: Coroutine[Any, Any, T]) -> T:
    """As :func:`asyncio.run`, on such a loop."""
    with asyncio.Runner(loop_factory=StillLoop) as runner:
        return runner.run(work)
