"""Two contestants of a tournament: which wins more, which is ranked higher, and what each costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nlp_agent.app.cli.app import app
from nlp_agent.app.config_file import load_config
from nlp_agent.judge.judging import judge_games
from nlp_agent.tournament.scoreboard import compared_line
from nlp_agent.tournament.standings import Difference
from tests.judge.judging import config, endpoint, judging
from tests.report.tournaments import rows, write


def tournament(folder: Path) -> Path:
    """Eight games of ``calm-1`` and ``bold-1``; one is polite, and their names end in a digit, as models' do."""
    found = rows(4, 0.0, who=("calm-1", "bold-1"))
    write(folder, found)
    for row in found:
        lines = [f"1,status,{n},{seat.role},ALIVE,{seat.seat},{seat.name}" for n, seat in enumerate(row.seats, start=1)]
        for number, seat in enumerate(row.seats, start=1):
            text = "Thank you, I would like to hear more." if seat.contestant == "calm-1" else "Vote now."
            lines.append(f"1,talk,{number - 1},0,{number},{text}")
        lines += ["1,vote,1,2", "1,execute,2,VILLAGER", f"2,result,2,1,{row.winner}"]
        (folder / "games" / row.game).mkdir(parents=True)
        (folder / "games" / row.game / "game.log").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def politely(names: list[str], lines: list[dict[str, Any]], question: str) -> dict[str, float]:
    said = {line["speaker"]: line["text"] for line in lines if line.get("action") == "talk"}
    return {name: 0 if "Thank you" in said[name] else 1 for name in names}


def test_contestants_of_a_tournament_are_the_compared_teams(tmp_path: Path) -> None:
    """The contestants of a tournament are the teams that are compared.

    The polite one is ranked higher in every game, with the interval by game; the line names both and the costs; the
    report shows the places beside the wins.
    """
    folder = tournament(tmp_path / "t")
    with endpoint(judging(politely)) as server:
        made = judge_games(folder, load_config(config(tmp_path, sharp=server.base_url)), folder / "judged")
    assert made.code == 0
    assert made.summary is not None
    assert {row["team"] for row in made.summary["teams"]} == {"calm-1", "bold-1"}
    won = Difference("calm-1", "bold-1", 200, 0.063, 0.021, 0.105)
    line = compared_line(won, made.summary, {"calm-1": 0.0251, "bold-1": 0.05})
    assert line.startswith(
        "calm-1 wins more (+6.3 of 100 games, +2.1 to +10.5, 200 deals); sharp ranks calm-1 higher than"
    )
    assert line.endswith("8 games); a seat and game costs calm-1 0.0251, bold-1 0.05")
    assert "\n" not in line
    done = CliRunner().invoke(app, ["report", str(folder), "--jobs", "1"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    assert "How does a judge rank the talk?" in page
    assert (folder / "report" / "judged.csv").is_file()


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-0.3, -0.1, "j ranks a higher than b (by 0.20 of the way from best to last, 0.10 to 0.30, 9 games)"),
        (
            -0.5,
            0.1,
            "j ranks neither higher for sure (a by 0.20 of the way from best to last, -0.10 to",
        ),
        (None, None, "j ranks a higher in the few games it judged (by 0.20 of the way from best to last)"),
    ],
)
def test_ranking_says_how_certain_it_is(low: float | None, high: float | None, said: str) -> None:
    """A ranking is told as sure as it is.

    Decided, undecided, and too few games to tell; unknown prices are said to be unknown.
    """
    row = {"judge": "j", "first": "a", "second": "b", "value": -0.2, "low": low, "high": high, "games": 9}
    line = compared_line(Difference("b", "a", 40, 0.01, -0.1, 0.12), {"pairs": [row]}, {"a": None})
    assert said in line
    assert "who wins more is undecided so far (b +1.0 of 100 games, -10.0 to +12.0, 40 deals)" in line
    assert "what each costs is not known" in line
