"""Packets: what the server sends is read exactly, and what it should not send is survived."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlp_agent.errors import ProtocolError
from nlp_agent.protocol import Request, parse_packet
from tests.captures import CAPTURES, frames


@pytest.mark.parametrize("name", CAPTURES)
def test_every_recorded_packet_is_read_and_written_back_unchanged(name: str) -> None:
    """A packet of the real server survives the way through our types, absent fields included."""
    for frame in frames(name):
        if frame.direction == "in":
            packet = parse_packet(frame.raw)
            assert packet.kind is not None
            assert packet.problems == ()
            assert json.loads(packet.to_json()) == json.loads(frame.raw)


def test_unknown_fields_and_requests_are_survived() -> None:
    """A request of a later server keeps its name, needs no reply and hides nothing it carries."""
    packet = parse_packet('{"request":"SING","info":{"day":2,"agent":"Mia","weather":"rain"},"song":[1]}')
    assert packet.kind is None
    assert packet.request == "SING"
    assert not packet.needs_reply
    assert packet.info is not None
    assert packet.info.day == 2


@pytest.mark.parametrize("histories", [{}, {"talk_history": None}, {"talk_history": []}])
def test_missing_null_and_empty_lists_mean_the_same(histories: dict[str, Any]) -> None:
    """However a build of the server spells 'no talks', nothing is heard and nothing breaks."""
    packet = parse_packet(json.dumps({"request": "TALK", **histories}))
    assert not packet.talk_history
    assert packet.problems == ()


def test_a_field_of_the_wrong_shape_costs_only_itself() -> None:
    """The rest of the packet is still read, and the fault is named."""
    raw = {
        "request": "TALK",
        "info": {"day": "three", "agent": "Mia", "status_map": {"Mia": "ALIVE", "Leo": 7}},
        "talk_history": [{"idx": 0, "agent": "Leo", "text": "Hi."}, "noise", {"idx": 1, "text": {}}],
        "setting": [],
    }
    packet = parse_packet(json.dumps(raw))
    assert packet.info is not None
    assert packet.info.agent == "Mia"
    assert packet.info.players == ("Mia",)
    assert packet.talk_history is not None
    assert [talk.text for talk in packet.talk_history] == ["Hi.", ""]
    assert {"info.day", "info.status_map.Leo", "talk_history.1", "setting"} <= set(packet.problems)


@pytest.mark.parametrize("raw", ["", "{", "[]", "null", '"NAME"', "{}", '{"request":5}', b"\xff\xfe", "[" * 5000])
def test_what_is_no_packet_is_refused_with_a_reason(raw: str | bytes) -> None:
    """Only a JSON object with a text field 'request' is a packet."""
    with pytest.raises(ProtocolError):
        parse_packet(raw)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_fields = st.sampled_from(
    [
        "info",
        "setting",
        "talk_history",
        "whisper_history",
        "new_talk",
        "day",
        "agent",
        "status_map",
        "role_map",
        "vote_list",
    ]
)


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from([request.value for request in Request]),
    st.dictionaries(_fields, _json | st.dictionaries(_fields, _json, max_size=3), max_size=4),
)
def test_any_json_behind_a_request_is_survived(request: str, fields: dict[str, Any]) -> None:
    """The request is always known, whatever else the packet holds."""
    assert parse_packet(json.dumps({**fields, "request": request})).kind == request
