"""What takes seconds a game and more, worked out in threads and kept for whoever asks next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

KEPT = 20
"""Games of which the work is remembered."""


class Job(Protocol):
    """A piece of work for a thread. It ends soon once it is ``given_up``, and never raises."""

    given_up: bool

    def work(self) -> None:
        """Do it."""


J = TypeVar("J", bound=Job)


class KeptJobs(Generic[J]):
    """Jobs by key, each begun with the first question; the oldest are given up."""

    def __init__(self, name: str, threads: int = 1) -> None:
        self._jobs: OrderedDict[Hashable, J] = OrderedDict()
        self._threads = ThreadPoolExecutor(threads, name)

    def of(self, key: Hashable, make: Callable[[], J]) -> J:
        """The job of that ``key``, which ``make`` makes where there is none yet."""
        if key not in self._jobs:
            self._jobs[key] = job = make()
            self._threads.submit(job.work)
            while len(self._jobs) > KEPT:
                self._jobs.popitem(last=False)[1].given_up = True
        return self._jobs[key]

    def close(self) -> None:
        """Give up what nobody will look at."""
        for job in self._jobs.values():
            job.given_up = True
        self._threads.shutdown(wait=False, cancel_futures=True)
