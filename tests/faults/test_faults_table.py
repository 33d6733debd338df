"""The break-it table: a whole game over real sockets against every fault, and a soak, as a user starts them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nlp_agent.errors import ConfigError
from nlp_agent.faults.catalogue import BY_NAME, FAULTS, Expect, Where, chosen
from nlp_agent.faults.endpoint import Scene, illnesses
from nlp_agent.faults.patient import Patient
from nlp_agent.faults.table import Trouble
from nlp_agent.faults.troubles import trouble_for
from nlp_agent.llm.replies import talkative

SECONDS = 240
SOAK_GAMES = 20


def _started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "nlp_agent", "play", "--json", *arguments],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip


Lines = tuple[int, list[dict[str, Any]], str]
"""Exit code, JSON lines, standard error."""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Lines, Lines]]:
    """All faults and the soak, run side by side in processes of their own."""
    folder = tmp_path_factory.mktemp("faults")
    processes = [
        _started(folder, "--faults", "all"),
        _started(folder, "--faults", "random", "--games", str(SOAK_GAMES), "--seed", "1"),
    ]
    try:
        ends = []
        for process in processes:
            out, err = process.communicate(timeout=SECONDS)
            ends.append((process.returncode, [json.loads(line) for line in out.splitlines()], err))
        yield ends[0], ends[1]
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def test_every_fault_is_survived(both: tuple[Lines, Lines]) -> None:
    """Nothing late, illegal or extra; games finished, losses reported, journals true; whatever goes wrong."""
    code, rows, err = both[0]
    assert {row["fault"]: row["wrong"] for row in rows if not row["good"]} == {}
    assert {row["fault"] for row in rows} == set(BY_NAME)
    assert all(row["late"] == row["illegal"] == row["extra"] == row["lost"] == 0 for row in rows)
    assert (code, err) == (0, "")


def test_a_soak_stays_clean_and_flat(both: tuple[Lines, Lines]) -> None:
    """Games in a row with a fault drawn for every request: no late, illegal or lost one, and no growing memory."""
    code, (row,), err = both[1]
    assert row["wrong"] == []
    assert (row["games"], row["late"], row["illegal"], row["extra"], row["lost"]) == (SOAK_GAMES, 0, 0, 0, 0)
    assert row["struck"] > SOAK_GAMES
    assert row["growth"] <= 1.1
    assert (code, err) == (0, "")


def test_the_catalogue_is_large_and_everything_in_it_has_something_behind_it() -> None:
    """At least 45 names, none twice, each with an illness, a trouble or a failing part of its own."""
    assert len(BY_NAME) == len(FAULTS) >= 45
    kinds = illnesses(Scene())
    for fault in FAULTS:
        trouble = trouble_for(fault, Patient(talkative()), Random(1))
        if fault.where is Where.ENDPOINT:
            assert fault.name in kinds
        elif fault.where is Where.TABLE and fault.name != "thirteen":
            assert type(trouble) is not Trouble
        assert (fault.expect is Expect.LOST) == fault.name.startswith("drop-")
    assert set(kinds) <= set(BY_NAME)


def test_an_unknown_fault_is_named_with_the_nearest_known() -> None:
    """A typing mistake is told with what was probably meant."""
    with pytest.raises(ConfigError, match="did you mean 'drop-at-talk'"):
        chosen("drop-at-tlak")
    assert [fault.name for fault in chosen("500, drip")] == ["500", "drip"]
