"""A tournament's folder: its rows, a folder of records for each game, and what makes it this tournament and no
other.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from nlp_agent.errors import ConfigError, os_errors_as
from nlp_agent.records.row_files import RowFile, read_json_object
from nlp_agent.tournament.contestant_files import PackedContestant
from nlp_agent.tournament.limits import Costs
from nlp_agent.tournament.plan import Plan
from nlp_agent.tournament.rows import GAMES_FOLDER, ROWS_FILE, GameRow, read_rows

IDENTITY_FILE = "tournament.json"
"""What the games in a folder are of."""
_LOCK = "lock"


class Store:
    """Open between ``with``, for one command at a time. ``done`` has the rows that were there before."""

    def __init__(self, folder: Path, plan: Plan, baggage: Sequence[PackedContestant]) -> None:
        self.folder = folder
        self._about = tournament_identity(plan, baggage)

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
        """What games of the same models in the same villages cost in tournaments whose folders lie beside this one."""
        costs = Costs()
        for file in sorted(self.folder.resolve().parent.glob(f"*/{IDENTITY_FILE}")):
            told = read_json_object(file)
            alike = all(told.get(key) == self._about[key] for key in ("villages", "tables"))
            if alike and sorted(told.get("models", ())) == sorted(self._about["models"]):
                for row in read_rows(file.parent):
                    costs.take(row)
        return costs

    def keep(self, row: GameRow, files: Mapping[str, bytes]) -> GameRow:
        """The records first, whole, then the row: a game without a row is played again and replaces them."""
        place = self.folder / GAMES_FOLDER / row.game
        part = place.with_name(f".{row.game}.part")
        for old in (part, place):
            shutil.rmtree(old, ignore_errors=True)
        part.mkdir()
        for name, data in files.items():
            (part / name).write_bytes(data)
        part.rename(place)
        kept = replace(row, records=f"{GAMES_FOLDER}/{row.game}")
        self._rows.append(kept.line())
        return kept

    def _same_tournament(self) -> None:
        file = self.folder / IDENTITY_FILE
        if not file.exists() or next(read_rows(self.folder), None) is None:
            part = file.with_suffix(".part")
            part.write_text(json.dumps(self._about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            part.replace(file)
            return
        if changes := _changes(read_json_object(file), self._about):
            raise ConfigError(
                f"the games in this folder were played with other {' and '.join(changes)}: name a new one with --out",
                file=str(self.folder),
            )


def tournament_identity(plan: Plan, baggage: Sequence[PackedContestant]) -> dict[str, Any]:
    """What makes a tournament the same one, ready for JSON. Limits are not part of it: they may be raised."""
    about = {
        "contestants": {one.name: one.digest for one in baggage},
        "villages": {name: asdict(spec) for name, spec in plan.villages.items()},
        "tables": plan.tables.value,
        "seed": plan.seed,
        "models": [contestant.model for contestant in plan.contestants],
    }
    made: dict[str, Any] = json.loads(json.dumps(about))
    return made


def _changes(told: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    changed = [key for key in ("contestants", "villages", "tables", "seed") if told.get(key) != wanted[key]]
    if "contestants" in changed:
        before, now = told.get("contestants", {}), wanted["contestants"]
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
