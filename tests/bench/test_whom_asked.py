"""The count of true and false reminders."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.whom_asked import Score, labelled, main, read_labels


def test_talks_of_strong_models_are_read_as_labelled() -> None:
    """Talks of strong models are read as people read them by hand.

    Of the labelled talks that have a text of their own one in ten at most is read another way.
    """
    score, rows = Score(), list(labelled(read_labels()))
    right = [score.add(row) for row in rows]
    assert len(rows) > 20
    assert right.count(False) <= len(rows) // 10


def test_few_reminders_of_strong_models_are_false_and_few_are_missing() -> None:
    """At most one reminder in twenty is false, and at most one direct question in twenty has none."""
    score = Score()
    for row in labelled(read_labels()):
        score.add(row)
    assert 20 * score.false <= score.reminded
    assert 20 * score.missed <= score.asked


def test_both_shares_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Talks of logs that are not there are left out."""
    (tmp_path / "game.log").write_text(
        (Path(__file__).parents[1] / "data/strong_model/g2.log").read_text("utf-8"), "utf-8"
    )
    assert main([str(tmp_path)]) == 0
    assert "reminders are false" in capsys.readouterr().out
