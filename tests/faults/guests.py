"""Guests that mean harm to a table at which our seats sit with them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from nlp_agent.protocol import Packet, parse_packet
from tests.faults.catalogue import Fault, Where

STRANGER = "stranger1"
_FLOOD = 1000
_RUBBISH = ("\x1b[2J\x00", "{" * 500, "wolf " * 10_000, "", "a, b\nc", "\u202eNobody", "Over Over")


@dataclass
class Visit:
    """Who came besides our own: ``seats`` it takes, ``done`` how often it was a nuisance, ``told`` why it had to go."""

    seats: int = 0
    done: int = 0
    told: str = ""


Nuisance = Callable[[ClientConnection, Packet, Visit], Awaitable[None]]
"""What a guest does with a question of the game."""


@asynccontextmanager
async def visiting(fault: Fault, url: str) -> AsyncIterator[Visit]:
    """A hostile guest at the table at ``url`` if ``fault`` is one, and nobody otherwise."""
    if fault.where is not Where.GUEST:
        yield Visit()
        return
    name = _NAMES.get(fault.name)
    visit = Visit(seats=0 if name else 1)
    task = asyncio.create_task(_visit(url, name or STRANGER, _NUISANCES.get(fault.name, _silent), visit))
    try:
        yield visit
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _visit(url: str, name: str, nuisance: Nuisance, visit: Visit) -> None:
    async with connect(url, ping_interval=None, compression=None, max_size=None) as connection:
        try:
            while True:
                packet = parse_packet(await connection.recv())
                if packet.request == "NAME" and not visit.done:
                    visit.done += visit.seats == 0
                    await connection.send(name)
                elif packet.needs_reply:
                    visit.done += 1
                    await nuisance(connection, packet, visit)
        except ConnectionClosed:
            visit.told = connection.close_reason or ""
        except WebSocketException:
            pass  # It has torn its own connection down.


async def _floods(connection: ClientConnection, _: Packet, __: Visit) -> None:
    for number in range(_FLOOD):
        await connection.send(f"Frame {number}.")


async def _pings(connection: ClientConnection, _: Packet, __: Visit) -> None:
    for _number in range(_FLOOD):
        await connection.ping()


async def _silent(_: ClientConnection, __: Packet, ___: Visit) -> None:
    pass


async def _stalls(connection: ClientConnection, _: Packet, __: Visit) -> None:
    connection.transport.pause_reading()
    await asyncio.Event().wait()


async def _leaves(connection: ClientConnection, _: Packet, __: Visit) -> None:
    connection.transport.abort()


_NAMES = {"guest-name": "\x1b[2J\x1b]0;PWN\x07Bob\n", "guest-long-name": "x" * 10_000}
_NUISANCES: dict[str, Nuisance] = {
    "guest-floods": _floods,
    "guest-pings": _pings,
    "guest-huge-frame": lambda connection, *_: connection.send("x" * 10_000_000),
    "guest-silent": _silent,
    "guest-stalls": _stalls,
    "guest-leaves": _leaves,
    "guest-nonsense": lambda connection, _, visit: connection.send(_RUBBISH[visit.done % len(_RUBBISH)]),
}


def nuisances() -> frozenset[str]:
    """The names of all kinds of guests."""
    return frozenset({*_NAMES, *_NUISANCES})
