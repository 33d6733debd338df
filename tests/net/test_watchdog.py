"""A loop that does not turn is noticed, and what holds it is broken off where that does no harm."""

from __future__ import annotations

import asyncio
import logging
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from nlp_agent.game import SeatState
from nlp_agent.net.watchdog import Watchdog
from nlp_agent.seat.log import SeatLog


class Rows(list[dict[str, Any]]):
    def write(self, event: str, row: Mapping[str, Any]) -> None:
        self.append({"event": event, **row})


def for_ever() -> None:
    while True:
        pass


def _held(work: Callable[[], None]) -> Rows:
    """What the journal has of ``work``, done within a seat while a watchdog of little patience looks on."""
    rows = Rows()

    async def main() -> None:
        with Watchdog(asyncio.get_running_loop(), 0.2):
            SeatLog(rows, SeatState()).guarded("thinking", work, None)
            await asyncio.sleep(0)

    asyncio.run(main())
    return rows


@pytest.mark.parametrize("work", [for_ever, lambda: time.sleep(3600)], ids=["computes", "sleeps"])
def test_work_that_holds_the_loop_is_broken_off_and_named(
    work: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    """The seat goes on as after any failure of its own; log and journal name the place."""
    with caplog.at_level(logging.WARNING, "nlp_agent.net"):
        (crash,) = _held(work)
    assert crash["event"] == "crash"
    assert "the event loop stood still" in crash["traceback"]
    assert "test_watchdog.py" in crash["traceback"]
    assert "test_watchdog.py line" in caplog.messages[0]


def test_work_is_broken_off_only_where_its_failure_is_caught() -> None:
    """What no seat has asked for is told, and left alone."""

    async def main() -> None:
        with Watchdog(asyncio.get_running_loop(), 0.05):
            end = time.monotonic() + 0.3
            while time.monotonic() < end:
                pass

    asyncio.run(main())


def test_a_loop_that_turns_or_waits_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    """However busy or idle it is."""

    async def main() -> None:
        with Watchdog(asyncio.get_running_loop(), 0.4):
            for _ in range(20_000):
                await asyncio.sleep(0)
            await asyncio.sleep(0.5)

    asyncio.run(main())
    assert caplog.messages == []


HOLDS = """
import sys
from nlp_agent.app.cli import stopping
stopping.LAST_SECONDS = 0.2
async def work(stop):
    print("here", flush=True)
    while True:
        try:
            import time; time.sleep(10) if sys.argv[1] == "sleeps" else None
        except Exception:
            pass
sys.exit(stopping.run_until_stopped(work, hint="leaving"))
"""


@pytest.mark.parametrize("how", ["computes", "sleeps"])
def test_two_signals_end_a_process_whose_loop_is_held(how: str) -> None:
    """No kill -9 is needed."""
    with subprocess.Popen([sys.executable, "-c", HOLDS, how], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            for _ in range(2):
                process.send_signal(signal.SIGTERM)
                time.sleep(0.2)
            assert process.wait(20) == 130
        finally:
            process.kill()


HOLDS_ALL = """
from nlp_agent.app.cli import stopping
stopping.LAST_SECONDS = 0.2
async def work(stop):
    print("here", flush=True)
    sum(range(10**12))
stopping.run_until_stopped(work, hint="leaving")
"""


def test_code_that_lets_no_thread_run_hears_nothing_and_ends_by_kill_9() -> None:
    """As the documents say: a limit, and the way out of it."""
    with subprocess.Popen([sys.executable, "-c", HOLDS_ALL], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            for _ in range(2):
                process.send_signal(signal.SIGTERM)
                time.sleep(0.4)
            assert process.poll() is None
        finally:
            process.kill()
        assert process.wait(20) == -signal.SIGKILL
