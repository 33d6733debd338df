"""The table at the top of a report: a row a contestant, what decides which of them to enter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nlp_agent.lab.report import measures
from nlp_agent.lab.report.evidence import Evidence
from nlp_agent.lab.report.measures import Point
from nlp_agent.lab.report.ratings import Rating
from nlp_agent.lab.report.verdict import percent, plain
from nlp_agent.lab.study.statistics import NOTHING, Figure

Table = list[Sequence[object]]
"""A head and rows."""


def glance(evidence: Evidence, found: Sequence[Point], above: Sequence[Point], rated: Sequence[Rating]) -> Table:
    """A row a contestant, best first: what decides which of them to enter."""
    by = {(point.who, point.group): point.figure for point in found}
    ahead = {point.who: point.figure for point in above if len(above) > 1}
    skill = {rating.who: rating for rating in rated}
    judged = {row["team"]: row for row in evidence.judged.get("teams", ()) if row.get("criterion") == "all"}
    games = Counter(name for row in evidence.rows for name in {seat.contestant for seat in row.seats})
    alone = len(evidence.who) == 1

    def told(group: str, show: Callable[[Figure], str]) -> Callable[[str], str]:
        return lambda who: show(by[who, group]) if (who, group) in by else "-"

    columns: list[tuple[str, Callable[[str], str]]] = [
        ("games", lambda who: f"{games[who]:,}"),
        ("won as village" if alone else "won", told(measures.SIDES["VILLAGER"] if alone else measures.BOTH, percent)),
        ("above its roles", lambda who: percent(ahead[who], sign=True) if who in ahead else "-"),
        ("rating", lambda who: f"{skill[who].mu:.1f} ± {skill[who].high - skill[who].mu:.1f}" if who in skill else "-"),
        ("vote = word", told("vote = word", percent)),
        ("fallbacks", told("fallbacks", percent)),
        ("p90, s", told("p90", lambda figure: f"{(figure.value or 0) / 1000:.2f}")),
        ("cost", told("money", lambda figure: plain(figure, ".3f"))),
        ("judged", lambda who: plain(judged_figure(judged[who]), ".2f") if who in judged else "-"),
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
