"""``nlp-agent journal``: what a seat believed, planned and said, side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from nlp_agent.app.cli.screen import Screen, printable, stdout
from nlp_agent.records.brief import belief, plan

EPILOG = """
**Examples**

* `nlp-agent journal records/*/nlp-agent1.jsonl` – one seat's game
* `nlp-agent journal records/20260101-120000_01ABC --day 2` – all seats of a game, on day 2
* `nlp-agent journal GAME --seat nlp-agent3 --request VOTE` – one seat's votes and what they rest on

Under **Posterior** stands P(werewolf) of every living player as the seat really sees it; behind "shown" the same as
it pretends to see it, where the two differ.
"""


def journal(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Journals (.jsonl), or folders of games.")],
    day: Annotated[int | None, typer.Option("--day", "-d", min=0, metavar="N", help="Only this day.")] = None,
    seat: Annotated[str | None, typer.Option("--seat", "-s", metavar="NAME", help="Only this seat.")] = None,
    request: Annotated[
        str | None, typer.Option("--request", "-r", metavar="TALK|VOTE|...", help="Only this kind of request.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a decision, nothing else.")] = False,
) -> None:
    """Show every decision of a game: the posterior, the plan and the words side by side."""
    paths = [path for path in _journals(files) if seat is None or path.stem == seat]
    if not paths:
        known = ", ".join(path.stem for path in _journals(files)) or "none"
        raise typer.BadParameter(f"no journal of seat {seat!r} (seats: {known})" if seat else "no journals there")
    screen = stdout()
    for path in paths:
        rows = [
            row
            for row in _decisions(path)
            if day in (None, row.get("day")) and (request is None or row.get("request") == request.upper())
        ]
        if as_json:
            for row in rows:
                print(json.dumps({"seat": path.stem, **row}, ensure_ascii=False))
        else:
            _show(screen, path.stem, rows)


def _journals(files: list[Path]) -> list[Path]:
    found: list[Path] = []
    for file in files:
        if file.is_dir():
            found.extend(sorted(file.glob("*.jsonl")))
        elif file.is_file():
            found.append(file)
        else:
            raise typer.BadParameter(f"there is no file or folder {file}")
    return found


def _decisions(path: Path) -> Iterator[dict[str, Any]]:
    """Decision rows, without what only a program reads."""
    from nlp_agent.records.journal import read_rows

    try:
        for row in read_rows(path):
            if row.get("event") == "decision":
                yield {key: row[key] for key in _KEPT if key in row}
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be read: {error.strerror}") from error


_KEPT = ("day", "request", "posterior", "plan", "why", "sent", "how", "ms")


def _show(screen: Screen, seat: str, rows: list[dict[str, Any]]) -> None:
    screen.print(Text(f"{printable(seat)}: {len(rows)} decisions", style="bold"))
    table = Table(box=box.SIMPLE_HEAD, show_lines=screen.is_terminal, pad_edge=False, padding=(0, 1, 0, 0))
    for name, ratio in (("Day", 0), ("Request", 0), ("Posterior", 3), ("Plan", 4), ("Words", 5)):
        table.add_column(name, ratio=ratio or None, no_wrap=not ratio, overflow="fold")
    for row in rows:
        cells = (belief(row.get("posterior"), full=True), plan(row), str(row.get("sent", "")))
        if screen.is_terminal:
            lines = [" ".join(printable(cell).split()) for cell in cells]
            table.add_row(str(row.get("day", "")), str(row.get("request", "")), *map(Text, lines))
        else:
            start = f"day {row.get('day', '?')} {row.get('request', '?')}"
            screen.print(" | ".join(" ".join(printable(cell).split()) for cell in (start, *cells)))
    if screen.is_terminal:
        screen.print(table)
    screen.print()
