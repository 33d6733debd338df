"""How far verdicts can be trusted: do they agree, with themselves and between models, and do they depend on what should
not matter: where a player is listed, and under which name it is shown? Pure.

For bias each player is compared with itself in another reading, under the same criterion and with another place and
name, so that how well it played falls out. Effects are shares of the whole way from best to last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from nlp_agent.judge.verdicts import Verdict
from nlp_agent.study.statistics import LEAST_GAMES, RESAMPLES, Figure, average_of, by_game, grouped

# --- Do verdicts agree, with themselves and between models? ----------------------------------------------------------


def kendall_w(rankings: Sequence[Sequence[float]]) -> float | None:
    """Kendall's W of several rankings of the same players: 1 in full agreement, about one in the number of rankings
    by chance. Ties are mid-ranks and corrected for; ``None`` for fewer than two rankings, or when all are one tie.
    """
    ranks = np.asarray(rankings, dtype=float)
    if ranks.ndim != 2 or ranks.shape[0] < 2 or ranks.shape[1] < 2:
        return None
    judges, players = ranks.shape
    sums = ranks.sum(axis=0)
    spread = float(((sums - sums.mean()) ** 2).sum())
    same = [np.unique(row, return_counts=True)[1].astype(float) for row in ranks]
    ties = sum(float((counts**3 - counts).sum()) for counts in same)
    most = judges**2 * (players**3 - players) - judges * ties
    return 12 * spread / most if most > 0 else None


def midranks(places: Sequence[float]) -> list[float]:
    """Rank ``places``: 1 for the smallest; equal ones share the middle of their ranks."""
    return [0.5 + sum((other < own) + (other == own) / 2 for other in places) for own in places]


def tau_b(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Kendall's tau-b of two rankings of the same players; ``None`` when one of them tells nobody apart."""
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    upper = np.triu_indices(len(a), 1)
    x, y = np.sign(a[:, None] - a[None, :])[upper], np.sign(b[:, None] - b[None, :])[upper]
    scale = float(np.sqrt((x * x).sum() * (y * y).sum()))
    return float((x * y).sum()) / scale if scale else None


def self_agreement(verdicts: Iterable[Verdict]) -> Figure:
    """The mean tau-b between the readings of a game by one model and criterion."""
    taus = []
    for readings in by_question(verdicts).values():
        for place, one in enumerate(readings):
            for other in readings[place + 1 :]:
                tau = tau_b([one.places[name] for name in one.places], [other.places[name] for name in one.places])
                if tau is not None:
                    taus.append((one.game, tau))
    return average_of(taus)


def agreement(models: Sequence[Iterable[Verdict]]) -> Figure:
    """The mean Kendall's W of several models over games and criteria that all of them judged; a model's readings are
    averaged first.
    """
    tables = [{key: _mean_places(found) for key, found in by_question(verdicts).items()} for verdicts in models]
    values = []
    for key in tables[0] if tables else ():
        if all(key in table for table in tables):
            names = sorted(tables[0][key])
            w = kendall_w([midranks([table[key][name] for name in names]) for table in tables])
            if w is not None:
                values.append((key[0], w))
    return average_of(values)


def _mean_places(verdicts: Sequence[Verdict]) -> dict[str, float]:
    return {name: fmean(verdict.places[name] for verdict in verdicts) for name in verdicts[0].places}


def by_question(verdicts: Iterable[Verdict]) -> dict[tuple[str, str], list[Verdict]]:
    """Group verdicts by question: (game, criterion) -> its readings, in order."""
    found = grouped(((verdict.game, verdict.criterion), verdict) for verdict in verdicts)
    for readings in found.values():
        readings.sort(key=lambda verdict: verdict.reading)
    return found


# --- Do verdicts depend on what means nothing ------------------------------------------------------------------------


FLIPS = 1000
"""Times that readings are exchanged by chance."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """One player in two readings: where it was listed (0 first, 1 last), as whom, and where it was placed."""

    listed: tuple[float, float]
    named: tuple[str, str]
    placed: tuple[float, float]


def _pairs(verdicts: Iterable[Verdict]) -> list[tuple[str, _Pair]]:
    """Two readings of the same player by the same criterion: how good it is cancels out in their difference."""
    found = []
    for readings in by_question(verdicts).values():
        for one, other in pairwise(readings):
            last = max(1, len(one.order) - 1)
            for name in one.order:
                listed = (one.order.index(name) / last, other.order.index(name) / last)
                named, placed = (one.masks[name], other.masks[name]), (one.places[name], other.places[name])
                found.append((one.game, _Pair(listed, named, placed)))
    return found


def position_bias(verdicts: Iterable[Verdict]) -> Figure:
    """Measure how much of the whole way from best to last a player falls when it is listed last instead of first.

    0: the list does not matter; 1: the ranking is the list; below 0: whoever is listed late is preferred.
    """

    def slope(pairs: Sequence[_Pair]) -> float | None:
        moved = np.array([pair.listed[1] - pair.listed[0] for pair in pairs])
        fell = np.array([pair.placed[1] - pair.placed[0] for pair in pairs])
        scale = float((moved * moved).sum())
        return float((moved * fell).sum()) / scale if scale else None

    return by_game(_pairs(verdicts), slope)


@dataclass(frozen=True, slots=True)
class NameBias:
    """The effect of the names shown on the ranks.

    ``effects``: name -> by how much of the way from best to last whoever bears it is placed lower than under other
    names (below 0: higher). ``chance``: how often names without any meaning would move the ranks as much.
    """

    effects: dict[str, Figure]
    chance: float | None


def name_bias(verdicts: Iterable[Verdict]) -> NameBias:
    """Measure what the masks, the names shown instead of the players', do to the ranks."""
    pairs = _pairs(verdicts)
    names = sorted({name for _, pair in pairs for name in pair.named})
    if not names:
        return NameBias({}, None)
    index = {name: place for place, name in enumerate(names)}
    games = sorted({game for game, _ in pairs})
    squares = np.zeros((len(games), len(names), len(names)))
    sums = np.zeros((len(games), len(names)))
    for game, pair in pairs:
        row = np.zeros(len(names))
        row[index[pair.named[1]]] += 1
        row[index[pair.named[0]]] -= 1
        squares[games.index(game)] += np.outer(row, row)
        sums[games.index(game)] += row * (pair.placed[1] - pair.placed[0])
    rng = np.random.default_rng(1)
    whole = _name_effects(squares.sum(axis=0), sums.sum(axis=0))
    drawn = [rng.integers(len(games), size=len(games)) for _ in range(RESAMPLES if len(games) >= LEAST_GAMES else 0)]
    means = np.array([_name_effects(squares[part].sum(axis=0), sums[part].sum(axis=0)) for part in drawn])
    counts = {name: sum(name in pair.named for _, pair in pairs) for name in names}
    where = {name: len({game for game, pair in pairs if name in pair.named}) for name in names}
    effects = {}
    for name, place in index.items():
        low, high = (float(end) for end in np.quantile(means[:, place], (0.025, 0.975))) if drawn else (None, None)
        effects[name] = Figure(float(whole[place]), low, high, counts[name], where[name])
    # Without any meaning of names the two readings of a game could as well have been exchanged.
    signs = rng.choice((-1.0, 1.0), size=(FLIPS, len(games)))
    inverse = np.linalg.pinv(squares.sum(axis=0))
    flipped = ((signs @ sums) @ inverse.T) ** 2
    chance = float((flipped.sum(axis=1) >= (whole**2).sum() - 1e-12).mean()) if len(games) >= LEAST_GAMES else None
    return NameBias(effects, chance)


def _name_effects(squares: NDArray[np.float64], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Least squares with effects that sum to 0."""
    effects: NDArray[np.float64] = np.linalg.pinv(squares) @ sums
    centred: NDArray[np.float64] = effects - effects.mean()
    return centred
