"""Every game there is below some paths: our own records, and the organisers' logs of any contest.

What a file is, is told by what is in it: a ``*.log`` or ``*.json`` of the organisers' is a game, and so is a folder
with the journals of our seats, which the logs beside them belong to. Everything else is passed over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2s
from pathlib import Path
from typing import Any

from nlp_agent.records.gamelog import LoggedGame, read_game
from nlp_agent.records.journal import read_rows
from nlp_agent.records.told import game_told, read_json_log, told_by_journal

Row = dict[str, Any]
_SUFFIXES = frozenset({".log", ".json", ".jsonl"})
_RECORDED = re.compile(r"(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)_(.+)")
"""How :mod:`nlp_agent.records.folders` names a game."""
_SHORT = 12
"""Characters of a game's id up to which it is told whole."""
_PEEK = 400
"""Characters that tell whether a file of lines is a journal."""
LARGEST = 200_000_000
"""Bytes of a file beyond which it is no game."""


@dataclass(frozen=True)
class GameFiles:
    """One game on the disk. ``log`` is the organisers' game log or JSON log, ``journals`` those of our seats, by the
    file's name. ``key`` names it in addresses and stays the same as long as the files stay where they are.
    """

    key: str
    contest: str
    name: str
    log: Path | None = None
    journals: dict[str, Path] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What to call it: a contest's log by folder and file, a game of our own by its time and the end of its id."""
        if (own := _RECORDED.fullmatch(self.name)) is None:
            return f"{self.contest}/{self.name}"
        year, month, day, hour, minute, second, game_id = own.groups()
        return f"{year}-{month}-{day} {hour}:{minute}:{second} · {game_id if len(game_id) <= _SHORT else game_id[-5:]}"

    def read(self) -> LoggedGame | None:
        """The game, or ``None`` when the files hold none. Raises OSError."""
        if self.log is not None:
            text = self.log.read_text(encoding="utf-8", errors="replace")
            reader = read_json_log if self.log.suffix == ".json" else read_game
            if (game := reader(text, self.contest, self.name)) is not None:
                return game
        return game_told([told_by_journal(read_rows(path)) for path in self.journals.values()], self.contest, self.name)

    def rows(self, seat: str) -> list[Row]:
        """The journal of ``seat``. Raises KeyError without one, OSError when it cannot be read."""
        return list(read_rows(self.journals[seat]))

    @property
    def files(self) -> list[Path]:
        return [*([self.log] if self.log else []), *self.journals.values()]

    def changed(self) -> tuple[int, ...]:
        """Differs from before when a file was written to."""
        return tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in self.files)


def find_games(paths: Iterable[Path]) -> list[GameFiles]:
    """All games under ``paths`` (files or folders), by path."""
    found: dict[str, GameFiles] = {}
    for path in paths:
        folders: dict[Path, list[Path]] = defaultdict(list)
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.suffix in _SUFFIXES and file.is_file() and file.stat().st_size <= LARGEST:
                folders[file.parent].append(file)
        for folder, files in folders.items():
            for game in _games_of(folder.resolve(), files):
                found.setdefault(game.key, game)
    return list(found.values())


def _games_of(folder: Path, files: Sequence[Path]) -> list[GameFiles]:
    journals = {file.stem: file for file in files if file.suffix == ".jsonl" and _is_journal(file)}
    logs = [file for file in files if file.suffix == ".log" and _head(file).partition("\n")[0].count(",status,") == 1]
    logs += [file for file in files if file.suffix == ".json" and '"agents"' in _head(file)]
    if journals or {file.name for file in logs} & {"game.log", "game.json"}:
        # A folder of its own: all logs are of one game, and the plain one tells most.
        log = next(iter(sorted(logs, key=lambda file: (file.name != "game.log", file.suffix != ".log"))), None)
        return [GameFiles(_key(folder), folder.parent.name, folder.name, log, journals)]
    plain = {file.stem.removesuffix("_game") for file in logs if file.suffix == ".log"}
    return [
        GameFiles(_key(file), folder.name, file.stem, file)
        for file in logs
        if file.suffix == ".log" or file.stem.removesuffix("_json") not in plain
    ]


def _head(file: Path) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(_PEEK)
    except OSError:
        return ""


def _is_journal(file: Path) -> bool:
    line = _head(file).partition("\n")[0]
    return line.startswith('{"t": ') and '"event": ' in line


def _key(path: Path) -> str:
    return blake2s(str(path).encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
