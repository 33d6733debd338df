"""What a game wants done next, and what became of it; the seam between the referee and whoever carries the frames."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from nlp_agent.arena.events import Silence
from nlp_agent.protocol import Packet, Request


@dataclass(frozen=True, slots=True)
class Order:
    """Deliver ``packet`` to ``seat``; if ``needs_reply``, its reply goes into :meth:`Game.answer`."""

    seat: int
    packet: Packet
    needs_reply: bool


@dataclass(frozen=True, slots=True)
class Listen:
    """A group chat is open: tell what is said next. ``until`` (Unix ms) it lasts, unless all have said their all."""

    request: Request
    until: int


@dataclass(frozen=True, slots=True)
class HeardFrame:
    """What a :class:`Listen` heard: a whole frame, or ``Silence.LOST`` when the connection is gone."""

    seat: int
    what: str | Silence


Reply = str | Silence | None
Step = Order | Listen
Outcome = Reply | HeardFrame
Steps = Generator[Step, Outcome, None]
Asking = Generator[Step, Outcome, str | None]
