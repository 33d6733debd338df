"""The proof of the classic referee: games of the real servers, played again, give the same packets."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import pytest

from nlp_agent.arena.classic_game import ClassicGame, ClassicPacketViews, classic_village, to_line
from nlp_agent.arena.engine import Deliver
from nlp_agent.arena.events import Event
from nlp_agent.protocol import TARGET_REQUESTS
from tests.classic import RECORDINGS, RecordedChoices, Recording, name_in, recorded_games

AT_ONCE = {"dial2019_5p_v058": False}
GAMES = [(name, number) for name in RECORDINGS for number in range(len(recorded_games(name)))]


def _replayed(name: str, game: Recording) -> dict[int, list[dict[str, Any]]]:
    habits = game.habits(at_once=AT_ONCE.get(name, True))
    views, packets = ClassicPacketViews(habits), list[dict[str, Any] | None]()

    def on_event(event: Event) -> None:
        packets.append(views.apply(event))

    village = classic_village(5, habits, max(1_000, game.setting["timeLimit"]))
    referee = ClassicGame(village, list("abcde"), RecordedChoices(game), habits, on_event=on_event)
    told: dict[int, list[dict[str, Any]]] = defaultdict(list)
    replies = {agent: iter(said) for agent, said in game.replies.items()}
    step = referee.start()
    while isinstance(step, Deliver):
        packet = next(packet for packet in reversed(packets) if packet is not None)
        told[step.seat + 1].append(json.loads(to_line(packet)))
        reply = next(replies[step.seat + 1]) if step.needs_reply else None
        step = referee.answer(name_in(reply) if reply and step.packet.kind in TARGET_REQUESTS else reply)
    assert all(next(left, None) is None for left in replies.values())
    return told


@pytest.mark.parametrize(("name", "number"), GAMES)
def test_recorded_replies_and_chances_give_the_recorded_packets(name: str, number: int) -> None:
    """Every packet to every player, in the same order, with the very same keys and values."""
    game = recorded_games(name)[number]
    told = _replayed(name, game)
    for agent, packets in game.told.items():
        for place, (ours, theirs) in enumerate(zip(told[agent], packets, strict=False)):
            assert ours == theirs, f"packet {place} to {agent}"
        assert len(told[agent]) == len(packets)
