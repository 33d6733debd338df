"""The strategy where talk is the AIWolf Protocol's: what cannot be said is not planned, requests are answered."""

from __future__ import annotations

from nlp_agent.game import SeatState
from nlp_agent.planning.mind import Mind
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.protocol import ProtocolStrategy
from nlp_agent.planning.sentences import sayable
from nlp_agent.protocol import Info, Packet, Request, Setting, Talk
from nlp_agent.reading.protocol import ProtocolReader
from nlp_agent.voice.protocol_lines import ProtocolLines

PLAYERS = tuple(f"Agent[{number:02}]" for number in range(1, 6))
ME = PLAYERS[0]


def _mind(*said: tuple[str, str], role: str = "VILLAGER") -> tuple[Mind, ProtocolLines]:
    info = Info(
        game_id="g", day=1, agent=ME, status_map=dict.fromkeys(PLAYERS, "ALIVE"), role_map={ME: role}, remain_count=9
    )
    setting = Setting(
        agent_count=5, role_num_map={"WEREWOLF": 1, "POSSESSED": 1, "SEER": 1, "VILLAGER": 2}, protocol_language=True
    )
    talks = tuple(Talk(idx=idx, day=1, agent=who, text=text) for idx, (who, text) in enumerate(said))
    state = SeatState()
    state.apply(Packet(request="INITIALIZE", info=info, setting=setting))
    state.apply(Packet(request="TALK", info=info, talk_history=talks))
    mind = Mind(state, ProtocolReader(), 1, ProtocolStrategy())
    mind.observe()
    return mind, ProtocolLines(state, mind.ledger)


def _day(mind: Mind, lines: ProtocolLines) -> list[str]:
    """What is said until there is nothing more to say."""
    found: list[str] = []
    while len(found) < 12:
        plan: TalkPlan = mind.plan_talk(Request.TALK)
        assert all(sayable(act) for act in plan.acts)
        found.append(lines.say(plan))
        if plan.over:
            break
        mind.sent(Request.TALK, found[-1], plan)
    return found


def test_a_request_by_name_is_agreed_to_or_not() -> None:
    """Once each, by the vote this seat means: the talk that asked is named."""
    mind, lines = _mind(
        (PLAYERS[1], "REQUEST Agent[01] (VOTE Agent[03])"),
        (PLAYERS[2], "REQUEST Agent[01] (VOTE Agent[04])"),
        (PLAYERS[3], "REQUEST Agent[01] (VOTE Agent[02])"),
    )
    assert _day(mind, lines) == [
        "AND (AGREE TALK day1 ID:0) (VOTE Agent[03]) (REQUEST ANY (VOTE Agent[03]))",
        "DISAGREE TALK day1 ID:1",
        "DISAGREE TALK day1 ID:2",
        "Over",
    ]


def test_an_inquiry_is_answered_to_the_point() -> None:
    """Who is asked for a vote says it, who is asked for its role claims one."""
    mind, lines = _mind((PLAYERS[1], "INQUIRE Agent[01] (VOTE ANY)"))
    assert lines.say(mind.plan_talk(Request.TALK)).startswith("VOTE Agent[")
    mind, lines = _mind((PLAYERS[1], "INQUIRE Agent[01] (COMINGOUT Agent[01] ANY)"))
    assert lines.say(mind.plan_talk(Request.TALK)) == "COMINGOUT Agent[01] VILLAGER"


def test_a_day_without_anything_to_go_on_ends_with_a_vote_and_over() -> None:
    """Small talk has no word here: the vote is announced, and that is all."""
    mind, lines = _mind((PLAYERS[1], "Skip"))
    said = _day(mind, lines)
    assert any("VOTE" in text for text in said)
    assert said[-1] == "Over"
