"""The TCP connection to a classic server: one line a packet, and game after game on the same connection."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

from nlp_agent.known_secrets import shown_url
from nlp_agent.net.connection import (
    OPEN_TIMEOUT,
    ConnectionLostError,
    FrameReader,
    explain_silence,
    keep_alive,
    request_in,
)
from nlp_agent.protocol import BROADCASTS, Packet, Request, bounds
from nlp_agent.protocol.classic import ROLE, ClassicReader, reply_line

SCHEME = "tcp"
"""How the address of such a server begins."""
_NEW_GAME = b'"INITIALIZE"'
_OF_A_GAME = frozenset(Request) - {Request.NAME} - BROADCASTS
"""Lines that tell that a game is being played, or is over; NAME and ROLE come before one, unknown lines do not."""


def is_classic(url: str) -> bool:
    """Whether ``url`` is the address of a classic server (``tcp://``)."""
    return urlsplit(url).scheme == SCHEME


class ClassicConnection:
    """A TCP connection to a classic server: one line is one packet, and games follow each other on it.

    What is asked between two games, ROLE and NAME, is answered here as soon as it is read, with no session at hand; all
    other requests go to the session.

    Args:
        reader: the lines that come; ``writer``: where answers go.
        packets: makes packets of lines.
        wish: the role wished for.
        character: asked for every packet that has no profile, until it tells one for this game.
    """

    waits_for_late = True
    """A server that has had no answer in its time ends the games of everybody: sending late can only mend that."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        packets: ClassicReader,
        wish: str,
        character: Callable[[Packet], str],
    ) -> None:
        self.frames: FrameReader | None = None
        self.open = True
        self._name = ""
        self._reader, self._writer, self._packets = reader, writer, packets
        self._wish, self._character = wish, character
        self._playing = self._asked = False
        """Whether a game is being played; whether the next one was announced by a question."""
        self._games = 0
        self._ahead: bytes | None = None

    async def recv(self) -> bytes:
        """Wait for the next line of a game; ROLE, and NAME between games, are answered here.

        Raises ConnectionLostError when the connection ends, and when the server begins a new game before this one is
        over.
        """
        while True:
            line, self._ahead = self._ahead or await self._line(), None
            if self._playing and _NEW_GAME in line and request_in(line) == Request.INITIALIZE:
                # The server has begun anew: that belongs to the next game.
                self._ahead, self._playing = line, False
                raise ConnectionLostError(again=True)
            request = request_in(line)
            if request in (ROLE, Request.NAME) and not self._playing:
                self._asked = True
            if request == ROLE:
                await self._write(reply_line(ROLE, self._wish))
            elif request == Request.NAME and self._name and not self._playing:
                await self._write(reply_line(request, self._name))
            elif line.strip():
                if request in _OF_A_GAME:
                    self._games += self._playing and request == Request.FINISH
                    self._playing, self._asked = request != Request.FINISH, False
                return line

    async def _line(self) -> bytes:
        try:
            line = await self._reader.readline()
        except ValueError:  # longer than anything that is taken in; asyncio has thrown it away
            return b"a line that is longer than any packet"
        except OSError as error:
            raise self._lost() from error
        if not line.endswith(b"\n"):
            raise self._lost()
        return line

    def _lost(self) -> ConnectionLostError:
        """A server that has played its games closes the connection: there is no other end of a match.

        Where it has asked something for the next game, the set was broken off.
        """
        if self._games == 0 or self._playing:
            return ConnectionLostError()
        if not self._asked:
            return ConnectionLostError(done=True)
        games = "1 game" if self._games == 1 else f"{self._games} games"
        return ConnectionLostError(between=f"the set was broken off after {games}: the next one was announced, and")

    def read(self, raw: str | bytes) -> Packet:
        """Read a line as a packet, with the seat's character where the server deals none. Raises ProtocolError when it
        is none.
        """
        packet = self._packets.read(raw)
        if packet.info is not None and not self._packets.profile and (profile := self._character(packet)):
            self._packets.profile = profile
            packet = packet.model_copy(update={"info": packet.info.model_copy(update={"profile": profile})})
        return packet

    def told(self, raw: str | bytes, packet: Packet) -> str:
        """The packet as a journal keeps it: the frame that a WebSocket server would have sent."""
        return packet.to_json()

    @property
    def named(self) -> bool:
        """Whether the seat's name was given already, in an earlier game."""
        return bool(self._name)

    async def send(self, text: str, request: str) -> None:
        """Send the answer to ``request`` as a line; that to NAME is kept for the games to come. Raises
        ConnectionLostError.
        """
        if request == Request.NAME:
            self._name = text
        await self._write(reply_line(request, text))

    async def _write(self, line: str) -> None:
        try:
            self._writer.write(line.encode("utf-8", "replace") + b"\n")
            await self._writer.drain()
        except OSError as error:
            raise self._lost() from error

    async def leave(self, *, finished: bool) -> None:
        """End the connection, unless the game was whole or the next has begun already: then it stays for the
        next game.
        """
        if not (finished or self._ahead is not None):
            await self.close()

    async def close(self) -> None:
        """End the connection for good."""
        self.open = False
        if self.frames is not None:
            await self.frames.stop()
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


class ClassicServer:
    """The way in to one classic server, game after game: its connection as long as it lasts, then a new one."""

    def __init__(
        self,
        url: str,
        *,
        packets: Callable[[], ClassicReader] = ClassicReader,
        wish: str = "",
        character: Callable[[Packet], str] = lambda _: "",
    ) -> None:
        self._url, self._packets = url, packets
        self._wish, self._character = wish, character
        self._link: ClassicConnection | None = None

    @property
    def connected(self) -> bool:
        """Whether the next game is played on the connection of the last one."""
        return self._link is not None and self._link.open

    async def connect(self) -> ClassicConnection:
        """The connection for the next game. Raises SessionError that says what is wrong."""
        if self._link is None or not self._link.open:
            reader, writer = await _open(self._url)
            self._link = ClassicConnection(reader, writer, self._packets(), self._wish, self._character)
        return self._link

    async def close(self) -> None:
        """Hang up, whatever is going on."""
        if self._link is not None:
            await self._link.close()


async def _open(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    address = urlsplit(url)
    try:
        async with asyncio.timeout(OPEN_TIMEOUT):
            reader, writer = await _connected(address.hostname or "", address.port or 0)
    except OSError as error:  # TimeoutError is one of them
        raise explain_silence(shown_url(url), error) from error
    sock = writer.get_extra_info("socket")
    keep_alive(sock)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return reader, writer


async def _connected(host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """As :func:`asyncio.open_connection`, with lines acknowledged at once."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=bounds.FRAME_HELD, loop=loop)
    transport, protocol = await loop.create_connection(lambda: _PromptProtocol(reader, loop=loop), host, port)
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


class _PromptProtocol(asyncio.StreamReaderProtocol):
    """Acknowledges what is read at once, where the system can.

    Such a server writes a line that wants no answer and then a question, and its system holds the question back until
    the line is acknowledged: 40 of 100 ms. Linux forgets the wish with every answer, so it is told at every read.
    """

    _socket: socket.socket | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._socket = transport.get_extra_info("socket")

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._socket is not None and hasattr(socket, "TCP_QUICKACK"):
            with suppress(OSError):
                self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
