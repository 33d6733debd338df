"""What a seat knows comes from packets alone, however they arrive."""

import json
from typing import Any

import pytest

from nlp_agent.game import SeatState, Side, legal_targets, role_spec
from nlp_agent.protocol import (
    Info,
    Judge,
    MaxCount,
    Packet,
    Request,
    Setting,
    Talk,
    TalkSetting,
    Vote,
    bounds,
    parse_packet,
)
from tests.captures import CAPTURES, frames


def _seats(name: str, repeat: int = 1, skip: int = 0) -> dict[str, SeatState]:
    seats: dict[str, SeatState] = {}
    heard: dict[str, int] = {}
    for frame in frames(name):
        if frame.direction != "in":
            continue
        heard[frame.agent] = heard.get(frame.agent, 0) + 1
        if heard[frame.agent] <= skip:
            continue
        for _ in range(repeat):
            seats.setdefault(frame.agent, SeatState()).apply(parse_packet(frame.raw))
    return seats


@pytest.mark.parametrize("name", CAPTURES)
def test_all_seats_agree_on_what_was_public(name: str) -> None:
    """Talks, executions and attacks are the same from every seat, whatever each of them was sent when."""
    seats = list(_seats(name).values())
    for seat in seats:
        assert seat.finished
        assert [(t.day, t.idx, t.text) for t in seat.talks] == [(t.day, t.idx, t.text) for t in seats[0].talks]
        assert seat.executions == seats[0].executions
        assert seat.attacks == seats[0].attacks
        assert seat.votes == seats[0].votes
        assert set(seat.dead) == set(seats[0].executions.values()) | set(seats[0].attacks.values())


@pytest.mark.parametrize("name", CAPTURES)
def test_packets_that_arrive_twice_change_nothing(name: str) -> None:
    """A server that repeats itself is not heard twice."""
    once, twice = _seats(name), _seats(name, repeat=2)
    for agent, seat in once.items():
        other = twice[agent]
        assert (seat.talks, seat.whispers, seat.divinations, seat.votes) == (
            other.talks,
            other.whispers,
            other.divinations,
            other.votes,
        )


@pytest.mark.parametrize("name", CAPTURES)
def test_seat_joining_late_knows_who_lives(name: str) -> None:
    """A seat that joins in mid-stream knows who it is and who lives.

    INITIALIZE and the first days may be missing; the next packet still tells the essentials.
    """
    whole = _seats(name)
    for agent, seat in _seats(name, skip=6).items():
        full = whole[agent]
        assert (seat.me, seat.role, seat.status, seat.day) == (full.me, full.role, full.status, full.day)


def test_wolves_know_each_other_and_nobody_else_does() -> None:
    """The role map of a wolf names its partners."""
    seats = _seats("en_13_g1").values()
    assert {len(seat.partners) for seat in seats if seat.role == "WEREWOLF"} == {2}
    assert {seat.partners for seat in seats if seat.role != "WEREWOLF"} == {()}


def test_an_execution_is_known_the_same_evening() -> None:
    """The status map shows it to those who act at night, a day before the server names it."""
    everyone = {"Mia": "ALIVE", "Leo": "ALIVE", "Ida": "ALIVE"}
    state = SeatState()
    state.apply(Packet(request="VOTE", info=Info(day=1, agent="Mia", status_map=everyone)))
    state.apply(Packet(request="DIVINE", info=Info(day=1, agent="Mia", status_map={**everyone, "Leo": "DEAD"})))
    assert state.executions == {1: "Leo"}


def test_whispers_with_the_same_index_are_both_kept() -> None:
    """Their index restarts in the evening of day 0."""
    state = SeatState()
    for text in ("Hello.", "Good night."):
        state.apply(Packet(request="WHISPER", whisper_history=(Talk(idx=0, agent="Leo", text=text),)))
    assert [whisper.text for whisper in state.whispers] == ["Hello.", "Good night."]


def _state(role: str, **status: str) -> SeatState:
    state = SeatState()
    names = {"Mia": "ALIVE", "Leo": "ALIVE", "Ida": "ALIVE", "Sam": "ALIVE", **status}
    roles = {"Mia": role} | ({"Leo": "WEREWOLF"} if role == "WEREWOLF" else {})
    state.apply(Packet(request="INITIALIZE", info=Info(agent="Mia", status_map=names, role_map=roles)))
    return state


@pytest.mark.parametrize("request_", [Request.VOTE, Request.DIVINE, Request.GUARD, Request.ATTACK])
def test_nobody_names_itself_or_the_dead(request_: Request) -> None:
    """A void target is an action thrown away."""
    assert legal_targets(_state("SEER", Sam="DEAD"), request_) == ("Leo", "Ida")


def test_a_wolf_attacks_no_wolf() -> None:
    """Biting a partner wastes the night; voting for one is a choice."""
    state = _state("WEREWOLF")
    assert legal_targets(state, Request.ATTACK) == ("Ida", "Sam")
    assert legal_targets(state, Request.VOTE) == ("Leo", "Ida", "Sam")


def test_seer_looks_at_nobody_twice_needlessly() -> None:
    """The seer looks at nobody twice while others remain.

    When all are known, any living player may be named again.
    """
    state = _state("SEER")
    for target in ("Leo", "Ida"):
        state.apply(
            Packet(
                request="DAILY_INITIALIZE",
                info=Info(agent="Mia", divine_result=Judge(agent="Mia", target=target, result="HUMAN")),
            )
        )
    assert legal_targets(state, Request.DIVINE) == ("Sam",)
    state.apply(Packet(request="DIVINE", info=Info(agent="Mia", status_map={"Sam": "DEAD"})))
    assert legal_targets(state, Request.DIVINE) == ("Leo", "Ida")


def test_votes_are_kept_by_day_cast() -> None:
    """Votes are kept by the day they were cast.

    Yesterday's list arrives with today's packets.
    """
    state = SeatState()
    votes = (Vote(day=1, agent="Leo", target="Ida"),)
    state.apply(Packet(request="DAILY_INITIALIZE", info=Info(day=2, agent="Mia", vote_list=votes)))
    assert state.votes == {1: votes}


def test_a_role_nobody_knows_plays_for_the_village() -> None:
    """A new role of a later server must not stop the agent."""
    assert role_spec("FOX").side is Side.VILLAGER
    assert role_spec("POSSESSED").side is Side.WEREWOLF


def test_a_day_beyond_all_bounds_is_no_day() -> None:
    """The seat goes on with the day it knew; a number that nobody can live through is never counted up to."""
    state = SeatState()
    state.apply(Packet(request="DAILY_INITIALIZE", info=Info(day=2, agent="Mia")))
    state.apply(parse_packet('{"request":"TALK","info":{"day":1000000000,"agent":"Mia"}}'))
    assert state.day == 2


def test_ever_new_names_make_no_village_of_thousands() -> None:
    """However many names are told over a game, no more sit down than a village can have."""
    state = SeatState()
    for start in range(0, 1000, 10):
        names = [f"P{number}" for number in range(start, start + 10)]
        info = Info(agent="P0", status_map=dict.fromkeys(names, "ALIVE"), role_map=dict.fromkeys(names, "VILLAGER"))
        state.apply(Packet(request="DAILY_INITIALIZE", info=info))
    assert len(state.players) == bounds.PLAYERS
    assert set(state.status) == set(state.players)
    assert len(state.roles) < 2 * bounds.PLAYERS


def _ask(state: SeatState, told: int, request: str = "TALK") -> int | None:
    state.apply(Packet(request=request, info=Info(agent="Mia", remain_count=told)))
    return state.talks_after


def _morning(state: SeatState) -> None:
    rule = TalkSetting(max_count=MaxCount(per_agent=4, per_day=20))
    state.apply(Packet(request="DAILY_INITIALIZE", info=Info(agent="Mia"), setting=Setting(talk=rule, whisper=rule)))


@pytest.mark.parametrize("told", [(4, 3, 2, 1), (3, 2, 1, 0)], ids=["the newest server", "servers until 2026"])
def test_last_talk_is_known_with_either_count(told: tuple[int, ...]) -> None:
    """The last talk is known however the server counts.

    Talks are counted down before they are said, or after; whispers alike.
    """
    state = SeatState()
    for request in ("TALK", "WHISPER"):
        _morning(state)
        assert [_ask(state, count, request) for count in told] == [3, 2, 1, 0]


def test_lost_first_question_misleads_for_one_day() -> None:
    """A lost first question misleads about the number of talks for a day at most.

    The next full count tells better.
    """
    state = SeatState()
    _morning(state)
    assert _ask(state, 3) == 3
    _morning(state)
    assert [_ask(state, count) for count in (4, 3, 2, 1)] == [3, 2, 1, 0]


def test_no_count_told_is_no_count_known() -> None:
    """A packet without it leaves the last talk to be found out by its time."""
    state = SeatState()
    _morning(state)
    state.apply(Packet(request="TALK", info=Info(agent="Mia")))
    assert state.talks_after is None


def test_likely_next_request_is_told() -> None:
    """What comes next is told where it is likely.

    A vote after the talk of a day, talk in its morning and while some is left; nothing for the dead.
    """
    alive = {"Ann": "ALIVE", "Bob": "ALIVE"}

    def after(request: str, day: int = 1, **more: Any) -> str | None:
        state = SeatState()
        info = {"day": day, "agent": "Ann", "status_map": alive, "role_map": {"Ann": "VILLAGER"}, **more}
        setting = {"talk": {"max_count": {"per_agent": 4}}}
        state.apply(parse_packet(json.dumps({"request": request, "info": info, "setting": setting})))
        return state.next_request

    assert after("DAILY_FINISH") == "VOTE"
    assert after("DAILY_FINISH", day=0) is None
    assert after("DAILY_INITIALIZE") == "TALK"
    assert after("DAILY_INITIALIZE", 0, role_map={"Ann": "WEREWOLF", "Bob": "WEREWOLF"}) is None
    assert after("TALK", remain_count=2) == "TALK"
    assert after("TALK", remain_count=0) is None
    assert after("VOTE") is None
    assert after("DAILY_FINISH", status_map={"Ann": "DEAD", "Bob": "ALIVE"}) is None
    assert after("FINISH") is None


def test_contest_village_is_assumed_where_untold() -> None:
    """A server may leave out how many have each role: then the village is the contest's of this size."""
    seats = {f"P{number}": "ALIVE" for number in range(9)}
    state = SeatState()
    state.apply(Packet(request="INITIALIZE", info=Info(agent="P0", status_map=seats), setting=Setting()))
    assert state.setting.role_num_map["WEREWOLF"] == 2
    state.apply(Packet(request="INITIALIZE", setting=Setting(role_num_map={"WEREWOLF": 1, "VILLAGER": 8})))
    assert state.setting.role_num_map == {"WEREWOLF": 1, "VILLAGER": 8}
