"""The review in the browser: a button in a replay, and by itself after a game with a person."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from nlp_agent.app.wiring.replay_insight import Insight
from nlp_agent.app.wiring.web_tables import open_web_app
from nlp_agent.records.game_files import find_games
from nlp_agent.records.game_reader import StepKind, steps_of
from nlp_agent.review.background import ReviewJobs
from nlp_agent.web.app import WebServer, build
from nlp_agent.web.game_list import GameList
from nlp_agent.web.rendering import load_texts
from nlp_agent.web.replay import ReplayPages
from tests.recorded import recorded
from tests.web.axe import serious
from tests.web.browser import running
from tests.web.conftest import browser, one_browser, page, person, watched
from tests.web.playing import HURRY, Player, Site, config

__all__ = ["browser", "one_browser", "page"]
WORKED_OUT = 120_000
"""Milliseconds in which a review of two games from each moment is there, on a busy machine."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("records")
    with (
        closing(ReviewJobs(games=2)) as reviews,
        running(lambda: open_web_app(config(folder), paces=HURRY, seed=1, reviews=reviews)) as (opened, loop),
    ):
        yield Site(opened, loop, folder)


def test_replay_links_to_review_and_back(page: Page, tmp_path: Path) -> None:
    """A replay has a button to the review and back.

    In the reader's language, whatever the game's; it comes without reloading, and axe finds nothing serious.
    """
    shutil.copy(recorded(5, "ja", model=False) / "game.log", tmp_path / "01.log")
    reviews = ReviewJobs(games=1)

    @asynccontextmanager
    async def serving() -> AsyncIterator[str]:
        pages = ReplayPages(GameList([tmp_path]), Insight(), reviews)
        async with WebServer(build([pages])) as server:
            yield server.url
        pages.close()

    with closing(reviews), running(serving) as (url, _):
        page.goto(url)
        page.get_by_role("link", name="01").first.click()
        page.get_by_role("link", name="Review of the game").click()
        expect(page.locator(".review .deeds li").first).to_be_visible(timeout=WORKED_OUT)
        expect(page.locator(".review h1")).to_contain_text("Review")
        assert serious(page) == []
        assert serious(page, by_night=True) == []
        page.goto(page.url + "?lang=ja")
        expect(page.locator(".review h1")).to_contain_text("検討", timeout=WORKED_OUT)
        page.get_by_role("link", name="再生").click()
        expect(page.locator("#open-review")).to_be_visible()


def test_review_of_a_persons_game_is_true(browser: Browser, site: Site) -> None:
    """The review opens after a game with a person, and its sentences are true.

    In Japanese, on a phone, by keyboard: it opens by itself, every vote in it is one of the record's, the person is
    told as such, Esc closes it and its button opens it again.
    """
    phone = person(browser, "ja-JP", viewport={"width": 390, "height": 844})
    page = phone.new_page()
    faults = watched(page)
    page.goto(site.url)
    page.get_by_role("button", name=load_texts()["ja"]["setup"]["quick_button"]).click()
    page.wait_for_url("**/seat/**")
    page.locator("#open-village").click()
    page.locator("#notes summary").click()
    page.locator("#notes input").nth(2).fill("静かすぎる")
    page.keyboard.press("Escape")
    Player(page, "よろしくお願いします。", brief=True).play()
    dialog = page.locator("#review")
    expect(dialog).to_be_visible(timeout=WORKED_OUT)
    expect(dialog.locator(".review-player.me")).to_contain_text("あなた")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert serious(page) == []
    assert serious(page, by_night=True) == []
    (files,) = find_games([site.folder])
    game = files.read()
    assert game is not None
    me = dialog.locator(".review-player.me .name").inner_text()
    for step in steps_of(game):
        if step.kind is StepKind.VOTE:
            told = dialog.locator(f'.review-day[data-day="{step.day}"] [data-part=vote] li').first.inner_text()
            found = re.findall(r"([^、：（]+) \d+ 票（([^）]*)）", told.split("票：")[1])
            votes = {voter: whom for whom, voters in found for voter in voters.split("、")}
            names = {name: "あなた" if name == me else name for name in game.names}
            assert votes == {names[voter]: names[whom] for voter, whom in step.votes.items()}
    dialog.locator("input[name=question]").fill("誰に投票しましたか")
    page.keyboard.press("Enter")
    asked = dialog.locator("select[name=player]").input_value()
    expect(dialog.locator(".ask-answers")).to_contain_text(f"{asked} ")
    voted = next(step.votes[asked] for step in steps_of(game) if asked in step.votes)
    expect(dialog.locator(".ask-answers")).to_contain_text(f"{voted}に投票")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.locator(".open-review").focus()
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    page.reload()
    expect(page.locator("#notes input").nth(2)).to_have_value("静かすぎる")
    assert faults == []
