"""What a guest may cost a table: beyond it, it is told why and shown out, and the others play on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from nlp_agent.arena.chance import SeededChance
from nlp_agent.arena.engine import Deliver, Game
from nlp_agent.arena.events import GuestFault
from nlp_agent.arena.guests import Guest
from nlp_agent.arena.report import report_on
from nlp_agent.arena.server import Table
from nlp_agent.arena.table import Limits, Match
from nlp_agent.arena.village import LONGEST_GAME, contest_village
from nlp_agent.protocol import Packet, parse_packet
from tests.arena.seats import quiet
from tests.faults.table import Disturbance

Nuisance = Callable[[ClientConnection], Awaitable[None]]


async def _answer(connection: ClientConnection, packet: Packet, name: str) -> None:
    await connection.send(name if packet.request == "NAME" else quiet(packet) or "") if packet.needs_reply else None


async def _expelled_for(
    url: str, name: str, nuisance: Nuisance | None, at: str = "TALK"
) -> tuple[int | None, str | None]:
    """Play until the connection ends; from the first ``at`` on be a nuisance. Why it ended, by its close frame."""
    async with connect(url, ping_interval=None, compression=None) as connection:
        try:
            while True:
                packet = parse_packet(await connection.recv())
                if packet.request == at and nuisance is not None:
                    await nuisance(connection)
                await _answer(connection, packet, name)
        except ConnectionClosed:
            return connection.close_code, connection.close_reason


async def _long(connection: ClientConnection) -> None:
    await connection.send("x" * 70_000)


async def _flood(connection: ClientConnection) -> None:
    for number in range(1000):
        await connection.send(f"Frame {number}.")


async def _pings(connection: ClientConnection) -> None:
    for _ in range(1000):
        await connection.ping()


@pytest.mark.parametrize(
    ("nuisance", "code", "why"), [(_long, 1009, "64000"), (_flood, 1008, "frames nobody"), (_pings, 1008, "pings")]
)
def test_flooding_guest_is_told_why_it_is_dropped(
    nuisance: Nuisance, code: int, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A guest that floods is told why and the others play on.

    The one close frame it gets says what it did, the screen does too, and the game does not wait for it.
    """

    async def scene() -> tuple[Match, tuple[int | None, str | None]]:
        village = replace(contest_village(5), max_error_ratio=0.5)
        async with asyncio.timeout(30), Table(village, seed=1) as table:
            nuisances = [nuisance, None, None, None, None]
            guests = [
                asyncio.create_task(_expelled_for(table.url, f"kano{number}", what))
                for number, what in enumerate(nuisances, start=1)
            ]
            match = await table.next_match()
            ends = await asyncio.gather(*guests)
            assert {end[0] for end in ends[1:]} == {1006}
            return match, ends[0]

    with caplog.at_level(logging.WARNING, "nlp_agent.arena"):
        match, (closed, reason) = asyncio.run(scene())
    assert closed == code
    assert why in (reason or "")
    assert match.report.seats[0].faults[GuestFault.EXPELLED] == 1
    assert not match.report.aborted
    assert any("kano1 was disconnected" in text for text in caplog.messages)


@pytest.mark.parametrize("name", ["x" * 101, "\x1b[2J\x1b]0;PWN\x07Bob", "a\nb", "a\u202eb"])
def test_a_name_is_one_short_printable_line(name: str) -> None:
    """It stands in logs, on screens and in records."""

    async def scene() -> None:
        async with asyncio.timeout(10), Table(contest_village(5)) as table:
            code, reason = await _expelled_for(table.url, name, None)
            assert (code, "a name is" in (reason or "")) == (1008, True)
            assert table.waiting == ()

    asyncio.run(scene())


def test_a_full_table_says_so() -> None:
    """Whoever opens connections without end keeps nobody from playing whom the table has already."""

    async def scene() -> None:
        table, two_wait = Table(contest_village(5), limits=Limits(connections=2)), asyncio.Event()
        table.on_guest = lambda *_: two_wait.set() if len(table.waiting) == 2 else None
        async with asyncio.timeout(10), table, connect(table.url) as one, connect(table.url) as two:
            for number, guest in enumerate((one, two), start=1):
                await guest.recv()
                await guest.send(f"kano{number}")
            await two_wait.wait()
            assert await _expelled_for(table.url, "kano3", None) == (1008, "the table is full: 2 connections are open")

    asyncio.run(scene())


def test_connections_without_a_name_fill_no_table() -> None:
    """However many there are, and whether they have shaken hands or not: whoever tells a name is let in."""

    async def scene() -> None:
        table, waits = Table(contest_village(5), limits=Limits(connections=2)), asyncio.Event()
        table.on_guest = lambda *_: waits.set()
        async with asyncio.timeout(20), table:
            silent = [await asyncio.open_connection("127.0.0.1", table.port) for _ in range(100)]
            nameless = [await connect(table.url) for _ in range(60)]
            async with connect(table.url) as guest:
                await guest.recv()
                await guest.send("kano1")
                await waits.wait()
                assert table.waiting == ("kano1",)
            for _, writer in silent:
                writer.transport.abort()
            for connection in nameless:
                connection.transport.abort()

    asyncio.run(scene())


class _Talkative(Disturbance):
    """Sends one guest more than any connection holds by itself."""

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        flood = guest.name == "kano1" and packet.request == "DAILY_INITIALIZE"
        return (packet.to_json(),) * (200_000 if flood else 1)


def test_who_reads_nothing_is_not_waited_for() -> None:
    """What it leaves unread waits in its connection; when that is too much, it is lost at once and the others play."""

    async def stall(connection: ClientConnection) -> None:
        connection.transport.pause_reading()
        try:
            await asyncio.Event().wait()
        finally:
            connection.transport.abort()

    async def scene() -> Match:
        village = replace(contest_village(5), max_error_ratio=0.5)
        async with asyncio.timeout(50), Table(village, seed=1, guest=_Talkative().guest) as table:
            nuisances = [stall, None, None, None, None]
            guests = [
                asyncio.create_task(_expelled_for(table.url, f"kano{number}", what, at="INITIALIZE"))
                for number, what in enumerate(nuisances, start=1)
            ]
            match = await table.next_match()
            guests[0].cancel()
            await asyncio.gather(*guests, return_exceptions=True)
            return match

    match = asyncio.run(scene())
    assert match.report.seats[0].faults[GuestFault.EXPELLED] == 1
    assert GuestFault.TIMEOUT not in match.report.seats[0].faults
    assert not match.report.aborted


def test_only_so_many_guests_have_one_name() -> None:
    """A team that connects without end fills no waiting room."""

    async def scene() -> None:
        table = Table(contest_village(5), limits=Limits(namesakes=2))
        async with asyncio.timeout(10), table:
            ends = [asyncio.create_task(_expelled_for(table.url, "kano1", None)) for _ in range(3)]
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            assert [end.result() for end in done] == [(1008, "2 guests of this name are enough")]
            assert table.waiting == ("kano1", "kano1")

    asyncio.run(scene())


def test_nobody_waits_for_ever() -> None:
    """A waiting room is no place to stay: after the time for it a guest is told that nobody came."""

    async def scene() -> None:
        async with asyncio.timeout(10), Table(contest_village(5), limits=Limits(waiting=0.05)) as table:
            code, reason = await _expelled_for(table.url, "kano1", None)
            assert (code, reason) == (1008, "no game came together in 0 s")
            assert table.waiting == ()

    asyncio.run(scene())


def test_votes_for_nobody_still_end_a_game() -> None:
    """Five guests that named nobody played thousands of days; an undecided game ends, and the report says so."""
    game = Game(contest_village(5), [f"kano{number}" for number in range(5)], SeededChance(1))
    step = game.start()
    while step is not None:
        assert isinstance(step, Deliver)
        wants = step.needs_reply
        step = game.answer(("Over" if step.packet.request == "TALK" else "nobody") if wants else None)
    report = report_on(game.events)
    assert report.days == LONGEST_GAME + 1
    assert report.winner == "NONE"
    assert report.warnings[-1] == f"the table ends a game that is undecided after day {LONGEST_GAME}"
