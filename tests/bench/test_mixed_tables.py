"""The marks of mixed tables."""

from __future__ import annotations

import pytest

from tests.bench.mixed_tables import main, seats


def test_a_seat_counts_once_whatever_its_jurors() -> None:
    """Two jurors of one player are one seat, with the mean of their marks."""
    marks = {"game": "A1", "player": "Ann", **dict.fromkeys("ABCDE", 6.0), "R": 5.0}
    assert seats([marks, {**marks, **dict.fromkeys("ABCDE", 8.0), "R": 7.0}]) == [("A1/Ann", 7.0, 6.0)]


def test_each_kind_of_advice_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    """The sample and every kind of advice stand beside each other, with seats and intervals."""
    main()
    told = capsys.readouterr().out
    assert "36 games, 360 marks" in told
    assert "of these 8 games" in told
    assert all(name in told for name in ("the official sample", "advice: after", "advice: full", "advice: certain"))
