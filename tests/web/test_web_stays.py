"""What a player's page does when words are missing, the page is loaded again, or the table goes away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from nlp_agent.app.wiring.web_tables import open_web_app
from tests.web.browser import running
from tests.web.playing import HURRY, Site, config, hurried_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Pages of its own: the games that these tests leave running would fill the tables of others."""
    with hurried_site(tmp_path_factory.mktemp("records")) as opened:
        yield opened


def test_a_closed_table_says_so(page: Page, tmp_path: Path) -> None:
    """Players are told that the table closes after the game, and when it has closed nothing can be typed any more."""
    with running(lambda: open_web_app(config(tmp_path), paces=HURRY, seed=1)) as (opened, loop):
        page.goto(opened.url)
        page.get_by_role("button", name="Play now").click()
        expect(page.locator("#ask textarea")).to_be_visible()
        expect(page.locator("#notice")).to_be_empty()
        loop.call_soon_threadsafe(opened.web_tables.close_after_games)
        expect(page.locator("#notice")).to_have_text("The table closes when this game is over.")
    expect(page.locator("#connection")).to_have_text("The table has been closed. Nothing more will happen here.")
    expect(page.locator("#ask[inert]")).to_be_visible()
    expect(page.locator("#clock")).to_be_empty()


def test_clock_begins_with_the_time_that_was_chosen(page: Page, site: Site) -> None:
    """A question shows the whole time that the first page named, a group chat that of its talk and says so."""
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("#ask textarea")).to_be_visible()
    given, until = page.locator("#clock span").evaluate("it => [+it.dataset.given, +it.dataset.until]")
    assert round((until - given) / 1000) == HURRY["usual"].action // 1000
    page.goto(site.url)
    page.get_by_role("radio", name="Group chat").check()
    expect(page.locator("[data-chat-of]:visible")).to_contain_text("The talk of a day lasts up to 0:30")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#ask .is-chat")).to_be_visible()
    expect(page.locator("#clock")).to_contain_text("talk: 0:")


def test_a_long_loss_of_connection_is_explained(page: Page, site: Site) -> None:
    """After half a minute without a connection the page says that the table may be gone, until it is back."""
    page.clock.install()
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("#ask textarea")).to_be_visible()
    page.context.set_offline(True)
    site.cut()
    expect(page.locator("#connection")).to_have_text("Connection lost – trying again")
    page.clock.fast_forward(31_000)
    expect(page.locator("#connection")).to_contain_text("The table may have been closed")
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()


def test_typed_words_survive_a_reload(page: Page, site: Site) -> None:
    """What is typed is in the box again after a reload, and no more once it was sent."""
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    box = page.locator("#ask textarea")
    box.fill("I was about to say this.")
    page.reload()
    expect(box).to_have_value("I was about to say this.")
    box.press("Enter")
    expect(page.locator(".line.talk.mine")).to_contain_text("I was about to say this.")
    expect(box).to_have_value("")
    page.reload()
    expect(box).to_have_value("")


def test_sending_no_words_is_answered(page: Page, site: Site) -> None:
    """Who sends an empty box is told to type something, until they do."""
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.locator("#ask textarea").press("Enter")
    expect(page.locator("#ask .problem")).to_contain_text("Type something first.")
    page.locator("#ask textarea").fill("Hello.")
    expect(page.locator("#ask .problem")).to_be_empty()
