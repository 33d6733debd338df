"""What a long duel has played so far, in a file: a chunk of games a line."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from nlp_agent.lab.row_files import RowFile, rows_of
from nlp_agent.lab.study.duel import Chunk, WinTally

_ROW = TypeAdapter(dict[str, Any])


class KeptDuels:
    """The chunks of ``path`` while it is entered; without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._tallies: dict[str, WinTally] = {}
        self._open = ExitStack()
        self._file: RowFile | None = None

    def __enter__(self) -> KeptDuels:
        if self._path is not None:
            for row in rows_of(self._path, _ROW):
                with suppress(TypeError, KeyError):
                    self._tallies[_name(row["chunk"])] = WinTally(row["games"], row["wins"], Counter(row["marks"]))
            self._file = self._open.enter_context(RowFile(self._path))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def found(self, chunk: Chunk) -> WinTally | None:
        """What was won of ``chunk``, if it was played."""
        return self._tallies.get(_name(asdict(chunk)))

    def add(self, chunk: Chunk, tally: WinTally) -> None:
        """``chunk`` was played; it is on the disk when this returns."""
        if self._file is not None:
            row = {"chunk": asdict(chunk), "games": tally.games, "wins": tally.wins, "marks": tally.marks}
            self._file.append(json.dumps(row))


def _name(chunk: object) -> str:
    return json.dumps(chunk, sort_keys=True)
