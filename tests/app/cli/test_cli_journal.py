"""``nlp-agent journal``: posterior, plan and words side by side."""

from __future__ import annotations

import json
import os
import re
import shutil
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest

from nlp_agent.app.cli.app import main
from nlp_agent.app.cli.journal import read_seat_journal
from nlp_agent.app.cli.screen import Screen
from nlp_agent.game import SeatState
from nlp_agent.planning.acts import ACTS
from nlp_agent.planning.planner import Planner
from nlp_agent.records.decisions import act_line, belief_summary, plan_summary
from nlp_agent.records.journal import Journal, read_rows
from tests.recorded import recorded, refused
from tests.selfplay import pack, play


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    journal = Journal(lambda: "now")
    journal.open(tmp_path / "team1.jsonl")
    journal.write("packet", {"request": "TALK"})
    thought = {"wolf": {"Ben": 0.94, "Eve": 0.0}, "shown": {"Eve": 1.0}, "roles": {"Ben": {"WEREWOLF": 0.9}}}
    acts = [{"kind": "claim", "role": "SEER"}, {"kind": "result", "target": "Eve", "result": "WEREWOLF"}]
    first = {"posterior": thought, "plan": {"acts": acts, "vote": "Eve"}, "why": "lie", "sent": "Eve\x1b is a wolf."}
    journal.write("decision", {"request": "TALK", "day": 1, **first, "how": "mind"})
    journal.write("decision", {"request": "VOTE", "day": 2, "sent": "Eve", "plan": {"ranking": ["Eve", "Ben"]}})
    journal.write("decision", {"request": "TALK", "day": 3, "sent": "Hm.", "how": "fallback"})
    journal.close()
    with (tmp_path / "team1.jsonl").open("a") as file:
        file.write('{"event": "decis')
    return tmp_path


def test_each_decision_is_one_line_in_a_pipe(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was believed, meant and said stands on one line; what belongs to others is left out; no control signs."""
    assert run("journal", str(folder)) == 0
    out = capsys.readouterr().out
    line = next(line for line in out.splitlines() if line.startswith("day 1 TALK"))
    _, believed, meant, said = line.split(" | ")
    assert believed == "Ben .94 Eve .00"
    assert meant == "claim SEER; result Eve WEREWOLF; means to vote Eve -- lie"
    assert said.endswith("is a wolf.")
    assert "\x1b" not in out
    assert "day 2 VOTE | - | Eve > Ben | Eve" in out
    assert "day 3 TALK (fallback) | - | - | Hm." in out


def test_with_full_everything_about_a_decision_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All numbers, what is shown to others, the likeliest roles; one line each."""
    assert run("journal", str(folder), "--full") == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "believed Ben .94 Eve .00; shown Eve 1.00; Ben: werewolf .90" in lines
    assert "planned claim SEER; result Eve WEREWOLF; means to vote Eve -- lie" in lines


def test_journal_heads_name_player_and_role(capsys: pytest.CaptureFixture[str]) -> None:
    """Heads name player and role, and a player's name will do to choose a journal.

    Nobody has to know which connection played whom; in a terminal each day is a table of its own.
    """
    game = recorded(5, "en")
    assert run("journal", str(game)) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if line.startswith("nlp-agent")]
    assert len(heads) == 5
    assert all(re.fullmatch(r"nlp-agent\d · \w+, \w+: \d+ decisions", head) for head in heads)
    seat, _ = refused(game)
    head = next(head for head in heads if head.startswith(seat))
    player = head.split(" · ")[1].partition(",")[0]
    assert run("journal", str(game), "--seat", player.lower(), "--full", "--request", "talk") == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{seat} · ")
    assert "  heard " in out
    assert "  problem   refused:" in out
    screen = Screen(file=StringIO(), force_terminal=True, width=100, highlight=False, color_system=None)
    told = read_seat_journal(game / f"{seat}.jsonl")
    told.show(screen, told.decisions(None, None), full=False)
    assert isinstance(screen.file, StringIO)
    shown = screen.file.getvalue()
    days = sorted({row["day"] for row in told.decisions(None, None)})
    assert [line.strip() for line in shown.splitlines() if line.startswith("Day ")] == [f"Day {day}" for day in days]
    assert max(map(len, shown.splitlines())) <= 100


def test_a_page_of_its_own_needs_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One file with every decision asked for, without scripts and links to elsewhere; what players wrote is escaped."""
    game = tmp_path / "game"
    shutil.copytree(recorded(5, "en"), game)
    journal = game / "nlp-agent1.jsonl"
    text = re.sub(
        r'("event": "decision".*?"sent": ")', r"\1<script>alert(1)</script>", journal.read_text(encoding="utf-8")
    )
    journal.write_text(text, encoding="utf-8")
    page = tmp_path / "page.html"
    assert run("journal", str(game), "--html", str(page), "--lang", "ja") == 0
    told = page.read_text(encoding="utf-8")
    assert "モデルの応答" in told
    journals = [path.read_text(encoding="utf-8") for path in game.glob("*.jsonl")]
    assert told.count('<details class="card one">') == sum(text.count('"event": "decision"') for text in journals)
    assert "&lt;script&gt;" in told
    assert "<script" not in told
    assert not re.search(r"""(?:src|href)=["'](?!#)""", told)
    assert not re.search(r"url\(|@import", told)
    assert run("journal", str(game), "--html", str(page), "--seat", "nlp-agent2", "--day", "1") == 0
    assert 0 < page.read_text(encoding="utf-8").count('<details class="card one">') < 10
    assert run("journal", str(game), "--html", str(page), "--lang", "fr") == 2
    assert "en and ja" in capsys.readouterr().err


def test_days_seats_and_requests_can_be_chosen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--day, --seat and --request narrow it down, --json is for programs, and a wrong name is explained."""
    assert run("journal", str(folder), "--day", "2", "--seat", "team1", "-r", "vote", "--json") == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["seat"], row["day"], row["sent"]) == ("team1", 2, "Eve")
    assert run("journal", str(folder), "--seat", "nobody") == 2
    assert "team1" in capsys.readouterr().err
    assert run("journal", str(folder / "missing")) == 2


def test_posterior_has_two_digits_beside_the_pretended_one() -> None:
    """Every seat's belief fits a line: only the living, the most suspicious first, and a lie shows as a lie."""
    match = play("en", 5, 3)
    lied = 0
    for player in match.players:
        assert player.planner is not None
        row = player.planner.belief.row(player.state.players)
        assert list(row["wolf"].values()) == sorted(row["wolf"].values(), reverse=True)
        assert all(len(str(share)) <= 4 for share in row["wolf"].values())
        lied += "shown" in row
    assert lied >= 1
    fresh = Planner(SeatState(me="Anna"), pack("en").reading, 1)
    assert fresh.belief.row(("Ben",)) == {"wolf": {}}


def test_posterior_is_shown_once_beside_the_leaning() -> None:
    """P(wolf) is the share of the role WEREWOLF and adds up to the wolves; the taste has a name of its own."""
    leaning = 0
    for player in (player for seed in range(3, 7) for player in play("en", 5, seed).players):
        assert player.planner is not None
        row = player.planner.belief.row(player.state.players)
        for name, share in row["wolf"].items():
            assert share == row["roles"][name].get("WEREWOLF", 0.0)
        if player.state.role != "WEREWOLF":
            assert sum(row["wolf"].values()) == pytest.approx(1.0, abs=0.03)
        leaning += "leaning" in row
    assert leaning
    told = belief_summary({"wolf": {"Ben": 0.51, "Eve": 0.49}, "leaning": {"Ben": 0.54, "Eve": 0.52}}, full=True)
    assert told == "Ben .51 Eve .49; leaning Ben .54 Eve .52"


def test_belief_of_a_wolf_is_what_it_shows() -> None:
    """A werewolf that suspects nobody is told by what it pretends, not by zeros."""
    row = {"wolf": {"Ben": 0.0, "Eve": 0.0}, "leaning": {"Ben": 0.1}, "shown": {"Ben": 0.9, "Eve": 0.1}}
    assert belief_summary(row, full=True) == "shown Ben .90 Eve .10"


def test_plan_of_announced_vote_tells_its_ground() -> None:
    """A talk that announces a vote is explained by the ground it was given, not by itself."""
    act = {"kind": "vote", "target": "Ben", "reason": "Ben was called a wolf"}
    row = {"how": "strategy", "why": "announce the vote for Ben", "plan": {"acts": [act]}}
    assert plan_summary(row) == "vote Ben -- Ben was called a wolf"
    assert plan_summary({**row, "why": "Eve asks"}) == "vote Ben -- Eve asks -- Ben was called a wolf"
    assert plan_summary({**row, "how": "llm"}) == "vote Ben -- announce the vote for Ben"


def test_japanese_terminal_tells_beliefs_in_japanese(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Roles and the words between the figures are Japanese there, in the table and with --full."""
    monkeypatch.setenv("NLP_AGENT_LANG_UI", "ja")
    thought = {
        "wolf": {"Ben": 0.0},
        "leaning": {"Ben": 0.1},
        "shown": {"Ben": 1.0},
        "roles": {"Ben": {"SEER": 0.9}},
        "trusted": "Ben",
    }
    judgement = {"core": {"Ben": 0.2}, "model": {"Ben": 0.4}, "both": {"Ben": 0.3}}
    journal = Journal(lambda: "now")
    journal.open(tmp_path / "team1.jsonl")
    row = {"request": "VOTE", "day": 1, "posterior": thought, "judgement": judgement, "sent": "Ben"}
    journal.write("decision", row)
    journal.close()
    assert run("journal", str(tmp_path)) == 0
    assert "表向き Ben 1.00" in capsys.readouterr().out
    assert run("journal", str(tmp_path), "--full") == 0
    told = capsys.readouterr().out
    beliefs = "表向き Ben 1.00; Ben: 占い師 .90; Benを本物の占い師とみている"
    assert beliefs in told
    assert "計算 Ben .20; モデル Ben .40; 統合 Ben .30" in told


def test_missing_day_or_kind_is_explained(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Instead of no decisions at all come the days and kinds that there are."""
    for wrong in (("--day", "77"), ("--request", "dance"), ("--day", "1", "--request", "VOTE")):
        assert run("journal", str(folder), *wrong) == 2
        error = " ".join(capsys.readouterr().err.replace("│", " ").split())
        assert "days: 1, 2" in error
        assert "kinds: TALK" in error


def test_folder_of_all_games_names_the_last_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The folder of all games is not taken for a game; the last game in it is named.

    Whoever names `records` itself is told what to name.
    """
    for game in ("a1", "b2"):
        (tmp_path / game).mkdir()
        (tmp_path / game / "team1.jsonl").touch()
    assert run("journal", str(tmp_path)) == 2
    assert f"suchas{tmp_path / 'b2'}" in "".join(capsys.readouterr().err.replace("│", "").split())


def test_acts_with_a_topic_are_told_in_words() -> None:
    """No act is told with the key of its topic: all that a plan may hold has words."""
    act = {"kind": "react", "topic": "doubt_WEREWOLF", "target": "Dmitri", "to": "Ottilie"}
    assert act_line(act) == "doubt the result of Ottilie: Dmitri WEREWOLF"
    given = {"target": "Ann", "to": "Ben", "role": "SEER", "result": "HUMAN"}
    for kind, row in ACTS.items():
        for topic in filter(None, row.variants):
            line = act_line({**given, "kind": kind, "topic": topic})
            assert "_" not in line
            assert "{" not in line
            assert line != f"{kind} {topic} Ann SEER HUMAN to Ben"


@pytest.mark.skipif(os.name != "posix", reason="names that Windows does not allow")
def test_strange_file_name_cannot_write_lines_of_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A name in somebody else's file writes neither lines nor signs that steer a terminal when a journal is shown."""
    folder = tmp_path / "records" / "a\x1b[2J\nERROR fake"
    folder.mkdir(parents=True)
    file = folder / "team1\x1b]0;x\x07\nERROR fake.jsonl"
    rows = list(read_rows(min(recorded(5, "en").glob("*.jsonl"))))
    rows = [{**row, "how": "x\nERROR fake"} if row["event"] == "decision" else row for row in rows]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    for arguments in (
        ("journal", str(tmp_path / "records")),
        ("journal", str(folder)),
        ("render", "--game", str(file)),
        ("render", "--game", str(file), "--at", "1"),
    ):
        with suppress(SystemExit):
            main(arguments)
        out, err = capsys.readouterr()
        assert not [line for line in f"{out}{err}".splitlines() if line.startswith("ERROR")], arguments
        assert not set(out + err) & set("\x1b\x07"), arguments


def test_a_refusal_is_told_in_the_language_of_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Why an answer was refused is told in Japanese on a Japanese terminal, as what was planned is."""
    monkeypatch.setenv("NLP_AGENT_LANG_UI", "ja")
    journal = Journal(lambda: "now")
    journal.open(tmp_path / "team1.jsonl")
    problems = ["the odds speak clearly against Eve"]
    journal.write("decision", {"day": 1, "request": "VOTE", "problems": problems, "sent": "Eve"})
    journal.close()
    assert run("journal", str(tmp_path / "team1.jsonl"), "--full") == 0
    assert "Eveを選ぶのは確率から見て明らかに不利" in capsys.readouterr().out
