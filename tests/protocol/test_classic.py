"""The classic server's lines as packets, and answers as lines."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.errors import ProtocolError
from nlp_agent.game import SeatState
from nlp_agent.protocol import Packet
from nlp_agent.protocol.classic import ClassicReader, name_of, reply_line
from tests.classic import ANSWERED, RECORDINGS, Recording, lines, recorded_games
from tests.effort import examples

GAMES = [(name, number) for name in RECORDINGS for number in range(len(recorded_games(name)))]


def _heard(game: Recording, agent: int) -> tuple[SeatState, list[Packet]]:
    reader, state = ClassicReader(), SeatState()
    packets = [reader.read(json.dumps(packet)) for packet in game.told[agent]]
    for packet in packets:
        state.apply(packet)
    return state, packets


@pytest.mark.parametrize("name", RECORDINGS)
def test_every_recorded_line_is_a_whole_packet(name: str) -> None:
    """Nothing in them has to be dropped, and what wants an answer, ROLE aside, is what the server waits for."""
    readers: dict[int, ClassicReader] = {}
    for line in lines(name):
        if line.asks:
            packet = readers.setdefault(line.agent, ClassicReader()).read(line.raw)
            assert packet.problems == ()
            assert packet.needs_reply == (packet.request in ANSWERED - {"ROLE"})


@pytest.mark.parametrize(("name", "number"), GAMES)
def test_every_state_agrees_with_what_the_server_told(name: str, number: int) -> None:
    """Who lives, who is what, who fell how and when, all votes, and every talk once."""
    game = recorded_games(name)[number]
    for agent, told in game.told.items():
        state, _ = _heard(game, agent)
        last: dict[str, Any] = told[-1]["gameInfo"]
        assert state.me == name_of(agent)
        assert state.finished
        assert state.day == last["day"]
        assert state.roles == {name_of(n): role for n, role in last["roleMap"].items()}
        assert set(state.alive) == {name_of(n) for n, status in last["statusMap"].items() if status == "ALIVE"}
        assert [(t.day, t.idx) for t in state.talks] == sorted({(t.day, t.idx) for t in state.talks})
        for info in (packet["gameInfo"] for packet in told if packet["gameInfo"]):
            yesterday = info["day"] - 1
            assert state.executions.get(yesterday, "") == name_of(info["executedAgent"])
            died = [state.attacks[yesterday]] if yesterday in state.attacks else []
            assert died == [name_of(n) for n in info["lastDeadAgentList"]]
            if info["voteList"]:
                assert [(v.agent, v.target) for v in state.votes[yesterday]] == [
                    (name_of(v["agent"]), name_of(v["target"])) for v in info["voteList"]
                ]


@pytest.mark.parametrize("name", RECORDINGS)
def test_all_recorded_seats_heard_the_same_talks(name: str) -> None:
    """Nobody misses a talk or hears one twice, whether it came as news or in the list of a whole day."""
    for game in recorded_games(name):
        heard = {tuple((t.day, t.idx, t.agent, t.text) for t in _heard(game, agent)[0].talks) for agent in game.told}
        assert len(heard) == 1


def test_first_round_votes_are_known_in_second() -> None:
    """A second round comes with the votes of the first; both are told of the day they were cast on."""
    game = recorded_games("revote_5p")[0]
    _, packets = _heard(game, 3)
    votes = [packet for packet in packets if packet.request == "VOTE"]
    seen = [[(v.day, v.agent, v.target) for v in packet.info.vote_list or ()] for packet in votes if packet.info]
    assert seen[0] == []
    assert seen[1][0] == (1, "Agent[01]", "Agent[02]")
    assert seen[3][0] == (2, "Agent[03]", "Agent[04]")


def test_talks_left_are_counted_from_own_words() -> None:
    """Talks left are counted from own words and turns.

    Skip and Over cost no talk, and a third Skip in a row is known to be Over beforehand.
    """
    game = recorded_games("protocol_5p")[0]
    _, packets = _heard(game, 3)
    left = [(p.info.remain_count, p.info.remain_skip) for p in packets if p.request == "TALK" and p.info]
    assert left[:7] == [(10, 2), (10, 1), (10, 0), (9, 2), (9, 1), (8, 2), (8, 1)]


def test_results_are_dated_to_their_night() -> None:
    """Results are dated to their night, and the attacked player is the one who died.

    The server dates a result to the morning, and tells of an attack that was warded off too.
    """
    reader = ClassicReader()
    game = recorded_games("revote_5p")[0]
    told = next(p["gameInfo"] for p in game.told[2] if p["gameInfo"] and p["gameInfo"]["day"] == 2)
    morning = {"request": "DAILY_INITIALIZE", "gameInfo": {**told, "lastDeadAgentList": [], "attackedAgent": 2}}
    info = reader.read(json.dumps(morning)).info
    assert info is not None
    assert info.divine_result is not None
    assert (info.divine_result.day, info.divine_result.target) == (1, "Agent[03]")
    assert info.attacked_agent is None


def test_anchor_is_written_in_the_servers_form() -> None:
    """An anchor is read and written in the server's form.

    What everybody else writes as a mention stands behind two brackets here, and only at the start.
    """
    talk = {"agent": 5, "day": 0, "idx": 0, "turn": 0, "text": ">>Agent[01] Agent[02] and >>Agent[03]?"}
    packet = ClassicReader().read(json.dumps({"request": "TALK", "talkHistory": [talk]}))
    assert packet.talk_history is not None
    assert packet.talk_history[0].text == "@Agent[01] Agent[02] and @Agent[03]?"
    assert reply_line("TALK", "@Agent[01] so be it, Agent[02].") == ">>Agent[01] so be it, Agent[02]."


@pytest.mark.parametrize(
    ("request_", "text", "line"),
    [
        ("VOTE", "Agent[02]", '{"agentIdx":2}'),
        ("ATTACK", " Agent[12]\n", '{"agentIdx":12}'),
        ("DIVINE", "Ken", '{"agentIdx":-1}'),
        ("GUARD", "", '{"agentIdx":-1}'),
        ("TALK", "", "Skip"),
        ("TALK", "Over", "Over"),
        ("WHISPER", "one\ntwo\u2028three", "one two three"),
        ("TALK", "@ Agent", "@ Agent"),
        ("ROLE", "", "none"),
        ("NAME", "team", "team"),
    ],
)
def test_answers_are_one_line_in_the_servers_form(request_: str, text: str, line: str) -> None:
    """A target is an index without any space, a talk is never empty, and no line break is inside."""
    assert reply_line(request_, text) == line


def test_a_new_game_forgets_the_last() -> None:
    """A connection plays a hundred games: each has a name of its own, and its talks count from none."""
    readers = [ClassicReader(), ClassicReader("match-{}".format)]
    for reader in readers:
        for line in lines("protocol_5p_x3"):
            if line.asks and line.agent == 1:
                packet = reader.read(line.raw)
    assert packet.info is not None
    assert packet.info.game_id == "match-3"


def test_a_character_is_told_once_it_is_known() -> None:
    """The server deals none, so one of our own stands in the packets as if it had."""
    reader = ClassicReader()
    game = recorded_games("dial2019_5p")[0].told[1]
    first = reader.read(json.dumps(game[0]))
    reader.profile = "age: 20"
    second = reader.read(json.dumps(game[1]))
    assert first.info is not None
    assert second.info is not None
    assert (first.info.profile, second.info.profile) == (None, "age: 20")


@pytest.mark.parametrize("line", ["", "{", "[]", "null", "12", '{"request":5}', '{"gameInfo":{}}', "\x00", "[" * 5000])
def test_line_that_is_no_packet_is_an_error(line: str) -> None:
    """A line that is no packet is an error that says so.

    Whatever it is, it ends in one kind of error.
    """
    with pytest.raises(ProtocolError):
        ClassicReader().read(line)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@examples(50)
@given(
    place=st.sampled_from(["gameInfo", "gameSetting", "talkHistory", "whisperHistory"]),
    key=st.sampled_from([*sorted(recorded_games("revote_5p")[0].told[1][0]["gameInfo"]), "maxTalk", "timeLimit"]),
    value=JSON,
    request=st.sampled_from(["INITIALIZE", "TALK", "WHISPER", "VOTE", "FINISH", "DAILY_INITIALIZE", "ODD"]),
)
def test_malformed_field_costs_only_itself(place: str, key: str, value: Any, request: str) -> None:
    """A field of any other shape costs only itself.

    No line that is JSON with a request can stop a game.
    """
    reader, state = ClassicReader(), SeatState()
    for packet in recorded_games("dial2019_5p")[0].told[1][:4]:
        state.apply(reader.read(json.dumps(packet)))
    game = {**recorded_games("dial2019_5p")[0].told[1][0]["gameInfo"], key: value}
    state.apply(reader.read(json.dumps({"request": request, "gameInfo": game})))
    state.apply(reader.read(json.dumps({"request": request, place: value})))
    state.apply(reader.read(json.dumps({"request": request, place: {key: value}})))
    state.apply(reader.read(json.dumps({"request": request, place: [value, {key: value, "text": value}]})))
