"""The command: from a tournament, from records and from the organisers' logs to one page and its tables."""

from __future__ import annotations

import csv
import json
import re
import shutil
from html import unescape
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from nlp_agent.app.cli.app import app
from nlp_agent.errors import StudyError
from nlp_agent.records.game_files import find_games
from tests.logged_games import unpack
from tests.recorded import recorded
from tests.report.tournaments import rows, write


def report(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["report", *map(str, arguments), "--jobs", "1"], catch_exceptions=False)


def page(folder: Path) -> str:
    return (folder / "report.html").read_text(encoding="utf-8")


def table(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def questions(html: str) -> list[str]:
    return [unescape(found) for found in re.findall(r"<h2>(.*?)</h2>", html)]


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on ten games of five contests."""
    folder = tmp_path_factory.mktemp("contest")
    done = report(unpack(folder / "logs"), "--out", folder / "out")
    assert done.exit_code == 0, done.output
    return folder / "out"


def test_a_tournament_is_answered_at_its_top(tmp_path: Path) -> None:
    """The heading is the verdict; each section's figures name n and an interval; the CSV holds what was planted."""
    folder = write(tmp_path / "t", rows(120, 0.5))
    done = report(folder)
    assert "calm is better" in done.stdout
    html = page(folder / "report")
    assert re.search(r"<h1>calm is better</h1>", html)
    assert html.index("<h1>") < html.index("<svg")
    notes = re.findall(r'<figcaption class="note">(.*?)</figcaption>', html, re.DOTALL)
    assert len(notes) == html.count("<figure>") == len(questions(html))
    assert all("n = " in note for note in notes)
    (difference,) = table(folder / "report" / "differences.csv")
    assert difference["state"] == "decided"
    assert 0 < float(difference["low"]) < float(difference["mean"]) < float(difference["high"])
    rates = {(row["who"], row["what"]): row for row in table(folder / "report" / "win_rates.csv")}
    assert float(rates["calm", "village side"]["value"]) > float(rates["bold", "village side"]["value"])
    assert {"win_rates", "ratings", "habits", "times", "spending"} <= {f.stem for f in (folder / "report").iterdir()}


def test_a_tournament_between_equals_is_called_undecided(tmp_path: Path) -> None:
    """In the heading, in the note and in the table; --json tells the same."""
    folder = write(tmp_path / "t", rows(30, 0.0))
    told = json.loads(report(folder, "--json", "--out", tmp_path / "o").stdout)
    assert told["state"] == "undecided"
    assert told["head"].startswith("Undecided so far between")
    assert table(tmp_path / "o" / "differences.csv")[0]["state"] == "undecided"
    assert "undecided" in page(tmp_path / "o")


def test_contest_logs_tell_wins_and_habits(contest: Path) -> None:
    """Contest logs tell who won by team and role, and with what habits.

    Teams of five contests: wins by role, wins above role, habits, votes on wolves, calibration, five games.
    """
    html = page(contest)
    assert questions(html) == [
        "Who won more than its roles would?",
        "Who wins, on which side and in which role?",
        "How strong is each?",
        "Do votes find wolves?",
        "Do words fit deeds, and what got in the way?",
        "How far can beliefs be trusted?",
        "Which games are worth opening?",
    ]
    rates = table(contest / "win_rates.csv")
    teams = {
        "Alderlab",
        "Brook-GPT",
        "CinderFoxes",
        "dunelab-nw",
        "ebb",
        "fenneL_x",
        "Grovesong",
        "heronlab",
        "TeamIsle",
    }
    assert {row["who"] for row in rates} == teams
    assert {"seer", "werewolf", "medium"} <= {row["what"] for row in rates}
    assert {row["who"]: row["value"] for row in rates if row["what"] == "medium"} == {
        "fenneL_x": "0.0",
        "Grovesong": "1.0",
    }
    kept = {row["who"]: float(row["value"]) for row in table(contest / "habits.csv") if row["what"] == "vote = word"}
    assert kept.pop("CinderFoxes") < 1, "one vote of theirs went to another than they had said"
    assert set(kept.values()) == {1.0}
    worth = table(contest / "worth_opening.csv")
    assert len(worth) == 5
    assert all(Path(row["path"]).suffix == ".log" for row in worth)
    keys = {files.key for files in find_games([contest.parent / "logs"])}
    assert len(links := re.findall(r'href="http://127.0.0.1:8765/games/(\w+)"', html)) == 5
    assert keys.issuperset(links)
    assert html.index("The links work while this runs") < html.index(links[0])
    assert f"nlp-agent replay {contest.parent / 'logs'} --port 8765" in unescape(html)


def test_the_page_needs_nothing_else(contest: Path) -> None:
    """No script, no address of anything outside, every colour of a picture from the page's own variables."""
    html = page(contest)
    assert not re.search(r"<script|<link|<img|@import|url\((?!#)", html)
    assert set(re.findall(r'(?:href|src)="([^#"]{5})', html)) <= {"data:", "http:"}
    assert set(re.findall(r'href="(http:[^"]*/)\w+"', html)) == {"http://127.0.0.1:8765/games/"}, (
        "what is opened by a click"
    )
    pictures = "".join(re.findall(r"<svg.*?</svg>", html, re.DOTALL))
    colours = set(re.findall(r'(?:fill|stroke)="([^"]+)"', pictures)) - {"none", "transparent"}
    assert all(colour.startswith("var(--") for colour in colours), colours
    assert {name for colour in colours for name in re.findall(r"--\w+", colour)} <= set(re.findall(r"--\w+(?=:)", html))


def test_own_records_tell_time_tokens_and_beliefs(tmp_path: Path) -> None:
    """Records of one's own games tell time, tokens and what the seats believed.

    Journals give replies, tokens and what the seats believed; the game is opened by its folder.
    """
    game = recorded(5, "en")
    shutil.copytree(game, tmp_path / "records" / game.name)
    assert report(tmp_path / "records").exit_code == 0
    html = page(tmp_path / "records" / "report")
    assert "What does a game cost?" in questions(html)
    assert "Is there time to spare?" in questions(html)
    assert "by the seats&#39; own beliefs" in html
    assert str(tmp_path / "records" / game.name) in unescape(html)


def test_hostile_names_are_shown_and_do_nothing(tmp_path: Path) -> None:
    """A contestant called like markup is text in page and pictures."""
    evil = '<script>alert("1")</script>&'
    folder = write(tmp_path / "t", rows(10, 0.0, who=(evil, "b")))
    assert report(folder).exit_code == 0
    assert "<script" not in page(folder / "report")


def test_a_folder_without_games_says_what_it_needs(tmp_path: Path) -> None:
    """The error names the folder and what would do."""
    with pytest.raises(StudyError, match=r"no finished game under .* a tournament, records or game logs"):
        report(tmp_path)
