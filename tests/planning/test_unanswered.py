"""Days as they were played by strong models: whoever is told to answer has something to answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.game import SeatState
from nlp_agent.planning.mind import Mind
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Info, Packet, Role, Talk

DAYS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data/strong_model/charges.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("day", DAYS, ids=[day["me"] for day in DAYS])
def test_only_what_waits_for_an_answer_is_a_charge(day: dict[str, Any]) -> None:
    """Not what was answered in words to another, nor a vote announced again, nor a question put to others."""
    pack, state = load_pack(day["language"]), SeatState()
    info = Info(
        day=1,
        agent=day["me"],
        status_map=dict.fromkeys(day["players"], "ALIVE"),
        role_map={day["me"]: Role.VILLAGER},
    )
    talks = tuple(Talk(idx=n, day=1, agent=who, text=text) for n, (who, text) in enumerate(day["talks"]))
    state.apply(Packet(request="INITIALIZE", info=info))
    state.apply(Packet(request="TALK", info=info, talk_history=talks))
    mind = Mind(state, pack.reading, 1, why=pack.words.words.why)
    mind.observe()
    assert [[one.who, one.kind] for one in mind.advice().charges] == day["open"]
