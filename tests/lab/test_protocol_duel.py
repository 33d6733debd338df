"""Duels in the AIWolf Protocol: opponents of three manners, and games that are legal to the last word."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nlp_agent.arena.events import Faulted, Talked
from nlp_agent.arena.steps import Order
from nlp_agent.game.village import CLASSIC_VILLAGES
from nlp_agent.lab.study.duel import Arm, arms, chunks, play_chunk, play_one
from nlp_agent.lab.study.protocol_duel import ProtocolPlayer, protocol_game, protocol_opponent
from nlp_agent.lab.study.protocol_opponents import PROTOCOL_OPPONENTS
from nlp_agent.planning.strategy import Standard
from nlp_agent.protocol import Packet
from nlp_agent.reading.sentence.grammar import parse

NAMES = tuple(PROTOCOL_OPPONENTS)


@pytest.mark.parametrize("name", NAMES)
def test_everything_said_and_named_is_legal(name: str) -> None:
    """Opponents and our player at one table of five: no fault of anybody, and every talk a sentence."""
    for seed in range(4):
        game = protocol_game(5, seed)
        players: list[Callable[[Packet], str | None]] = [
            ProtocolPlayer(seed, Standard()) if number == seed else protocol_opponent(name, seed, number)
            for number in range(5)
        ]
        step = game.start()
        while isinstance(step, Order):
            reply = players[step.seat](step.packet)
            step = game.answer(reply if step.needs_reply else None)
        assert not any(isinstance(event, Faulted) for event in game.events)
        assert all(parse(event.text) is not None for event in game.events if isinstance(event, Talked))
        assert game.winner in ("VILLAGER", "WEREWOLF")


def test_every_role_of_fifteen_has_its_arm() -> None:
    """Six roles, two sides, and the opponents among themselves."""
    roles = {str(role) for role in CLASSIC_VILLAGES[15]}
    assert {arm.ours for arm in arms(15, ["talker"])} == {*roles, "village side", "wolf side", "nobody"}
    (arm, tally) = play_chunk(next(chunks(15, ["follower"], 1, 7)))
    assert (arm.opponent, tally.games) == ("follower", 1)


def test_the_same_arguments_give_the_same_game() -> None:
    """So two strategies can be compared in the same deals."""
    arm = Arm("counter", "SEER")
    assert play_one(arm, 5, 3) == play_one(arm, 5, 3)
