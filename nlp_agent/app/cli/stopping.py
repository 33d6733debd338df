"""Leaving politely: the first Ctrl-C or SIGTERM ends after the running game, the second at once."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from nlp_agent.app.cli.common import discard_stdout
from nlp_agent.app.cli.screen import stderr
from nlp_agent.net.stop import Stop

T = TypeVar("T")

INTERRUPTED = 130
"""Exit code after a signal, as shells have it."""
_PATIENCE = 2.0
"""Seconds for closing sockets and journals after the second signal."""


def run_until_stopped(
    work: Callable[[Stop], Coroutine[Any, Any, int]],
    *,
    hint: str,
    loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
) -> int:
    """Run ``work`` to its end and return its exit code, or 130 when a signal asked to leave.

    ``hint`` is printed at the first signal.
    """
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        return runner.run(_guarded(work, hint))


class Output:
    """Callbacks that print, for as long as somebody reads.

    When the reader has left (``| head``), ``closed`` is set and the work is asked to stop at once, instead of an
    error rising out of the middle of a game.
    """

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self.closed = False

    def guard(self, show: Callable[[T], object]) -> Callable[[T], None]:
        """``show`` without errors of a closed pipe."""

        def guarded(thing: T) -> None:
            if self.closed:
                return
            try:
                show(thing)
            except BrokenPipeError:
                self.closed = True
                discard_stdout()
                # That the running game is lost is what leaving early means, and no news.
                logging.disable()
                self._stop.request()
                self._stop.request()

        return guarded


async def _guarded(work: Callable[[Stop], Coroutine[Any, Any, int]], hint: str) -> int:
    stop = Stop()
    task = asyncio.ensure_future(work(stop))
    signalled = 0

    def on_signal() -> None:
        nonlocal signalled
        signalled += 1
        stop.request()
        if signalled == 1:
            stderr().print(hint)
        else:
            # Sessions close on the stop itself; the task is cancelled only when that does not come to an end.
            loop.call_later(_PATIENCE if signalled == 2 else 0.0, task.cancel)

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, on_signal)
    try:
        code = await task
    except asyncio.CancelledError:
        if not signalled:
            raise
        code = INTERRUPTED
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
    return INTERRUPTED if signalled else code
