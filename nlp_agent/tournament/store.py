"""A tournament's folder: its rows, a folder of records for each game, and what makes it this tournament and no
other.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from nlp_agent.errors import ConfigError, StudyError, os_errors_as
from nlp_agent.records.row_files import RowFile, read_json_object
from nlp_agent.tournament.contestant_files import PackedContestant, pack_contestant
from nlp_agent.tournament.limits import Costs
from nlp_agent.tournament.plan import Plan
from nlp_agent.tournament.rows import GAMES_FOLDER, ROWS_FILE, GameRow, read_rows

IDENTITY_FILE = "tournament.json"
"""What the games in a folder are of."""
FIXED_GAMES = "games"
"""In that file: the number of games that was fixed before the first; null where there is none, or another was asked
for later; 0 where only a dry run has played.
"""
_LOCK = "lock"


class Store:
    """Open between ``with``, for one command at a time. ``done`` has the rows that were there before.

    ``fixed``: whether every command that played here asked for the same number of games, and for no other end, so that
    an interval for a number fixed before is right. A ``dry_run`` fixes nothing: the next command does.
    """

    fixed = False

    def __init__(self, folder: Path, plan: Plan, baggage: Sequence[PackedContestant], *, dry_run: bool = False) -> None:
        self.folder = folder
        self._about = tournament_identity(plan, baggage)
        self._dry_run = dry_run
        self._games = plan.limits.games if plan.limits.until is None else None

    def __enter__(self) -> Self:
        """Raises ConfigError when the folder holds another tournament, or another command is at it."""
        with os_errors_as(ConfigError, "cannot be made", file=str(self.folder)):
            (self.folder / GAMES_FOLDER).mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            lock = stack.enter_context((self.folder / _LOCK).open("w"))
            if not _locked(lock.fileno()):
                raise ConfigError("another command is playing this tournament; wait for it", file=str(self.folder))
            self._same_tournament()
            self._rows = stack.enter_context(RowFile(self.folder / ROWS_FILE))
            self._open = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def done(self) -> Iterator[GameRow]:
        """The rows that are there, each game once."""
        seen: set[str] = set()
        for row in read_rows(self.folder):
            if row.game not in seen:
                seen.add(row.game)
                yield row

    def like_these(self) -> Costs:
        """The costs of games of the same models in the same villages, in tournaments whose folders lie beside
        this one.
        """
        costs = Costs()
        for file in sorted(self.folder.resolve().parent.glob(f"*/{IDENTITY_FILE}")):
            stored = read_json_object(file)
            alike = all(stored.get(key) == self._about[key] for key in ("villages", "tables"))
            if alike and sorted(stored.get("models", ())) == sorted(self._about["models"]):
                for row in read_rows(file.parent):
                    costs.take(row)
        return costs

    def keep(self, row: GameRow, files: Mapping[str, bytes]) -> GameRow:
        """Keep a game: the records first, whole, then the row, as a game without a row is played again and replaces
        them.

        Raises StudyError where there is no room; what was kept before is whole.
        """
        place = self.folder / GAMES_FOLDER / row.game
        part = place.with_name(f".{row.game}.part")
        kept = replace(row, records=f"{GAMES_FOLDER}/{row.game}")
        with os_errors_as(StudyError, f"cannot write to {self.folder}; the same command goes on when it can be"):
            for old in (part, place):
                shutil.rmtree(old, ignore_errors=True)
            part.mkdir()
            for name, data in files.items():
                (part / name).write_bytes(data)
            part.rename(place)
            self._rows.append(kept.line())
        return kept

    def _same_tournament(self) -> None:
        file = self.folder / IDENTITY_FILE
        if not file.exists() or next(read_rows(self.folder), None) is None:
            self._describe(file, 0 if self._dry_run else self._games)
            return
        stored = read_json_object(file)
        if changes := _changes(stored, self._about):
            raise ConfigError(
                f"the games in this folder were played with other {' and '.join(changes)}: name a new one with --out",
                file=str(self.folder),
            )
        if self._dry_run:
            return
        if stored.get(FIXED_GAMES) == 0:
            self._describe(file, self._games)
        elif stored.get(FIXED_GAMES) != self._games:
            self._describe(file, None)
        else:
            self.fixed = self._games is not None

    def _describe(self, file: Path, games: int | None) -> None:
        self.fixed = bool(games)
        part, content = file.with_suffix(".part"), {**self._about, FIXED_GAMES: games}
        with os_errors_as(ConfigError, "cannot be written", file=str(file)):
            part.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            part.replace(file)


def tournament_identity(plan: Plan, baggage: Sequence[PackedContestant]) -> dict[str, Any]:
    """The facts that make a tournament the same one, ready for JSON. Limits are not part of it: they may be raised."""
    about = {
        "contestants": {one.name: one.digest for one in baggage},
        "villages": {name: asdict(spec) for name, spec in plan.villages.items()},
        "tables": plan.tables.value,
        "seed": plan.seed,
        "models": [contestant.model for contestant in plan.contestants],
    }
    made: dict[str, Any] = json.loads(json.dumps(about))
    return made


def folder_name(plan: Plan) -> str:
    """The name of the folder for the games of ``plan``; it holds a digest of all that makes these games what they are,
    so that nothing else is ever found there.
    """
    about = tournament_identity(plan, [pack_contestant(contestant) for contestant in plan.contestants])
    told = json.dumps(about, sort_keys=True)
    return f"{'-vs-'.join(plan.names)}-{hashlib.sha256(told.encode()).hexdigest()[:6]}"


def _changes(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    changed = [key for key in ("contestants", "villages", "tables", "seed") if stored.get(key) != wanted[key]]
    if "contestants" in changed:
        before, now = stored.get("contestants", {}), wanted["contestants"]
        names = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
        changed[changed.index("contestants")] = f"contestants ({', '.join(names) or 'in another order'})"
    return changed


def _locked(descriptor: int) -> bool:
    """Whether the lock is ours; it goes with the process. Systems without such locks have none."""
    try:
        import fcntl  # noqa: PLC0415
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
