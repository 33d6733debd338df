"""Anything at all as packets, streams and answers: nothing fails, everything stays within its bounds.

1,000 cases and 500 packets with one thing broken in `make test`, 40,000 and 20,000 in `make fuzz`; more with the same
seed:
`NLP_AGENT_FUZZ=100000 python -m pytest tests/test_fuzz.py`.
"""

from __future__ import annotations

import asyncio
import json
import os
import zlib
from collections.abc import AsyncIterator, Iterator
from random import Random
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from nlp_agent.errors import ProtocolError
from nlp_agent.game import SeatState
from nlp_agent.llm.client import BoundedStream, ResponseTooLongError
from nlp_agent.net.session import plain_answer
from nlp_agent.protocol import LengthRule, Request, bounds, parse_packet
from nlp_agent.protocol.classic import ClassicReader
from nlp_agent.text import Allowance, heard_as, make_utterance
from nlp_agent.text.clean import unspoken
from nlp_agent.text.count import server_keeps
from tests.attacks.obedient import pack
from tests.broken_frames import broken
from tests.captures import CAPTURES, frames
from tests.classic import RECORDINGS, lines
from tests.effort import TIMES

SEED = 20261122
CASES = int(float(os.environ.get("NLP_AGENT_FUZZ", 2000 * TIMES if TIMES > 1 else 1000))) // 3
NAMES = ("Ken", "Kenji", "Bram", "アカネ", "O'Neil")
FRAMES = int(float(os.environ.get("NLP_AGENT_FUZZ", "20_000" if TIMES > 1 else "500")))
fuzzed = settings(max_examples=CASES, deadline=None, database=None, suppress_health_check=list(HealthCheck))

_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=30),
    st.sampled_from(
        [10**9, -1, *NAMES, "ALIVE", "DEAD", "WEREWOLF", "SEER", "x" * 5000, "\x1b[2J", "\u202e", "\ud83d"]
    ),
)
_FIELDS = """info setting talk_history whisper_history day agent game_id status_map role_map text vote_list
divine_result medium_result profile remain_count talk max_count idx turn role_num_map timeout action
max_length base_length target result"""
_KEYS = st.sampled_from([*_FIELDS.split(), *NAMES])
_ANY = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3), max_leaves=8
)
_WRAPPINGS = (
    '<think>¦</think>¦```json\n¦```¦{"text": "¦"}¦{"name": "say", "arguments": ¦<b>¦</b>¦<p¦<|im_end|>¦<!--¦-->'
    "¦&lt;¦&amp;¦&#0;¦<|channel|>final<|message|>¦\\n¦\\u2028¦\\ud800¦# ¦- ¦1. ¦|¦|---|¦**¦~~¦[1]¦](¦$x="
    "¦\\boxed{¦}¦==¦->¦print(¦say('¦)¦Thought: ¦Talk: ¦\nUser: ¦Option A: ¦思考：¦【発言】¦Over¦Skip¦@Ken "
    "¦>>アカネ¦\u0337¦\u031b¦I suspect Ken. ¦アカネを疑います。¦, ¦。¦\n¦ ¦\x1b[2J¦\u202e¦\x85¦😀¦data: ¦[DONE]"
)
_PIECES = st.sampled_from(_WRAPPINGS.split("¦"))
_TEXTS = st.lists(_PIECES | st.text(max_size=8), max_size=14).map("".join)
_BYTES = st.binary(max_size=60) | _TEXTS.map(lambda text: text.encode("utf-8", "replace"))


@seed(SEED)
@fuzzed
@given(
    st.lists(
        st.tuples(st.sampled_from([*map(str, Request), "WEATHER"]), st.dictionaries(_KEYS, _ANY, max_size=5)),
        max_size=2,
    )
)
def test_any_packets_are_taken_in_or_refused(packets: list[tuple[str, dict[str, Any]]]) -> None:
    """What a seat knows stays within bounds, and there is an answer to the last one."""
    state = SeatState()
    for request, data in packets:
        try:
            packet = parse_packet(json.dumps({**data, "request": request}))
        except ProtocolError:
            continue
        state.apply(packet)
        assert packet.to_json().encode()
        assert isinstance(plain_answer(packet), str)
    assert 0 <= state.day <= bounds.DAYS
    assert len(state.talks) <= bounds.LIST * len(packets)


@pytest.mark.hypothesis
def test_a_packet_with_one_thing_broken_is_answered() -> None:
    """Recorded packets, broken by structure: the request is known whenever it is in the frame, and has an answer."""
    random = Random(SEED)
    recorded = [frame.raw for name in CAPTURES for frame in frames(name) if frame.direction == "in"]
    for _ in range(FRAMES):
        whole = random.choice(recorded)
        wanted = parse_packet(whole)
        frame = broken(whole, random)
        packet = parse_packet(frame)
        if wanted.needs_reply:
            assert packet.kind is wanted.kind, frame
        state = SeatState()
        state.apply(packet)
        assert isinstance(plain_answer(packet), str)
        assert packet.to_json().encode()


@pytest.mark.hypothesis
def test_broken_classic_line_is_read_or_refused() -> None:
    """A classic line with one thing broken is read or refused.

    Recorded lines, broken by structure; those before and after it are read as ever.
    """
    random = Random(SEED)
    told = [line.raw for name in RECORDINGS for line in lines(name) if line.asks]
    for _ in range(FRAMES // 5):
        reader, state = ClassicReader(), SeatState()
        begin = random.randrange(len(told) - 5)
        for line in told[begin : begin + 5]:
            frame = broken(line, random)
            try:
                packet = reader.read(frame.encode("utf-8", "replace") if isinstance(frame, str) else frame)
            except ProtocolError:
                continue
            state.apply(packet)
            assert isinstance(plain_answer(packet), str)
            assert packet.to_json().encode()


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@seed(SEED)
@fuzzed
@given(parts=st.lists(_BYTES, max_size=12), packed=st.booleans())
def test_any_stream_ends_within_its_bounds(loop: asyncio.Runner, parts: list[bytes], packed: bool) -> None:
    """Whatever comes, packed or not, is read so far and no further."""

    class Source(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for part in parts:
                yield part

    async def read() -> bytes:
        return b"".join([piece async for piece in BoundedStream(Source(), most=200, line=80, packed=packed)])

    try:
        got = loop.run(read())
    except (ResponseTooLongError, OSError, ValueError, zlib.error):
        return
    assert len(got) <= 200
    assert all(len(line) <= 80 for line in got.split(b"\n"))


@seed(SEED)
@fuzzed
@given(_TEXTS, st.sampled_from(["en", "ja"]))
def test_any_answer_becomes_legal_words_or_none(raw: str, lang: str) -> None:
    """What goes out is kept whole by the server, and is no markup any more."""
    allowed = Allowance("Bram", NAMES, NAMES, LengthRule(base_length=125, mention_length=125))
    left, made = unspoken(raw), make_utterance(raw, allowed, pack(lang).language)
    if made is None or left:
        return
    kept = server_keeps(made.text, "Bram", NAMES, allowed.length, None)
    assert kept.text == heard_as(made.text, "Bram", NAMES)
    assert not set(made.text) & set("<>{}|`\\&\x1b\u202e")
