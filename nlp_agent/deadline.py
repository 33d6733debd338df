"""A moment by which something must be done, counted from a packet's arrival and passed down to whoever works on the
answer.

Only the classes: which moment it is (``deadline.ceiling``, which lies below the server's limit) is decided in
:mod:`nlp_agent.seat.timing`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

Clock = Callable[[], float]
"""Seconds on a monotonic scale; tests pass their own."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """The moment at which a packet arrived, on ``clock``'s scale: from it deadlines are counted."""

    at: float
    clock: Clock = time.monotonic

    @classmethod
    def now(cls, clock: Clock = time.monotonic) -> Arrival:
        """The arrival of what has come just now."""
        return cls(clock(), clock)

    def deadline(self, seconds: float) -> Deadline:
        """The deadline ``seconds`` after the packet arrived."""
        return Deadline(self.at + seconds, self.at, self.clock)


@dataclass(frozen=True, slots=True)
class Deadline:
    """An absolute moment on ``clock``'s scale.

    ``arrived_at`` is when the packet arrived, so that ``spent`` and shares of the whole budget can be told. Where no
    packet asked (a group chat, a background question), it is when the work was begun.
    """

    at: float
    arrived_at: float
    clock: Clock = time.monotonic

    @classmethod
    def after(cls, seconds: float, clock: Clock = time.monotonic) -> Deadline:
        """A deadline ``seconds`` from now."""
        now = clock()
        return cls(now + seconds, now, clock)

    @property
    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - self.clock())

    @property
    def spent(self) -> float:
        """Seconds since the packet arrived."""
        return self.clock() - self.arrived_at

    @property
    def total(self) -> float:
        """Seconds from arrival to the deadline."""
        return self.at - self.arrived_at

    @property
    def passed(self) -> bool:
        """Whether the deadline is over."""
        return self.clock() >= self.at

    def minus(self, reserve: float) -> Deadline:
        """The same deadline with ``reserve`` seconds kept back for what comes after."""
        return Deadline(self.at - reserve, self.arrived_at, self.clock)

    def capped(self, seconds: float) -> Deadline:
        """The same deadline, but at most ``seconds`` after the packet arrived."""
        return Deadline(min(self.at, self.arrived_at + seconds), self.arrived_at, self.clock)
