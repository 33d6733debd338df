"""The files of a pack's folder: a pack may be anybody's, so none of them may be a way to a file elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nlp_agent.errors import PackError

LARGEST = 2_000_000
"""Bytes of a file; the largest that is shipped has 75,000."""


def check_file(file: Path, folder: Path) -> Path:
    """Return ``file``, if it may be read as a part of the pack in ``folder``.

    Raises PackError for one that lies outside once symbolic links are followed, one that is no plain file (reading a
    pipe would never end), and one that is too large.
    """
    try:
        place = file.resolve(strict=True)
        if not place.is_relative_to(folder.resolve()):
            raise PackError("is a link out of its pack, which is not followed: copy the file", file=str(file))
        if not place.is_file():
            raise PackError("is no file, but a folder or a device", file=str(file))
        if (size := place.stat().st_size) > LARGEST:
            raise PackError(f"has {size} bytes; no more than {LARGEST} are read", file=str(file))
    except (OSError, RuntimeError) as error:  # RuntimeError: links that go round in a circle
        raise PackError(f"cannot be read: {error}", file=str(file)) from error
    return file


def files_of(folder: Path, *suffixes: str) -> Iterator[Path]:
    """The files in and below ``folder`` that end so and may be read, by path."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in suffixes:
            try:
                yield check_file(path, folder)
            except PackError:
                continue
