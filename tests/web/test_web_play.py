"""Whole games at the page, played by clicks and keys in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from nlp_agent.app.wiring.house import OpenHouse, open_house
from tests.web.browser import running
from tests.web.playing import HURRY, Player, config


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenHouse]:
    """Pages with tables that lose no time."""
    folder = tmp_path_factory.mktemp("records")
    with running(lambda: open_house(config(folder), paces=HURRY)) as (opened, _):
        yield opened


def test_two_clicks_and_a_person_plays_a_whole_game_of_five(page: Page, house: OpenHouse) -> None:
    """The button on the first page leads to a seat; talks, votes and all else go out, the end shows all roles."""
    page.goto(house.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/seat/**")
    player = Player(page)
    player.play()
    assert "TALK" in player.asked
    expect(page.locator(".ending .reveal li")).to_have_count(5)
    expect(page.locator(".line.talk.mine").first).to_contain_text("I am listening. 1")
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("#ask textarea, #ask .target").first).to_be_visible()
