"""Whole games in which a model thinks for every seat: its words are its own, and what leaves the seats is clean."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.app.config_file import load_config
from nlp_agent.app.wiring.tables import TableOptions, play_games
from nlp_agent.arena import village
from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.llm.loopback import HttpReply, Loopback, prompt_text, saying, wanted_names
from nlp_agent.net import Stop
from nlp_agent.records.summary import GameSummary
from tests.seat.thinker import Thinker

Answer = Callable[[dict[str, Any], str], str]


def _behaviour(answer: Answer) -> Callable[[dict[str, Any]], HttpReply]:
    def reply(request: dict[str, Any]) -> HttpReply:
        form = request.get("response_format", {}).get("json_schema", {}).get("schema", {})
        if "thought" in form.get("properties", {}):
            return saying(request, answer(form, prompt_text(request)))
        names = wanted_names(request)
        return saying(request, names[0] if names else "Hm. We shall see.")

    return reply


def played(
    folder: Path, answer: Answer, language: str, players: int, seed: int = 1, duration: int | None = None, **llm: object
) -> tuple[GameSummary, list[dict[str, Any]]]:
    games: list[GameSummary] = []

    async def main() -> None:
        async with Loopback(_behaviour(answer)) as endpoint:
            file = folder / "config.yml"
            quiet = {"read_talks": False, "complete_character": False}
            section = {"base_url": endpoint.base_url, "model": "m", **quiet, **llm}
            file.write_text(json.dumps({"llm": section, "language": language}), encoding="utf-8")
            options = TableOptions(players, language, seed, 1, folder, duration)
            await play_games(load_config(file), options, lambda _: None, games.append, Stop())

    if duration is None:
        asyncio.run(main())
    else:
        with asyncio.Runner(loop_factory=HurriedLoop) as runner:
            runner.run(main())
    rows = [
        json.loads(line)
        for path in sorted(Path(games[0].records).glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return games[0], [row for row in rows if row["event"] == "decision"]


def _clean(game: GameSummary) -> None:
    counted = ("illegal", "late", "extra", "crashes")
    assert {name: game.total(name) for name in counted} == dict.fromkeys(counted, 0)
    for seat in game.seats:
        assert seat.words.slips == []
        assert seat.words.kept == seat.words.promised
    assert game.warnings == ()


# Nine play to the end with every role there is; five and thirteen play in the tests that follow.
@pytest.mark.parametrize("language", ["ja", "zh"])
def test_a_game_of_thinking_models_is_clean(language: str, tmp_path: Path) -> None:
    """Nothing illegal, late or contradicted, every announced vote is cast, and nearly all words are the model's."""
    game, rows = played(tmp_path, Thinker(language).answer, language, 9)
    _clean(game)
    _thought_for_itself(game, rows)
    _no_secret_left(rows, language)


def _thought_for_itself(game: GameSummary, rows: list[dict[str, Any]]) -> None:
    assert game.total("llm") > 0.8 * (game.total("llm") + game.total("fallbacks"))
    told = [row["judgement"] for row in rows if row["request"] == "TALK" and row["how"] in ("llm", "retry")]
    assert all({"core", "model", "both", "decided"} <= set(judgement) for judgement in told)


SECRETS = {"en": ("I am a werewolf", "is my partner"), "ja": ("私は人狼", "仲間です"), "zh": ("我是狼人", "我的同伴")}


def _no_secret_left(rows: list[dict[str, Any]], language: str) -> None:
    """Among the last three the plan itself may take the mask off; before, and in the model's words, nobody does."""
    talks = [row for row in rows if row["request"] == "TALK" and row["how"] in ("llm", "retry")]
    said = [row["sent"] for row in talks if len(row["judgement"]["core"]) > 2]
    assert not [text for text in said for secret in SECRETS[language] if secret in text]


def test_a_group_chat_of_thinking_models_is_clean(tmp_path: Path) -> None:
    """Where everybody may speak at any moment, too."""
    game, rows = played(tmp_path, Thinker("en").answer, "en", 5, duration=120_000)
    _clean(game)
    assert any(row["how"] in ("llm", "retry") for row in rows if row["request"] == "TALK")
    _no_secret_left(rows, "en")


def test_a_model_that_gives_everything_away_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its role, its partner and its pack are told to nobody in public, however often it tries; nor among thirteen is
    anything late or illegal. They play for two days, since a longer log is what costs."""
    monkeypatch.setattr(village, "contest_village", partial(village.contest_village, max_day=2))
    game, rows = played(tmp_path, Thinker("en", secrets=1.0).answer, "en", 13)
    _clean(game)
    _no_secret_left(rows, "en")


@pytest.mark.parametrize(("style", "later"), [("auto", None), ("advised", "advised")])
def test_model_breaking_the_form_gets_orders(style: str, later: str | None, tmp_path: Path) -> None:
    """A model that cannot keep the form gets orders.

    After two broken answers for the rest of the game; one that is to be advised whatever comes, is.
    """
    game, rows = played(tmp_path, lambda *_: "Hm. Let us see who keeps to what was said.", "en", 5, style=style)
    _clean(game)
    assert rows[0]["style"] == "advised"
    assert {row.get("style") for row in rows if row["day"] > 0} == {later}


def test_reason_of_a_divination_is_remembered(tmp_path: Path) -> None:
    """Why a player was divined is remembered in the words of who chose.

    The seer may be asked for its reason on any later day.
    """
    thinker = Thinker("en")
    shown: list[str] = []

    def answer(form: dict[str, Any], prompt: str) -> str:
        shown.append(prompt)
        told = json.loads(thinker.answer(form, prompt))
        return json.dumps(told | {"thought": "Because the lamp in that window burnt all night."})

    game, rows = played(tmp_path, answer, "en", 5)
    _clean(game)
    _thought_for_itself(game, rows)
    assert any(row["request"] == "DIVINE" and row["how"] == "llm" for row in rows)
    assert any("the lamp in that window" in prompt for prompt in shown)
