"""Players at a table with pages: a person, whose words and choices come from a page, and a computer that takes its
time so that people can follow.

Beside every person sits the player without a model: it hears all packets, and its legal answer to every question is
ready before the person is asked. That is what goes out when time runs out, at any server. :func:`open_seat` gives a
person a seat at somebody else's server.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from random import Random

from nlp_agent.app.config import AgentConfig, Config, DeadlineConfig, LlmConfig
from nlp_agent.app.wiring.tables import run_unless
from nlp_agent.app.wiring.team import Team, now_folder
from nlp_agent.deadline import Deadline
from nlp_agent.errors import SessionError
from nlp_agent.game import legal_targets
from nlp_agent.net import EntryLock
from nlp_agent.net.classic import is_classic
from nlp_agent.net.session import PhaseTalks
from nlp_agent.protocol import OVER, TALK_REQUESTS, Packet, Request
from nlp_agent.reading.ledger import Ledger
from nlp_agent.records.game_files import RecordFolders
from nlp_agent.records.game_reader import game_from_seats, seat_from_journal
from nlp_agent.records.journal import read_rows
from nlp_agent.seat import Decision, How, Pace, Seat, SeatStats, allowance
from nlp_agent.seat.groupchat import GroupChat
from nlp_agent.web.access import AccessRules
from nlp_agent.web.app import WebServer, build
from nlp_agent.web.event_stream import end_streams
from nlp_agent.web.human_seat import HumanSeat, PersonAnswer, Preview, preview_words
from nlp_agent.web.review_pages import Reviews
from nlp_agent.web.table import new_token
from nlp_agent.web.table_pages import SeatPages
from nlp_agent.web.village_view import Claims

# --- Seats at a table with pages -------------------------------------------------------------------------------------


PERSONS_TIME = DeadlineConfig(soft=5.0, fallback=58.0, ceiling=59.0)
"""A person may use nearly all of the time: the ready answer needs none."""


def action_for(clock_ms: int) -> int:
    """The time for an answer, in milliseconds, of which a person's clock shows ``clock_ms``."""
    return round(clock_ms * 60 / PERSONS_TIME.fallback)


_TAKEOVER = 1.5
"""Seconds the computer takes at a person's place, so that others can follow."""
_SILENT = 0.3
"""Share of the usual pause before an answer that nobody reads."""
_MOST = 0.25
"""Share of the time for an answer that a pause takes at most."""


def unix_ms() -> int:
    """The present as Unix milliseconds."""
    return time.time_ns() // 1_000_000


class SeatWrapper:
    """A player for a session that passes everything on to ``seat``: the base of players that answer in another way."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self.state, self.timing = seat.state, seat.timing

    @property
    def stats(self) -> SeatStats:
        """The counters of the wrapped seat."""
        return self._seat.stats

    def hear(self, packet: Packet) -> None:
        """Take in a packet that asks for no answer."""
        self._seat.hear(packet)

    def leave(self) -> None:
        """Note that the game is over for this seat, whatever the reason."""
        self._seat.leave()

    def delivered(self, decision: Decision, deadline: Deadline) -> None:
        """Note that ``decision`` has been sent."""
        self._seat.delivered(decision, deadline)

    def dropped(self, decision: Decision | None, request: str, why: str, deadline: Deadline) -> None:
        """Note that nothing was sent for ``request``, and ``why``."""
        self._seat.dropped(decision, request, why, deadline)


class PacedSeat(SeatWrapper):
    """Takes ``pause`` seconds before each answer; a group chat has a rhythm of its own.

    ``on_writing`` hears its character's name and whether it writes in that chat.
    """

    def __init__(
        self, seat: Seat, pause: float, on_writing: Callable[[str, Request, bool], None] = lambda *_: None
    ) -> None:
        super().__init__(seat)
        self._pause, self._on_writing = pause, on_writing

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        """The seat's decision, after the pause that people need to follow."""
        decision = await self._seat.answer(packet, last)
        silent = packet.kind not in TALK_REQUESTS or decision.text == OVER
        pause = self._pause * (_SILENT if silent else 1.0)
        # What a model has already taken is no pause to be made once more.
        await asyncio.sleep(max(0.0, min(pause, _MOST * last.total) - last.spent))
        return decision

    def join(self, request: Request, closes: Deadline, pace: Pace) -> GroupChat:
        """The seat's part in a group chat, which tells when it writes."""
        chat = self._seat.join(request, closes, pace)
        chat.on_writing = lambda writes: self._on_writing(self.state.me, request, writes)
        return chat


class HumanPlayer(SeatWrapper):
    """Plays one game with ``seat`` as the computer beside the person in ``human_seat``; a player for a session.

    ``own_marks``: whether the person's own punctuation may stay.
    """

    def __init__(self, seat: Seat, human_seat: HumanSeat, *, own_marks: bool = False) -> None:
        super().__init__(seat)
        self._human_seat, self._own_marks = human_seat, own_marks
        self._by = ""
        human_seat.begin_game(self.preview, self._read_claims)

    def hear(self, packet: Packet) -> None:
        """Take in a packet, and show on the page what is new."""
        super().hear(packet)
        self._human_seat.on_packet(self.state)

    def preview(self, typed: str, request: Request) -> Preview:
        """Show what would go out of ``typed``: the one exit for words decides, as for any seat."""
        pack = self._seat.pack
        if pack is None:
            return Preview()
        return preview_words(typed, allowance(self.state, request), pack.language, own_marks=self._own_marks)

    def _read_claims(self, players: Sequence[str]) -> Claims | None:
        """A reader of claims beside the seat's own, which takes talk in with packets: a page hears it earlier."""
        pack = self._seat.pack
        return Ledger(pack.reading, players=tuple(players)) if pack else None

    # --- asked in turn -----------------------------------------------------------------------------------------

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        """The person's answer; the ready one of the computer when time is up or it has taken over."""
        request, action = Request(packet.request), self.state.setting.timeout.action
        thinking = self.timing.thinking(last, action)
        ready = await self._seat.begin(request).answer(thinking)
        if self._human_seat.away:
            self._by = "takeover"
            await asyncio.sleep(min(_TAKEOVER, thinking.until.remaining / 4))
            return ready
        until = thinking.until
        choices = () if request in TALK_REQUESTS else legal_targets(self.state, request)
        try:
            async with asyncio.timeout(until.remaining):
                answer = await self._human_seat.ask(request, choices, unix_ms() + int(until.remaining * 1000))
        except TimeoutError:
            self._by = "time"
            self._human_seat.missed()
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

    def join(self, request: Request, closes: Deadline, pace: Pace) -> HumanChat:
        """Open one phase of group chat, in which the person may write at any moment."""
        self._by = "takeover"
        self._human_seat.open_chat(request, unix_ms() + int(closes.remaining * 1000))
        return HumanChat(self._human_seat, self._seat.join(request, closes, pace), partial(self._said, request), closes)

    def _said(self, request: Request, answer: PersonAnswer) -> Decision:
        return Decision(request, self.state.day, answer.text, How.PERSON, raw=answer.typed, changes=answer.changes)

    # --- afterwards --------------------------------------------------------------------------------------------

    def delivered(self, decision: Decision, deadline: Deadline) -> None:
        """Note that ``decision`` has been sent: the page shows it, and who has answered."""
        super().delivered(decision, deadline)
        by = "" if decision.how is How.PERSON else self._by
        if not (by and decision.text == OVER and self.state.phase):
            self._human_seat.sent(Request(decision.request), decision.text, by)


class HumanChat:
    """The talks of a person in one phase of group chat: the person's words as they come, or the computer's while it has
    taken over.
    """

    def __init__(
        self, human_seat: HumanSeat, computer: PhaseTalks, said: Callable[[PersonAnswer], Decision], closes: Deadline
    ) -> None:
        self._human_seat, self._computer, self._said, self._closes = human_seat, computer, said, closes

    async def next(self, left: int) -> tuple[Decision, Deadline]:
        """Wait for the next words to send, of at most ``left`` talks, and until when they may be sent."""
        while True:
            speaking = self._computer.next(left) if self._human_seat.away else self._person()
            if (spoken := await run_unless(self._human_seat.flipped(), speaking)) is not None:
                return spoken

    async def _person(self) -> tuple[Decision, Deadline]:
        answer = await self._human_seat.words()
        return self._said(answer), Deadline(self._closes.at, self._closes.clock(), self._closes.clock)


# --- A person's seat at any server that speaks the protocol ----------------------------------------------------------


@asynccontextmanager
async def open_seat(
    config: Config,
    name: str,
    on_status: Callable[[str], None],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    reviews: Reviews | None = None,
) -> AsyncIterator[tuple[str, HumanSeat]]:
    """Open the page of a person who plays as team ``name`` at the server of ``config``, and give its address and the
    seat; ``reviews`` works out what is shown after a game.
    """
    update = {"agent": AgentConfig(team=name, num=1), "llm": LlmConfig(), "deadline": PERSONS_TIME}
    team = Team(config.model_copy(update=update), RecordFolders(config.records.dir, now_folder), EntryLock())
    human_seat = HumanSeat(new_token(), unix_ms)
    human_seat.tell(remote=True)
    human_seat.here(ready=True)
    rules = AccessRules.at(host)
    pages = SeatPages(lambda token: (human_seat, "") if token == human_seat.token else None, reviews=reviews)
    await team.prepare(every_language=True)
    try:
        async with WebServer(build([pages], rules), host, port) as server:
            playing = asyncio.create_task(_play_games(team, human_seat, on_status))
            try:
                code = f"?code={rules.code}" if rules.code else ""
                yield f"{server.url}/seat/{human_seat.token}{code}", human_seat
            finally:
                playing.cancel()
                with suppress(asyncio.CancelledError):
                    await playing
                await end_streams(human_seat.stream)
    finally:
        await team.aclose()


async def _play_games(team: Team, human_seat: HumanSeat, on_status: Callable[[str], None]) -> None:
    """A game whenever the person wants one."""
    url, name = team.config.web_socket.url, team.names()[0]
    classic = team.classic_server(url, name, Random().getrandbits(32)) if is_classic(url) else None
    while True:
        await human_seat.ready.wait()
        seat, journal = team.seat(name, Random().getrandbits(32))
        human_seat.tell(named=None)
        person = HumanPlayer(seat, human_seat)

        def on_connected(status: str) -> None:
            human_seat.tell(named=True)
            on_status(status)

        try:
            await team.session(url, name, person, journal, on_connected, classic.connect if classic else None).play()
        except SessionError as error:
            on_status(str(error))
            human_seat.lost(str(error))
        finally:
            journal.close()
        if journal.path:
            on_status(f"{name}: journal {journal.path}")
            seats = [seat_from_journal(read_rows(journal.path))]
            if (game := game_from_seats(seats, journal.path.parent.parent.name, journal.path.parent.name)) is not None:
                human_seat.reviewable(game, journal.path.parent)
