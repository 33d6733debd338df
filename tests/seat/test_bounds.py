"""Packets no server would send: the seat answers them as soon as any other, and legally."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from nlp_agent.protocol import bounds, parse_packet
from nlp_agent.seat import Decision, Seat
from tests.captures import frames
from tests.seat.test_seat import _ask, _seat

NAMES = ("Mia", "Leo", "Ida", "Tom", "Ann")


def _start(names: tuple[str, ...], roles: dict[str, int]) -> dict[str, Any]:
    """INITIALIZE of a real game, played by ``names``."""
    raw = next(f.raw for f in frames("en_5_g1") if f.direction == "in" and '"INITIALIZE"' in f.raw)
    data: dict[str, Any] = json.loads(raw)
    data["info"] |= {"agent": names[0], "status_map": dict.fromkeys(names, "ALIVE"), "role_map": {names[0]: "VILLAGER"}}
    data["setting"]["role_num_map"] = roles
    return data


def _asked(seat: Seat, raw: str) -> Decision:
    return asyncio.run(_ask(seat, raw))


VILLAGE = {"WEREWOLF": 1, "SEER": 1, "POSSESSED": 1, "VILLAGER": 2}


def test_day_of_a_billion_is_harmless() -> None:
    """A day number of a billion does not end a seat.

    Days are looked through one by one: there are never more than a game can have.
    """
    seat, _ = _seat()
    start = _start(NAMES, VILLAGE)
    seat.hear(parse_packet(json.dumps(start)))
    for day in (10**9, bounds.DAYS, 1):
        decision = _asked(seat, json.dumps({"request": "VOTE", "info": {**start["info"], "day": day}}))
        assert decision.text in NAMES[1:]


def test_huge_packet_is_read_within_bounds() -> None:
    """Ten thousand talks in one packet are read as far as a day could go.

    The newest are read; the seat's answer does not wait for the others.
    """
    seat, _ = _seat()
    start = _start(NAMES, VILLAGE)
    seat.hear(parse_packet(json.dumps(start)))
    talks = [{"idx": idx, "day": 1, "agent": NAMES[idx % 5], "text": f"{idx} is a number."} for idx in range(10_000)]
    ask = {"request": "TALK", "info": {**start["info"], "day": 1}, "talk_history": talks}
    assert _asked(seat, json.dumps(ask)).text
    assert len(seat.state.talks) == bounds.LIST


@pytest.mark.parametrize(
    "roles",
    [
        {"WEREWOLF": 16, "VILLAGER": 16},
        {"WEREWOLF": 10, "SEER": 10, "POSSESSED": 2, "VILLAGER": 10},
        {"SEER": 16, "VILLAGER": 16},
        {f"R{number}": 1 for number in range(32)},
        {f"R{number}": 4 for number in range(8)},
        {"WEREWOLF": 100_000},
    ],
)
def test_village_of_any_roles_is_playable(roles: dict[str, int]) -> None:
    """A village of any roles is played without counting all its worlds.

    Some had more worlds than any memory holds; as many roles as can be summed up are taken as told.
    """
    seat, _ = _seat()
    names = tuple(f"Name{number}" for number in range(32))
    start = _start(names, roles)
    seat.hear(parse_packet(json.dumps(start)))
    decision = _asked(seat, json.dumps({"request": "VOTE", "info": {**start["info"], "day": 2}}))
    assert decision.text in names[1:]
