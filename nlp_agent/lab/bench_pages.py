"""What onlookers cost a table: fifty of them at one with thirteen players, in a process of their own.

    python -m nlp_agent.lab.bench_pages --readers 50 URL

is that process: it follows the feed at URL and writes, at the end of the input, one JSON object: for every message the
number of lines it brought up to, and when the slowest reader had it (seconds of the machine's clock).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from nlp_agent.app.config import AgentConfig, Config
from nlp_agent.app.wiring.persons import Unhurried
from nlp_agent.app.wiring.team import Team, now_folder
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Answered, Asked, Event
from nlp_agent.arena.lobby import Seating
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.net import Gate
from nlp_agent.protocol import Request
from nlp_agent.records.folders import RecordFolders
from nlp_agent.records.summary import percentile
from nlp_agent.web.app import build
from nlp_agent.web.play_table import Onlookers, TableWithPages
from nlp_agent.web.play_village import VillageOrder
from nlp_agent.web.runner import WebServer
from nlp_agent.web.watch_pages import WatchPages

PLAYERS, READERS = 13, 50
_SEED = 1
_PAUSE = 0.05
"""Seconds that a seat takes for a talk, as a quick model would; they are not counted."""


@dataclass(slots=True)
class WatchedGame:
    """``replies``: milliseconds from each TALK to its answer, the pause not counted. ``updates``: milliseconds from a
    line's event until the slowest reader had it."""

    replies: list[float] = field(default_factory=list)
    updates: list[float] = field(default_factory=list)

    @property
    def reply(self) -> float:
        return statistics.median(self.replies)

    def update(self, share: float) -> float:
        return percentile(self.updates, share)


async def watched_game(readers: int) -> WatchedGame:
    """One game without a model, seen by so many."""
    found, asked, lines = WatchedGame(), 0.0, list[float]()
    shown = TableWithPages(VillageOrder({}, "en", ()), [], Onlookers(lambda *_: ()), lambda: 0)

    def hear(_: str, event: Event) -> None:
        nonlocal asked
        if isinstance(event, Asked) and event.request is Request.TALK:
            asked = time.perf_counter()
        elif isinstance(event, Answered) and event.request is Request.TALK:
            found.replies.append((time.perf_counter() - asked - _PAUSE) * 1000)
        before = shown.onlookers.feeds[False].length
        shown.on_event(event)
        lines.extend([time.time()] * (shown.onlookers.feeds[False].length - before))

    with tempfile.TemporaryDirectory() as folder:
        config = Config(agent=AgentConfig(num=PLAYERS), language="en")
        team = Team(config, RecordFolders(Path(folder), now_folder), Gate())
        await team.prepare()
        village = contest_village(PLAYERS, "en")
        table = Table(village, cast=load_cast("en"), seed=_SEED, seating=Seating.ANY, on_event=hear)
        async with WebServer(build([WatchPages(lambda _: shown)])) as pages, table:
            looking = await _readers(f"{pages.url}/watch/x/events", readers, shown)
            await _play(team, table)
            await asyncio.sleep(0.2)
            arrived = await _arrivals(looking)
    # A message may bring several lines: the first of them has waited longest.
    for place, told in enumerate(lines, start=1):
        brought = next((when for count, when in arrived if count >= place), None)
        if brought is not None:
            found.updates.append((brought - told) * 1000)
    return found


async def _play(team: Team, table: Table) -> None:
    seats = {name: team.seat(name, _SEED) for name in team.names()}
    sessions = [
        asyncio.create_task(team.session(table.url, name, Unhurried(seat, _PAUSE), journal, lambda _: None).play())
        for name, (seat, journal) in seats.items()
    ]
    await table.next_match()
    await asyncio.gather(*sessions)
    for _, journal in seats.values():
        journal.close()


async def _readers(url: str, count: int, shown: TableWithPages) -> asyncio.subprocess.Process | None:
    if not count:
        return None
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "nlp_agent.lab.bench_pages", "--readers", str(count), url),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    while shown.onlookers.feeds[False].readers < count:  # noqa: ASYNC110 - it is another process that comes
        await asyncio.sleep(0.01)
    return process


async def _arrivals(process: asyncio.subprocess.Process | None) -> list[tuple[int, float]]:
    if process is None:
        return []
    told, _ = await process.communicate(b"\n")
    return [(count, when) for count, when in json.loads(told)]


# --- the readers' process --------------------------------------------------------------------------------------


async def follow(url: str, readers: int) -> list[tuple[int, float]]:
    """For each number of lines when the last of all readers had that many."""
    latest: dict[int, float] = {}
    place = urlsplit(url)

    async def read() -> None:
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        writer.write(f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        async for line in reader:
            if line.startswith(b"id: "):
                latest[int(line.partition(b".")[2])] = time.time()

    following = [asyncio.create_task(read()) for _ in range(readers)]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    for task in following:
        task.cancel()
    return sorted(latest.items())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m nlp_agent.lab.bench_pages", description=__doc__)
    parser.add_argument("--readers", type=int, default=READERS)
    parser.add_argument("url")
    told = parser.parse_args(arguments)
    print(json.dumps(asyncio.run(follow(told.url, told.readers))))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
