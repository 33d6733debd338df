"""Sets on a classic server whose lines are faulty: the games go on, and nothing is sent that nobody asked for."""

from __future__ import annotations

import asyncio

import pytest

from nlp_agent.arena.in_process import HurriedLoop
from tests.faults.catalogue import FAULTS, Fault, Where, of_village
from tests.faults.trial import try_fault

CLASSIC = [fault for fault in FAULTS if fault.where is Where.CLASSIC]
QUICK = ("classic-joined", "classic-garbage", "classic-reset", "classic-late")


@pytest.mark.parametrize(
    "fault",
    [fault for fault in CLASSIC if fault.name in QUICK],
    ids=lambda fault: fault.name,
)
def test_a_set_survives_ill_lines_and_lost_connections(fault: Fault) -> None:
    """Three games without a slip; after a loss, which is reported, the next set is played to its end."""
    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        outcome = runner.run(try_fault(fault))
    assert outcome.good, outcome.wrong
    assert (outcome.late, outcome.illegal, outcome.extra, outcome.lost) == (0, 0, 0, 0)


def test_classic_server_faults_strike_in_turns_only() -> None:
    """The faults of a classic server strike in turns only, because it has no group chat."""
    assert len(CLASSIC) == 8
    assert not set(CLASSIC) & set(of_village(chat=True))
