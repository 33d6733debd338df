"""The posterior as one seat sees it: its own role and results are hard facts, all that was said is soft.

What is read from talk may be misread, so it never excludes a world; only packets do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlp_agent.belief.facts import Fact
from nlp_agent.belief.odds import Odds, Spreads, table_spreads
from nlp_agent.belief.table import EXCLUDED, Counts, Floats, Posterior, Table, Weights, core_table, posterior
from nlp_agent.game import role_spec
from nlp_agent.protocol import Role, Species


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is certain. ``me`` is ``""`` for an onlooker; ``species``: player -> HUMAN or WEREWOLF; ``alive`` only while
    the game goes on, else empty. ``players`` in any fixed order, ``counts`` the role table."""

    players: tuple[str, ...]
    counts: Counts
    me: str = ""
    role: str = ""
    species: Mapping[str, str] | None = None
    alive: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class View:
    """``order``: the players as the table numbers them, the viewer first."""

    order: tuple[str, ...]
    result: Posterior
    spreads: Spreads

    def roles(self) -> dict[str, dict[str, float]]:
        """Player -> role -> probability; the roles of a player add up to 1."""
        names = self.result.table.roles
        return {
            player: dict(zip(names, map(float, row), strict=True))
            for player, row in zip(self.order, self.result.roles, strict=True)
        }

    def worlds(self, most: int = 3) -> list[tuple[dict[str, str], float]]:
        """The likeliest: who is werewolf, possessed and seer there, and how likely that is."""
        found = self.result.likeliest(most)
        return [({n: r for n, r in zip(self.order, row, strict=True) if r}, p) for row, p in found]

    def possible(self, roles: Mapping[str, str]) -> bool:
        """Whether the world in which everybody has the role given is among those that can be."""
        groups = self.result.table.groups
        return self.result.chance([roles[name] if roles[name] in groups else "" for name in self.order]) > 0

    def push(self, fact: Fact, player: str) -> float:
        """Log-odds that ``fact`` adds to ``player`` being a wolf: with it against without it, all else as it is.

        Exact for the players the fact speaks of; for anybody else 0.
        """
        table, spreads = self.result.table, self.spreads
        row = spreads.number.get(fact.kind)
        if row is None or player not in (fact.who, fact.about) or table.groups[0] != Role.WEREWOLF:
            return 0.0
        i, k, one = self.order.index(fact.who), table.k, spreads.one[row]
        if fact.about and spreads.paired[row]:
            j = self.order.index(fact.about)
            joint = self.result.pairs[i * k : (i + 1) * k, j * k : (j + 1) * k]
            without = joint * np.exp(-fact.amount * (spreads.two[row] + one[:, None]))
            axis = 1 if player == fact.who else 0
            return _log_odds(joint.sum(axis=axis)) - _log_odds(without.sum(axis=axis))
        single = self.result.pairs.diagonal()[i * k : (i + 1) * k]
        return _log_odds(single) - _log_odds(single * np.exp(-fact.amount * one))


def _log_odds(groups: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """Of the first group, the wolves, against all others."""
    wolf, rest = max(float(groups[0]), 1e-9), max(float(groups[1:].sum()), 1e-9)
    return float(np.log(wolf / rest))


def look(knowledge: Knowledge, facts: Sequence[Fact], odds: Odds) -> View | None:
    """Weigh all worlds; ``None`` when the knowledge leaves none."""
    me, role = knowledge.me, knowledge.role
    mine = role if me and dict(knowledge.counts).get(role) else ""
    order = (me, *(p for p in knowledge.players if p != me)) if me in knowledge.players else knowledge.players
    if sum(count for _, count in knowledge.counts) != len(order):
        return None
    table = core_table(knowledge.counts, mine)
    wolves = dict(knowledge.counts).get(Role.WEREWOLF, 1)
    found = table_spreads(odds, table, wolves)
    place = {name: number for number, name in enumerate(order)}
    told = [
        (row, place[fact.who], place.get(fact.about, -1), fact.amount)
        for fact in facts
        if fact.who != me and fact.who in place and (row := found.number.get(fact.kind)) is not None
    ]
    weights = _weights(table, found, told)
    _exclude(weights, table, knowledge, place)
    alive = [place[name] for name in knowledge.alive if name in place] or None
    result = posterior(table, weights, alive)
    return None if result is None else View(order, result, found)


def _weights(table: Table, spreads: Spreads, told: Sequence[tuple[int, int, int, float]]) -> Weights:
    """All facts at once; ``told``: (row of the kind, who, about or -1, amount)."""
    if not told:
        return Weights.zero(table)
    columns = np.array(told).T
    row, who, about = columns[:3].astype(np.intp)
    amount = columns[3]
    n, k, r = table.n, table.k, len(table.named)
    groups, roles = np.arange(k), np.arange(r)
    one = _summed(who[:, None] * k + groups, amount[:, None] * spreads.one[row], (n, k))
    named, cross = np.zeros((n, r)), np.zeros((n * k, n * r))
    if r:
        named += _summed(who[:, None] * r + roles, amount[:, None] * spreads.named[row], (n, r))
    pairs = np.flatnonzero(spreads.paired[row] & (about >= 0) & (about != who))
    row, who, about, amount = row[pairs], who[pairs], about[pairs], amount[pairs, None, None]
    doer, aim = (who[:, None] * k + groups)[:, :, None], (about[:, None] * k + groups)[:, :, None]
    two = _summed(doer * (n * k) + aim.transpose(0, 2, 1), amount * spreads.two[row], (n * k, n * k))
    if r:
        cross += _summed(aim * (n * r) + (who[:, None, None] * r + roles), amount * spreads.by[row], cross.shape)
        cross += _summed(doer * (n * r) + (about[:, None, None] * r + roles), amount * spreads.to[row], cross.shape)
    return Weights(one, two, named, cross)


def _summed(places: NDArray[np.intp], values: Floats, shape: tuple[int, int]) -> Floats:
    """A matrix in which each value stands at its place, counted row by row; values at the same place add up."""
    # Without any place bincount would count in whole numbers.
    return (
        np.bincount(places.ravel(), values.ravel(), shape[0] * shape[1]).astype(np.float64, copy=False).reshape(shape)
    )


def _exclude(weights: Weights, table: Table, knowledge: Knowledge, place: Mapping[str, int]) -> None:
    """Hard facts: every known colour. The roles outside the core are all human."""
    for name, species in (knowledge.species or {}).items():
        if name not in place or name == knowledge.me:
            continue
        wrong = [role_spec(role).species != species for role in table.groups[:-1]]
        weights.one[place[name], :-1][wrong] = EXCLUDED
        if species == Species.WEREWOLF and Role.WEREWOLF in table.groups:
            weights.one[place[name], -1] = EXCLUDED
