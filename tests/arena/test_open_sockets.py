"""How many connections may be open, and which of them makes room for a new one."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from nlp_agent.arena.open_sockets import Listener, OpenSockets, listen_at, network_of


class _Connection(asyncio.Transport):
    """As a transport tells where it comes from, and whether it was ended."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.ended = False

    def abort(self) -> None:
        self.ended = True


def _come(sockets: OpenSockets, address: str, count: int) -> list[_Connection]:
    made = [_Connection(address) for _ in range(count)]
    for connection in made:
        sockets.enter(connection)
    return made


def test_oldest_silent_connection_makes_room() -> None:
    """The oldest connection that has asked for nothing makes room.

    Whoever comes now is let in, whoever has been answered or has told a name stays.
    """
    sockets = OpenSockets(3)
    named, silent, other = _come(sockets, "192.0.2.1", 3)
    sockets.settle(named)
    (new,) = _come(sockets, "192.0.2.2", 1)
    assert [one.ended for one in (named, silent, other, new)] == [False, True, False, False]
    for one in (other, new):
        sockets.settle(one)
    assert not sockets.enter(_Connection("192.0.2.3"))
    sockets.unsettle(other)
    assert sockets.enter(_Connection("192.0.2.3"))
    assert other.ended
    assert len(sockets) == 3


def test_one_address_cannot_take_all_the_room() -> None:
    """Its own oldest connection makes room for its newest, and never that of somebody else."""
    sockets = OpenSockets(10, each=2)
    (friend,) = _come(sockets, "192.0.2.1", 1)
    many = _come(sockets, "192.0.2.9", 6)
    assert [one.ended for one in (friend, *many)] == [False, *[True] * 4, False, False]
    assert not any(one.ended for one in _come(sockets, "127.0.0.1", 5)), "seats of this process come from here"


def test_guest_after_handshake_outlives_silent_connections() -> None:
    """It is about to tell its name, which takes as long as its way here and back; but those who shake hands and say no
    more leave half of the room to newcomers."""
    sockets = OpenSockets(4)
    guest, *silent = _come(sockets, "192.0.2.1", 4)
    sockets.meet(guest)
    _come(sockets, "192.0.2.2", 3)
    assert [one.ended for one in (guest, *silent)] == [False, True, True, True]
    for one in (met := _come(sockets, "192.0.2.2", 2)):
        sockets.meet(one)
    _come(sockets, "192.0.2.3", 1)
    assert [one.ended for one in (guest, *met)] == [True, False, False]


class _NotedRests(Listener):
    """Notes that it was told to rest."""

    def __init__(self) -> None:
        self.rests = 0

    def rest(self, seconds: float) -> None:
        assert seconds > 0
        self.rests += 1


def test_listener_rests_after_dropping_a_newcomer() -> None:
    """The listener rests when the one that must go has only just come.

    Else those who come back at once would be taken in as fast as the processor can, and nobody had time to speak.
    """
    now = 0.0
    sockets, listener = OpenSockets(8, clock=lambda: now), _NotedRests()
    sockets.attach(listener)
    _come(sockets, "192.0.2.1", 8)
    assert listener.rests == 0
    _come(sockets, "192.0.2.1", 1)
    assert listener.rests == 1
    now = 1.0
    _come(sockets, "192.0.2.1", 8)
    assert listener.rests == 1


def test_arrivals_during_a_rest_are_met_afterwards() -> None:
    """Whoever comes while the listener rests is met afterwards.

    The listening socket is the same all the time; only nobody is taken in.
    """

    async def rest_three_times() -> None:
        listening = listen_at("127.0.0.1", 0)
        met = asyncio.Queue[None]()
        servers = []

        async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            met.put_nowait(None)
            writer.close()

        async def take_in() -> None:
            servers.append(await asyncio.start_server(greet, sock=listening))

        listener = Listener(listening, OpenSockets(8), take_in)
        await listener.open()
        for rests in range(3):
            listener.rest(0.0)
            listener.rest(0.0)
            _, writer = await asyncio.open_connection(*listening.getsockname())
            await met.get()
            writer.close()
            assert len(servers) == 2 + rests
        listener.close()
        servers[0].close()
        assert listening.fileno() == -1

    asyncio.run(rest_three_times())


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("2001:db8::1:2:3:4", "2001:db8::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::1"),
        ("192.0.2.7", "192.0.2.7"),
        ("", ""),
    ],
)
def test_an_address_is_what_one_customer_has(address: str, network: str) -> None:
    """A listener at :: gets everybody of IPv4 in a form that would be one network of IPv6."""
    assert network_of(address) == network


def test_a_flood_is_told_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    """With the number of connections that were ended since the last line."""
    now = 0.0
    sockets = OpenSockets(1, clock=lambda: now)
    with caplog.at_level(logging.WARNING):
        _come(sockets, "192.0.2.1", 1000)
        assert len(caplog.messages) == 1
        now = 61.0
        _come(sockets, "192.0.2.1", 1000)
    assert len(caplog.messages) == 2
    assert caplog.messages[1].startswith("999 connections")


def test_spare_connections_of_a_browser_are_no_news(caplog: pytest.LogCaptureFixture) -> None:
    """A browser opens connections ahead and asks nothing on them: they are ended without a line.

    Where they fill more than half of the room that is told.
    """
    sockets = OpenSockets(20)
    with caplog.at_level(logging.WARNING):
        for one in _come(sockets, "127.0.0.1", 6):
            sockets.expire(one)
        assert not len(sockets)
        assert caplog.messages == []
        for one in _come(sockets, "192.0.2.1", 12):
            sockets.expire(one)
    assert len(caplog.messages) == 1


def test_few_connections_are_allowed_where_files_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals and our own seats need some as well."""
    resource: Any = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (30, 30))
    sockets = OpenSockets(400)
    _come(sockets, "192.0.2.1", 50)
    assert len(sockets) == 10
