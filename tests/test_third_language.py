"""A language is data: the Chinese pack plays as the contest's two do, and no module knows of it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

import nlp_agent
from nlp_agent.app.config import Config, LlmConfig
from nlp_agent.app.wiring.tables import TableOptions, play_games
from nlp_agent.llm.loopback import Loopback
from nlp_agent.net import Stop
from nlp_agent.records.summary import GameSummary
from nlp_agent.text import Allowance, make_utterance
from tests.selfplay import Figures, pack, play, played

LANG = "zh"


def test_no_module_speaks_of_the_third_language() -> None:
    """Whatever makes it work lies in its folder: no Python file names it or writes in it."""
    for file in Path(nlp_agent.__file__).parent.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"[\"']zh[\"']", text), file
        assert not set("们这说对谁预") & set(text), file


@cache
def _game(folder: Path, players: int, model: str = "") -> GameSummary:
    """One game over real sockets, LLM-free or with the loopback endpoint."""

    async def main() -> GameSummary:
        games: list[GameSummary] = []
        async with Loopback() as endpoint:
            llm = LlmConfig(base_url=endpoint.base_url, model=model) if model else LlmConfig()
            options = TableOptions(players, LANG, 2, 1, folder)
            await play_games(Config(llm=llm), options, lambda _: None, games.append, Stop())
        return games[0]

    return asyncio.run(main())


def _rows(game: GameSummary, event: str) -> list[dict[str, object]]:
    rows = [json.loads(line) for f in Path(game.records).glob("*.jsonl") for line in f.read_text("utf-8").splitlines()]
    return [row for row in rows if row["event"] == event]


@pytest.mark.parametrize("players", [5, 9, 13])
def test_villages_of_all_sizes_are_playable(players: int, tmp_path: Path) -> None:
    """Villages of all sizes are played without a fault.

    The pack is found by the profile, every reply is legal, nothing is refused, and the game is won.
    """
    game = _game(tmp_path, players)
    assert game.winner in ("VILLAGER", "WEREWOLF")
    assert [game.total(what) for what in ("illegal", "late", "extra", "crashes")] == [0, 0, 0, 0]
    decisions = _rows(game, "decision")
    assert [row["problems"] for row in decisions if "problems" in row] == []
    talks = [str(row["sent"]) for row in decisions if row["request"] == "TALK" and row["sent"] != "Over"]
    assert all(re.search(r"[\u4e00-\u9fff]", text) and not re.search(r"[A-Za-z,\u3040-\u30ff]", text) for text in talks)


def test_a_model_speaks_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an endpoint most talks are the model's, and they pass cleaning and guard."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    game = _game(tmp_path, 5, "loopback")
    assert [game.total(what) for what in ("illegal", "late", "extra", "crashes")] == [0, 0, 0, 0]
    assert game.total("llm") > game.total("fallbacks")


@pytest.mark.parametrize(
    ("players", "seeds"),
    [
        (5, [0, 1, 2, 3, 4, 5, 6, 7]),
        *(pytest.param(*many, marks=pytest.mark.statistics) for many in ((9, [0]), (13, [0, 1, 2]))),
    ],
)
def test_its_games_hold_the_figures_of_the_contest(players: int, seeds: Sequence[int]) -> None:
    """Hardly a repetition, votes as announced, answers to whoever spoke to one."""
    figures = Figures()
    for seed in seeds:
        figures.add(play(LANG, players, seed))
    assert figures.broken == 0
    assert figures.near <= max(1, figures.talks // 100)
    assert figures.answered >= 0.8 * figures.addressed


def test_a_planned_vote_is_spoken() -> None:
    """Late in a village of thirteen every phrase for a hunch was heard, and the vote is still announced."""
    silent = [
        (player.state.me, day, plan.why)
        for player in played(LANG, 13, 0).players
        for day, _, plan, text in player.said
        if text == "Over" and not plan.over
    ]
    assert silent == []


@pytest.mark.parametrize(
    ("raw", "sent"),
    [
        ("发言：我怀疑沈墨,他太安静了", "我怀疑沈墨，他太安静了。"),
        ("我的看法：沈墨有问题（叹气）……真的", "我的看法是沈墨有问题，真的。"),
        ("沈墨「我是狼」\n我今天投秦岚!!", "我今天投秦岚！"),
        ("等3-5句再说", "等3到5句再说。"),
    ],
)
def test_models_words_follow_the_packs_rules(raw: str, sent: str) -> None:
    """What a model writes is cleaned by the pack's rules.

    Labels, commas, colons and ranges become what the language may say, by data alone.
    """
    names = ("韩铁山", "沈墨", "秦岚")
    made = make_utterance(raw, Allowance("韩铁山", names, names), pack(LANG).language)
    assert made is not None
    assert made.text == sent


def test_a_long_sentence_is_cut_at_a_phrase() -> None:
    """What must be shortened ends where Chinese may end, within the cap."""
    from nlp_agent.protocol import LengthRule

    names = ("韩铁山", "沈墨", "秦岚")
    allowed = Allowance("韩铁山", names, names, LengthRule(base_length=12, mention_length=12))
    made = make_utterance("我从昨天开始就一直觉得沈墨说的话前后对不上", allowed, pack(LANG).language)
    assert made is not None
    assert len(made.text) <= 12
    assert made.text.endswith("。")
