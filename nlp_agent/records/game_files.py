"""Where games lie on the disk: how their folders are named, and finding them again.

One folder a game, shared by all seats of this process (:class:`RecordFolders`). :func:`find_games` looks through
any folders, ours and those of a contest: what a file is follows from what is in it. A ``*.log`` or ``*.json`` of the
organisers is a game, and so is a folder with journals of our seats; everything else is passed over.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2s
from pathlib import Path
from typing import Any

from nlp_agent.records.game_reader import RecordedGame, game_from_seats, read_game_log, read_json_log, seat_from_journal
from nlp_agent.records.journal import read_rows

# --- Where a game's records go ---------------------------------------------------------------------------------------


GAME_LOG = "game.log"
"""The table's own file in a folder; where it is, the game is written and over."""


class RecordFolders:
    """The names of the folders of games, ``<root>/<time>_<game id>``; the time is that of the first question, so that
    folders sort by it.

    Game ids come from a server and names from a config: whatever could lead out of ``root`` is replaced. ``known``: the
    folders of games that others of this process have named, by root and id; they are shared.
    """

    def __init__(self, root: Path, stamp: Callable[[], str], known: dict[tuple[Path, str], Path] | None = None) -> None:
        self.root = root
        self._stamp = stamp
        self._folders = {} if known is None else known

    def of(self, game_id: str) -> Path:
        """The folder of the game with this id; it is not created."""
        if (self.root, game_id) not in self._folders:
            self._folders[self.root, game_id] = self.root / f"{self._stamp()}_{safe_name(game_id)}"
        return self._folders[self.root, game_id]

    def joined(self, game_id: str, file: str = GAME_LOG) -> Path:
        """The folder of a game, as :meth:`of` gives it; but one that another process has begun for the same game is
        taken rather than a second.

        One in which the game's log or ``file`` is there already is of an older game with the same id.
        """
        if (self.root, game_id) not in self._folders:
            begun = self.root.glob(f"*_{safe_name(game_id)}")
            found = [path for path in begun if not any((path / name).exists() for name in (GAME_LOG, file))]
            if found:
                self._folders[self.root, game_id] = max(found)
        return self.of(game_id)


def unwritable(folder: Path) -> str:
    """Tell why no file can be made in ``folder``, or ``""``. It is not created."""
    place = next((path for path in (folder, *folder.absolute().parents) if path.exists()), Path("/"))
    try:
        with tempfile.TemporaryFile(dir=place):
            return ""
    except OSError as error:
        return error.strerror or type(error).__name__


_DEVICE = re.compile(r"CON|PRN|AUX|NUL|(?:COM|LPT)[0-9¹²³]", re.IGNORECASE)


def safe_name(text: str, longest: int = 60) -> str:
    """Turn ``text`` into a file name for any system: letters, digits, dot, dash and underscore of any language, at most
    ``longest`` of them; no dot at either end, and none of the names that Windows keeps for devices, such as ``CON``.
    """
    name = re.sub(r"[^\w.-]", "_", text)[:longest].strip(".") or "game"
    stem, dot, rest = name.partition(".")
    return f"{stem}_{dot}{rest}" if _DEVICE.fullmatch(stem) else name


# --- Every game there is below some paths ----------------------------------------------------------------------------


Row = dict[str, Any]
_SUFFIXES = frozenset({".log", ".json", ".jsonl"})
_RECORDED = re.compile(r"(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)_(.+)")
"""How :mod:`nlp_agent.records.game_files` names a game."""
_SHORT = 12
"""Characters of a game's id up to which it is shown whole."""
_PEEK = 400
"""Characters that tell whether a file of lines is a journal."""
LARGEST_FILE = 200_000_000
"""Bytes of a file beyond which it is no game."""
COPIES = "for-analysis"
"""A folder of copies of games, laid out as the organisers' analysis wants them: below it there is no other game."""


class UnreadableGameError(OSError):
    """The files of a game hold what no game can be made of."""


@dataclass(frozen=True)
class GameFiles:
    """The files of one game on the disk. ``log`` is the organisers' game log or JSON log, ``journals`` those of our
    seats, by the file's name. ``key`` names it in addresses and stays the same as long as the files stay where they
    are.
    """

    key: str
    contest: str
    name: str
    log: Path | None = None
    journals: dict[str, Path] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The title of the game: a contest's log by folder and file, a game of our own by its time and the end of its
        id.
        """
        if (own := _RECORDED.fullmatch(self.name)) is None:
            return f"{self.contest}/{self.name}"
        year, month, day, hour, minute, second, game_id = own.groups()
        return f"{year}-{month}-{day} {hour}:{minute}:{second} · {game_id if len(game_id) <= _SHORT else game_id[-5:]}"

    def read(self) -> RecordedGame | None:
        """The game, or ``None`` when the files hold none. Raises OSError, also for files that make no sense."""
        try:
            return self._read()
        except OSError:
            raise
        except Exception as error:  # somebody else's file: it may cost itself, and none of those beside it
            raise UnreadableGameError(f"{self.name}: {type(error).__name__}: {error!s:.200}") from error

    def _read(self) -> RecordedGame | None:
        if self.log is not None:
            text = self.log.read_text(encoding="utf-8", errors="replace")
            reader = read_json_log if self.log.suffix == ".json" else read_game_log
            if (game := reader(text, self.contest, self.name)) is not None:
                return game
        return game_from_seats(
            [seat_from_journal(read_rows(path)) for path in self.journals.values()], self.contest, self.name
        )

    def rows(self, seat: str) -> list[Row]:
        """Read the journal of ``seat``. Raises KeyError without one, OSError when it cannot be read."""
        return list(read_rows(self.journals[seat]))

    @property
    def files(self) -> list[Path]:
        """The files of the game: its log and its journals."""
        return [*([self.log] if self.log else []), *self.journals.values()]

    def changed(self) -> tuple[int, ...]:
        """The times at which the files were last written to; they differ from before when one was."""
        return tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in self.files)


def find_games(paths: Iterable[Path]) -> list[GameFiles]:
    """Find all games under ``paths`` (files or folders), by path."""
    found: dict[str, GameFiles] = {}
    for path in paths:
        folders: dict[Path, list[Path]] = defaultdict(list)
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            copied = COPIES in file.relative_to(path).parts[:-1]
            if file.suffix in _SUFFIXES and not copied and file.is_file() and file.stat().st_size <= LARGEST_FILE:
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
