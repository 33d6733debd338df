from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.records.summary import GameSummary, SeatSummary, percentile
from tests.effort import examples


def test_summary_is_one_json_line_with_sums() -> None:
    """A game's summary is a single JSON line that names the roles and sums what must be zero."""
    seats = (
        SeatSummary("ミナト", "a1", "SEER", late=1, prompt_tokens=5, completion_tokens=2),
        SeatSummary("Bob", "a2", "WEREWOLF", illegal=2, fallbacks=3),
    )
    line = GameSummary("g", "NONE", 1, 7, {"SEER": 1, "WEREWOLF": 1}, "ja", seats).to_json()
    row = json.loads(line)
    assert "\n" not in line
    assert "ミナト" in line
    assert row["roles"] == {"ミナト": "SEER", "Bob": "WEREWOLF"}
    assert (row["illegal"], row["late"], row["extra"], row["fallbacks"], row["tokens"]) == (2, 1, 0, 3, 7)
    assert row["seats"][0]["tokens"] == 7


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([], 0.5, 0.0), ([4.0], 0.99, 4.0), ([3.0, 1.0, 2.0], 0.5, 2.0), ([1.0, 2.0], 0.5, 1.0), ([1.0, 2.0], 1.0, 2.0)],
)
def test_percentile(values: list[float], share: float, expected: float) -> None:
    """The nearest-rank percentile, whatever the order; 0 of nothing."""
    assert percentile(values, share) == expected


@examples(50)
@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0, 1))
def test_percentile_covers_its_share(values: list[float], share: float) -> None:
    """At least the asked share of the values does not exceed the percentile, and it is one of them."""
    mark = percentile(values, share)
    assert mark in values
    assert sum(value <= mark for value in values) >= share * len(values) - 1e-6
