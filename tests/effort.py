"""How many examples a property is tried on: few in `make test`, twenty times as many in `make fuzz`."""

from __future__ import annotations

import os

from hypothesis import settings

TIMES = float(os.environ.get("NLP_AGENT_EFFORT", "1"))
"""`NLP_AGENT_EFFORT`: how many times the examples of `make test`."""


def examples(number: int) -> settings:
    """``number`` examples in `make test`. None has a deadline: a busy machine is no fault."""
    return settings(max_examples=max(1, round(number * TIMES)), deadline=None)
