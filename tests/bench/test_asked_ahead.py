"""What a vote that is known ahead loses."""

from __future__ import annotations

import pytest

from tests.bench.asked_ahead import WAYS, Ahead, main, meant_with, measured, quantile, told_with

ROW = {
    "game": "g",
    "role": "VILLAGER",
    "wolf": "Ann",
    "cast": "Ben",
    "told": ["", "Ann", "Ben"],
    "form": [["Ann", "Cid"], ["Ben", "Ann"]],
}


def test_vote_of_a_talk_is_found() -> None:
    """Announced votes and those that only the form names are found by the number of the talk."""
    assert [told_with(talk)(ROW) for talk in (0, -2, -1, 5, -5)] == ["", "Ann", "Ben", "", ""]
    assert [meant_with(0)(ROW), meant_with(-1)(ROW), meant_with(-1, 1)(ROW)] == ["Ann", "Ben", "Ann"]
    assert meant_with(-1)({"told": []}) == ""


def test_stale_vote_is_compared_with_the_one_cast() -> None:
    """It may hit where the later one does not."""
    line = measured(Ahead("before the last", told_with(-2)), [ROW])
    assert "1 of 1; cast so 0.0%" in line
    assert "hits 100.0% ahead, 0.0% cast, difference +100.0 points" in line
    assert "of no vote" in measured(Ahead("never", told_with(0)), [ROW])


def test_quantile_is_one_of_the_values() -> None:
    """Also of one value."""
    assert quantile([1.0, 2.0, 9.0], 0.5) == 2.0
    assert quantile([4.0], 0.99) == 4.0


def test_all_ways_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """With how long a request takes and how long it is."""
    main()
    told = capsys.readouterr().out
    assert all(way.name in told for way in WAYS)
    assert "110 votes in 16 games" in told
    assert "a request for a vote sends" in told
