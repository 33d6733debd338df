"""Files of rows, one JSON object a line, that are only appended to.

A run that was stopped goes on by them, and a crash costs at most the line that was being written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from nlp_agent.protocol.bounds import load_json

T = TypeVar("T")


def rows_of(file: Path, kind: TypeAdapter[T]) -> Iterator[T]:
    """The rows of ``file``, none where it is not there; torn lines are passed over. Raises OSError for what it is."""
    if not file.exists():
        return
    with file.open("rb") as lines:
        for line in lines:
            try:
                yield kind.validate_json(line)
            except ValidationError:
                continue


def read_json_object(file: Path) -> dict[str, Any]:
    """The JSON object in ``file``; an empty one where there is none."""
    try:
        found = load_json(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def append_whole(file: FileIO, data: bytes) -> None:
    """Write all of ``data`` to a file that is open without a buffer, so that a full disk is told of here, and not when
    the file is closed. Raises OSError.
    """
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


class RowFile:
    """A file to which rows are appended, open between ``with``. Raises OSError where ``path`` cannot be written to."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab+", buffering=0)
        if self._file.tell():
            self._file.seek(-1, os.SEEK_END)
            self._file.write(b"" if self._file.read(1) == b"\n" else b"\n")  # what is torn stays a line of its own

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def append(self, row: str) -> None:
        """Hand ``row``, without a line end, to the operating system, whole, before anything else happens."""
        append_whole(self._file, f"{row}\n".encode())
