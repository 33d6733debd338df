"""A connection to the game server: what a session needs of it, what reads it, the WebSocket one, and its faults.

The classic servers' TCP connection is in :mod:`nlp_agent.net.classic`.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from nlp_agent.deadline import Arrival, Clock
from nlp_agent.errors import SessionError
from nlp_agent.known_secrets import shown_url
from nlp_agent.protocol import TALK_REQUESTS, TARGET_REQUESTS, Packet, bounds, parse_packet
from nlp_agent.tasks import end_tasks

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

    from nlp_agent.game import SeatState


# --- What a session needs of a connection, whatever server is at its other end ---------------------------------------


class ConnectionLostError(Exception):
    """The connection has ended.

    Attributes:
        done: whether nothing is lost by it, because no game was to come.
        again: whether a new game has begun on it before the last one was over.
        between: what was broken off where it ended between two games of a set; ``""`` elsewhere.
    """

    def __init__(self, *, done: bool = False, again: bool = False, between: str = "") -> None:
        self.done, self.again, self.between = done, again, between
        super().__init__()


class Connection(Protocol):
    """A connection to a game server, as a session needs it.

    Attributes:
        waits_for_late: whether the server still takes an answer that is late, as classic ones do: then it is sent all
            the same.
        named: whether its name was given already, in an earlier game.
        frames: what reads it, from its first game to its last; made by the first session.
    """

    waits_for_late: bool
    frames: FrameReader | None

    @property
    def named(self) -> bool:
        """Whether the seat's name was given already, in an earlier game."""

    async def recv(self) -> str | bytes:
        """Wait for the next frame or line. Raises ConnectionLostError when the connection has ended."""

    def read(self, raw: str | bytes) -> Packet:
        """Read ``raw`` as a packet. Raises ProtocolError when it is none."""

    def told(self, raw: str | bytes, packet: Packet) -> str:
        """The packet as a journal keeps it: the frame of a WebSocket, whichever server it came from."""

    async def send(self, text: str, request: str) -> None:
        """Send the answer ``text`` to ``request``. Raises ConnectionLostError."""

    async def leave(self, *, finished: bool) -> None:
        """End the connection, or keep it for the next game: this one is over, or was given up. Never raises."""


# --- Reading frames --------------------------------------------------------------------------------------------------


ANSWERED = TALK_REQUESTS | TARGET_REQUESTS
"""Requests that a seat has to think about."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame that came over the connection, and when."""

    raw: str | bytes
    arrived: Arrival


class FrameReader:
    """Reads the frames of a connection as they come and stamps each with its time; it does nothing else.

    It stays with its connection from game to game. An error that ends the reading is raised by :meth:`next` in its
    turn; called again, it lets reading go on, because behind a new game that came too early there is more to read.

    Args:
        connection: what is read; ``clock`` stamps its frames.
        asked: of all readers of this process, those whose seat owes an answer; it joins them when a question comes.
    """

    def __init__(self, connection: Connection, clock: Clock, asked: set[FrameReader]) -> None:
        self._connection, self._clock, self._asked = connection, clock, asked
        self._frames: asyncio.Queue[Frame | BaseException] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def next(self) -> Frame:
        """The next frame, in order of arrival. Raises ConnectionLostError at the end of the connection."""
        if self._frames.empty() and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._read())
        frame = await self._frames.get()
        if isinstance(frame, BaseException):
            raise frame
        return frame

    async def _read(self) -> None:
        try:
            while True:
                raw = await self._connection.recv()
                self._frames.put_nowait(Frame(raw, Arrival.now(self._clock)))
                if request_in(raw) in ANSWERED:
                    self._asked.add(self)
        except Exception as end:  # whatever it is, it is raised where the next frame is waited for
            self._frames.put_nowait(end)

    async def stop(self) -> None:
        """Stop reading. Safe to call at any time."""
        if self._task is not None:
            await end_tasks(self._task)


def request_in(raw: str | bytes) -> str:
    """The request of a frame, told without parsing it. It stands near the end, so only that much is decoded."""
    text = raw if isinstance(raw, str) else raw[max(0, raw.rfind(b'"request":')) :].decode("utf-8", "replace")
    return text.rpartition('"request":')[2].strip().partition('"')[2].partition('"')[0]


# --- The connection to today's server --------------------------------------------------------------------------------


class WebSocketConnection:
    """A WebSocket connection: one frame is one packet, and one connection one game."""

    named = False
    waits_for_late = False

    def __init__(self, ws: ClientConnection) -> None:
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415 - keeps start-up short

        self.ws, self._closed = ws, ConnectionClosed
        self.frames: FrameReader | None = None

    async def recv(self) -> str | bytes:
        """Wait for the next frame. Raises ConnectionLostError when the connection has ended."""
        try:
            return await self.ws.recv()
        except self._closed as closed:
            raise ConnectionLostError from closed

    def read(self, raw: str | bytes) -> Packet:
        """Read a frame as a packet. Raises ProtocolError when it is none."""
        return parse_packet(raw)

    def told(self, raw: str | bytes, packet: Packet) -> str:
        """The frame as a journal keeps it: as text."""
        return raw if isinstance(raw, str) else raw.decode("utf-8", "replace")

    async def send(self, text: str, request: str) -> None:
        """Send an answer. Raises ConnectionLostError when the connection has ended."""
        try:
            await self.ws.send(text)
        except self._closed as closed:
            raise ConnectionLostError from closed

    async def leave(self, *, finished: bool) -> None:
        """End the connection: it is for one game only."""
        if self.frames is not None:
            await self.frames.stop()
        await self.ws.close()


# --- Opening the connection to the game server, and saying what is wrong when that fails -----------------------------


OPEN_TIMEOUT = 10.0
"""Seconds until a server that does not answer is taken for none."""
_CLOSE_TIMEOUT = 1.0
_KEEP_ALIVE = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 6))


async def connect_to(url: str, token: str) -> ClientConnection:
    """A connection to the game server at ``url``.

    Raises SessionError that says what is wrong. An address may carry a token (?token=...), so no message shows more
    than what stands before it.
    """
    from websockets.asyncio.client import connect  # noqa: PLC0415 - keeps start-up short
    from websockets.exceptions import InvalidHandshake, InvalidStatus, InvalidURI  # noqa: PLC0415

    place = shown_url(url)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    loopback = urlsplit(url).hostname in {"127.0.0.1", "localhost", "::1"}
    try:
        ws = await connect(
            url,
            additional_headers=headers,
            # The server answers pings only while it reads this very connection: a ping kills the game.
            ping_interval=None,
            max_size=bounds.FRAME_HELD,
            compression=None,
            open_timeout=OPEN_TIMEOUT,
            close_timeout=_CLOSE_TIMEOUT,
            proxy=None if loopback else True,
        )
    except InvalidURI as error:
        raise SessionError(
            f"{place} is no address of a game server (expected ws://host:port/ws)", transient=False
        ) from error
    except InvalidStatus as error:
        raise SessionError(
            f"{place} answered HTTP {error.response.status_code}: is the path right (usually /ws)?"
        ) from error
    except (InvalidHandshake, EOFError) as error:
        raise SessionError(f"{place} does not speak WebSocket: is it the game server's address?") from error
    except OSError as error:
        raise explain_silence(place, error) from error
    keep_alive(ws.transport.get_extra_info("socket"))
    return ws


def explain_silence(place: str, error: OSError) -> SessionError:
    """Make the error that explains why no connection to ``place`` came about."""
    if isinstance(error, TimeoutError):
        return SessionError(f"{place} did not answer within {OPEN_TIMEOUT:.0f} s")
    return SessionError(f"nothing listens at {place}: is the server running, and are host and port right?")


def explain_loss(place: str, name: str, state: SeatState, *, named: bool, started: bool) -> SessionError:
    """Make the error that explains why a connection ended before its game did."""
    if not named:
        return SessionError(f"the server at {place} closed the connection before it asked for a name")
    if not started:
        return SessionError(f"the server closed the connection after NAME ({name}): wrong token or team?")
    return SessionError(
        f"{name}: the connection was lost on day {state.day} after {state.last_request}; "
        "the server does not take a player back into a running game"
    )


def keep_alive(sock: socket.socket | None) -> None:
    """Let the operating system notice a half-open connection; it costs the server's program nothing."""
    if sock is None:
        return
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _KEEP_ALIVE:
        if hasattr(socket, option):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
