"""A tournament from its first game to its last: each deal once, whatever dies, and the same from the same seed."""

from __future__ import annotations

import errno
from collections import Counter
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from nlp_agent.app.config import Config
from nlp_agent.errors import ConfigError, StudyError
from nlp_agent.tournament.contestant_files import pack_contestant
from nlp_agent.tournament.plan import Contestant, Plan
from nlp_agent.tournament.rows import ROWS_FILE, read_rows
from nlp_agent.tournament.run import TRIES, EndReason, Failure, Run, RunWatcher, StopRequest
from nlp_agent.tournament.store import Store
from nlp_agent.tournament.workers import Task
from tests.tournament.inline import PLAIN_AND_CROWD, Inline, plan_of, play


def _games(folder: Path) -> Counter[str]:
    return Counter(row.game for row in read_rows(folder))


def _outcomes(folder: Path) -> list[tuple[object, ...]]:
    """What does not depend on who played when."""
    rows = sorted(read_rows(folder), key=lambda row: row.game)
    return [
        (row.game, row.seed, row.winner, row.days, [(s.contestant, s.role, s.votes) for s in row.seats]) for row in rows
    ]


def test_each_game_leaves_row_and_folder(tmp_path: Path) -> None:
    """All games are played, and each leaves a row and a folder.

    Whole deals, even where an odd number of games was asked for.
    """
    run, why = play(plan_of(games=3), tmp_path, Inline(real=True))
    assert (why, run.standings.games) == (EndReason.GAMES, 4)
    assert set(_games(tmp_path).values()) == {1}
    for row in read_rows(tmp_path):
        assert (tmp_path / row.records / "game.log").read_text(encoding="utf-8").count(",status,") >= 10
        assert {seat.contestant for seat in row.seats} == {"plain", "crowd"}
        assert sum(len(seat.votes) for seat in row.seats) > 0
        assert all(seat.timeout_ms == 60_000 and seat.max_ms >= seat.p90_ms >= seat.p50_ms > 0 for seat in row.seats)


def test_the_same_command_goes_on_where_it_was(tmp_path: Path) -> None:
    """Nothing is played twice; more games may be asked for; the end is that of a run in one piece."""
    play(plan_of(games=2), tmp_path / "bits")
    crew = Inline()
    run, _ = play(plan_of(games=6), tmp_path / "bits", crew)
    assert sum(len(task.fixtures) for task in crew.tasks) == 4
    whole, _ = play(plan_of(games=6), tmp_path / "whole")
    assert _outcomes(tmp_path / "bits") == _outcomes(tmp_path / "whole")
    assert run.standings.differences() == whole.standings.differences()
    nothing = Inline()
    again, why = play(plan_of(games=6), tmp_path / "bits", nothing)
    assert (why, nothing.tasks) == (EndReason.GAMES, [])
    assert again.standings.differences() == whole.standings.differences()


def test_a_crash_between_records_and_row_costs_nothing(tmp_path: Path) -> None:
    """A row that was torn, and the folder of a game without one, make way for the game played again."""
    play(plan_of(games=2), tmp_path)
    whole = _outcomes(tmp_path)
    torn = list(read_rows(tmp_path))[-1].game
    rows = (tmp_path / ROWS_FILE).read_bytes()
    (tmp_path / ROWS_FILE).write_bytes(rows[:-100])
    (tmp_path / "games" / f".{torn}.part").mkdir()
    play(plan_of(games=2), tmp_path)
    assert _outcomes(tmp_path) == whole
    assert sorted(path.name for path in (tmp_path / "games").iterdir()) == ["village-00000-0", "village-00000-1"]


def test_dying_worker_costs_a_second_try(tmp_path: Path) -> None:
    """A worker that dies costs its game a second try.

    The row says so; no deal is missing and none is there twice.
    """
    deaths: list[str] = []

    def die_once(task: Task) -> None:
        if len(deaths) < 2:
            deaths.append(task.fixtures[0].game)
            raise BrokenExecutor("killed")

    crew, told = Inline(die_once), list[Failure]()
    run, why = play(plan_of(games=4), tmp_path, crew, RunWatcher(on_failure=told.append))
    assert why is EndReason.GAMES
    assert set(_games(tmp_path).values()) == {1}
    assert run.standings.games == 4
    assert crew.renewed == 2
    assert {row.game for row in read_rows(tmp_path) if row.tries == 2} == set(deaths)
    assert [one.final for one in told] == [False, False]


def test_always_failing_game_is_given_up(tmp_path: Path) -> None:
    """A game that always fails is given up, and its deal counts for nothing.

    The others go on; the next command tries it again.
    """

    def refuse(task: Task) -> None:
        if any(fixture.game == "village-00000-1" for fixture in task.fixtures):
            raise RuntimeError("the table fell over")

    crew = Inline(refuse)
    run, why = play(plan_of(games=6), tmp_path, crew)
    assert (why, [one.game for one in run.failures]) == (EndReason.GAMES, ["village-00000-1"])
    assert sum(fixture.game == "village-00000-1" for task in crew.tasks for fixture in task.fixtures) == TRIES
    assert run.standings.differences()[0].deals == 2
    again, _ = play(plan_of(games=6), tmp_path)
    assert again.standings.differences()[0].deals == 3


def test_unplayable_tournament_ends_with_an_explanation(tmp_path: Path) -> None:
    """What can never be played is told, and not tried for ever.

    A contestant that cannot play ends it at once; so does a table at which every game fails.
    """

    def misconfigured(_: Task) -> None:
        raise ConfigError("no such pack")

    def fails(_: Task) -> None:
        raise RuntimeError("no socket is free")

    with pytest.raises(ConfigError, match="no such pack"):
        play(plan_of(games=20), tmp_path / "a", Inline(misconfigured))
    with pytest.raises(StudyError, match="no socket is free"):
        play(plan_of(until=0.03), tmp_path / "b", Inline(fails))


def test_a_folder_is_of_one_tournament(tmp_path: Path) -> None:
    """Other contestants, villages or seeds are not mixed with the games that are there; more games are welcome."""
    play(plan_of(games=2), tmp_path)
    with pytest.raises(ConfigError, match=r"other seed.*--out"):
        play(plan_of(games=2, seed=2), tmp_path)
    plain = PLAIN_AND_CROWD[0]
    with pytest.raises(ConfigError, match=r"other contestants \(crowd\)"):
        play(plan_of(plain, Contestant("crowd", Config())), tmp_path)


def test_equal_contestants_never_differ_in_deals(tmp_path: Path) -> None:
    """Contestants that play alike are no different in any deal.

    What a seat leaves to chance goes with the seat and the deal: a difference comes from the contestants alone.
    """
    twins = plan_of(Contestant("a", Config()), Contestant("b", Config()), games=4)
    run, _ = play(twins, tmp_path, Inline(real=True))
    (one,) = run.standings.differences()
    assert (one.deals, one.mean, one.decided) == (2, 0.0, False)


def test_it_ends_when_the_interval_is_narrow(tmp_path: Path) -> None:
    """Twins are known to be alike within 10 points after some 60 deals, and the same deals every time."""
    twins = plan_of(Contestant("a", Config()), Contestant("b", Config()), until=0.10)
    run, why = play(twins, tmp_path)
    assert why is EndReason.NARROW
    (one,) = run.standings.differences()
    assert one.half <= 0.10
    assert 40 <= one.deals <= 80


PRICED = {"base_url": "http://127.0.0.1:1/v1", "model": "m", "prices": {"input": 1, "output": 1}}


def _mini(name: str, **llm: object) -> Contestant:
    return Contestant(name, Config.model_validate({"llm": PRICED | llm}))


def test_the_budget_is_never_overdrawn(tmp_path: Path) -> None:
    """Games that run are paid for before another begins; what the first deal costs tells what the rest will."""
    told: list[float] = []
    crew = Inline(money=0.01)
    plan = plan_of(_mini("a"), _mini("b"), budget=1.02)
    run, why = play(plan, tmp_path, crew, RunWatcher(on_first=lambda: told.append(crew.money)))
    assert why is EndReason.BUDGET
    assert 0.9 <= run.costs.money <= 1.02
    assert len(told) == 1
    assert run.expected() == pytest.approx(20, abs=1)
    again, why = play(plan, tmp_path, nothing := Inline(money=0.01))
    assert (why, nothing.tasks) == (EndReason.BUDGET, [])
    assert again.costs.money == pytest.approx(run.costs.money)


def test_budget_needs_prices_and_a_spender() -> None:
    """A budget needs prices and something to spend it on, which is told before anything is played."""
    with pytest.raises(ConfigError, match=r"nobody knows what b would spend: set llm\.prices"):
        plan_of(_mini("a"), _mini("b", prices=None), budget=1.0)
    with pytest.raises(ConfigError, match="never spent without a model"):
        plan_of(budget=1.0)


def test_cost_is_estimated_from_same_models(tmp_path: Path) -> None:
    """What a tournament will cost is known from games of the same models.

    Of a tournament beside it, with other prompts too; games in other villages or with other models tell nothing.
    """
    play(plan_of(_mini("a"), _mini("b"), games=4), tmp_path / "before", Inline(money=0.01))
    other = plan_of(_mini("a"), Contestant("c", Config.model_validate({"llm": PRICED, "language": "ja"})), games=4)
    for plan, games in ((other, 4), (plan_of(_mini("a", model="n"), _mini("b")), 0), (plan_of(), 0)):
        baggage = [pack_contestant(contestant) for contestant in plan.contestants]
        with Store(tmp_path / f"new{games}", plan, baggage) as store:
            costs = store.like_these()
        assert costs.games == games
        assert costs.money == pytest.approx(0.05 * games)


def test_a_dry_run_is_the_first_deal_alone(tmp_path: Path) -> None:
    """The rest is played by the next command."""
    plan = plan_of(games=8)
    baggage = [pack_contestant(contestant) for contestant in plan.contestants]
    with Store(tmp_path, plan, baggage) as store:
        run = Run(plan, store, Inline(), baggage, first_only=True)
        assert run.play(StopRequest()) is EndReason.FIRST
    assert sorted(_games(tmp_path)) == ["village-00000-0", "village-00000-1"]
    assert play(plan, tmp_path)[0].standings.games == 8


def test_stop_lets_only_running_games_end(tmp_path: Path) -> None:
    """A stop lets running games end and begins no other.

    As Ctrl-C asks for; nothing that was played is lost.
    """
    plan, stop = plan_of(games=8), StopRequest()
    baggage = [pack_contestant(contestant) for contestant in plan.contestants]
    with Store(tmp_path, plan, baggage) as store:
        run = Run(plan, store, Inline(), baggage, RunWatcher(on_row=lambda _: stop.soon.set()))
        assert run.play(stop) is EndReason.STOPPED
    assert 0 < len(_games(tmp_path)) < 8
    assert play(plan, tmp_path)[0].standings.games == 8


def test_asking_for_fewer_keeps_all_games(tmp_path: Path) -> None:
    """A number of games that is smaller than what was played leaves all games in.

    Table and verdict are of the same games: nobody gets to pick how many after having seen them.
    """
    play(plan_of(games=12), tmp_path)
    run, why = play(plan_of(games=4), tmp_path, nothing := Inline())
    assert (why, nothing.tasks) == (EndReason.GAMES, [])
    assert run.standings.games == 12
    assert run.standings.differences()[0].deals == 6


def test_only_first_command_fixes_game_count(tmp_path: Path) -> None:
    """A number of games is fixed only by the first command.

    The same command again leaves it so, another number does not, and then it is never fixed again.
    """
    assert play(plan_of(games=4), tmp_path)[0].fixed
    assert play(plan_of(games=4), tmp_path)[0].fixed
    assert not play(plan_of(games=8), tmp_path)[0].fixed
    assert not play(plan_of(games=8), tmp_path)[0].fixed
    assert not play(plan_of(games=8, until="decided"), tmp_path / "open")[0].fixed


def test_dry_run_fixes_no_game_count(tmp_path: Path) -> None:
    """A dry run before the first command fixes no number of games.

    It only tells what the rest would cost: the first command after it fixes the number, as in a new folder.
    """
    _dry_run(plan_of(games=200), tmp_path)
    _dry_run(plan_of(games=4), tmp_path)
    assert play(plan_of(games=4), tmp_path)[0].fixed
    _dry_run(plan_of(games=8), tmp_path)
    assert play(plan_of(games=4), tmp_path)[0].fixed
    assert not play(plan_of(games=8), tmp_path)[0].fixed


def _dry_run(plan: Plan, folder: Path) -> None:
    baggage = [pack_contestant(contestant) for contestant in plan.contestants]
    with Store(folder, plan, baggage, dry_run=True) as store:
        Run(plan, store, Inline(), baggage, first_only=True).play(StopRequest())


def test_it_ends_when_every_difference_is_decided(tmp_path: Path) -> None:
    """Or known to be none that matters."""
    run, why = play(plan_of(until="decided", margin=0.3), tmp_path)
    assert why is EndReason.DECIDED
    assert all(one.decided or one.negligible(0.3) for one in run.standings.differences())


def test_full_disk_is_reported_without_losses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is told in a sentence and loses nothing.

    What was played before it is there for the same command.
    """
    written = Path.write_bytes

    def fills_up(path: Path, data: bytes) -> int:
        if ".village-00001-1.part" in str(path):
            raise OSError(errno.ENOSPC, "No space left on device")
        return written(path, data)

    monkeypatch.setattr(Path, "write_bytes", fills_up)
    with pytest.raises(StudyError, match=r"cannot write to .*; the same command goes on .*: No space left on device"):
        play(plan_of(games=8), tmp_path)
    monkeypatch.undo()
    run, _ = play(plan_of(games=8), tmp_path)
    assert run.standings.games == 8
    assert set(_games(tmp_path).values()) == {1}
