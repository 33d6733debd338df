"""When a person's time runs out: a legal answer goes out, the computer takes over, and gives back."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from nlp_agent.app.wiring.web_tables import open_web_app
from nlp_agent.records.journal import read_rows
from nlp_agent.web.village_order import PACES, TablePace
from tests.web.browser import running
from tests.web.playing import PATIENCE, Site, config


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Pages with tables at which a person has three seconds for everything."""
    folder = tmp_path_factory.mktemp("records")
    hasty = {name: TablePace(3_000, 0.0, 8_000, 40.0) for name in PACES}
    with running(lambda: open_web_app(config(folder), paces=hasty, seed=3)) as (opened, loop):
        yield Site(opened, loop, folder)


def test_computer_plays_after_three_late_answers(page: Page, site: Site) -> None:
    """Time running out sends legal answers, and after three of them the computer plays.

    The page says which answer went out; it gives the seat back when asked; the game harms nobody and is over.
    """
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/seat/**")
    expect(page.locator(".by").first).to_contain_text("Time ran out", timeout=PATIENCE * 1000)
    expect(page.locator("#ask")).to_contain_text("The computer plays for you", timeout=PATIENCE * 1000)
    expect(page.locator(".by").filter(has_text="Time ran out")).to_have_count(3)
    page.get_by_role("button", name="I am back").click()
    expect(page.locator("#ask")).not_to_contain_text("The computer plays for you")
    expect(page.locator("#ask .asked, .ending").first).to_be_visible(timeout=PATIENCE * 1000)
    expect(page.locator(".ending")).to_be_visible(timeout=PATIENCE * 1000)
    (journal,) = site.folder.rglob("person1.jsonl")
    rows = [row for row in read_rows(journal) if row["event"] in ("decision", "dropped", "crash", "problem")]
    assert {row["event"] for row in rows} == {"decision"}
    (table,) = site.opened.web_tables.tables
    assert table.games == 1


def test_abandoned_seat_delays_nobody(page: Page, site: Site) -> None:
    """An abandoned seat is played to the end, and nobody waits for it.

    A closed laptop: three questions take their time, all others are answered at once.
    """
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/seat/**")
    url, (*_, table) = page.url, site.opened.web_tables.tables
    page.goto("about:blank")
    until = time.monotonic() + PATIENCE
    while not table.games:
        assert time.monotonic() < until
        page.wait_for_timeout(50)
    page.goto(url)
    expect(page.locator(".ending")).to_be_visible()
    expect(page.locator(".by").filter(has_text="Time ran out")).to_have_count(3)
    expect(page.locator(".by").filter(has_text="The computer answered").first).to_be_visible()
