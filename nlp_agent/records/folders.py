"""Where a game's records go: one folder a game, shared by all seats of this process."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

LOG = "game.log"
"""The table's own file in a folder; where it is, the game is written and over."""


class RecordFolders:
    """``<root>/<time>_<game id>``; the time is that of the first question, so that folders sort by it.

    Game ids come from a server and names from a config: whatever could lead out of ``root`` is replaced.
    """

    def __init__(self, root: Path, stamp: Callable[[], str]) -> None:
        self.root = root
        self._stamp = stamp
        self._folders: dict[str, Path] = {}

    def of(self, game_id: str) -> Path:
        if game_id not in self._folders:
            self._folders[game_id] = self.root / f"{self._stamp()}_{safe_name(game_id)}"
        return self._folders[game_id]

    def joined(self, game_id: str) -> Path:
        """As :meth:`of`; but one that another process has begun for the same game is taken rather than a second."""
        if game_id not in self._folders:
            found = [path for path in self.root.glob(f"*_{safe_name(game_id)}") if not (path / LOG).exists()]
            if found:
                self._folders[game_id] = max(found)
        return self.of(game_id)


def unwritable(folder: Path) -> str:
    """Why no file can be made in ``folder``, or ``""``. It is not created."""
    place = next((path for path in (folder, *folder.absolute().parents) if path.exists()), Path("/"))
    try:
        with tempfile.TemporaryFile(dir=place):
            return ""
    except OSError as error:
        return error.strerror or type(error).__name__


def safe_name(text: str) -> str:
    """``text`` as a file name: letters, digits, dot, dash and underscore of any language, at most 60 of them."""
    return re.sub(r"[^\w.-]", "_", text)[:60].lstrip(".") or "game"
