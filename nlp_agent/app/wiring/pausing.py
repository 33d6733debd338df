"""A computer's seat that takes its time, so that people can follow what is said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from nlp_agent.deadline import Deadline
from nlp_agent.protocol import OVER, TALK_REQUESTS, Packet, Request
from nlp_agent.seat import Decision, Pace, Seat, SeatStats
from nlp_agent.seat.groupchat import GroupChat

_SILENT = 0.3
"""Share of the usual pause before an answer that nobody reads."""
_MOST = 0.25
"""Share of the time for an answer that a pause takes at most."""


class AroundSeat:
    """``seat`` for a session, as it is; subclasses say how it answers."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self.state, self.timing = seat.state, seat.timing

    @property
    def stats(self) -> SeatStats:
        return self._seat.stats

    def hear(self, packet: Packet) -> None:
        self._seat.hear(packet)

    def leave(self) -> None:
        self._seat.leave()

    def delivered(self, decision: Decision, deadline: Deadline) -> None:
        self._seat.delivered(decision, deadline)

    def dropped(self, decision: Decision | None, request: str, why: str, deadline: Deadline) -> None:
        self._seat.dropped(decision, request, why, deadline)


class Unhurried(AroundSeat):
    """Takes ``pause`` seconds before each answer; a group chat has a rhythm of its own.

    ``on_writing`` hears its character's name and whether it writes in that chat.
    """

    def __init__(
        self, seat: Seat, pause: float, on_writing: Callable[[str, Request, bool], None] = lambda *_: None
    ) -> None:
        super().__init__(seat)
        self._pause, self._on_writing = pause, on_writing

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        decision = await self._seat.answer(packet, last)
        silent = packet.kind not in TALK_REQUESTS or decision.text == OVER
        pause = self._pause * (_SILENT if silent else 1.0)
        # What a model has already taken is no pause to be made once more.
        await asyncio.sleep(max(0.0, min(pause, _MOST * last.total) - last.spent))
        return decision

    def join(self, request: Request, closes: Deadline, pace: Pace) -> GroupChat:
        chat = self._seat.join(request, closes, pace)
        chat.on_writing = lambda writes: self._on_writing(self.state.me, request, writes)
        return chat
