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
from typing import Any, NoReturn, Self, TypeVar

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
    with _Signals() as signals, asyncio.Runner(loop_factory=loop_factory) as runner:
        return runner.run(_work_until_stopped(work, hint, idle or hint, signals))


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


class _Signals:
    """Hears the signals that ask to leave, from before the event loop is made until after it is closed.

    Python's own answer, a KeyboardInterrupt wherever the program is, could leave a half made loop behind.
    """

    def __init__(self) -> None:
        self.heard = 0
        self.answer: Callable[[], object] | None = None
        """Called after each one, while there is a loop that can act on it."""
        self._end = threading.Timer(LAST_SECONDS, os._exit, [INTERRUPTED])
        self._end.daemon = True

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._on_signal) for number in _leaving_signals()}
        return self

    def __exit__(self, *_: object) -> None:
        self._end.cancel()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, *_: object) -> None:
        # Called between two steps of whatever runs, also where the loop has stopped turning.
        self.heard += 1
        if self.heard == 2:
            self._end.start()
        if self.answer is not None:
            self.answer()


def _set_in_loop(change: Callable[[int], object]) -> None:
    """Let ``change`` set for each signal whether it wakes the loop; the loop puts a handler of its own in the place of
    ours, which comes back afterwards. On Windows a loop takes none, and wakes unasked.
    """
    for number in _leaving_signals():
        with suppress(NotImplementedError):
            handler = signal.getsignal(number)
            change(number)
            signal.signal(number, handler)


async def _work_until_stopped(
    work: Callable[[Stop], Coroutine[Any, Any, int]], hint: str, idle: str, signals: _Signals
) -> int:
    """Run ``work``, and let each signal ask it to leave.

    After the first one the running game is played to its end. After the second one sessions close at once, and the work
    is cancelled if that takes longer than :data:`_PATIENCE`; after a third one it is cancelled at once.
    """
    stop = Stop()
    answered = 0

    def leave() -> None:
        nonlocal answered
        while answered < signals.heard:
            answered += 1
            stop.request()
            if answered == 1:
                print_line(hint if stop.in_game else idle, aside=True)
            else:
                # Sessions close on the stop itself; the task is cancelled only when that does not come to an end.
                loop.call_later(_PATIENCE if answered == 2 else 0.0, task.cancel)

    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work(stop))
    _set_in_loop(lambda number: loop.add_signal_handler(number, lambda: None))
    signals.answer = lambda: loop.call_soon_threadsafe(leave)
    loop.call_soon(leave)  # for what was heard before
    try:
        code = await task
    except asyncio.CancelledError:
        if not signals.heard:
            raise
        code = INTERRUPTED
    finally:
        signals.answer = None
        _set_in_loop(loop.remove_signal_handler)
    return INTERRUPTED if signals.heard else code
