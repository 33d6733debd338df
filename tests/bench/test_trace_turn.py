"""What one talk takes of our code is counted from the frame that asks to the frame that answers."""

from __future__ import annotations

import asyncio

import pytest

from nlp_agent.game import legal_targets
from nlp_agent.protocol import parse_packet
from tests.bench.trace_turn import COMPREHENSIONS, Trace, medians, traced_game, where


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


def test_where_tells_the_functions_called_most_first() -> None:
    """Of two functions, the one called twice comes first, with how often a talk calls it."""
    once, twice = parse_packet.__code__, legal_targets.__code__
    lines = [*where([Trace([twice, once, twice], [None, None, None])])]
    called = lines.index("\nfunctions called most")
    assert lines[called + 1].split() == ["2", "game/targets.py:", "legal_targets"]
    assert [line.split(maxsplit=1)[1] for line in lines if "->" in line] == ["game -> protocol", "protocol -> game"]


def test_call_into_another_room_counts_once() -> None:
    """Two calls from one room into another and two within a room: the way back is no call, and the two are the same."""
    packet, targets = parse_packet.__code__, legal_targets.__code__
    counts = Trace([targets, packet, packet, targets], [None, targets, targets, targets]).counts()
    assert (counts["changes of room"], counts["calls into another room"], counts["different ones"]) == (2, 2, 1)


def test_comprehensions_are_told_apart() -> None:
    """A generator expression is a function to the interpreter, and a part of one to who reads it."""
    expression = next(one for one in legal_targets.__code__.co_consts if getattr(one, "co_name", "") in COMPREHENSIONS)
    counts = Trace([legal_targets.__code__, expression], [None, legal_targets.__code__]).counts()
    assert (counts["functions"], counts["comprehensions among them"]) == (2, 1)
