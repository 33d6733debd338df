"""How the time for one reply is divided.

Source: the server waits ``setting.timeout.action`` and then asks NAME; an answer that comes after that loses the seat.
"""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.deadline import Arrival, Deadline

_USUAL_ACTION = 60.0
_CHAT_SOFT = 0.25
"""From this share of a group chat talk's time on, the first complete talk of a stream is taken."""
_CHAT_USUAL = 50.0
"""Seconds that a model has for a talk in turns with the shipped ``deadline.fallback`` (a user's own value changes
nothing here). A talk of a group chat has less time, and the moments of ``llm/failover.py:FailoverPolicy`` come earlier
in the same proportion."""


@dataclass(frozen=True, slots=True)
class ThinkingTime:
    """The time that a model has for one turn, all attempts together.

    Attributes:
        until: when the model is given up and the plan's own answer goes out.
        soft: from here on the first complete talk of a stream is taken.
        pace: the time that there is, as a multiple of the usual. An endpoint's own moments are multiplied by it. In
            turns it is :meth:`Timing.scale`.
    """

    until: Deadline
    soft: Deadline
    pace: float

    @classmethod
    def in_group_chat(cls, until: Deadline) -> ThinkingTime:
        """The time for a talk of a group chat that must be written ``until`` then."""
        return cls(until, until.capped(until.total * _CHAT_SOFT), until.total / _CHAT_USUAL)


@dataclass(frozen=True, slots=True)
class Timing:
    """The division of the time for a reply: seconds after the packet's arrival, for the usual action time of 60 s.

    A server that gives another time scales all of them in proportion. The figures are those of the config, section
    ``deadline`` (``app/config.py``); here they have no defaults.

    Attributes:
        soft: from here on the first complete talk of a stream is taken.
        give_up: the model is given up and the ready-made answer goes out.
        ceiling: nothing is sent any more; from here to the server's limit is the reserve.
        quiet: the model is asked in the background only after so many seconds in which nothing happened, so that this
            delays nobody where seats answer one right after the other.
    """

    soft: float
    give_up: float
    ceiling: float
    quiet: float = 0.5

    def scale(self, action_ms: int) -> float:
        """The time that this server gives, as a multiple of the usual."""
        return max(action_ms, 1) / 1000.0 / _USUAL_ACTION

    def last_moment(self, arrived: Arrival, action_ms: int) -> Deadline:
        """The deadline at which sending ends, for a packet that ``arrived`` then."""
        return arrived.deadline(self.ceiling * self.scale(action_ms))

    def thinking(self, last: Deadline, action_ms: int) -> ThinkingTime:
        """The part of the time up to ``last`` that a model has."""
        scale = self.scale(action_ms)
        return ThinkingTime(last.capped(self.give_up * scale), last.capped(self.soft * scale), scale)
