"""The package works by plain means: nothing is thrown into running code, and nothing needs a POSIX signal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "nlp_agent"


@pytest.mark.parametrize(
    "trick",
    ["SIGURG", "SIGALRM", "setitimer", "pthread_kill", "SetAsyncExc", "sys.meta_path", "gc.disable"],
)
def test_no_module_uses_a_trick(trick: str) -> None:
    """No exceptions thrown into running code, no import hooks, no collector switched off."""
    assert [file.name for file in PACKAGE.rglob("*.py") if trick in file.read_text(encoding="utf-8")] == []


def test_only_classic_sets_put_off_long_searches() -> None:
    """There 100 ms may be all there is for an answer; workers of a tournament only search less often."""
    touching = {file.name for file in PACKAGE.rglob("*.py") if "gc.freeze" in file.read_text(encoding="utf-8")}
    assert touching == {"running.py"}


_PLAYS = """
import signal, sys
for name in ("SIGURG", "SIGALRM", "SIGUSR1", "SIGHUP", "SIGKILL", "setitimer", "pthread_kill", "alarm"):
    if hasattr(signal, name):
        delattr(signal, name)
import nlp_agent.app.cli.app, nlp_agent.net.session, nlp_agent.net.classic
from nlp_agent.arena.village import contest_village
from tests.bench.quick_games import our_seats, play_quickly
from nlp_agent.prompting import load_pack
import asyncio
asyncio.run(play_quickly(contest_village(5, "en"), our_seats(load_pack("en"), 5, 1), 1))
print("played")
"""


def test_a_game_is_played_without_posix_signals() -> None:
    """As on Windows, where those names are missing."""
    done = subprocess.run([sys.executable, "-c", _PLAYS], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.strip() == "played", done.stderr[-2000:]
