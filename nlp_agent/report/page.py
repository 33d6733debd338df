"""A report as one HTML file that needs nothing else, with a CSV for each of its tables.

From top to bottom: the table of contestants, games worth opening, the sections (a question, the picture that answers
it, what it is counted from, the table behind it), and the files.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from shlex import quote
from typing import Any

from nlp_agent.errors import StudyError, os_errors_as
from nlp_agent.judge.run import ALL_CRITERIA, as_csv
from nlp_agent.judge.verdicts import CRITERIA
from nlp_agent.report import charts, measures
from nlp_agent.report.charts import draw_svg
from nlp_agent.report.conclusion import LEAST_GAMES, Conclusion, conclude, enough_games, format_percent, format_value
from nlp_agent.report.evidence import Evidence, GameDetail, Highlight, ReplayLink, cluster
from nlp_agent.report.measures import Paired, Point, Rating, ratings
from nlp_agent.report.translation import Translator
from nlp_agent.study.statistics import NOTHING, Figure
from nlp_agent.tournament.deals import Tables
from nlp_agent.tournament.standings import elo, points

# --- The table at the top of a report --------------------------------------------------------------------------------


Table = list[Sequence[object]]
"""A head and rows."""


def contestants_table(
    evidence: Evidence, found: Sequence[Point], above: Sequence[Point], rated: Sequence[Rating]
) -> Table:
    """A row a contestant, best first: what decides which of them to enter."""
    by = {(point.who, point.group): point.figure for point in found}
    ahead = {point.who: point.figure for point in above if len(above) > 1}
    skill = {rating.who: rating for rating in rated}
    judged = {row["team"]: row for row in evidence.judged.get("teams", ()) if row.get("criterion") == "all"}
    games = Counter(name for row in evidence.rows for name in {seat.contestant for seat in row.seats})
    alone = len(evidence.who) == 1

    def figure_of(group: str, show: Callable[[Figure], str]) -> Callable[[str], str]:
        return lambda who: show(by[who, group]) if (who, group) in by else "-"

    hidden = measures.unknown_spending(evidence)
    hidden = hidden if len(hidden) < len(evidence.who) else ()
    cost = figure_of("money", lambda figure: format_value(figure, ".3f"))

    columns: list[tuple[str, Callable[[str], str]]] = [
        ("games", lambda who: f"{games[who]:,}"),
        (
            "won as village" if alone else "won",
            figure_of(measures.SIDES["VILLAGER"] if alone else measures.BOTH, format_percent),
        ),
        ("above its roles", lambda who: format_percent(ahead[who], sign=True) if who in ahead else "-"),
        ("rating", lambda who: f"{skill[who].mu:.1f} ± {skill[who].high - skill[who].mu:.1f}" if who in skill else "-"),
        ("vote = word", figure_of("vote = word", format_percent)),
        ("fallbacks", figure_of("fallbacks", format_percent)),
        ("p90, s", figure_of("p90", lambda figure: f"{(figure.value or 0) / 1000:.2f}")),
        ("cost", lambda who: "unknown" if who in hidden else cost(who)),
        ("judged", lambda who: format_value(judged_figure(judged[who]), ".2f") if who in judged else "-"),
    ]
    kept = [(name, cell) for name, cell in columns if any(cell(who) != "-" for who in evidence.who)]
    best = sorted(
        evidence.who,
        key=lambda who: -((ahead or {w: by.get((w, measures.BOTH), NOTHING) for w in evidence.who})[who].value or 0.0),
    )
    return [["", *(name for name, _ in kept)], *([who, *(cell(who) for _, cell in kept)] for who in best)]


def judged_figure(row: Mapping[str, Any]) -> Figure:
    """A row of a judge's summary as a figure."""
    return Figure(row["value"], row["low"], row["high"], row["count"], row["games"])


# --- Games worth opening ---------------------------------------------------------------------------------------------


MOST_GAMES = 5


@dataclass(frozen=True, slots=True)
class GameToOpen:
    """A game worth opening. ``why`` is the kind of moment, ``what`` happened. ``key``: of the game in the addresses of
    ``nlp-agent replay``, which opens ``path``; both ``""`` where the game was not kept.
    """

    game: str
    why: str
    what: str
    day: int
    path: str
    key: str


_KINDS: tuple[tuple[str, Callable[[GameDetail], Highlight | None]], ...] = (
    ("Largest swing", lambda detail: detail.swing),
    ("Worst fallback", lambda detail: detail.fallback),
    ("Best lie", lambda detail: detail.lie),
)


def games_to_open(evidence: Evidence) -> list[GameToOpen]:
    """The largest of each kind in turn; of a deal, whose games are much alike, one."""
    lists = []
    for why, moment_of in _KINDS:
        moments = [(game, moment) for game, detail in evidence.details.items() if (moment := moment_of(detail))]
        lists.append([(why, *pair) for pair in sorted(moments, key=lambda pair: (-pair[1].size, pair[0]))])
    shared = {row.game: cluster(row) for row in evidence.rows if row.game in evidence.details}
    found: dict[str, GameToOpen] = {}
    while any(lists) and len(found) < MOST_GAMES:
        for candidates in lists:
            while candidates:
                why, game, moment = candidates.pop(0)
                if shared[game] not in found and len(found) < MOST_GAMES:
                    place = evidence.places.get(game, ReplayLink("", ""))
                    found[shared[game]] = GameToOpen(game, why, moment.what, moment.day, place.path, place.key)
                    break
    order = [why for why, _ in _KINDS]
    return sorted(found.values(), key=lambda worth: order.index(worth.why))


# --- The parts of a report -------------------------------------------------------------------------------------------


HEAD = ("who", "what", "value", "low", "high", "n", "trials")
"""``trials``: games, or deals where there are any; what intervals count."""


@dataclass(frozen=True)
class ReportSection:
    """A section of the page. ``name`` is the file name of its CSV, ``pictures`` are SVG, ``note`` says what the figures
    rest on.
    """

    name: str
    question: str
    pictures: tuple[str, ...]
    note: str
    table: Table


@dataclass(frozen=True)
class Report:
    """The contents of a report's page. ``glance``: head and rows of the table at its top; ``folder`` where the games
    are.
    """

    title: str
    verdict: Conclusion
    glance: Table
    sections: tuple[ReportSection, ...]
    worth: tuple[GameToOpen, ...]
    folder: str
    facts: tuple[str, ...]


def make_report(evidence: Evidence) -> Report:
    """Work out all that a report says of ``evidence``: its conclusion, tables, pictures and games worth opening."""
    rates = measures.win_rates(evidence)
    above = measures.above_role(evidence)
    pairs = measures.paired(evidence)
    rated = ratings(evidence.rows, evidence.who)
    habits = measures.habits(evidence)
    times = measures.reply_times(evidence)
    spent = measures.spending(evidence)
    parts = (
        _differences(pairs),
        _progress(pairs),
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
        conclude(
            evidence.who,
            pairs,
            above,
            rates,
            [point for point in spent if point.group == "money"],
            nameless=bool(evidence.nameless),
            fixed=evidence.fixed,
        ),
        contestants_table(evidence, [*rates, *habits, *times, *spent], above if not pairs else (), rated),
        tuple(part for part in parts if part is not None),
        tuple(games_to_open(evidence)),
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
    return ReportSection(name, question, tuple(map(draw_svg, pictures)), note, table)


def _table(found: Iterable[Point]) -> Table:
    rows: Table = [
        [p.who, p.group, p.figure.value, p.figure.low, p.figure.high, p.figure.count, p.figure.games] for p in found
    ]
    return [[*HEAD], *rows]


def _differences(pairs: Sequence[Paired]) -> ReportSection | None:
    if not pairs:
        return None
    differences = [
        f"{d.first} − {d.second}: {points(d.mean)} "
        f"({points(d.low)} to {points(d.high)}), n = {d.deals} deals"
        f"{f', {d.equal} of them equal' if d.equal else ''}, "
        f"{'decided' if d.decided else 'undecided so far'}"
        for d in (pair.difference for pair in pairs)
    ]
    pictures = (charts.differences(pairs), *([charts.deals(pairs[0])] if len(pairs) == 1 else []))
    head = ["first", "second", "mean", "low", "high", "deals", "state", "elo", "elo low", "elo high", "chance"]
    rows: Table = [
        [
            *(d.first, d.second, d.mean, d.low, d.high, d.deals, "decided" if d.decided else "undecided"),
            *(round(elo(end), 1) for end in (d.mean, d.low, d.high)),
            round(d.chance, 4),
        ]
        for d in (pair.difference for pair in pairs)
    ]
    note = (
        "; ".join(differences[:6])
        + ". A deal fixes who has which role and character, and the order of speaking. Both played the same deals from "
        "both sides, so luck of the deal falls out. Intervals hold at every look together. Elo is the same difference "
        "on the scale of chess. Chance: that the first is the better one, at one look."
    )
    return _section("differences", "Who wins more on the same deals?", note, [head, *rows], *pictures)


PROGRESS_PICTURES = 3
"""Pairs of which the way is drawn; the table has all."""


def _progress(pairs: Sequence[Paired]) -> ReportSection | None:
    found = [measures.progress(pair) for pair in pairs if len(pair.values) > 1]
    if not found:
        return None
    closest = sorted(found, key=lambda looks: abs(looks[-1].mean) - looks[-1].half)
    drawn = [looks for looks in found if looks in closest[:PROGRESS_PICTURES]]
    head = ["first", "second", "deals", "mean", "low", "high", "elo", "elo low", "elo high", "chance"]
    rows: Table = [
        [
            *(look.first, look.second, look.deals, look.mean, look.low, look.high),
            *(round(elo(end), 1) for end in (look.mean, look.low, look.high)),
            round(look.chance, 4),
        ]
        for looks in found
        for look in looks
    ]
    note = (
        f"n = {max(looks[-1].deals for looks in found)} deals, in the order in which they were given out. The band is "
        "the interval; it holds at all looks together, so one may stop as soon as it has left 0. Elo is the same "
        "difference on the scale of chess. Chance: that the first is the better one, by that look alone."
        + (f" Drawn: the {len(drawn)} pairs that are least clear." if len(drawn) < len(found) else "")
    )
    pictures = [charts.progress(looks) for looks in drawn]
    return _section("progress", "How did it come about, deal by deal?", note, [head, *rows], *pictures)


def _above(above: Sequence[Point]) -> ReportSection:
    who = [point.who for point in above]
    decided = [point.who for point in above if enough_games(point.figure) and point.figure.decided]
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
    note = (
        f"n = {count} games each; lines are 95 % intervals (Wilson's, made for shares; games of one deal count as what "
        "they are worth)."
    )
    if len(evidence.who) > 1 and all(row.tables == Tables.SIDES for row in evidence.rows):
        note += " Each side was one contestant's (tables: sides) and wins as a whole, so its roles have equal rows."
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
        f"n = {games} games each; lines are 95 % intervals (rating μ, uncertainty σ: μ ± 1.96 σ). A win against a "
        "higher rating raises one's own rating more, as in chess. The sides are rated along, so "
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
    note = (
        f"n = {sum(replies):,} replies. Half of the replies took at most p50, nine of ten at most p90. Both are means "
        "over games; their intervals are in the table."
    ) + (f" Most of the time allowed that a reply took: {', '.join(used)}." if used else "")
    timed = [who for who in evidence.who if any(point.who == who for point in times)]
    table = _table([point if point.group == "deadline used" else _in_seconds(point) for point in times])
    return _section("times", "Is there time to spare?", note, table, charts.times(times, timed))


def _in_seconds(point: Point) -> Point:
    figure = point.figure
    value, low, high = (None if ms is None else ms / 1000 for ms in (figure.value, figure.low, figure.high))
    return Point(point.who, f"{point.group}, s", replace(figure, value=value, low=low, high=high))


def _spending(evidence: Evidence, spent: Sequence[Point]) -> ReportSection | None:
    if not spent:
        return None
    priced, hidden = any(point.group == "money" for point in spent), measures.unknown_spending(evidence)
    note = (
        f"For one seat over one game, n = {_count(spent)} seats each; lines are 95 % intervals by {evidence.trials}."
        + ("" if priced else " No prices are in the config (llm.prices), so there is no money here.")
        + (f" What {', '.join(hidden)} spent is unknown: it is not seen here." if hidden else "")
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
        f"95 % intervals by {evidence.trials}. P(wolf) is the computed probability that a player is a werewolf. "
        "On the dashed line beliefs are as sure as they may be; below it they suspect too much."
    )
    head = ["believed", "were wolves", "low", "high", "n", "games"]
    chart = charts.calibrated(found)
    return _section("calibration", "How far can beliefs be trusted?", note, [head, *rows], chart)


def _judged(evidence: Evidence) -> ReportSection | None:
    rows = [row for row in evidence.judged.get("teams", ()) if row.get("value") is not None]
    if not rows:
        return None
    judge = rows[0]["judge"]
    order = [ALL_CRITERIA, *CRITERIA]
    found = [
        Point(
            row["team"],
            "all criteria" if row["criterion"] == ALL_CRITERIA else row["criterion"].replace("_", " "),
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
    agreement = next((row for row in evidence.judged.get("judges", ()) if row.get("judge") == judge), None)
    if agreement is None:
        return ""
    tau, place = (format_value(judged_figure(agreement[key]), ".2f") for key in ("self_agreement_tau", "position_bias"))
    return (
        f"It agrees with itself by τ = {tau} (1: always, 0: as by chance); being listed last instead of first costs "
        f"{place} of the way."
    )


def _count(found: Sequence[Point]) -> str:
    counts = [point.figure.count for point in found if point.figure.count]
    low, high = min(counts, default=0), max(counts, default=0)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


# --- The page and its tables, as texts -------------------------------------------------------------------------------


PAGE = "report.html"
PORT = 8765
"""Where links of the page expect ``nlp-agent replay``."""


def page_of(report: Report, lang: str = "en") -> str:
    """Write the report as HTML in ``lang``. Raises KeyError for a language without pages."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["shown"] = format_cell
    environment.filters["download"] = _download
    environment.filters["quote"] = quote
    environment.filters["tr"] = tell = Translator(lang)
    environment.filters["picture"] = tell.picture
    template = environment.from_string(
        files(__package__ or "").joinpath("report.html.jinja").read_text(encoding="utf-8")
    )
    return template.render(report=report, port=PORT, lang=lang)


def format_cell(value: object) -> str:
    """Write a table's cell for reading: three figures are enough, nothing for what is not there."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _download(table: Table) -> str:
    return f"data:text/csv;charset=utf-8;base64,{b64encode(as_csv(table).encode()).decode()}"


def write_report(report: Report, folder: Path, lang: str = "en") -> list[Path]:
    """Write the page in ``lang``, and the tables, into ``folder``. Raises StudyError where that cannot be done."""
    texts = {PAGE: page_of(report, lang), **{f"{part.name}.csv": as_csv(part.table) for part in report.sections}}
    worth: Table = [
        ["game", "why", "what", "day", "path"],
        *([w.game, w.why, w.what, w.day, w.path] for w in report.worth),
    ]
    texts["worth_opening.csv"] = as_csv(worth)
    with os_errors_as(StudyError, f"cannot write to {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]
