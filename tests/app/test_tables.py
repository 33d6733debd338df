"""A table of our own that is asked to close."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from nlp_agent.app.cli.serve import wanted_token
from nlp_agent.app.config import Config
from nlp_agent.app.config_file import load_config
from nlp_agent.app.wiring import running
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.app.wiring.tables import TableOptions, serve_table
from nlp_agent.arena.events import Dealt, Event
from nlp_agent.errors import ConfigError, RetryMessage
from nlp_agent.net import Stop


def test_table_with_token_keeps_one_folder_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with a token and its guests keep one folder for each game.

    Who shows the token plays, who shows none does not; in one folder the table's logs join the seats' journals.
    """
    monkeypatch.setenv("AIWOLF_TOKEN", "the-right-one")
    told: asyncio.Queue[str] = asyncio.Queue()

    async def main() -> None:
        options = TableOptions(5, "en", 1, 1, tmp_path, token=wanted_token(classic=False))
        serving = asyncio.create_task(serve_table(options, lambda _: None, told.put_nowait, Stop()))
        url = (await told.get()).partition("open at ")[2].split(" ")[0]
        async with connect(url) as stranger:
            await stranger.recv()
            await stranger.send("team9")
            with pytest.raises(ConnectionClosed):
                await stranger.recv()
        file = tmp_path / "config.yml"
        seats = {"web_socket": {"url": url}, "agent": {"num": 5, "team": "team"}, "records": {"dir": str(tmp_path)}}
        file.write_text(json.dumps(seats), encoding="utf-8")
        assert await run_seats([load_config(file)], lambda _: None, Stop()) == 0
        await serving

    asyncio.run(asyncio.wait_for(main(), 120))
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert {path.name for path in folder.iterdir()} == {
        "game.log",
        "game.json",
        *(f"team{n}.jsonl" for n in range(1, 6)),
    }
    assert "the-right-one" not in repr(TableOptions(5, "en", 1, 1, tmp_path, token="the-right-one"))


def test_table_without_its_token_says_where_it_belongs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that wants a token and has none says where to put it.

    Before it opens; and the classic protocol has no place for one.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AIWOLF_TOKEN", raising=False)
    with pytest.raises(ConfigError, match=r"write AIWOLF_TOKEN=\.\.\. into \.env"):
        wanted_token(classic=False)
    with pytest.raises(ConfigError, match="classic protocol"):
        wanted_token(classic=True)


def test_one_stop_lets_the_first_game_finish(tmp_path: Path) -> None:
    """The table was still waiting for guests when it was last asked about games; the one that began is played on.

    How long it waits for an answer is told to the guests.
    """
    stop = Stop()
    events: list[Event] = []
    played_on = asyncio.Event()
    url: list[str] = []
    limits: set[str] = set()
    opened = asyncio.Event()

    def heard(event: Event) -> None:
        events.append(event)
        if isinstance(event, Dealt):
            stop.request()
        if len(events) > 200:
            played_on.set()

    def told(status: str) -> None:
        if "open at " in status:
            url.append(status.partition("open at ")[2].split(" ")[0])
            opened.set()

    async def guest(name: str) -> None:
        async with connect(url[0], ping_interval=None) as socket:
            await socket.recv()
            await socket.send(name)
            async for frame in socket:
                limits.update(re.findall(r'"action": *([0-9]+)', str(frame)))
                if any(f'"request":"{asks}"' in str(frame) for asks in ("TALK", "VOTE", "DIVINE", "ATTACK")):
                    await socket.send("Over")

    async def main() -> None:
        options = TableOptions(5, "en", 1, None, tmp_path, timeout=90_000)
        serving = asyncio.create_task(serve_table(options, heard, told, stop))
        await opened.wait()
        guests = [asyncio.create_task(guest(f"team{number}")) for number in range(5)]
        await asyncio.wait({serving, asyncio.ensure_future(played_on.wait())}, return_when=asyncio.FIRST_COMPLETED)
        assert not serving.done()
        stop.request()
        await serving
        for each in guests:
            each.cancel()
        await asyncio.gather(*guests, return_exceptions=True)

    asyncio.run(asyncio.wait_for(main(), 30))
    assert played_on.is_set()
    assert limits == {"90000"}


def test_all_seats_tell_once_that_nobody_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where seats wait for the next game and the server is gone, it is told once, and not by each seat every second."""
    told: list[str] = []

    async def play_games(*_: object, on_status: Callable[[str], None], **__: object) -> int:
        for seconds in (1, 2, 4):
            on_status(RetryMessage(f"nothing listens -- trying again in {seconds} s", "nothing listens"))
        return 1

    monkeypatch.setattr(running, "play_games", play_games)
    settings = {"web_socket": {"auto_reconnect": True}, "records": {"dir": str(tmp_path)}, "agent": {"num": 5}}
    assert asyncio.run(run_seats([Config.model_validate(settings)], told.append, Stop())) == 0
    assert told == ["nothing listens -- trying again until a game begins; this is told once"]


def test_waiting_seat_is_told_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat that waits is told what it waits for, unless it has played.

    One seat alone at a table of five hears what is missing; who waits for the game after one hears nothing.
    """
    tell, waiting = running._tell_of_waiting, list[Any]()
    monkeypatch.setattr(running, "_NO_GAME_YET", 0.0)
    opened: asyncio.Queue[str] = asyncio.Queue()
    told: asyncio.Queue[str] = asyncio.Queue()

    async def note(connections: object, _: object) -> None:
        waiting.append(connections)

    async def main() -> None:
        serving = asyncio.create_task(
            serve_table(TableOptions(5, "en", 1, 1, tmp_path), lambda _: None, opened.put_nowait, Stop())
        )
        url = (await opened.get()).partition("open at ")[2].split(" ")[0]
        seats = {"web_socket": {"url": url}, "records": {"dir": str(tmp_path)}}
        alone = Config.model_validate({**seats, "agent": {"num": 1, "team": "alone"}})
        stop = Stop()
        sitting = asyncio.create_task(run_seats([alone], told.put_nowait, stop))
        while not (await told.get()).startswith("no game has begun yet"):
            pass
        stop.request()
        await sitting
        monkeypatch.setattr(running, "_tell_of_waiting", note)
        all_five = Config.model_validate({**seats, "agent": {"num": 5, "team": "team"}})
        assert await run_seats([all_five], lambda _: None, Stop()) == 0
        await tell(waiting[0], told.put_nowait)
        await serving

    asyncio.run(asyncio.wait_for(main(), 120))
    left = [told.get_nowait() for _ in range(told.qsize())]
    assert not [line for line in left if line.startswith("no game")]
