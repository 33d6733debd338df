"""A table of our own that is asked to close."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from websockets.asyncio.client import connect

from nlp_agent.app.wiring import TableOptions, serve_table
from nlp_agent.arena.events import Dealt, Event
from nlp_agent.net import Stop


def test_one_stop_lets_the_first_game_of_a_table_finish(tmp_path: Path) -> None:
    """The table was still waiting for guests when it was last asked about games; the one that began is played on.

    How long it waits for an answer is told to the guests.
    """
    stop = Stop()
    events: list[Event] = []
    played_on = asyncio.Event()
    url: list[str] = []
    limits: set[str] = set()
    opened = asyncio.Event()

    def heard(event: Event) -> None:
        events.append(event)
        if isinstance(event, Dealt):
            stop.request()
        if len(events) > 200:
            played_on.set()

    def told(status: str) -> None:
        if "open at " in status:
            url.append(status.partition("open at ")[2].split(" ")[0])
            opened.set()

    async def guest(name: str) -> None:
        async with connect(url[0], ping_interval=None) as socket:
            await socket.recv()
            await socket.send(name)
            async for frame in socket:
                limits.update(re.findall(r'"action": *([0-9]+)', str(frame)))
                if any(f'"request":"{asks}"' in str(frame) for asks in ("TALK", "VOTE", "DIVINE", "ATTACK")):
                    await socket.send("Over")

    async def main() -> None:
        options = TableOptions(5, "en", 1, None, tmp_path, timeout=90_000)
        serving = asyncio.create_task(serve_table(options, heard, told, stop))
        await opened.wait()
        guests = [asyncio.create_task(guest(f"team{number}")) for number in range(5)]
        await asyncio.wait({serving, asyncio.ensure_future(played_on.wait())}, return_when=asyncio.FIRST_COMPLETED)
        assert not serving.done()
        stop.request()
        await serving
        for each in guests:
            each.cancel()
        await asyncio.gather(*guests, return_exceptions=True)

    asyncio.run(asyncio.wait_for(main(), 30))
    assert played_on.is_set()
    assert limits == {"90000"}
