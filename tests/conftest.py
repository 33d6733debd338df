"""For all tests: one thread for arithmetic, as the command sets it before numpy is loaded, and no work done twice."""

from __future__ import annotations

import gc
import os
import sys

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# What commands tell is compared in English, whatever the language of this machine.
os.environ["NLP_AGENT_LANG_UI"] = "en"
# A run starts some hundred processes; where nothing compiled is kept, each of them compiles everything anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


_WAITING = ("tests/tournament/test_crashes.py", "tests/web/", "tests/faults/", "tests/app/cli/test_cli_real.py")
"""Tests that mostly wait for other processes, the longest first."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """One more than there are cores: while one waits for a browser or for a command, another computes. Whoever says
    another number in the environment gets that."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits comes first, so that no worker ends with it alone while the others have nothing left to do."""
    items.sort(key=lambda item: [not item.nodeid.startswith(one) for one in _WAITING])


def pytest_collection_finish() -> None:
    """Thousands of tests stay in memory until the end: the garbage collector need not go through them again and again,
    which took a fifth of all time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 50, 50)
