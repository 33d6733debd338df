"""A thread that notices when the event loop stands still, and gets it going again where that does no harm.

A loop that is held answers nobody: not the server, not Ctrl-C. So the work that holds it is told to fail, within the
seat whose work it is. That costs this seat the quality of one answer: its journal gets the traceback, and the legal
answer that was ready goes out by the usual way.
"""

from __future__ import annotations

import asyncio
import logging
import selectors
import signal
import sys
import threading
from types import CodeType, FrameType

from nlp_agent.seat.alarm import is_caught
from nlp_agent.seat.groupchat import GroupChat
from nlp_agent.seat.log import SeatLog
from nlp_agent.seat.seat import Seat

logger = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds a loop may stand still."""
_GLANCES = 8
"""Looks at the loop within that time. They are counted, not timed: while the process sleeps nobody is held."""
_SIGNAL = signal.SIGURG
"""Does nothing where nobody listens."""
_CATCHES: frozenset[CodeType] = frozenset(
    function.__code__ for function in (SeatLog.guarded, Seat.hear, Seat.answer, GroupChat.next)
)
"""An error of the work within these is caught: by themselves, or by the session that has called them."""
_ELSEWHERE = ("asyncio", "logging", "websockets", "nlp_agent.records", "nlp_agent.net")
"""Where an error out of the blue would leave things half done: their work is never broken off."""


class HeldError(RuntimeError):
    """This work has kept the event loop from turning."""


class Watchdog:
    """Watches ``loop``, which runs in the thread that opens this context."""

    def __init__(self, loop: asyncio.AbstractEventLoop, patience: float = PATIENCE) -> None:
        self._loop, self._patience = loop, patience
        self._home = threading.get_ident()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="watchdog")
        self._turning = True
        """Whether the loop has turned since it was last asked to."""

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(_SIGNAL, self._break_off)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        if threading.current_thread() is threading.main_thread():
            signal.signal(_SIGNAL, self._before)

    # --- in the thread of the watchdog -------------------------------------------------------------------------

    def _watch(self) -> None:
        missed = 0
        while not self._over.wait(self._patience / _GLANCES):
            if not self._turning:
                missed += 1
                if missed % _GLANCES == 0:
                    self._bark(missed * self._patience / _GLANCES)
            elif not self._waits():
                missed, self._turning = 0, False
                try:
                    self._loop.call_soon_threadsafe(self._turn)
                except RuntimeError:  # the loop was closed
                    return

    def _waits(self) -> bool:
        """Whether the loop waits for something to do, which nobody is to disturb it in."""
        frame = sys._current_frames().get(self._home)
        return frame is not None and frame.f_code.co_filename == selectors.__file__

    def _bark(self, seconds: float) -> None:
        frame = sys._current_frames().get(self._home)
        logger.warning("the event loop has stood still for %.0f s, at %s", seconds, _place(frame))
        if threading.main_thread().ident == self._home:
            signal.pthread_kill(self._home, _SIGNAL)

    # --- in the thread of the loop -----------------------------------------------------------------------------

    def _turn(self) -> None:
        self._turning = True

    def _break_off(self, _: int, frame: FrameType | None) -> None:
        if not self._turning and is_caught(frame, _CATCHES, _ELSEWHERE):
            raise HeldError(f"the event loop stood still for {self._patience:g} s or more, at {_place(frame)}")


def _place(frame: FrameType | None) -> str:
    """The innermost three places, the innermost first."""
    places: list[str] = []
    while frame is not None and len(places) < 3:
        code = frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]} line {frame.f_lineno} ({code.co_name})")
        frame = frame.f_back
    return ", called by ".join(places)
