"""What tables of every protocol share: what a guest may cost them, how they open and close, and the games they give
out.

:mod:`nlp_agent.arena.server` is the table of today's protocol, :mod:`nlp_agent.arena.classic_server` the one
before.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Self

from nlp_agent.arena.events import Event
from nlp_agent.arena.logs import game_log, json_log
from nlp_agent.arena.open_sockets import Listener, OpenSockets, listen_at
from nlp_agent.arena.report import TableReport, report_on
from nlp_agent.errors import TableError, os_reason

# --- What one guest may cost a table ---------------------------------------------------------------------------------


ORIGINS = (None, re.compile(r"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?/?"))
"""Where a WebSocket may come from: from a program, which has no origin, or from a page of this machine. Any other page
that somebody has open could otherwise take a seat at a table on loopback."""


_NAMELESS = 32
"""Connections of a full table that may still tell their name, to be told that it is full."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of what guests may cost a table.

    ``frame``: bytes of one frame. ``ahead``: frames that wait unasked, and keep-alive pings since the last packet.
    ``unread``: bytes that a guest may leave unread. ``connections``: guests with names at once; a few more connections
    may be open that have not told any. ``namesakes``: guests of one name. ``name``: characters of a name. ``waiting``:
    seconds in the waiting room.
    """

    frame: int = 64_000
    ahead: int = 64
    unread: int = 1_000_000
    connections: int = 200
    namesakes: int = 32
    name: int = 100
    waiting: float = 6 * 3600.0


# --- What tables of every protocol share -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Match:
    """A finished game of a table: its report and its events; ``times`` are the Unix milliseconds of the events."""

    report: TableReport
    events: tuple[Event, ...]
    times: tuple[int, ...]

    @classmethod
    def of(cls, events: Sequence[Event], times: Sequence[int]) -> Match:
        """Make a match of ``events``, with the referee's report. Raises TableError when these are not a finished
        game's.
        """
        return cls(report_on(events), tuple(events), tuple(times))

    def game_log(self) -> str:
        """The organisers' comma-separated game log."""
        return game_log(self.events)

    def json_log(self) -> dict[str, Any]:
        """The organisers' JSON log, ready for ``json.dumps``."""
        return json_log(self.events, self.times)


class BaseTable(ABC):
    """A table that listens at ``host`` and ``port`` while it is entered, and whose finished games are waited for.

    Game k of ``seed`` (``None``: any) is always dealt alike. ``on_event`` hears every event, with its game's id, as it
    happens. ``now_ms`` tells Unix milliseconds. ``limits``: what one guest may cost it. ``sockets`` bounds the open
    connections, of several tables together where they share it.
    """

    def __init__(
        self,
        host: str,
        port: int,
        seed: int | str | None,
        on_event: Callable[[str, Event], None] | None,
        now_ms: Callable[[], int],
        limits: Limits | None,
        sockets: OpenSockets | None = None,
    ) -> None:
        self.host, self.port = host, port
        self.seed = secrets.randbits(32) if seed is None else seed
        self._on_event, self._now_ms, self._limits = on_event or (lambda *_: None), now_ms, limits or Limits()
        self._sockets = OpenSockets(self._limits.connections + _NAMELESS) if sockets is None else sockets
        self._listener: Listener | None = None
        self._games = 0
        self._playing: set[asyncio.Task[None]] = set()
        self._matches: asyncio.Queue[Match | BaseException] = asyncio.Queue()
        self.on_guest: Callable[[str, bool, int], None] = lambda *_: None
        """Hears the name of who came (``True``) or left before a game, and how many are here then."""

    @property
    @abstractmethod
    def url(self) -> str:
        """The address to which guests connect."""

    @property
    @abstractmethod
    def waiting(self) -> tuple[str, ...]:
        """The names of those who wait for a game."""

    @property
    def running(self) -> int:
        """The number of games, or sets of games, that are being played."""
        return len(self._playing)

    @abstractmethod
    async def open(self) -> None:
        """Start listening; ``port`` 0 becomes the port that was free. Raises TableError when it is taken."""

    @abstractmethod
    async def close(self) -> None:
        """Break off running games and drop all guests."""

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.on_guest = lambda *_: None  # whoever leaves now was sent home
        await self.close()

    async def next_match(self) -> Match:
        """Wait for the next game to finish. Raises what broke it, if anything did."""
        match = await self._matches.get()
        if isinstance(match, BaseException):
            raise match
        return match

    def _play_aside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._playing.add(task)
        task.add_done_callback(self._playing.discard)

    async def _listen(self, take_in: Callable[[socket.socket], Awaitable[None]]) -> None:
        """Listen at the table's address; ``take_in`` makes the server that takes guests in from the socket."""
        try:
            listening = listen_at(self.host, self.port)
        except OSError as error:
            where = f"{self.host}:{self.port}"
            raise TableError(f"cannot open a table at {where} ({os_reason(error)}): choose another port") from error
        self._listener = Listener(listening, self._sockets, lambda: take_in(listening))
        await self._listener.open()
        self.port = listening.getsockname()[1]
