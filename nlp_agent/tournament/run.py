"""The tournament itself: games are given out, their rows taken in, and what dies on the way is played again."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field, replace
from enum import StrEnum

from nlp_agent import __version__
from nlp_agent.errors import ConfigError, PackError, StudyError
from nlp_agent.tournament.contestant_files import PackedContestant
from nlp_agent.tournament.deals import Fixture, deals, fixtures_of, turns_of
from nlp_agent.tournament.limits import DECIDED, Costs
from nlp_agent.tournament.plan import Plan
from nlp_agent.tournament.rows import GameRow
from nlp_agent.tournament.standings import Standings
from nlp_agent.tournament.store import Store
from nlp_agent.tournament.workers import Executors, GameResult, Task, play_task

TRIES = 3
"""How often a game is begun when workers die or games fail."""
TASK_SECONDS = 0.5
"""Seconds of work that a task holds when games are quick: so many games go together."""
MOST_GAMES_A_TASK = 16
"""Games of a task at most: so many are lost when its worker dies."""
GIVE_UP_AFTER = 3
"""Games given up after which a tournament is, when they are more than those played."""
_TICK = 0.2
"""Seconds between two looks at what was asked from outside."""


class EndReason(StrEnum):
    """The reason why a tournament came to its end."""

    GAMES = "all games are played"
    NARROW = "the interval is narrow enough"
    DECIDED = "every difference is decided"
    BUDGET = "the budget is spent"
    FIRST = "the first deal is played"
    STOPPED = "stopped"


@dataclass
class StopRequest:
    """A request to end the tournament, set from outside (a signal, say): ``soon`` lets running games end, ``now`` does
    not.
    """

    soon: threading.Event = field(default_factory=threading.Event)
    now: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that could not be played, ``final`` after so many tries; ``why`` in a line."""

    game: str
    why: str
    final: bool


@dataclass
class RunWatcher:
    """The functions that are called as a tournament goes on: ``on_row`` for each finished game, ``on_failure`` for one
    that could not be played, ``on_first`` when the first deal of this run is over, ``on_tick`` now and then.
    """

    on_row: Callable[[GameRow], None] = lambda _: None
    on_failure: Callable[[Failure], None] = lambda _: None
    on_first: Callable[[], None] = lambda: None
    on_tick: Callable[[], None] = lambda: None


class Run:
    """A run of a tournament: it plays those games of ``plan`` that ``store`` does not have, by ``crew``. ``standings``
    and ``costs`` know all, old and new.

    With ``first_only`` only the first deal is played: a look at what the rest would cost.
    """

    def __init__(
        self,
        plan: Plan,
        store: Store,
        crew: Executors,
        baggage: Sequence[PackedContestant],
        watch: RunWatcher | None = None,
        *,
        first_only: bool = False,
    ) -> None:
        self.plan, self.failures = plan, list[Failure]()
        self.standings, self.costs = Standings(plan.names, plan.tables), Costs()
        turns = turns_of(plan.tables, len(plan.names))
        self.goal = None if plan.limits.games is None else -(-plan.limits.games // turns) * turns
        self._store, self._crew, self._watch, self.first_only = store, crew, watch or RunWatcher(), first_only
        self._baggage = {one.name: one for one in baggage}
        self._done: set[str] = set()
        self._tries: dict[str, int] = {}
        self._again: deque[Fixture] = deque()
        self._running: dict[Future[list[GameResult]], tuple[tuple[Fixture, ...], Executor]] = {}
        self._fatal: Exception | None = None
        for row in store.done():
            self._take(row)
        # Games that are there all count, even beyond those asked for: table and verdict are of the same ones.
        self.goal = None if self.goal is None else max(self.goal, self._begun() * turns)
        self._schedule = self._fixtures()
        # The standings get to know the deals that are done before anything is decided by them.
        self._ahead = next(self._schedule, None)
        self._first = self._first_deal() if not self._done else set[str]()

    def expected(self, costs: Costs | None = None) -> int:
        """The number of games there will be: those asked for, or as many as width or budget will take, by what is
        known.

        ``costs`` are those of this run unless there are none yet.
        """
        guesses = [] if self.goal is None else [self.goal]
        limits, costs = self.plan.limits, costs or self.costs
        if (needed := limits.deals_needed(self.standings.differences())) is not None:
            guesses.append(needed * turns_of(self.plan.tables, len(self.plan.names)))
        if limits.budget is not None and costs.money:
            guesses.append(int(limits.budget / (costs.money / costs.games)))
        return max(self.costs.games, min(guesses, default=0))

    def play(self, stop: StopRequest) -> EndReason:
        """Play until enough is played. Raises ConfigError or PackError when contestants cannot play, StudyError when
        nobody is left who could; what is finished by then is kept.
        """
        self._crew.check(list(self._baggage.values()), __version__)
        why: EndReason | None = None
        while not stop.now.is_set():
            why = why or self._give_out(stop)
            if not self._running:
                break
            self._collect()
            self._watch.on_tick()
        if self._fatal is not None:
            raise self._fatal
        return EndReason.STOPPED if stop.now.is_set() else why or EndReason.GAMES

    @property
    def _games_running(self) -> int:
        return sum(len(fixtures) for fixtures, _ in self._running.values())

    @property
    def fixed(self) -> bool:
        """Whether exactly as many games were played as were fixed before the first."""
        return self._store.fixed and self.goal == self.costs.games

    # --- what is to be played ----------------------------------------------------------------------------------------

    def _begun(self) -> int:
        """Deals up to the last one of which a game is there."""
        villages = list(self.plan.villages)
        names = (game.rsplit("-", 2) for game in self._done)
        return max((int(number) * len(villages) + villages.index(group) + 1 for group, number, _ in names), default=0)

    def _fixtures(self) -> Iterator[Fixture]:
        """Games that are not done yet, deal by deal; the standings are told the order of deals."""
        villages = {name: spec.village() for name, spec in self.plan.villages.items()}
        begun = 0
        for deal in deals(self.plan.seed, villages):
            if self.goal is not None and begun >= self.goal:
                return
            fixtures = fixtures_of(deal, self.plan.names, self.plan.tables)
            self.standings.expect(deal.name)
            begun += len(fixtures)
            yield from (fixture for fixture in fixtures if fixture.game not in self._done)

    def _first_deal(self) -> set[str]:
        """The games that are played before all others, so that it is known what the rest will cost."""
        if self._ahead is None:
            return set()
        return {fixture.game for fixture in fixtures_of(self._ahead.deal, self.plan.names, self.plan.tables)}

    def _enough(self, stop: StopRequest) -> EndReason | None:
        if stop.soon.is_set() or self._fatal is not None:
            return EndReason.STOPPED
        if self.plan.limits.enough(self.standings.differences()):
            return EndReason.DECIDED if self.plan.limits.until == DECIDED else EndReason.NARROW
        each = self.costs.money / max(1, self.costs.games)
        if self.plan.limits.spent(self.costs.money, self._games_running, each):
            return EndReason.BUDGET
        return EndReason.FIRST if self.first_only and self._first <= self._done else None

    # --- giving out --------------------------------------------------------------------------------------------------

    def _give_out(self, stop: StopRequest) -> EndReason | None:
        """Nobody is to wait for work, and nobody to have much of it in store when it is enough; why it is, if so."""
        window = self._crew.workers() + max(1, self._crew.workers() // 2)
        while (why := self._enough(stop)) is None and len(self._running) < window:
            if not (fixtures := self._next()):
                return None
            names = dict.fromkeys(name for fixture in fixtures for name in fixture.seats)
            baggage = tuple(self._baggage[name] for name in names)
            task, executor = Task(fixtures, self.plan.villages, baggage, self.plan.full), self._crew.executor
            self._running[executor.submit(play_task, task)] = fixtures, executor
        return why

    def _next(self) -> tuple[Fixture, ...]:
        """One game again that failed, else some in a row; nothing beyond the first deal before that is over."""
        if self._again:
            return (self._again.popleft(),)
        fixtures: list[Fixture] = []
        while self._ahead is not None and len(fixtures) < self._stretch():
            if self._ahead.game not in self._first and not self._first <= self._done:
                break
            fixtures.append(self._ahead)
            self._ahead = next(self._schedule, None)
        return tuple(fixtures)

    def _stretch(self) -> int:
        if not self.costs.games or not self.plan.free:
            return 1
        return min(MOST_GAMES_A_TASK, max(1, int(TASK_SECONDS * self.costs.games / max(1e-6, self.costs.seconds))))

    # --- taking in ---------------------------------------------------------------------------------------------------

    def _collect(self) -> None:
        done, _ = wait(self._running, timeout=_TICK, return_when=FIRST_COMPLETED)
        broken: list[Executor] = []
        for future in done:
            fixtures, executor = self._running.pop(future)
            try:
                results = future.result()
            except (ConfigError, PackError) as error:
                # What is wrong with a contestant is wrong in all games; those that run are still heard out.
                self._fatal = error
            except (Exception, CancelledError) as error:
                died = self._crew.died(error)
                broken += [executor] if died else []
                self._try_again(fixtures, "its worker died" if died else f"{type(error).__name__}: {error}")
            else:
                for result in results:
                    self._finish(result)
        for executor in broken:
            self._crew.renew(executor)

    def _finish(self, result: GameResult) -> None:
        """A game that was played twice, because its worker was thought dead, counts once."""
        row = result.row
        if row.game in self._done:
            return
        row = self._store.keep(replace(row, tries=self._tries.get(row.game, 0) + 1), result.unpacked())
        waiting = not self._first <= self._done
        self._take(row)
        self._watch.on_row(row)
        if waiting and self._first <= self._done:
            self._watch.on_first()

    def _take(self, row: GameRow) -> None:
        self._done.add(row.game)
        self.standings.take(row)
        self.costs.take(row)

    def _try_again(self, fixtures: Sequence[Fixture], why: str) -> None:
        for fixture in fixtures:
            self._tries[fixture.game] = tries = self._tries.get(fixture.game, 0) + 1
            failure = Failure(fixture.game, " ".join(why.split()), tries >= TRIES)
            self._watch.on_failure(failure)
            if not failure.final:
                self._again.append(fixture)
                continue
            self.failures.append(failure)
            self.standings.give_up(fixture.deal.name)
            self._first.discard(fixture.game)
        if len(self.failures) >= GIVE_UP_AFTER and len(self.failures) > len(self._done):
            self._fatal = StudyError(f"most games cannot be played: {self.failures[-1].why}")
