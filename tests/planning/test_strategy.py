"""A strategy of somebody else's: asked where the built-in one would be, made legal, and never able to cost a game."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import pytest

from nlp_agent.app.cli.checks import check_strategy
from nlp_agent.app.cli.results import show_game
from nlp_agent.app.cli.screen import stdout
from nlp_agent.app.config import Config
from nlp_agent.app.wiring import strategies
from nlp_agent.app.wiring.strategies import load_strategy
from nlp_agent.app.wiring.tables import TableOptions, play_games
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Event, Talked, Voted
from nlp_agent.arena.village import contest_village
from nlp_agent.errors import ConfigError
from nlp_agent.net import Stop
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.examples.crowd import Crowd
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.situation import Situation
from nlp_agent.planning.strategy import Standard, Strategy
from nlp_agent.planning.talk_plan import TalkContext
from nlp_agent.protocol import Request
from nlp_agent.records.summary import GameSummary
from nlp_agent.study.talker import PlainTalker
from tests.selfplay import pack
from tests.without_sockets import play_without_sockets


class Broken:
    def plan_talk(self, context: TalkContext) -> TalkPlan:
        raise ZeroDivisionError("talk")

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        raise KeyError("choice")


class Lawless:
    """Names the dead, itself and strangers, and says so."""

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        acts = (SpeechAct("suspect", target="Nobody Here"), SpeechAct("vote", target=context.me), SpeechAct("chat"))
        return TalkPlan(acts, address=context.me, vote="Nobody Here")

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        return TargetPlan(situation.state.me)


class Absent:
    """Returns nothing, or leaves the program."""

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        return None  # type: ignore[return-value]

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        raise SystemExit(3)


class Last(Standard):
    """Names the last of the legal players."""

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        return TargetPlan(legal[-1], why="the last")


def _game(strategy: type[Strategy], players: int = 5, seed: int = 1) -> tuple[list[Event], list[PlainTalker], int]:
    seats = [PlainTalker(pack("en").reading, seed * 100 + n, strategy()) for n in range(players)]
    events: list[Event] = []
    village = contest_village(players, "en")
    report = play_without_sockets(village, seats, seed, cast=load_cast("en"), on_event=events.append)
    assert report.winner in ("VILLAGER", "WEREWOLF")
    return events, seats, report.illegal


@pytest.mark.parametrize("strategy", [Broken, Lawless, Absent])
def test_a_bad_strategy_costs_only_its_answers(strategy: type[Strategy]) -> None:
    """Games go on legally with what the built-in strategy decides, and every slip is told."""
    events, seats, illegal = _game(strategy)
    assert illegal == 0
    assert any(isinstance(event, Voted) for event in events)
    for seat in seats:
        assert seat.planner is not None
        assert any("strategy" in slip.what for slip in seat.planner.strategy_faults())
        assert seat.planner.strategy_faults() == []


class Unknowing(Standard):
    """Wants to say what nobody can say."""

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        return TalkPlan((SpeechAct("accuse", target="Nobody"),))  # type: ignore[arg-type]


def test_unknown_acts_leave_the_talk_to_the_built_in_strategy() -> None:
    """A plan of which nothing can be said makes nobody fall silent, and the warning names the act."""
    events, seats, _ = _game(Unknowing)
    said = [event.text for event in events if isinstance(event, Talked) and event.text not in ("Over", "Skip")]
    assert said == [event.text for event in _game(Standard)[0] if isinstance(event, Talked) and event.text in said]
    assert seats[0].planner is not None
    assert "accuse Nobody" in seats[0].planner.strategy_faults()[0].what


def test_broken_strategy_decides_like_the_default() -> None:
    """A broken strategy decides like the built-in one.

    What fails is replaced by what would have been decided anyway.
    """
    assert _game(Broken)[0] == _game(Standard)[0]


def test_a_strategy_is_asked_for_every_target() -> None:
    """Its choice is what is voted, and the announced vote is that choice."""
    events, seats, illegal = _game(Last)
    names = [seat.state.me for seat in seats]
    assert illegal == 0
    alive = set(names)
    for event in events:
        if isinstance(event, Voted) and event.request is Request.VOTE and event.day == 1:
            voter = names[event.seat]
            assert names[event.target] == max(n for n in alive if n != voter)


def test_example_votes_with_the_crowd_as_announced() -> None:
    """The example strategy votes with the crowd and keeps its word.

    A whole game of 9 with the shipped example: legal, and who announced a vote casts it.
    """
    events, seats, illegal = _game(Crowd, players=9)
    assert illegal == 0
    said = [event for event in events if isinstance(event, Talked) and event.day == 1 and "I vote for" in event.text]
    assert len(said) >= 9
    votes = {
        e.seat: seats[e.target].state.me for e in events if isinstance(e, Voted) and (e.day, e.request) == (1, "VOTE")
    }
    last = {event.seat: event.text for event in said}
    assert all(votes[seat] in text.rpartition("I vote for")[2] for seat, text in last.items() if seat in votes)


def test_a_strategy_named_in_the_config_plays(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file beside the config, named as module:Class, decides in a game over sockets; its slips are told at once,
    counted in the summary, and in the journal with the place where it failed.
    """
    (tmp_path / "my_own_strategy.py").write_text(
        "from nlp_agent.planning.strategy import Standard\n"
        "from nlp_agent.planning.plan import TargetPlan\n"
        "class Mine(Standard):\n"
        "    def choose(self, situation, request, legal):\n"
        "        return TargetPlan(legal[0], why='my own reason') if request == 'VOTE' else 1 / 0\n",
        encoding="utf-8",
    )
    file = tmp_path / "c.yml"
    file.write_text("strategy: my_own_strategy:Mine\nlog: {console_output: false}\n", encoding="utf-8")
    from nlp_agent.app.config_file import load_config

    games: list[GameSummary] = []
    options = TableOptions(5, "en", 3, 1, tmp_path / "records")
    with caplog.at_level(logging.WARNING, "nlp_agent.seat"):
        asyncio.run(play_games(load_config(file), options, lambda _: None, games.append, Stop()))
    assert (games[0].total("illegal"), games[0].total("crashes")) == (0, 0)
    journals = "".join(path.read_text(encoding="utf-8") for path in Path(games[0].records).glob("*.jsonl"))
    assert "strategy: choose failed (ZeroDivisionError" in journals
    rows = [row for row in map(json.loads, journals.splitlines()) if row["event"] == "strategy"]
    assert "my_own_strategy.py line 5" in rows[0]["what"]
    assert "return TargetPlan(legal[0]" in rows[0]["traceback"]
    assert games[0].total("strategy_slips") == len(rows)
    assert [line for line in games[0].warnings if "the strategy failed" in line]
    assert "choose failed" in caplog.messages[0]
    assert len(caplog.messages) <= 3 * 5


ENDLESS = """
import threading, time
from nlp_agent.planning.strategy import Standard
over = threading.Event()
class Loops(Standard):
    def choose(self, situation, request, legal):
        while not over.is_set():
            pass
class Sleeps(Standard):
    def choose(self, situation, request, legal):
        over.wait()
class Clings(Standard):
    def plan_talk(self, context):
        while not over.is_set():
            try:
                time.sleep(0.001)
            except BaseException:
                pass
"""


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("Loops", "choose gave no answer within 0.05"),
        ("Sleeps", "choose gave no answer within 0.05"),
        ("Clings", "plan_talk gave no answer within 0.05"),
    ],
)
def test_endless_strategy_costs_only_its_answers(
    name: str, at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strategy that never returns costs its answers and not the game.

    It is left behind and the built-in one decides; summary and journal say so, with the line it was at, once.
    """
    monkeypatch.setattr("nlp_agent.seat.own_strategy.SHARE", 0.001)
    monkeypatch.delitem(sys.modules, "endless", raising=False)
    (tmp_path / "endless.py").write_text(ENDLESS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    games: list[GameSummary] = []
    config = Config(strategy=f"endless:{name}")
    try:
        options = TableOptions(5, "en", 3, 1, tmp_path / "records")
        asyncio.run(play_games(config, options, lambda _: None, games.append, Stop()))
    finally:
        sys.modules["endless"].over.set()
    assert (games[0].total("illegal"), games[0].total("late"), games[0].total("crashes")) == (0, 0, 0)
    assert 1 <= games[0].total("strategy_slips") <= 5
    for journal in Path(games[0].records).glob("*.jsonl"):
        rows = list(map(json.loads, journal.read_text(encoding="utf-8").splitlines()))
        told = [row for row in rows if row["event"] == "strategy"]
        assert len(told) <= 1
        assert all(at in row["what"] and "is not asked again in this game" in row["what"] for row in told)
        assert all("endless.py" in row["traceback"] for row in told)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("nonsense", "expected module:Class"),
        ("no_such_module_here:X", "no module 'no_such_module_here'"),
        ("a_folder_here:X", "a_folder_here is a folder here"),
        ("bad_strategies:Laster", "did you mean 'Later'? (valid: Short, Later)"),
        ("nlp_agent.planning.examples.crowd:Crwd", "did you mean 'Crowd'"),
        ("nlp_agent.planning.plan:SpeechAct", "cannot be made without arguments"),
        ("nlp_agent.planning.plan:TalkPlan", "has no method plan_talk"),
        ("bad_strategies:Short", "must take (self, situation, request, legal)"),
        ("bad_strategies:Later", "must be a plain method"),
        ("bad_strategies:number", "is not a class"),
        ("typo_strategies:X", "cannot be imported: SyntaxError"),
    ],
)
def test_a_mistake_in_the_strategy_is_told(spec: str, told: str, tmp_path: Path) -> None:
    """Before anybody sits down, with what to do about it."""
    (tmp_path / "typo_strategies.py").write_text("def", encoding="utf-8")
    (tmp_path / "a_folder_here").mkdir()
    (tmp_path / "bad_strategies.py").write_text(
        "class Short:\n"
        "    def plan_talk(self, context): ...\n"
        "    def choose(self, situation): ...\n"
        "class Later:\n"
        "    async def plan_talk(self, context): ...\n"
        "    def choose(self, situation, request, legal): ...\n"
        "number = 1\n",
        encoding="utf-8",
    )
    with pytest.raises(ConfigError) as found:
        load_strategy(spec, source=tmp_path / "c.yml")
    assert told in str(found.value)
    assert "strategy" in str(found.value)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("sys.exit()", "leaves the program while it is loaded (exit code 0)"),
        ("os._exit(0)", "leaves the program while it is loaded (exit code 0)"),
        ("raise KeyboardInterrupt", "leaves the program while it is loaded"),
        ("while True: pass", "is not loaded after"),
        ("made = type('S', (), {'__init__': lambda self: sys.exit(0)}); S = made", "leaves the program"),
    ],
)
def test_file_that_exits_or_hangs_is_named(
    line: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strategy file that ends the process or never ends is an error with its name.

    Neither may end a command as if all were well, nor keep it waiting.
    """
    if "while" in line:
        monkeypatch.setattr(strategies, "_SECONDS", 1.5)
    name = f"leaving_{abs(hash(line))}"
    (tmp_path / f"{name}.py").write_text(f"import os, sys\n{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as found:
        load_strategy(f"{name}:S", source=tmp_path / "c.yml")
    assert told in str(found.value)
    assert f"{name}.py" in str(found.value)


def test_the_check_looks_at_the_strategy() -> None:
    """``nlp-agent check`` says whether it can be used."""
    assert check_strategy(Config()) == []
    (good,) = check_strategy(Config(strategy="nlp_agent.planning.examples.crowd:Crowd"))
    (bad,) = check_strategy(Config(strategy="nlp_agent.planning.examples.crowd:Crwd"))
    assert (good.level, bad.level) == ("ok", "error")


class Counting(Standard):
    """Notes what it was asked."""

    asked: ClassVar[list[str]] = []

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        self.asked.append(str(Request.TALK))
        return super().plan_talk(context)

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        self.asked.append(str(request))
        return super().choose(situation, request, legal)


def test_a_check_before_a_match_makes_ten_decisions() -> None:
    """A talk, for which the vote that it may announce is asked as well, and a deed of five roles."""
    Counting.asked.clear()
    (good,) = check_strategy(Config(strategy=f"{__name__}:Counting"))
    assert (good.level, good.message) == ("ok", f"{__name__}:Counting made 10 legal decisions")
    assert Counter(Counting.asked) == {"TALK": 5, "DIVINE": 1, "GUARD": 1, "ATTACK": 1, "VOTE": 2 + 5}


class Older(Standard):
    """Written for a version before 2.2, with the names of then."""

    seen: ClassVar[list[int]] = []

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        self.seen.append(context.scene.state.day)
        return super().plan_talk(context)

    def choose(self, scene: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        return TargetPlan(legal[-1], why=f"day {scene.state.day}")


def test_strategies_of_older_versions_still_play() -> None:
    """They call the situation ``scene``."""
    Older.seen.clear()
    _, seats, faults = _game(Older)
    assert Older.seen
    assert (len(seats), faults) == (5, 0)


def test_internal_failures_are_counted_in_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Failures of the program's own code are counted in the summary.

    In its figures and, seat by seat, in a line on the screen; the journal has the tracebacks.
    """
    plan_talk, calls = Planner.plan_talk, count()

    def fails(self: Planner, *args: Any, **more: Any) -> TalkPlan:
        if next(calls) % 5 == 4:
            raise RuntimeError("planted")
        return plan_talk(self, *args, **more)

    monkeypatch.setattr(Planner, "plan_talk", fails)
    games: list[GameSummary] = []
    options = TableOptions(5, "en", 3, 1, tmp_path / "records")
    asyncio.run(play_games(Config(), options, lambda _: None, games.append, Stop()))
    crashes = games[0].total("crashes")
    assert crashes >= 2
    told = [line for line in games[0].warnings if "our own code failed" in line]
    show_game(stdout(), games[0])
    shown = " ".join(capsys.readouterr().out.split())
    assert told
    assert all(line in shown for line in told)
    journals = "".join(path.read_text(encoding="utf-8") for path in Path(games[0].records).glob("*.jsonl"))
    assert journals.count("RuntimeError: planted") == crashes


@pytest.mark.parametrize(
    ("strategy", "told"), [(Broken, "KeyError"), (Lawless, "not legal"), (Absent, "returned None")]
)
def test_a_check_before_a_match_finds_what_fails(strategy: type[Strategy], told: str) -> None:
    """It lets the strategy decide for each role, and says what went wrong in which line."""
    results = check_strategy(Config(strategy=f"{__name__}:{strategy.__name__}"))
    assert all(result.level == "error" for result in results)
    assert any(told in result.message for result in results)
