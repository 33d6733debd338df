"""An alarm for work that must be over in milliseconds: too short a time for a thread to notice, and some rules forbid
threads."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType

SHARE = 0.6
"""Of the time for an answer: what a seat's own thoughts may take before something plain but legal goes out."""
_AGAIN = 0.01
"""Seconds until an alarm rings again: it may have come where nothing can be broken off, and what takes the place of the
work that was may take too long as well."""
_WHOLE = ("logging", "nlp_agent.records", "nlp_agent.seat.log")
"""Where an error out of the blue would leave things half done."""


class OutOfTimeError(RuntimeError):
    """This work took longer than there was time."""


@contextmanager
def alarm(seconds: float, within: frozenset[CodeType]) -> Iterator[None]:
    """Raise OutOfTimeError in what is done here after ``seconds``, and again while it goes on.

    Only below a function of ``within``, each of which catches it; outside of the main thread, and on a system without
    such timers, nothing is raised.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_: int, frame: FrameType | None) -> None:
        # A function that catches it does so around its work, not in every line of its own.
        if frame is not None and frame.f_code not in within and is_caught(frame, within, _WHOLE):
            raise OutOfTimeError(f"no answer within {seconds * 1000:.0f} ms")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def is_caught(frame: FrameType | None, within: frozenset[CodeType], whole: tuple[str, ...]) -> bool:
    """Whether an error raised in ``frame`` is caught by one of ``within`` before it gets to a module of ``whole``."""
    while frame is not None and frame.f_code not in within:
        if str(frame.f_globals.get("__name__")).startswith(whole):
            return False
        frame = frame.f_back
    return frame is not None
