"""What ``run --watch`` costs a reply: decisions written to a journal with and without a page, in turn.

The page is open meanwhile: its process takes the rows, and a reader follows it. What a seat pays lies between its
decision and the next thing it does, so the time that writing a row takes is measured.
"""

from __future__ import annotations

import queue
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from nlp_agent.app.wiring.watching import Watch
from nlp_agent.records.journal import Journal

_PAUSE = 0.004
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
                time.sleep(_PAUSE)
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
def _page() -> Iterator[tuple[Watch, list[int]]]:
    """A page with a reader, and how many bytes that has got."""
    urls: queue.Queue[str] = queue.Queue()
    got = [0]
    with Watch(0, urls.put, urls.put) as watch:
        reader = threading.Thread(target=_follow, args=(urls.get(timeout=60), got), daemon=True)
        reader.start()
        yield watch, got
    reader.join(5)


def _follow(url: str, got: list[int]) -> None:
    with suppress(OSError), urlopen(f"{url}events", timeout=60) as stream:
        while line := stream.readline():
            got[0] += len(line)
