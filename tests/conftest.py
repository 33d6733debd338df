"""For all tests: one thread for arithmetic, as the command sets it before numpy is loaded."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
