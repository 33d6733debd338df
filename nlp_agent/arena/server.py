"""The local table: a WebSocket server around the referee that behaves like the official one.

No frame goes out that a guest's packet did not cause: no keep-alive pings, no close frames, no compression.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve

from nlp_agent.arena.chat_inbox import ChatInbox
from nlp_agent.arena.choices import Character, Choices, SeededChoices
from nlp_agent.arena.engine import Game
from nlp_agent.arena.events import Event, GuestFault
from nlp_agent.arena.guests import Guest, GuestConnection, Interference, Patience
from nlp_agent.arena.limits import ORIGINS, Limits
from nlp_agent.arena.lobby import Lobby, Places, Seating
from nlp_agent.arena.matches import Match, OpenTable
from nlp_agent.arena.steps import Listen, Order, Outcome
from nlp_agent.arena.village import Village
from nlp_agent.protocol import BROADCASTS, PHASE_ENDS, PHASE_STARTS

_GLANCE = 0.2
"""Seconds that the news of a group chat wait for a guest who does not read; it stays in its connection then."""
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Table(OpenTable):
    """A table in ``village``, open between ``async with`` (or :meth:`open` and :meth:`close`).

    Games begin by themselves whenever enough guests wait, any number of them, in a row or at once. ``tokens`` maps
    teams to their bearer tokens, or is one for all; None: nobody needs one. ``interference`` makes it a table from
    which guests can expect anything. ``choices`` makes all that is left to chance from the guests' names, in seat
    order, and the game's seed.
    """

    def __init__(
        self,
        village: Village,
        *,
        cast: Sequence[Character] = (),
        seed: int | str | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        seating: Seating | Places = Seating.SELF,
        tokens: Mapping[str, str] | str | None = None,
        on_event: Callable[[str, Event], None] | None = None,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        interference: Interference | None = None,
        limits: Limits | None = None,
        choices: Callable[[Sequence[str], str], Choices] = lambda _, seed: SeededChoices(seed),
    ) -> None:
        super().__init__(host, port, seed, on_event, now_ms, limits)
        self.village = village
        self._cast, self._tokens, self._choices = cast, tokens, choices
        self._interference = interference or Interference()
        self._lobby: Lobby[Guest] = Lobby(village.players, seating)
        self._patience = Patience.of(village)
        self._guests: set[Guest] = set()
        self._server: Server | None = None

    # --- opening and closing ----------------------------------------------------------------------

    @property
    def url(self) -> str:
        return f"ws://{self.host}:{self.port}/ws"

    @property
    def waiting(self) -> tuple[str, ...]:
        return tuple(guest.name for guest in self._lobby.waiting)

    async def open(self) -> None:
        try:
            self._server = await serve(
                self._welcome,
                self.host,
                self.port,
                origins=ORIGINS,
                create_connection=GuestConnection,
                compression=None,
                ping_interval=None,
                max_size=self._limits.frame,
                # No packet waits for a guest to read the one before; who reads none at all is shown out.
                write_limit=2 * self._limits.unread,
            )
        except OSError as error:
            raise self._taken(error) from error
        self.port = next(iter(self._server.sockets)).getsockname()[1]

    async def close(self) -> None:
        for task in list(self._playing):
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        for guest in list(self._guests):
            guest.leave.set()
        if self._server is not None:
            # Guests are dropped by their own handlers; the library would send them close frames.
            self._server.close(close_connections=False)
            await self._server.wait_closed()

    # --- guests -----------------------------------------------------------------------------------

    async def _welcome(self, connection: ServerConnection) -> None:
        """One guest from its arrival to the end of its connection."""
        assert isinstance(connection, GuestConnection)
        guest = Guest(connection, self._interference, self._limits)
        if len(self._guests) >= self._limits.connections:
            guest.show_out(f"the table is full: {self._limits.connections} connections are open")
        self._guests.add(guest)
        listening = asyncio.create_task(guest.listen())
        try:
            await _first_of(self._receive(guest, connection), guest.leave.wait())
        finally:
            if guest in self._lobby.waiting:
                self._lobby.leave(guest)
                self.on_guest(guest.name, False, len(self._lobby.waiting))
            await guest.hang_up()
            await listening
            self._guests.discard(guest)

    async def _receive(self, guest: Guest, connection: GuestConnection) -> None:
        known = await guest.introduce(self._patience.response) and self._admits(guest, connection)
        if sum(other.name == guest.name for other in self._guests) > self._limits.namesakes and guest.name:
            guest.show_out(f"{self._limits.namesakes} guests of this name are enough")
        elif known and await self._interference.admits(guest):
            self._seat(guest)
            try:
                async with asyncio.timeout(self._limits.waiting):
                    await connection.wait_closed()
            except TimeoutError:
                if guest in self._lobby.waiting:
                    guest.show_out(f"no game came together in {self._limits.waiting:.0f} s")
            await connection.wait_closed()

    def _admits(self, guest: Guest, connection: ServerConnection) -> bool:
        """Whether the guest shows its team's token; the one in the address counts before the header's."""
        if self._tokens is None:
            return True
        assert connection.request is not None
        query = parse_qs(urlsplit(connection.request.path).query).get("token")
        header = connection.request.headers.get("Authorization", "").removeprefix("Bearer ")
        tokens = self._tokens
        shown, wanted = query[0] if query else header, tokens if isinstance(tokens, str) else tokens.get(guest.team)
        return wanted is not None and secrets.compare_digest(shown.encode(), wanted.encode())

    def _seat(self, guest: Guest) -> None:
        players = self._lobby.enter(guest)
        self.on_guest(guest.name, True, len(players or self._lobby.waiting))
        if players:
            self._games += 1
            self._play_aside(self._host(players, f"{self.seed}/{self._games}"))

    # --- games ------------------------------------------------------------------------------------

    async def _host(self, guests: list[Guest], seed: str) -> None:
        """Play one game with ``guests`` and put its outcome where :meth:`next_match` finds it."""
        try:
            self._matches.put_nowait(await self._play(guests, seed))
        except Exception as error:  # whatever broke a game is next_match's to raise
            self._matches.put_nowait(error)
        finally:
            for guest in guests:
                guest.leave.set()

    async def _play(self, guests: list[Guest], seed: str) -> Match:
        times: list[int] = []
        game_id = make_game_id(self._now_ms(), seed)

        def stamp(event: Event) -> None:
            times.append(self._now_ms())
            self._on_event(game_id, event)

        names = [guest.name for guest in guests]
        game = Game(
            self.village,
            names,
            self._choices(names, seed),
            cast=self._cast,
            game_id=game_id,
            on_event=stamp,
            now_ms=self._now_ms,
        )
        inbox = ChatInbox()
        step = game.start()
        for seat, guest in enumerate(guests):
            guest.sit_down(_fault_note(game, seat))
        try:
            while step is not None:
                step = game.answer(await self._take_step(step, guests, inbox))
        finally:
            for seat, guest in enumerate(guests):
                inbox.close(seat, guest)
        return Match.of(game.events, times)

    async def _take_step(self, step: Order | Listen, guests: list[Guest], inbox: ChatInbox) -> Outcome:
        if isinstance(step, Listen):
            return await inbox.next((step.until - self._now_ms()) / 1000)
        guest, packet = guests[step.seat], step.packet
        if step.needs_reply:
            return await guest.ask(packet, self._patience)
        # It opens before the guest knows, and closes before it is told, as it may speak the next moment.
        if packet.kind in PHASE_STARTS:
            inbox.open(step.seat, guest)
        elif packet.kind in PHASE_ENDS:
            inbox.close(step.seat, guest)
        hurried = packet.kind in BROADCASTS
        await guest.deliver(packet, Patience(_GLANCE, self._patience.response) if hurried else self._patience)
        return None


def _fault_note(game: Game, seat: int) -> Callable[[GuestFault, str], None]:
    def note(fault: GuestFault, text: str) -> None:
        if not game.ended and seat not in game.lost:
            game.fault(seat, fault, text)

    return note


async def _first_of(*waits: Coroutine[Any, Any, Any]) -> None:
    tasks = [asyncio.create_task(wait) for wait in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()


def make_game_id(now_ms: int, seed: str) -> str:
    """A ULID: 48 bits of time and 80 bits that follow from ``seed``."""
    bits = (now_ms & (1 << 48) - 1) << 80 | random.Random(f"{seed}/id").getrandbits(80)
    return "".join(_CROCKFORD[bits >> shift & 31] for shift in range(125, -1, -5))
