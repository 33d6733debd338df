"""Seats that are watched play as if they were not."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest

from nlp_agent.app.cli.app import main as command
from nlp_agent.app.cli.run import with_port
from nlp_agent.app.config_file import load_config
from nlp_agent.app.wiring.monitor import MonitorProcess
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Event, Talked
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.net import Stop
from tests.bench.onlookers import watch_cost


def test_game_goes_on_when_its_page_dies(tmp_path: Path) -> None:
    """A game goes on when the process of its page is killed in the middle.

    Nothing is illegal or late, everybody plays to the end, and the journals are whole.
    """
    told: list[str] = []

    async def main() -> int:
        loop, urls = asyncio.get_running_loop(), asyncio.Queue[str]()

        def pass_on(url: str) -> None:
            loop.call_soon_threadsafe(urls.put_nowait, url)

        with MonitorProcess(0, told.append, pass_on) as watch:
            await asyncio.wait_for(urls.get(), 30)

            def on_event(_: str, event: Event) -> None:
                if isinstance(event, Talked) and event.day == 1 and event.idx == 3:
                    assert watch._process is not None
                    os.kill(watch._process.pid, signal.SIGKILL)

            async with Table(contest_village(5, "en"), cast=load_cast("en"), seed=3, on_event=on_event) as table:
                file = tmp_path / "config.yml"
                settings = {
                    "web_socket": {"url": table.url},
                    "agent": {"num": 5, "team": "kano"},
                    "records": {"dir": str(tmp_path / "records")},
                }
                file.write_text(json.dumps(settings), encoding="utf-8")
                code = await run_seats([load_config(file)], watch.heard(told.append), Stop(), watch.team)
                report = (await table.next_match()).report
                assert (report.illegal, report.late, report.warnings) == (0, 0, ())
                return code

    assert asyncio.run(main()) == 0
    assert sum("won on day" in line for line in told) == 5
    journals = list((tmp_path / "records").glob("*/kano*.jsonl"))
    assert len(journals) == 5
    assert all('"request": "VOTE"' in path.read_text(encoding="utf-8") for path in journals)


def test_the_port_of_watch_may_be_left_out() -> None:
    """Whatever stands behind it; other commands keep their words."""
    assert with_port(("run", "--watch", "a.yml")) == ["run", "--watch=0", "a.yml"]
    assert with_port(["run", "-c", "a.yml", "--watch"]) == ["run", "-c", "a.yml", "--watch=0"]
    assert with_port(["run", "--watch", "8090", "a.yml"]) == ["run", "--watch", "8090", "a.yml"]
    assert with_port(["try", "--watch"]) == ["try", "--watch"]
    assert with_port([]) == []


def test_a_port_beyond_all_ports_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is loaded or connected."""
    with pytest.raises(SystemExit) as left:
        command(("run", "--watch", "70000"))
    assert left.value.code == 2
    assert "65535" in capsys.readouterr().err


def test_cost_of_being_watched_is_measured() -> None:
    """The cost of being watched is measured on real rows.

    Journal rows with and without a page, in turn; the bench prints the difference.
    """
    cost = watch_cost(rows=40)
    assert cost.rows == 40
    assert cost.plain_ms > 0
    assert cost.read > 0
