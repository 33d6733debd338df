"""The token is read and the place at the server tried, without harm to anybody's game."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.app.cli.checks import check_seat, check_token
from nlp_agent.app.config import Config
from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.llm.check import CheckResult
from tests.net.server import NAME, Guest, packet, server

NOW = 1_800_000_000.0


def token(**claims: Any) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part({'alg': 'HS256'})}.{part(claims)}.SENTINEL"


def config(url: str = "ws://127.0.0.1:1/ws", shown: str = "", folder: Path = Path("records")) -> Config:
    return Config.model_validate(
        {
            "web_socket": {"url": url, "token": shown},
            "agent": {"team": "wolves", "num": 1},
            "records": {"dir": folder},
        }
    )


@pytest.fixture(autouse=True)
def _no_token_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("AIWOLF_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("shown", "level", "hint"),
    [
        ("", "ok", "none is set"),
        (token(team="wolves", role="PLAYER", exp=NOW + 60), "ok", "--seat"),
        (token(team="wolves", role="PLAYER", exp=NOW - 60), "error", "expired"),
        (token(team="wolves", role="PLAYER", nbf=NOW + 60), "error", "clock"),
        (token(team="foxes", role="PLAYER"), "error", "agent.team"),
        (token(team="wolves", role="AUDIENCE"), "error", "not for players"),
        ("SENTINEL", "warning", "copied whole"),
        ("a.b.SENTINEL", "warning", "copied whole"),
        (f"a.{base64.b64encode(b'[]').decode()}.SENTINEL", "warning", "copied whole"),
    ],
)
def test_what_a_token_says_of_itself(shown: str, level: str, hint: str) -> None:
    """One line that says what to do and never shows the token."""
    for asked in (config(shown=shown), config(url=f"ws://127.0.0.1:1/ws?token={shown}")):
        finding = check_token(asked, NOW)
        assert finding.level == level
        assert hint in finding.text
        assert "SENTINEL" not in finding.text
        assert "\n" not in finding.text


def seated(script: Any, folder: Path, query: str = "") -> CheckResult:
    async def go() -> CheckResult:
        async with server(script) as url:
            return await check_seat(config(url + query, folder=folder), 0.1)

    return asyncio.run(go())


def test_given_place_is_released_by_closing_the_connection(tmp_path: Path) -> None:
    """A place that is given is left again, and the connection is closed.

    Nothing but the name is sent, and nobody dead stays in the waiting room.
    """
    heard: list[str] = []

    async def script(guest: Guest) -> None:
        heard.append(await guest.ask(NAME))
        heard.extend(await guest.nothing_more())

    finding = seated(script, tmp_path)
    assert (finding.level, heard) == ("ok", ["wolves1"])


def test_the_place_is_left_after_two_seconds(tmp_path: Path) -> None:
    """As the documents say; of a clock that jumps where everybody waits."""

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        await guest.nothing_more()

    async def go() -> float:
        async with server(script) as url:
            clock = asyncio.get_running_loop().time
            begun = clock()
            assert (await check_seat(config(url, folder=tmp_path))).level == "ok"
            return clock() - begun

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        # What is computed takes its real time: longer on a busy machine.
        assert 2 <= runner.run(go()) < 30


def test_bad_token_is_recognised_by_the_closed_connection(tmp_path: Path) -> None:
    """A bad token is found by the server closing the connection after the name.

    The official server says nothing; it closes. The token in the address is not shown.
    """

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        guest.drop()

    finding = seated(script, tmp_path, "?token=SENTINEL")
    assert finding.level == "error"
    assert "check token and agent.team" in finding.text
    assert "SENTINEL" not in finding.text
    assert "AIWOLF_TOKEN is not set" in seated(script, tmp_path).text


def test_a_game_that_begins_meanwhile_is_told(tmp_path: Path) -> None:
    """It has lost a seat, and the user has to know."""

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        await guest.say(packet("INITIALIZE", day=0))
        await guest.nothing_more()

    finding = seated(script, tmp_path)
    assert finding.level == "error"
    assert "a game began" in finding.text
