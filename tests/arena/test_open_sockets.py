"""How many connections may be open, and which of them makes room for a new one."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from nlp_agent.arena.open_sockets import OpenSockets, network_of


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


def test_the_oldest_that_has_asked_for_nothing_makes_room() -> None:
    """Whoever comes now is let in, whoever has been answered or has told a name stays."""
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


def test_few_connections_are_allowed_where_files_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals and our own seats need some as well."""
    resource: Any = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (30, 30))
    sockets = OpenSockets(400)
    _come(sockets, "192.0.2.1", 50)
    assert len(sockets) == 10
