"""The journal is complete up to the last finished line, whatever happens next."""

import hashlib
import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from nlp_agent.protocol import bounds
from nlp_agent.records.journal import Journal, read_rows
from tests.records.little_room import LittleRoom


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_rows_without_a_games_name_come_first(tmp_path: Path) -> None:
    """Rows from before the game had a name come first.

    NAME is asked before anybody knows which game it will be.
    """
    journal = Journal(lambda: "now")
    journal.write("name", {"sent": "team1"})
    journal.open(tmp_path / "deep" / "game.jsonl")
    journal.write("packet", {"raw": "人狼"})
    journal.close()
    assert _rows(tmp_path / "deep" / "game.jsonl") == [
        {"t": "now", "event": "name", "sent": "team1"},
        {"t": "now", "event": "packet", "raw": "人狼"},
    ]


def test_every_row_is_written_immediately(tmp_path: Path) -> None:
    """Every row is on its way to the disk before the next thing happens.

    A process that is killed without warning leaves all rows behind, each whole.
    """
    path = tmp_path / "game.jsonl"
    script = f"""
        import os, signal
        from pathlib import Path
        from nlp_agent.records.journal import Journal
        journal = Journal(lambda: "now")
        journal.open(Path({str(path)!r}))
        for k in range(100):
            journal.write("decision", {{"k": k}})
        os.kill(os.getpid(), signal.SIGKILL)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False)
    assert [row["k"] for row in _rows(path)] == list(range(100))


def test_unwritable_disk_does_not_disturb_the_game(tmp_path: Path) -> None:
    """A disk that cannot be written to does not disturb the game.

    The failure is kept to be told, and nothing is raised.
    """
    (tmp_path / "file").write_text("in the way")
    journal = Journal(lambda: "now")
    journal.open(tmp_path / "file" / "game.jsonl")
    journal.write("packet", {})
    journal.close()
    assert "cannot be written" in journal.failure


def test_full_disk_does_not_disturb_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that becomes full does not disturb the game.

    Neither while a row is written nor when the file is closed, with what could not be written.
    """
    disk = LittleRoom(10)
    monkeypatch.setattr(Path, "open", lambda *_, **__: disk)
    journal = Journal(lambda: "now")
    journal.open(tmp_path / "game.jsonl")
    journal.write("packet", {"raw": "人狼"})
    journal.write("packet", {})
    journal.close()
    assert journal.failure == "the journal stopped: No space left on device"


def test_invalid_unicode_is_still_written(tmp_path: Path) -> None:
    """Text that is no valid Unicode is written all the same.

    A lone surrogate from a broken frame must not break the journal.
    """
    journal = Journal(lambda: "now")
    journal.open(tmp_path / "game.jsonl")
    journal.write("packet", {"raw": "broken \ud800 frame"})
    journal.close()
    assert len(_rows(tmp_path / "game.jsonl")) == 1


def test_oversized_text_is_kept_partly_with_hash(tmp_path: Path) -> None:
    """A text without end is kept in part, with its length and hash.

    Answers of a hundred kilobytes made megabytes of a game; what a replay needs stays whole.
    """
    answer = "thought " * 20_000
    journal = Journal(lambda: "now")
    journal.open(tmp_path / "game.jsonl")
    row = {"raw": answer, "changes": [["thoughts", answer, "short"]], "user": "p" * 50_000, "plan": {"why": answer}}
    journal.write("decision", row)
    journal.write("packet", {"raw": "q" * 50_000})
    journal.close()
    decision, packet = _rows(tmp_path / "game.jsonl")
    kept = str(decision["raw"])
    assert kept.startswith(answer[: bounds.KEPT])
    assert kept.endswith(f" [cut: {len(answer)} characters, sha256 {hashlib.sha256(answer.encode()).hexdigest()}]")
    assert decision["changes"] == [["thoughts", kept, "short"]]
    assert decision["plan"] == {"why": kept}
    assert (decision["user"], packet["raw"]) == ("p" * 50_000, "q" * 50_000)
    assert (tmp_path / "game.jsonl").stat().st_size < 200_000


def test_line_separators_leave_rows_in_one_piece(tmp_path: Path) -> None:
    """Signs that end a line elsewhere leave a row in one piece.

    Whoever reads the journal line by line, by whatever ends a line there, finds whole rows.
    """
    journal = Journal(lambda: "now")
    journal.open(tmp_path / "j.jsonl")
    journal.write("talk", {"text": "one\u2028two\u2029three\x85four"})
    journal.close()
    (line,) = (tmp_path / "j.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["text"] == "one\u2028two\u2029three\x85four"


def test_invalid_row_costs_only_itself(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A line that is no row costs only itself and is told.

    However deep it is and whatever its values are; a last line that a crash tore is no news.
    """
    path = tmp_path / "seat.jsonl"
    good = {"t": "now", "event": "decision", "day": 1, "request": "VOTE", "sent": "Ann", "how": "plan"}
    bad = [
        "[" * 100_000 + "]" * 100_000,
        "[1, 2]",
        json.dumps({**good, "day": "monday"}),
        json.dumps({**good, "event": ["decision"]}),
        json.dumps({**good, "judgement": {"wolf": {"Ann": "much"}}}),
        json.dumps({**good, "plan": {"acts": 3}}),
        json.dumps({**good, "chat": {"packets": "x"}}),
        '{"day": ' + "9" * 5_000 + "}",
    ]
    lines = [json.dumps(good), *bad, json.dumps(good), '{"t": "now", "eve']
    path.write_text("\n".join(lines), encoding="utf-8")
    with caplog.at_level("WARNING"):
        assert list(read_rows(path)) == [good, good]
    [told] = caplog.messages
    assert "seat.jsonl: line 2" in told
    assert f"{len(bad) - 1} more" in told
