"""Games of a duel in the AIWolf Protocol, by the rules of the Protocol Division."""

from __future__ import annotations

from functools import cache
from random import Random

from nlp_agent.arena.choices import SeededChoices
from nlp_agent.arena.classic_game import ClassicGame
from nlp_agent.arena.classic_rules import Habits, classic_village
from nlp_agent.arena.village import Village
from nlp_agent.lab.local import Decider
from nlp_agent.lab.study.protocol_opponents import PROTOCOL_OPPONENTS
from nlp_agent.lab.study.talker import PlainTalker
from nlp_agent.planning.mind import Mind
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.protocol import ProtocolStrategy
from nlp_agent.planning.strategy import Strategy
from nlp_agent.protocol import Request
from nlp_agent.reading.protocol import ProtocolReader
from nlp_agent.voice.protocol_lines import ProtocolLines

HABITS = Habits(protocol=True, greets=False)
"""Nobody here says anything illegal; a test holds it."""
READER = ProtocolReader()


class ProtocolPlayer(PlainTalker):
    """Our mind, and its sentences."""

    def __init__(self, seed: int, strategy: Strategy) -> None:
        super().__init__(READER, seed, ProtocolStrategy(strategy))

    def say(self, mind: Mind, request: Request, plan: TalkPlan) -> tuple[str, TalkPlan]:
        return ProtocolLines(self.state, mind.ledger).say(plan), plan


@cache
def protocol_village(players: int) -> Village:
    return classic_village(players, HABITS)


def protocol_game(players: int, seed: int) -> ClassicGame:
    guests = [f"seat{number}" for number in range(players)]
    return ClassicGame(protocol_village(players), guests, SeededChoices(seed), HABITS)


def protocol_opponent(name: str, seed: int, number: int) -> Decider:
    return PROTOCOL_OPPONENTS[name](READER, Random(f"{seed}/{number}"))
