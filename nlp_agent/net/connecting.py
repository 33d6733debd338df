"""Opening the connection to the game server, and saying what is wrong when that fails."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from nlp_agent.errors import SessionError
from nlp_agent.protocol import bounds

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

    from nlp_agent.game import SeatState

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

    place = url.partition("?")[0]
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
    except TimeoutError as error:
        raise SessionError(f"{place} did not answer within {OPEN_TIMEOUT:.0f} s") from error
    except OSError as error:
        raise SessionError(
            f"nothing listens at {place}: is the server running, and are host and port right?"
        ) from error
    keep_alive(ws.transport.get_extra_info("socket"))
    return ws


def lost(place: str, name: str, state: SeatState, *, named: bool, started: bool) -> SessionError:
    """What to say of a connection that ended before its game did."""
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
