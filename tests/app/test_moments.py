"""A journal holds all that is needed to make any of its prompts again."""

from __future__ import annotations

import asyncio
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from nlp_agent.app.config import Config, LlmConfig
from nlp_agent.app.wiring.journal_replay import answered_requests, journal_rows, replay_turn, shared_prefix
from nlp_agent.app.wiring.tables import TableOptions, play_games
from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.errors import ConfigError
from nlp_agent.llm.loopback import Loopback
from nlp_agent.net import Stop
from nlp_agent.records.decisions import Row
from nlp_agent.records.summary import GameSummary
from tests.selfplay import pack


@cache
def journals(players: int, lang: str, *, model: bool) -> list[list[Row]]:
    """The journals of one game, played with the loopback endpoint or LLM-free."""

    games: list[GameSummary] = []

    async def main(folder: Path) -> None:
        async with Loopback() as endpoint:
            llm = LlmConfig(base_url=endpoint.base_url, model="loopback", api_key_env="PATH")
            config = Config(llm=llm if model else LlmConfig())
            await play_games(config, TableOptions(players, lang, 4, 1, folder), lambda _: None, games.append, Stop())

    with TemporaryDirectory() as folder:
        asyncio.run(main(Path(folder)))
        return [journal_rows(file) for file in sorted(Path(games[0].records).glob("*.jsonl"))]


@pytest.mark.parametrize(("players", "lang"), [(5, "en"), (9, "ja")])
def test_every_prompt_can_be_made_again(players: int, lang: str) -> None:
    """Every prompt of a game can be made again from its journal.

    To the last letter, for every role, talk, whisper and target, at any moment of the game.
    """
    compared = 0
    for rows in journals(players, lang, model=True)[:: 4 if players > 5 else 2]:
        decisions = [row for row in rows if row["event"] == "decision"]
        asked = [number for number, row in enumerate(decisions, start=1) if "user" in row]
        for number in asked[-1:] + asked[: len(asked) - 1 : 12]:
            again = replay_turn(rows, number, pack(lang))
            row = decisions[number - 1]
            assert (again.prompt.system, again.prompt.user) == (row["system"], row["user"])
            assert again.ready.plan is not None
            assert (again.ready.plan.why or None) == row.get("why")
            compared += 1
    assert compared >= 6


def test_llm_free_games_give_the_same_words_again() -> None:
    """What the player said without a model it says again at the same moment."""
    for rows in journals(5, "en", model=False):
        told = answered_requests(rows)
        for moment in told[:: max(1, len(told) // 4)]:
            again = replay_turn(rows, moment.number, pack("en"))
            assert (again.ready.text, again.ready.request) == (moment.sent, moment.request)


@cache
def chat_journals(strategy: str) -> list[list[Row]]:
    """The journals of a group chat without a model; nobody waits."""
    games: list[GameSummary] = []
    with TemporaryDirectory() as folder, asyncio.Runner(loop_factory=HurriedLoop) as runner:
        options = TableOptions(5, "en", 4, 1, Path(folder), 60_000)
        runner.run(play_games(Config(strategy=strategy), options, lambda _: None, games.append, Stop()))
        return [journal_rows(file) for file in sorted(Path(games[0].records).glob("*.jsonl"))]


def test_talks_of_group_chats_are_made_again() -> None:
    """At the moment they were begun, with what had been heard by then; where nothing was thought, that is said."""
    same = silent = 0
    for rows in chat_journals("")[:2]:
        for moment in answered_requests(rows):
            if moment.how == "settled":
                with pytest.raises(ConfigError, match="fell silent"):
                    replay_turn(rows, moment.number, pack("en"))
                silent += 1
            else:
                again = replay_turn(rows, moment.number, pack("en"))
                assert (again.ready.text, again.ready.request) == (moment.sent, moment.request)
                same += 1
    assert same >= 4
    assert silent >= 1


def test_a_strategy_of_ones_own_decides_again() -> None:
    """The journal names it; one that is gone is explained."""
    rows = chat_journals("nlp_agent.planning.examples.crowd:Crowd")[0]
    votes = [moment for moment in answered_requests(rows) if moment.request == "VOTE"]
    assert votes
    assert replay_turn(rows, votes[0].number, pack("en")).ready.text == votes[0].sent
    lost = [{**row, "strategy": "gone:Gone"} if row["event"] == "seat" else row for row in rows]
    with pytest.raises(ConfigError, match="gone:Gone"):
        replay_turn(lost, votes[0].number, pack("en"))


def test_a_completed_sheet_is_worn_again() -> None:
    """Prompts after it show what a model had written about the character."""
    rows = journals(5, "en", model=False)[0]
    row = {
        "event": "character",
        "sheet": {"temper": "gruff but fair", "vocabulary": "", "habits": ["hums"], "samples": []},
    }
    at = next(at for at, row in enumerate(rows) if row["event"] == "decision")
    again = replay_turn([*rows[: at + 1], row, *rows[at + 1 :]], len(answered_requests(rows)), pack("en"))
    assert "You are gruff but fair." in again.prompt.system
    assert again.before is not None


def test_another_pack_sees_the_same_moment() -> None:
    """A game played with one pack is shown with the templates of another."""
    rows = journals(5, "en", model=False)[0]
    told = answered_requests(rows)
    again = replay_turn(rows, len(told), pack("ja"))
    assert "# 次にすること" in again.prompt.user
    assert "# Now" in replay_turn(rows, len(told)).prompt.user
    assert again.before is not None
    shared = shared_prefix(again.before.messages, again.prompt.messages)
    assert len(again.prompt.system) < shared < sum(len(text) for _, text in again.prompt.messages)


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    """The message says what a journal is, and which moments there are."""
    file = tmp_path / "a.jsonl"
    file.write_text('{"event": "name"}\n{"event": "pack', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"under records/"):
        journal_rows(file)
    with pytest.raises(ConfigError, match="1 to"):
        replay_turn(journals(5, "en", model=False)[0], 1000)
    with pytest.raises(ConfigError, match=r"answered no request yet$"):
        replay_turn(journals(5, "en", model=False)[0][:1], 1)


@pytest.mark.parametrize("told", [{"how": "TALK"}, {"style": "?"}, {"how": "", "style": None}])
def test_a_row_of_another_version_can_be_shown(told: dict[str, str]) -> None:
    """Who found the words, or how a model was asked, may be a word that this version does not know."""
    rows = [{**row, **told} if row["event"] == "decision" else row for row in journals(5, "en", model=False)[0]]
    last = len(answered_requests(rows))
    assert replay_turn(rows, last, pack("en")).prompt.user


def test_journal_does_not_choose_which_code_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal does not say what code is run.

    Somebody else's records may name a module that lies beside them; the user's own config may name it as well.
    """
    (tmp_path / "evil_module.py").write_text(
        "from pathlib import Path\nfrom nlp_agent.planning.strategy import Standard\n"
        "Path('was_run').touch()\nclass Evil(Standard): pass\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    rows = [
        {**row, "strategy": "evil_module:Evil"} if row["event"] == "seat" else row
        for row in journals(5, "en", model=False)[0]
    ]
    with pytest.raises(ConfigError, match="may not say what is run"):
        replay_turn(rows, 1, pack("en"))
    assert not Path("was_run").exists()
    Path("config.yml").write_text("strategy: evil_module:Evil\n", encoding="utf-8")
    assert replay_turn(rows, 1, pack("en")).prompt.user
    assert Path("was_run").exists()
