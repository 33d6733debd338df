"""Seats at a table with pages: a computer's that takes its time, so that people can follow what is said, and that of a
person, whose words and choices come from a page.

Beside every person sits the player without a model: it hears all packets, and its legal answer to every question is
ready before the person is asked. That is what goes out when time runs out, at any server.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from nlp_agent.app.config import DeadlineConfig
from nlp_agent.app.wiring.tables import unless
from nlp_agent.deadline import Deadline
from nlp_agent.game import legal_targets
from nlp_agent.net.player import PhaseTalks
from nlp_agent.protocol import OVER, TALK_REQUESTS, Packet, Request
from nlp_agent.seat import Decision, How, Pace, Seat, SeatStats, allowance
from nlp_agent.seat.groupchat import GroupChat
from nlp_agent.web.play_chair import Chair, PersonAnswer
from nlp_agent.web.play_words import Preview, preview

PERSONS_TIME = DeadlineConfig(soft=5.0, fallback=55.0, ceiling=59.0)
"""A person may use nearly all of the time: the ready answer needs none."""
_TAKEOVER = 1.5
"""Seconds the computer takes at a person's place, so that others can follow."""
_SILENT = 0.3
"""Share of the usual pause before an answer that nobody reads."""
_MOST = 0.25
"""Share of the time for an answer that a pause takes at most."""


def unix_ms() -> int:
    return time.time_ns() // 1_000_000


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


class Person(AroundSeat):
    """Plays one game with ``seat`` as the computer beside the person in ``chair``; a player for a session."""

    def __init__(self, seat: Seat, chair: Chair) -> None:
        super().__init__(seat)
        self._chair = chair
        self._by = ""
        chair.sit_down(self.preview)

    def hear(self, packet: Packet) -> None:
        super().hear(packet)
        self._chair.heard(self.state)

    def preview(self, typed: str, request: Request) -> Preview:
        """What would go out of ``typed``: the one exit for words decides, as for any seat."""
        pack = self._seat.pack
        return preview(typed, allowance(self.state, request), pack.language) if pack else Preview()

    # --- asked in turn -----------------------------------------------------------------------------------------

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        request, action = Request(packet.request), self.state.setting.timeout.action
        thinking = self.timing.thinking(last, action)
        ready = await self._seat.begin(request).answer(thinking)
        if self._chair.away:
            self._by = "takeover"
            await asyncio.sleep(min(_TAKEOVER, thinking.until.remaining / 4))
            return ready
        until = thinking.until
        choices = () if request in TALK_REQUESTS else legal_targets(self.state, request)
        try:
            async with asyncio.timeout(until.remaining):
                answer = await self._chair.ask(request, choices, unix_ms() + int(until.remaining * 1000))
        except TimeoutError:
            self._by = "time"
            self._chair.missed()
            return ready
        return replace(
            ready,
            text=answer.text,
            how=How.PERSON,
            plan=None,
            choices=choices,
            raw=answer.typed,
            changes=answer.changes,
        )

    # --- in a group chat ---------------------------------------------------------------------------------------

    def join(self, request: Request, closes: Deadline, pace: Pace) -> PersonChat:
        self._by = "takeover"
        self._chair.open_chat(request, unix_ms() + int(closes.remaining * 1000))
        return PersonChat(self._chair, self._seat.join(request, closes, pace), self._said(request), closes)

    def _said(self, request: Request) -> Callable[[PersonAnswer], Decision]:
        def said(answer: PersonAnswer) -> Decision:
            return Decision(request, self.state.day, answer.text, How.PERSON, raw=answer.typed, changes=answer.changes)

        return said

    # --- afterwards --------------------------------------------------------------------------------------------

    def delivered(self, decision: Decision, deadline: Deadline) -> None:
        super().delivered(decision, deadline)
        by = "" if decision.how is How.PERSON else self._by
        if not (by and decision.text == OVER and self.state.phase):
            self._chair.sent(Request(decision.request), decision.text, by)


class PersonChat:
    """One phase of group chat: the person's words as they come, or the computer's while it has taken over."""

    def __init__(
        self, chair: Chair, computer: PhaseTalks, said: Callable[[PersonAnswer], Decision], closes: Deadline
    ) -> None:
        self._chair, self._computer, self._said, self._closes = chair, computer, said, closes

    async def next(self, left: int) -> tuple[Decision, Deadline]:
        while True:
            speaking = self._computer.next(left) if self._chair.away else self._person()
            if (spoken := await unless(self._chair.flipped(), speaking)) is not None:
                return spoken

    async def _person(self) -> tuple[Decision, Deadline]:
        answer = await self._chair.words()
        return self._said(answer), Deadline(self._closes.at, self._closes.clock(), self._closes.clock)
