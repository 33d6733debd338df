"""The pure rooms at work: whole games are played, and nothing looks outside."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.slow
def test_while_the_pure_rooms_work_nothing_looks_outside() -> None:
    """No file, socket, process, import, environment, clock, nor chance without a seed, in games of every language."""
    command = [sys.executable, "-m", "tests.purity", "en-9-1", "ja-5-1", "zh-5-2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == []
