"""``nlp-agent try`` against a real endpoint on this machine."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from nlp_agent.app.cli.try_ import Trial, trials
from nlp_agent.app.config import Config, LlmConfig
from nlp_agent.app.wiring.journal_replay import ReplayedTurn, answered_requests, journal_rows, replay_turn
from nlp_agent.app.wiring.tables import TableOptions, play_games
from nlp_agent.llm.loopback import Loopback, saying
from nlp_agent.net import Stop
from nlp_agent.records.decisions import Row
from nlp_agent.records.summary import GameSummary


@cache
def _rows() -> list[Row]:
    games: list[GameSummary] = []
    with TemporaryDirectory() as name:
        options = TableOptions(5, "en", 5, 1, Path(name))
        asyncio.run(play_games(Config(), options, lambda _: None, games.append, Stop()))
        return journal_rows(Path(games[0].records) / "nlp-agent1.jsonl")


def _again(request: str) -> ReplayedTurn:
    rows = _rows()
    return replay_turn(rows, next(m.number for m in answered_requests(rows) if m.day == 1 and m.request == request))


def _ask(again: ReplayedTurn, *answers: str) -> list[Trial]:
    left = list(answers)

    async def main() -> list[Trial]:
        async with Loopback(lambda request: saying(request, left.pop(0))) as endpoint:
            llm = LlmConfig(base_url=endpoint.base_url, model="x", api_key_env="HOME")
            found = [trial async for trial in trials(Config(llm=llm), again, len(answers))]
            sent = [message["content"] for message in endpoint.requests[-1].json["messages"]]
            assert sent == [text for _, text in again.prompt.messages]
            return found

    return asyncio.run(main())


def test_each_answer_is_shown_raw_cleaned_and_kept() -> None:
    """Cleaning, the guard and the cap are those of a match, and the very prompt is asked."""
    long = "I have listened to all of you since the morning and " + "still I cannot say whom I believe " * 5
    fine, machine, cut = _ask(_again("TALK"), "*Sure*, that is odd 😀", "As an AI I cannot say.", long)
    assert (fine.raw, fine.problem) == ("*Sure*, that is odd 😀", "")
    assert fine.sent == fine.kept
    assert not set("*,😀") & set(fine.sent)
    assert fine.seconds > 0
    assert fine.completion_tokens > 0
    assert "a machine speaks" in machine.problem
    assert "cut" in cut.changes
    assert len(cut.kept.replace(" ", "")) <= 125


def test_target_is_a_legal_choice_or_a_problem() -> None:
    """A target that is answered is one of the choices, or a problem is told.

    Answers to a vote become a legal name.
    """
    again = _again("VOTE")
    name = again.ready.choices[0]
    named, lost = _ask(again, json.dumps({"target": name}), "nobody at all")
    assert (named.sent, named.problem) == (name, "")
    assert "no legal name" in lost.problem


def test_the_endpoints_failure_is_an_answer_too() -> None:
    """What went wrong is told, and the next question is asked all the same."""
    again = _again("TALK")

    async def main() -> list[Trial]:
        async with Loopback(key="another") as endpoint:
            llm = LlmConfig(base_url=endpoint.base_url, model="x", api_key_env="HOME")
            return [trial async for trial in trials(Config(llm=llm), again, 2)]

    assert ["auth" in trial.problem for trial in asyncio.run(main())] == [True, True]


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "sk-test-0123456789")
