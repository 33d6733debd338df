"""Our seats in a village that chats, at a whole table: with each other, and with guests that flood it."""

from __future__ import annotations

import asyncio
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from nlp_agent.arena.events import Talked
from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.arena.server import Table
from nlp_agent.arena.table import Match
from nlp_agent.arena.village import contest_village
from nlp_agent.net import EntryLock, Session
from nlp_agent.protocol import OVER, Request, parse_packet
from tests.arena.seats import other
from tests.net.test_groupchat import new_seat
from tests.net.test_session import Notes


async def chatterbox(url: str, name: str) -> None:
    """Says far more than it may, at once, whenever a phase begins or somebody speaks."""
    async with connect(url, ping_interval=None, compression=None) as connection:
        try:
            while True:
                packet = parse_packet(await connection.recv())
                if packet.request == "NAME":
                    await connection.send(name)
                elif packet.needs_reply:
                    await connection.send(other(packet))
                elif packet.kind is Request.TALK_PHASE_START:
                    for number in range(50):
                        await connection.send(f"I suspect everybody and I say so for the time number {number}.")
        except ConnectionClosed:
            return


def test_two_seats_among_three_chatterboxes_keep_their_words() -> None:
    """Floods at the limit take nothing from ours: each speaks every day it lives, in time, and nothing is dropped."""

    async def main() -> Match:
        loop, entry = asyncio.get_running_loop(), EntryLock()
        village = contest_village(5, duration=600_000, max_day=2)
        table = Table(village, seed=4, now_ms=lambda: int(loop.time() * 1000))
        async with table, asyncio.timeout(1800):
            seats = [
                Session(table.url, f"ours{n}", new_seat(seed=n), Notes(), clock=loop.time, entry=entry) for n in (1, 2)
            ]
            sitting: list[asyncio.Task[Any]] = [asyncio.create_task(session.play()) for session in seats]
            sitting += [asyncio.create_task(chatterbox(table.url, f"loud{n}")) for n in (1, 2, 3)]
            match = await table.next_match()
            await asyncio.gather(*sitting)
            return match

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        match = runner.run(main())
    assert not match.report.aborted
    for report in match.report.seats:
        if not report.seat.guest.startswith("ours"):
            continue
        assert (report.illegal, report.late, report.dropped) == (0, 0, 0)
        said = {e.day for e in match.events if isinstance(e, Talked) and e.seat == report.seat.idx and e.text != OVER}
        assert said >= {0, 1}
