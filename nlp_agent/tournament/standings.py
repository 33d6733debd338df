"""How a tournament stands: what each contestant won and spent, and the differences between them with 95 % intervals.
Pure.

The interval of a difference may be looked at after every deal: see :mod:`nlp_agent.tournament.confidence_sequence`.

Games of one deal share their luck and are no independent trials, so what is counted is deals: of each deal the
difference between two contestants' scores, and the mean of these. A game counts once for everybody who sat in it, by
the share of its seats that won. Rows are taken in one by one, in any order, and none is kept.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import NormalDist, fmean

from nlp_agent.game import Side
from nlp_agent.study.statistics import Figure, ShareSums, grouped, student95
from nlp_agent.tournament.confidence_sequence import mean_bounds
from nlp_agent.tournament.deals import Tables, turns_of
from nlp_agent.tournament.rows import GameRow, SeatRow

# --- Who is better, and how sure that is -----------------------------------------------------------------------------


class DifferenceSums:
    """The differences by deal (each from -1 to 1), as how often each value came; there are few different ones."""

    def __init__(self, values: Iterable[float] = ()) -> None:
        self.counts: Counter[float] = Counter()
        for value in values:
            self.add(value)

    def add(self, value: float) -> None:
        """Add the difference of one more deal."""
        self.counts[round(value, 9)] += 1

    @property
    def deals(self) -> int:
        """The number of deals that were added."""
        return self.counts.total()

    @property
    def equal(self) -> int:
        """Deals on which both scored the same."""
        return self.counts[0.0]

    @property
    def total(self) -> float:
        """The sum of the differences."""
        return sum(value * count for value, count in self.counts.items())

    @property
    def squares(self) -> float:
        """The sum of the squares of the differences."""
        return sum(value * value * count for value, count in self.counts.items())


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two contestants: ``first`` less ``second`` in points of 1, the mean over ``deals``; on
    ``equal`` of them both scored the same.

    ``low`` .. ``high`` is its interval at any look: of 100 runs that are looked at after every deal it leaves the true
    difference out in at most 5, in all looks together. ``fixed`` is the narrower 95 % interval that is right only where
    the number of deals was fixed before. ``chance``: how likely ``first`` is the better one, where nothing was known
    before (also called likelihood of superiority); as ``fixed`` it is too sure of itself where somebody looked often.
    """

    first: str
    second: str
    deals: int
    mean: float
    low: float
    high: float
    equal: int = 0
    fixed: tuple[float, float] = (-1.0, 1.0)
    chance: float = 0.5

    @classmethod
    def of(cls, first: str, second: str, sums: DifferenceSums) -> Difference:
        """Work out the difference between contestants ``first`` and ``second`` from the sums over their deals."""
        mean = sums.total / sums.deals if sums.deals else 0.0
        chance = NormalDist().cdf(_imagined_mean(sums) / _standard_error(sums))
        bounds = mean_bounds(sums.counts)
        return cls(first, second, sums.deals, mean, *bounds, sums.equal, mean_interval(sums), chance)

    @property
    def decided(self) -> bool:
        """Whether one of the two is ahead for sure: the interval at any look leaves out no difference at all."""
        return not self.low <= 0.0 <= self.high

    def negligible(self, margin: float) -> bool:
        """Tell whether the difference is for sure no larger than ``margin``, whoever has it."""
        return -margin <= self.low and self.high <= margin

    @property
    def all_equal(self) -> bool:
        """Whether no deal told the two apart, so that nobody can say how many would."""
        return 0 < self.deals == self.equal

    @property
    def half(self) -> float:
        """Half the width of the interval: the ± of it."""
        return (self.high - self.low) / 2

    @property
    def better(self) -> str:
        """The contestant that is ahead for sure, or ``""``."""
        return (self.first if self.low > 0 else self.second) if self.decided else ""


TARGET_HALF_WIDTH = 0.03
"""A difference is known well enough when its interval is no wider than this on each side."""


def deals_to_tell(one: Difference) -> int:
    """How many deals in all would probably tell a difference to within ``TARGET_HALF_WIDTH``."""
    return math.ceil(one.deals * (one.half / TARGET_HALF_WIDTH) ** 2 / 10) * 10


def points(share: float, form: str = "+.1f") -> str:
    """A difference as games of 100."""
    return f"{100 * share:{form}}"


def elo(difference: float) -> float:
    """Convert a ``difference`` of two scores into points of Elo's scale, on which 400 are ten wins for each loss."""
    share = min(1 - 1e-6, max(1e-6, (1 + difference) / 2))
    return 400 * math.log10(share / (1 - share))


def mean_interval(sums: DifferenceSums) -> tuple[float, float]:
    """The 95 % interval of the mean at one number of deals, by Student's t over the differences and two imagined ones.

    One imagined value is 0, and half a value each is -1 and 1, after Agresti and Min (Statistics in Medicine 24, 2005):
    twenty deals alike are no proof that there is never another, and so no interval is ever a point.
    """
    mean, half = _imagined_mean(sums), student95(sums.deals + 1) * _standard_error(sums)
    return max(-1.0, mean - half), min(1.0, mean + half)


def _imagined_mean(sums: DifferenceSums) -> float:
    return sums.total / (sums.deals + 2)


def _standard_error(sums: DifferenceSums) -> float:
    count = sums.deals + 2
    return math.sqrt(max(0.0, (sums.squares + 1.0) / count - _imagined_mean(sums) ** 2) / (count - 1))


# --- How often each contestant won, the same on the terminal, as JSON and in a report --------------------------------


ALL_GAMES = ""
"""The group of all games; other groups are sides and roles."""
WinKey = tuple[str, str]
"""(contestant, group)."""


class WinRates:
    """Takes in the games deal by deal; keeps only sums."""

    def __init__(self) -> None:
        self._sums: dict[WinKey, ShareSums] = defaultdict(ShareSums)

    def take(self, games: Iterable[GameRow]) -> None:
        """Count all games of one deal, or one game alone; those without a winner count for nothing."""
        for key, (hits, of) in _win_shares(games).items():
            self._sums[key].add(hits, of)

    def figures(self, unfinished: Iterable[Iterable[GameRow]] = ()) -> dict[WinKey, Figure]:
        """The win rate of everybody in every group, with the games of ``unfinished`` deals too."""
        sums = {key: each.copy() for key, each in self._sums.items()}
        for games in unfinished:
            for key, (hits, of) in _win_shares(games).items():
                sums.setdefault(key, ShareSums()).add(hits, of)
        return {key: each.figure for key, each in sums.items()}


def _win_shares(games: Iterable[GameRow]) -> Mapping[WinKey, tuple[float, float]]:
    """What each won of how many games of a deal."""
    found: dict[WinKey, list[float]] = defaultdict(list)
    for row in games:
        if row.winner not in (Side.VILLAGER, Side.WEREWOLF):
            continue
        won: dict[WinKey, list[bool]] = defaultdict(list)
        for seat in row.seats:
            # A plain villager's role and the village's side bear the same name.
            for group in (ALL_GAMES, f"side {seat.side}", f"role {seat.role}"):
                won[seat.contestant, group].append(seat.won)
        for key, each in won.items():
            found[key].append(fmean(each))
    return {key: (sum(each), float(len(each))) for key, each in found.items()}


# --- How a tournament stands -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class WinCount:
    """A count of ``wins`` of a side in ``games``, counted by seats."""

    games: int = 0
    wins: int = 0


@dataclass(slots=True)
class ContestantTally:
    """The counts of one contestant over all its seats. ``games`` it sat in; ``money`` as far as known, ``unpriced``
    seats are not.
    """

    games: int = 0
    roles: dict[str, WinCount] = field(default_factory=lambda: defaultdict(WinCount))
    replies: int = 0
    fallbacks: int = 0
    faults: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    money: float = 0.0
    unpriced: int = 0

    @property
    def seats(self) -> WinCount:
        """The games and wins of all its seats, whatever their role."""
        return WinCount(sum(won.games for won in self.roles.values()), sum(won.wins for won in self.roles.values()))

    @property
    def unknown(self) -> bool:
        """Whether nobody knows what the contestant spent, as of foreign agents, whose tokens are not seen here."""
        return bool(self.unpriced) and not self.prompt_tokens + self.completion_tokens

    def take(self, seat: SeatRow) -> None:
        """Add the figures of one of its seats over one game."""
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
        self._wins = WinRates()
        self._sums = {pair: DifferenceSums() for pair in combinations(self.contestants, 2)}
        self._differences: list[Difference] | None = None

    def expect(self, deal: str) -> None:
        """Note that ``deal`` comes next; deals count in the order in which they were announced here."""
        self._order.append(deal)
        self._move_on()

    def take(self, row: GameRow) -> None:
        """Count the finished game ``row``; a deal whose games are all there then counts for the differences."""
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
        """Leave out ``deal``, one of whose games cannot be played: it counts for nothing, and no other deal waits for
        it.
        """
        self._given_up.add(deal)
        self._move_on()

    def differences(self) -> list[Difference]:
        """The difference between the contestants of every pair, in the order the contestants are given."""
        # Asked for after every game, and only a whole deal changes them.
        if self._differences is None:
            self._differences = [Difference.of(*pair, sums) for pair, sums in self._sums.items()]
        return self._differences

    def rates(self) -> dict[WinKey, Figure]:
        """The share of games that each contestant won, over all games there are: see
        :mod:`nlp_agent.tournament.standings`.
        """
        return self._wins.figures(self._open.values())

    def _move_on(self) -> None:
        while self._order and (self._order[0] in self._given_up or len(self._open[self._order[0]]) >= self._turns):
            deal = self._order.popleft()
            games = self._open.pop(deal, [])
            self._wins.take(games)
            if deal not in self._given_up:
                self._differences = None
                scored = deal_scores(games, self._tables)
                for (first, second), sums in self._sums.items():
                    sums.add(scored[first] - scored[second])


def deal_scores(games: Sequence[GameRow], tables: Tables) -> dict[str, float]:
    """The score of each contestant, from 0 to 1, in the games of a deal: the share of its seats whose side won; where
    all seats are one contestant's, whether the village did.
    """
    won = grouped(
        (seat.contestant, game.winner == Side.VILLAGER if tables is Tables.SAME else seat.won)
        for game in games
        for seat in game.seats
    )
    return {contestant: sum(wins) / len(wins) for contestant, wins in won.items()}
