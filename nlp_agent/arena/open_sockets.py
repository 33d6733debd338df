"""How many connections strangers may hold open: a bound below HTTP and WebSocket, which a process needs because each
costs it one of its few file descriptors, whether anything is ever said on it or not.

Whoever has asked for something, or has told its name, keeps its connection. One on which nothing has been said yet
makes room for a newer one: so those who only hold connections open shut nobody out, however many they are. Where they
come back at once, the listener rests a moment after each handful: so they wait in the operating system, cost little,
and everybody who was let in has the time to say something.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, ip_address, ip_network
from time import monotonic

logger = logging.getLogger(__name__)

HEADER_TIME = 5.0
"""Seconds from the first moment of a connection, or from the end of a request, until a request's header is whole."""
BACKLOG = 1024
"""Connections that wait in the operating system. A server of asyncio takes its backlog for its burst as well, so it is
told :attr:`OpenSockets.burst`, and the socket this afterwards."""
_TELL_AGAIN = 60.0
"""Seconds between two lines about connections that were ended."""
_GRACE = 0.25
"""Seconds that a connection has at least to say something before it makes room for a newer one."""
_HANDFULS = 8
"""How many times connections are taken in until the whole room was renewed."""


class OpenSockets:
    """The open connections of one listener.

    Args:
        most: connections at once, fewer where the operating system gives this process few file descriptors.
        each: those of one address. This machine's own addresses have no bound of their own: the seats of this process
            and everybody behind a proxy come from there.
        clock: seconds on a monotonic scale.
    """

    def __init__(self, most: int, each: int = 100, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._each, self._clock = min(most, _affordable()), each, clock
        self._open: dict[asyncio.BaseTransport, str] = {}
        """Transport -> address, the oldest connection first."""
        self._silent: dict[asyncio.BaseTransport, float] = {}
        """Those on which nothing has been said yet, the oldest first, and when they came."""
        self._met: dict[asyncio.BaseTransport, float] = {}
        """Those that have said something before and owe or want nothing now, the oldest first, and since when."""
        self._listeners: list[Listener] = []
        self._ended, self._told_at = 0, float("-inf")

    @property
    def burst(self) -> int:
        """Connections to take in at one step of the event loop. So few, because who is taken in is read some steps
        later, and must not have made room for others by then."""
        return max(1, self._most // _HANDFULS)

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, transport: asyncio.BaseTransport) -> bool:
        """Note a connection that has just come; False: there is no room, and it is being ended."""
        address = address_of(transport)
        full_here = not _is_here(address) and sum(one == address for one in self._open.values()) >= self._each
        now = self._clock()
        if full_here or len(self._open) >= self._most:
            self._tell(address)
            found = self._least_wanted(address if full_here else None)
            if found is None:
                _abort(transport)
                return False
            oldest, since = found
            self.leave(oldest)
            _abort(oldest)
            if now - since < _GRACE:
                for listener in self._listeners:
                    listener.rest(_GRACE / _HANDFULS)
        self._open[transport] = address
        self._silent[transport] = now
        return True

    def _least_wanted(self, address: str | None) -> tuple[asyncio.BaseTransport, float] | None:
        """Who makes room, of those at ``address`` where one is given, and since when it has been idle.

        Who has never said anything goes first, unless the others fill more than half of the room: then nobody new
        would have the time to speak.
        """
        first, second = self._silent, self._met
        if 2 * len(self._met) > self._most:
            first, second = second, first
        for idle in (first, second):
            for one, since in idle.items():
                if address is None or self._open[one] == address:
                    return one, since
        return None

    def attach(self, listener: Listener) -> None:
        """Let ``listener`` rest from now on when connections come faster than they can be met."""
        self._listeners.append(listener)

    def detach(self, listener: Listener) -> None:
        """Forget ``listener``, which is closed."""
        self._listeners.remove(listener)

    def meet(self, transport: asyncio.BaseTransport) -> None:
        """Note that this connection has shaken hands and has not asked for anything yet."""
        if self._silent.pop(transport, None) is not None:
            self._met[transport] = self._clock()

    def settle(self, transport: asyncio.BaseTransport) -> None:
        """Note that something was asked or told on this connection: it makes room for nobody from now on."""
        self._silent.pop(transport, None)
        self._met.pop(transport, None)

    def unsettle(self, transport: asyncio.BaseTransport) -> None:
        """Note that all that was asked on this connection has been answered."""
        if transport in self._open and transport not in self._silent:
            self._met[transport] = self._clock()

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """Forget a connection that is over. Safe to call for one that was never let in."""
        self._open.pop(transport, None)
        self.settle(transport)

    def expire(self, transport: asyncio.BaseTransport) -> None:
        """End a connection that was too slow.

        A browser opens some ahead that it may not need: that is no news until they take the room of others.
        """
        if transport in self._open:
            if 2 * len(self._open) > self._most:
                self._tell(self._open[transport])
            self.leave(transport)
        _abort(transport)

    def _tell(self, address: str) -> None:
        """One line a minute, however many connections are ended."""
        self._ended += 1
        if (now := self._clock()) >= self._told_at + _TELL_AGAIN:
            message = f"{self._ended} connections that asked for nothing were ended"
            logger.warning("%s (the last one came from %s, %d are open)", message, address or "?", len(self._open))
            self._ended, self._told_at = 0, now


class Listener:
    """A listening socket whose server rests while connections come faster than they can be met.

    Args:
        listening: of :func:`listen_at`.
        sockets: the bound; it tells when to rest.
        serve: lets a server of asyncio take connections in from the socket, with :attr:`OpenSockets.burst` as its
            backlog. It is called again after each rest, as a server of asyncio can be made to stop, but not to go on;
            whoever was taken in before stays with the server of then.
    """

    def __init__(self, listening: socket.socket, sockets: OpenSockets, serve: Callable[[], Awaitable[object]]) -> None:
        self._listening, self._sockets, self._serve = listening, sockets, serve
        self._resting: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to take connections in."""
        await self._listen()
        self._sockets.attach(self)

    def close(self) -> None:
        """Stop serving for ever. The socket is closed by the server that was made first."""
        self._sockets.detach(self)
        if self._resting is not None:
            self._resting.cancel()

    def rest(self, seconds: float) -> None:
        """Take nobody in for ``seconds``; whoever comes waits in the operating system."""
        if self._resting is not None and not self._resting.done():
            return
        try:
            asyncio.get_running_loop().remove_reader(self._listening)
        except NotImplementedError:
            return  # Windows' event loop takes connections in without being told that there are some
        self._resting = asyncio.create_task(self._serve_after(seconds))

    async def _serve_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self._listen()

    async def _listen(self) -> None:
        await self._serve()
        self._listening.listen(BACKLOG)


def listen_at(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises OSError where the port is taken.

    Whoever waits to be taken in waits in the operating system, which has room for many.
    """
    # With its protocol named asyncio sends small packets at once (TCP_NODELAY), without it 40 ms later.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, _port_option(), 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    listening.setblocking(False)
    return listening


def _port_option() -> int:
    """The option by which a port can be taken again at once after a restart, but never while somebody listens there.

    On Windows a port is free again at once, and SO_REUSEADDR would let two programs listen at the same one.
    """
    exclusive: int | None = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    return socket.SO_REUSEADDR if exclusive is None else exclusive


def _affordable() -> int:
    """The connections that a third of this process's file descriptors can be given to."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft // 3


def address_of(transport: asyncio.BaseTransport) -> str:
    """The address from which a connection comes, as :func:`network_of` tells it; ``""`` where that cannot be known any
    more.
    """
    peer = transport.get_extra_info("peername")
    return network_of(str(peer[0])) if isinstance(peer, tuple) and peer else ""


@lru_cache(1024)
def network_of(address: str) -> str:
    """The network of ``address``: of an IPv6 address the part that one customer has, as the rest may be chosen anew for
    each connection; any other address as it is.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address) or found.is_loopback:
        return address
    if found.ipv4_mapped is not None:  # a listener at :: gets all of IPv4 like this
        return str(found.ipv4_mapped)
    return str(ip_network((found, 64), strict=False))


def _is_here(address: str) -> bool:
    with suppress(ValueError):
        return ip_address(address).is_loopback
    return False


def _abort(transport: asyncio.BaseTransport) -> None:
    if isinstance(transport, asyncio.Transport):
        transport.abort()
    else:
        transport.close()
