"""``make screenshots``: the pictures of the pages in README and docs, in both languages, made again from real games."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from nlp_agent.app.wiring.web_tables import open_web_app
from nlp_agent.web.rendering import load_texts
from tests.web import recorded_pictures
from tests.web.browser import ARGUMENTS, MISSING, find_browser, running
from tests.web.playing import HURRY, Player, Site, config
from tests.web.smaller import smaller

FOLDER = Path(__file__).parents[2] / "docs" / "images"
LARGEST = 150_000
"""Bytes of a picture: they are in every clone."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """A reader's language: where its pictures lie, what the person in them says, and how a result is told."""

    lang: str
    folder: str
    words: tuple[str, ...]
    black: str
    white: str

    def text(self, section: str, key: str, **values: object) -> str:
        """A text of the pages."""
        return load_texts()[self.lang][section][key].format(**values)


TONGUES = (
    Tongue(
        "en",
        "",
        (
            "Good morning. Let us hear everybody before we judge.",
            "Who has something to tell us?",
            "I would like to know what the quiet ones think.",
            "Tell me your reasons, please.",
        ),
        "I am the seer, and {name} is a werewolf!!!",
        "I am the seer, and {name} is human!!!",
    ),
    Tongue(
        "ja",
        "ja/",
        (
            "おはようございます。まずは皆さんの話を聞かせてください。",
            "何か分かっている人はいますか。",
            "静かな人の考えも聞いてみたいです。",
            "そう思う理由を教えてください。",
        ),
        "占い師COします！{name}は人狼です！！！",
        "占い師COします！{name}は人狼ではありませんでした！！！",
    ),
)
_SIZE: ViewportSize = {"width": 1280, "height": 800}


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the pictures named, or all."""
    parser = argparse.ArgumentParser(prog="make screenshots", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; default: all")
    names = parser.parse_args(arguments).names or list(NAMES)
    path = find_browser()
    if path is None:
        sys.exit(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for name in names:
            draw, tongue = NAMES[name]
            picture = FOLDER / f"{name}.png"
            picture.parent.mkdir(parents=True, exist_ok=True)
            page = browser.new_context(locale=tongue.lang, viewport=_SIZE, reduced_motion="reduce").new_page()
            with tempfile.TemporaryDirectory() as folder:
                draw(browser, page, Path(folder), picture, tongue)
            page.context.close()
            picture.write_bytes(smaller(picture.read_bytes()))
            size = picture.stat().st_size
            print(f"docs/images/{name}.png  {size / 1000:.0f} kB{'' if size <= LARGEST else '  TOO LARGE'}")  # noqa: T201
        browser.close()
    return 0


class _EnoughError(Exception):
    """The picture is made; the rest of the game is of no interest."""


def _until(page: Page, site: Site, tongue: Tongue, moment: Callable[[str, Player], bool]) -> None:
    """Play a village of nine as its seer, until ``moment``."""
    page.goto(site.url)
    page.get_by_role("radio", name=tongue.text("setup", "size_9")).check()
    page.get_by_label(tongue.text("setup", "wish")).select_option("SEER")
    page.get_by_role("button", name=tongue.text("setup", "start"), exact=True).click()
    page.wait_for_url("**/seat/**")
    player = Player(page, tongue.words)

    def look(request: str) -> None:
        if moment(request, player):
            raise _EnoughError

    player.on_question = look
    try:
        player.play()
    except _EnoughError:
        return
    raise RuntimeError("the game was over before the moment of the picture")


def _day_talk(page: Page, tongue: Tongue) -> bool:
    """Whether it is day 1 and the table of the village has a claim in it."""
    today = page.locator("#phase").inner_text() == tongue.text("seat", "phase_day", day=1)
    return today and page.locator("#board a").count() > 0


def play(browser: Browser, page: Page, folder: Path, file: Path, tongue: Tongue) -> None:
    """A seer about to answer a rival's claim with what was seen."""
    with running(lambda: open_web_app(config(folder), paces=HURRY, seed=23)) as (opened, loop):
        site = Site(opened, loop, folder)
        _until(page, site, tongue, lambda request, _: request == "TALK" and _day_talk(page, tongue))
        result = page.locator(".line.result").first
        name = result.locator(".name").inner_text()
        wolf = result.inner_text().endswith(tongue.text("chat", "result_divined_wolf", who=name))
        page.fill("#ask textarea", (tongue.black if wolf else tongue.white).format(name=name))
        expect(page.locator("#preview .really")).to_be_visible()
        page.screenshot(path=file)


def watch(browser: Browser, page: Page, folder: Path, file: Path, tongue: Tongue) -> None:
    """The second day, as onlookers see it."""
    with running(lambda: open_web_app(config(folder), paces=HURRY, seed=23)) as (opened, loop):
        site = Site(opened, loop, folder)
        seat = browser.new_context(locale=tongue.lang).new_page()
        _until(seat, site, tongue, lambda request, player: request == "VOTE" and player.asked.count("VOTE") == 2)
        *_, table = opened.web_tables.tables
        page.goto(f"{site.url}watch/{table.watch_token}")
        expect(page.locator("#matrix tbody tr")).to_have_count(9)
        page.screenshot(path=file)
        seat.context.close()


def replay(_browser: Browser, page: Page, _folder: Path, file: Path, tongue: Tongue) -> None:
    """A game of nine, late on a day of many words."""
    recorded_pictures.replay(page, file, tongue.lang)


def decision(_browser: Browser, page: Page, _folder: Path, file: Path, tongue: Tongue) -> None:
    """What went on in a seat whose model was refused."""
    recorded_pictures.decision(page, file, tongue.lang)


def review(_browser: Browser, page: Page, folder: Path, file: Path, tongue: Tongue) -> None:
    """Turning points of a finished game, and what its players did best and worst."""
    recorded_pictures.review(page, folder, file, tongue.lang)


def report(_browser: Browser, page: Page, folder: Path, file: Path, _tongue: Tongue) -> None:
    """A small tournament, played on the spot; reports are in English."""
    recorded_pictures.report(page, folder, file)


Draw = Callable[[Browser, Page, Path, Path, Tongue], None]
NAMES: dict[str, tuple[Draw, Tongue]] = {
    f"{tongue.folder}{draw.__name__}": (draw, tongue)
    for tongue in TONGUES
    for draw in (play, watch, replay, decision, review)
} | {"report": (report, TONGUES[0])}


if __name__ == "__main__":
    sys.exit(main())
