"""Files of rows on a disk that has little room."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlp_agent.records.row_files import RowFile
from tests.records.little_room import LittleRoom


def test_row_is_written_whole_or_an_error_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row is written whole, or that there is no room is raised once.

    What could not be written is not tried again when the file is closed, which would hide what was said of it.
    """
    disk = LittleRoom(10)
    monkeypatch.setattr(Path, "open", lambda *_, **__: disk)
    with RowFile(tmp_path / "rows.jsonl") as rows:
        rows.append("1234567")
        assert disk.taken == b"1234567\n"
        with pytest.raises(OSError, match="No space left"):
            rows.append("89abcdef")
    assert disk.taken == b"1234567\n89"


def test_row_after_a_torn_one_starts_a_line(tmp_path: Path) -> None:
    """A row that follows a torn one is written on a line of its own."""
    (tmp_path / "rows.jsonl").write_bytes(b"1\n89")
    with RowFile(tmp_path / "rows.jsonl") as rows:
        rows.append("2")
    assert (tmp_path / "rows.jsonl").read_bytes() == b"1\n89\n2\n"
