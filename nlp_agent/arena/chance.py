"""All that is left to chance at a table, in one class: roles, characters, the order of speakers, ties.

Whom players choose is counted in ``engine.py``. :func:`deal` makes the seats of a game of it. Pure.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from nlp_agent.arena.events import DealtSeat
from nlp_agent.arena.village import Village

# --- All that is left to chance at a table ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Character:
    """A character of the cast: its in-game name and its traits as (localised key, text) pairs."""

    name: str
    traits: tuple[tuple[str, str], ...] = ()


class SeededChance:
    """The decisions of chance at a table, a method for each, drawn from a seed.

    Every method returns some of what it was given; a subclass may decide some of them otherwise.

    Every kind of decision draws from a stream of its own: the deal never depends on what was played.
    """

    def __init__(self, seed: int | str) -> None:
        self._deal, self._cast, self._order, self._ties = (
            random.Random(f"{seed}/{stream}") for stream in ("deal", "cast", "order", "ties")
        )

    def roles(self, pool: Sequence[str]) -> Sequence[str]:
        """Shuffle the roles over the seats."""
        return self._deal.sample(pool, len(pool))

    def characters(self, cast: Sequence[Character], count: int) -> Sequence[Character]:
        """Draw as many characters as there are seats."""
        return self._cast.sample(cast, count)

    def traits(self, character: Character) -> Sequence[tuple[str, str]]:
        """Return the traits of a character in the order in which its profile names them."""
        return self._cast.sample(character.traits, len(character.traits))

    def speaking_order(self, seats: Sequence[int]) -> Sequence[int]:
        """Shuffle the seats for one turn of talking."""
        return self._order.sample(seats, len(seats))

    def tie(self, seats: Sequence[int]) -> int:
        """Pick one of the seats that have the most votes."""
        return self._ties.choice(seats)


# --- Who gets which seat, role and character -------------------------------------------------------------------------


def team_of(guest: str) -> str:
    """The team of a connection: its name without the digits at the end."""
    return re.sub(r"[0-9]+$", "", guest)


def deal(
    village: Village, guests: Sequence[str], chance: SeededChance, cast: Sequence[Character]
) -> tuple[DealtSeat, ...]:
    """The seats of a game in order; without a ``cast`` the players are numbered and have no profile."""
    roles = chance.roles([role for role, count in sorted(village.roles.items()) for _ in range(count)])
    characters: Sequence[Character | None] = (
        chance.characters(cast, village.players) if cast else [None] * village.players
    )
    seats = []
    for idx, (guest, role, character) in enumerate(zip(guests, roles, characters, strict=True)):
        name, profile = f"Agent[{idx + 1:02d}]", None
        if character is not None:
            name = character.name
            profile = "\n".join(f"{key}: {text}" for key, text in chance.traits(character))
        seats.append(DealtSeat(idx, name, role, profile, guest, team_of(guest)))
    return tuple(seats)
