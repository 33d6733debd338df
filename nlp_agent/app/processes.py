"""Processes that share work on this machine: how many there may be, and how they begin and end.

What a terminal shows of such work is :mod:`nlp_agent.app.cli.processes`.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process

from nlp_agent.app.leaks import secrets_hidden


def cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def starting() -> Iterator[None]:
    """Prepare for starting processes: those started inside inherit that Ctrl-C is none of theirs, and no key; one
    thread each is all the arithmetic needs. A Ctrl-C meanwhile comes afterwards.
    """
    mask = getattr(signal, "pthread_sigmask", None)  # Windows has none: there only workers that have begun ignore it
    before = mask(signal.SIG_BLOCK, {signal.SIGINT}) if mask else ()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        with secrets_hidden():
            yield
    finally:
        if mask:
            mask(signal.SIG_SETMASK, before)


_MOST_PROCESSES = 61
"""Windows can wait for no more at once."""


def new_pool(jobs: int) -> ProcessPoolExecutor:
    """A pool of ``jobs`` processes that are started anew, as on every system, and that no Ctrl-C ends."""
    if os.name == "nt":
        jobs = min(jobs, _MOST_PROCESSES)
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_enter)


def end_pool(pool: ProcessPoolExecutor, *, now: bool) -> None:
    """End a pool of processes; with ``now``, whatever it still works at is given up, otherwise it is waited for."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=not now, cancel_futures=True)
    for process in processes if now else ():
        with suppress(ValueError, OSError):
            process.kill()


_SPARE_OBJECTS = 50_000
"""New objects between two searches for garbage: a game makes many, and hardly any of it is garbage in a circle."""


def _enter() -> None:
    """For a process that is to be a worker: Ctrl-C is none of its, and it ends with the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(_SPARE_OBJECTS, 20, 20)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.join,), daemon=True).start()


def _end_with(wait: Callable[[], None]) -> None:
    wait()
    # Its queue never ends: the other workers have inherited the writing end of the pipe. So it would wait for ever.
    os._exit(1)
