"""One guest of the local table: its connection, its frames in order, its time limits; and listening to all of them at
once while a group chat is open.

Source: behaviour of the official server. It reads one frame per question and takes whatever lies in the queue; when
time is up it asks for the NAME, and the very next frame must be it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import Event as ProtocolEvent

from nlp_agent.arena.chance import team_of
from nlp_agent.arena.engine import ReceivedFrame
from nlp_agent.arena.events import GuestFault, Silence
from nlp_agent.arena.open_sockets import OpenSockets
from nlp_agent.arena.table import Limits
from nlp_agent.arena.village import Village
from nlp_agent.protocol import Packet, Request

# --- One guest at the door of the local table ------------------------------------------------------------------------


logger = logging.getLogger(__name__)

_NAME = Packet(request=Request.NAME.value).to_json()
_POLITE_CLOSE = frozenset({1000, 1001, 1005})
_FLOOD = 20
"""Frames that nobody asked for of which one guest's report tells; further ones are only counted."""
_AGAINST_THE_RULES, _TOO_LONG = 1008, 1009
"""Close codes; the library sends the second by itself."""
_LINGER = 2.0
"""Seconds a guest gets to take its last frames and hang up."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to wait for an answer (grace included), and for the name after a missed one."""

    action: float
    response: float

    @classmethod
    def of(cls, village: Village) -> Patience:
        """The time limits of ``village`` in seconds."""
        timeout = village.timeout
        return cls((timeout.action + village.grace) / 1000, timeout.response / 1000)


@dataclass(frozen=True, slots=True)
class HungUp:
    """The end of a connection.

    ``polite``: it was closed with a code for which the official server stops waiting; otherwise it waits its full
    timeout.
    """

    polite: bool


class GuestConnection(ServerConnection):
    """A connection that tells of keep-alive pings: the official server does not answer them while it reads other
    guests.

    ``sockets`` bounds the connections of the table, those that have not even shaken hands included.
    """

    on_ping: Callable[[], None] | None = None
    sockets: OpenSockets

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection as open."""
        super().connection_made(transport)
        self.sockets.enter(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection as closed."""
        self.sockets.leave(self.transport)
        super().connection_lost(exc)

    def process_event(self, event: ProtocolEvent) -> None:
        """Tell of a ping before the library handles it."""
        if isinstance(event, Frame) and event.opcode is Opcode.PING and self.on_ping is not None:
            self.on_ping()
        super().process_event(event)


class Guest:
    """A connection that has been accepted. Run :meth:`listen` beside everything else."""

    def __init__(self, connection: GuestConnection, limits: Limits) -> None:
        self.name = ""
        self.gone = False
        self.leave = asyncio.Event()
        """Set when the table has no more use for this guest."""
        self.on_fault: Callable[[GuestFault, str], None] | None = None
        self.on_chat: Callable[[str | Silence], Coroutine[object, object, None]] | None = None
        """Set while a group chat is open: what this guest sends goes there, the answer to NAME excepted."""
        self._early: list[tuple[GuestFault, str]] = []
        self._connection = connection
        self._limits = limits
        self._expelled_for = ""
        self._pings = 0
        connection.on_ping = self._note_ping
        self._frames: asyncio.Queue[str | HungUp] = asyncio.Queue()
        self._asked = False
        self._unasked = 0

    @property
    def team(self) -> str:
        """The name without the number at its end."""
        return team_of(self.name)

    async def listen(self) -> None:
        """Take in frames until the connection is gone."""
        try:
            while True:
                data = await self._connection.recv(decode=False)
                await self._take(data.decode("utf-8", errors="replace"))
        except ConnectionClosed as end:
            if end.sent is not None and end.sent.code == _TOO_LONG:
                self.expel(f"no frame may be longer than {self._limits.frame} bytes")
            # Without any close frame the official server never notices: it waits its time out.
            polite = end.rcvd is not None and end.rcvd.code in _POLITE_CLOSE
            self._frames.put_nowait(HungUp(polite or bool(self._expelled_for)))
            self.gone = True
            if self.on_chat is not None:
                await self.on_chat(Silence.LOST)

    def expel(self, why: str) -> None:
        """End this guest's stay for what it cost the table: it is told in its close frame, and so is the screen.

        A game it sits in goes on at once, without it.
        """
        if self._expelled_for or self.leave.is_set():
            return
        self._expelled_for = why
        self.note(GuestFault.EXPELLED, why)
        logger.warning("%s was disconnected: %s", self.name or "a guest without a name", why)
        while not self._frames.empty():
            self._frames.get_nowait()
        self._frames.put_nowait(HungUp(polite=True))
        self.gone = True
        self.leave.set()

    async def _take(self, text: str) -> None:
        if self._expelled_for:
            return
        if self.on_chat is not None and not (self._asked and text.rstrip("\n") == self.name):
            # Waits while this guest is far ahead of what is heard of it, so that no flood drowns the others.
            await self.on_chat(text)
            return
        if not self._asked:
            self._unasked += 1
            # A flood is not written down frame by frame, and nothing of a guest that is being disconnected.
            if self._unasked <= _FLOOD and not self.leave.is_set():
                self.note(GuestFault.UNASKED, text)
        self._asked = False
        self._frames.put_nowait(text)
        if self._frames.qsize() > self._limits.ahead:
            self.expel(f"{self._limits.ahead} frames nobody asked for are enough")

    def _note_ping(self) -> None:
        self._pings += 1
        if self._pings == 1:  # once is enough
            self.note(GuestFault.PING)
        if self._pings > self._limits.ahead:
            self.expel(f"{self._limits.ahead} pings in a row are enough")

    def note(self, fault: GuestFault, text: str = "") -> None:
        """Report a fault, or keep it until there is a game to report it to."""
        if self.on_fault is None:
            self._early.append((fault, text))
        else:
            self.on_fault(fault, text)

    def sit_down(self, on_fault: Callable[[GuestFault, str], None]) -> None:
        """Begin a game for this guest: from now on faults go to ``on_fault``, those of the waiting room first."""
        self.on_fault = on_fault
        for fault, text in self._early:
            on_fault(fault, text)
        self._early.clear()

    async def introduce(self, patience: float) -> bool:
        """Ask for the name; whether one was given in time."""
        answer = await self._exchange(_NAME, patience)
        name = answer.rstrip("\n") if isinstance(answer, str) else ""
        if len(name) > self._limits.name or not name.isprintable():
            self.expel(f"a name is one line of at most {self._limits.name} printable characters")
            return False
        self.name = name
        if name:
            self._connection.sockets.settle(self._connection.transport)
        return bool(name)

    async def deliver(self, packet: Packet, patience: Patience) -> None:
        """Send a packet that wants no reply. A guest that is gone or never reads is found out when asked."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience.action):
                await self.say(packet.to_json())

    async def ask(self, packet: Packet, patience: Patience) -> str | Silence:
        """Send ``packet`` and wait for its reply, with the name check when it does not come in time."""
        answer = await self.reply_to(packet, patience.action)
        if isinstance(answer, str):
            return answer
        if answer is not None:
            if not answer.polite:
                await asyncio.sleep(patience.response)
            return Silence.LOST
        return Silence.TIMEOUT if await self.check_name(patience.response) else Silence.LOST

    async def check_name(self, patience: float) -> bool:
        """Ask for the name; whether the next frame is that of this guest, as the official server wants it."""
        name = await self._exchange(_NAME, patience)
        if isinstance(name, str) and name.rstrip("\n") != self.name:
            self.note(GuestFault.LATE, name)
        return isinstance(name, str) and name.rstrip("\n") == self.name

    async def say(self, text: str) -> None:
        """Send a frame as it is; a guest that reads none of them is disconnected, and nobody waits for it."""
        if self._connection.transport.get_write_buffer_size() > self._limits.unread:
            self.expel(f"{self._limits.unread} bytes are left unread")
        if self._expelled_for:
            return
        self._pings = min(self._pings, 1)
        try:
            await self._connection.send(text)
        except ConnectionClosed:
            self.gone = True

    async def reply_to(self, packet: Packet, patience: float) -> str | HungUp | None:
        """Send ``packet`` and wait for the next frame; ``None`` when time is up."""
        return await self._exchange(packet.to_json(), patience)

    async def _exchange(self, text: str, patience: float) -> str | HungUp | None:
        """Send ``text`` and take the next frame, an old one if there is any; ``None`` when time is up."""
        self._asked = self._frames.empty()
        try:
            async with asyncio.timeout(patience):
                await self.say(text)
                return await self._frames.get()
        except TimeoutError:
            return None
        finally:
            self._asked = False

    async def hang_up(self) -> None:
        """Close as the official server does, without a close frame, but only after all has been delivered.

        Only who is disconnected by the table gets a frame: it says why.
        """
        transport = self._connection.transport
        if self._expelled_for:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LINGER):
                    await self._connection.close(_AGAINST_THE_RULES, self._expelled_for)
            transport.abort()
            return
        if not transport.is_closing():
            transport.write_eof()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER):
                await self._connection.wait_closed()
        transport.abort()
        await self._connection.wait_closed()


# --- Listening to all guests of a game at once while a group chat is open --------------------------------------------


_AHEAD = 8
"""Frames of one guest that wait to be heard; further ones stay in its connection."""


class ChatInbox:
    """The queues of what seats say while a group chat is open: one bounded queue a seat, read in turn.

    A seat that floods the table fills only its own queue, and delays nobody else.
    """

    def __init__(self) -> None:
        self._queues: dict[int, asyncio.Queue[str | Silence]] = {}
        self._news = asyncio.Event()

    def open(self, seat: int, guest: Guest) -> None:
        """Begin to queue the group-chat talks of ``guest`` as those of ``seat``."""
        queue: asyncio.Queue[str | Silence] = asyncio.Queue(_AHEAD)
        self._queues[seat] = queue

        async def hear(what: str | Silence) -> None:
            if what is Silence.LOST and queue.full():
                queue.get_nowait()
            self._news.set()
            await queue.put(what)
            self._news.set()

        guest.on_chat = hear
        if guest.gone:
            queue.put_nowait(Silence.LOST)
            self._news.set()

    def close(self, seat: int, guest: Guest) -> None:
        """Hear it no more; what was said and not heard yet is thrown away, and noted as such."""
        guest.on_chat = None
        queue = self._queues.pop(seat, None)
        # A frame that waits for room comes in behind each that is thrown away, and is thrown away with the queue.
        while queue is not None and not queue.empty():
            what = queue.get_nowait()
            if not isinstance(what, Silence):
                guest.note(GuestFault.AFTER_PHASE, what)

    async def next(self, seconds: float) -> ReceivedFrame | None:
        """Wait for what is said next, each seat in its turn; ``None`` when nothing is said for ``seconds``."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    for seat in list(self._queues):
                        queue = self._queues[seat]
                        if not queue.empty():
                            # To the end of the row: the others are heard first now.
                            self._queues[seat] = self._queues.pop(seat)
                            return ReceivedFrame(seat, queue.get_nowait())
                    self._news.clear()
                    await self._news.wait()
        return None
