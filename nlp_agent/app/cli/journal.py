"""``nlp-agent journal``: what a seat believed, planned and said, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli.journal_view import OneJournal, is_of, told_by
from nlp_agent.app.cli.screen import print_json, stderr, stdout
from nlp_agent.errors import os_errors_as

if TYPE_CHECKING:
    from nlp_agent.web.game_list import OpenGame

EPILOG = """
**Examples**

* `nlp-agent journal records/*/nlp-agent1.jsonl` – one seat's game
* `nlp-agent journal records/20260101-120000_01ABC --day 2` – all seats of a game, on day 2
* `nlp-agent journal GAME --seat nlp-agent3 --request VOTE --full` – one seat's votes and all they rest on
* `nlp-agent journal GAME --html game.html` – one page with everything, to send to a team mate
* `nlp-agent replay records` – the same in the browser, beside the game

Under **Belief** stands the posterior P(werewolf) of the most suspicious players. With --full: of everybody; behind
"leaning" moved by the character's slight taste, by which it acts, and behind "shown" as it pretends to see it; what was
heard, what was refused and why, and what the model wrote.
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
    lang: Annotated[str, typer.Option("--lang", metavar="en|ja", help="Language of that page.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a decision, nothing else.")] = False,
) -> None:
    """Show every decision of a game: belief, plan and words side by side, a table a day."""
    request = request.upper() if request else None
    paths = _journals(files)
    seats = [told for path in paths if (told := _told(path)).is_called(seat)]
    if not seats:
        raise typer.BadParameter(_nothing(files, paths, seat))
    _need_decisions(seats, day, request)
    if html is not None:
        _write(html, _games([told.path for told in seats], day, request), lang)
        return
    screen = stdout()
    for told in seats:
        rows = told.decisions(day, request)
        if as_json:
            for row in rows:
                print_json({"seat": told.seat, **row})
        else:
            told.show(screen, rows, full=full)


def _nothing(files: Sequence[Path], paths: Sequence[Path], seat: str | None) -> str:
    """Why there is nothing to show, and what to name instead."""
    if paths:
        return f"no journal of seat {seat!r} (seats: {', '.join(_told(path).names for path in paths)})"
    # Whoever names the folder of all games most likely means the last one played.
    games = sorted({journal.parent for file in files if file.is_dir() for journal in file.glob("*/*.jsonl")})
    return f"no journals there{f'; name the folder of a game, such as {games[-1]}' if games else ''}"


def _need_decisions(seats: Sequence[OneJournal], day: int | None, request: str | None) -> None:
    """Raises BadParameter, with the days and kinds that there are, when none of ``seats`` decided so."""
    rows = [row for told in seats for row in told.decisions(None, None)]
    if (day is None and request is None) or any(is_of(row, day, request) for row in rows):
        return
    kinds = list(dict.fromkeys(str(row.get("request")) for row in rows if day in (None, row.get("day")))) or list(
        dict.fromkeys(str(row.get("request")) for row in rows)
    )
    days = sorted({row["day"] for row in rows if isinstance(row.get("day"), int)})
    wanted = " ".join(filter(None, (request, "" if day is None else f"on day {day}")))
    there = f"days: {', '.join(map(str, days)) or 'none'}; kinds: {', '.join(kinds) or 'none'}"
    raise typer.BadParameter(f"no decision {wanted} ({there})", param_hint="--day" if request is None else "--request")


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


def _told(path: Path) -> OneJournal:
    with os_errors_as(typer.BadParameter, f"{path} cannot be read"):
        return told_by(path)


def _games(journals: list[Path], day: int | None, request: str | None) -> list[OpenGame]:
    """The games that ``journals`` are of, with the decisions asked for."""
    from nlp_agent.records.library import find_games
    from nlp_agent.web.game_list import opened

    wanted = {path.resolve() for path in journals}
    games: list[OpenGame] = []
    for files in find_games(dict.fromkeys(path.parent for path in journals)):
        chosen = {seat: path for seat, path in files.journals.items() if path.resolve() in wanted}
        if chosen:
            with suppress(KeyError):
                game = opened(replace(files, journals=chosen))
                for rows in game.rows.values():
                    rows[:] = [row for row in rows if row.get("event") == "packet" or is_of(row, day, request)]
                games.append(game)
    if not games:
        raise typer.BadParameter("these journals hold no packets, so there is no game to show")
    return games


def _write(page: Path, games: list[OpenGame], lang: str) -> None:
    from nlp_agent.web.journal_page import journal_page

    try:
        text = journal_page(games, lang)
    except KeyError:
        raise typer.BadParameter(f"there are no pages in {lang!r}, but in en and ja", param_hint="--lang") from None
    with os_errors_as(typer.BadParameter, f"{page} cannot be written", param_hint="--html"):
        page.write_text(text, encoding="utf-8")
    stderr().tell(f"Wrote {page} ({len(text.encode()) / 1e6:.1f} MB); it needs nothing else to be read.")
