"""Ratings of contestants who sat at one table, by the package ``openskill`` (Plackett-Luce).

A game is two sides; a side is the contestants in it and, as one more player, the side itself in that village, so that
nobody is rated up for having sat where most win. The smaller side is filled up with average players who never learn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from nlp_agent.study.statistics import Z95, grouped
from nlp_agent.tournament.rows import GameRow

SIDES = ("VILLAGER", "WEREWOLF")
MOST = 20_000
"""Games rated, the last ones: what came before is forgotten by then anyway."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating of a contestant: ``mu`` is the skill, ``sigma`` how unsure it is; a newcomer has 25 and 8.3."""

    who: str
    mu: float
    sigma: float
    games: int

    @property
    def low(self) -> float:
        """The lower end of the rating's 95 % interval."""
        return self.mu - Z95 * self.sigma

    @property
    def high(self) -> float:
        """The upper end of the rating's 95 % interval."""
        return self.mu + Z95 * self.sigma


def ratings(rows: Iterable[GameRow], who: Iterable[str]) -> list[Rating]:
    """Rate the contestants ``who`` by the games of ``rows``, best first; empty where no two of them ever met."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - an extra, and slow to import

    model = PlackettLuce()
    average = model.rating(sigma=1e-6)
    known: dict[str, Any] = defaultdict(model.rating)
    games: dict[str, int] = defaultdict(int)
    met = False
    for row in [*rows][-MOST:]:
        teams = [list(dict.fromkeys(seat.contestant for seat in row.seats if seat.side == side)) for side in SIDES]
        if row.winner not in SIDES or not all(teams):
            continue
        met = met or set(teams[0]) != set(teams[1])
        village = sorted(row.village.items())
        names = [[*team, f"\0{side}{village}"] for team, side in zip(teams, SIDES, strict=True)]
        size = max(map(len, names))
        sides = [[known[name] for name in team] + [average] * (size - len(team)) for team in names]
        _learn(known, names, model.rate(sides, ranks=[int(row.winner != side) for side in SIDES]))
        for name in {name for team in teams for name in team}:
            games[name] += 1
    found = [Rating(name, known[name].mu, known[name].sigma, games[name]) for name in who if games[name]]
    return sorted(found, key=lambda rating: -rating.mu) if met and len(found) > 1 else []


def _learn(known: dict[str, Any], names: list[list[str]], rated: list[list[Any]]) -> None:
    """Take over what a game taught; who sat on both sides learns the mean."""
    taught = grouped(each for team, after in zip(names, rated, strict=True) for each in zip(team, after, strict=False))
    for name, found in taught.items():
        known[name].mu, known[name].sigma = fmean(each.mu for each in found), fmean(each.sigma for each in found)
