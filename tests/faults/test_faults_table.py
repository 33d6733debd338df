"""The break-it table: a whole game over real sockets against every fault, and a soak, as a user starts them."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.errors import ConfigError
from nlp_agent.llm.loopback import talkative
from tests.faults.catalogue import ATTACKS, BY_NAME, FAULTS, HOSTILE, Expect, Where, chosen
from tests.faults.endpoint import FaultyEndpoint, Overheard, wrong_replies
from tests.faults.guests import nuisances
from tests.faults.table import Disturbance, disturbance_for
from tests.faults.trial import try_fault

SECONDS = 600
ROOT = Path(__file__).parents[2]
SAMPLE = (
    *("hang-after-headers", "name-in-any", "repeat-all", "drop-at-vote", "crash-mind", "storm", "escapes"),
    "guest-floods",
)
"""A fault for each place and each thing that must come of it; the whole table and the soak are steps of their own in CI
(``make faults``, ``make soak``)."""

CHAT_SAMPLE = ("bare-phases", "second-initialize", "crash-mind")
Lines = tuple[int, list[dict[str, Any]], str]
"""Exit code, JSON lines, standard error."""


def _play(*arguments: str) -> Lines:
    command = (sys.executable, "-m", "tests.faults", *arguments, "--json")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_a_fault_of_every_kind_is_survived() -> None:
    """Nothing late, illegal or extra; games finished, losses reported, journals true; whatever goes wrong."""
    code, rows, err = _play(",".join(SAMPLE))
    assert {row["fault"]: row["wrong"] for row in rows if not row["good"]} == {}
    assert {row["fault"] for row in rows} == set(SAMPLE)
    assert all(row["late"] == row["illegal"] == row["extra"] == row["lost"] == 0 for row in rows)
    assert (code, err) == (0, "")


def test_fault_in_group_chat_costs_only_talks() -> None:
    """A fault in a group chat costs talks at most.

    Bare packets, old ones again, failing code: the game goes on, and no frame is late or unheard.
    """

    async def scene() -> dict[str, tuple[str, ...]]:
        outcomes = [await try_fault(fault, duration=60_000) for fault in chosen(",".join(CHAT_SAMPLE), chat=True)]
        return {outcome.fault.name: outcome.wrong for outcome in outcomes}

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        assert runner.run(scene()) == dict.fromkeys(CHAT_SAMPLE, ())


def test_games_with_random_faults_stay_clean() -> None:
    """Games with a fault drawn for every request stay clean.

    A short soak: no late, illegal or lost frame.
    """
    code, (row,), err = _play("random", "--games", "2", "--seed", "1")
    assert row["wrong"] == []
    assert (row["games"], row["late"], row["illegal"], row["extra"], row["lost"]) == (2, 0, 0, 0, 0)
    assert row["struck"] > 3
    assert (code, err) == (0, "")


def test_every_fault_in_the_catalogue_does_something() -> None:
    """The catalogue is large, and everything in it has something behind it.

    At least 45 names, none twice, each with a wrong reply, a disturbance or a failing part of its own.
    """
    assert len(BY_NAME) == len(FAULTS) >= 45
    kinds = wrong_replies(Overheard())
    for fault in FAULTS:
        disturbance = disturbance_for(fault, FaultyEndpoint(talkative()), Random(1))
        if fault.where in (Where.ENDPOINT, Where.MODEL):
            assert fault.name in kinds
        elif fault.where is Where.GUEST:
            assert fault.name in nuisances()
        elif fault.where is Where.TABLE and fault.name != "thirteen":
            assert type(disturbance) is not Disturbance
        assert (fault.expect is Expect.LOST) == fault.name.startswith(("drop-", "classic-reset", "classic-late"))
    assert set(kinds) <= set(BY_NAME)


def test_attacks_cover_models_endpoints_tables_and_guests() -> None:
    """The attacks are those of models, endpoints, tables and guests.

    Some of each; what a hostile model says has marks that are looked for at the table, and it is all told apart.
    """
    by_place = Counter(fault.where for fault in HOSTILE)
    assert by_place[Where.MODEL] >= 21
    assert sum(by_place.values()) - by_place[Where.MODEL] >= 30
    assert all(count >= 8 for count in by_place.values())
    assert set(by_place) == {Where.MODEL, Where.ENDPOINT, Where.TABLE, Where.GUEST}
    assert {fault.name for fault in HOSTILE} <= set(ATTACKS) <= set(BY_NAME)
    for fault in HOSTILE:
        assert bool(fault.says) == bool(fault.marks)
        assert all(any(mark.casefold() in text.casefold() for text in fault.says) for mark in fault.marks), fault


def test_unknown_fault_is_reported_with_the_nearest() -> None:
    """A typing mistake is told with what was probably meant."""
    with pytest.raises(ConfigError, match="did you mean 'drop-at-talk'"):
        chosen("drop-at-tlak")
    assert {fault.name for fault in chosen("attacks")} == set(ATTACKS)
    assert [fault.name for fault in chosen("500, drip")] == ["500", "drip"]
    with pytest.raises(ConfigError, match="only in group chats"):
        chosen("bare-phases")
    assert "name-in-talk" not in {fault.name for fault in chosen("all", chat=True)}
