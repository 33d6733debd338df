"""What is measured of sets at a classic table, and what measurements have in common."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.bench.classic_sets import Figures


def test_times_are_told_by_request_and_place() -> None:
    """Times are told by request, and the slowest answer by its place.

    So that a reader sees what is slow, and when.
    """
    figures = Figures(between=[3.0], games=1)
    figures.add(2.0, {"request": "TALK", "gameInfo": {"day": 1}}, game=1)
    figures.add(18.0, {"request": "VOTE", "gameInfo": {"day": 2}}, game=1)
    figures.add(4.0, {"request": "TALK", "gameInfo": None}, game=1)
    lines = figures.text.splitlines()
    assert "an answer, ms: p50 4.0 p99 18.0 max 18.0 (n 3)" in lines
    assert "  VOTE, ms: p50 18.0 p99 18.0 max 18.0 (n 1)" in lines
    assert any(line.startswith("  TALK, ms:") and line.endswith("(n 2)") for line in lines)
    assert "slowest: VOTE on day 2, game 1 of set 1" in lines


def test_arithmetic_has_one_thread_before_numpy_is_loaded() -> None:
    """Later it would change nothing, and threads that wait for each other count as our time on a busy machine."""
    code = (
        "import os, sys, tests.bench; print('numpy' in sys.modules);"
        "import tests.bench.classic_times; print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    environ = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ)
    assert done.stdout.split() == ["False", "1"]
