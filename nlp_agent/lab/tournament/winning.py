"""How often each contestant won, the same on the terminal, as JSON and in a report. Pure.

A game counts once for everybody who sat in it, by the share of its seats that won: seats of a side share its result.
Games of one deal share their luck, so intervals take deals for the trials.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean

from nlp_agent.game import Side
from nlp_agent.lab.study.statistics import Figure, ShareSums
from nlp_agent.lab.tournament.rows import GameRow

ALL = ""
"""The group of all games; other groups are sides and roles."""
Key = tuple[str, str]
"""(contestant, group)."""


class Wins:
    """Takes in the games deal by deal; keeps only sums."""

    def __init__(self) -> None:
        self._sums: dict[Key, ShareSums] = defaultdict(ShareSums)

    def take(self, games: Iterable[GameRow]) -> None:
        """All games of one deal, or one game alone; those without a winner count for nothing."""
        for key, (hits, of) in _shares(games).items():
            self._sums[key].add(hits, of)

    def figures(self, unfinished: Iterable[Iterable[GameRow]] = ()) -> dict[Key, Figure]:
        """Of everybody in every group, with the games of ``unfinished`` deals too."""
        sums = {key: each.copy() for key, each in self._sums.items()}
        for games in unfinished:
            for key, (hits, of) in _shares(games).items():
                sums.setdefault(key, ShareSums()).add(hits, of)
        return {key: each.figure for key, each in sums.items()}


def _shares(games: Iterable[GameRow]) -> Mapping[Key, tuple[float, float]]:
    """What each won of how many games of a deal."""
    found: dict[Key, list[float]] = defaultdict(list)
    for row in games:
        if row.winner not in (Side.VILLAGER, Side.WEREWOLF):
            continue
        won: dict[Key, list[bool]] = defaultdict(list)
        for seat in row.seats:
            # A plain villager's role and the village's side bear the same name.
            for group in (ALL, f"side {seat.side}", f"role {seat.role}"):
                won[seat.contestant, group].append(seat.won)
        for key, each in won.items():
            found[key].append(fmean(each))
    return {key: (sum(each), float(len(each))) for key, each in found.items()}
