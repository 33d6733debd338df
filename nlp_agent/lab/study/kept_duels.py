"""What a long duel has played so far, in a file: a chunk of games a line."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

from nlp_agent.lab.study.duel import Chunk, Tally


class KeptDuels:
    """The chunks of ``path`` while it is entered; without a path nothing is kept. A line that was cut off is none."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._tallies: dict[str, Tally] = {}
        self._file: TextIO | None = None

    def __enter__(self) -> KeptDuels:
        if self._path is not None:
            for line in self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else ():
                with suppress(ValueError, TypeError, KeyError):
                    row = json.loads(line)
                    tally = Tally(row["games"], row["wins"], Counter(row["marks"]))
                    self._tallies[_name(row["chunk"])] = tally
            self._file = self._path.open("a", encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def found(self, chunk: Chunk) -> Tally | None:
        """What was won of ``chunk``, if it was played."""
        return self._tallies.get(_name(asdict(chunk)))

    def add(self, chunk: Chunk, tally: Tally) -> None:
        """``chunk`` was played; it is on the disk when this returns."""
        if self._file is not None:
            row = {"chunk": asdict(chunk), "games": tally.games, "wins": tally.wins, "marks": tally.marks}
            self._file.write(json.dumps(row) + "\n")
            self._file.flush()


def _name(chunk: object) -> str:
    return json.dumps(chunk, sort_keys=True)
