"""Games of a duel in the AIWolf Protocol, by the rules of the Protocol Division."""

from __future__ import annotations

from functools import cache
from random import Random

from nlp_agent.arena.choices import SeededChoices
from nlp_agent.arena.classic_game import ClassicGame
from nlp_agent.arena.classic_rules import Habits, classic_village
from nlp_agent.arena.local import Decider
from nlp_agent.arena.village import Village
from nlp_agent.game import SeatState
from nlp_agent.lab.study.plain import decided
from nlp_agent.lab.study.protocol_opponents import PROTOCOL_OPPONENTS
from nlp_agent.planning.mind import Mind
from nlp_agent.planning.protocol import ProtocolStrategy
from nlp_agent.planning.strategy import Strategy
from nlp_agent.protocol import Packet
from nlp_agent.reading.protocol import ProtocolReader
from nlp_agent.voice.protocol_lines import ProtocolLines

HABITS = Habits(protocol=True, greets=False)
"""Nobody here says anything illegal; a test holds it."""
READER = ProtocolReader()


class ProtocolPlayer:
    """Our mind, and its sentences."""

    def __init__(self, seed: int, strategy: Strategy) -> None:
        self.state = SeatState()
        self._seed, self._strategy = seed, ProtocolStrategy(strategy)
        self._mind: Mind | None = None

    def __call__(self, packet: Packet) -> str | None:
        self.state.apply(packet)
        if self._mind is None:
            self._mind = Mind(self.state, READER, self._seed, self._strategy)
            self._lines = ProtocolLines(self.state, self._mind.ledger)
        return decided(self._mind, self.state, packet, self._lines.say)


@cache
def protocol_village(players: int) -> Village:
    return classic_village(players, HABITS)


def protocol_game(players: int, seed: int) -> ClassicGame:
    guests = [f"seat{number}" for number in range(players)]
    return ClassicGame(protocol_village(players), guests, SeededChoices(seed), HABITS)


def protocol_opponent(name: str, seed: int, number: int) -> Decider:
    return PROTOCOL_OPPONENTS[name](READER, Random(f"{seed}/{number}"))
