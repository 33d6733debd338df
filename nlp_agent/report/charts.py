"""The pictures of a report, in Vega-Lite as made by Altair, drawn by vl-convert as SVG.

A chart is drawn once, in stand-in colours that are then exchanged for the page's CSS variables, so that the same file
is right on light, on dark and on paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any

from nlp_agent.report.measures import BELIEVED, CHANCE, Paired, Point, Rating
from nlp_agent.study.statistics import Figure
from nlp_agent.tournament.standings import Difference

# --- Charts drawn by vl-convert as SVG that takes its colours from the page ------------------------------------------


INK, MUTED, GRID = "#010101", "#010102", "#010103"
SERIES = tuple(f"#0102{number:02x}" for number in range(1, 9))
_VARIABLES = {
    INK: "var(--ink)",
    MUTED: "var(--muted)",
    GRID: "var(--grid)",
    **{colour: f"var(--c{number})" for number, colour in enumerate(SERIES, start=1)},
}
WIDTH = 560
"""Of a picture, in pixels."""


def draw_svg(chart: Any) -> str:
    """The chart as SVG, for the inside of a page."""
    import vl_convert  # noqa: PLC0415 - an extra, and slow to import

    config = {
        "background": "transparent",
        "padding": {"left": 10, "right": 10, "top": 5, "bottom": 5},
        "font": "system-ui, 'Noto Sans', 'Noto Sans CJK JP', sans-serif",
        "view": {"stroke": None},
        "axis": {
            "domainColor": GRID,
            "gridColor": GRID,
            "tickColor": GRID,
            "labelColor": INK,
            "titleColor": MUTED,
            "titleFontWeight": "normal",
            "labelFontSize": 12,
            "titleFontSize": 12,
            "labelLimit": 240,
        },
        "axisX": {"labelOverlap": "greedy", "labelSeparation": 8},
        "axisY": {"labelOverlap": False},
        "header": {"labelColor": INK, "titleColor": MUTED, "labelFontSize": 12, "labelFontWeight": "bold"},
        "legend": {
            "labelColor": INK,
            "titleColor": MUTED,
            "labelFontSize": 12,
            "symbolStrokeWidth": 0,
            "labelLimit": 300,
        },
        "text": {"color": INK, "fontSize": 11},
    }
    svg = vl_convert.vegalite_to_svg({**chart.to_dict(), "config": config})
    # The picture has one description, on the page; its lines and dots have none of their own.
    svg = re.sub(r' (?:role|aria-[a-z]+)="[^"]*"', "", svg)
    svg = re.sub("|".join(_VARIABLES), lambda found: _VARIABLES[found[0]], svg)
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    width = size[1] if size else WIDTH
    # The size of the page decides; the picture keeps its shape, and never grows beyond what it was drawn for.
    return re.sub(
        r'width="[\d.]+" height="[\d.]+"', f'style="width:100%;max-width:{width}px;height:auto"', svg, count=1
    )


# --- The pictures of a report, in Vega-Lite as made by Altair --------------------------------------------------------


alt: Any = import_module("altair")
"""Slow to load, of the extra ``study``, and without types worth checking."""
FEW = 4
"""So many contestants share a panel and are told apart by colour; more stand below each other, a panel a question."""
_ROW = 17
_PERCENT = {"format": ".0%"}


def rates(points: Sequence[Point], who: Sequence[str], *, zero: float | None = None) -> Any:
    """Draw shares with their intervals: few contestants in one panel by group, many in a panel a group."""
    return _together(points, who, zero) if len(who) <= FEW else _apart(points, who, _PERCENT, zero=zero)


def amounts(points: Sequence[Point], who: Sequence[str]) -> Any:
    """Draw amounts of different kinds, a panel each with its own scale."""
    return _apart(points, who, {"format": "~r"}, independent=True)


def shares(points: Sequence[Point], who: Sequence[str]) -> Any:
    """Draw shares of different kinds, a panel each with its own scale."""
    return _apart(points, who, {"format": "~%"}, independent=True)


def places(points: Sequence[Point], who: Sequence[str]) -> Any:
    """Draw places from 0 (best) to 1 (last), a panel a criterion, all on one scale."""
    return _apart(points, who, {"format": "~r"}, scale=(0.0, 1.0))


def _rows(points: Iterable[Point]) -> list[dict[str, Any]]:
    return [
        {"who": point.who, "group": point.group, **_ends(point.figure), "n": point.figure.count}
        for point in points
        if point.figure.value is not None
    ]


def _ends(figure: Figure) -> dict[str, Any]:
    value = figure.value
    return {
        "value": value,
        "low": value if figure.low is None else figure.low,
        "high": value if figure.high is None else figure.high,
    }


def _together(points: Sequence[Point], who: Sequence[str], zero: float | None) -> Any:
    groups = list(dict.fromkeys(point.group for point in points))
    rows = [{**row, "label": f"{100 * row['value']:.0f} %"} for row in _rows(points)]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=_names("group", groups, labelPadding=8),
        yOffset=alt.YOffset("who:N", sort=[*who], scale=alt.Scale(paddingOuter=0.25)),
        color=_colour(who),
    )
    span = base.mark_rule(strokeWidth=2).encode(x=_x("low", _PERCENT), x2="high:Q")
    dot = base.mark_point(filled=True, size=70, opacity=1).encode(x=_x("value", _PERCENT))
    text = _labels(base)
    layers = [_line(zero)] if zero is not None else []
    height = len(groups) * (len(who) * _ROW + 6)
    return alt.layer(*layers, span, dot, text).properties(width=WIDTH, height=height)


def _apart(
    points: Sequence[Point],
    who: Sequence[str],
    axis: dict[str, str],
    *,
    independent: bool = False,
    zero: float | None = None,
    scale: tuple[float, float] | None = None,
) -> Any:
    groups = list(dict.fromkeys(point.group for point in points))
    base = alt.Chart().encode(y=_names("who", who))
    colour = alt.value(SERIES[0]) if len(who) > FEW else _colour(who, legend=False)
    span = base.mark_rule(strokeWidth=2).encode(x=_x("low", axis, scale=scale), x2="high:Q", color=colour)
    dot = base.mark_point(filled=True, size=55, opacity=1).encode(x=_x("value", axis, scale=scale), color=colour)
    layers = [_line(zero)] if zero is not None else []
    columns = min(len(groups), 4 if len(who) <= FEW or independent else 5)
    width = max(90, (WIDTH + 60) // columns - 24)
    chart = alt.layer(*layers, span, dot, data=alt.Data(values=_rows(points))).properties(
        width=width, height=max(30, len(who) * _ROW)
    )
    facet = chart.facet(
        alt.Facet("group:N", sort=groups, title=None), columns=columns, spacing={"row": 26, "column": 24}
    )
    return facet.resolve_scale(x="independent") if independent else facet


def differences(found: Sequence[Paired]) -> Any:
    """Draw a row for each pair: the mean difference by deal with its interval, and the line of no difference."""
    rows = [
        {
            "pair": f"{one.difference.first} − {one.difference.second}",
            "value": 100 * one.difference.mean,
            "low": 100 * one.difference.low,
            "high": 100 * one.difference.high,
            "label": f"{100 * one.difference.mean:+.1f} {'decided' if one.difference.decided else 'undecided'}",
            "colour": "decided" if one.difference.decided else "undecided",
        }
        for one in found
    ]
    # Both signs are always in view, so that how far an interval is from no difference can be seen.
    most = max(5.0, *(abs(row[end]) for row in rows for end in ("low", "high")))  # type: ignore[arg-type]
    scale = alt.Scale(domain=[-most, most * 1.25], nice=False)
    x = alt.X("low:Q", title="games of 100 won more", axis=alt.Axis(format="+~r", tickCount=9), scale=scale)
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=_names("pair", [row["pair"] for row in rows]),
        color=alt.Color(
            "colour:N", scale=alt.Scale(domain=["decided", "undecided"], range=[SERIES[0], MUTED]), legend=None
        ),
    )
    span = base.mark_rule(strokeWidth=4).encode(x=x, x2="high:Q")
    dot = base.mark_point(filled=True, size=110, opacity=1).encode(x="value:Q")
    text = _labels(base)
    return alt.layer(_line(0), span, dot, text).properties(width=WIDTH, height=max(44, len(rows) * 26))


def progress(looks: Sequence[Difference]) -> Any:
    """The difference of a pair by the number of deals, with its interval, and the line of no difference."""
    rows = [
        {"deals": look.deals, "value": 100 * look.mean, "low": 100 * look.low, "high": 100 * look.high}
        for look in looks
    ]
    # Of the first few deals nearly everything is possible; the picture is for what comes after.
    late = rows[len(rows) // 8 :]
    most = max(5.0, *(abs(row[end]) for row in late for end in ("low", "high")))
    y = alt.Scale(domain=[-most, most], clamp=True)
    who = alt.TitleParams(
        f"above 0: {looks[-1].first}, below: {looks[-1].second}",
        anchor="start",
        color=INK,
        fontSize=12,
        fontWeight="normal",
    )
    title = "games of 100 won more"
    x = alt.X("deals:Q", title="deals", axis=alt.Axis(tickCount=6, format="d", tickMinStep=1))
    base = alt.Chart(alt.Data(values=rows)).encode(x=x)
    axis = alt.Axis(format="+~r", tickCount=6)
    band = base.mark_area(color=SERIES[0], opacity=0.18).encode(
        y=alt.Y("low:Q", title=title, axis=axis, scale=y), y2="high:Q"
    )
    line = base.mark_line(color=SERIES[0], strokeWidth=2, point=len(rows) < 3).encode(y=alt.Y("value:Q", scale=y))
    zero = alt.Chart().mark_rule(color=MUTED, strokeDash=[4, 4]).encode(y=alt.datum(0))
    return alt.layer(band, zero, line).properties(title=who, width=WIDTH, height=170)


def deals(one: Paired) -> Any:
    """Draw how many deals went how far which way."""
    pair = one.difference
    rows = [{"value": round(100 * value)} for value in one.values]
    values = sorted({row["value"] for row in rows})
    most = max(10, *map(abs, values)) * 1.15
    # A bar is as wide as the nearest two stand apart, and never so wide that it looks like the whole picture.
    nearest = min((after - before for before, after in pairwise(values)), default=most)
    size = max(3, min(36, 0.8 * WIDTH * nearest / (2 * most)))
    title = f"games of 100 won more on one deal (right: {pair.first}, left: {pair.second})"
    x = alt.X(
        "value:Q",
        title=title,
        axis=alt.Axis(format="+~r", tickCount=9),
        scale=alt.Scale(domain=[-most, most], nice=False),
    )
    chart = alt.Chart(alt.Data(values=rows)).mark_bar(color=SERIES[0], cornerRadius=2, size=size)
    y = alt.Y("count():Q", title="deals", axis=alt.Axis(tickCount=4, format="d", tickMinStep=1))
    return chart.encode(x=x, y=y).properties(width=WIDTH, height=110)


def skill(found: Sequence[Rating]) -> Any:
    """Draw ratings with their 95 % intervals, best first."""
    rows = [{"who": r.who, "value": r.mu, "low": r.low, "high": r.high, "label": f"{r.mu:.1f}"} for r in found]
    base = alt.Chart(alt.Data(values=rows)).encode(y=_names("who", [r.who for r in found]))
    span = base.mark_rule(strokeWidth=2, color=SERIES[0]).encode(
        x=alt.X(
            "low:Q",
            title="rating (openskill, a newcomer has 25)",
            axis=alt.Axis(format="~r", tickCount=6),
            scale=alt.Scale(zero=False),
        ),
        x2="high:Q",
    )
    dot = base.mark_point(filled=True, size=70, color=SERIES[0], opacity=1).encode(x="value:Q")
    text = _labels(base)
    return alt.layer(span, dot, text).properties(width=WIDTH, height=max(40, len(rows) * 20))


def by_day(points: Sequence[Point]) -> Any:
    """Draw shares by day: of the voters, of belief, of chance."""
    kinds = sorted({point.who for point in points}, key=lambda kind: (kind in (BELIEVED, CHANCE), kind == CHANCE, kind))
    colours = [*SERIES[: len(kinds) - 2], SERIES[3], MUTED]
    days = list(dict.fromkeys(point.group for point in points))
    base = alt.Chart(alt.Data(values=_rows(points))).encode(
        x=alt.X("group:N", sort=days, title=None, axis=alt.Axis(labelAngle=0, ticks=False)),
        color=alt.Color("who:N", scale=alt.Scale(domain=kinds, range=colours), legend=_legend(), title=None),
    )
    place = alt.XOffset("who:N", sort=kinds, scale=alt.Scale(paddingOuter=1))
    y = alt.Y("value:Q", title="share that hits a wolf", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".0%"))
    span = base.mark_rule(strokeWidth=2).encode(
        y=alt.Y("low:Q", scale=alt.Scale(domain=[0, 1])), y2="high:Q", xOffset=place
    )
    dot = base.mark_point(filled=True, size=70, opacity=1).encode(y=y, xOffset=place)
    return alt.layer(span, dot).properties(width=WIDTH, height=200)


def times(points: Sequence[Point], who: Sequence[str]) -> Any:
    """Draw median, p90 and the longest reply of everybody, on a scale of powers of ten."""
    kinds = ["p50", "p90", "max"]
    timed = (row for row in _rows(points) if row["group"] in kinds and row["value"] > 0)
    rows = [{**row, "value": row["value"] / 1000} for row in timed]
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_point(filled=True, size=75, opacity=1)
        .encode(
            x=alt.X(
                "value:Q",
                scale=alt.Scale(type="log"),
                title="seconds to a reply",
                axis=alt.Axis(format="~g", tickCount=6),
            ),
            y=_names("who", who, grid=True),
            shape=alt.Shape(
                "group:N", scale=alt.Scale(domain=kinds, range=["circle", "square", "triangle-right"]), title=None
            ),
            color=alt.Color(
                "group:N", scale=alt.Scale(domain=kinds, range=[*SERIES[:3]]), legend=_legend(), title=None
            ),
        )
        .properties(width=WIDTH, height=max(40, len(who) * 20))
    )


def calibrated(found: Sequence[tuple[float, Figure]]) -> Any:
    """Draw how often those who are believed to be a wolf with some probability are one."""
    rows = [{"p": p, **_ends(figure), "n": figure.count} for p, figure in found]
    unit = alt.Scale(domain=[0, 1])
    x = alt.X("p:Q", scale=unit, title="believed P(wolf)", axis=alt.Axis(format=".0%"))
    y = alt.Y("value:Q", scale=unit, title="were wolves", axis=alt.Axis(format=".0%"))
    right = alt.Chart(alt.Data(values=[{"p": 0, "value": 0}, {"p": 1, "value": 1}])).mark_line(
        color=MUTED, strokeDash=[4, 4], strokeWidth=1
    )
    base = alt.Chart(alt.Data(values=rows)).encode(x=x)
    span = base.mark_rule(strokeWidth=2, color=SERIES[0]).encode(y=alt.Y("low:Q", scale=unit), y2="high:Q")
    dot = base.mark_point(filled=True, size=70, color=SERIES[0], opacity=1).encode(y=y)
    return alt.layer(right.encode(x=x, y=y), span, dot).properties(width=300, height=300)


# --- parts -----------------------------------------------------------------------------------------------------


def _names(field: str, sort: Sequence[object], **axis: Any) -> Any:
    return alt.Y(f"{field}:N", sort=[*sort], title=None, axis=alt.Axis(ticks=False, domain=False, **axis))


def _labels(base: Any) -> Any:
    """Beside the end of each interval."""
    return base.mark_text(align="left", dx=6).encode(x="high:Q", text="label:N", color=alt.value(INK))


def _x(field: str, axis: dict[str, str], *, scale: tuple[float, float] | None = None) -> Any:
    span = alt.Scale(nice=True) if scale is None else alt.Scale(domain=[*scale], clamp=True)
    return alt.X(f"{field}:Q", title=None, axis=alt.Axis(tickCount=3, **axis), scale=span)


def _line(at: float) -> Any:
    return alt.Chart().mark_rule(color=MUTED, strokeDash=[4, 4]).encode(x=alt.datum(at))


def _colour(who: Sequence[str], *, legend: bool = True) -> Any:
    scale = alt.Scale(domain=[*who], range=[*SERIES[: len(who)]])
    return alt.Color("who:N", scale=scale, legend=_legend() if legend and len(who) > 1 else None, title=None)


def _legend() -> Any:
    return alt.Legend(orient="top", title=None, direction="horizontal")
