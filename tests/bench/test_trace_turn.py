"""What one talk takes of our code is counted from the frame that asks to the frame that answers."""

from __future__ import annotations

import asyncio

import pytest

from tests.bench.trace_turn import ROOT, medians, traced_game


@pytest.mark.slow
def test_a_talk_is_traced_through_socket_endpoint_and_journal() -> None:
    """Each talk of the seat has calls in these rooms, and none in the table's, which is another process."""
    traces = asyncio.run(traced_game(5, 1))
    assert traces
    assert min(medians(traces).values()) > 0
    for trace in traces:
        rooms = {code.co_filename.removeprefix(ROOT).partition("/")[0] for code in trace.codes}
        assert {"net", "seat", "prompting", "llm", "records", "text"} <= rooms
        assert "arena" not in rooms
