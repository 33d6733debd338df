"""Leaving in the middle of a game: once, twice, and not by choice. Real processes at a real table."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nlp_agent.arena.events import Answered, Dealt, DealtSeat, Ended, Event, Talked
from nlp_agent.arena.server import Table
from tests.commands import Command
from tests.faults.table import Slow
from tests.faults.trial import village_for

pytestmark = pytest.mark.slow

HINT = "Leaving after the running game"
TALKS_BEFORE = 6
CONFIG = """
web_socket: {{url: "{url}", auto_reconnect: true}}
agent: {{num: 5, team: wolf}}
language: en
records: {{dir: "{records}"}}
"""


class Witness:
    """What the table saw; ``busy`` is set in the middle of the game."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.busy = asyncio.Event()

    def __call__(self, _: str, event: Event) -> None:
        self.events.append(event)
        if sum(isinstance(each, Talked) for each in self.events) >= TALKS_BEFORE:
            self.busy.set()

    @property
    def seats(self) -> Sequence[DealtSeat]:
        return next(event.seats for event in self.events if isinstance(event, Dealt))

    def heard(self, seat: DealtSeat) -> list[str]:
        texts = [e.text for e in self.events if isinstance(e, Answered) and e.seat == seat.idx]
        return [text for text in texts if text is not None]


async def _leave(folder: Path, signals: Sequence[signal.Signals]) -> tuple[int, Witness]:
    """Start five seats, send ``signals`` in mid game, and wait for the process and, if it can, the game to end."""
    witness = Witness()
    village = village_for(5, "en", 60_000)
    slow = Slow(0.05, Random(1))
    async with (
        asyncio.timeout(300),
        Table(village, seed=3, on_event=witness, guest=slow.guest) as table,
    ):
        file = folder / "config.yml"
        file.write_text(CONFIG.format(url=table.url, records=folder / "records"), encoding="utf-8")
        with await asyncio.to_thread(Command, folder, "run", "-c", str(file)) as process:
            await witness.busy.wait()
            for number in signals:
                process.send_signal(number)
                if number is not signal.SIGKILL:
                    await asyncio.to_thread(_told, process)
            await asyncio.to_thread(process.communicate)
            if len(signals) == 1 and signals[0] is not signal.SIGKILL:
                await table.next_match()
    return process.wait(), witness


def _told(process: Command) -> None:
    """Wait for the hint, once: signals sent faster than they are read would become one."""
    while (line := process.stderr.readline()) and HINT not in line:
        pass


def _rows(folder: Path, seat: DealtSeat) -> list[dict[str, Any]]:
    (file,) = (folder / "records").rglob(f"{seat.guest}.jsonl")
    text = file.read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def _sent(rows: list[dict[str, Any]]) -> list[str]:
    return [row["sent"] for row in rows if row["event"] == "decision"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_finishes_the_running_game(tmp_path: Path, number: signal.Signals) -> None:
    """The game is played to FINISH, without a slip, and then the seats leave though they were to stay."""
    code, witness = asyncio.run(_leave(tmp_path, [number]))
    assert code == 130
    ended = witness.events[-1]
    assert isinstance(ended, Ended)
    assert not ended.aborted
    for seat in witness.seats:
        rows = _rows(tmp_path, seat)
        assert _sent(rows) == witness.heard(seat)
        assert json.loads(rows[-1]["raw"])["request"] == "FINISH"


def test_second_signal_leaves_at_once_with_whole_journals(tmp_path: Path) -> None:
    """The second signal leaves at once with whole journals.

    Nobody waits for the game; sockets are closed, and each journal tells all that went out.
    """
    code, witness = asyncio.run(_leave(tmp_path, [signal.SIGINT, signal.SIGINT]))
    assert code == 130
    assert not any(isinstance(event, Ended) and not event.aborted for event in witness.events)
    for seat in witness.seats:
        sent, heard = _sent(_rows(tmp_path, seat)), witness.heard(seat)
        assert sent[: len(heard)] == heard
        assert len(sent) <= len(heard) + 1


def test_kill_9_leaves_the_journals_whole(tmp_path: Path) -> None:
    """A kill -9 leaves the journals whole up to the last decision.

    No line is cut or missing; only what happened in that very instant may be untold.
    """
    code, witness = asyncio.run(_leave(tmp_path, [signal.SIGKILL]))
    assert code == -signal.SIGKILL
    assert sum(len(witness.heard(seat)) for seat in witness.seats) >= TALKS_BEFORE
    for seat in witness.seats:
        sent, heard = _sent(_rows(tmp_path, seat)), witness.heard(seat)
        shared = min(len(sent), len(heard))
        assert sent[:shared] == heard[:shared]
        assert abs(len(sent) - len(heard)) <= 1
