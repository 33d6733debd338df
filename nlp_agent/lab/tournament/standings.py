"""How a tournament stands: what each contestant won and spent, and the differences between them. Pure.

Rows are taken in one by one, in any order, and none is kept: a million games need no more room than a hundred.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from nlp_agent.game import Side
from nlp_agent.lab.study.statistics import Figure, grouped
from nlp_agent.lab.tournament.deals import Tables, turns_of
from nlp_agent.lab.tournament.differences import Difference, Sums
from nlp_agent.lab.tournament.rows import GameRow, SeatRow
from nlp_agent.lab.tournament.winning import Key, Wins


@dataclass(slots=True)
class Won:
    """``wins`` of a side in ``games``, counted by seats."""

    games: int = 0
    wins: int = 0


@dataclass(slots=True)
class ContestantTally:
    """One contestant over all its seats. ``games`` it sat in; ``money`` as far as known, ``unpriced`` seats are not."""

    games: int = 0
    roles: dict[str, Won] = field(default_factory=lambda: defaultdict(Won))
    replies: int = 0
    fallbacks: int = 0
    faults: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    money: float = 0.0
    unpriced: int = 0

    @property
    def seats(self) -> Won:
        return Won(sum(won.games for won in self.roles.values()), sum(won.wins for won in self.roles.values()))

    def take(self, seat: SeatRow) -> None:
        won = self.roles[seat.role]
        won.games += 1
        won.wins += seat.won
        self.replies += seat.replies
        self.fallbacks += seat.fallbacks
        self.faults += seat.illegal + seat.late + seat.dropped + seat.extra + seat.crashes
        self.prompt_tokens += seat.prompt_tokens
        self.cached_tokens += seat.cached_tokens
        self.completion_tokens += seat.completion_tokens
        self.money += seat.money or 0.0
        self.unpriced += seat.money is None


class Standings:
    """Say with :meth:`expect` in which order deals are played, then give all rows to :meth:`take`.

    A deal counts for the differences when it is whole, and so are all before it: at every look deals of long games
    would be missing more often than others. So what a look shows depends on the seed alone, not on who was quick.
    """

    def __init__(self, contestants: Sequence[str], tables: Tables) -> None:
        self.contestants = tuple(contestants)
        self.tallies = {name: ContestantTally() for name in contestants}
        self.games = self.village_wins = self.undecided = 0
        self._tables, self._turns = tables, turns_of(tables, len(contestants))
        self._order: deque[str] = deque()
        self._open: dict[str, list[GameRow]] = defaultdict(list)
        self._given_up: set[str] = set()
        self._wins = Wins()
        self._sums = {pair: Sums() for pair in combinations(self.contestants, 2)}

    def expect(self, deal: str) -> None:
        """``deal`` comes next."""
        self._order.append(deal)
        self._move_on()

    def take(self, row: GameRow) -> None:
        self.games += 1
        self.village_wins += row.winner == Side.VILLAGER
        self.undecided += row.winner not in (Side.VILLAGER, Side.WEREWOLF)
        for name in {seat.contestant for seat in row.seats}:
            self.tallies[name].games += 1
        for seat in row.seats:
            self.tallies[seat.contestant].take(seat)
        self._open[row.deal].append(row)
        self._move_on()

    def give_up(self, deal: str) -> None:
        """One of its games cannot be played: the deal counts for nothing, and none waits for it."""
        self._given_up.add(deal)
        self._move_on()

    def differences(self) -> list[Difference]:
        """Of every pair, in the order the contestants are given."""
        return [Difference.of(*pair, sums) for pair, sums in self._sums.items()]

    def rates(self) -> dict[Key, Figure]:
        """How often each won, over all games there are: see :mod:`nlp_agent.lab.tournament.winning`."""
        return self._wins.figures(self._open.values())

    def _move_on(self) -> None:
        while self._order and (self._order[0] in self._given_up or len(self._open[self._order[0]]) >= self._turns):
            deal = self._order.popleft()
            games = self._open.pop(deal, [])
            self._wins.take(games)
            if deal not in self._given_up:
                scored = deal_scores(games, self._tables)
                for (first, second), sums in self._sums.items():
                    sums.add(scored[first] - scored[second])


def deal_scores(games: Sequence[GameRow], tables: Tables) -> dict[str, float]:
    """What each contestant scored, from 0 to 1, in the games of a deal: the share of its seats whose side won; where
    all seats are one contestant's, whether the village did.
    """
    won = grouped(
        (seat.contestant, game.winner == Side.VILLAGER if tables is Tables.SAME else seat.won)
        for game in games
        for seat in game.seats
    )
    return {contestant: sum(wins) / len(wins) for contestant, wins in won.items()}
