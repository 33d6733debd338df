"""Packets: what the server sends is read exactly, and what it should not send is survived."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.errors import ProtocolError
from nlp_agent.protocol import ONLY_NAMED, Request, bounds, parse_packet
from tests.captures import CAPTURES, frames
from tests.effort import examples


@pytest.mark.parametrize("name", CAPTURES)
def test_every_recorded_packet_is_written_back_unchanged(name: str) -> None:
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


def test_talk_heard_by_many_is_held_once() -> None:
    """Seats of a process that hear the same talk share one copy of it; another talk is another one."""
    frame = json.dumps({"request": "TALK", "talk_history": [{"idx": 7, "agent": "Hugo", "text": "Held but once?"}]})
    first, again, other = (parse_packet(one).talk_history or () for one in (frame, frame, frame.replace("7", "8")))
    assert first[0] is again[0]
    assert first[0] is not other[0]


def test_field_of_wrong_shape_costs_only_itself() -> None:
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
    assert tuple(packet.info.status_map) == ("Mia",)
    assert packet.talk_history is not None
    assert [talk.text for talk in packet.talk_history] == ["Hi.", ""]
    assert {"info.day", "info.status_map.Leo", "talk_history.1", "setting"} <= set(packet.problems)


@pytest.mark.parametrize("raw", ["", "{", "[]", "null", '"NAME"', "{}", '{"request":5}', b"\xff\xfe", "[" * 5000])
def test_what_is_no_packet_is_refused(raw: str | bytes) -> None:
    """What is no packet is refused with a reason.

    Only a JSON object with a text field 'request' is a packet.
    """
    with pytest.raises(ProtocolError):
        parse_packet(raw)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("info.day", 10**9),
        ("info.day", -(10**9)),
        ("info.day", 1e300),
        ("info.remain_count", 10**18),
        ("setting.timeout.action", 10**15),
        ("setting.timeout.action", -5),
        ("setting.role_num_map.SEER", 10**9),
        ("setting.talk.duration", 10**12),
        ("new_talk.idx", 10**9),
        ("new_talk.time", 10**30),
    ],
)
def test_unbounded_number_counts_as_untold(place: str, value: float) -> None:
    """A number beyond all bounds is as good as untold.

    It costs only its field, is named, and nothing ever counts up to it.
    """
    data: Any = value
    for part in reversed(place.split(".")):
        data = {part: data}
    packet = parse_packet(json.dumps({"request": "TALK", **data}))
    assert packet.problems == (place,)
    assert str(value) not in packet.to_json()


def test_oversized_lists_names_and_texts_are_cut() -> None:
    """Lists, names and texts are cut to what a game can hold.

    The newest talks stay; what was cut is told in a few notes, however much it was.
    """
    texts = ["Hi."] * 9_900 + ["x" * 3_000] * 100
    talks = [{"idx": idx, "agent": "Leo", "text": text} for idx, text in enumerate(texts)]
    status = {f"P{number}": "ALIVE" for number in range(1000)}
    raw = {"request": "TALK" * 1000, "info": {"status_map": status, "profile": "y" * 10_000}, "talk_history": talks}
    packet = parse_packet(json.dumps(raw))
    assert packet.info is not None
    assert packet.talk_history is not None
    assert packet.talk_history[-1].idx == 9_999
    assert len(packet.talk_history) == bounds.LIST
    assert len(packet.talk_history[-1].text) == bounds.TEXT
    assert len(packet.info.status_map) == bounds.PLAYERS
    assert len(packet.info.profile or "") == bounds.TEXT
    assert len(packet.request) == bounds.REQUEST
    assert "info.status_map: 1000 entries, cut" in packet.problems
    assert len(packet.problems) == bounds.NOTES + 1
    assert packet.problems[-1].startswith("and ")


def test_a_name_without_end_is_no_player() -> None:
    """Cut it would name nobody, and whole it would be in every sentence."""
    packet = parse_packet(
        json.dumps({"request": "TALK", "info": {"status_map": {"Mia": "ALIVE", "x" * 5000: "ALIVE"}}})
    )
    assert packet.info is not None
    assert tuple(packet.info.status_map) == ("Mia",)
    assert packet.problems == ("info.status_map: a name that is too long, cut",)


def test_unread_fields_are_skipped_and_depth_limited() -> None:
    """What nobody reads is not walked, and depth has an end.

    A field that is unknown costs nothing; one that is known ends where no packet goes on.
    """
    deep = json.loads("[" * 500 + "]" * 500)
    packet = parse_packet(json.dumps({"request": "TALK", "song": deep, "talk_history": [deep, {"agent": "Leo"}]}))
    assert packet.talk_history is not None
    assert [talk.agent for talk in packet.talk_history] == ["Leo"]
    assert not any("song" in problem for problem in packet.problems)


@pytest.mark.parametrize("encode", [str, str.encode])
def test_half_letters_become_question_marks(encode: Callable[[str], str | bytes]) -> None:
    """Nothing that is written, hashed or sent on can hold them; whole letters in two halves stay as they are."""
    frame = r'{"request": "TALK", "talk_history": [{"agent": "Leo", "text": "a\ud800b \ud83d\ude00 \uDFFF"}]}'
    packet = parse_packet(encode(frame))
    assert packet.talk_history is not None
    assert packet.talk_history[0].text == "a?b \N{GRINNING FACE} ?"


def test_oversized_frame_is_refused_unread() -> None:
    """A frame longer than any packet is refused unread.

    Not even its JSON is looked at.
    """
    with pytest.raises(ProtocolError, match="no packet is longer"):
        parse_packet(b'{"request":"TALK","song":"' + b"x" * bounds.FRAME_HELD + b'"}')


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


@examples(75)
@given(
    st.sampled_from([request.value for request in Request]),
    st.dictionaries(_fields, _json | st.dictionaries(_fields, _json, max_size=3), max_size=4),
)
def test_any_json_behind_a_request_is_survived(request: str, fields: dict[str, Any]) -> None:
    """The request is always known, whatever else the packet holds."""
    assert parse_packet(json.dumps({**fields, "request": request})).kind == request


_INFO = '"info": {"day": 1, "agent": "Ann", "status_map": {"Ann": "ALIVE", "Bob": "ALIVE"}%s}'
_FRAME = '{"request": "VOTE", %s%s}'


def _frame(inside: str = "", beside: str = "") -> str:
    return _FRAME % (_INFO % inside, beside)


@pytest.mark.parametrize(
    "raw",
    [
        _frame(beside=', "new": ' + "9" * 5_000),
        _frame(inside=', "new": ' + "9" * 5_000),
        _frame(beside=', "new": ' + "[" * 100_000 + "]" * 100_000),
        _frame(inside=', "new": ' + "[" * 100_000 + "]" * 100_000),
        "\ufeff" + _frame(),
        _frame().replace(",", ",\0"),
        _frame(beside=', "talk_history": [' + ", ".join(['{"text": "' + "x" * 2_000 + '"}'] * 1_200) + "]"),
        _frame() + '{"request": "TALK_BROADCAST", "new_talk": {"text": "Hi."}}',
        '{"request": "TALK_BROADCAST"}\n' + _frame(),
        _frame(beside=", "),
        _frame(beside=', "new": nonsense'),
        _frame()[:-1],
        "5 " + _frame(),
    ],
    ids=[
        *("long number", "long number inside", "deep", "deep inside", "byte-order mark", "null", "long history"),
        *("two packets", "packet before", "comma", "word", "no end", "begins late"),
    ],
)
def test_broken_json_is_read_field_by_field(raw: str) -> None:
    """A frame that is no JSON as a whole is read field by field.

    Else a field that nobody knows would cost the answer to the request beside it.
    """
    for frame in (raw, raw.encode()):
        packet = parse_packet(frame)
        assert packet.request == "VOTE"
        assert packet.info is not None
        assert packet.info.alive == ("Ann", "Bob")


@pytest.mark.parametrize(
    "wrap",
    [
        lambda frame: f"[{frame}]",
        lambda frame: f'{{"packet": {frame}}}',
        json.dumps,
        lambda frame: f'[{{"request": "TALK"}}, {frame}]',
        lambda frame: f"data: {frame}",
        lambda frame: frame.replace("VOTE", " vote "),
    ],
)
def test_a_packet_in_a_wrapping_is_read_whole(wrap: Callable[[str], str]) -> None:
    """A list, a field, a text of JSON or a word before it cost nothing of what stands inside."""
    packet = parse_packet(wrap(_frame()))
    assert packet.request == "VOTE"
    assert packet.info is not None
    assert packet.info.alive == ("Ann", "Bob")


@pytest.mark.parametrize(
    "frame", ["{'request': 'VOTE', 'info': {}}", '{"Request": "VOTE"}', "request = VOTE;", "{request: VOTE, day: 1}"]
)
def test_a_request_that_is_only_named_is_known(frame: str) -> None:
    """Its answer needs nothing else of the frame: what was known before is enough."""
    packet = parse_packet(frame)
    assert (packet.request, packet.info) == ("VOTE", None)
    assert ONLY_NAMED in packet.problems


@pytest.mark.parametrize("sign", ["{", "[", '"', "\\", "{[", '{"a":', '{"a":{', "{} ", '{"request":"X\\"'])
def test_frame_of_signs_only_is_no_packet(sign: str) -> None:
    """A frame of nothing but punctuation is no packet.

    However often they are repeated, it is looked at once.
    """
    with pytest.raises(ProtocolError):
        parse_packet(sign * (1_000_000 // len(sign)))


def test_request_is_known_in_damaged_packet() -> None:
    """Whatever is broken in a packet, its request is answered where it can be known.

    Valid packets with one thing broken: a sign too many, too few or exchanged behind the request.
    """
    random = Random(7)
    for _ in range(2_000):
        frame = _frame(beside=', "talk_history": [{"idx": 1, "day": 1, "agent": "Bob", "text": "Hello, \\"Ann\\"."}]')
        at = random.randrange(len('{"request": "VOTE",'), len(frame))
        sign = random.choice(['"', "{", "}", "[", "]", ",", ":", "\\", "\0", "\ud800", "9" * 5_000, "\n", "", "x"])
        broken = frame[:at] + sign + frame[at + random.randrange(3) :]
        assert parse_packet(broken).request == "VOTE", broken
