"""What one talk takes of our code is counted from the frame that asks to the frame that answers."""

from __future__ import annotations

import asyncio

import pytest

from tests.bench.trace_turn import medians, traced_game


@pytest.mark.slow
def test_talk_is_traced_through_all_layers() -> None:
    """A talk is traced through socket, endpoint and journal.

    Talks that ask the model have calls in all these rooms; none has any in the table's, which is another process.
    """
    traces = asyncio.run(traced_game(5, 1))
    asked = [trace for trace in traces if trace.asked]
    assert min(medians(asked).values()) > 0
    for trace in asked:
        assert {"net", "seat", "prompting", "llm", "records", "text"} <= set(trace.rooms)
    assert not any("arena" in trace.rooms for trace in traces)
