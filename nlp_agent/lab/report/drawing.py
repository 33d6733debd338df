"""Charts drawn by vl-convert as SVG that takes its colours from the page.

A chart is drawn once, in stand-in colours that are then exchanged for the page's CSS variables, so that the same file
is right on light, on dark and on paper.
"""

from __future__ import annotations

import re
from typing import Any

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


def draw(chart: Any) -> str:
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
