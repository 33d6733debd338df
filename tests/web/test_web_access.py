"""Every page can be used by everybody: axe-core finds no serious fault, it fits a phone, the keyboard is enough."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from nlp_agent.app.wiring.web_tables import open_web_app
from tests.web.axe import serious
from tests.web.browser import running
from tests.web.conftest import person
from tests.web.playing import HURRY, Player, Site, config, newest_is_in_sight, question, stage


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("records")
    with running(lambda: open_web_app(config(folder), paces=HURRY, seed=9)) as (opened, loop):
        yield Site(opened, loop, folder)


def faults(page: Page) -> list[str]:
    return serious(page) + serious(page, by_night=True)


def test_no_game_page_has_serious_faults(browser: Browser, site: Site) -> None:
    """No page of a game has a serious fault.

    The first page, the table's, a seat when asked for words and for a target and at the end, and the onlookers'.
    """
    page = person(browser).new_page()
    page.goto(site.url)
    found = faults(page)
    page.locator("#seats select").nth(1).select_option("guest")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/table/**")
    expect(page.locator(".link input")).to_have_count(1)
    found += faults(page)
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/seat/**")
    seen: set[str] = set()

    def look(request: str) -> None:
        if request not in seen:
            seen.add(request)
            if request == "TALK":
                page.fill("#ask textarea", "Well, then 😀")
                expect(page.locator("#preview .really")).to_be_visible()
            found.extend(faults(page))

    Player(page, on_question=look, brief=True).play()
    found += faults(page)
    *_, table = site.opened.web_tables.tables
    onlooker = person(browser).new_page()
    onlooker.goto(f"{site.url}watch/{table.watch_token}?secrets=1")
    expect(onlooker.locator(".ending")).to_be_visible()
    found += faults(onlooker)
    onlooker.goto(f"{site.url}nowhere")
    found += faults(onlooker)
    assert found == []


def test_a_whole_game_fits_a_phone(browser: Browser, site: Site) -> None:
    """Nothing is wider than the screen, what is asked is in sight, and buttons are large enough for a finger."""
    page = person(browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True).new_page()
    page.goto(site.url)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/seat/**")

    def look(request: str) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        ask = page.locator("#ask").bounding_box()
        assert ask is not None
        assert ask["y"] >= 0
        assert ask["y"] + ask["height"] <= 741
        first = page.locator("#ask .target, #ask .send").first.bounding_box()
        assert first is not None
        assert first["height"] >= 40
        scroller = page.locator("#scroller").bounding_box()
        assert scroller is not None
        assert scroller["height"] >= 120, "some of the talk is in sight"
        newest_is_in_sight(page)

    player = Player(page, on_question=look, brief=True)
    player.play()
    newest_is_in_sight(page)
    assert {"TALK"} < set(player.asked)


def test_a_game_is_played_with_the_keyboard_alone(page: Page, site: Site) -> None:
    """The box has the focus when words are asked; Tab and Enter choose a target; nobody is trapped."""
    page.goto(site.url)
    page.keyboard.press("Tab")
    expect(page.locator(".skip-link")).to_be_focused()
    page.get_by_role("button", name="Play now").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/seat/**")
    done = 0
    for _ in range(4000):
        if stage(page) == "over":
            break
        request, number = question(page)
        if number == done or not request:
            page.wait_for_timeout(15)
            continue
        done = number
        if request in ("TALK", "WHISPER"):
            expect(page.locator("#ask textarea")).to_be_focused()
            page.keyboard.type("Hello.")
        else:
            page.keyboard.press("Tab")
            expect(page.locator("#ask .target").first).to_be_focused()
        page.keyboard.press("Enter")
    assert stage(page) == "over"
