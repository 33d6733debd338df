"""The report in a real browser: offline, on light, on dark, on paper and on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from nlp_agent.report.evidence import gather
from nlp_agent.report.page import make_report, write_report
from tests.report.tournaments import rows, write
from tests.web.axe import serious


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = write(tmp_path_factory.mktemp("tournament"), rows(40, 0.3))
    files = write_report(make_report(gather(folder, map, most=0)), folder / "report")
    return files[0].as_uri()


def test_the_report_can_be_read_by_everybody(page: Page, address: str) -> None:
    """axe finds nothing serious, nothing is asked for but the file itself, the colours are those of the scheme, and
    heading and table of contestants stand in the first screen; at 360 pixels the page does not scroll sideways."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(address)
    for dark in (False, True):
        assert serious(page, by_night=dark) == []
        ink = page.evaluate("getComputedStyle(document.querySelector('svg text')).fill")
        lightness = sum(int(part) for part in ink.removeprefix("rgb(").removesuffix(")").split(","))
        assert (lightness > 500) is dark
    assert asked == [address]
    table = page.locator("header table").bounding_box()
    assert table is not None
    assert table["y"] + table["height"] < 720
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_printed_page_is_black_on_white(page: Page, address: str) -> None:
    """Paper has pictures on white and no folded tables.

    Printed from a dark screen it is black on white, and what only unfolds is left out.
    """
    page.emulate_media(color_scheme="dark", media="print")
    page.goto(address)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('details')).display") == "none"
    assert page.locator("svg").first.is_visible()
