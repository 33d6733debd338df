"""Judgements are scored on our own generated games, and the command prints what it found."""

from __future__ import annotations

import json
import math
import pickle
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nlp_agent.app.cli.app import app
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Event
from nlp_agent.arena.logs import game_log
from nlp_agent.arena.village import contest_village
from nlp_agent.belief import fitted
from nlp_agent.belief.odds import SHIPPED_ODDS, Odds
from nlp_agent.records.game_reader import RecordedGame, read_game_log
from nlp_agent.study.evaluate import brier, hit, judge_game, log_loss, read_votes, recall, score_viewers
from nlp_agent.study.logs import vote_moments
from tests.fit.__main__ import main as fit_main
from tests.fit.odds import example, fit, write_odds
from tests.selfplay import Player
from tests.without_sockets import play_without_sockets


@cache
def _log(size: int, seed: int) -> str:
    events: list[Event] = []
    players = [Player("en", seed * 100 + number) for number in range(size)]
    play_without_sockets(contest_village(size, "en"), players, seed, cast=load_cast("en"), on_event=events.append)
    return game_log(events)


def _game(size: int, seed: int) -> RecordedGame:
    game = read_game_log(_log(size, seed), "own", str(seed))
    assert game is not None
    return game


@pytest.mark.parametrize("size", [5, 9, 13])
def test_the_true_world_is_never_excluded(size: int) -> None:
    """From every seat at every vote the truth is possible, and chances are chances."""
    for moment in vote_moments(_game(size, 1)):
        for row in score_viewers(moment, SHIPPED_ODDS):
            assert row.sound
            assert 0.0 <= min(row.p.values()) <= max(row.p.values()) <= 1.0 + 1e-6


def test_games_read_elsewhere_can_be_judged() -> None:
    """What was read in one process is judged in another.

    A game that was read goes from process to process with its ledgers.
    """
    game = read_votes(_game(5, 1))
    again = pickle.loads(pickle.dumps(game))
    assert judge_game(again, SHIPPED_ODDS) == judge_game(game, SHIPPED_ODDS)


def test_measures_on_small_examples() -> None:
    """Log-loss is a share of the living for one wolf, binary for several; ties count by halves."""
    even = {"a": 0.25, "b": 0.25, "c": 0.25, "d": 0.25}
    assert log_loss(even, frozenset("a"), one_wolf=True) == pytest.approx(1.386, abs=1e-3)
    assert hit(even, frozenset("a")) == 0.25
    sure = {"a": 0.9, "b": 0.8, "c": 0.1}
    assert (hit(sure, frozenset("ab")), recall(sure, frozenset("ac"))) == (1.0, 0.5)
    assert brier(sure, frozenset("ab")) == pytest.approx(0.02)


def test_fitting_improves_likelihood_and_is_reloadable() -> None:
    """Fitting makes the truth likelier, and the file can be read again.

    With games of our own players, the odds fitted on them beat the guesses of no game at all on the same games.
    """
    votes = [moment for seed in range(3) for moment in vote_moments(_game(5, seed))]
    ours, guessed = fit([example(moment) for moment in votes]), fit([])

    def loss(odds: Odds) -> float:
        found = [row for moment in votes for row in score_viewers(moment, odds)]
        return sum(log_loss(row.p, row.wolves, one_wolf=True) for row in found)

    assert loss(ours) < loss(guessed)
    assert _fitted(write_odds(ours, "three games")) == ours.sizes


def _fitted(module: str) -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, Any] = {}
    exec(module, found)
    return dict(found["FITTED"])


def test_shipped_odds_equal_what_a_fit_writes() -> None:
    """The shipped odds are as a fit would write them.

    Only the line that says what they were fitted on is free.
    """
    file = Path(fitted.__file__).read_text(encoding="utf-8")
    source = next(line for line in file.splitlines() if line.startswith("Fitted on"))
    assert write_odds(SHIPPED_ODDS, source) == file


def test_the_command_scores_a_folder_of_contests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As plain tables, as JSON, by fitted odds, and these as a file."""
    for number in range(2):
        contest = tmp_path / f"cup{number}"
        contest.mkdir()
        (contest / "01.log").write_text(_log(5, number), encoding="utf-8")
    run = CliRunner().invoke
    told = run(app, ["evaluate", str(tmp_path), "-j", "1"])
    assert told.exit_code == 0
    assert "5 players, villagers, day 1" in told.output
    data = json.loads(run(app, ["evaluate", str(tmp_path), "-j", "1", "--json"]).output)
    assert {row["soundness"] for row in data["groups"]} == {1.0}
    assert "in-sample" in data["odds"]
    assert fit_main(["odds", str(tmp_path), "-j", "1"]) == 0
    assert "odds fitted on the other contests" in capsys.readouterr().out
    file = tmp_path / "mine.py"
    assert fit_main(["odds", str(tmp_path), "-j", "1", "--write", str(file)]) == 0
    assert _fitted(file.read_text(encoding="utf-8")).keys() == SHIPPED_ODDS.sizes.keys()


def test_game_continuing_without_wolves_is_excluded(tmp_path: Path) -> None:
    """A game that goes on without wolves is named and left out.

    A damaged log is told with file and line; all others are scored as if it were not there.
    """
    contest = tmp_path / "cup"
    contest.mkdir()
    sound = _log(5, 1)
    (contest / "01.log").write_text(sound, encoding="utf-8")
    lines = sound.splitlines()
    wolf = next(line.split(",")[2] for line in lines if line.startswith("0,status,") and ",WEREWOLF," in line)
    damaged = [line.replace("ALIVE", "DEAD") if line.startswith(f"1,status,{wolf},") else line for line in lines]
    (contest / "02.log").write_text("\n".join(damaged), encoding="utf-8")
    told = CliRunner().invoke(app, ["evaluate", str(tmp_path), "-j", "1", "--json"])
    at = next(number for number, line in enumerate(damaged, start=1) if line.startswith("1,vote,"))
    assert told.exit_code == 0
    assert "".join(told.stderr.split()).startswith("".join(f"{contest / '02.log'}, line {at}: a vote".split()))
    (contest / "02.log").unlink()
    assert told.stdout == CliRunner().invoke(app, ["evaluate", str(tmp_path), "-j", "1", "--json"]).stdout


def _judgements(folder: Path, *, sharp: bool) -> Path:
    """A row for every villager's first vote in the games of ``folder``: one who knows, or one who knows nothing."""
    rows = []
    for file in sorted(folder.glob("*/*.log")):
        game = read_game_log(file.read_text(encoding="utf-8"), file.parent.name, file.stem)
        assert game is not None
        moment = next(iter(vote_moments(game)))
        for viewer in moment.voters:
            if game.roles[viewer] == "VILLAGER":
                p = {n: (0.8 if n in game.wolves else 0.1) if sharp else 0.25 for n in moment.voters if n != viewer}
                rows.append({"contest": game.contest, "game": game.name, "day": moment.day, "viewer": viewer, "p": p})
    target = folder / "judgements.jsonl"
    target.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return target


def test_model_judgements_are_scored_across_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Judgements of a model are scored beside the posterior, over several processes.

    One that knows the wolf betters the posterior; one that knows nothing is told as good as chance.
    """
    for contest in ("one", "two"):
        (tmp_path / contest).mkdir()
        for seed in (1, 2):
            log = _log(5, seed + 10 * (contest == "two"))
            (tmp_path / contest / f"{seed}.log").write_text(log, encoding="utf-8")
    found = {}
    for sharp, jobs in ((True, "2"), (False, "1")):
        file = _judgements(tmp_path, sharp=sharp)
        command = ["fusion", str(tmp_path), str(file), "--shipped"]
        capsys.readouterr()
        assert fit_main([*command, "--json", "--jobs", jobs]) == 0
        (found[sharp],) = json.loads(capsys.readouterr().out)
        file.with_suffix(".py").unlink(missing_ok=True)
        assert fit_main([*command, "--write", str(file.with_suffix(".py")), "-j", "1"]) == 0
        fitted: dict[str, Any] = {}
        exec(file.with_suffix(".py").read_text(encoding="utf-8"), fitted)
        assert 0.0 <= fitted["MARGIN"] <= 1.0
        assert fitted["FUSIONS"]["one_wolf"]
    assert found[True]["both"]["log_loss"] < found[True]["core"]["log_loss"]
    assert found[False]["model"]["log_loss"] == pytest.approx(math.log(4))


def test_invalid_judgement_row_is_reported_with_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A row that is no judgement is named with its line, so that somebody can mend it."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "1.log").write_text(_log(5, 1), encoding="utf-8")
    file = tmp_path / "broken.jsonl"
    file.write_text('{"contest": "one"}', encoding="utf-8")
    assert fit_main(["fusion", str(tmp_path), str(file), "--shipped", "-j", "1"]) == 2
    assert "broken.jsonl:1" in capsys.readouterr().err
