"""A closer look at one game: its turning point, its worst fallback, its best lie, and beliefs from journals."""

from __future__ import annotations

from typing import Any

import pytest

from nlp_agent.records.game_reader import RecordedGame, read_game_log
from nlp_agent.report.evidence import detail_of

GAME = """1,status,1,WEREWOLF,ALIVE,t1,Ada
1,status,2,POSSESSED,ALIVE,t2,Ben
1,status,3,SEER,ALIVE,t3,Cyd
1,status,4,VILLAGER,ALIVE,t4,Dot
1,status,5,VILLAGER,ALIVE,t5,Eli
1,talk,0,0,2,I am the seer. I divined Cyd and Cyd is a werewolf.
1,talk,1,0,3,I am the seer. I divined Dot and Dot is human.
1,talk,2,0,4,I will vote for Cyd.
1,vote,1,3
1,vote,2,3
1,vote,3,2
1,vote,4,3
1,vote,5,3
1,execute,3,SEER
1,attack,4,true
2,status,1,WEREWOLF,ALIVE,t1,Ada
2,status,2,POSSESSED,ALIVE,t2,Ben
2,status,5,VILLAGER,ALIVE,t5,Eli
2,talk,0,0,5,Ada is suspicious.
2,vote,1,5
2,vote,2,5
2,vote,5,1
2,execute,5,VILLAGER
3,result,0,1,WEREWOLF
"""


@pytest.fixture(scope="module")
def game() -> RecordedGame:
    found = read_game_log(GAME, "cup", "g1")
    assert found is not None
    return found


def decision(day: int, request: str, sent: str, **more: Any) -> dict[str, Any]:
    return {"event": "decision", "day": day, "request": request, "sent": sent, "how": "llm", "ms": 900.0, **more}


def test_winning_lie_is_told_with_its_victims(game: RecordedGame) -> None:
    """The lie that won is told with whom it misled.

    On day 1 the possessed passes for the seer, and all three village votes miss the wolf.
    """
    detail = detail_of(game, {}, count_words=True)
    assert detail.lie is not None
    assert detail.lie.what == "day 1: Ben (possessed) passes for the seer, 3 of 3 village votes miss"
    assert not detail.own
    assert detail.words[3].promised == detail.words[3].kept == 1
    assert {(vote.day, game.names[vote.seat]) for vote in detail.votes} >= {(1, "Cyd"), (1, "Dot"), (2, "Eli")}
    assert not any(game.names[vote.seat] == "Ada" for vote in detail.votes)


def test_other_vote_in_run_off_keeps_promise() -> None:
    """Who votes otherwise in a run-off has kept its word.

    Dot announces a vote for Cyd and casts it; in the second round of the tie it votes for Ben.
    """
    tied = read_game_log(GAME.replace("1,execute,3", "1,vote,4,2\n1,execute,3"), "cup", "g2")
    assert tied is not None
    assert tied.days[0].votes["Dot"] == "Ben"
    words = detail_of(tied, {}, count_words=True).words
    assert (words[3].promised, words[3].kept) == (1, 1)


def test_journals_tell_beliefs_turns_and_fallbacks(game: RecordedGame) -> None:
    """What a seat believed is taken from its journal; the largest change between votes and the latest fallback are
    found."""
    first = {"wolf": {"Ada": 0.1, "Ben": 0.3, "Cyd": 0.5, "Dot": 0.1}}
    last = {"wolf": {"Ada": 0.95, "Ben": 0.05}}
    journal = [
        decision(1, "TALK", "Hm.", how="fallback", ms=48_000.0, problems=["no answer in time"]),
        decision(1, "TALK", "Hm.", how="fallback", ms=2_000.0),
        decision(1, "VOTE", "Cyd", posterior=first),
        decision(2, "VOTE", "Ada", posterior=last),
    ]
    detail = detail_of(game, {"t5": journal}, count_words=False)
    assert detail.own
    assert [(vote.day, vote.voted, vote.p["Ada"]) for vote in detail.votes] == [(1, "Cyd", 0.1), (2, "Ada", 0.95)]
    assert detail.swing is not None
    assert detail.swing.what == "day 2: suspicion of the wolves goes up from 10 to 95 %"
    assert detail.fallback is not None
    assert detail.fallback.what == "day 1: Eli's TALK after 48.0 s, no answer in time"
