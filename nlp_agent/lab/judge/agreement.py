"""Do verdicts agree, with themselves and between models? Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

import numpy as np

from nlp_agent.lab.judge.verdicts import Verdict
from nlp_agent.lab.study.statistics import Figure, average_of, grouped


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
    """1 for the smallest; equal ones share the middle of their ranks."""
    return [0.5 + sum((other < own) + (other == own) / 2 for other in places) for own in places]


def tau_b(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Kendall's tau-b of two rankings of the same players; ``None`` when one of them tells nobody apart."""
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    upper = np.triu_indices(len(a), 1)
    x, y = np.sign(a[:, None] - a[None, :])[upper], np.sign(b[:, None] - b[None, :])[upper]
    scale = float(np.sqrt((x * x).sum() * (y * y).sum()))
    return float((x * y).sum()) / scale if scale else None


def self_agreement(verdicts: Iterable[Verdict]) -> Figure:
    """Mean tau-b between the readings of a game by one model and criterion."""
    taus = []
    for readings in by_question(verdicts).values():
        for place, one in enumerate(readings):
            for other in readings[place + 1 :]:
                tau = tau_b([one.places[name] for name in one.places], [other.places[name] for name in one.places])
                if tau is not None:
                    taus.append((one.game, tau))
    return average_of(taus)


def agreement(models: Sequence[Iterable[Verdict]]) -> Figure:
    """Mean Kendall's W of several models over games and criteria that all of them judged; a model's readings are
    averaged first."""
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
    """(game, criterion) -> its readings, in order."""
    found = grouped(((verdict.game, verdict.criterion), verdict) for verdict in verdicts)
    for readings in found.values():
        readings.sort(key=lambda verdict: verdict.reading)
    return found
