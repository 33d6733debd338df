"""Whole group-chat games by the command, and the loop that skips their waiting."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path

import pytest
from rich.console import Console

from nlp_agent.app.cli.app import main
from nlp_agent.app.cli.transcript import TranscriptPrinter
from nlp_agent.arena.events import ChatClosed, ChatOpened, Dealt, DealtSeat, Talked
from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.arena.village import contest_village
from nlp_agent.protocol import OVER, Request
from tests.commands import Command


def test_hurried_loop_skips_waiting_in_order() -> None:
    """An hour of appointments passes in no time, each at its moment on the loop's own clock."""

    async def scene() -> list[tuple[str, int]]:
        loop, seen = asyncio.get_running_loop(), list[tuple[str, int]]()
        start = loop.time()

        async def meet(name: str, seconds: float) -> None:
            await asyncio.sleep(seconds)
            seen.append((name, round(loop.time() - start)))

        await asyncio.gather(meet("tea", 3600), meet("lunch", 60), meet("coffee", 600))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1000):
                await asyncio.Event().wait()
        seen.append(("patience", round(loop.time() - start)))
        return seen

    began = time.monotonic()
    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        assert runner.run(scene()) == [("lunch", 60), ("coffee", 600), ("tea", 3600), ("patience", 4600)]
    assert time.monotonic() - began < 600


def test_group_chat_transcript_shows_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    """Each talk has its minute and second since the phase began, and the end says why it came."""
    transcript = TranscriptPrinter(Console(soft_wrap=True, width=200, force_terminal=False, highlight=False))
    seats = tuple(DealtSeat(n, name, "VILLAGER", None, f"t{n}", "t") for n, name in enumerate(("Ann", "Benno")))
    for event in (
        Dealt("g", contest_village(5, duration=600_000), seats),
        ChatOpened(0, Request.TALK, 1_000_000),
        Talked(0, Request.TALK, 0, 0, 0, "Good morning.", 1_007_400),
        Talked(0, Request.TALK, 1, 1, 0, "@Ann Hello.", 1_070_000),
        Talked(0, Request.TALK, 1, 2, 1, OVER, 1_070_000),
        ChatClosed(0, Request.TALK, 1_600_000, all_said=False),
    ):
        transcript.show(event)
    assert capsys.readouterr().out.splitlines()[2:] == [
        "   0:07  Ann    Good morning.",
        "   1:10  Benno  @Ann Hello.",
        "   1:10  Benno has nothing more to say",
        "  10:00: time is up",
    ]


def test_group_chat_games_are_played_in_a_hurry(tmp_path: Path) -> None:
    """Two games by the command: nobody illegal, late or unheard, and the logs tell the second of each talk."""
    command = ["play", "--talk", "groupchat", "--hurry", "--games", "2", "--seed", "5", "--json", "--out", "rec"]
    environment = {k: v for k, v in os.environ.items() if "API_KEY" not in k}
    with Command(tmp_path, *command, env=environment) as playing:
        out, err = playing.communicate()
        assert (playing.wait(), err) == (0, "")
    rows = [json.loads(line) for line in out.splitlines()]
    assert len(rows) == 2
    for row in rows:
        assert (row["illegal"], row["late"], row["dropped"], row["extra"], row["warnings"]) == (0, 0, 0, 0, [])
        log = (tmp_path / row["records"] / "game.log").read_text(encoding="utf-8")
        assert all(line.rsplit(",", 1)[1].isdigit() for line in log.splitlines() if ",talk," in line)


def test_senseless_hurry_and_duration_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hurry and duration are refused where they make no sense.

    Hurrying would leave a model no time, and only a group chat has a duration.
    """
    config = tmp_path / "c.yml"
    config.write_text("llm:\n  model: some-model\n  base_url: http://127.0.0.1:9/v1\n", encoding="utf-8")
    for arguments, word in (
        (["--talk", "groupchat", "--hurry", "-c", str(config)], "--hurry"),
        (["--duration", "30s"], "--talk groupchat"),
        (["--talk", "groupchat", "--duration", "soon"], "30s"),
    ):
        with pytest.raises(SystemExit) as leaving:
            main(["play", *arguments])
        assert leaving.value.code == 2
        assert word in " ".join(capsys.readouterr().err.replace("│", " ").split())
