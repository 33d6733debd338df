"""Whole games with everything real: table, sockets, seats, packs, journals and an HTTP endpoint on loopback."""

from __future__ import annotations

import asyncio
import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.app.config import Config
from nlp_agent.app.config_file import load_config
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.app.wiring.tables import TableOptions, play_games
from nlp_agent.arena import village
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Event, Talked, Voted
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.errors import SessionError
from nlp_agent.llm.loopback import Loopback
from nlp_agent.net import Stop
from nlp_agent.prompting.pack import shipped_packs
from nlp_agent.records.summary import GameSummary


def _play(
    config: Config, out: Path, players: int = 5, lang: str = "en", seed: int = 1
) -> tuple[GameSummary, list[Event]]:
    events: list[Event] = []
    games: list[GameSummary] = []
    options = TableOptions(players, lang, seed, 1, out)
    asyncio.run(play_games(config, options, events.append, games.append, Stop()))
    return games[0], events


def _rows(folder: str | Path) -> list[dict[str, Any]]:
    files = sorted(Path(folder).glob("*.jsonl"))
    assert files
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("players", "lang"), [(5, "en"), (9, "en"), (13, "ja")])
def test_game_without_a_model_is_clean_and_recorded(players: int, lang: str, tmp_path: Path) -> None:
    """A game without a model is clean and fully recorded.

    Nothing illegal, late or unasked, no warning from the table, and every question has its row in a journal.
    """
    game, _ = _play(Config(), tmp_path, players, lang)
    assert game.winner in ("VILLAGER", "WEREWOLF")
    assert (game.total("illegal"), game.total("late"), game.total("extra"), game.total("crashes")) == (0, 0, 0, 0)
    assert game.warnings == ()
    rows = _rows(game.records)
    asked = sum(
        json.loads(row["raw"])["request"] in ("TALK", "WHISPER", "VOTE", "DIVINE", "GUARD", "ATTACK")
        for row in rows
        if row["event"] == "packet"
    )
    decisions = [row for row in rows if row["event"] == "decision"]
    assert len(decisions) == asked == sum(seat.replies for seat in game.seats)
    assert all(row["why"] for row in decisions)
    assert {path.name for path in Path(game.records).iterdir()} >= {"game.log", "game.json", "nlp-agent1.jsonl"}


def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    """Word for word and vote for vote, so that a game can be talked about."""
    first, second = (
        [event for event in _play(Config(), tmp_path / name, seed=7)[1] if isinstance(event, Talked | Voted)]
        for name in ("a", "b")
    )
    assert first == second
    assert len(first) > 10


def _config(folder: Path, **parts: Any) -> Config:
    file = folder / "config.yml"
    file.write_text(json.dumps(parts), encoding="utf-8")  # JSON is YAML
    return load_config(file)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_game_with_an_endpoint_counts_its_tokens(lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with an endpoint is clean and counts its tokens.

    The three lines of the README, a key in the environment, and the model speaks.
    """
    monkeypatch.setenv("OPENAI_API_KEY", "sk-sentinel-0123456789")

    async def main() -> GameSummary:
        games: list[GameSummary] = []
        async with Loopback(key="sk-sentinel-0123456789") as endpoint:
            config = _config(tmp_path, llm={"base_url": endpoint.base_url, "model": "loopback"})
            await play_games(config, TableOptions(5, lang, 1, 1, tmp_path), lambda _: None, games.append, Stop())
        return games[0]

    game = asyncio.run(main())
    assert (game.total("illegal"), game.total("late"), game.total("extra")) == (0, 0, 0)
    assert game.total("llm") > 0
    assert game.total("llm_calls") >= game.total("llm")
    assert game.total("prompt_tokens") > 0
    assert not any("sk-sentinel" in json.dumps(row) for row in _rows(game.records))


def test_seats_play_as_the_config_says(tmp_path: Path) -> None:
    """Seats play on a server as the config says.

    With a token, under the team's names, each with a journal; the exit code is 0. The day told is the last of talk.
    """
    told: list[str] = []
    last: list[int] = []

    async def main() -> int:
        village = contest_village(5, "ja")
        async with Table(village, cast=load_cast("ja"), seed=3, tokens={"kano": "s3cret"}) as table:
            config = _config(
                tmp_path,
                web_socket={"url": table.url, "token": "s3cret"},
                agent={"num": 5, "team": "kano"},
                records={"dir": str(tmp_path / "records")},
            )
            code = await run_seats([config], told.append, Stop())
            match = await table.next_match()
            assert (match.report.illegal, match.report.late, match.report.warnings) == (0, 0, ())
            last.extend(event.day for event in match.events if isinstance(event, Talked))
            return code

    assert asyncio.run(main()) == 0
    assert sum(f"won on day {max(last)};" in line for line in told) == 5
    assert len(list((tmp_path / "records").glob("*/kano*.jsonl"))) == 5


def test_two_configs_play_in_one_process(tmp_path: Path) -> None:
    """Two teams at one table, each with its own name and seats."""

    async def main() -> set[str]:
        async with Table(contest_village(5, "en"), cast=load_cast("en"), seed=3) as table:
            configs = []
            for team, num in (("red", 2), ("blue", 3)):
                (tmp_path / team).mkdir()
                configs.append(
                    _config(
                        tmp_path / team,
                        web_socket={"url": table.url},
                        agent={"num": num, "team": team},
                        records={"dir": str(tmp_path / "records")},
                    )
                )
            assert await run_seats(configs, lambda _: None, Stop()) == 0
            match = await table.next_match()
            return {seat.seat.guest for seat in match.report.seats}

    assert asyncio.run(main()) == {"red1", "red2", "blue1", "blue2", "blue3"}


def test_a_wrong_token_is_one_clear_error(tmp_path: Path) -> None:
    """The server only closes the connection after NAME; the message says what to look at."""

    async def main() -> None:
        async with Table(contest_village(5, "en"), cast=load_cast("en"), tokens={"kano": "right"}) as table:
            config = _config(
                tmp_path, web_socket={"url": table.url, "token": "wrong"}, agent={"num": 1, "team": "kano"}
            )
            await run_seats([config], lambda _: None, Stop())

    with pytest.raises(SessionError, match="wrong token or team"):
        asyncio.run(main())


def test_changed_prompt_is_used_in_the_next_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed prompt is used in the next game, and a broken one is not.

    Between games templates are read again; a typo is told, and the last good version stays in play.
    """
    monkeypatch.setattr(village, "contest_village", partial(contest_village, max_day=1))  # all prompts begin alike
    shutil.copytree(shipped_packs()["en"], tmp_path / "mine")
    template = tmp_path / "mine" / "system.jinja"
    text = template.read_text(encoding="utf-8")
    changes = [text + "\nSpeak like a sailor.\n", text + "\n{{ no_such_thing }}\n", text]
    prompts: list[str] = []

    def next_version(game: GameSummary) -> None:
        prompts.append(next(row["system"] for row in _rows(game.records) if row.get("system")))
        template.write_text(changes.pop(0), encoding="utf-8")

    async def main() -> None:
        async with Loopback() as endpoint:
            quiet = {"read_talks": False, "complete_character": False}
            llm = {"base_url": endpoint.base_url, "model": "loopback", **quiet}
            config = _config(tmp_path, prompts="./mine", llm=llm)
            await play_games(config, TableOptions(5, "en", 1, 3, tmp_path), lambda _: None, next_version, Stop())

    asyncio.run(main())
    assert ["sailor" in prompt for prompt in prompts] == [False, True, True]
    assert "no_such_thing" in caplog.text
