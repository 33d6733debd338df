"""Leaving politely: the first Ctrl-C or SIGTERM ends after the running game, the second at once.

The second one ends the process after five seconds even if the event loop is stuck.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, NoReturn, TypeVar

import typer

from nlp_agent.app.cli.common import PIPE_CLOSED, discard_stdout, print_line, reader_has_left
from nlp_agent.net.stop import Stop

T = TypeVar("T")

INTERRUPTED = 130
"""Exit code after a signal, as shells have it."""
_PATIENCE = 2.0
"""Seconds for closing sockets and journals after the second signal."""
LAST_SECONDS = 5.0
"""Seconds after which the process ends itself when that has led to nothing. Journals are whole at any moment."""


def run_until_stopped(
    work: Callable[[Stop], Coroutine[Any, Any, int]],
    *,
    hint: str,
    idle: str = "",
    loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
) -> int:
    """Run ``work`` to its end and return its exit code, or 130 when a signal asked to leave.

    ``hint`` is printed at the first signal, or ``idle`` if it is given and no game runs.
    """
    end = threading.Timer(LAST_SECONDS, os._exit, [INTERRUPTED])
    end.daemon = True
    try:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(_guarded(work, hint, idle or hint, end))
    finally:
        end.cancel()


class Output:
    """A wrapper for callbacks that print, for as long as somebody reads.

    When the reader has left (``| head``), ``closed`` is set and the work is asked to stop at once, instead of an error
    rising out of the middle of a game.
    """

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self.closed = False

    def guard(self, show: Callable[[T], object]) -> Callable[[T], None]:
        """Wrap ``show`` so that it prints without errors of a closed pipe."""

        def guarded(thing: T) -> None:
            if self.closed:
                return
            try:
                show(thing)
            except OSError as error:
                if not reader_has_left(error):
                    raise
                self.closed = True
                discard_stdout()
                # That the running game is lost is what leaving early means, and no news.
                logging.disable()
                self._stop.request()
                self._stop.request()

        return guarded


def run_shown(work: Callable[[Stop, Output], Coroutine[Any, Any, int]], **how: Any) -> NoReturn:
    """Run ``work``, which prints by its Output, as :func:`run_until_stopped` does, and leave with its code, or 141 when
    the reader has left meanwhile.
    """

    async def showing(stop: Stop) -> int:
        output = Output(stop)
        code = await work(stop, output)
        return PIPE_CLOSED if output.closed else code

    raise typer.Exit(run_until_stopped(showing, **how))


def _leaving_signals() -> tuple[signal.Signals, ...]:
    """Ctrl-C, a request to end, and on Windows Ctrl-Break, which is how another program there asks for it."""
    also = getattr(signal, "SIGBREAK", None)
    return (signal.SIGINT, signal.SIGTERM, *((also,) if also is not None else ()))


async def _guarded(work: Callable[[Stop], Coroutine[Any, Any, int]], hint: str, idle: str, end: threading.Timer) -> int:
    """``end`` is started by the second signal."""
    stop = Stop()
    signalled = 0

    def on_signal(*_: object) -> None:
        # Called between two steps of whatever runs, also where the loop has stopped turning.
        nonlocal signalled
        signalled += 1
        if signalled == 2:
            end.start()
        loop.call_soon_threadsafe(leave, signalled)

    def leave(times: int) -> None:
        stop.request()
        if times == 1:
            print_line(hint if stop.in_game else idle, aside=True)
        else:
            # Sessions close on the stop itself; the task is cancelled only when that does not come to an end.
            loop.call_later(_PATIENCE if times == 2 else 0.0, task.cancel)

    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _leaving_signals()}
    for number in before:
        # The loop's own way wakes it from waiting, and would wait for it to turn. On Windows the loop wakes unasked.
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, lambda: None)
        signal.signal(number, on_signal)
    try:
        task = asyncio.ensure_future(work(stop))
        code = await task
    except asyncio.CancelledError:
        if not signalled:
            raise
        code = INTERRUPTED
    finally:
        for number, handler in before.items():
            with suppress(NotImplementedError):
                loop.remove_signal_handler(number)
            signal.signal(number, handler)
    return INTERRUPTED if signalled else code
