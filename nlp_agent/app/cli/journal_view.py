"""A seat's journal in the terminal: a table a day, or all there is to a decision line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from nlp_agent.app.cli.plain import printable
from nlp_agent.app.cli.screen import Screen, counted, one_line
from nlp_agent.records.decision_text import belief, plan
from nlp_agent.records.journal import read_rows
from nlp_agent.records.told import told_by_journal

Row = dict[str, Any]
_ASIDE = frozenset({"t", "event", "system", "user"})
"""What only a program reads, and prompts, which ``nlp-agent render`` shows in full."""
_STYLES = {"fallback": "bold red", "rescue": "bold red", "retry": "yellow"}
"""Who found the words, where that is worth telling, and its colour."""


@dataclass(frozen=True, slots=True)
class OneJournal:
    """One journal: the ``seat`` is the file's name, ``player`` and ``role`` those of the game, ``""`` where it does not
    tell them.
    """

    path: Path
    seat: str
    player: str
    role: str
    rows: Sequence[Row]

    @property
    def names(self) -> str:
        return f"{self.seat} ({self.player})" if self.player else self.seat

    def is_called(self, name: str | None) -> bool:
        return name is None or name.casefold() in (self.seat.casefold(), self.player.casefold())

    def decisions(self, day: int | None, request: str | None) -> list[Row]:
        """Those of ``day`` and ``request`` (``None``: any), without what only a program reads."""
        return [
            {key: value for key, value in row.items() if key not in _ASIDE}
            for row in self.rows
            if row.get("event") == "decision" and is_of(row, day, request)
        ]

    def show(self, screen: Screen, rows: Sequence[Row], *, full: bool) -> None:
        """Print ``rows``: for people a table a day, into a pipe a line a decision, with ``full`` many lines."""
        who = f" · {self.player}{f', {self.role.lower()}' if self.role else ''}" if self.player else ""
        count = counted(len(rows), "decision")
        screen.print(Text(printable(f"{self.seat}{who}: {count}"), style="bold"))
        for day, of_day in groupby(rows, key=lambda row: row.get("day", "?")):
            if full:
                for row in of_day:
                    _block(screen, row)
            elif screen.is_terminal:
                screen.print(_table(day, of_day))
            else:
                for row in of_day:
                    how = str(row.get("how", ""))
                    start = f"day {day} {row.get('request', '?')}{f' ({how})' if how in _STYLES else ''}"
                    screen.print(" | ".join(map(one_line, (start, *_cells(row)))))
        screen.print()


def is_of(row: Mapping[str, Any], day: int | None, request: str | None) -> bool:
    """Whether a decision is of this day and request; ``None`` fits all."""
    return day in (None, row.get("day")) and request in (None, row.get("request"))


def told_by(path: Path) -> OneJournal:
    """Raises OSError when the journal cannot be read."""
    rows = list(read_rows(path))
    state = told_by_journal(rows).state
    return OneJournal(path, path.stem, state.me, state.role, rows)


def _cells(row: Row) -> tuple[str, str, str]:
    return belief(row.get("posterior")), plan(row), str(row.get("sent", ""))


def _table(day: object, rows: Iterator[Row]) -> Table:
    title = Text(f"Day {day}", style="bold cyan")
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    for name, ratio in (("Request", 0), ("Belief", 3), ("Plan", 4), ("Words", 5)):
        table.add_column(name, ratio=ratio or None, no_wrap=not ratio, overflow="fold")
    for row in rows:
        how = str(row.get("how", ""))
        request = Text(str(row.get("request", "")).capitalize())
        if how in _STYLES:
            request.append(f"\n{how}", style=_STYLES[how])
        thought, meant, words = map(one_line, _cells(row))
        table.add_row(request, Text(thought, style="dim"), Text(meant), Text(words, style="bold"))
    return table


def _block(screen: Screen, row: Row) -> None:
    """Everything about one decision."""
    how = str(row.get("how", ""))
    head = Text(f"day {row.get('day', '?')} {row.get('request', '?')}", style="bold cyan")
    screen.print(head.append(f"  {how}", style=_STYLES.get(how, "dim")).append(f"  {_time(row)}", style="dim"))
    for name, text in _parts(row):
        screen.print(Text(f"  {name:<9} ", style="dim").append(one_line(text), style="bold" if name == "sent" else ""))
    screen.print()


def _parts(row: Row) -> Iterator[tuple[str, str]]:
    yield from (("heard", str(line)) for line in row.get("heard") or ())
    yield "believed", belief(row.get("posterior"), full=True)
    if judged := _judged(row.get("judgement")):
        yield "judged", judged
    yield "planned", plan(row)
    yield from (("problem", str(problem)) for problem in row.get("problems") or ())
    for key, name in (("retry", "asked on"), ("raw", "answered")):
        if row.get(key):
            yield name, str(row[key])
    yield from (("changed", str(change)) for change in row.get("changes") or ())
    yield "sent", str(row.get("sent", ""))


def _judged(judgement: object) -> str:
    """P(werewolf) by arithmetic, model and both, in a line."""
    if not isinstance(judgement, Mapping):
        return ""
    told = ((key, judgement.get(key)) for key in ("core", "model", "both"))
    lines = [f"{key} {belief({'wolf': values}, full=True)}" for key, values in told if isinstance(values, Mapping)]
    return "; ".join(lines)


def _time(row: Row) -> str:
    ms, usage = row.get("ms"), row.get("usage")
    parts = [f"{ms:,.0f} ms"] if isinstance(ms, int | float) else []
    if isinstance(usage, Mapping):
        parts.append(f"{usage.get('prompt_tokens', 0):,} + {usage.get('completion_tokens', 0):,} tokens")
    return ", ".join(parts)
