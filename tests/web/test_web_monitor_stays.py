"""``run --watch`` as a command: its page becomes the replays of its games, at the same address, and Ctrl-C ends it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.sync_api import Page, expect

from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from tests.web.browser import running


def test_page_of_run_becomes_the_replays(page: Page, tmp_path: Path) -> None:
    """The page of ``run`` becomes the replays of its games.

    Whoever looked while the seats played goes on to the replay; nobody has to type another address.
    """

    @asynccontextmanager
    async def table() -> AsyncIterator[Table]:
        async with Table(contest_village(5, "en"), cast=load_cast("en"), seed=3) as opened:
            yield opened

    with running(table) as (opened, _):
        file = tmp_path / "config.yml"
        settings = {
            "web_socket": {"url": opened.url},
            # One seat is missing until the page is open: then the game cannot be over before.
            "agent": {"num": 4, "team": "kano"},
            "records": {"dir": str(tmp_path / "records")},
        }
        file.write_text(json.dumps(settings), encoding="utf-8")
        late = tmp_path / "late.yml"
        late.write_text(json.dumps({**settings, "agent": {"num": 1, "team": "late"}}), encoding="utf-8")
        command = [sys.executable, "-m", "nlp_agent", "run", "-c"]
        run = subprocess.Popen(
            [*command, str(file), "--watch", "0", "--lang-ui", "en"], stdout=subprocess.PIPE, text=True, cwd=tmp_path
        )
        last: subprocess.Popen[str] | None = None
        try:
            assert run.stdout is not None
            url = next(found[0] for line in run.stdout if (found := re.search(r"http://\S+", line)))
            page.goto(url)
            last = subprocess.Popen([*command, str(late)], stdout=subprocess.DEVNULL, text=True, cwd=tmp_path)
            expect(page.get_by_text("The games are over.")).to_be_visible(timeout=90_000)
            assert any("stays" in line for line in run.stdout)
            page.get_by_role("link", name="Replay and review").click()
            page.locator("main a[href^='/games/']").first.click()
            expect(page.locator("#replay")).to_be_visible()
            run.send_signal(signal.SIGINT)
            assert run.wait(30) == 130
            assert last.wait(30) == 0
        finally:
            for process in (run, last):
                if process is not None:
                    process.kill()
                    process.communicate()
