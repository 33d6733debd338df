"""The parts of a report: a question, the picture that answers it, what it is counted from, and the table behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nlp_agent.lab.judge.criteria import CRITERIA
from nlp_agent.lab.judge.tables import ALL
from nlp_agent.lab.report import charts, measures
from nlp_agent.lab.report.drawing import draw
from nlp_agent.lab.report.evidence import Evidence
from nlp_agent.lab.report.glance import Table, glance, judged_figure
from nlp_agent.lab.report.measures import Paired, Point
from nlp_agent.lab.report.ratings import Rating, ratings
from nlp_agent.lab.report.verdict import LEAST_GAMES, Conclusion, enough, plain, verdict_of
from nlp_agent.lab.report.worth import Worth, worth_opening
from nlp_agent.lab.tournament.differences import points

HEAD = ("who", "what", "value", "low", "high", "n", "trials")
"""``trials``: games, or deals where there are any; what intervals count."""


@dataclass(frozen=True)
class ReportSection:
    """``name`` is the file name of its CSV, ``pictures`` are SVG, ``note`` says what the figures rest on."""

    name: str
    question: str
    pictures: tuple[str, ...]
    note: str
    table: Table


@dataclass(frozen=True)
class Report:
    """Everything on the page. ``glance``: head and rows of the table at its top; ``folder`` where the games are."""

    title: str
    verdict: Conclusion
    glance: Table
    sections: tuple[ReportSection, ...]
    worth: tuple[Worth, ...]
    folder: str
    facts: tuple[str, ...]


def report_of(evidence: Evidence) -> Report:
    rates = measures.win_rates(evidence)
    above = measures.above_role(evidence)
    pairs = measures.paired(evidence)
    rated = ratings(evidence.rows, evidence.who)
    habits = measures.habits(evidence)
    times = measures.reply_times(evidence)
    spent = measures.spending(evidence)
    parts = (
        _differences(pairs),
        _above(above) if not pairs and len(evidence.who) > 1 else None,
        _rates(evidence, rates),
        _ratings(rated),
        _votes(evidence),
        _habits(evidence, habits),
        _times(evidence, times),
        _spending(evidence, spent),
        _calibration(evidence),
        _judged(evidence),
    )
    return Report(
        evidence.title,
        verdict_of(
            evidence.who,
            pairs,
            above,
            rates,
            [point for point in spent if point.group == "money"],
            nameless=bool(evidence.nameless),
        ),
        glance(evidence, [*rates, *habits, *times, *spent], above if not pairs else (), rated),
        tuple(part for part in parts if part is not None),
        tuple(worth_opening(evidence)),
        evidence.folder,
        _facts(evidence),
    )


def _facts(evidence: Evidence) -> tuple[str, ...]:
    groups = sorted({row.group for row in evidence.rows if row.group})
    lost = len(evidence.rows) - len(evidence.finished)
    looked = len(evidence.details)
    return (
        f"{len(evidence.rows)} games" + (f", {lost} of them without a winner" if lost else ""),
        *([f"{evidence.nameless} seats of players whose team is not named"] if evidence.nameless else []),
        *([f"villages: {', '.join(groups)}"] if groups else []),
        f"words and beliefs looked at in {looked}" if looked else "no records of what was said",
    )


# --- sections --------------------------------------------------------------------------------------------------


def _section(name: str, question: str, note: str, table: Table, *pictures: Any) -> ReportSection:
    return ReportSection(name, question, tuple(map(draw, pictures)), note, table)


def _table(found: Iterable[Point]) -> Table:
    rows: Table = [
        [p.who, p.group, p.figure.value, p.figure.low, p.figure.high, p.figure.count, p.figure.games] for p in found
    ]
    return [[*HEAD], *rows]


def _differences(pairs: Sequence[Paired]) -> ReportSection | None:
    if not pairs:
        return None
    told = [
        f"{d.first} − {d.second}: {points(d.mean)} "
        f"({points(d.low)} to {points(d.high)}), n = {d.deals} deals"
        f"{f', {d.equal} of them equal' if d.equal else ''}, "
        f"{'decided' if d.decided else 'undecided'}"
        for d in (pair.difference for pair in pairs)
    ]
    pictures = (charts.differences(pairs), *([charts.deals(pairs[0])] if len(pairs) == 1 else []))
    head = ["first", "second", "mean", "low", "high", "deals", "state"]
    rows: Table = [
        [d.first, d.second, d.mean, d.low, d.high, d.deals, "decided" if d.decided else "undecided"]
        for d in (pair.difference for pair in pairs)
    ]
    note = "; ".join(told[:6]) + ". Both played the same deals from both sides, so luck of the deal falls out."
    return _section("differences", "Who wins more on the same deals?", note, [head, *rows], *pictures)


def _above(above: Sequence[Point]) -> ReportSection:
    who = [point.who for point in above]
    decided = [point.who for point in above if enough(point.figure) and point.figure.decided]
    note = (
        f"Each win less the share that all teams won in the same role. n = {_count(above)} games a team. "
        f"Decided: {', '.join(decided) or 'nobody'}; all others undecided, as is "
        f"everybody with fewer than {LEAST_GAMES} games."
    )
    renamed = [Point(point.who, "above role", point.figure) for point in above]
    chart = charts.rates(renamed, who, zero=0.0)
    return _section("above_role", "Who won more than its roles would?", note, _table(renamed), chart)


def _rates(evidence: Evidence, rates: Sequence[Point]) -> ReportSection:
    count = _count([point for point in rates if point.group == measures.BOTH])
    note = f"n = {count} games each; lines are 95 % intervals (Wilson; games of one deal count as what they are worth)."
    chart = charts.rates(rates, evidence.who)
    return _section("win_rates", "Who wins, on which side and in which role?", note, _table(rates), chart)


def _ratings(rated: Sequence[Rating]) -> ReportSection | None:
    if not rated:
        return None
    rows: Table = [[r.who, r.mu, r.low, r.high, r.sigma, r.games] for r in rated]
    low, high = min(r.games for r in rated), max(r.games for r in rated)
    first, second = rated[0], rated[1]
    apart = "apart" if first.low > second.high else "not apart: undecided"
    games = f"{low}" if low == high else f"{low} to {high}"
    note = (
        f"n = {games} games each; lines are μ ± 1.96 σ. The sides are rated along, so "
        f"nobody gains from sitting where most win. First and second are {apart}."
    )
    head = ["who", "mu", "low", "high", "sigma", "games"]
    return _section("ratings", "How strong is each?", note, [head, *rows], charts.skill(rated))


def _votes(evidence: Evidence) -> ReportSection | None:
    found = measures.votes_on_wolves(evidence, 1 < len(evidence.who) <= charts.FEW - 1)
    if not found:
        return None
    cast = [point.figure for point in found if point.who not in (measures.BELIEVED, measures.CHANCE)]
    own = sum(detail.own for detail in evidence.details.values())
    whose = "the seats' own beliefs" if own else "what our player would have believed"
    note = (
        f"n = {sum(figure.count for figure in cast)} votes of players who are no wolves, in {len(evidence.details)} "
        f"games; lines are 95 % intervals by {evidence.trials}. “The most suspected”: had each gone there, by {whose}."
    )
    return _section("votes", "Do votes find wolves?", note, _table(found), charts.by_day(found))


def _habits(evidence: Evidence, habits: Sequence[Point]) -> ReportSection | None:
    if not habits:
        return None
    counted = [point.figure.games for point in habits]
    note = (
        f"n = up to {max(counted, default=0)} {evidence.trials} each. Votes cast as announced; talks that answer when "
        "addressed; talks like an earlier own one, and against an earlier own word; replies for which no answer of a "
        "model could be used, that were asked for again, or that the table refused (void, late or heard by nobody)."
    )
    chart = charts.shares(habits, evidence.who)
    return _section("habits", "Do words fit deeds, and what got in the way?", note, _table(habits), chart)


def _times(evidence: Evidence, times: Sequence[Point]) -> ReportSection | None:
    if not times:
        return None
    used = [f"{point.who} {100 * (point.figure.value or 0):.1f} %" for point in times if point.group == "deadline used"]
    replies = [point.figure.count for point in times if point.group == "max"]
    note = f"n = {sum(replies):,} replies. p50 and p90 are means over games; their intervals are in the table." + (
        f" Most of the time allowed that a reply took: {', '.join(used)}." if used else ""
    )
    timed = [who for who in evidence.who if any(point.who == who for point in times)]
    return _section("times", "Is there time to spare?", note, _table(times), charts.times(times, timed))


def _spending(evidence: Evidence, spent: Sequence[Point]) -> ReportSection | None:
    if not spent:
        return None
    priced = any(point.group == "money" for point in spent)
    note = (
        f"For one seat over one game, n = {_count(spent)} seats each; lines are 95 % intervals by {evidence.trials}."
        + ("" if priced else " No prices are in the config (llm.prices), so there is no money here.")
    )
    chart = charts.amounts(spent, evidence.who)
    return _section("spending", "What does a game cost?", note, _table(spent), chart)


def _calibration(evidence: Evidence) -> ReportSection | None:
    found = measures.calibration(evidence)
    if not found:
        return None
    count = sum(figure.count for _, figure in found)
    rows: Table = [[p, f.value, f.low, f.high, f.count, f.games] for p, f in found]
    note = (
        f"n = {count:,} beliefs about one player at one vote, in {len(evidence.details)} games; lines are "
        f"95 % intervals by {evidence.trials}. On the dashed line beliefs are as sure as they may be; below it they "
        "suspect too much."
    )
    head = ["believed", "were wolves", "low", "high", "n", "games"]
    chart = charts.calibrated(found)
    return _section("calibration", "How far can beliefs be trusted?", note, [head, *rows], chart)


def _judged(evidence: Evidence) -> ReportSection | None:
    rows = [row for row in evidence.judged.get("teams", ()) if row.get("value") is not None]
    if not rows:
        return None
    judge = rows[0]["judge"]
    order = [ALL, *CRITERIA]
    found = [
        Point(
            row["team"],
            "all criteria" if row["criterion"] == ALL else row["criterion"].replace("_", " "),
            judged_figure(row),
        )
        for row in sorted(rows, key=lambda row: order.index(row["criterion"]))
        if row["judge"] == judge
    ]
    teams = [who for who in evidence.who if any(point.who == who for point in found)]
    teams += sorted({point.who for point in found} - set(teams))
    count = max(point.figure.games for point in found)
    note = (
        f"Places given by {judge}, 0 is best and 1 last; n = up to {count} games a team, lines are 95 % intervals "
        f"by game. {_trust(evidence, judge)}"
    )
    chart = charts.places(found, teams)
    return _section("judged", "How does a judge rank the talk?", note, _table(found), chart)


def _trust(evidence: Evidence, judge: str) -> str:
    """How far the judge can be relied on, by its own verdicts."""
    told = next((row for row in evidence.judged.get("judges", ()) if row.get("judge") == judge), None)
    if told is None:
        return ""
    tau, place = (plain(judged_figure(told[key]), ".2f") for key in ("self_agreement_tau", "position_bias"))
    return f"It agrees with itself by τ = {tau}; being listed last instead of first costs {place} of the way."


def _count(found: Sequence[Point]) -> str:
    counts = [point.figure.count for point in found if point.figure.count]
    low, high = min(counts, default=0), max(counts, default=0)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
