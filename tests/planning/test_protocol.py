"""The strategy where talk is the AIWolf Protocol's: what cannot be said is not planned, requests are answered."""

from __future__ import annotations

import pytest

from nlp_agent.arena.events import Talked
from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.protocol_sentences import ProtocolStrategy, parts_of, sayable, statement_key
from nlp_agent.protocol import Info, Packet, Request, Setting, Talk
from nlp_agent.reading.protocol_language import Compound, Finding, Guess, NothingSaid, ProtocolReader, parse
from nlp_agent.voice.own_words import ProtocolLines
from tests.bench.quick_games import ClassicSeat, play_lines

PLAYERS = tuple(f"Agent[{number:02}]" for number in range(1, 6))
ME = PLAYERS[0]


def _info(role: str, **more: object) -> Info:
    living = dict.fromkeys(PLAYERS, "ALIVE")
    return Info.model_validate(
        {"game_id": "g", "day": 1, "agent": ME, "status_map": living, "role_map": {ME: role}, "remain_count": 9, **more}
    )


def _planner(*said: tuple[str, str], role: str = "VILLAGER", votes: str = "") -> tuple[Planner, ProtocolLines]:
    """``votes``: whom each player has voted for in a first round that is held again, by number."""
    info = _info(role)
    setting = Setting(
        agent_count=5, role_num_map={"WEREWOLF": 1, "POSSESSED": 1, "SEER": 1, "VILLAGER": 2}, protocol_language=True
    )
    talks = tuple(Talk(idx=idx, day=1, agent=who, text=text) for idx, (who, text) in enumerate(said))
    state = SeatState()
    state.apply(Packet(request="INITIALIZE", info=info, setting=setting))
    state.apply(Packet(request="TALK", info=info, talk_history=talks))
    if votes:
        cast = [{"day": 1, "agent": who, "target": PLAYERS[int(n) - 1]} for who, n in zip(PLAYERS, votes, strict=True)]
        state.apply(Packet(request="VOTE", info=_info(role, vote_list=cast)))
    planner = Planner(state, ProtocolReader(), 1, ProtocolStrategy())
    planner.observe()
    return planner, ProtocolLines(state, planner.ledger)


def _day(planner: Planner, lines: ProtocolLines) -> list[str]:
    """What is said until there is nothing more to say."""
    found: list[str] = []
    while len(found) < 12:
        plan: TalkPlan = planner.plan_talk(Request.TALK)
        assert all(sayable(act) for act in plan.acts)
        found.append(lines.say(plan))
        if plan.over:
            break
        planner.sent(Request.TALK, found[-1], plan)
    return found


def test_request_by_name_is_agreed_or_refused() -> None:
    """A request by name is agreed to or refused.

    Once each, by the vote this seat means: the talk that asked is named.
    """
    planner, lines = _planner(
        (PLAYERS[1], "REQUEST Agent[01] (VOTE Agent[03])"),
        (PLAYERS[2], "REQUEST Agent[01] (VOTE Agent[04])"),
        (PLAYERS[3], "REQUEST Agent[01] (VOTE Agent[02])"),
    )
    assert _day(planner, lines) == [
        "AND (AGREE TALK day1 ID:0) (VOTE Agent[03]) (REQUEST ANY (VOTE Agent[03]))",
        "DISAGREE TALK day1 ID:1",
        "DISAGREE TALK day1 ID:2",
        "Over",
    ]


def test_an_inquiry_is_answered_to_the_point() -> None:
    """Who is asked for a vote says it, who is asked for its role claims one."""
    planner, lines = _planner((PLAYERS[1], "INQUIRE Agent[01] (VOTE ANY)"))
    assert lines.say(planner.plan_talk(Request.TALK)).startswith("VOTE Agent[")
    planner, lines = _planner((PLAYERS[1], "INQUIRE Agent[01] (COMINGOUT Agent[01] ANY)"))
    assert lines.say(planner.plan_talk(Request.TALK)) == "COMINGOUT Agent[01] VILLAGER"


def test_day_without_news_ends_with_a_vote() -> None:
    """A day without anything to go on ends with a vote and Over.

    Small talk has no word here: the vote is announced, and that is all.
    """
    planner, lines = _planner((PLAYERS[1], "Skip"))
    said = _day(planner, lines)
    assert any("VOTE" in text for text in said)
    assert said[-1] == "Over"


def test_wish_to_anybody_is_answered_once() -> None:
    """A wish or question to anybody is answered once.

    What several want of everybody is answered once for each it is about; nobody shows a role because of it.
    """
    planner, lines = _planner(
        (PLAYERS[1], "REQUEST ANY (VOTE Agent[03])"),
        (PLAYERS[3], "REQUEST ANY (VOTE Agent[03])"),
        (PLAYERS[4], "REQUEST ANY (VOTE Agent[01])"),
        (PLAYERS[4], "INQUIRE ANY (COMINGOUT ANY SEER)"),
    )
    said = _day(planner, lines)
    assert sum("TALK day1 ID:0" in text or "TALK day1 ID:1" in text for text in said) == 1
    assert not any("ID:2" in text or "COMINGOUT" in text for text in said)
    planner, lines = _planner((PLAYERS[1], "INQUIRE ANY (VOTE ANY)"))
    assert "VOTE Agent[03]" in lines.say(planner.plan_talk(Request.TALK))


def test_nothing_is_stated_twice() -> None:
    """A result is not told again to who asks for it, nor a guess for another reason; the next day it may be."""
    guess, result = Guess("ESTIMATE", 2, "WEREWOLF"), Finding("DIVINED", 2, "WEREWOLF")
    for again in (guess, Compound("BECAUSE", (result, guess))):
        assert statement_key(again, 1) == statement_key(guess, 1) != statement_key(guess, 2)
    assert statement_key(Compound("DAY", (result,), 1), 1) == statement_key(result, 2)
    for seed in range(3):
        said: dict[str, list[str]] = {}
        game = play_lines([ClassicSeat(seed * 5 + number) for number in range(5)], seed)
        for event in game.events:
            if isinstance(event, Talked) and (tree := parse(event.text)) and not isinstance(tree, NothingSaid):
                told = said.setdefault(f"{event.seat}", [])
                keys = [statement_key(part, event.day) for part in parts_of(tree)]
                assert not set(keys) <= set(told), event.text
                told += keys


@pytest.mark.parametrize(
    ("votes", "role", "promise", "chosen"),
    [
        ("33224", "VILLAGER", "", {"Agent[02]", "Agent[03]"}),
        ("33224", "VILLAGER", "Agent[05]", {"Agent[02]", "Agent[03]"}),
        ("33224", "VILLAGER", "Agent[03]", {"Agent[03]"}),
        ("21122", "VILLAGER", "Agent[05]", {"Agent[02]"}),
        ("", "VILLAGER", "Agent[05]", {"Agent[05]"}),
    ],
    ids=["no word given", "word given for another", "word given for a leader", "oneself among them", "a first round"],
)
def test_a_second_round_is_between_those_who_lead(votes: str, role: str, promise: str, chosen: set[str]) -> None:
    """A promise to vote for somebody else was kept in the first round, and would only leave the choice to others."""
    said = [(ME, f"VOTE {promise}")] if promise else []
    planner, _ = _planner(*said, role=role, votes=votes)
    assert planner.plan_target(Request.VOTE, PLAYERS[1:]).name in chosen
