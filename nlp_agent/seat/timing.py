"""How the time for one reply is divided.

Source: the server waits ``setting.timeout.action`` and then asks NAME; whatever comes after that kills the seat.
"""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.deadline import Deadline

_USUAL_ACTION = 60.0


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds after a packet's arrival, for the usual action time of 60 s; shorter ones scale all in proportion.

    ``soft``: from here on the first complete talk of a stream is taken. ``fallback``: the model is given up and the
    ready-made answer goes out. ``ceiling``: nothing is sent any more.
    """

    soft: float = 5.0
    fallback: float = 50.0
    ceiling: float = 55.0

    def scale(self, action_ms: int) -> float:
        """The share of the usual action time that this server gives, at most 1."""
        return min(1.0, max(action_ms, 1) / 1000.0 / _USUAL_ACTION)

    def last_moment(self, received: Deadline, action_ms: int) -> Deadline:
        """When sending ends. ``received`` carries the packet's arrival and the clock."""
        return Deadline(received.born + self.ceiling * self.scale(action_ms), received.born, received.clock)

    def model_until(self, last: Deadline, action_ms: int) -> Deadline:
        """When the model is given up."""
        return last.capped(self.fallback * self.scale(action_ms))

    def soft_until(self, last: Deadline, action_ms: int) -> Deadline:
        return last.capped(self.soft * self.scale(action_ms))
