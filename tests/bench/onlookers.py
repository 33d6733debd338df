"""What pages cost those who play: ``run --watch`` a reply, and fifty onlookers a table with thirteen players.

``python -m tests.bench.onlookers --readers 50 URL`` is the process of the fifty: it follows the event stream at URL and
writes, at the end of its input, one JSON object: for every message the number of lines it brought up to, and when the
slowest reader had it (seconds of the machine's clock).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import queue
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from nlp_agent.app.config import AgentConfig, Config
from nlp_agent.app.wiring.human_players import PacedSeat
from nlp_agent.app.wiring.monitor import MonitorProcess
from nlp_agent.app.wiring.team import Team, now_folder
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Answered, Asked, Event
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.net import EntryLock
from nlp_agent.protocol import Request
from nlp_agent.records.game_files import RecordFolders
from nlp_agent.records.journal import Journal
from nlp_agent.records.summary import percentile
from nlp_agent.web.app import WebServer, build
from nlp_agent.web.table import Onlookers, TableWithPages
from nlp_agent.web.table_pages import WatchPages
from nlp_agent.web.village_order import VillageOrder

# --- What ``run --watch`` costs a reply ------------------------------------------------------------------------------


_ROW_PAUSE = 0.004
"""Seconds between two rows, in which page and thread get to work."""


@dataclass(frozen=True, slots=True)
class WatchCost:
    """Milliseconds of writing one row: the median without a page, what a page adds to it, and to the slowest of a
    hundred. ``read``: bytes that the reader of the page got.
    """

    rows: int
    plain_ms: float
    added_ms: float
    added_worst_ms: float
    read: int


def watch_cost(rows: int = 400) -> WatchCost:
    """Of ``rows`` decisions each way."""
    spent: dict[bool, list[float]] = {True: [], False: []}
    with tempfile.TemporaryDirectory() as folder, _page() as (watch, got):
        journals = {
            True: Journal(_stamp, lambda event, row: watch.channel.put("bench1", event, row)),
            False: Journal(_stamp),
        }
        for watched, journal in journals.items():
            journal.open(Path(folder) / f"{watched}.jsonl")
        for number in range(rows):
            for watched, journal in journals.items():
                row = _decision(number)
                started = time.perf_counter()
                journal.write("decision", row)
                spent[watched].append((time.perf_counter() - started) * 1000)
                time.sleep(_ROW_PAUSE)
        for journal in journals.values():
            journal.close()
        read = got[0]
    plain, watched_ms = spent[False], spent[True]
    added = statistics.median(watched_ms) - statistics.median(plain)
    slow = (statistics.quantiles(times, n=100)[98] for times in (watched_ms, plain))
    return WatchCost(rows, statistics.median(plain), added, next(slow) - next(slow), read)


def _stamp() -> str:
    return "2026-01-01T00:00:00.000+00:00"


def _decision(number: int) -> dict[str, Any]:
    """A decision as large as those of a game of five with a model."""
    wolf = dict.fromkeys(("Ann", "Ben", "Cleo", "Dan"), 0.25)
    return {
        "request": "TALK",
        "day": 1,
        "sent": f"Number {number}: I would like to know why that vote was cast.",
        "how": "llm",
        "heard": ["Ann: INQUIRE ANY (ESTIMATE ANY ANY)"] * 4,
        "posterior": {"wolf": wolf, "roles": {name: {"VILLAGER": 0.5, "WEREWOLF": 0.5} for name in wolf}},
        "plan": {"acts": [{"kind": "vote", "target": "Ben"}], "vote": "Ben"},
        "system": "s" * 3000,
        "user": "u" * 1500,
        "raw": "r" * 300,
        "ms": 900.0,
        "left_s": 54.1,
    }


@contextmanager
def _page() -> Iterator[tuple[MonitorProcess, list[int]]]:
    """A page whose reader has begun to read, and how many bytes that has got."""
    urls: queue.Queue[str] = queue.Queue()
    got, reading = [0], threading.Event()
    with MonitorProcess(0, urls.put, urls.put) as watch:
        reader = threading.Thread(target=_follow, args=(urls.get(timeout=60), got, reading), daemon=True)
        reader.start()
        if not reading.wait(60):
            raise RuntimeError("the page sent nothing to its reader")
        yield watch, got
    reader.join(5)


def _follow(url: str, got: list[int], reading: threading.Event) -> None:
    with suppress(OSError), urlopen(f"{url}events", timeout=60) as stream:
        while line := stream.readline():
            got[0] += len(line)
            reading.set()


# --- What onlookers cost a table -------------------------------------------------------------------------------------


PLAYERS, READERS = 13, 50
_SEED = 1
_TALK_PAUSE = 0.05
"""Seconds that a seat takes for a talk, as a quick model would; they are not counted."""


@dataclass(slots=True)
class OnlookerTimes:
    """``replies``: milliseconds from each TALK to its answer, the pause not counted. ``updates``: milliseconds from a
    line's event until the slowest reader had it."""

    replies: list[float] = field(default_factory=list)
    updates: list[float] = field(default_factory=list)

    @property
    def reply(self) -> float:
        return statistics.median(self.replies)

    def update(self, share: float) -> float:
        return percentile(self.updates, share)


async def watched_game(readers: int) -> OnlookerTimes:
    """One game without a model, seen by so many."""
    found, asked, lines = OnlookerTimes(), 0.0, list[float]()
    shown = TableWithPages(VillageOrder({}, "en", ()), [], Onlookers())

    def hear(_: str, event: Event) -> None:
        nonlocal asked
        if isinstance(event, Asked) and event.request is Request.TALK:
            asked = time.perf_counter()
        elif isinstance(event, Answered) and event.request is Request.TALK:
            found.replies.append((time.perf_counter() - asked - _TALK_PAUSE) * 1000)
        before = len(shown.onlookers.streams[False]._lines)
        shown.on_event(event)
        lines.extend([time.time()] * (len(shown.onlookers.streams[False]._lines) - before))

    with tempfile.TemporaryDirectory() as folder:
        config = Config(agent=AgentConfig(num=PLAYERS), language="en")
        team = Team(config, RecordFolders(Path(folder), now_folder), EntryLock())
        await team.prepare()
        village = contest_village(PLAYERS, "en")
        table = Table(village, cast=load_cast("en"), seed=_SEED, on_event=hear)
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
        asyncio.create_task(team.session(table.url, name, PacedSeat(seat, _TALK_PAUSE), journal, lambda _: None).play())
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
        *(sys.executable, "-m", "tests.bench.onlookers", "--readers", str(count), url),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    while shown.onlookers.streams[False].readers < count:  # noqa: ASYNC110 - it is another process that comes
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
    parser = argparse.ArgumentParser(prog="python -m tests.bench.onlookers", description=__doc__)
    parser.add_argument("--readers", type=int, default=READERS)
    parser.add_argument("url")
    told = parser.parse_args(arguments)
    print(json.dumps(asyncio.run(follow(told.url, told.readers))))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
