"""A tournament on the screen: how it goes while it is played, and what came of it."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Any

import typer
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from nlp_agent.app.cli.check import tell
from nlp_agent.app.cli.checks import check_own_pack
from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import print_json, stderr, stdout
from nlp_agent.lab.tournament.contestant_files import pack
from nlp_agent.lab.tournament.executors import Executors, open_executors
from nlp_agent.lab.tournament.limits import Costs
from nlp_agent.lab.tournament.plan import Plan
from nlp_agent.lab.tournament.rows import GameRow
from nlp_agent.lab.tournament.run import EndReason, Failure, Run, RunWatcher, StopRequest
from nlp_agent.lab.tournament.store import Store
from nlp_agent.lab.tournament.telling import (
    SEATS,
    as_data,
    cost_line,
    difference_line,
    duration,
    judged_line,
    role_table,
    seat_table,
    spent,
    verdict_line,
)

EVERY = 10.0
"""Seconds between two lines about how it goes, where there is no terminal for a bar."""
HINT = "Finishing the running games; Ctrl-C again leaves now. The same command goes on later."


def play_tournament(
    plan: Plan, folder: Path, *, cluster: str = "", jobs: int = 1, first_only: bool = False
) -> tuple[Run, EndReason]:
    """Play ``plan`` into ``folder`` and show it; the run with its standings, and why it ended."""
    _check_packs(plan)
    baggage = [pack(contestant) for contestant in plan.contestants]
    stop, board, why = StopRequest.make(), Scoreboard(), EndReason.STOPPED
    with Store(folder, plan, baggage) as store, _signals(stop), _hired(cluster, jobs, stop) as crew:
        watch = RunWatcher(board.on_row, board.on_failure, board.on_first, board.on_tick)
        run = Run(plan, store, crew, baggage, watch, first_only=first_only)
        with board.showing(run, crew, store):
            why = run.play(stop)
    return run, why


def _check_packs(plan: Plan) -> None:
    """Whoever would only play its fallbacks is not let in: faults are told as ``play --pack`` tells them."""
    packs = dict.fromkeys(name for one in plan.contestants if not one.command for name in one.config.packs)
    sizes = {sum(spec.village().roles.values()) for spec in plan.villages.values()}
    found = [check_own_pack(name, size) for name in packs for size in sorted(sizes)]
    findings = dict.fromkeys(finding for part in found for finding in part)
    if sum([tell(finding, stderr()) for finding in findings]):
        raise typer.Exit(1)


@contextmanager
def _hired(cluster: str, jobs: int, stop: StopRequest) -> Iterator[Executors]:
    crew = open_executors(cluster, jobs)
    finished = False
    try:
        yield crew
        finished = not stop.now.is_set()
    finally:
        crew.close(now=not finished)


@contextmanager
def _signals(stop: StopRequest) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM lets running games end, the second does not."""

    def asked(number: int, frame: object) -> None:
        if stop.soon.is_set():
            stop.now.set()
            return
        stop.soon.set()
        stderr().print(HINT)

    before = {number: signal.signal(number, asked) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Scoreboard:
    """Progress: a bar on a terminal, a line now and then elsewhere; all on standard error."""

    def __init__(self) -> None:
        self._err = stderr()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._told = self._began = time.monotonic()
        self._played = 0

    @contextmanager
    def showing(self, run: Run, crew: Executors, store: Store) -> Iterator[None]:
        self._run, self._crew = run, crew
        if run.costs.games:
            self._tell_cost(f"{run.costs.games} games are there.", run.costs)
        elif not run.plan.free and (before := store.like_these()).games:
            self._tell_cost(f"By {before.games} games of such contestants played before:", before)
        if not self._err.is_terminal:
            yield
            return
        columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TextColumn("{task.fields[line]}"))
        with Progress(*columns, console=self._err, transient=True, refresh_per_second=4) as self._bar:
            self._task = self._bar.add_task("Games", total=run.goal, completed=run.costs.games, line="starting workers")
            yield
        self._bar = None

    def on_row(self, row: GameRow) -> None:
        self._played += 1

    def on_first(self) -> None:
        self._tell_cost("After the first deal:", self._run.costs)

    def _tell_cost(self, when: str, costs: Costs) -> None:
        left, workers = self._run.expected(costs) - self._run.costs.games, self._crew.workers()
        if left > 0:
            self._err.tell(f"{when} {cost_line(costs.project(left, workers), workers)}")

    def on_failure(self, failure: Failure) -> None:
        again = "given up" if failure.final else "it is played again"
        self._err.tell(f"{failure.game}: {failure.why}; {again}")

    def on_tick(self, running: int) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._run.costs.games, total=self._run.expected(), line=self.line())
        elif self._played and time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            self._err.tell(self.line())

    def line(self) -> str:
        """Where it stands: count, rate, time left, tokens, money, and the difference that is open the longest."""
        run, took = self._run, time.monotonic() - self._began
        total, rate = self._run.expected(), self._played / took if took else 0.0
        told = [f"{run.costs.games}/{total} games", f"{rate:.1f}/s" if rate >= 0.1 else f"{60 * rate:.1f}/min"]
        if rate:
            told.append(f"{duration((total - run.costs.games) / rate)} left")
        told.append(spent(run.costs.tokens, run.costs.money, not run.costs.unpriced))
        widest = max(run.standings.differences(), key=lambda one: one.half, default=None)
        told.append(difference_line(widest) if widest else "")
        return ", ".join(filter(None, told))


def show_result(run: Run, why: EndReason, folder: Path, *, json: bool, judged: Mapping[str, Any] | None = None) -> None:
    """The figures: a JSON object, or tables and a sentence for each pair; with what judges found, as their summary has
    it, the sentence tells that too.
    """
    differences = run.standings.differences()
    if json:
        data = {"ended": why.value, "folder": str(folder), "failed": [one.game for one in run.failures]}
        data |= as_data(run.standings, differences) | ({"judged": judged} if judged else {})
        print_json(data)
        return
    out = stdout()
    plain_table(out, SEATS, seat_table(run.standings))
    out.print()
    plain_table(out, *role_table(run.standings))
    out.print()
    for one in differences:
        judged_too = judged and judged_line(one, run.standings, judged)
        out.tell(judged_too or verdict_line(one, run.plan.tables))
    out.print()
    games = f"{run.standings.games} games, {run.standings.village_wins} won by the village"
    out.tell(f"{games}; {why.value}. Rows and records: {folder}")
    if run.standings.games:
        out.tell(f"The games to look at: nlp-agent report {quote(str(folder))}")
    if run.failures:
        out.tell(f"{len(run.failures)} games could not be played; the same command tries them again.")
