"""The journal: one JSON object a line, written as things happen and readable after a crash.

Every line is handed to the operating system before the next thing happens, so that not even ``kill -9`` loses a
finished one.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from io import FileIO
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from nlp_agent.known_secrets import row_without_secrets
from nlp_agent.protocol import bounds
from nlp_agent.records.row_files import append_whole

Stamp = Callable[[], str]
"""The present as ISO 8601 text; passed in so that tests have their own."""


OnRow = Callable[[str, Mapping[str, Any]], None]
"""Told of a row: its event and the rest of it."""


class Journal:
    """A journal: rows for one seat in one game.

    Rows that come before :meth:`open` (the game's name is known only at INITIALIZE) are kept and written first. One
    that is not ``kept`` writes nothing. A disk that cannot be written to never disturbs the game: the first failure is
    kept in ``failure``. ``on_row`` is told of every row once it is written; it must neither fail nor wait.
    """

    def __init__(self, stamp: Stamp, on_row: OnRow | None = None, *, kept: bool = True) -> None:
        self._stamp, self._on_row, self._kept = stamp, on_row, kept
        self._file: FileIO | None = None
        self._waiting: list[str] = []
        self.path: Path | None = None
        self.failure: str = ""

    def open(self, path: Path) -> None:
        """Start writing to ``path``; a second call is ignored."""
        if self._file is not None or self.failure or not self._kept:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)
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
        row = row_without_secrets(row)
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
        """Close the file; what is written later is lost."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _put(self, line: str) -> None:
        if self._file is None:
            return
        try:
            append_whole(self._file, f"{line}\n".encode("utf-8", "replace"))
        except OSError as error:
            self.failure = f"the journal stopped: {error.strerror}"
            self.close()


class NoJournal:
    """A journal that keeps nothing, for a seat of which nobody will read anything."""

    def write(self, event: str, row: Mapping[str, Any]) -> None:
        """Write nothing: this journal keeps no rows."""


_PROMPTS = frozenset({"system", "user"})
_WHOLE = {"packet": frozenset({"raw"})}
"""What a game is replayed from, by event; of all others the prompts."""


_LINE_ENDS = {sign: f"\\u{ord(sign):04x}" for sign in "\x85\u2028\u2029"}
"""Signs that many readers take for the end of a line, and how JSON may write them."""


def _line(row: Mapping[str, Any]) -> str:
    line = json.dumps(row, ensure_ascii=False, default=str)
    for sign, written in _LINE_ENDS.items():  # three calls in C are quicker than a loop over all signs
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
    digest = hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()
    return f"{value[:most]} [cut: {len(value)} characters, sha256 {digest}]"


class _Act(BaseModel):
    kind: str = ""
    topic: str = ""
    target: str = ""
    role: str = ""
    result: str = ""
    to: str = ""


class _Plan(_Act):
    acts: list[_Act] = []
    ranking: list[str] = []
    vote: str | None = None


class _Judgement(BaseModel):
    wolf: dict[str, float] | None = None
    leaning: dict[str, float] | None = None
    shown: dict[str, float] | None = None
    roles: dict[str, dict[str, float]] | None = None


class _Chat(BaseModel):
    packets: int
    left: int | None
    closing: bool | int | None = None


class _Row(BaseModel):
    """What the values of a row are, where somebody counts on it."""

    event: str
    t: str | None = None
    day: int | None = None
    request: str | None = None
    sent: str | None = None
    how: str | None = None
    style: str | None = None
    why: str | None = None
    own_reading: str | None = None
    raw: str | None = None
    seed: int | None = None
    prompt_budget: int | None = None
    pack: str | None = None
    strategy: str | None = None
    problems: list[Any] | None = None
    plan: _Plan | None = None
    judgement: _Judgement | None = None
    chat: _Chat | None = None
    sheet: dict[str, Any] | None = None


_log = logging.getLogger(__name__)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a journal in order.

    Lines that hold no row are passed over; a warning counts them and names the first. That a crash tore the last one
    is no news. Raises OSError when the file cannot be read.
    """
    bad, first = 0, ""
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = bounds.load_json(line)
                _Row.model_validate(row, strict=True)
            except ValidationError as error:
                fault = error.errors(include_url=False)[0]
                what = f"{'.'.join(map(str, fault['loc'])) or 'the line'}: {fault['msg']}"
            except ValueError as error:
                if not line.endswith("\n"):
                    continue
                what = f"not JSON: {error}"
            else:
                yield row
                continue
            bad, first = bad + 1, first or f"line {number} ({what})"
    if bad:
        more = f" and {bad - 1} more" if bad > 1 else ""
        _log.warning("%s: %s%s left out", path, first, more)
