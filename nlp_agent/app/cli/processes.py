"""Work spread over the cores of this machine, with a progress bar on a terminal."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from nlp_agent.app.cli.screen import stderr
from nlp_agent.app.processes import cores, end_pool, new_pool, starting
from nlp_agent.errors import StudyError

if TYPE_CHECKING:
    from nlp_agent.net.stop import Stop

_IN = TypeVar("_IN")
_OUT = TypeVar("_OUT")


def spread(
    task: Callable[[_IN], _OUT],
    work: Sequence[_IN],
    jobs: int | None,
    title: str,
    *,
    total: int | None = None,
    weight: Callable[[_OUT], int] = lambda _: 1,
) -> Iterator[_OUT]:
    """Yield ``task`` of all ``work``, in order, worked out over ``jobs`` processes (None: one per core).

    The bar goes to ``total`` (None: as many as there is work), by ``weight`` of each result. Ctrl-C is raised here; the
    processes end with the iterator. Raises StudyError when one of them dies.
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
    pool = new_pool(jobs)
    try:
        with starting():
            results = pool.map(task, work)
        with _told_of_death():
            yield results
    finally:
        end_pool(pool, now=True)


async def spread_until(
    task: Callable[[_IN], _OUT], work: Iterable[_IN], jobs: int, stop: Stop
) -> AsyncGenerator[_OUT, None]:
    """Yield ``task`` of all ``work``, in order, worked out over ``jobs`` processes. The first stop lets what runs come
    to its end and begins nothing more, the second ends it at once. Raises StudyError when one of the processes dies.
    """
    loop, pool, todo = asyncio.get_running_loop(), new_pool(jobs), iter(work)
    running: deque[asyncio.Future[_OUT]] = deque()
    now = asyncio.ensure_future(stop.now.wait())

    try:
        while True:
            free = 0 if stop.soon.is_set() else jobs - sum(not one.done() for one in running)
            with starting():
                running.extend([loop.run_in_executor(pool, task, one) for one in islice(todo, free)])
            if not running:
                return
            unfinished: list[asyncio.Future[Any]] = [one for one in running if not one.done()]
            await asyncio.wait([now, *unfinished], return_when=asyncio.FIRST_COMPLETED)
            if now.done():
                return
            while running and running[0].done():
                with _told_of_death():
                    result = running.popleft().result()
                yield result
    finally:
        now.cancel()
        for one in running:
            one.cancel()
        end_pool(pool, now=bool(running))


@contextmanager
def _told_of_death() -> Iterator[None]:
    """Raises StudyError when one of the processes has died."""
    try:
        yield
    except BrokenExecutor:
        raise StudyError("a process was ended from outside, often for want of memory: try --jobs 1") from None


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error, as long as it is a terminal; what is yielded moves it on, and it is gone when it is
    over.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    screen = stderr()
    if not screen.is_terminal:
        yield lambda _: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda count: bar.advance(task, count)
