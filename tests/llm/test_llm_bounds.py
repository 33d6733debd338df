"""Endpoints that send without end: no answer costs more memory or time than the table of bounds allows."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from typing import Any

import pytest

from nlp_agent.errors import LlmError
from nlp_agent.llm.endpoint import EndpointModel
from nlp_agent.llm.loopback import HttpReply, Loopback, saying
from nlp_agent.protocol import bounds
from tests.llm.test_llm_endpoint import TALK, VOTE, far, play

STREAM = {"content-type": "text/event-stream"}
MEGABYTE = b"x" * 1_000_000


def _packed(size: int) -> bytes:
    """``size`` bytes of white space in a thousandth of them: a megabyte, packed once and repeated. The sum that closes
    a packed file is left out, since nobody may ever read so far."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    megabyte = packer.compress(b" " * 1_000_000) + packer.flush(zlib.Z_FULL_FLUSH)
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + megabyte * (size // 1_000_000)


HOSTILE = {
    "a line of a stream that never ends": HttpReply(200, STREAM, (b"data: ", *[MEGABYTE] * 300), chunked=True),
    "a body that never ends": HttpReply(200, {"content-type": "application/json"}, (MEGABYTE,) * 300, chunked=True),
    "a bomb": HttpReply(200, {"content-encoding": "gzip", "content-type": "application/json"}, (_packed(300_000_000),)),
    "a streamed bomb": HttpReply(200, {"content-encoding": "gzip", **STREAM}, (_packed(300_000_000),)),
    "a bomb that is an error": HttpReply(400, {"content-encoding": "gzip"}, (_packed(300_000_000),)),
    "a packing nobody asked for": HttpReply(200, {"content-encoding": "br"}, (b"x",)),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_no_answer_is_read_beyond_all_bounds(what: str) -> None:
    """It ends as a plain error, and memory never held more than a few times what an answer may be."""

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        await model.warm()
        tracemalloc.start()
        try:
            with pytest.raises(LlmError, match="sent") as caught:
                await model.ask(TALK, far())
            assert tracemalloc.get_traced_memory()[1] < 10 * bounds.BODY
        finally:
            tracemalloc.stop()
        assert "that is no answer of a chat model" in str(caught.value)

    play(lambda _: HOSTILE[what], scene)


def test_packed_answer_is_read_though_not_requested() -> None:
    """A plain answer is asked for, and a compressed one is read all the same.

    Some gateways pack whatever passes through them.
    """

    def packed(request: dict[str, Any]) -> HttpReply:
        plain = saying(request, "Good morning. I am Ken.")
        body = b"".join(part for part in plain.parts if isinstance(part, bytes))
        return HttpReply(200, {**plain.headers, "content-encoding": "gzip"}, (gzip.compress(body),))

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        assert (await model.ask(TALK, far())).text == "Good morning. I am Ken."
        assert endpoint.requests[0].headers["accept-encoding"] == "identity"

    play(packed, scene)


@pytest.mark.parametrize("stream", [True, False])
def test_answer_of_megabytes_is_cut_as_incomplete(stream: bool) -> None:
    """An answer of megabytes is cut and called incomplete.

    Whether it comes in one piece or event by event.
    """

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        answer = await model.ask(TALK, far())
        assert len(answer.text) == bounds.ANSWER
        assert not answer.complete

    pieces = ["word" * 25_000] * 20
    play(lambda request: saying(request, pieces), scene, stream=stream)


def test_events_without_end_that_say_nothing_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that only keeps going is given up before it says anything (`make faults` sends the full number)."""
    monkeypatch.setattr(bounds, "EVENTS", 10_000)
    empty = b"".join(b'data: {"choices":[]}\n\n' for _ in range(1000))

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        with pytest.raises(LlmError):
            await model.ask(TALK, far())

    late = b'data: {"choices":[{"index":0,"delta":{"content":"Good morning."}}]}\n\n'
    reply = HttpReply(200, STREAM, (*(empty,) * (2 * bounds.EVENTS // 1000), late), chunked=True)
    play(lambda _: reply, scene, attempts=1)


def test_huge_numbers_of_an_endpoint_are_ignored() -> None:
    """Numbers of an endpoint are counted only up to a bound.

    A usage of a thousand digits is no usage, and does not stop the seat from telling it.
    """

    def boastful(request: dict[str, Any]) -> HttpReply:
        body = json.loads(b"".join(part for part in saying(request, "Mina").parts if isinstance(part, bytes)))
        body["usage"]["prompt_tokens"] = 10**1000
        return HttpReply(200, {"content-type": "application/json"}, (json.dumps(body).encode(),))

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        answer = await model.ask(VOTE, far())
        assert answer.usage.prompt_tokens == bounds.TOKENS

    play(boastful, scene)
