"""The page and its tables, as texts: one HTML file that needs nothing else, and a CSV for each table."""

from __future__ import annotations

from base64 import b64encode
from importlib.resources import files
from pathlib import Path
from shlex import quote

from nlp_agent.errors import StudyError, os_errors_as
from nlp_agent.lab.judge.tables import as_csv
from nlp_agent.lab.report.glance import Table
from nlp_agent.lab.report.sections import Report

PAGE = "report.html"
PORT = 8765
"""Where links of the page expect ``nlp-agent replay``."""


def page_of(report: Report) -> str:
    """The HTML."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["shown"] = shown
    environment.filters["download"] = _download
    environment.filters["quote"] = quote
    template = environment.from_string(
        files(__package__ or "").joinpath("report.html.jinja").read_text(encoding="utf-8")
    )
    return template.render(report=report, port=PORT)


def shown(value: object) -> str:
    """A cell for reading: three figures are enough, nothing for what is not there."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _download(table: Table) -> str:
    return f"data:text/csv;charset=utf-8;base64,{b64encode(as_csv(table).encode()).decode()}"


def write_report(report: Report, folder: Path) -> list[Path]:
    """Write page and tables into ``folder``. Raises StudyError where that cannot be done."""
    texts = {PAGE: page_of(report), **{f"{part.name}.csv": as_csv(part.table) for part in report.sections}}
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
