"""``kill -9`` of whoever takes part, in the middle: when the same command has been run to its end, each deal is there
once, and the outcome is that of a tournament in which nobody died.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from nlp_agent.tournament.plan import load_plan
from nlp_agent.tournament.rows import read_rows
from tests.commands import Command
from tests.tournament.inline import Inline, play
from tests.web.browser import running

pytestmark = pytest.mark.slow

GAMES = 12
FILE = f"""
contestants:
  plain: {{}}
  slow: {{strategy: "tests.tournament.slow:Slow"}}
games: {GAMES}
"""
PATIENCE = 300.0
ROOT = Path(__file__).parents[2]


def _tournament(folder: Path, *options: str) -> Command:
    return Command(folder, "tournament", "t.yml", "--out", "out", *options)


def _until(happened: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.02)


def _some_games(folder: Path) -> None:
    had = len(list(read_rows(folder / "out")))
    _until(lambda: len(list(read_rows(folder / "out"))) > had, "more games")


def _ended(command: Command) -> tuple[int, str]:
    """The exit code, and what was told."""
    _, told = command.communicate(PATIENCE)
    return command.wait(), told


@contextmanager
def _none_left(*processes: Command | psutil.Popen) -> Iterator[None]:
    try:
        yield
    finally:
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                for one in _children(process):
                    with suppress(psutil.NoSuchProcess):
                        one.kill()
            with process:
                process.kill()


def _children(process: Command | psutil.Popen) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def _workers(command: Command) -> list[psutil.Process]:
    return [one for one in _children(command) if "resource_tracker" not in " ".join(one.cmdline())]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    """The outcome of the tournament when nobody dies, in this process."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "t.yml").write_text(FILE, encoding="utf-8")
    play(load_plan(folder / "t.yml"), folder / "out", Inline(real=True))
    return _outcome(folder)


def _outcome(folder: Path) -> list[tuple[object, ...]]:
    rows = sorted(read_rows(folder / "out"), key=lambda row: row.game)
    assert set(Counter(row.game for row in rows).values()) == {1}
    assert all((folder / "out" / row.records / "game.log").is_file() for row in rows)
    return [
        (row.game, row.winner, row.days, [(seat.contestant, seat.role, seat.votes) for seat in row.seats])
        for row in rows
    ]


def test_processes_and_the_command_itself_may_die(tmp_path: Path, undisturbed: list[tuple[object, ...]]) -> None:
    """A worker is killed, then the command; its other workers end by themselves; run again all is as if nothing was."""
    (tmp_path / "t.yml").write_text(FILE, encoding="utf-8")
    first = _tournament(tmp_path, "--jobs", "2")
    with _none_left(first):
        _some_games(tmp_path)
        _workers(first)[0].kill()
        # Whatever was begun or given out by then is given out again.
        _until(lambda: any(row.tries == 2 for row in read_rows(tmp_path / "out")), "a game that is played again")
        orphans = _workers(first)
        first.kill()
        first.wait(PATIENCE)
        _until(lambda: not any(one.is_running() and one.status() != "zombie" for one in orphans), "orphans to end")
    assert len(list(read_rows(tmp_path / "out"))) < GAMES
    again = _tournament(tmp_path, "--jobs", "1")
    with _none_left(again):
        assert _ended(again)[0] == 0
    assert _outcome(tmp_path) == undisturbed


def test_a_cluster_may_lose_workers_and_its_scheduler(tmp_path: Path, undisturbed: list[tuple[object, ...]]) -> None:
    """A killed worker's game goes to another; without a scheduler the command says so; with a new one at the same
    address it goes on, and with another cluster, here ``local:2``; there a worker that is killed is replaced."""
    (tmp_path / "t.yml").write_text(FILE, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    scheduler, workers = _cluster(tmp_path, address)
    first = _tournament(tmp_path, "--cluster", address)
    with _none_left(first, scheduler, workers):
        _some_games(tmp_path)
        next(one for one in workers.children(recursive=True) if "spawn_main" in " ".join(one.cmdline())).kill()
        _some_games(tmp_path)
        scheduler.kill()
        code, told = _ended(first)
    assert (code, "is gone; run the same command again to go on" in told) == (2, True)
    with running(lambda: _cluster_here(tmp_path, port)), _none_left(_tournament(tmp_path, "--cluster", address)):
        _some_games(tmp_path)
    assert len(list(read_rows(tmp_path / "out"))) < GAMES
    again = _tournament(tmp_path, "--cluster", "local:2")
    with _none_left(again):
        _some_games(tmp_path)
        _workers(again)[0].kill()
        assert _ended(again)[0] == 0
    assert _outcome(tmp_path) == undisturbed


def _cluster(folder: Path, address: str) -> tuple[psutil.Popen, psutil.Popen]:
    host, port = address.removeprefix("tcp://").split(":")
    scheduler = _started("scheduler", "--host", host, "--port", port)
    size = ("--nworkers", "2", "--nthreads", "1", "--local-directory", str(folder / "dask"))
    return scheduler, _started("worker", address, *size)


@asynccontextmanager
async def _cluster_here(folder: Path, port: int) -> AsyncIterator[None]:
    """One of a single worker, in this process."""
    from distributed import Scheduler, Worker

    quiet: dict[str, Any] = {"dashboard": False, "dashboard_address": ":0"}
    async with (
        Scheduler(host="127.0.0.1", port=port, **quiet) as scheduler,
        Worker(scheduler.address, nthreads=1, local_directory=str(folder / "dask"), **quiet),
    ):
        yield


def _started(what: str, *arguments: str) -> psutil.Popen:
    command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments, "--no-dashboard"]
    return psutil.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
