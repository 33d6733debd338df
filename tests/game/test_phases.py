"""A group chat as a seat sees it: phases open and close, talks are counted, whatever the packets lack."""

from __future__ import annotations

import pytest

from nlp_agent.game import SeatState
from nlp_agent.protocol import Info, MaxCount, Packet, Setting, Talk, TalkSetting, parse_packet

NAMES = ("Ann", "Ben", "Cleo")


def _seat() -> SeatState:
    state = SeatState()
    setting = Setting(talk=TalkSetting(max_count=MaxCount(per_agent=4, per_day=20), duration=60_000))
    state.apply(Packet(request="INITIALIZE", info=_info(), setting=setting))
    state.apply(Packet(request="DAILY_INITIALIZE", info=_info(), setting=setting))
    return state


def _info(day: int = 0, remain: int | None = None) -> Info:
    status = dict.fromkeys(NAMES, "ALIVE")
    return Info(game_id="g", day=day, agent="Ann", status_map=status, role_map={"Ann": "WEREWOLF"}, remain_count=remain)


def _said(idx: int, agent: str, text: str = "Hm.", day: int = 0) -> Talk:
    return Talk(idx=idx, day=day, agent=agent, text=text, over=text == "Over")


def _broadcast(talk: Talk, info: Info | None = None) -> Packet:
    return Packet(request="TALK_BROADCAST", info=info, new_talk=talk)


def test_phase_opens_counts_own_talks_and_closes() -> None:
    """Between start and end the state tells the phase, its number, and how many talks are left."""
    state = _seat()
    assert (state.phase, state.phase_no) == ("", 0)
    state.apply(Packet(request="TALK_PHASE_START", info=_info(remain=4)))
    assert (state.phase, state.phase_no, state.phase_left) == ("talk", 1, 4)
    state.apply(_broadcast(_said(0, "Ben"), _info()))
    state.apply(_broadcast(_said(1, "Ann"), _info(remain=3)))
    assert (state.phase_left, [talk.idx for talk in state.own_phase_talks]) == (3, [1])
    assert [talk.idx for talk in state.talks] == [0, 1]
    state.apply(Packet(request="TALK_PHASE_END", info=_info()))
    assert (state.phase, state.phase_no) == ("", 1)


def test_packets_without_info_or_remain_count_are_enough() -> None:
    """The earliest servers send bare phase packets: the day stays, talks are counted from what comes back."""
    state = _seat()
    for raw in (
        '{"request": "TALK_PHASE_START"}',
        '{"request": "TALK_BROADCAST", "new_talk": {"idx": 0, "day": 0, "turn": 0, "agent": "Ann", "text": "Hi."}}',
    ):
        state.apply(parse_packet(raw))
    assert (state.phase, state.day, state.phase_left) == ("talk", 0, 3)
    state.apply(parse_packet('{"request": "TALK_PHASE_END"}'))
    assert state.phase == ""


def test_repeated_day_in_daily_finish_is_ignored() -> None:
    """The repetition of a day in DAILY_FINISH is heard once.

    DAILY_FINISH tells the whole day again; nothing of it is new, and nothing is counted twice.
    """
    state = _seat()
    talks = tuple(_said(idx, NAMES[idx % 3]) for idx in range(6))
    state.apply(Packet(request="TALK_PHASE_START", info=_info()))
    for talk in talks[:5]:
        state.apply(_broadcast(talk, _info()))
    state.apply(Packet(request="TALK_PHASE_END", info=_info()))
    state.apply(Packet(request="DAILY_FINISH", info=_info(), talk_history=talks))
    assert [talk.idx for talk in state.today] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("last", ["Over", "Skip"])
def test_over_leaves_no_talks(last: str) -> None:
    """Once the table took our Over there is nothing left to say, however many talks there were."""
    state = _seat()
    state.apply(Packet(request="TALK_PHASE_START", info=_info()))
    state.apply(_broadcast(_said(0, "Ann", last)))
    assert (state.phase_over, state.phase_left) == (True, 0)


def test_packets_that_arrive_twice_open_no_second_phase() -> None:
    """A repeated start, broadcast, end or morning packet changes nothing."""
    state = _seat()
    start, said = Packet(request="TALK_PHASE_START", info=_info()), _broadcast(_said(0, "Ann"), _info())
    for packet in (start, start, said, said, Packet(request="DAILY_INITIALIZE", info=_info()), start, said):
        state.apply(packet)
    assert (state.phase, state.phase_no, state.phase_left) == ("talk", 1, 3)
    state.apply(Packet(request="TALK_PHASE_START", info=_info(day=1)))
    for packet in (Packet(request="INITIALIZE", info=_info()), _broadcast(_said(0, "Ann", day=1), _info(day=1))):
        state.apply(packet)
    assert (state.phase, state.phase_no, state.phase_left) == ("talk", 2, 3), "the first day's packet is an old one"
    end = Packet(request="TALK_PHASE_END", info=_info())
    for packet in (end, end, said):
        state.apply(packet)
    assert (state.phase, state.phase_no) == ("", 2)


def test_lost_phase_start_or_end_is_noticed() -> None:
    """A phase whose start or end got lost is noticed.

    The first broadcast of a morning opens the phase; the next question, day or end of day closes it.
    """
    state = _seat()
    state.apply(_broadcast(_said(0, "Ben"), _info()))
    assert (state.phase, len(state.phase_talks)) == ("talk", 1)
    state.apply(Packet(request="DAILY_FINISH", info=_info(), talk_history=()))
    assert state.phase == ""
    state.apply(Packet(request="TALK_PHASE_START", info=_info(day=1)))
    state.apply(Packet(request="VOTE", info=_info(day=1)))
    assert (state.phase, state.phase_no) == ("", 2)
    state.apply(Packet(request="TALK_PHASE_START", info=_info(day=2)))
    state.apply(Packet(request="TALK_PHASE_START", info=_info(day=3)))
    assert (state.phase, state.phase_no, state.phase_talks) == ("talk", 4, [])


def test_whispers_have_phases_and_limits_of_their_own() -> None:
    """A whisper phase counts whispers by the setting of whispers, evening after morning."""
    state = SeatState()
    rules = TalkSetting(max_count=MaxCount(per_agent=2, per_day=12), duration=60_000)
    state.apply(Packet(request="INITIALIZE", info=_info(), setting=Setting(whisper=rules)))
    for number in (1, 2):
        state.apply(Packet(request="WHISPER_PHASE_START", info=_info()))
        whisper = Talk(idx=0, day=0, agent="Ann", text=f"Ben, or Cleo? {number}")
        state.apply(Packet(request="WHISPER_BROADCAST", info=_info(), new_whisper=whisper))
        assert (state.phase, state.phase_no, state.phase_left) == ("whisper", number, 1)
        state.apply(Packet(request="WHISPER_PHASE_END", info=_info()))
    assert len(state.whispers) == 2


def test_missing_talk_limit_is_known_as_unknown() -> None:
    """Without any limit told the seat knows that it does not know how many talks are left.

    Joined in mid-stream there is no setting; a remain_count is believed then.
    """
    state = SeatState()
    state.apply(Packet(request="TALK_PHASE_START", info=_info()))
    assert state.phase_left is None
    state.apply(_broadcast(_said(0, "Ben"), _info(remain=2)))
    assert state.phase_left == 2
