"""Duels: the measure of the decisions, and the simple opponents it is taken against."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from nlp_agent.app.cli.app import app
from nlp_agent.arena.village import contest_village
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import load_pack
from nlp_agent.reading.statement import Statement
from nlp_agent.study import talker
from nlp_agent.study.duel import NOBODY, VILLAGE, WOLVES, Matchup, batches, matchups, play_batch, play_one
from nlp_agent.study.opponents import OPPONENTS
from nlp_agent.study.statistics import wilson
from tests.without_sockets import play_without_sockets

PLAYERS = tuple(f"Agent[0{number}]" for number in range(1, 6))
ONE, TWO = PLAYERS[:2]


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (SpeechAct("claim", role="SEER"), Statement("claim", role="SEER")),
        (SpeechAct("claim", role="MEDIUM"), Statement("claim", role="MEDIUM")),
        (SpeechAct("confess", role="POSSESSED"), Statement("claim", role="POSSESSED")),
        (SpeechAct("result", target=ONE, result="WEREWOLF"), Statement("result", target=ONE, result="WEREWOLF")),
        (SpeechAct("result", target=ONE, result="HUMAN"), Statement("result", target=ONE, result="HUMAN")),
        (SpeechAct("vote", target=TWO), Statement("vote", target=TWO)),
        (SpeechAct("answer", target=TWO, topic="vote"), Statement("vote", target=TWO)),
        (SpeechAct("retract", target=TWO), Statement("retract")),
        (SpeechAct("retract", target=TWO), Statement("vote", target=TWO)),
        (SpeechAct("suspect", target=TWO), Statement("suspect", target=TWO)),
        (SpeechAct("trust", target=TWO), Statement("trust", target=TWO)),
        (SpeechAct("attack", target=TWO), Statement("attack", target=TWO)),
    ],
)
def test_plain_words_are_understood_as_meant(act: SpeechAct, said: Statement) -> None:
    """What a duel's players say reaches the others by the same reading as any talk."""
    text = talker.plain_words(TalkPlan((act,)))
    assert said in load_pack("en").reading.read(text, PLAYERS).statements


def test_small_talk_says_nothing() -> None:
    """An act without a plain sentence becomes words that claim, accuse and promise nothing."""
    text = talker.plain_words(TalkPlan((SpeechAct("morning", target=ONE),)))
    assert load_pack("en").reading.read(text, PLAYERS).statements == ()


@pytest.mark.parametrize("name", [name for name in OPPONENTS if name != "random"])
@pytest.mark.parametrize("players", [5, 9])
def test_opponents_play_legally(name: str, players: int) -> None:
    """A game among opponents ends with a winner and without a fault (only ``random`` names the dead)."""
    playbook = load_pack("en").playbook
    for seed in range(3):
        deciders = [OPPONENTS[name](playbook, Random(f"{seed}/{seat}")) for seat in range(players)]
        report = play_without_sockets(contest_village(players, "en"), deciders, seed)
        assert report.winner in ("VILLAGER", "WEREWOLF")
        assert report.illegal == 0


def test_every_role_meets_opponents_alike() -> None:
    """Every role and side meets every opponent in the same deals.

    Arms share their seeds and are played a little at a time, so that an early end has something of each.
    """
    work = list(batches(5, ["valid", "greedy"], 60, 7))
    assert {chunk.arm for chunk in work[: len(work) // 2]} == set(matchups(5, ["valid", "greedy"]))
    for arm in matchups(5, ["valid", "greedy"]):
        seeds = [seed for c in work if c.arm == arm for seed in range(c.first, c.first + c.count)]
        assert seeds == list(range(7, 67))
    assert [arm.ours for arm in matchups(5, ["greedy"])][-3:] == [VILLAGE, WOLVES, NOBODY]
    assert {arm.ours for arm in matchups(9, ["greedy"])} >= {"MEDIUM", "BODYGUARD"}


@pytest.mark.parametrize("ours", ["SEER", VILLAGE, WOLVES, NOBODY])
def test_same_arm_and_seed_give_the_same_game(ours: str) -> None:
    """The same arm and seed give the same game, so that a figure can be measured again."""
    arm = Matchup("greedy", ours)
    assert [play_one(arm, 5, seed) for seed in range(3)] == [play_one(arm, 5, seed) for seed in range(3)]


def test_a_chunk_counts_its_games() -> None:
    """Wins of all games of the chunk are added up."""
    chunk = next(iter(batches(5, ["valid"], 4, 1)))
    arm, tally = play_batch(chunk)
    assert (arm, tally.games) == (chunk.arm, 4)
    assert 0 <= tally.wins <= 4


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    # Values of the closed form, computed independently with fractions.
    [(0, 0, 0.0, 1.0), (0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (70, 100, 0.6042, 0.7811)],
)
def test_wilson_interval(hits: int, count: int, low: float, high: float) -> None:
    """The interval stays within 0 and 1 and matches known values."""
    assert wilson(hits, count) == pytest.approx((low, high), abs=1e-4)


@pytest.fixture
def run() -> Callable[..., str]:
    def invoke(*arguments: str, code: int = 0) -> str:
        done = CliRunner().invoke(app, ["duel", *arguments])
        assert done.exit_code == code, done.output
        return done.output

    return invoke


def test_the_command_prints_rates_with_intervals(run: Callable[..., str]) -> None:
    """Each role and side has a row, and the figures are labelled for what they are."""
    text = run("--games", "2", "--opponent", "valid", "--jobs", "1")
    for ours in ("seer", "villager", "werewolf", "possessed", "village side", "wolf side"):
        assert f"valid     {ours}" in text
    assert "decision core, not LLM strength" in text


def test_strategy_of_a_config_plays(run: Callable[..., str], tmp_path: Path) -> None:
    """-c takes the strategy that a config names, looked up beside it, and no other."""
    (tmp_path / "lazy_one.py").write_text(
        "from nlp_agent.planning.plan import TargetPlan\nfrom nlp_agent.planning.strategy import Standard\n\n\n"
        "class Lazy(Standard):\n    def choose(self, situation, request, legal):\n"
        "        return TargetPlan(legal[0])\n",
        encoding="utf-8",
    )
    (tmp_path / "c.yml").write_text("strategy: lazy_one:Lazy\n", encoding="utf-8")
    games = ("--games", "10", "-o", "valid", "-j", "1", "--json")
    lazy = json.loads(run(*games, "-c", str(tmp_path / "c.yml")))
    named = json.loads(run(*games, "--strategy", "lazy_one:Lazy"))
    assert lazy == named != json.loads(run(*games))


def test_the_command_prints_json(run: Callable[..., str]) -> None:
    """One object with every arm, for programs."""
    figures = json.loads(run("--games", "2", "-o", "valid", "-j", "1", "--json"))
    assert figures["complete"]
    assert figures["label"] == "decision core, not LLM strength"
    assert {row["ours"] for row in figures["arms"]} == {
        "SEER",
        "VILLAGER",
        "WEREWOLF",
        "POSSESSED",
        VILLAGE,
        WOLVES,
        NOBODY,
    }
    assert all(row["low"] <= row["rate"] <= row["high"] for row in figures["arms"])


def test_ctrl_c_prints_what_is_there(run: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An early end keeps the games played so far and says that it is early."""
    played: list[object] = []

    def chunk(work: object) -> object:
        if played:
            raise KeyboardInterrupt
        played.append(work)
        return play_batch(work)  # type: ignore[arg-type]

    monkeypatch.setattr("nlp_agent.study.duel.play_batch", chunk)
    text = run("--games", "2", "-o", "valid", "-j", "1", code=130)
    assert "2 games of 5" in text
    assert "Ended early" in text


def test_an_unknown_opponent_is_refused(run: Callable[..., str]) -> None:
    """The message names the nearest one."""
    assert "did you mean 'greedy'" in run("--opponent", "greddy", code=2).replace("\n", " ").replace("│", "")
