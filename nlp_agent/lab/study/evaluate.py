"""How well the weighed worlds find the wolves of real games: every vote judged by given odds, and the tables of it.

The shipped odds have seen the public games. ``python -m tests.fit odds`` judges each contest by odds fitted on the
others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from nlp_agent.belief.odds import Odds
from nlp_agent.lab.study.moments import VoteMoment, moments
from nlp_agent.lab.study.scoring import Row, brier, hit, log_loss, mean, recall, rows
from nlp_agent.lab.study.statistics import grouped, resampled, wilson
from nlp_agent.protocol import Role
from nlp_agent.records.gamelog import LoggedGame

BINS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)


Votes = tuple[VoteMoment, ...]
"""All votes of one game, read."""


def read_votes(game: LoggedGame) -> Votes:
    """The slow part, one game at a time, so that processes can share it."""
    return tuple(moments(game))


def judge_game(votes: Votes, odds: Odds) -> list[Row]:
    """All rows of a game, the other slow part."""
    return [row for moment in votes for row in rows(moment, odds)]


# --- tables ----------------------------------------------------------------------------------------------------


def groups(found: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """The rows by village size, day and contest, villagers first, then everybody who is no wolf."""
    tables: list[tuple[str, list[Row]]] = []
    for size in sorted({row.size for row in found}):
        here = [row for row in found if row.size == size]
        plain = [row for row in here if row.role == Role.VILLAGER]
        days = sorted({row.day for row in plain})
        tables += [(f"{size} players, villagers, day {d}", [r for r in plain if r.day == d]) for d in days]
        tables.append((f"{size} players, villagers, all days", plain))
        for contest in sorted({row.contest for row in plain}):
            tables.append((f"  {contest}", [row for row in plain if row.contest == contest]))
        tables.append((f"{size} players, all but wolves", here))
    return [(name, rows) for name, rows in tables if rows]


def figures(found: Sequence[Row], baseline: Mapping[str, Mapping[tuple[int, int, bool], float]]) -> dict[str, Any]:
    """Every measure of a group of rows; ``baseline``: :func:`claim_shares` by the contest left out."""
    uniform = [dict.fromkeys(row.p, len(row.wolves) / len(row.p)) for row in found]
    claims = [_by_claims(row, baseline[row.contest]) for row in found]
    hits = [hit(row.p, row.wolves) for row in found]
    voted = [row for row in found if row.voted]
    real = sum(row.voted in row.wolves for row in voted)
    low, high = resampled([(f"{r.contest}/{r.game}", _loss(r, r.p)) for r in found])
    return {
        "views": len(found),
        "games": len({(row.contest, row.game) for row in found}),
        "log_loss": mean(_loss(row, row.p) for row in found),
        "log_loss_low": low,
        "log_loss_high": high,
        "log_loss_uniform": mean(_loss(r, p) for r, p in zip(found, uniform, strict=True)),
        "log_loss_claims": mean(_loss(r, p) for r, p in zip(found, claims, strict=True)),
        "top1": mean(hits),
        "top1_interval": wilson(round(sum(hits)), len(hits)),
        "top1_claims": mean(hit(p, r.wolves) for r, p in zip(found, claims, strict=True)),
        "chance": mean(len(row.wolves) / len(row.p) for row in found),
        "recall": mean(recall(row.p, row.wolves) for row in found),
        "brier": mean(brier(row.p, row.wolves) for row in found),
        "real_votes": len(voted),
        "real_hits": real / len(voted) if voted else math.nan,
        "real_interval": wilson(real, len(voted)),
        "soundness": mean(row.sound for row in found),
    }


def calibration(found: Sequence[Row]) -> list[tuple[float, float, int, float, float]]:
    """(from, to, how many, mean P(wolf), share of wolves) of every living other."""
    pairs = [(p, name in row.wolves) for row in found for name, p in row.p.items()]
    table = []
    for low, high in pairwise(BINS):
        inside = [(p, wolf) for p, wolf in pairs if low <= p < high or (high == 1.0 and p == 1.0)]
        if inside:
            table.append((low, high, len(inside), mean(p for p, _ in inside), mean(wolf for _, wolf in inside)))
    return table


def claim_shares(found: Sequence[Row]) -> dict[tuple[int, int, bool], float]:
    """P(wolf) of a living other by (size, number of seer claimants up to 3, whether it is one), from ``found``."""
    count = grouped(
        ((row.size, min(3, row.claims), name in row.claimed), name in row.wolves) for row in found for name in row.p
    )
    return {key: (sum(wolves) + 0.5) / (len(wolves) + 2.0) for key, wolves in count.items()}


def _by_claims(row: Row, shares: Mapping[tuple[int, int, bool], float]) -> dict[str, float]:
    """As many wolves as there are, shared out by claims."""
    even = len(row.wolves) / len(row.p)
    odds = {name: shares.get((row.size, min(3, row.claims), name in row.claimed), even) for name in row.p}
    scale = len(row.wolves) / (sum(odds.values()) or 1.0)
    return {name: min(0.99, value * scale) for name, value in odds.items()}


def _loss(row: Row, p: Mapping[str, float]) -> float:
    return log_loss(p, row.wolves, one_wolf=row.one_wolf)
