"""What a second estimate of a vote is worth."""

from __future__ import annotations

import math

import pytest

from tests.bench.asked_twice import fused, hit, log_loss, main


def test_two_estimates_become_one() -> None:
    """Both count alike: where one is sure and the other is not, the answer lies between."""
    both = fused({"Ann": 0.8, "Ben": 0.2}, {"Ann": 0.2, "Ben": 0.8})
    assert both["Ann"] == pytest.approx(0.5)
    assert log_loss(both, "Ann") == pytest.approx(math.log(2))


def test_a_tie_counts_by_its_chance() -> None:
    """Of two who are equally likely one is voted for by lot."""
    assert hit({"Ann": 0.4, "Ben": 0.4, "Cid": 0.2}, "Ben") == 0.5
    assert hit({"Ann": 0.6, "Ben": 0.4}, "Ben") == 0


def test_what_asking_twice_gains_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Both figures come with an interval over games."""
    main()
    told = capsys.readouterr().out
    assert "80 votes in 46 games" in told
    assert told.count("difference") == 2
