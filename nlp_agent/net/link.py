"""What a session needs of a connection, whatever server is at its other end; and the connection to a WebSocket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from nlp_agent.protocol import Packet, parse_packet

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection


class LinkLostError(Exception):
    """The connection is gone. ``done``: nothing is lost by it, as no game was to come. ``again``: a new game has begun
    on it before the last one was over."""

    def __init__(self, *, done: bool = False, again: bool = False) -> None:
        self.done, self.again = done, again
        super().__init__()


class Link(Protocol):
    """A connection; ``named``: its name was given already, in an earlier game. ``patient``: the server waits for one
    answer and then for none, so that a late one is worth sending."""

    patient: bool

    @property
    def named(self) -> bool: ...
    async def recv(self) -> str | bytes:
        """The next frame or line. Raises LinkLostError."""

    def read(self, raw: str | bytes) -> Packet:
        """``raw`` as a packet. Raises ProtocolError when it is none."""

    def told(self, raw: str | bytes, packet: Packet) -> str:
        """The packet as a journal keeps it: the frame of a WebSocket, whichever server it came from."""

    async def send(self, text: str, request: str) -> None:
        """Send the answer ``text`` to ``request``. Raises LinkLostError."""

    async def leave(self, *, finished: bool) -> None:
        """The game is over, or was given up. Never raises."""


class WebSocketLink:
    """One frame is one packet, and one connection one game."""

    named = False
    patient = False

    def __init__(self, ws: ClientConnection) -> None:
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415 - keeps start-up short

        self.ws, self._closed = ws, ConnectionClosed

    async def recv(self) -> str | bytes:
        try:
            return await self.ws.recv()
        except self._closed as closed:
            raise LinkLostError from closed

    def read(self, raw: str | bytes) -> Packet:
        return parse_packet(raw)

    def told(self, raw: str | bytes, packet: Packet) -> str:
        return raw if isinstance(raw, str) else raw.decode("utf-8", "replace")

    async def send(self, text: str, request: str) -> None:
        try:
            await self.ws.send(text)
        except self._closed as closed:
            raise LinkLostError from closed

    async def leave(self, *, finished: bool) -> None:
        await self.ws.close()
