"""``nlp-agent journal``: what a seat believed, planned and said, side by side: in the terminal, or as one HTML file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from nlp_agent.app.cli.common import BadArgument, printable
from nlp_agent.app.cli.screen import Screen, one_line, print_json, stderr, stdout
from nlp_agent.app.cli.terminal_language import of_journal, origin_name, role_name, say, template, title
from nlp_agent.errors import os_errors_as
from nlp_agent.records.decisions import BELIEF_WORDS, belief_summary, heard_in_words, plan_summary
from nlp_agent.records.game_reader import seat_from_journal
from nlp_agent.records.journal import read_rows

if TYPE_CHECKING:
    from nlp_agent.web.game_list import LoadedGame


# --- A seat's journal in the terminal --------------------------------------------------------------------------------


Row = dict[str, Any]
_ASIDE = frozenset({"t", "event", "system", "user"})
"""What only a program reads, and prompts, which ``nlp-agent render`` shows in full."""
_STYLES = {"fallback": "bold red", "rescue": "bold red", "retry": "yellow"}
"""Who found the words, where that is worth telling, and its colour."""


@dataclass(frozen=True, slots=True)
class SeatJournal:
    """The journal of one seat: ``seat`` is the file's name, ``player`` and ``role`` those of the game, ``""`` where it
    does not tell them.
    """

    path: Path
    seat: str
    player: str
    role: str
    rows: Sequence[Row]
    players: Sequence[str] = ()

    @property
    def names(self) -> str:
        """The seat and, where it is known, the player: "kanolab1 (Agnes)"."""
        return f"{self.seat} ({self.player})" if self.player else self.seat

    def is_called(self, name: str | None) -> bool:
        """Whether ``name`` is the seat's or the player's, in any case of letters; None fits all."""
        return name is None or name.casefold() in (self.seat.casefold(), self.player.casefold())

    def decisions(self, day: int | None, request: str | None) -> list[Row]:
        """The decisions of ``day`` and ``request`` (``None``: any), without what only a program reads."""
        return [
            {key: value for key, value in row.items() if key not in _ASIDE}
            for row in self.rows
            if row.get("event") == "decision" and is_of(row, day, request)
        ]

    def show(self, screen: Screen, rows: Sequence[Row], *, full: bool) -> None:
        """Print ``rows``: for people a table a day, into a pipe a line a decision, with ``full`` many lines."""
        role = f"{say('comma')}{role_name(self.role)}" if self.role else ""
        who = f" · {self.player}{role}" if self.player else ""
        count = say("decision_one" if len(rows) == 1 else "decision_many", count=f"{len(rows):,}")
        screen.print(Text(printable(f"{self.seat}{who}: {count}"), style="bold"))
        for day, of_day in groupby(rows, key=lambda row: row.get("day", "?")):
            if full:
                for row in of_day:
                    _block(screen, row, self.players)
            elif screen.is_terminal:
                screen.print(_table(day, of_day))
            else:
                for row in of_day:
                    how = str(row.get("how", ""))
                    start = f"{_day(day)} {row.get('request', '?')}{f' ({origin_name(how)})' if how in _STYLES else ''}"
                    screen.print(" | ".join(map(one_line, (start, *_cells(row)))))
        screen.print()


def is_of(row: Mapping[str, Any], day: int | None, request: str | None) -> bool:
    """Whether a decision is of this day and request; ``None`` fits all."""
    return day in (None, row.get("day")) and request in (None, row.get("request"))


def read_seat_journal(path: Path) -> SeatJournal:
    """Read the journal of one seat. Raises OSError when it cannot be read."""
    rows = list(read_rows(path))
    state = seat_from_journal(rows).state
    return SeatJournal(path, path.stem, state.me, state.role, rows, state.players)


def _day(day: object) -> str:
    return say("on_day", day=day)


def _cells(row: Row) -> tuple[str, str, str]:
    return _belief(row.get("posterior")), _meant(row), str(row.get("sent", ""))


def _belief(posterior: Mapping[str, Any] | None, *, full: bool = False) -> str:
    words = {name: template(f"belief_{name}") for name in BELIEF_WORDS}
    return belief_summary(posterior, full=full, words=words, role_name=role_name)


def _meant(row: Row) -> str:
    return " -- ".join(map(of_journal, plan_summary(row).split(" -- ")))


def _table(day: object, rows: Iterator[Row]) -> Table:
    table = Table(
        title=Text(say("day", day=day), style="bold cyan"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    for name, ratio in (("Request", 0), ("Belief", 3), ("Plan", 4), ("Words", 5)):
        table.add_column(title(name), ratio=ratio or None, no_wrap=not ratio, overflow="fold")
    for row in rows:
        how = str(row.get("how", ""))
        request = Text(str(row.get("request", "")).capitalize())
        if how in _STYLES:
            request.append(f"\n{origin_name(how)}", style=_STYLES[how])
        thought, meant, words = map(one_line, _cells(row))
        table.add_row(request, Text(thought, style="dim"), Text(meant), Text(words, style="bold"))
    return table


def _block(screen: Screen, row: Row, players: Sequence[str]) -> None:
    """Everything about one decision."""
    how = str(row.get("how", ""))
    head = Text(f"{_day(row.get('day', '?'))} {row.get('request', '?')}", style="bold cyan")
    head.append(f"  {origin_name(how)}", style=_STYLES.get(how, "dim"))
    screen.print(head.append(f"  {_time(row)}", style="dim"))
    for name, text in _parts(row, players):
        label = f"{say(f'part_{name}')}{' ' * max(1, 10 - cell_len(say(f'part_{name}')))}"
        screen.print(Text(f"  {label}", style="dim").append(one_line(text), style="bold" if name == "sent" else ""))
    screen.print()


def _parts(row: Row, players: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield from (("heard", of_journal(heard_in_words(str(line), players))) for line in row.get("heard") or ())
    yield "believed", _belief(row.get("posterior"), full=True)
    if judged := _judged(row.get("judgement")):
        yield "judged", judged
    yield "planned", _meant(row)
    if row.get("own_reading"):
        yield "read", str(row["own_reading"])
    yield from (("problem", of_journal(str(problem))) for problem in row.get("problems") or ())
    for key, name in (("retry", "asked_on"), ("raw", "answered")):
        if row.get(key):
            yield name, str(row[key])
    yield from (("changed", of_journal(str(change))) for change in row.get("changes") or ())
    yield "sent", str(row.get("sent", ""))


def _judged(judgement: object) -> str:
    """P(werewolf) by arithmetic, model and both, in a line."""
    if not isinstance(judgement, Mapping):
        return ""
    judgements = ((key, judgement.get(key)) for key in ("core", "model", "both"))
    lines = [
        f"{say(f'judged_{key}')} {_belief({'wolf': values}, full=True)}"
        for key, values in judgements
        if isinstance(values, Mapping)
    ]
    return "; ".join(lines)


def _time(row: Row) -> str:
    ms, usage = row.get("ms"), row.get("usage")
    parts = [f"{ms:,.0f} ms"] if isinstance(ms, int | float) else []
    if isinstance(usage, Mapping):
        counts = (f"{usage.get(key, 0):,}" for key in ("prompt_tokens", "completion_tokens"))
        parts.append(say("tokens_both", tokens=" + ".join(counts)))
    return ", ".join(parts)


# --- ``nlp-agent journal`` -------------------------------------------------------------------------------------------


EPILOG = """
**Examples**

* `nlp-agent journal records/*/nlp-agent1.jsonl` – one seat's game
* `nlp-agent journal records/20260101-120000_01ABC --day 2` – all seats of a game, on day 2
* `nlp-agent journal GAME --seat nlp-agent3 --request VOTE --full` – one seat's votes and all they rest on
* `nlp-agent journal GAME --html game.html` – one page with everything, to send to a team mate
* `nlp-agent replay records` – the same in the browser, beside the game

**Belief** shows the probability of being a werewolf, for the most suspicious players. --full shows it for everybody.
"leaning" adds the character's small preference, which decides ties; "shown" is what a liar pretends to believe. --full
also shows what was heard, what was refused and why, and what the model wrote.
"""


def journal(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Journals (.jsonl), or folders of games.")],
    day: Annotated[int | None, typer.Option("--day", "-d", min=0, metavar="N", help="Only this day.")] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", "-s", metavar="NAME", help="Only this seat, or the player it played.")
    ] = None,
    request: Annotated[
        str | None, typer.Option("--request", "-r", metavar="TALK|VOTE|...", help="Only this kind of request.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Everything about each decision, line by line.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write one self-contained page instead.")
    ] = None,
    lang: Annotated[
        str, typer.Option("--lang", metavar="en|ja", help="Language of that page. Default: the games'.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a decision, nothing else.")] = False,
) -> None:
    """Show every decision of a game: belief, plan and words side by side, a table a day."""
    request = request.upper() if request else None
    paths = _journals(files)
    seats = [one for path in paths if (one := _opened_journal(path)).is_called(seat)]
    if not seats:
        raise BadArgument(_nothing(files, paths, seat))
    _need_decisions(seats, day, request)
    if html is not None:
        _write(html, _games_of([one.path for one in seats], day, request), lang)
        return
    screen = stdout()
    for one in seats:
        rows = one.decisions(day, request)
        if as_json:
            for row in rows:
                print_json({"seat": one.seat, **row})
        else:
            one.show(screen, rows, full=full)


def _nothing(files: Sequence[Path], paths: Sequence[Path], seat: str | None) -> str:
    """Why there is nothing to show, and what to name instead."""
    if paths:
        return f"no journal of seat {seat!r} (seats: {', '.join(_opened_journal(path).names for path in paths)})"
    # Whoever names the folder of all games most likely means the last one played.
    games = sorted({journal.parent for file in files if file.is_dir() for journal in file.glob("*/*.jsonl")})
    return f"no journals there{f'; name the folder of a game, such as {games[-1]}' if games else ''}"


def _need_decisions(seats: Sequence[SeatJournal], day: int | None, request: str | None) -> None:
    """Raises BadParameter, with the days and kinds that there are, when none of ``seats`` decided so."""
    rows = [row for one in seats for row in one.decisions(None, None)]
    if (day is None and request is None) or any(is_of(row, day, request) for row in rows):
        return
    kinds = list(dict.fromkeys(str(row.get("request")) for row in rows if day in (None, row.get("day")))) or list(
        dict.fromkeys(str(row.get("request")) for row in rows)
    )
    days = sorted({row["day"] for row in rows if isinstance(row.get("day"), int)})
    if day is None:
        wanted = f"no decision {request}"
    elif request is None:
        wanted = f"no decision on day {day}"
    else:
        wanted = f"no decision {request} on day {day}"
    there = f"days: {', '.join(map(str, days)) or 'none'}; kinds: {', '.join(kinds) or 'none'}"
    raise BadArgument(f"{wanted} ({there})", param_hint="--day" if request is None else "--request")


def _journals(files: list[Path]) -> list[Path]:
    found: list[Path] = []
    for file in files:
        if file.is_dir():
            found.extend(sorted(file.glob("*.jsonl")))
        elif file.is_file():
            found.append(file)
        else:
            raise BadArgument(f"there is no file or folder {file}")
    return found


def _opened_journal(path: Path) -> SeatJournal:
    with os_errors_as(BadArgument, f"{path} cannot be read"):
        return read_seat_journal(path)


def _games_of(journals: list[Path], day: int | None, request: str | None) -> list[LoadedGame]:
    """The games that ``journals`` are of, with the decisions asked for."""
    from nlp_agent.records.game_files import find_games
    from nlp_agent.web.game_list import load_game

    wanted = {path.resolve() for path in journals}
    games: list[LoadedGame] = []
    for files in find_games(dict.fromkeys(path.parent for path in journals)):
        chosen = {seat: path for seat, path in files.journals.items() if path.resolve() in wanted}
        if chosen:
            with suppress(KeyError):
                game = load_game(replace(files, journals=chosen))
                for rows in game.rows.values():
                    rows[:] = [row for row in rows if row.get("event") == "packet" or is_of(row, day, request)]
                games.append(game)
    if not games:
        raise BadArgument("these journals hold no packets, so there is no game to show")
    return games


def _write(page: Path, games: list[LoadedGame], lang: str) -> None:
    from nlp_agent.prompting.detect_language import language_of
    from nlp_agent.web.decision import journal_page
    from nlp_agent.web.rendering import DEFAULT_LANGUAGE, load_texts

    own = language_of(games[0].game)
    try:
        text = journal_page(games, lang or (own if own in load_texts() else DEFAULT_LANGUAGE))
    except KeyError:
        raise BadArgument(f"there are no pages in {lang!r}, but in en and ja", param_hint="--lang") from None
    with os_errors_as(BadArgument, f"{page} cannot be written", param_hint="--html"):
        page.write_text(text, encoding="utf-8", newline="\n")
    stderr().tell(say("page_written", file=page, size=f"{len(text.encode()) / 1e6:.1f}"))
