"""A report in Japanese: every sentence, table and picture; names, numbers and CSV files are the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nlp_agent.app.cli.app import app
from nlp_agent.report.evidence import gather
from nlp_agent.report.page import make_report, page_of, write_report
from nlp_agent.report.translation import Translator, report_language
from tests.report.tournaments import rows, write

ENGLISH = re.compile(r"[a-z]{2,} [a-z]{2,}|\b(?:the|of|and|above|below|decided|undecided|games|deals)\b")
NAMES = ("calm", "bold", "dull")


def words(html: str) -> list[str]:
    """What is read on a page, and what is read out."""
    shown = re.sub(r"<style>.*?</style>|<code>.*?</code>|href=\"[^\"]*\"", "", html, flags=re.DOTALL)
    return [*re.findall(r">([^<>]+)<", shown), *re.findall(r'aria-label="([^"]*)"', shown)]


@pytest.mark.parametrize(
    ("count", "gap", "who"), [(40, 0.3, NAMES[:2]), (20, 0.0, NAMES[:2]), (60, 0.5, NAMES), (12, 0.0, NAMES)]
)
def test_nothing_on_a_japanese_page_is_english(tmp_path: Path, count: int, gap: float, who: tuple[str, ...]) -> None:
    """But for names, terms of statistics and files: no two English words follow each other."""
    made = make_report(gather(write(tmp_path, rows(count, gap, who=who)), map, most=0))
    html = page_of(made, "ja")
    assert '<html lang="ja">' in html
    left = [text for text in words(html) if ENGLISH.search(text)]
    assert left == []
    assert any("配役" in text for text in words(html))
    assert page_of(made) == page_of(made, "en")


def test_the_tables_beside_the_page_do_not_change(tmp_path: Path) -> None:
    """Programs read them."""
    made = make_report(gather(write(tmp_path / "t", rows(12, 0.3)), map, most=0))
    for lang in ("en", "ja"):
        write_report(made, tmp_path / lang, lang)
    for file in (tmp_path / "en").glob("*.csv"):
        assert file.read_bytes() == (tmp_path / "ja" / file.name).read_bytes()


def test_a_full_stop_is_no_part_of_a_name() -> None:
    """The last name of a sentence is told without its full stop, and a list with the marks of the language."""
    tell = Translator("ja")
    assert tell("Undecided so far between calm and bold.") == "calmとboldは優劣つかず。"
    assert tell("Undecided so far between calm, bold and dull.") == "calm、boldとdullは優劣つかず。"
    assert "calm 3.3 %、bold 4 %" in tell("Most of the time allowed that a reply took: calm 3.3 %, bold 4 %.")


def test_language_is_that_of_most_games() -> None:
    """The language is that of most games unless one is asked for.

    A language without pages is told in English; one that is asked for must be there.
    """
    assert report_language(["ja", "ja", "en"]) == "ja"
    assert report_language(["zh"]) == "en"
    assert report_language(["ja"], "en") == "en"
    with pytest.raises(KeyError):
        report_language([], "fr")


def test_what_nobody_has_translated_stays_as_it_is() -> None:
    """A name that looks like a phrase within a sentence is none; unknown sentences stay beside known ones."""
    tell = Translator("ja")
    assert tell("calm is better") == "calmのほうが強い"
    assert tell("Enter calm. Something else happened.").startswith("calmで参加してください。Something else happened.")
    assert tell(0.5) == "0.5"
    assert Translator("en")("Enter calm.") == "Enter calm."


def test_the_command_takes_a_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is not there is refused before anything is counted."""
    folder = write(tmp_path / "t", rows(8, 0.3))
    done = CliRunner().invoke(app, ["report", str(folder), "--lang", "ja", "--look", "0", "--json", "--jobs", "1"])
    assert done.exit_code == 0, done.output
    page = Path(json.loads(done.stdout)["page"])
    assert '<html lang="ja">' in page.read_text(encoding="utf-8")
    assert CliRunner().invoke(app, ["report", str(folder), "--lang", "fr"]).exit_code == 2
    monkeypatch.setenv("NLP_AGENT_LANG_UI", "ja")
    told = CliRunner().invoke(app, ["report", str(folder), "--look", "0", "--jobs", "1"]).stdout
    assert "ページ：" in told
    assert not re.search("[a-z]+ [a-z]+ [a-z]+", told), told  # names and paths aside, no English sentence
