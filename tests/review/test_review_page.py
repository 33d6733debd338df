"""``nlp-agent review``: in the terminal, as data, and as a page that is opened from the disk."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nlp_agent.app.cli import review as command
from nlp_agent.app.cli.app import main
from nlp_agent.review.page import review_page
from nlp_agent.review.review import NEAR
from tests.recorded import recorded
from tests.web.axe import serious
from tests.web.conftest import browser, one_browser, page

__all__ = ["browser", "one_browser", "page"]


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """What an error says, without the frame around it."""
    return " ".join(capsys.readouterr().err.replace("│", "").split())


def run(*arguments: str) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The review of a game of our own, in Japanese, read by one of its players."""
    folder, file = recorded(5, "ja", model=False, seed=6), tmp_path_factory.mktemp("review") / "review.json"
    assert run("review", str(folder), "--json", str(file), "--games", "2", "--jobs", "1") == 0
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def test_review_tells_every_deed_in_games_language(data: dict[str, Any]) -> None:
    """The review is in the game's language and tells every deed.

    Each vote and each night's deed of the record has its sentence, with names and figures that it rests on.
    """
    assert data["lang"] == "ja"
    assert data["complete"]
    kinds = {deed["kind"] for deed in data["deeds"]}
    assert {"vote", "divine", "attack"} <= kinds
    for deed in data["deeds"]:
        assert deed["who"] in deed["text"] or deed["kind"] == "attack"
        assert not re.search(r"\{\w+\}", deed["text"])
        if deed["kind"] == "vote" and deed["p_target"] is not None and f"{deed['p_target']:.2f}" in deed["text"]:
            worse = deed["p_instead"] > deed["p_target"] + NEAR
            assert worse or "のほうが人狼らしい" not in deed["text"]
    assert all(0 <= point["low"] <= point["share"] <= point["high"] <= 1 for point in data["points"])


def test_known_wolves_are_not_said_to_leave_no_trace(data: dict[str, Any]) -> None:
    """Where the werewolves could be known, but by no single deed, the page does not say that nothing told of them."""
    data = {**data, "tells": [], "certain": []}
    known, unknown = ({**data, "known": {"step": step, "text": "…"}} for step in (9, None))
    assert "それ一つで決め手になった発言や行動はありませんでした。" in review_page(known)
    assert "はっきりした手がかりはありませんでした。" not in review_page(known)
    assert "はっきりした手がかりはありませんでした。" in review_page(unknown)


def test_persons_are_told_without_inner_names(data: dict[str, Any]) -> None:
    """Whoever played at a table with pages is a person or a computer there; other teams keep their names."""
    guests = ("person2", "computer3", "kanolab1")
    players = [{**one, "guest": guests[place % 3]} for place, one in enumerate(data["players"])]
    told = review_page({**data, "players": players})
    assert "person2" not in told
    assert "computer3" not in told
    for shown in (">人<", ">コンピューター<", ">kanolab1<"):
        assert shown in told


def test_a_reader_is_told_as_you(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In English, on the terminal: your vote, and what you knew; a player that is none is refused with the names."""
    folder = recorded(5, "en", model=False)
    assert run("review", str(folder), "--me", "nobody", "--games", "1", "--jobs", "1") == 2
    names = re.findall(r"players: ([^)]*)\)", said(capsys))
    me = names[0].split(", ")[0]
    assert run("review", str(folder), "--me", me, "--games", "1", "--jobs", "1") == 0
    out = capsys.readouterr().out
    assert re.search(r"\(.*\byou\b.*\)", out)
    assert not re.search(rf"Votes: .*\b{me}\b", out)


def test_ctrl_c_shows_what_was_played_by_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page is written of what there is, and says that it was cut short."""

    def interrupted(task: Any, work: Any, *_: Any, **__: Any) -> Iterator[Any]:
        yield task(work[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "spread", interrupted)
    file = tmp_path / "review.json"
    assert run("review", str(recorded(5, "en", model=False)), "--json", str(file)) == 130
    found = json.loads(file.read_text(encoding="utf-8"))
    assert not found["complete"]
    assert len(found["points"]) == 1
    assert "this is what there is" in capsys.readouterr().err
    assert "Stopped early" in review_page(found)


def test_unfinished_game_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is no finished game is refused in a sentence.

    A folder without games, one with several, and a game that was broken off.
    """
    assert run("review", str(tmp_path)) == 2
    assert "holds no game" in said(capsys)
    log = (recorded(5, "en", model=False) / "game.log").read_text(encoding="utf-8")
    (tmp_path / "a.log").write_text(log, encoding="utf-8")
    (tmp_path / "b.log").write_text(re.sub(r"\n\d+,result,.*", "", log), encoding="utf-8")
    assert run("review", str(tmp_path)) == 2
    assert "holds 2 games" in said(capsys)
    assert run("review", str(tmp_path / "b.log")) != 0
    assert "not over" in said(capsys)


def test_page_is_readable_everywhere_day_and_night(page: Page, data: dict[str, Any], tmp_path: Path) -> None:
    """The page can be read by day and by night, on a desk and on a phone.

    Nothing is loaded or run, axe finds nothing serious, nothing is cut off, and no letter is under 12 pixels.
    """
    file = tmp_path / "review.html"
    file.write_text(review_page(data), encoding="utf-8")
    page.goto(file.as_uri())
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        expect(page.locator("svg:visible")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        sizes = page.evaluate(
            """() => [...document.querySelectorAll('body *')].filter(e => e.getClientRects().length &&
                [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) &&
                e.tagName !== 'title').map(e => parseFloat(getComputedStyle(e).fontSize))"""
        )
        assert min(sizes) >= 12
        assert serious(page) == []
        assert serious(page, by_night=True) == []
    expect(page.locator("script")).to_have_count(0)
    for day in data["days"]:
        for item in (*day["talk"], *day["vote"], *day["night"]):
            expect(page.locator(".deeds li", has_text=item["text"]).first).to_be_visible()
