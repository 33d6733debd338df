"""All that is left to chance at a table, behind one seam."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Character:
    """One of the cast: its in-game name and its traits as (localised key, text) pairs."""

    name: str
    traits: tuple[tuple[str, str], ...] = ()


class Choices(Protocol):
    """One method per decision. Every method returns some of what it was given."""

    def roles(self, pool: Sequence[str]) -> Sequence[str]:
        """``pool`` in seat order."""

    def characters(self, cast: Sequence[Character], count: int) -> Sequence[Character]:
        """``count`` different characters in seat order."""

    def traits(self, character: Character) -> Sequence[tuple[str, str]]:
        """The character's traits in the order of its profile."""

    def speaking_order(self, seats: Sequence[int]) -> Sequence[int]:
        """``seats`` in the order in which they speak in one talk or whisper phase."""

    def tie(self, seats: Sequence[int]) -> int:
        """One of the tied ``seats``."""


class SeededChoices:
    """Chance from a seed.

    Every kind of decision draws from a stream of its own: the deal never depends on what was played.
    """

    def __init__(self, seed: int | str) -> None:
        self._deal, self._cast, self._order, self._ties = (
            random.Random(f"{seed}/{stream}") for stream in ("deal", "cast", "order", "ties")
        )

    def roles(self, pool: Sequence[str]) -> Sequence[str]:
        return self._deal.sample(pool, len(pool))

    def characters(self, cast: Sequence[Character], count: int) -> Sequence[Character]:
        return self._cast.sample(cast, count)

    def traits(self, character: Character) -> Sequence[tuple[str, str]]:
        return self._cast.sample(character.traits, len(character.traits))

    def speaking_order(self, seats: Sequence[int]) -> Sequence[int]:
        return self._order.sample(seats, len(seats))

    def tie(self, seats: Sequence[int]) -> int:
        return self._ties.choice(seats)
