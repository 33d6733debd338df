"""One connection to the game server: one seat in one game.

The receiver never waits for an answer: each is made in its own task, which holds the ticket of its request. A newer
request, NAME or the end of the game takes the ticket away, and without it nothing is sent. So there is at most one
frame a request, and none after its time. A phase of group chat is a ticket for as many frames as it has talks, taken
away by the phase's end.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from nlp_agent.deadline import Clock, Deadline
from nlp_agent.errors import ProtocolError, SessionError
from nlp_agent.game.state import TALKING, WHISPERING
from nlp_agent.net.connecting import connect_to, lost
from nlp_agent.net.gate import Gate
from nlp_agent.net.link import Link, LinkLostError, WebSocketLink
from nlp_agent.net.model_news import ModelNews
from nlp_agent.net.player import GameOutcome, PhaseTalks, Player
from nlp_agent.net.screening import Repeats, is_strange, plain_answer
from nlp_agent.protocol import BROADCASTS, OVER, Packet, Request
from nlp_agent.seat import Decision, How, Pace, Recorder

logger = logging.getLogger(__name__)

_CHATS = {TALKING: Request.TALK, WHISPERING: Request.WHISPER}
_USUAL_TALKS = 4
"""Talks of a phase whose limit nobody told."""
_USUAL_DURATION = 600_000
"""Milliseconds of a phase whose duration nobody told."""
_PHASE_END = "_PHASE_END"
"""What both requests that end a phase have in their names."""
AFTER_CRASH = 1.0
"""Seconds of silence after a talk that failed within our own code."""
_NAME_TIMEOUT = 30.0


@dataclass(slots=True, eq=False)
class _Ticket:
    """The right to send one frame for one request, or ``frames`` in the phase of group chat ``phase_no``."""

    request: str
    last: Deadline
    frames: int = 1
    phase_no: int = 0
    task: asyncio.Task[None] | None = None


class Session:
    """Plays one game with ``player`` under the connection name ``name`` (``<team><number>``).

    ``gate`` is shared by the seats of this process.
    """

    def __init__(
        self,
        url: str,
        name: str,
        player: Player,
        log: Recorder,
        *,
        clock: Clock,
        gate: Gate,
        token: str = "",
        pace: Pace | None = None,
        on_status: Callable[[str], None] = lambda _: None,
        connect: Callable[[], Awaitable[Link]] | None = None,
    ) -> None:
        self._url, self._name, self._token = url, name, token
        self._connect = connect or self._connect_to_url
        # An address may carry the token (?token=...): no message and no log shows more than this.
        self._place = url.partition("?")[0]
        self._player, self._log, self._clock = player, log, clock
        self._gate, self._on_status = gate, on_status
        self._pace = pace or Pace()
        self._ticket: _Ticket | None = None
        self._phase_no = 0
        self._finished = self.named = False
        """Whether NAME was answered: from then on a game may be running, told or not."""
        self.begun = asyncio.Event()
        """Set by the first packet of the game."""
        self._repeats, self._model_news = Repeats(), ModelNews()

    @property
    def started(self) -> bool:
        return self.begun.is_set()

    async def _connect_to_url(self) -> Link:
        return WebSocketLink(await connect_to(self._url, self._token))

    async def play(self) -> GameOutcome:
        """Connect, wait for the game, play it to its end.

        Raises SessionError when nothing can be reached or the connection was lost before FINISH.
        """
        link: Link | None = None
        try:
            async with self._gate.entering(), asyncio.timeout(_NAME_TIMEOUT):
                link = await self._connect()
                self.named = link.named
                while not self.named:
                    await self._take(link, await link.recv())
            while not self._finished:
                await self._take(link, await link.recv())
        except LinkLostError as end:
            if end.again or (end.done and not self.started):
                return GameOutcome(self.started, finished=False, more=end.again)
            raise lost(self._place, self._name, self._player.state, named=self.named, started=self.started) from end
        except TimeoutError as late:
            raise SessionError(f"{self._place} accepted the connection but asked for no name") from late
        finally:
            self._take_back("the session ended")
            self._player.leave()
            if link is not None:
                await link.leave(finished=self._finished)
        return GameOutcome(self.started, self._finished)

    # --- receiving ---------------------------------------------------------------------------------------------

    async def _take(self, link: Link, raw: str | bytes) -> None:
        arrived = Deadline.after(0.0, self._clock)
        try:
            packet = link.read(raw)
        except ProtocolError as error:
            self._log.write("problem", {"what": str(error), "raw": _text(raw)[:2000]})
            logger.warning("%s: survived a frame that is no packet: %s", self._name, error)
            if self._ticket is not None and self._ticket.phase_no and _PHASE_END in _text(raw):
                self._take_back("the phase is over, by a packet that was damaged")
            return
        if packet.kind is Request.NAME:
            if self._ticket is not None and not self._ticket.phase_no:
                self._take_back("NAME was asked: the server has given up waiting")
            self._repeats.forget()
            first, self.named = not self.named, True
            await link.send(self._name, packet.request)
            self._log.write("name", {"sent": self._name})
            if first:
                self._on_status(f"{self._name}: waiting for the game at {self._place}")
            return
        state, answering = self._player.state, self._ticket is not None
        if self._repeats.is_one(packet, raw, state.setting, answering=answering):
            self._note(packet, raw, "the same packet again; answered once")
        elif is_strange(packet, state.game_id, started=self.started):
            await self._answer_strange(link, packet, raw)
        else:
            self._hear(packet, link.told(raw, packet))
            self._follow_phase(link, arrived)
            if packet.needs_reply:
                self._begin(link, packet, arrived)
            self._finished = packet.kind is Request.FINISH

    async def _answer_strange(self, link: Link, packet: Packet, raw: str | bytes) -> None:
        """Learn nothing from another game's packet; if it asks, say what is legal there."""
        if not packet.needs_reply:
            self._note(packet, raw, "of no game that is being played; not heeded")
            return
        self._take_back(f"{packet.request} of another game came first")
        answer = plain_answer(packet)
        await link.send(answer, packet.request)
        self._note(packet, raw, "of no game that is being played; answered, not heeded", sent=answer)

    def _note(self, packet: Packet, raw: str | bytes, problem: str, **more: str) -> None:
        self._log.write("problem", {"what": f"{packet.request}: {problem}", "raw": _text(raw)[:2000], **more})
        logger.warning("%s: survived %s: %s", self._where(), packet.request, problem)

    def _hear(self, packet: Packet, told: str) -> None:
        # What is broadcast may come while an answer is being made, and does not end its request.
        if packet.kind not in BROADCASTS and not (self._ticket and self._ticket.phase_no):
            self._take_back(f"{packet.request} came first")
        try:
            self._player.hear(packet)
        except Exception:
            self._crashed(f"reading {packet.request}")
        if not self.started and packet.info is not None:
            self.begun.set()
            self._on_status(f"{self._name}: plays {self._player.state.me} ({self._player.state.role})")
        problems = [*packet.problems, *(["an unknown request; not answered"] if packet.kind is None else [])]
        self._log.write("packet", {"raw": told, **({"problems": problems} if problems else {})})
        for problem in problems:
            logger.warning("%s: survived in %s: %s", self._where(), packet.request, problem)

    # --- answering ---------------------------------------------------------------------------------------------

    def _begin(self, link: Link, packet: Packet, arrived: Deadline) -> None:
        self._take_back(f"{packet.request} came first")
        action = self._player.state.setting.timeout.action
        ticket = _Ticket(packet.request, self._player.timing.last_moment(arrived, action))
        self._ticket = ticket
        ticket.task = asyncio.create_task(self._answer(link, packet, ticket))

    async def _answer(self, link: Link, packet: Packet, ticket: _Ticket) -> None:
        try:
            decision = await self._player.answer(packet, ticket.last)
        except Exception:  # against the player's promise
            self._crashed(f"answering {packet.request}")
            decision = Decision(packet.request, self._player.state.day, plain_answer(packet), How.RESCUE)
        await self._send(link, ticket, decision, ticket.last)

    async def _send(self, link: Link, ticket: _Ticket, decision: Decision, deadline: Deadline) -> None:
        """The one place where an answer goes out: by the ticket in hand, in its time, and no frame more than it is for.

        ``deadline`` tells how long this answer took.
        """
        if self._ticket is not ticket or ticket.frames < 1:
            return
        ticket.frames -= 1
        if not ticket.phase_no:
            self._ticket = None
        if late := ticket.last.passed:
            fate = "sent all the same" if link.patient else "not sent"
            logger.warning("%s: the answer to %s was ready too late and %s", self._where(), ticket.request, fate)
        if late and not link.patient:
            self._player.dropped(decision, ticket.request, "too late to be sent", ticket.last)
            return
        try:
            await link.send(decision.text, ticket.request)
        except LinkLostError:
            self._player.dropped(decision, ticket.request, "the connection was lost", ticket.last)
        else:
            self._player.delivered(decision, deadline)
            told = {"request": ticket.request}
            if news := self._model_news.of(decision):
                logger.warning("%s: %s", self._where(), news)
            logger.info("%s: %s -> %s", self._where(), ticket.request, decision.text, extra=told)

    # --- group chat --------------------------------------------------------------------------------------------

    def _follow_phase(self, link: Link, arrived: Deadline) -> None:
        """Hold a ticket while a phase of group chat runs, and not a moment longer."""
        state = self._player.state
        running = state.phase_no if state.phase else 0
        if self._ticket is not None and self._ticket.phase_no not in (0, running):
            self._take_back("the phase is over")
        if not running or running == self._phase_no:
            return
        self._phase_no = running
        duration = (state.phase_setting.duration or _USUAL_DURATION) / 1000.0
        pace = self._pace.fitted(duration)
        closes = Deadline(arrived.arrived_at + duration - pace.margin, arrived.arrived_at, arrived.clock)
        left = state.phase_left
        self._ticket = _Ticket(_CHATS[state.phase], closes, _USUAL_TALKS if left is None else left, running)
        try:
            chat = self._player.join(_CHATS[state.phase], closes, pace)
        except Exception:
            self._crashed(f"joining the phase of {self._ticket.request}")
            return
        self._ticket.task = asyncio.create_task(self._chat(link, chat, self._ticket))

    async def _chat(self, link: Link, chat: PhaseTalks, ticket: _Ticket) -> None:
        """Say one thing after another until the ticket is used up, its time has passed, or nothing is left to say."""
        with suppress(TimeoutError):
            async with asyncio.timeout(ticket.last.remaining):
                while ticket.frames and not self._player.state.phase_over:
                    try:
                        decision, deadline = await chat.next(ticket.frames)
                    except Exception:
                        self._crashed(f"talking in {ticket.request}")
                        ticket.frames -= 1
                        await asyncio.sleep(AFTER_CRASH)
                        continue
                    await self._send(link, ticket, decision, deadline)
                    if decision.text == OVER:
                        return

    def _crashed(self, doing: str) -> None:
        self._player.stats.crashes += 1
        self._log.write("crash", {"doing": doing, "traceback": traceback.format_exc()})
        logger.exception("%s: the player failed while %s; the game goes on", self._where(), doing)

    def _take_back(self, why: str) -> None:
        """End the pending request, if any; what its task still makes is never sent."""
        ticket, self._ticket = self._ticket, None
        if ticket is not None:
            if ticket.task is not None:
                ticket.task.cancel()
            if ticket.phase_no:  # nobody waits for a talk: what was still being thought is simply not said
                return
            self._player.dropped(None, ticket.request, why, ticket.last)
            logger.warning("%s: no answer to %s was sent: %s", self._where(), ticket.request, why)

    def _where(self) -> str:
        """Game, seat and day, for log lines."""
        state = self._player.state
        return f"{state.game_id or 'no game yet'} {self._name} {state.me} day {state.day}"


def _text(raw: str | bytes) -> str:
    return raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
