"""The local table as a classic TCP server: one line a question, and a set of games on the same connections.

Source: behaviour of servers 0.5.8 and 0.6.3. A guest that is late, or gone, ends the set for everybody.
"""

from __future__ import annotations

import asyncio
import random
import re
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count

from nlp_agent.arena.classic_game import (
    ClassicGame,
    ClassicPacketViews,
    Habits,
    Json,
    WishedChance,
    empty_packet,
    to_line,
)
from nlp_agent.arena.engine import Deliver
from nlp_agent.arena.events import Event, GuestFault, Silence
from nlp_agent.arena.server import make_game_id
from nlp_agent.arena.table import BaseTable, Limits, Match
from nlp_agent.arena.village import Village
from nlp_agent.game.roles import ROLES
from nlp_agent.protocol import TARGET_REQUESTS, Request
from nlp_agent.protocol.classic import ROLE, name_of
from nlp_agent.tasks import end_tasks

_TARGET = re.compile(r'\{"agentIdx":(\d+)\}')
_INTRODUCTION = 10.0
"""Seconds a guest has to say its name."""
_LAP, _IDLE = 20, 0.002
"""Rounds of the event loop in which somebody here can read and answer, and the seconds they take if nobody does."""
_LINGER = 2.0
"""Seconds until a connection that is not closed by its guest is dropped."""


class ClassicGuest:
    """The connection of one guest: its lines in order, each asked for."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limits: Limits) -> None:
        self.name = ""
        self.left = asyncio.Event()
        self.on_extra: Callable[[str], None] = lambda _: None
        """Told every line that nobody asked for."""
        self._reader, self._writer, self._limits = reader, writer, limits
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._late = False
        """Whether a question went unanswered: there is no second chance."""

    async def listen(self) -> None:
        """Take in lines until the connection is gone; ``None`` in the queue is its end."""
        with suppress(OSError, ValueError):
            while (line := await self._reader.readline()).endswith(b"\n"):
                if self._lines.qsize() >= self._limits.ahead:
                    break
                # Java ends a line at either sign, and at both together.
                self._lines.put_nowait(line.decode("utf-8", "replace").rstrip("\n").removesuffix("\r"))
        self._lines.put_nowait(None)
        self.left.set()

    def say(self, packet: Json) -> bool:
        """Send ``packet``; whether the guest takes it."""
        if self._late or self._writer.transport.is_closing():
            return False
        self._writer.write(to_line(packet).encode("utf-8", "replace") + b"\n")
        return self._writer.transport.get_write_buffer_size() <= self._limits.unread

    async def ask(self, packet: Json, patience: float) -> str | Silence:
        """Send ``packet`` and wait for one line. What lies there already answers nothing."""
        while not self._lines.empty():
            extra = self._lines.get_nowait()
            if extra is None:
                return Silence.LOST
            self.on_extra(extra)
        if not self.say(packet):
            return Silence.LOST
        try:
            line = await self._next_line(patience)
        except TimeoutError:
            self._late = True
            return Silence.TIMEOUT
        return Silence.LOST if line is None else line

    async def _next_line(self, patience: float) -> str | None:
        """Return the next line. Raises TimeoutError when none came within ``patience`` seconds.

        After that it waits on for as long as this process is busy: a seat in it had no chance to read its packet, and
        what another seat has sent may lie unread.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                return await self._lines.get()
        now = asyncio.get_running_loop().time
        began, idle = now(), False
        while self._lines.empty() and not idle:
            for _ in range(_LAP):
                await asyncio.sleep(0)
            began, idle = now(), now() - began < _IDLE
        if self._lines.empty():
            raise TimeoutError
        return self._lines.get_nowait()

    async def hang_up(self) -> None:
        """Close the connection; whatever was sent is delivered."""
        self._writer.close()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_LINGER):
                await self._writer.wait_closed()
        self._writer.transport.abort()


class ClassicTable(BaseTable):
    """A table in ``village``, open between ``async with``; see :class:`nlp_agent.arena.server.Table`.

    A set of ``games`` (``None``: until a guest leaves) begins whenever enough guests have told their names. ``guest``:
    what stands for each connection; another than the usual may do to its lines what it likes.
    """

    def __init__(
        self,
        village: Village,
        habits: Habits,
        *,
        seed: int | str | None = None,
        games: int | None = 1,
        host: str = "127.0.0.1",
        port: int = 0,
        on_event: Callable[[str, Event], None] | None = None,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        limits: Limits | None = None,
        guest: type[ClassicGuest] = ClassicGuest,
    ) -> None:
        super().__init__(host, port, seed, on_event, now_ms, limits)
        self.village, self.habits = village, habits
        self._guest, self._set_length = guest, games
        self._patience = (village.timeout.action + village.grace) / 1000
        self._waiting: deque[ClassicGuest] = deque()
        self.game_ids: list[str] = []
        """Of all games begun; no guest is told them."""
        self._inside: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """The address that guests connect to."""
        return f"tcp://{self.host}:{self.port}"

    @property
    def waiting(self) -> tuple[str, ...]:
        """The guests that have told their name and wait for a game."""
        return tuple(guest.name for guest in self._waiting)

    async def open(self) -> None:
        """Begin to listen for guests. Raises TableError where the port is taken."""

        async def take_in(listening: socket.socket) -> None:
            server = await asyncio.start_server(
                self._welcome, sock=listening, limit=self._limits.frame, backlog=self._sockets.burst
            )
            self._server = self._server or server

        await self._listen(take_in)

    async def close(self) -> None:
        """Stop listening and hang up on everybody."""
        if self._listener is not None:
            self._listener.close()
        if self._server is not None:
            self._server.close()
        await end_tasks(*self._playing, *self._inside)

    # --- guests -----------------------------------------------------------------------------------

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One guest from its arrival to the end of its connection."""
        task = asyncio.current_task()
        assert task is not None
        self._inside.add(task)
        self._sockets.enter(writer.transport)
        guest = self._guest(reader, writer, self._limits)
        listening = asyncio.create_task(guest.listen())
        try:
            if await self._introduced(guest):
                self._sockets.settle(writer.transport)
                self._seat(guest)
                await guest.left.wait()
        except asyncio.CancelledError:
            pass  # The table closes; a server's task must not end cancelled, or asyncio reports it.
        finally:
            listening.cancel()
            if guest in self._waiting:
                self._waiting.remove(guest)
                self.on_guest(guest.name, False, len(self._waiting))
            await guest.hang_up()
            self._sockets.leave(writer.transport)
            self._inside.discard(task)

    async def _introduced(self, guest: ClassicGuest) -> bool:
        """Nobody waits for another's name: the real server does, so that one silent connection holds up all others."""
        name = await guest.ask(empty_packet(Request.NAME.value), _INTRODUCTION)
        if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= self._limits.name:
            return False
        guest.name = name
        return True

    def _seat(self, guest: ClassicGuest) -> None:
        self._waiting.append(guest)
        self.on_guest(guest.name, True, len(self._waiting))
        if len(self._waiting) >= self.village.players:
            guests = [self._waiting.popleft() for _ in range(self.village.players)]
            self._play_aside(self._play_set(guests))

    # --- games ------------------------------------------------------------------------------------

    async def _play_set(self, guests: list[ClassicGuest]) -> None:
        """Game after game with the same guests under the same numbers; then all connections are closed."""
        if self.habits.shuffled:
            random.Random(f"{self.seed}/{self._games}/numbers").shuffle(guests)
        try:
            for played in count(1):
                self._games += 1
                match = await self._play(guests, f"{self.seed}/{self._games}")
                self._matches.put_nowait(match)
                if match.report.aborted or played == self._set_length:
                    return
        except Exception as error:  # whatever broke a game is next_match's to raise
            self._matches.put_nowait(error)
        finally:
            for guest in guests:
                guest.left.set()

    async def _play(self, guests: Sequence[ClassicGuest], seed: str) -> Match:
        times: list[int] = []
        game_id = make_game_id(self._now_ms(), seed)
        self.game_ids.append(game_id)
        habits = replace(self.habits, seed=random.Random(f"{seed}/told").getrandbits(63))
        views, asked = ClassicPacketViews(habits), deque[Json](maxlen=1)

        def stamp(event: Event) -> None:
            times.append(self._now_ms())
            if (packet := views.apply(event)) is not None:
                asked.append(packet)
            self._on_event(game_id, event)

        wishes = await self._wishes(guests)
        game = ClassicGame(
            self.village,
            [guest.name for guest in guests],
            WishedChance(seed, wishes),
            habits,
            game_id=game_id,
            on_event=stamp,
        )
        for seat, guest in enumerate(guests):
            guest.on_extra = lambda line, seat=seat: game.fault(seat, GuestFault.UNASKED, line)  # type: ignore[misc]
        step = game.start()
        while isinstance(step, Deliver):
            step = game.answer(await self._carried(step, guests[step.seat], asked[0]))
        return Match.of(game.events, times)

    async def _wishes(self, guests: Sequence[ClassicGuest]) -> dict[int, str]:
        """What each guest wants to be; a silent one is found out by its first question."""
        wishes = {}
        for seat, guest in enumerate(guests):
            wish = await guest.ask(empty_packet(ROLE), self._patience)
            if wish in ROLES:
                wishes[seat] = str(wish)
        return wishes

    async def _carried(self, order: Deliver, guest: ClassicGuest, packet: Json) -> str | Silence | None:
        if not order.needs_reply:
            return None if guest.say(packet) else Silence.LOST
        reply = await guest.ask(packet, self._patience)
        if isinstance(reply, Silence):
            # There is no second chance.
            return Silence.LOST
        if order.packet.kind not in TARGET_REQUESTS:
            return reply
        found = _TARGET.search(reply)
        return (name_of(found[1]) if found else "") or reply
