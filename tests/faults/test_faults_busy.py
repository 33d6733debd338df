"""Answers on a machine that has little time for us: in time, or told to be in danger before the first question."""

from __future__ import annotations

import pytest

from tests.faults.busy import GAMES, BusyGame, run_busy


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_no_seat_is_late_beside_busy_processes(game: BusyGame) -> None:
    """No seat is late or mute beside eight busy processes.

    With 60, 2 and 0.5 s, in three languages, however soon after the first name the game begins.
    """
    outcome = run_busy(game)
    assert outcome.good
    if game.seats < 13 or game.limit > 0.5:
        assert outcome.late == 0
