"""The local table: a WebSocket server around the referee that behaves like the official one.

First the waiting room (who sits down with whom), then the server. No frame goes out that a guest's packet did not
cause: no keep-alive pings, no close frames, no compression.
"""

from __future__ import annotations

import asyncio
import random
import re
import secrets
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve

from nlp_agent.arena.chance import Character, SeededChance
from nlp_agent.arena.engine import Deliver, Game, Listen, Outcome
from nlp_agent.arena.events import Event, GuestFault
from nlp_agent.arena.guests import ChatInbox, Guest, GuestConnection, Patience
from nlp_agent.arena.open_sockets import HEADER_TIME, OpenSockets
from nlp_agent.arena.table import ORIGINS, BaseTable, Limits, Match
from nlp_agent.arena.village import Village
from nlp_agent.protocol import BROADCASTS, PHASE_ENDS, PHASE_STARTS
from nlp_agent.tasks import end_tasks

# --- The waiting room ------------------------------------------------------------------------------------------------


SeatTeams = tuple[str, ...]
"""The team of each seat, where that is settled before anybody comes."""


class Lobby:
    """Guests in the order of their arrival. Nothing here awaits, so simultaneous arrivals cannot get lost.

    The first who come play together, or where ``places`` are settled, those for whom there are some.
    """

    def __init__(self, players: int, places: SeatTeams = ()) -> None:
        self._players, self._places = players, places
        self._waiting: list[Guest] = []

    @property
    def waiting(self) -> tuple[Guest, ...]:
        """The guests that wait for a game, in the order in which they came."""
        return tuple(self._waiting)

    def enter(self, guest: Guest) -> list[Guest]:
        """Let ``guest`` wait, and return the players of the table that this fills, in the order of seats, or nothing.

        Where places are settled, each team's guests take its seats in the order of their names, else all guests do so.
        Guests whose connection is gone are taken out first. The order of names, unlike that of arrival, is the same in
        every game, so that a seed gives the same deal to the same guests.
        """
        self._waiting = [other for other in self._waiting if not other.gone]
        self._waiting.append(guest)
        fitting = _as_many(self._waiting, Counter(self._places)) if self._places else self._waiting
        chosen = list(fitting)[: self._players]
        if len(chosen) < self._players:
            return []
        self._waiting = [other for other in self._waiting if other not in chosen]
        chosen.sort(key=lambda other: _natural(other.name))
        if not self._places:
            return chosen
        return [chosen.pop([other.team for other in chosen].index(team)) for team in self._places]

    def leave(self, guest: Guest) -> None:
        """Forget ``guest``, whether it waits or not."""
        if guest in self._waiting:
            self._waiting.remove(guest)


def _as_many(guests: Iterable[Guest], wanted: Counter[str]) -> Iterable[Guest]:
    for guest in guests:
        if wanted[guest.team] > 0:
            wanted[guest.team] -= 1
            yield guest


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that puts ``kanolab2`` before ``kanolab10``."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"([0-9]+)", name)]


# --- The local table -------------------------------------------------------------------------------------------------


_GLANCE = 0.2
"""Seconds that the news of a group chat wait for a guest who does not read; it stays in its connection then."""
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Table(BaseTable):
    """A table in ``village``, open between ``async with`` (or :meth:`open` and :meth:`close`).

    Games begin by themselves whenever enough guests wait, any number of them, in a row or at once. ``tokens`` maps
    teams to their bearer tokens, or is one for all; a team whose token is empty needs none, and with None nobody does.
    ``admits`` tells whether a guest that has told its name may enter the waiting room, else it is dropped; ``guest``
    makes what stands for each connection. ``chance`` makes all that is left to chance from the guests' names, in seat
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
        places: SeatTeams = (),
        tokens: Mapping[str, str] | str | None = None,
        on_event: Callable[[str, Event], None] | None = None,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        admits: Callable[[Guest], Awaitable[bool]] | None = None,
        guest: Callable[[GuestConnection, Limits], Guest] = Guest,
        limits: Limits | None = None,
        chance: Callable[[Sequence[str], str], SeededChance] = lambda _, seed: SeededChance(seed),
        sockets: OpenSockets | None = None,
    ) -> None:
        super().__init__(host, port, seed, on_event, now_ms, limits, sockets)
        self.village = village
        self._cast, self._tokens, self._chance = cast, tokens, chance
        self._may_enter, self._guest = admits, guest
        self._lobby = Lobby(village.players, places)
        self._patience = Patience.of(village)
        self._guests: set[Guest] = set()
        self._server: Server | None = None

    # --- opening and closing ----------------------------------------------------------------------

    @property
    def url(self) -> str:
        """The address that guests connect to."""
        return f"ws://{self.host}:{self.port}/ws"

    @property
    def waiting(self) -> tuple[str, ...]:
        """The guests that wait for a game."""
        return tuple(guest.name for guest in self._lobby.waiting)

    async def open(self) -> None:
        """Begin to listen for guests. Raises TableError where the port is taken."""

        class Connection(GuestConnection):
            sockets = self._sockets

        async def take_in(listening: socket.socket) -> None:
            server = await serve(
                self._welcome,
                sock=listening,
                backlog=self._sockets.burst,
                origins=ORIGINS,
                create_connection=Connection,
                open_timeout=HEADER_TIME,
                compression=None,
                ping_interval=None,
                max_size=self._limits.frame,
                # No packet waits for a guest to read the one before; who reads none at all is disconnected.
                write_limit=2 * self._limits.unread,
            )
            self._server = self._server or server

        await self._listen(take_in)

    async def close(self) -> None:
        """Stop listening and hang up on everybody."""
        await end_tasks(*self._playing)
        for guest in list(self._guests):
            guest.leave.set()
        if self._listener is not None:
            self._listener.close()
        if self._server is not None:
            # Guests are dropped by their own handlers; the library would send them close frames.
            self._server.close(close_connections=False)
            await self._server.wait_closed()

    # --- guests -----------------------------------------------------------------------------------

    async def _welcome(self, connection: ServerConnection) -> None:
        """One guest from its arrival to the end of its connection."""
        assert isinstance(connection, GuestConnection)
        self._sockets.meet(connection.transport)
        guest = self._guest(connection, self._limits)
        if sum(bool(other.name) for other in self._guests) >= self._limits.connections:
            guest.expel(f"the table is full: {self._limits.connections} connections are open")
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
            guest.expel(f"{self._limits.namesakes} guests of this name are enough")
        elif known and (self._may_enter is None or await self._may_enter(guest)):
            self._seat(guest)
            try:
                async with asyncio.timeout(self._limits.waiting):
                    await connection.wait_closed()
            except TimeoutError:
                if guest in self._lobby.waiting:
                    guest.expel(f"no game came together in {self._limits.waiting:.0f} s")
            await connection.wait_closed()

    def _admits(self, guest: Guest, connection: ServerConnection) -> bool:
        """Whether the guest shows its team's token; the one in the address counts before the header's.

        Of several headers none counts, and an address that is none holds no token.
        """
        if self._tokens is None:
            return True
        assert connection.request is not None
        try:
            query = parse_qs(urlsplit(connection.request.path).query).get("token")
        except ValueError:
            query = None
        headers = connection.request.headers.get_all("Authorization")
        header = headers[0].removeprefix("Bearer ") if len(headers) == 1 else ""
        tokens = self._tokens
        shown = query[0] if query else header
        try:
            wanted = tokens if isinstance(tokens, str) else tokens[guest.team]
        except KeyError:
            return False
        return not wanted or secrets.compare_digest(shown.encode(errors="replace"), wanted.encode())

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
            self._chance(names, seed),
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

    async def _take_step(self, step: Deliver | Listen, guests: list[Guest], inbox: ChatInbox) -> Outcome:
        if isinstance(step, Listen):
            return await inbox.next((step.until - self._now_ms()) / 1000)
        guest, packet = guests[step.seat], step.packet
        if step.needs_reply:
            return await guest.ask(packet, self._patience)
        # The inbox opens before the packet that opens the phase is sent, as the guest may speak the next moment, and
        # closes before the one that ends it.
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
    """Make a game's identifier, a ULID: 48 bits of time (Unix ms) and 80 bits that follow from ``seed``."""
    bits = (now_ms & (1 << 48) - 1) << 80 | random.Random(f"{seed}/id").getrandbits(80)
    return "".join(_CROCKFORD[bits >> shift & 31] for shift in range(125, -1, -5))
