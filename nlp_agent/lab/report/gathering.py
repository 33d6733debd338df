"""From a folder to evidence: a tournament's rows, records of any games of ours, or the organisers' logs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nlp_agent.arena.dealing import team_of
from nlp_agent.errors import StudyError
from nlp_agent.game import role_spec
from nlp_agent.lab.judge.run import JUDGED
from nlp_agent.lab.report.evidence import Detail, Evidence, GamePlace
from nlp_agent.lab.report.looking import Look, look_at
from nlp_agent.lab.row_files import object_of
from nlp_agent.lab.study.logs import language_of
from nlp_agent.lab.tournament.rows import GAMES, ROWS, GameRow, SeatRow, read_rows
from nlp_agent.protocol import OVER, SKIP
from nlp_agent.records.gamelog import LoggedGame
from nlp_agent.records.journal import read_rows as read_journal
from nlp_agent.records.library import GameFiles, find_games
from nlp_agent.records.summary import percentile
from nlp_agent.seat import How

Spread = Callable[[Callable[[Look], tuple[str, Detail]], Sequence[Look]], Iterable[tuple[str, Detail]]]
"""Does a task for all work, in any number of processes."""
Files = Callable[[GameRow], GameFiles | None]
"""A game's files, where there are any."""


def gather(folder: Path, spread: Spread, *, most: int) -> Evidence:
    """All games below ``folder``, at most ``most`` of them looked at closely, picked evenly.

    Raises StudyError when there is none.
    """
    if not folder.exists():
        raise StudyError(f"{folder} does not exist: name a folder of records or game logs")
    rows, files_of = _tournament(folder) if (folder / ROWS).is_file() else _records(folder)
    if not rows:
        raise StudyError(f"no finished game under {folder}: it needs a tournament, records or game logs (*.log)")
    most = min(most, len(rows))
    looked = [rows[number * len(rows) // most] for number in range(most)]
    found = {row.game: files for row in looked if (files := files_of(row)) is not None}
    work = [Look(row.game, found[row.game], not row.counted) for row in looked if row.game in found]
    return Evidence(
        folder.resolve().name,
        rows,
        order_of(rows),
        dict(spread(look_at, work)),
        {game: GamePlace(str(_opened(files)), files.key) for game, files in found.items()},
        str(folder),
        object_of(folder / JUDGED / "summary.json"),
    )


UNNAMED = "unnamed players"
"""All whose connection the records do not name, as in journals of other people's servers: no team of their own."""


def order_of(rows: Iterable[GameRow]) -> tuple[str, ...]:
    """Contestants by how often they sat, then by name; with rows of a tournament all sat alike."""
    seats = Counter(seat.contestant for row in rows for seat in row.seats)
    if len(seats) > 1:
        seats.pop(UNNAMED, None)
    return tuple(sorted(seats, key=lambda who: (-seats[who], who)))


def _opened(files: GameFiles) -> Path:
    """What to give to ``nlp-agent replay`` for this game alone."""
    first = files.log or next(iter(files.journals.values()))
    own = files.journals or first.name.startswith("game.")
    return first.parent if own else first


# --- a tournament ----------------------------------------------------------------------------------------------


def _tournament(folder: Path) -> tuple[list[GameRow], Files]:
    rows: dict[str, GameRow] = {}
    for row in read_rows(folder):
        rows.setdefault(row.game, row)

    def files_of(row: GameRow) -> GameFiles | None:
        place = folder / GAMES / row.game
        return next(iter(find_games([place])), None) if place.is_dir() else None

    return list(rows.values()), files_of


# --- records and logs ------------------------------------------------------------------------------------------


def _records(folder: Path) -> tuple[list[GameRow], Files]:
    found: dict[str, GameFiles] = {}
    rows = []
    for files in find_games([folder]):
        try:
            game = files.read()
            journals = {seat: list(read_journal(path)) for seat, path in files.journals.items()}
        except OSError:
            continue
        if game is not None and game.winner and len(game.names) > 1:
            rows.append(row_of(game, journals, files.key))
            found[files.key] = files
    return rows, lambda row: found.get(row.game)


def row_of(game: LoggedGame, journals: Mapping[str, Sequence[Mapping[str, Any]]], key: str) -> GameRow:
    """A game as a row, from its log and the journals there are (by connection's name)."""
    last = game.days[-1]
    votes: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for day in game.days:
        for voter, target in day.votes.items():
            votes[voter].append((day.day, game.names.index(target)))
    gone = {name for day in game.days for name in (day.executed, day.attacked)}
    seats = tuple(
        _seat(game, number, journals.get(player.guest, ()), tuple(votes[player.name]), player.name not in gone)
        for number, player in enumerate(game.players)
    )
    return GameRow(
        game_id=game.name,
        winner=game.winner,
        days=last.day,
        seed=0,
        village=game.role_num_map,
        language=language_of(game),
        game=key,
        group=game.contest,
        talk="groupchat" if any(talk.time is not None for day in game.days for talk in day.talks) else "turns",
        seats=seats,
    )


def _seat(
    game: LoggedGame,
    number: int,
    journal: Sequence[Mapping[str, Any]],
    votes: tuple[tuple[int, int], ...],
    survived: bool,
) -> SeatRow:
    player = game.players[number]
    side = role_spec(player.role).side.value
    rows = [row for row in journal if row.get("event") == "decision"]
    how = Counter(str(row.get("how")) for row in rows)
    used = [row["usage"] for row in rows if isinstance(row.get("usage"), dict)]
    milliseconds = [float(row.get("ms", 0)) for row in rows]
    money = [use.get("money") for use in used]
    return SeatRow(
        name=player.name,
        seat=player.guest,
        role=player.role,
        survived=survived,
        talks=sum(t.agent == player.name and t.text not in (OVER, SKIP) for day in game.days for t in day.talks),
        replies=len(rows),
        llm=how[How.LLM] + how[How.RETRY],
        retries=how[How.RETRY],
        fallbacks=how[How.FALLBACK] + how[How.RESCUE],
        dropped=sum(row.get("event") == "dropped" for row in journal),
        llm_calls=_sum(used, "calls"),
        prompt_tokens=_sum(used, "prompt_tokens"),
        completion_tokens=_sum(used, "completion_tokens"),
        cached_tokens=_sum(used, "cached_tokens"),
        p50_ms=percentile(milliseconds, 0.5),
        p99_ms=percentile(milliseconds, 0.99),
        contestant=team_of(player.guest) or player.guest or UNNAMED,
        side=side,
        won=side == game.winner,
        votes=votes,
        p90_ms=percentile(milliseconds, 0.9),
        max_ms=max(milliseconds, default=0.0),
        timeout_ms=round(
            max((1000 * float(row.get("left_s", 0)) + float(row.get("ms", 0)) for row in rows), default=0)
        ),
        money=None if None in money else sum(money),
    )


def _sum(used: Iterable[Mapping[str, Any]], key: str) -> int:
    return sum(int(use.get(key) or 0) for use in used)
