"""The page that ``nlp-agent journal --html`` writes, opened from the disk without any server."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from nlp_agent.app.cli.app import main
from tests.recorded import recorded, refused
from tests.web.axe import serious


def test_journal_page_is_read_from_the_disk(page: Page, tmp_path: Path) -> None:
    """Its styles are its own, nothing is loaded or run, a click opens a decision, and axe finds nothing serious."""
    file, noise = tmp_path / "game.html", list[str]()
    seat, _ = refused(recorded(5, "en"))
    with pytest.raises(SystemExit) as left:
        main(("journal", str(recorded(5, "en")), "--seat", seat, "--day", "1", "--html", str(file)))
    assert left.value.code == 0
    page.on("console", lambda message: noise.append(message.text))
    page.on("request", lambda request: noise.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(file.as_uri())
    assert page.locator("main").evaluate("main => getComputedStyle(main).maxWidth") == "1200px"
    page.locator("details.one").filter(has=page.locator(".refused")).first.locator("summary").first.click()
    expect(page.locator(".problems .refused:visible").first).to_be_visible()
    expect(page.locator(".prompt:visible")).to_contain_text("# Now")
    assert serious(page) + serious(page, by_night=True) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert noise == []


def test_persons_decision_claims_no_thoughts(tmp_path: Path) -> None:
    """What a person's seat could have worked out is called a computation, and its time stands in one unit."""
    folder, file = tmp_path / "game", tmp_path / "game.html"
    shutil.copytree(recorded(5, "ja", model=False), folder)
    for journal in folder.glob("*.jsonl"):
        text = journal.read_text(encoding="utf-8")
        journal.write_text(text.replace('"how": "strategy"', '"how": "person"'), encoding="utf-8")
    with pytest.raises(SystemExit):
        main(("journal", str(folder), "--html", str(file)))
    told = file.read_text(encoding="utf-8")
    assert "本人の考えではありません" in told
    assert "だと考えています" not in told
    assert "ミリ秒" not in told


def test_page_uses_the_games_language_by_default(tmp_path: Path) -> None:
    """A Japanese game's page is Japanese; --lang chooses."""
    for more, lang in (((), "ja"), (("--lang", "en"), "en")):
        file = tmp_path / f"{lang}.html"
        with pytest.raises(SystemExit) as left:
            main(("journal", str(recorded(5, "ja", model=False)), "--html", str(file), *more))
        assert left.value.code == 0
        assert f'<html lang="{lang}">' in file.read_text(encoding="utf-8")
