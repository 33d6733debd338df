"""Work spread over the cores of this machine, with a progress bar on a terminal."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TypeVar

from nlp_agent.app.cli.screen import stderr
from nlp_agent.app.leaks import secrets_hidden

_IN = TypeVar("_IN")
_OUT = TypeVar("_OUT")


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(
    task: Callable[[_IN], _OUT],
    work: Sequence[_IN],
    jobs: int | None,
    title: str,
    *,
    total: int | None = None,
    weight: Callable[[_OUT], int] = lambda _: 1,
) -> Iterator[_OUT]:
    """``task`` of all ``work``, in order, over ``jobs`` processes (None: one per core).

    The bar goes to ``total`` (None: as many as there is work), by ``weight`` of each result. Ctrl-C is raised here; the
    processes end with the iterator.
    """
    jobs = min(jobs or cores(), len(work))
    with progress(title, len(work) if total is None else total) as advance, _results(task, work, jobs) as results:
        for result in results:
            advance(weight(result))
            yield result


@contextmanager
def _results(task: Callable[[_IN], _OUT], work: Sequence[_IN], jobs: int) -> Iterator[Iterable[_OUT]]:
    if jobs <= 1:
        yield map(task, work)
        return
    # Processes inherit that Ctrl-C is none of theirs, and one thread each is all the arithmetic needs.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        with secrets_hidden():
            pool = get_context("spawn").Pool(jobs)
    finally:
        signal.signal(signal.SIGINT, before)
    with pool:
        yield pool.imap(task, work)


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """What moves a bar on standard error on, as long as it is a terminal; the bar is gone when it is over."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    screen = stderr()
    if not screen.is_terminal:
        yield lambda _: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda count: bar.advance(task, count)
