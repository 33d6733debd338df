"""Who plays the games: processes of this machine or a dask cluster, and what each of them does.

A worker needs this package and, for contestants that have them, keys in its environment and the folders of foreign
agents. Nothing is written where it works: what came of a game travels back with the result.
"""

from __future__ import annotations

import logging
import os
import socket
import time
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlp_agent import __version__
from nlp_agent.app.processes import end_pool, new_pool
from nlp_agent.app.secrets import secret_variable
from nlp_agent.errors import ConfigError, StudyError, without_extra
from nlp_agent.tournament.contestant_files import ArrivedContestant, PackedContestant, unpack_contestant
from nlp_agent.tournament.deals import Fixture
from nlp_agent.tournament.plan import VillageSpec
from nlp_agent.tournament.playing import game_row
from nlp_agent.tournament.rows import GameRow

# --- What a worker does, wherever it is ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    """Games that are played one after another, with all that a worker needs for them. ``full`` as in a plan."""

    fixtures: tuple[Fixture, ...]
    villages: dict[str, VillageSpec]
    baggage: tuple[PackedContestant, ...]
    full: bool
    version: str = __version__


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of one game, as a worker sends it: its row, and the files of its records, each compressed."""

    row: GameRow
    files: dict[str, bytes]

    def unpacked(self) -> dict[str, bytes]:
        """The files of the game's records, decompressed, by name."""
        return {name: zlib.decompress(data) for name, data in self.files.items()}


def play_task(task: Task) -> list[GameResult]:
    """Play all games of ``task``, one after another. Raises ConfigError for what is missing here, before any game is
    begun.
    """
    missing = missing_on_worker(task.baggage, task.version)
    if missing:
        raise ConfigError(f"worker {worker_name()} {'; '.join(missing)}")
    invited = {one.name: unpack_contestant(one) for one in task.baggage}
    return [_play_fixture(fixture, task, invited) for fixture in task.fixtures]


def missing_on_worker(baggage: Iterable[PackedContestant], version: str) -> list[str]:
    """Tell what this worker is short of to play these contestants, a line each; an empty list when it can."""
    found = []
    if version != __version__:
        found.append(f"has nlp-agent {__version__}, the tournament is of {version}: install the same")
    for one in baggage:
        invited = unpack_contestant(one).contestant
        if unset := [key for key in one.keys if not secret_variable(invited.config, key)]:
            found.append(f"lacks {', '.join(unset)} for {one.name}: set it in its environment")
        if one.folder and not Path(one.folder).is_dir():
            found.append(f"has no folder {one.folder} for {one.name}: put the agent there")
    return found


def worker_name() -> str:
    """The name of this worker: its host and its process."""
    return f"{socket.gethostname()}:{os.getpid()}"


def _play_fixture(fixture: Fixture, task: Task, invited: dict[str, ArrivedContestant]) -> GameResult:
    spec = task.villages[fixture.deal.group]
    quick = spec.talk == "turns" and all(invited[name].contestant.quick for name in fixture.seats)
    if quick and not task.full:
        from nlp_agent.tournament.playing import play_in_engine  # noqa: PLC0415

        played, files = play_in_engine(fixture, spec, invited)
    else:
        from nlp_agent.tournament.playing import play_at_table  # noqa: PLC0415

        played, files = play_at_table(fixture, spec, invited, full=task.full)
    return GameResult(
        game_row(fixture, played, worker_name()), {name: zlib.compress(data) for name, data in files.items()}
    )


# --- Who plays the games ---------------------------------------------------------------------------------------------


_NOISY_LOGGERS = (
    "distributed.client",
    "distributed.utils",
    "distributed.core",
    "distributed.nanny",
    "distributed.scheduler",
)
CLUSTER_PATIENCE = "20s"
"""How long a scheduler may take to answer."""

_COUNT_AGAIN = 1.0
"""Seconds after which a cluster's workers are counted again."""


class Processes:
    """A pool of ``jobs`` processes of this machine; with one there is just that one process."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        # Read when numpy is loaded there: one thread each is all the arithmetic needs.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        self._pool = new_pool(self._jobs)

    @property
    def executor(self) -> Executor:
        """The pool of processes on this machine."""
        return self._pool

    def workers(self) -> int:
        """The number of processes, which never changes."""
        return self._jobs

    def check(self, baggage: Sequence[PackedContestant], version: str) -> None:
        """Make sure that this machine has what the contestants need: its processes have what this one has.

        Raises ConfigError that names what is missing.
        """
        if missing := missing_on_worker(baggage, version):
            raise ConfigError(f"this machine {'; '.join(missing)}")

    def died(self, error: BaseException) -> bool:
        """Tell whether ``error`` says that a process of the pool died."""
        return isinstance(error, BrokenExecutor)

    def renew(self, executor: Executor) -> None:
        """Begin a new pool in place of ``executor``, in which a worker has died: the death of one process takes the
        pool with it, and the games of all.
        """
        if executor is self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = new_pool(self._jobs)

    def close(self, *, now: bool) -> None:
        """End the processes; with ``now``, running games are given up."""
        end_pool(self._pool, now=now)


class Cluster:
    """A dask cluster: ``tcp://host:port`` of a scheduler, or ``local:N`` for one of N workers on this machine.

    Raises ConfigError for an address that is neither of these, where dask is not installed, and when no scheduler
    answers.
    """

    def __init__(self, address: str) -> None:
        distributed = _dask()
        self._address, self._cluster = address, None
        kind, _, count = address.partition(":")
        if kind == "local":
            if not count.isdecimal() or int(count) < 1:
                raise ConfigError(f"{address!r} is no cluster: write local:2, or tcp://host:8786")
            self._cluster = distributed.LocalCluster(
                n_workers=int(count),
                threads_per_worker=1,
                dashboard_address=None,
                processes=True,
                silence_logs=logging.CRITICAL,
            )
        try:
            self._client: Any = distributed.Client(self._cluster or address, timeout=CLUSTER_PATIENCE)
        except (OSError, ValueError) as error:
            raise ConfigError(f"no dask scheduler answers at {address}: {error}") from None
        self._executor: Executor = self._client.get_executor(pure=False)
        self._workers, self._counted = 1, 0.0

    @property
    def executor(self) -> Executor:
        """The cluster's executor, to which games are given."""
        return self._executor

    def workers(self) -> int:
        """The number of threads of all workers, counted anew now and then. Raises StudyError when the scheduler is
        gone.
        """
        self._alive()
        if time.monotonic() - self._counted >= _COUNT_AGAIN:
            try:
                self._workers = max(1, sum(int(count) for count in self._client.nthreads().values()))
            except OSError:
                raise self._gone() from None
            self._counted = time.monotonic()
        return self._workers

    def check(self, baggage: Sequence[PackedContestant], version: str) -> None:
        """Make sure that every worker there is now has what the contestants need; one that comes later checks itself
        before its first game.

        Raises ConfigError that names what a worker is missing.
        """
        self._client.wait_for_workers(1, timeout=CLUSTER_PATIENCE)
        try:
            found = self._client.run(missing_on_worker, tuple(baggage), version)
        except ModuleNotFoundError as error:
            raise ConfigError(
                f"a worker of the cluster has no {error.name}. {without_extra('it', 'cluster')}"
            ) from None
        for worker, missing in found.items():
            if missing:
                raise ConfigError(f"worker {worker} {'; '.join(missing)}")

    def died(self, error: BaseException) -> bool:
        """Tell whether ``error`` says that a worker of the cluster died, or that the scheduler gave its task up."""
        return isinstance(error, CancelledError) or type(error).__name__ in ("KilledWorker", "FutureCancelledError")

    def renew(self, executor: Executor) -> None:
        """Go on: the cluster has given its tasks to others, or new workers, by itself. Raises StudyError when the
        scheduler is gone.
        """
        self._alive()

    def _alive(self) -> None:
        if self._client.status != "running":
            raise self._gone()

    def _gone(self) -> StudyError:
        return StudyError(f"the cluster at {self._address} is gone; run the same command again to go on")

    def close(self, *, now: bool) -> None:
        """Leave the cluster, and end it if this process began it."""
        with suppress(Exception):  # whatever a scheduler that is gone may answer
            self._client.close(timeout=5)
        if self._cluster is not None:
            self._cluster.close(timeout=5)


def _dask() -> Any:
    try:
        import distributed  # noqa: PLC0415 - an extra, and slow to load
    except ImportError:
        raise ConfigError(without_extra("a cluster", "cluster")) from None
    # What dies is told by the tournament; dask would add pages of its own inside.
    for name in ("distributed", *_NOISY_LOGGERS):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


Executors = Processes | Cluster
"""Those who play the games."""


def open_executors(cluster: str, jobs: int) -> Executors:
    """Open the workers that play games: ``cluster`` when there is one, else ``jobs`` processes. Raises ConfigError when
    it cannot be had.
    """
    return Cluster(cluster) if cluster else Processes(jobs)
