"""``make screenshots``: the pictures of the pages that stand in the README, made again from real games."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from nlp_agent.app.wiring.house import open_house
from tests.web import recorded_pictures
from tests.web.browser import MISSING, find_browser, running
from tests.web.playing import HURRY, House, Player, config
from tests.web.smaller import smaller

FOLDER = Path(__file__).parents[2] / "docs" / "images"
LARGEST = 150_000
"""Bytes of a picture: they are in every clone."""
WORDS = (
    "Good morning. Let us hear everybody before we judge.",
    "Who has something to tell us?",
    "I would like to know what the quiet ones think.",
    "Tell me your reasons, please.",
)
_SIZE = {"width": 1280, "height": 800}


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the pictures named, or all."""
    parser = argparse.ArgumentParser(prog="make screenshots", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)}; default: all")
    names = parser.parse_args(arguments).names or list(PICTURES)
    path = find_browser()
    if path is None:
        sys.exit(MISSING)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        for name in names:
            page = browser.new_context(locale="en-GB", viewport=_SIZE, reduced_motion="reduce").new_page()
            with tempfile.TemporaryDirectory() as folder:
                PICTURES[name](browser, page, Path(folder), FOLDER / f"{name}.png")
            page.context.close()
            picture = FOLDER / f"{name}.png"
            picture.write_bytes(smaller(picture.read_bytes()))
            size = picture.stat().st_size
            print(f"docs/images/{name}.png  {size / 1000:.0f} kB{'' if size <= LARGEST else '  TOO LARGE'}")  # noqa: T201
        browser.close()
    return 0


class _EnoughError(Exception):
    """The picture is made; the rest of the game is of no interest."""


def _until(page: Page, house: House, moment: Callable[[str, Player], bool]) -> None:
    """Play a village of nine as its seer, until ``moment``."""
    page.goto(house.url)
    page.get_by_role("radio", name="9 players").check()
    page.get_by_label("My role").select_option("SEER")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/seat/**")
    player = Player(page, WORDS)

    def look(request: str) -> None:
        if moment(request, player):
            raise _EnoughError

    player.on_question = look
    try:
        player.play()
    except _EnoughError:
        return
    raise RuntimeError("the game was over before the moment of the picture")


def _day_talk(page: Page) -> bool:
    return page.locator("#phase").inner_text() == "Day 1" and page.locator(".line.talk").count() > 20


def play(browser: Browser, page: Page, folder: Path, file: Path) -> None:
    """A seer about to tell what was seen."""
    with running(lambda: open_house(config(folder), paces=HURRY, seed=23)) as (opened, loop):
        _until(page, House(opened, loop, folder), lambda request, _: request == "TALK" and _day_talk(page))
        result = page.locator(".line.result .name").first.inner_text()
        wolf = "a werewolf" in page.locator(".line.result").first.inner_text().replace("not a werewolf", "")
        page.fill("#ask textarea", f"I am the seer, and {result} is {'a werewolf 🐺' if wolf else 'human 🙂'}")
        expect(page.locator("#preview .really")).to_be_visible()
        page.screenshot(path=file)


def watch(browser: Browser, page: Page, folder: Path, file: Path) -> None:
    """The second day, as onlookers see it."""
    with running(lambda: open_house(config(folder), paces=HURRY, seed=23)) as (opened, loop):
        house = House(opened, loop, folder)
        seat = browser.new_context(locale="en-GB").new_page()
        _until(seat, house, lambda request, player: request == "VOTE" and player.asked.count("VOTE") == 2)
        *_, table = opened.house.tables
        page.goto(f"{house.url}watch/{table.watch_token}")
        expect(page.locator("#matrix tbody tr")).to_have_count(9)
        page.screenshot(path=file)
        seat.context.close()


PICTURES: dict[str, Callable[[Browser, Page, Path, Path], None]] = {
    "play": play,
    "watch": watch,
    "replay": recorded_pictures.replay,
    "decision": recorded_pictures.decision,
}


if __name__ == "__main__":
    sys.exit(main())
