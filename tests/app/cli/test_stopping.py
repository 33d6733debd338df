"""Two signals end a process, whatever holds its event loop; only code that lets no thread run does not hear them."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time

import pytest

SIGNALS = 40
"""At most; the second one ends the process."""
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
def test_two_signals_end_a_process_that_is_busy(how: str) -> None:
    """Two signals end a process whose event loop is held; no kill -9 is needed."""
    with subprocess.Popen([sys.executable, "-c", HOLDS, how], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            # A busy machine may deliver two that come one after the other as one: they go out until it has had two.
            for _ in range(SIGNALS):
                process.send_signal(signal.SIGTERM)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.5)
                    break
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


def test_code_that_blocks_threads_needs_kill_9() -> None:
    """Code that lets no thread run does not notice signals and is ended by kill -9 alone.

    As the documents say: a limit, and the way out of it.
    """
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
