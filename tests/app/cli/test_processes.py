"""Work spread over processes, while somebody may stop it."""

from __future__ import annotations

import asyncio
import os

import pytest

from nlp_agent.app.cli.processes import spread, spread_until
from nlp_agent.errors import StudyError
from nlp_agent.net.stop import Stop


def _leave(number: int) -> int:
    if number == 3:
        os._exit(9)
    return number


def test_killed_process_is_reported() -> None:
    """A process that is ended from outside is told.

    What was done before stays done, and nothing is waited for that will never come.
    """
    done = []

    async def main() -> None:
        async for number in spread_until(_leave, range(1, 9), 1, Stop()):
            done.append(number)

    with pytest.raises(StudyError, match="--jobs 1"):
        asyncio.run(main())
    assert done == [1, 2]


def test_killed_process_is_not_waited_for() -> None:
    """A process that is ended from outside is not waited for.

    Whoever asked for all results learns that they will never come.
    """
    with pytest.raises(StudyError, match="ended from outside"):
        list(spread(_leave, range(1, 9), 2, "Games"))


def test_a_stop_begins_nothing_more() -> None:
    """What runs then comes to its end, and is told."""
    done = []

    async def main() -> None:
        stop = Stop()
        async for number in spread_until(abs, range(1000), 2, stop):
            done.append(number)
            stop.request()

    asyncio.run(main())
    assert done in ([0], [0, 1], [0, 1, 2])
