"""A crew in this process, for tests of what a tournament does with its workers."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from random import Random
from typing import Any

from nlp_agent.app.config import Config
from nlp_agent.game import role_spec
from nlp_agent.tournament.contestant_files import PackedContestant, pack_contestant
from nlp_agent.tournament.deals import Fixture
from nlp_agent.tournament.plan import Contestant, Plan, TournamentFile, make_plan
from nlp_agent.tournament.rows import GameRow, SeatRow
from nlp_agent.tournament.run import EndReason, Run, RunWatcher, StopRequest
from nlp_agent.tournament.store import Store
from nlp_agent.tournament.workers import GameResult, Processes, Task

CROWD = "nlp_agent.planning.examples.crowd:Crowd"
PLAIN_AND_CROWD = (Contestant("plain", Config()), Contestant("crowd", Config(strategy=CROWD)))


def made_up(task: Task, money: float) -> list[GameResult]:
    """Games that nobody played, at ``money`` a seat: whoever wins follows from the deal."""
    return [GameResult(_made_up(fixture, money), {"game.log": zlib.compress(b"log")}) for fixture in task.fixtures]


def _made_up(fixture: Fixture, money: float) -> GameRow:
    winner = Random(fixture.deal.seed).choice(("VILLAGER", "WEREWOLF"))
    seats = tuple(
        SeatRow(f"P{n}", f"{name}{n}", role, contestant=name, won=role_spec(role).side == winner, money=money)
        for n, (name, role) in enumerate(zip(fixture.seats, fixture.deal.roles, strict=True))
    )
    return GameRow(
        "g",
        winner,
        3,
        fixture.deal.seed,
        {},
        "en",
        seats,
        0.4,
        game=fixture.game,
        deal=fixture.deal.name,
        turn=fixture.turn,
        tables=fixture.tables.value,
    )


class Inline(Executor, Processes):
    """Makes games up at once, or plays them when ``real``; ``trouble`` is told each task and may raise in its stead.

    ``tasks`` are those that came.
    """

    def __init__(
        self, trouble: Callable[[Task], None] = lambda _: None, *, real: bool = False, money: float = 0.0
    ) -> None:
        self.tasks: list[Task] = []
        self.renewed = 0
        self._trouble, self._real, self.money = trouble, real, money

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.tasks.append(args[0])
        try:
            self._trouble(args[0])
            future.set_result(fn(*args, **kwargs) if self._real else made_up(args[0], self.money))
        except BaseException as error:
            future.set_exception(error)
        return future

    @property
    def executor(self) -> Executor:
        return self

    def workers(self) -> int:
        return 2

    def check(self, baggage: Sequence[PackedContestant], version: str) -> None: ...

    def died(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor)

    def renew(self, executor: Executor) -> None:
        self.renewed += 1

    def close(self, *, now: bool) -> None: ...


def plan_of(*contestants: Contestant, **told: Any) -> Plan:
    return make_plan(list(contestants or PLAIN_AND_CROWD), TournamentFile({}, **told))


def play(
    plan: Plan, folder: Path, crew: Inline | None = None, watch: RunWatcher | None = None
) -> tuple[Run, EndReason]:
    baggage = [pack_contestant(contestant) for contestant in plan.contestants]
    with Store(folder, plan, baggage) as store:
        run = Run(plan, store, crew or Inline(), baggage, watch)
        return run, run.play(StopRequest())
