"""The figures of a report, each with what it is counted from and its 95 % interval. Pure.

Games of one deal share their luck, and all seats of a side share its result: intervals take deals, else games, for the
trials, never seats.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from statistics import fmean
from typing import Any

from nlp_agent.records.summary import WordCounts
from nlp_agent.report.evidence import Evidence, VoteBelief, cluster, seats_of
from nlp_agent.study.evaluate import BINS, hit
from nlp_agent.study.statistics import Z95, Figure, average_of, grouped, share_of
from nlp_agent.tournament.deals import Tables, turns_of
from nlp_agent.tournament.rows import GameRow, SeatRow
from nlp_agent.tournament.standings import ALL_GAMES, Difference, DifferenceSums, WinRates, deal_scores

SIDES = {"VILLAGER": "village side", "WEREWOLF": "wolf side"}
BOTH = "all games"
_ROLES = ("VILLAGER", "SEER", "MEDIUM", "BODYGUARD", "WEREWOLF", "POSSESSED")


@dataclass(frozen=True, slots=True)
class Point:
    """A figure of ``who`` in ``group``."""

    who: str
    group: str
    figure: Figure


# --- winning ---------------------------------------------------------------------------------------------------


def win_rates(evidence: Evidence) -> list[Point]:
    """The win rates of everybody: over all games, by side, by role; see :mod:`nlp_agent.tournament.standings`."""
    found = WinRates().figures(grouped((cluster(row), row) for row in evidence.finished).values())
    roles = _in_order({seat.role for row in evidence.finished for seat in row.seats})
    groups = {ALL_GAMES: BOTH, **{f"side {side}": group_label for side, group_label in SIDES.items()}}
    groups |= {f"role {role}": role.lower() for role in roles}
    return [
        Point(who, group_label, found[who, group])
        for group, group_label in groups.items()
        for who in evidence.who
        if (who, group) in found
    ]


def _in_order(roles: Iterable[str]) -> list[str]:
    found = set(roles)
    return [*(role for role in _ROLES if role in found), *sorted(found.difference(_ROLES))]


def above_role(evidence: Evidence) -> list[Point]:
    """Measure how much more often each won its games than all who had the same role in villages of the same roles; best
    first.

    Where nobody sat everywhere equally often this is the fair thing to compare: whoever was dealt more wolves in a
    contest that wolves win is not ahead for it.
    """
    usual = grouped(((_village(row), seat.role), seat.won) for row in evidence.finished for seat in row.seats)
    means = {key: fmean(found) for key, found in usual.items()}
    won: dict[str, list[tuple[str, float, float]]] = defaultdict(list)
    due: dict[str, list[float]] = defaultdict(list)
    for row in evidence.finished:
        for who in {seat.contestant for seat in row.seats}:
            seats = [seat for _, seat in seats_of(row, who)]
            won[who].append((cluster(row), fmean(seat.won for seat in seats), 1))
            due[who].append(fmean(means[_village(row), seat.role] for seat in seats))
    points = [Point(who, BOTH, _less(share_of(won[who]), fmean(due[who]))) for who in evidence.who if who in won]
    return sorted(points, key=lambda point: -(point.figure.value or 0.0))


def _less(share: Figure, due: float) -> Figure:
    """``share`` beyond what was ``due``, which is taken to be known: all games together tell it well."""
    value, low, high = ((end if end is None else end - due) for end in (share.value, share.low, share.high))
    return Figure(value, low, high, share.count, share.games)


def _village(row: GameRow) -> str:
    return f"{row.group}|{sorted(row.village.items())}"


@dataclass(frozen=True, slots=True)
class Paired:
    """A difference between two on the same deals, and what each deal's was."""

    difference: Difference
    values: tuple[float, ...]


def paired(evidence: Evidence) -> list[Paired]:
    """The differences of every pair of contestants, over the deals that were played to their end."""
    sums: dict[tuple[str, str], list[float]] = {pair: [] for pair in combinations(evidence.who, 2)}
    for _, games in sorted(evidence.by_deal.items(), key=lambda item: _number(item[0])):
        try:
            tables = Tables(games[0].tables)
        except ValueError:
            continue
        if len(games) >= turns_of(tables, len(evidence.who)):
            scores = deal_scores(games, tables)
            for (first, second), values in sums.items():
                if first in scores and second in scores:
                    values.append(scores[first] - scores[second])
    return [_paired(pair, values) for pair, values in sums.items() if values]


def _number(deal: str) -> int:
    """Its place in the order in which deals are given out, whichever was over first."""
    number = deal.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def _paired(pair: tuple[str, str], values: Sequence[float]) -> Paired:
    """Whoever is ahead stands first."""
    if sum(values) < 0:
        pair, values = (pair[1], pair[0]), [-value for value in values]
    return Paired(Difference.of(*pair, DifferenceSums(values)), tuple(values))


LOOKS = 40
"""Points of a curve by deals."""


def progress(pair: Paired) -> list[Difference]:
    """The difference as it stood after so many deals, from few to all, in the order in which deals were given out."""
    count = len(pair.values)
    looks = {max(1, count * look // LOOKS) for look in range(1, LOOKS + 1)}
    sums, found = DifferenceSums(), []
    for number, value in enumerate(pair.values, 1):
        sums.add(value)
        if number in looks:
            found.append(Difference.of(pair.difference.first, pair.difference.second, sums))
    return found


# --- votes and beliefs -----------------------------------------------------------------------------------------


CHANCE = "by chance"
BELIEVED = "the most suspected"


def votes_on_wolves(evidence: Evidence, apart: bool) -> list[Point]:
    """The share of votes that hit a wolf, by day: of those who are no wolves (``apart``: of each contestant), by
    chance, and had they gone to the most suspected.
    """
    found: dict[int, list[tuple[str, str, VoteBelief]]] = defaultdict(list)
    for row in evidence.rows:
        for vote in evidence.details[row.game].votes if row.game in evidence.details else ():
            if apart and row.seats[vote.seat].contestant not in evidence.who:
                continue
            voter = f"{row.seats[vote.seat].contestant} voted" if apart else "voted"
            found[vote.day].append((cluster(row), voter, vote))
    points = []
    for day, votes in sorted(found.items()):
        for voter in sorted({voter for _, voter, _ in votes}):
            cast = ((luck, vote.voted in vote.wolves, 1) for luck, who, vote in votes if who == voter and vote.voted)
            points.append(Point(voter, f"day {day}", share_of(cast)))
        points.append(Point(BELIEVED, f"day {day}", share_of((luck, hit(v.p, v.wolves), 1) for luck, _, v in votes)))
        # What chance would do is known, and no estimate.
        blind = share_of((luck, vote.chance, 1) for luck, _, vote in votes)
        points.append(Point(CHANCE, f"day {day}", replace(blind, low=None, high=None)))
    return points


def calibration(evidence: Evidence) -> list[tuple[float, Figure]]:
    """The calibration of all beliefs at votes, a row a bin: (mean P(wolf) of the bin, share that were wolves)."""
    bins: dict[tuple[float, float], list[tuple[str, float, bool]]] = defaultdict(list)
    for row in evidence.rows:
        for vote in evidence.details[row.game].votes if row.game in evidence.details else ():
            for name, p in vote.p.items():
                place = next((edge for edge in pairwise(BINS) if p < edge[1]), (BINS[-2], BINS[-1]))
                bins[place].append((cluster(row), p, name in vote.wolves))
    return [
        (fmean(p for _, p, _ in found), share_of((luck, wolf, 1) for luck, _, wolf in found))
        for _, found in sorted(bins.items())
    ]


# --- habits ----------------------------------------------------------------------------------------------------


def habits(evidence: Evidence) -> list[Point]:
    """The habits of everybody: how words fit deeds, and how often the model or the rules got in the way."""
    points = []
    for who in evidence.who:
        words = [(luck, counts) for luck, counts in _words(evidence, who) if counts.talks or counts.said]
        seats = evidence.seats(who)
        kinds: dict[str, Iterable[tuple[str, float, float]]] = {
            "vote = word": ((luck, c.kept, c.promised) for luck, c in words),
            "answered": ((luck, c.answered, c.addressed) for luck, c in words),
            "repeats": ((luck, c.repeats, c.said) for luck, c in words),
            "contradictions": ((luck, min(c.contradictions, c.talks), c.talks) for luck, c in words),
            "fallbacks": ((luck, s.fallbacks, s.replies) for luck, s in seats),
            "asked again": ((luck, s.retries, s.llm) for luck, s in seats),
            "refused by the table": (
                (luck, min(s.replies, s.illegal + s.late + s.dropped), s.replies) for luck, s in seats
            ),
        }
        points += [Point(who, kind, figure) for kind, cases in kinds.items() if (figure := share_of(cases)).count]
    kept = Counter(point.group for point in points if point.figure.value or point.group in _ALWAYS)
    return [point for point in points if kept[point.group]]


_ALWAYS = frozenset({"vote = word", "contradictions", "repeats", "fallbacks"})
"""Worth telling even where they are all 0."""


def _words(evidence: Evidence, who: str) -> Iterator[tuple[str, WordCounts]]:
    for row in evidence.rows:
        detail = evidence.details.get(row.game)
        for number, seat in seats_of(row, who):
            if row.counted:
                yield cluster(row), seat.words
            elif detail is not None and number in detail.words:
                yield cluster(row), detail.words[number]


# --- time and money --------------------------------------------------------------------------------------------


def reply_times(evidence: Evidence) -> list[Point]:
    """Milliseconds to a reply of everybody who was timed: the median, p90 and the longest, and shares of the deadline.

    Medians and p90 are means over games, the longest is over all.
    """
    points = []
    for who in evidence.who:
        seats = [(luck, seat) for luck, seat in evidence.seats(who) if seat.max_ms and seat.replies]
        if seats:
            longest = max(seat.max_ms for _, seat in seats)
            used = [seat.max_ms / seat.timeout_ms for _, seat in seats if seat.timeout_ms]
            replies = sum(seat.replies for _, seat in seats)
            points += [
                Point(who, "p50", average_of(((luck, seat.p50_ms) for luck, seat in seats), 0.0)),
                Point(who, "p90", average_of(((luck, seat.p90_ms) for luck, seat in seats), 0.0)),
                Point(who, "max", Figure(longest, None, None, replies, len(seats))),
            ]
            if used:
                points.append(Point(who, "deadline used", Figure(max(used), None, None, replies, len(seats))))
    return points


def spending(evidence: Evidence) -> list[Point]:
    """The spending of everybody for whom it is known, for one seat over one game: thousands of tokens read, of them
    cached, and written, and money.
    """
    points, hidden = [], unknown_spending(evidence)
    for who in evidence.who:
        if who in hidden:
            continue
        seats = evidence.seats(who)
        kinds: dict[str, Callable[[SeatRow], float]] = {
            "thousand tokens read": lambda seat: seat.prompt_tokens / 1000,
            "of them cached": lambda seat: seat.cached_tokens / 1000,
            "thousand tokens written": lambda seat: seat.completion_tokens / 1000,
        }
        for kind, value in kinds.items():
            points.append(Point(who, kind, average_of(((luck, value(seat)) for luck, seat in seats), 0.0)))
        priced = [(luck, seat.money) for luck, seat in seats if seat.money is not None]
        if len(priced) == len(seats):
            points.append(Point(who, "money", average_of(priced, 0.0)))
    spent = {point.group for point in points if point.figure.value}
    return [point for point in points if point.group in spent]


def unknown_spending(evidence: Evidence) -> tuple[str, ...]:
    """The contestants of whom nobody knows what they spent, as foreign agents and players of other people's logs."""
    seats = {who: [seat for _, seat in evidence.seats(who)] for who in evidence.who}
    return tuple(
        who
        for who, own in seats.items()
        if own and all(seat.money is None and not seat.prompt_tokens + seat.completion_tokens for seat in own)
    )


# --- Ratings of contestants who sat at one table ---------------------------------------------------------------------

MOST_RATED = 20_000
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
    """Rate the contestants ``who`` by the games of ``rows``, best first; empty where no two of them ever met.

    Source: the package ``openskill`` (Plackett-Luce). A game is two sides; a side is the contestants in it and, as one
    more player, the side itself in that village, so that nobody is rated up for having sat where most win. The smaller
    side is filled up with average players who never learn.
    """
    from openskill.models import PlackettLuce  # noqa: PLC0415 - an extra, and slow to import

    model = PlackettLuce()
    average = model.rating(sigma=1e-6)
    known: dict[str, Any] = defaultdict(model.rating)
    games: dict[str, int] = defaultdict(int)
    met = False
    for row in [*rows][-MOST_RATED:]:
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
