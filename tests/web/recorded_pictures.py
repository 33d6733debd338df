"""Pictures of recorded games, of what went on in a seat, and of the report of a tournament."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from playwright.sync_api import Page

from nlp_agent.app.wiring.replay_insight import Insight
from nlp_agent.records.game_reader import StepKind
from nlp_agent.web.app import WebServer, build
from nlp_agent.web.game_list import GameList, LoadedGame
from nlp_agent.web.replay import ReplayPages
from tests.recorded import recorded, refused
from tests.web.browser import running

TOURNAMENT = """
contestants:
  plain: {}
  crowd: {strategy: "nlp_agent.planning.examples.crowd:Crowd"}
villages:
  small: {players: 5, language: en}
seed: 23
"""


@contextmanager
def _replaying(folder: Path) -> Iterator[tuple[str, LoadedGame]]:
    """The address of a replay of the game in ``folder``, and the game."""
    shelf = GameList([folder])

    @asynccontextmanager
    async def serving() -> AsyncIterator[str]:
        pages = ReplayPages(shelf, Insight())
        async with WebServer(build([pages])) as server:
            yield server.url
        pages.close()

    with running(serving) as (url, _):
        yield url, shelf.game(shelf.games()[0].files.key)


def replay(page: Page, file: Path, lang: str) -> None:
    """The moment at which most has become clear, late on a day of many words."""
    with _replaying(recorded(9, lang, model=False, seed=23)) as (url, game):
        talks = [step.number for step in game.steps if step.kind is StepKind.TALK and step.day == 2]
        page.goto(f"{url}/games/{game.files.key}#s{talks[len(talks) // 2]}")
        page.wait_for_selector("#replay[data-ready]", timeout=120_000)
        page.screenshot(path=file)


def decision(page: Page, file: Path, lang: str) -> None:
    """A talk that was refused once and made again."""
    with _replaying(played := recorded(5, lang)) as (url, game):
        seat, number = refused(played)
        page.goto(f"{url}/games/{game.files.key}/decisions/{seat}/{number}")
        page.set_viewport_size({"width": 1280, "height": 1180})
        page.screenshot(path=file)


def review(page: Page, folder: Path, file: Path, lang: str) -> None:
    """What the deeds of a game of five changed."""
    html = folder / "review.html"
    command = ("review", str(recorded(5, lang, model=False, seed=23)), "--lang", lang, "--html", str(html))
    subprocess.run((sys.executable, "-m", "nlp_agent", *command), check=True, capture_output=True)
    page.goto(html.as_uri())
    page.screenshot(path=file)


def report(page: Page, folder: Path, file: Path) -> None:
    """The built-in strategy against one that votes with the crowd, on a hundred deals of one seed."""
    (folder / "cup.yml").write_text(TOURNAMENT, encoding="utf-8")
    for command in (("tournament", "cup.yml", "--games", "200", "--out", "cup"), ("report", "cup", "--look", "40")):
        subprocess.run((sys.executable, "-m", "nlp_agent", *command), cwd=folder, check=True, capture_output=True)
    page.goto((folder / "cup" / "report" / "report.html").as_uri())
    page.screenshot(path=file)
