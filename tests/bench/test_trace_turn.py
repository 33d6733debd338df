"""What one talk takes of our code is counted, and nothing else."""

from __future__ import annotations

import asyncio

from tests.bench.trace_turn import medians, traced_game


def test_the_calls_of_a_talk_are_counted_and_the_tables_are_not() -> None:
    """Every talk of the game, with the functions of our rooms, but neither the table's nor the lab's."""
    traces = asyncio.run(traced_game(5, 1, model=True))
    figures = medians(traces)
    assert len(traces) > 20
    assert figures["calls"] > figures["functions"] > figures["files"] > 0
    files = {code.co_filename for trace in traces for code in trace.codes}
    assert not any("nlp_agent/arena/" in file or "nlp_agent/llm/scripted.py" in file for file in files)
