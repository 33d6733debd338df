"""Which games are played: deals, and who sits where in each. Pure; everything follows from a seed.

A *deal* is a village with all that chance gives it: who is seer in which seat, characters, speaking orders, ties. It is
played in several *turns*, between which only the contestants move on. After the last turn each contestant has sat in
each seat, and so had each role, equally often: what is left between them is not the luck of the deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count, permutations
from random import Random

from nlp_agent.arena.chance import SeededChance
from nlp_agent.arena.chance import deal as dealt
from nlp_agent.arena.village import Village
from nlp_agent.game import Side, role_spec


class Tables(StrEnum):
    """The ways in which seats are shared among contestants.

    ``sides``: one contestant has the village's seats and another the wolves'; each pair in both ways. The sharpest, as
    all of a side is one contestant's. ``mixed``: the seats are shared among the contestants, as in a contest. ``same``:
    all seats are one contestant's; what is counted is how often its village wins.
    """

    SIDES = "sides"
    MIXED = "mixed"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal: number ``number`` of the village called ``group``; ``roles`` by seat follow from ``seed``."""

    group: str
    number: int
    seed: int
    roles: tuple[str, ...]

    @property
    def name(self) -> str:
        """The deal's key: the village's name and the deal's number, as in ``village-00012``."""
        return f"{self.group}-{self.number:05d}"


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played: turn ``turn`` of ``deal``; ``seats`` has the contestant of each seat."""

    deal: Deal
    turn: int
    tables: Tables
    seats: tuple[str, ...]

    @property
    def game(self) -> str:
        """The key of the game: its deal's, and the turn."""
        return f"{self.deal.name}-{self.turn}"


def seed_of(seed: int, group: str, number: int) -> int:
    """The seed of a deal; ``nlp-agent play --seed`` with it deals the same."""
    return Random(f"{seed}/{group}/{number}").getrandbits(40)


def choices_of(seed: int) -> SeededChance:
    """The source of all chance of a deal: that of the first game at a table with this seed."""
    return SeededChance(f"{seed}/1")


def deals(seed: int, villages: Mapping[str, Village]) -> Iterator[Deal]:
    """Yield one deal after another, of each village in turn, without end."""
    for number in count():
        for group, village in villages.items():
            own = seed_of(seed, group, number)
            seats = dealt(village, [""] * village.players, choices_of(own), ())
            yield Deal(group, number, own, tuple(seat.role for seat in seats))


def turns_of(tables: Tables, contestants: int) -> int:
    """The number of games that each deal has."""
    return contestants * (contestants - 1) if tables is Tables.SIDES else contestants


def fixtures_of(deal: Deal, contestants: Sequence[str], tables: Tables) -> tuple[Fixture, ...]:
    """The games to be played of ``deal``, in order."""
    seatings = {Tables.SIDES: _by_sides, Tables.MIXED: _mixed, Tables.SAME: _same}[tables](deal, contestants)
    return tuple(Fixture(deal, turn, tables, seats) for turn, seats in enumerate(seatings))


def _by_sides(deal: Deal, contestants: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for village, wolves in permutations(contestants, 2):
        yield tuple(village if role_spec(role).side is Side.VILLAGER else wolves for role in deal.roles)


def _mixed(deal: Deal, contestants: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Places and neighbours differ from deal to deal; within one everybody moves on by a place a turn."""
    random, seats = Random(f"{deal.seed}/mixed"), range(len(deal.roles))
    places, order = random.sample(seats, len(seats)), random.sample(contestants, len(contestants))
    for turn in range(len(order)):
        yield tuple(order[(place + turn) % len(order)] for place in places)


def _same(deal: Deal, contestants: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for contestant in contestants:
        yield (contestant,) * len(deal.roles)
