"""Files of rows on a disk that has little room."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlp_agent.records.row_files import RowFile
from tests.records.little_room import LittleRoom


def test_a_row_is_written_whole_or_that_there_is_no_room_is_raised_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be written is not tried again when the file is closed, which would hide what was said of it."""
    disk = LittleRoom(10)
    monkeypatch.setattr(Path, "open", lambda *_, **__: disk)
    with RowFile(tmp_path / "rows.jsonl") as rows:
        rows.append("1234567")
        assert disk.taken == b"1234567\n"
        with pytest.raises(OSError, match="No space left"):
            rows.append("89abcdef")
    assert disk.taken == b"1234567\n89"


def test_a_row_comes_after_a_torn_one_on_a_line_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_bytes(b"1\n89")
    with RowFile(tmp_path / "rows.jsonl") as rows:
        rows.append("2")
    assert (tmp_path / "rows.jsonl").read_bytes() == b"1\n89\n2\n"
