"""Server-sent events however a connection cuts them, and what an endpoint must not be able to do with them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.llm.client import split_events


def _split(*chunks: bytes) -> list[bytes]:
    async def arriving() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    async def main() -> list[bytes]:
        return [data async for data in split_events(arriving())]

    return asyncio.run(main())


STREAM = 'event: x\r\ndata: {"a": "\u2028\x85"}\r\n\r\n: a comment\ndata:1\ndata: 2\n\nid: 3\n\n'.encode()
EVENTS = ['{"a": "\u2028\x85"}'.encode(), b"1\n2"]


@given(st.lists(st.integers(0, len(STREAM)), max_size=8))
def test_events_are_the_same_however_they_are_cut(cuts: list[int]) -> None:
    """In the middle of a character, of a line end, of anything; only line ends of the protocol end a line."""
    places = [0, *sorted(cuts), len(STREAM)]
    assert _split(*(STREAM[a:b] for a, b in pairwise(places))) == EVENTS


def test_the_last_event_needs_no_empty_line() -> None:
    """Some endpoints just hang up."""
    assert _split(b"data: 1\n\nda", b"ta: 2") == [b"1", b"2"]
    assert _split(b"data: 1\n\ndata: 2\n") == [b"1", b"2"]


def test_what_is_no_stream_has_no_events() -> None:
    """An endpoint that cannot stream sends its JSON in one piece."""
    assert _split(b'{"choices": []}') == []


def test_an_event_without_an_end_is_not_kept_for_ever() -> None:
    """Memory is for thirteen seats."""
    with pytest.raises(ValueError, match="no end"):
        _split(b"data: ", *[b"x" * 1_000_000] * 6)
