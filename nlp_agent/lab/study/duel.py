"""The LLM-free player against named opponents in the engine: the strength of the decision core, not of any LLM.

Every seed deals one village; in it our player takes each role in turn, so all roles and opponents face the same deals.
Everybody says the plainest words (:mod:`nlp_agent.lab.study.plain`); what is decided does not depend on the wording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from nlp_agent.app.wiring.strategies import load_strategy
from nlp_agent.arena.choices import SeededChoices
from nlp_agent.arena.engine import Game
from nlp_agent.arena.events import Event, Voted, killed_by
from nlp_agent.arena.steps import Order
from nlp_agent.arena.village import Village, contest_village
from nlp_agent.game import Side, role_spec
from nlp_agent.lab.local import Decider
from nlp_agent.lab.study.opponents import OPPONENTS
from nlp_agent.lab.study.protocol_duel import ProtocolPlayer, protocol_game, protocol_opponent, protocol_village
from nlp_agent.lab.study.protocol_opponents import PROTOCOL_OPPONENTS
from nlp_agent.lab.study.talker import PlainTalker
from nlp_agent.planning.strategy import Strategy
from nlp_agent.prompting import Pack, load_pack
from nlp_agent.protocol import Request, Role

VILLAGE, WOLVES, NOBODY = "village side", "wolf side", "nobody"
"""Arms besides the roles: a whole side is ours, or (for comparison) no seat at all."""
CHUNK, CHUNK_OF_MANY, MANY = 50, 5, 9
"""Games of one arm that a process plays at a stretch, fewer from so many players on."""


@dataclass(frozen=True, slots=True)
class Arm:
    """``ours``: the role (one seat of it), or the side, that our player plays among ``opponent``."""

    opponent: str
    ours: str


@dataclass(slots=True)
class WinTally:
    """``wins`` of ours (of the village, where nobody is ours) in ``games``; ``marks`` counts moments and slips."""

    games: int = 0
    wins: int = 0
    marks: Counter[str] = field(default_factory=Counter)

    def add(self, other: WinTally) -> None:
        self.games += other.games
        self.wins += other.wins
        self.marks.update(other.marks)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games ``first`` .. ``first + count - 1`` of ``arm``; ``strategy`` as in a config (``module:Class``)."""

    arm: Arm
    players: int
    first: int
    count: int
    strategy: str = ""


def arms(players: int, opponents: Sequence[str]) -> list[Arm]:
    """All arms of a village of ``players``: each of its roles, both sides, and the opponents among themselves."""
    roles = [str(role) for role, count in _village(players, opponents[0]).roles.items() if count]
    return [Arm(name, ours) for name in opponents for ours in (*roles, VILLAGE, WOLVES, NOBODY)]


def chunks(players: int, opponents: Sequence[str], games: int, seed: int, strategy: str = "") -> Iterator[Chunk]:
    """All work, every arm a little at a time, so that an early end leaves something of each."""
    size = CHUNK if players < MANY else CHUNK_OF_MANY
    for first in range(0, games, size):
        for arm in arms(players, opponents):
            yield Chunk(arm, players, seed + first, min(size, games - first), strategy)


def play_chunk(chunk: Chunk) -> tuple[Arm, WinTally]:
    """Play ``chunk`` to its end."""
    tally = WinTally()
    for seed in range(chunk.first, chunk.first + chunk.count):
        tally.add(play_one(chunk.arm, chunk.players, seed, chunk.strategy))
    return chunk.arm, tally


def play_one(arm: Arm, players: int, seed: int, strategy: str = "") -> WinTally:
    """One game of ``arm``; the same arguments give the same game."""
    if arm.opponent in PROTOCOL_OPPONENTS:
        game: Game = protocol_game(players, seed)
    else:
        game = Game(_village(players, arm.opponent), [f"seat{n}" for n in range(players)], SeededChoices(seed))
    roles = [seat.role for seat in game.seats]
    ours = _ours(arm.ours, roles)
    deciders = [_decider(arm.opponent, n in ours, seed, n, strategy) for n in range(players)]
    order = game.start()
    while isinstance(order, Order):
        reply = deciders[order.seat](order.packet)
        order = game.answer(reply if order.needs_reply else None)
    side = role_spec(roles[min(ours)]).side.value if ours else Side.VILLAGER.value
    return WinTally(1, int(game.winner == side), _marks(game.events, roles, ours))


def _ours(ours: str, roles: list[str]) -> set[int]:
    if ours in (VILLAGE, WOLVES):
        side = Side.VILLAGER if ours == VILLAGE else Side.WEREWOLF
        return {seat for seat, role in enumerate(roles) if role_spec(role).side is side}
    return {roles.index(ours)} if ours in roles else set()


def _decider(opponent: str, ours: bool, seed: int, number: int, strategy: str) -> Decider:
    if opponent in PROTOCOL_OPPONENTS:
        if ours:
            return ProtocolPlayer(seed * 100 + number, _maker(strategy)())
        return protocol_opponent(opponent, seed, number)
    if ours:
        return PlainTalker(_pack().reading, seed * 100 + number, _maker(strategy)())
    return OPPONENTS[opponent](_pack().playbook, Random(f"{seed}/{number}"))


@cache
def _maker(strategy: str) -> Callable[[], Strategy]:
    return load_strategy(strategy)


@cache
def _pack() -> Pack:
    return load_pack("en")


@cache
def _village(players: int, opponent: str) -> Village:
    return protocol_village(players) if opponent in PROTOCOL_OPPONENTS else contest_village(players, "en")


def _marks(events: Sequence[Event], roles: list[str], ours: set[int]) -> Counter[str]:
    """Moments that can go wrong, and how often they did, for seats of ours."""
    found: Counter[str] = Counter()
    alive = set(range(len(roles)))
    for event in events:
        if isinstance(event, Voted) and event.seat in ours:
            found.update(_vote_marks(event, roles, alive))
        victim = killed_by(event)
        if victim is not None:
            alive.discard(victim)
    return found


def _vote_marks(event: Voted, roles: list[str], alive: set[int]) -> list[str]:
    wolves = {seat for seat in alive if roles[seat] == Role.WEREWOLF}
    mad = {seat for seat in alive if roles[seat] == Role.POSSESSED}
    if event.request is Request.ATTACK:
        # Where nobody else is left there was nothing to choose: such a night is played to its end by classic rules.
        choice = mad and alive - wolves - mad
        return ["attacks", *(["attacks on the possessed"] if event.target in mad else [])] if choice else []
    if role_spec(roles[event.seat]).side is Side.VILLAGER:
        day = f"day {min(event.day, 4)}"
        return [f"votes {day}", *([f"hits {day}"] if event.target in wolves else [])]
    if event.seat not in mad:
        return ["wolf votes", *(["wolf votes against wolves"] if event.target in wolves else [])]
    final = len(alive) - len(wolves) <= len(wolves) + len(mad)
    when = "final votes of the possessed" if final else "earlier votes of the possessed"
    return [when, *([f"{when} against a wolf"] if event.target in wolves else [])]
