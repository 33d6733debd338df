"""How the time for a reply is divided, by the config; what each figure does stands in :mod:`nlp_agent.seat.timing`."""

from __future__ import annotations

from nlp_agent.app.config import DeadlineConfig
from nlp_agent.seat import Timing

_LAST_MOMENT = 59.5
"""Seconds of the usual 60 after which nothing is sent to a classic server."""


def timing_of(deadline: DeadlineConfig, *, classic: bool = False) -> Timing:
    """Make the division of the time that ``deadline`` asks for.

    A seat that is late on a ``classic`` server ends the game for all: there an answer is sent as long as it may help,
    whatever ``ceiling`` says.
    """
    return Timing(deadline.soft, deadline.fallback, _LAST_MOMENT if classic else deadline.ceiling)
