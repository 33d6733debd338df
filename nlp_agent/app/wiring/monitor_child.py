"""The process that serves the page of own seats: ``python -m nlp_agent.app.wiring.monitor_child PORT``.

Lines of JSON come in on standard input; what goes out tells :func:`nlp_agent.web.monitor.serve`. When the input
ends, in whatever way, so does this process.
"""

from __future__ import annotations

import asyncio
import os
import sys

from nlp_agent.game import SeatState
from nlp_agent.prompting import load_pack
from nlp_agent.prompting.detect_language import detect_language
from nlp_agent.reading.ledger import Ledger
from nlp_agent.web.monitor import serve


def read_game(state: SeatState) -> Ledger:
    """The reader of what is claimed in the game of a seat that is in ``state``, which has heard nothing yet."""
    pack = load_pack(detect_language(state.profile, state.players))
    return Ledger(pack.reading, players=state.players)


if __name__ == "__main__":
    try:
        asyncio.run(serve(int(sys.argv[1]), sys.stdin.buffer.readline, read_game))
    finally:
        os._exit(0)  # the thread that reads may wait for ever
