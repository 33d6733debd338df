"""For all tests: one thread for arithmetic, as the command sets it before numpy is loaded, and no work done twice."""

from __future__ import annotations

import gc
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A run starts some hundred processes; where nothing compiled is kept, each of them compiles everything anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_collection_finish() -> None:
    """Thousands of tests stay in memory until the end: the garbage collector need not go through them again and again,
    which took a fifth of all time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 50, 50)
