"""The waiting room: who sits down with whom; pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Generic, Protocol, TypeVar


class Seating(StrEnum):
    """Who plays together: guests of one team, one guest of each of N teams, or the first N who come."""

    SELF = "self"
    TEAMS = "teams"
    ANY = "any"


class WaitingGuest(Protocol):
    """What the waiting room must know of a guest."""

    @property
    def name(self) -> str: ...

    @property
    def team(self) -> str: ...

    @property
    def gone(self) -> bool: ...


G = TypeVar("G", bound=WaitingGuest)
Places = tuple[str, ...]
"""The team of each seat, where that is settled before anybody comes."""


class Lobby(Generic[G]):
    """Guests in the order of their arrival. Nothing here awaits, so simultaneous arrivals cannot get lost."""

    def __init__(self, players: int, seating: Seating | Places) -> None:
        self._players, self._seating = players, seating
        self._waiting: list[G] = []

    @property
    def waiting(self) -> tuple[G, ...]:
        return tuple(self._waiting)

    def enter(self, guest: G) -> list[G]:
        """Let ``guest`` wait. If that fills a table, its players in the order of seats, else nothing.

        Where places are settled, each team's guests take its seats in the order of their names, else all guests do so.
        Guests whose connection is gone are shown out first. The order of names, unlike that of arrival, is
        the same in every game, so that a seed gives the same deal to the same guests.
        """
        self._waiting = [other for other in self._waiting if not other.gone]
        self._waiting.append(guest)
        chosen = self._first_table(guest)[: self._players]
        if len(chosen) < self._players:
            return []
        self._waiting = [other for other in self._waiting if other not in chosen]
        chosen.sort(key=lambda other: _natural(other.name))
        if not isinstance(self._seating, tuple):
            return chosen
        return [chosen.pop([other.team for other in chosen].index(team)) for team in self._seating]

    def leave(self, guest: G) -> None:
        """Forget ``guest``, whether it waits or not."""
        if guest in self._waiting:
            self._waiting.remove(guest)

    def _first_table(self, newest: G) -> list[G]:
        if isinstance(self._seating, tuple):
            return list(_as_many(self._waiting, Counter(self._seating)))
        if self._seating is Seating.SELF:
            return [guest for guest in self._waiting if guest.team == newest.team]
        return list(_one_each(self._waiting)) if self._seating is Seating.TEAMS else list(self._waiting)


def _one_each(guests: Iterable[G]) -> Iterable[G]:
    teams: dict[str, G] = {}
    for guest in guests:
        teams.setdefault(guest.team, guest)
    return teams.values()


def _as_many(guests: Iterable[G], wanted: Counter[str]) -> Iterable[G]:
    for guest in guests:
        if wanted[guest.team] > 0:
            wanted[guest.team] -= 1
            yield guest


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that puts ``kanolab2`` before ``kanolab10``."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"([0-9]+)", name)]
