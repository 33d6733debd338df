"""The journal: one JSON object a line, written as things happen and readable after a crash.

Every line is handed to the operating system before the next thing happens, so that not even ``kill -9`` loses a
finished one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from nlp_agent.protocol import bounds

Stamp = Callable[[], str]
"""The present as ISO 8601 text; passed in so that tests have their own."""


OnRow = Callable[[str, Mapping[str, Any]], None]
"""Told of a row: its event and the rest of it."""


class Journal:
    """Rows for one seat in one game.

    Rows that come before :meth:`open` (the game's name is known only at INITIALIZE) are kept and written first. One
    that is not ``kept`` writes nothing. A disk that cannot be written to never disturbs the game: the first failure is
    kept in ``failure``. ``on_row`` is told of every row once it is written; it must neither fail nor wait.
    """

    def __init__(self, stamp: Stamp, on_row: OnRow | None = None, *, kept: bool = True) -> None:
        self._stamp, self._on_row, self._kept = stamp, on_row, kept
        self._file: TextIO | None = None
        self._waiting: list[str] = []
        self.path: Path | None = None
        self.failure: str = ""

    def open(self, path: Path) -> None:
        """Start writing to ``path``; a second call is ignored."""
        if self._file is not None or self.failure or not self._kept:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a", encoding="utf-8")
        except OSError as error:
            self.failure = f"the journal cannot be written to {path}: {error.strerror}"
            return
        self.path = path
        waiting, self._waiting = self._waiting, []
        for line in waiting:
            self._put(line)

    def write(self, event: str, row: Mapping[str, Any]) -> None:
        """Append one row; ``event`` is its kind (packet, decision, dropped, problem, ...).

        Of a text that is longer than the table of bounds allows, the beginning is kept, with its length and hash.
        """
        if self._kept:
            whole = {"t": self._stamp(), "event": event, **row}
            line = _line(whole)
            if len(line) > bounds.KEPT:
                line = _line(_bounded(whole, _WHOLE.get(event, _PROMPTS)))
            if self._file is not None:
                self._put(line)
            elif not self.failure:
                self._waiting.append(line)
        if self._on_row is not None:
            self._on_row(event, row)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _put(self, line: str) -> None:
        if self._file is None:
            return
        try:
            self._file.write(line.encode("utf-8", "replace").decode("utf-8") + "\n")
            self._file.flush()
        except OSError as error:
            self.failure = f"the journal stopped: {error.strerror}"
            self.close()


class NoJournal:
    """For a seat of which nobody will read anything."""

    def write(self, event: str, row: Mapping[str, Any]) -> None: ...


_PROMPTS = frozenset({"system", "user"})
_WHOLE = {"packet": frozenset({"raw"})}
"""What a game is replayed from, by event; of all others the prompts."""


_LINE_ENDS = {sign: f"\\u{ord(sign):04x}" for sign in "\x85\u2028\u2029"}
"""Signs that many readers take for the end of a line, and how JSON may write them."""


def _line(row: Mapping[str, Any]) -> str:
    line = json.dumps(row, ensure_ascii=False, default=str)
    for sign, written in _LINE_ENDS.items():  # three looks through a long line, not a look at each of its signs
        line = line.replace(sign, written)
    return line


def _bounded(value: Any, whole: frozenset[str], most: int = bounds.KEPT) -> Any:
    if isinstance(value, Mapping):
        sizes = {key: bounds.KEPT_WHOLE if key in whole else most for key in value}
        return {key: _bounded(item, whole, sizes[key]) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_bounded(item, whole, most) for item in value]
    if not isinstance(value, str) or len(value) <= most:
        return value
    told = hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()
    return f"{value[:most]} [cut: {len(value)} characters, sha256 {told}]"


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a journal in order; a line torn by a crash and lines that are no objects are passed over.

    Raises OSError when the file cannot be read.
    """
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict):
                yield row
