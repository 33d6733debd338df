"""Faults in a village that chats: each costs a talk at most, never the game."""

from __future__ import annotations

import asyncio

from nlp_agent.arena.in_process import HurriedLoop
from tests.faults.catalogue import chosen
from tests.faults.checking import Outcome
from tests.faults.trial import try_all


def test_fault_in_a_phase_costs_a_talk() -> None:
    """A fault in a phase costs a talk and never the game.

    Nothing illegal, dropped or late, no seat lost; what went wrong is told in the journals.
    """
    outcomes: list[Outcome] = []
    faults = chosen("hang-mid-stream, name-between, drop-in-thought")
    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        runner.run(try_all(faults, outcomes.append, at_once=1, duration=60_000))
    assert [(outcome.fault.name, outcome.wrong) for outcome in outcomes if not outcome.good] == []
    assert len(outcomes) == 3
