"""A tournament on the screen: first its sentences and tables, then how it goes while it is played, and what came
of it.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Any

import typer
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from nlp_agent.app.cli.check import print_finding
from nlp_agent.app.cli.checks import check_own_pack
from nlp_agent.app.cli.results import plain_table
from nlp_agent.app.cli.screen import print_json, stderr, stdout
from nlp_agent.app.cli.terminal_language import role_name, say
from nlp_agent.game import Side, role_spec
from nlp_agent.study.statistics import NOTHING, Figure
from nlp_agent.tournament.contestant_files import pack_contestant
from nlp_agent.tournament.deals import Tables, turns_of
from nlp_agent.tournament.limits import Costs, Projection, RecentRate
from nlp_agent.tournament.plan import Plan
from nlp_agent.tournament.rows import GameRow
from nlp_agent.tournament.run import EndReason, Failure, Run, RunWatcher, StopRequest
from nlp_agent.tournament.standings import (
    ALL_GAMES,
    TARGET_HALF_WIDTH,
    ContestantTally,
    Difference,
    Standings,
    WinKey,
    deals_to_tell,
    elo,
    points,
)
from nlp_agent.tournament.store import Store
from nlp_agent.tournament.unused import nothing_to_tell, unused_differences
from nlp_agent.tournament.workers import Executors, open_executors

# --- What there is to say of a tournament, in lines for people -------------------------------------------------------


FEW_DEALS = 3
"""Deals below which nothing is said about who is the better one: even equals win all of them often enough."""


def difference_line(one: Difference, margin: float | None = None) -> str:
    """Say a difference in short, for beside a bar; with a ``margin`` it is said that a difference is no larger."""
    if not one.deals:
        return say("no_whole_deal", first=one.first, second=one.second)
    ends = f"{say('in_points', points=points(one.mean))} ({_range(one.low, one.high)})"
    return f"{one.first} - {one.second} {ends}{say('comma')}{_state(one, margin, 'is_ahead')}"


def _range(low: float, high: float) -> str:
    return say("range", low=points(low), high=points(high))


def _state(one: Difference, margin: float | None, better: str) -> str:
    if one.decided:
        return say(better, name=one.better)
    if margin is not None and one.negligible(margin):
        return say("no_matter", points=points(margin, ".1f"))
    return say("undecided_so_far")


def verdict_line(one: Difference, tables: Tables, *, margin: float | None = None, fixed: bool = False) -> str:
    """A sentence of its own, with all that it rests on.

    ``fixed``: the number of deals was fixed before the first, so the narrower interval for that may be told too.
    """
    rests = say("paired_deals", count=one.deals) + (say("equal_deals", count=one.equal) if one.equal else "")
    figures = say("any_look", range=_range(one.low, one.high))
    if fixed:
        figures += say("fixed_before", range=_range(*one.fixed))
    return say(
        "verdict",
        first=one.first,
        second=one.second,
        state=_state(one, margin, "is_better"),
        points=points(one.mean),
        score=say(f"score_{tables.value}"),
        figures=figures,
        deals=rests,
        elo=_chances_line(one, margin),
    )


def _chances_line(one: Difference, margin: float | None) -> str:
    """What a difference means in chess; of one that is still open, how many deals would tell it."""
    if one.deals < FEW_DEALS:
        return say("few_deals")
    known = one.decided or (margin is not None and one.negligible(margin))
    if known or one.all_equal or one.half <= TARGET_HALF_WIDTH:
        return _elo_line(one)
    return say("deals_to_tell", count=f"{deals_to_tell(one):,}", points=f"{100 * TARGET_HALF_WIDTH:.0f}")


def _elo_line(one: Difference) -> str:
    ends = say("range", low=f"{elo(one.low):+.0f}", high=f"{elo(one.high):+.0f}")
    likelier, chance = (one.first, one.chance) if one.chance >= 0.5 else (one.second, 1 - one.chance)
    return say("elo", mean=f"{elo(one.mean):+.0f}", range=ends, name=likelier, chance=f"{100 * chance:.0f}")


def compared_line(won: Difference, summary: Mapping[str, Any], costs: Mapping[str, float | None]) -> str:
    """Say which of two contestants wins more, which judges rank higher, and what each costs.

    ``summary`` is what ``nlp-agent judge`` writes into ``summary.json``; ``costs``: contestant -> money for a seat over
    a game, None when nobody said.
    """
    ranked = say("semicolon").join(ranked_higher(summary, won.first, won.second)) or say("nobody_ranked")
    return say("semicolon").join((_wins_line(won), ranked, _seat_costs(costs, won.first, won.second)))


def _wins_line(won: Difference) -> str:
    sign = -1 if won.better == won.second else 1
    low, high = sorted((sign * won.low, sign * won.high))
    figures = say("of_100_games", points=points(sign * won.mean), range=_range(low, high), deals=won.deals)
    key, name = ("wins_more", won.better) if won.decided else ("wins_undecided", won.first)
    return say(key, name=name, figures=figures)


def ranked_higher(summary: Mapping[str, Any], first: str, second: str) -> list[str]:
    """A sentence for each judge: whom of the two it ranks higher, over games in which both sat."""
    return [_ranked_line(row) for row in summary.get("pairs", ()) if {row["first"], row["second"]} == {first, second}]


def _ranked_line(row: Mapping[str, Any]) -> str:
    """A place is a share of the way from best to last: whoever has the smaller one is ranked higher."""
    sign = 1 if row["value"] > 0 else -1
    ahead, behind = (row["second"], row["first"]) if sign > 0 else (row["first"], row["second"])
    told = {"judge": row["judge"], "name": ahead, "by": say("of_the_way", share=f"{abs(row['value']):.2f}")}
    if row["low"] is None:
        return say("ranks_few", **told)
    low, high = sorted((sign * row["low"], sign * row["high"]))
    if low <= 0:
        return say(
            "ranks_neither", **told, range=say("range", low=f"{low:+.2f}", high=f"{high:+.2f}"), games=row["games"]
        )
    ends = say("range", low=f"{low:.2f}", high=f"{high:.2f}")
    return say("ranks_higher", **told, other=behind, range=ends, games=row["games"])


def _seat_costs(costs: Mapping[str, float | None], first: str, second: str) -> str:
    costs_of = [(name, costs.get(name)) for name in (first, second)]
    if any(money is None for _, money in costs_of):
        return say("costs_unknown")
    return say("seat_costs", costs=say("comma").join(f"{name} {money:.3g}" for name, money in costs_of))


def cost_line(ahead: Projection, workers: int) -> str:
    """Say what the games of ``ahead`` will take in time, tokens and money."""
    on = say("worker_one" if workers == 1 else "worker_many", count=workers)
    parts = [say("more_games", count=ahead.games, time=format_duration(ahead.seconds), workers=on)]
    if ahead.tokens:
        cached = format_percent(ahead.cached, ahead.tokens)
        parts.append(say("tokens_ahead", count=format_count(ahead.tokens), cached=cached))
        cost = f"{ahead.money:.2f} ({say('range', low=f'{ahead.low:.2f}', high=f'{ahead.high:.2f}')})"
        parts.append(cost if ahead.priced else say("money_unknown"))
    return say("comma").join(parts)


def spending_line(tokens: int, money: float, priced: bool) -> str:
    """Say in a few words what was spent; ``""`` when nothing was."""
    if not tokens:
        return ""
    return say("tokens_spent", count=format_count(tokens), money=f"{money:.2f}" if priced else say("no_prices"))


def format_count(number: float) -> str:
    """A count as people read it: 950, 12.3 k, 4.5 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.0f}"


def format_duration(seconds: float) -> str:
    """A time as people read it: 12 s, 3 min, 4.2 h, 2.5 days."""
    if seconds < 90:
        return say("time_seconds", count=f"{seconds:.0f}")
    if seconds < 5400:
        return say("time_minutes", count=f"{seconds / 60:.0f}")
    if seconds < 172_800:
        return say("time_hours", count=f"{seconds / 3600:.1f}")
    return say("time_days", count=f"{seconds / 86_400:.1f}")


def format_percent(part: float, whole: float) -> str:
    """The share of ``part`` in ``whole`` as people read it: ``12.5 %``; ``-`` where ``whole`` is 0."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


# --- tables ----------------------------------------------------------------------------------------------------------

SEAT_COLUMNS = (
    "Contestant",
    "Games",
    "Won",
    "95 % interval",
    "Village",
    "Wolves",
    "Fallbacks",
    "Faults",
    "Tokens",
    "Money",
)


def seat_table(standings: Standings) -> list[tuple[str, ...]]:
    """A row a contestant, under :data:`SEAT_COLUMNS`."""
    rates = standings.rates()
    return [_seat_cells(name, tally, rates) for name, tally in standings.tallies.items()]


def _seat_cells(name: str, tally: ContestantTally, rates: Mapping[WinKey, Figure]) -> tuple[str, ...]:
    tokens = tally.prompt_tokens + tally.completion_tokens
    won = rates.get((name, ALL_GAMES), NOTHING)
    money = "" if not tokens else "?" if tally.unpriced else f"{tally.money:.2f}"
    return (
        name,
        str(won.count),
        _rate(won),
        f"{100 * won.low:.1f} - {100 * won.high:.1f}" if won.low is not None and won.high is not None else "-",
        *(_rate(rates.get((name, f"side {side}"), NOTHING)) for side in Side),
        format_percent(tally.fallbacks, tally.replies),
        str(tally.faults),
        say("not_known") if tally.unknown else format_count(tokens) if tokens else "0",
        say("not_known") if tally.unknown else money,
    )


def _rate(won: Figure) -> str:
    return "-" if won.value is None else f"{100 * won.value:.1f} %"


def role_table(standings: Standings) -> list[tuple[str, ...]]:
    """The rows of a table that says how often each contestant won in each role, with the interval."""
    rates = standings.rates()
    known = {role for tally in standings.tallies.values() for role in tally.roles}
    roles = sorted(known, key=lambda role: (role_spec(role).side.value, role))
    rows = []
    for role in roles:
        cells = [role_name(role)]
        for name in standings.tallies:
            won = rates.get((name, f"role {role}"), NOTHING)
            cells.append(f"{_rate(won)} ({100 * (won.low or 0):.0f}-{100 * (1 if won.high is None else won.high):.0f})")
        rows.append(tuple(cells))
    return rows


def as_data(
    standings: Standings, differences: Sequence[Difference], *, margin: float | None = None, fixed: bool = False
) -> dict[str, Any]:
    """The figures of a tournament as plain data, for programs; ``margin`` and ``fixed`` as for :func:`verdict_line`."""
    rates = standings.rates()
    return {
        "games": standings.games,
        "village_wins": standings.village_wins,
        "without_winner": standings.undecided,
        "contestants": {name: _tally_data(name, tally, rates) for name, tally in standings.tallies.items()},
        "differences": [
            {
                "first": one.first,
                "second": one.second,
                "deals": one.deals,
                "equal_deals": one.equal,
                "difference": round(one.mean, 5),
                "low": round(one.low, 5),
                "high": round(one.high, 5),
                "fixed": [round(end, 5) for end in one.fixed] if fixed else None,
                "decided": one.decided,
                "negligible": margin is not None and one.negligible(margin),
                "better": one.better,
                "elo": [round(elo(end), 1) for end in (one.mean, one.low, one.high)],
                "chance": round(one.chance, 4),
            }
            for one in differences
        ],
    }


def _tally_data(name: str, tally: ContestantTally, rates: Mapping[WinKey, Figure]) -> dict[str, Any]:
    return {
        "games": tally.games,
        "seats": tally.seats.games,
        "won": _won_data(rates.get((name, ALL_GAMES), NOTHING)),
        "sides": {side.value: _won_data(rates.get((name, f"side {side}"), NOTHING)) for side in Side},
        "roles": {role: _won_data(rates.get((name, f"role {role}"), NOTHING)) for role in sorted(tally.roles)},
        "replies": tally.replies,
        "fallbacks": tally.fallbacks,
        "faults": tally.faults,
        "prompt_tokens": None if tally.unknown else tally.prompt_tokens,
        "cached_tokens": None if tally.unknown else tally.cached_tokens,
        "completion_tokens": None if tally.unknown else tally.completion_tokens,
        "money": None if tally.unpriced else round(tally.money, 6),
    }


def _won_data(won: Figure) -> dict[str, Any]:
    """``games``: finished ones it sat in so; ``deals``: what the interval counts."""
    ends = {"rate": won.value, "low": won.low, "high": won.high}
    rounded = {name: None if end is None else round(end, 4) for name, end in ends.items()}
    return {"games": won.count, "deals": won.games, **rounded}


# --- A tournament on the screen --------------------------------------------------------------------------------------


SECONDS_BETWEEN_LINES = 10.0
"""Seconds between two lines about how it goes, where there is no terminal for a bar."""


def play_tournament(
    plan: Plan, folder: Path, *, cluster: str = "", jobs: int = 1, first_only: bool = False
) -> tuple[Run, EndReason]:
    """Play ``plan`` into ``folder`` and show it; the run with its standings, and why it ended."""
    _check_packs(plan)
    for sentence in unused_differences(plan):
        stderr().tell(sentence)
    if first_only and nothing_to_tell(plan):
        stderr().tell(say("nothing_to_try"))
        raise typer.Exit
    baggage = [pack_contestant(contestant) for contestant in plan.contestants]
    stop, board, why = StopRequest(), Scoreboard(), EndReason.STOPPED
    with (
        Store(folder, plan, baggage, dry_run=first_only) as store,
        _signals(stop),
        _opened_executors(cluster, jobs, stop) as crew,
    ):
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
    if sum([print_finding(finding, stderr()) for finding in findings]):
        raise typer.Exit(1)


@contextmanager
def _opened_executors(cluster: str, jobs: int, stop: StopRequest) -> Iterator[Executors]:
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
        stderr().print(say("finishing_tournament"))

    before = {number: signal.signal(number, asked) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Scoreboard:
    """The progress of a running tournament on standard error: a bar on a terminal, a line now and then elsewhere."""

    def __init__(self) -> None:
        self._err = stderr()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._told = time.monotonic()
        self._rate, self._played = RecentRate(self._told), 0

    @contextmanager
    def showing(self, run: Run, crew: Executors, store: Store) -> Iterator[None]:
        """Show the progress of ``run`` for as long as this context lasts, and first tell what there is and what it may
        cost.
        """
        self._run, self._crew = run, crew
        if (
            (asked := run.plan.limits.games)
            and run.goal
            and run.goal - turns_of(run.plan.tables, len(run.plan.names)) >= asked
        ):
            self._err.tell(say("more_games_there", asked=asked, count=run.costs.games))
        if run.costs.games:
            self._tell_cost(say("games_there", count=run.costs.games), run.costs)
        elif not run.plan.free and (before := store.like_these()).games:
            self._tell_cost(say("by_games_before", count=before.games), before)
        if not self._err.is_terminal:
            yield
            return
        columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TextColumn("{task.fields[line]}"))
        with Progress(*columns, console=self._err, transient=True, refresh_per_second=4) as self._bar:
            self._task = self._bar.add_task(
                say("Games"), total=run.goal, completed=run.costs.games, line=say("starting_workers")
            )
            yield
        self._bar = None

    def on_row(self, row: GameRow) -> None:
        """Count one more finished game, for the rate."""
        self._played += 1
        self._rate.finish(time.monotonic())

    def on_first(self) -> None:
        """Tell what the games will cost, now that the first deal is over."""
        self._tell_cost(say("after_first_deal"), self._run.costs)

    def _tell_cost(self, when: str, costs: Costs) -> None:
        left, workers = self._run.expected(costs) - self._run.costs.games, self._crew.workers()
        if left > 0:
            self._err.tell(f"{when}{cost_line(costs.project(left, workers), workers)}")

    def on_failure(self, failure: Failure) -> None:
        """Tell which game failed and why, and whether it is played again."""
        again = say("given_up" if failure.final else "played_again")
        self._err.tell(f"{failure.game}: {failure.why}; {again}")

    def on_tick(self) -> None:
        """Bring the bar up to date, or print a line when the last one is long enough ago."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._run.costs.games, total=self._run.expected(), line=self.line())
        elif self._played and time.monotonic() - self._told >= SECONDS_BETWEEN_LINES:
            self._told = time.monotonic()
            self._err.tell(self.line())

    def line(self) -> str:
        """Say how the tournament stands: count, rate, time left, tokens, money, and the difference that is open the
        longest.
        """
        run, rate = self._run, self._rate.per_second(time.monotonic())
        if run.first_only:  # what is left after it is told once it is known, and it says nothing of who is better
            return say("games_of", count=run.costs.games, total=turns_of(run.plan.tables, len(run.plan.names)))
        total = run.expected()
        parts = [say("games_of", count=run.costs.games, total=total)]
        unit, count = ("second", rate) if rate >= 0.1 else ("minute", 60 * rate)
        parts.append(say(f"rate_{unit}", count=f"{count:.1f}"))
        if rate:
            parts.append(say("time_left", time=format_duration((total - run.costs.games) / rate)))
        parts.append(spending_line(run.costs.tokens, run.costs.money, not run.costs.unpriced))
        widest = max(run.standings.differences(), key=lambda one: one.half, default=None)
        parts.append(difference_line(widest, run.plan.limits.told_margin) if widest else "")
        return say("comma").join(filter(None, parts))


def show_result(run: Run, why: EndReason, folder: Path, *, json: bool, judged: Mapping[str, Any] | None = None) -> None:
    """Print the figures of a tournament that has ended: a JSON object, or tables and a sentence for each pair; with
    what judges found, as their summary has it, the sentence tells that too.
    """
    differences, margin = run.standings.differences(), run.plan.limits.told_margin
    fixed = run.fixed and why is EndReason.GAMES
    if json:
        data = {"ended": why.value, "folder": str(folder), "failed": [one.game for one in run.failures]}
        data |= as_data(run.standings, differences, margin=margin, fixed=fixed) | ({"judged": judged} if judged else {})
        print_json(data)
        return
    out = stdout()
    if why is not EndReason.FIRST:
        plain_table(out, SEAT_COLUMNS, seat_table(run.standings))
        out.print()
        plain_table(out, ("Role",), role_table(run.standings), list(run.standings.tallies))
        out.print()
        costs = {
            name: None if tally.unpriced else tally.money / max(1, tally.seats.games)
            for name, tally in run.standings.tallies.items()
        }
        for one in differences:
            judged_too = judged and compared_line(one, judged, costs)
            out.tell(judged_too or verdict_line(one, run.plan.tables, margin=margin, fixed=fixed))
        out.print()
    ended = say(f"ended_{why.name.lower()}")
    counts = {"games": run.standings.games, "village": run.standings.village_wins}
    out.tell(say("tournament_end", **counts, ended=ended, folder=folder))
    if why is EndReason.FIRST:
        out.tell(say("first_deal_only"))
    elif run.standings.games:
        where = quote(str(folder))
        out.tell(say("tournament_report", folder=where))
        out.tell(say("tournament_replay", folder=where))
    if run.failures:
        out.tell(say("tournament_failed", count=len(run.failures)))
