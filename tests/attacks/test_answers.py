"""What a model may have said, as a table: unwrapped whole or refused, and never half cleaned."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from nlp_agent.prompting import Prompt
from nlp_agent.prompting.sample_village import sample_packets
from nlp_agent.protocol import Request, Role
from nlp_agent.records.journal import NoJournal
from nlp_agent.seat import Seat
from nlp_agent.seat.turn import Turn
from tests.attacks.obedient import pack
from tests.timing import TIMING

ROWS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "answers.yml").read_text(encoding="utf-8"))


@cache
def turn(lang: str, role: str, day: int) -> tuple[Turn, Prompt]:
    """A talk of a seat that a model is asked for."""
    seat = Seat(choose_pack=lambda _: pack(lang), model=None, timing=TIMING, seed=0, record=NoJournal())
    for packet in sample_packets(pack(lang), 9, Role(role), day):
        seat.hear(packet)
    begun = seat.begin(Request.TALK)
    begun.own_words()
    return begun, begun.prompt()


@pytest.mark.parametrize("row", ROWS, ids=[f"{n}-{row['raw'][:30]!r}" for n, row in enumerate(ROWS)])
def test_an_answer_is_unwrapped_whole_or_refused(row: dict[str, Any]) -> None:
    """What goes out is what a person would have said, word for word; all else is asked for once more."""
    asked, prompt = turn(row.get("lang", "en"), row.get("role", "WEREWOLF"), row.get("day", 1))
    checked = asked.check(row["raw"], prompt)
    sent = None if checked.problem else checked.text
    assert sent == row.get("sent"), checked.problem
