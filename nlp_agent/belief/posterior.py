"""The exact posterior over the worlds of a table: how likely each core world is, each role, each pair of roles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from nlp_agent.belief.named import Named
from nlp_agent.belief.table import Cut, Floats, Places, WorldTable

EXCLUDED = -1e6
"""Log-weight of what cannot be; far below anything evidence adds up to."""


@dataclass(frozen=True, eq=False)
class Weights:
    """Log-weights, zero where nothing is known.

    ``one``: [n, k] a player is of a group; ``two``: [n*k, n*k] a player is of a group and another one of a group;
    ``named``: [n, r] a player has a named role rather than the filler; ``cross``: [n*k, n*r] the same, added in the
    worlds where a player is of a group.
    """

    one: Floats
    two: Floats
    named: Floats
    cross: Floats | None
    """``None`` for zeros."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """``table``: the core worlds that can be, ``p``: [rows, columns] the probability of each. What follows from it is
    worked out when it is asked for."""

    table: WorldTable
    p: Floats
    named: Named | None = None

    @cached_property
    def groups(self) -> Floats:
        """[n, k] how likely a player is of a group."""
        table = self.table
        if (worlds := table.listed) is not None:
            single: Floats = (self.p[table.fits] @ worlds).reshape(table.n, table.k)
            return single
        rows, columns = table.held
        down, across = self._margins
        single = (rows.likely(down) + columns.likely(across)).reshape(table.n, table.k)
        single[:, -1] = np.clip(1.0 - single[:, :-1].sum(axis=1), 0.0, 1.0)
        return single

    @cached_property
    def _margins(self) -> tuple[Floats, Floats]:
        """How likely each row is, and each column."""
        return self.p.sum(axis=1), self.p.sum(axis=0)

    @cached_property
    def roles(self) -> Floats:
        """[n, len(table.roles)] how likely a player has a role."""
        if self.named is None:
            return self.groups
        named = self.named.shares(self._share)
        plain = np.clip(self.groups[:, -1:] - named.sum(axis=1, keepdims=True), 0.0, 1.0)
        found: Floats = np.concatenate([self.groups[:, :-1], named, plain], axis=1)
        return found

    def chances(self, role: str) -> Floats:
        """[n] how likely each player has a role of the table; of a role outside the core without all the others."""
        if self.named is None or (place := self.named.place(role)) is None:
            found: Floats = self.roles[:, self.table.roles.index(role)]
            return found
        if role not in self._held:
            self._held[role] = self.named.held(self._share, place)
        return self._held[role]

    @cached_property
    def _held(self) -> dict[str, Floats]:
        return {}

    @cached_property
    def _share(self) -> Floats:
        """[rows, columns] the probability of a core world for each unit of the weight of its assignments."""
        assert self.named is not None
        return self.p / np.maximum(self.named.weight, 1e-300)

    def beside(self, player: int) -> Floats:
        """[k, n, k] how likely a player and another one are of two groups; a diagonal where both are the same one."""
        found: Floats = self._pairs[player]
        return found

    @cached_property
    def _pairs(self) -> Floats:
        """[n, k, n, k] the same of every player."""
        table, p, single = self.table, self.p, self.groups
        n, k = table.n, table.k
        if (worlds := table.listed) is not None:
            both: Floats = ((worlds.T * p[table.fits]) @ worlds).reshape(n, k, n, k)
            return both
        (rows, columns), (down, across) = table.held, self._margins
        joint, crossed = np.zeros((n * k, n * k)), rows.ones.T @ p @ columns.ones
        joint[np.ix_(rows.places, rows.places)] = (rows.ones.T * down) @ rows.ones
        joint[np.ix_(columns.places, columns.places)] = (columns.ones.T * across) @ columns.ones
        joint[np.ix_(rows.places, columns.places)] = crossed
        joint[np.ix_(columns.places, rows.places)] = crossed.T
        found = joint.reshape(n, k, n, k)
        found[..., -1] = single[:, :, None] - found.sum(axis=3)
        found[:, -1] = single - found[:, :-1].sum(axis=1)
        found[np.arange(n), :, np.arange(n)] = single[:, :, None] * np.eye(k)
        return np.minimum(np.maximum(found, 0.0, out=found), 1.0, out=found)

    def holding(self, player: int) -> Floats | None:
        """[len(table.roles), n, k] how likely a player has a role and another one is of a group; ``None`` where the
        roles outside the core are too many for that."""
        groups = self.beside(player)
        if self.named is None:
            return groups
        if (cells := self.named.cells(self._share, player)) is None:
            return None
        n, k = self.table.n, self.table.k
        rows, columns = self.table.held
        named = (rows.likely(cells.sum(axis=2)) + columns.likely(cells.sum(axis=1))).reshape(-1, n, k)
        named[:, :, -1] = cells.sum(axis=(1, 2))[:, None] - named[:, :, :-1].sum(axis=2)
        plain = np.clip(groups[-1:] - named.sum(axis=0), 0.0, 1.0)
        found: Floats = np.concatenate([groups[:-1], named, plain])
        return found


def weigh(
    table: WorldTable, weights: Weights, alive: Sequence[int] = (), tables: dict[WorldTable, WorldTable] | None = None
) -> Posterior | None:
    """Weigh every world; ``None`` when none is possible.

    ``alive``: who lives while the game goes on, so at least one wolf does, and fewer wolves than others. ``tables``:
    what whole tables were last cut down to, which serves again as long as nothing more is ruled out.
    """
    excluded = weights.one <= EXCLUDED / 2
    cut: Cut = (tuple(np.flatnonzero(excluded).tolist()), tuple(alive))
    kept = {} if tables is None else tables
    if table not in kept or kept[table].cut != cut:
        kept[table] = table.without(cut)
    table = kept[table]
    if not table.fits.any():
        return None
    one = np.where(excluded, 0.0, weights.one)
    names = [role for role, _ in table.named]
    if table.mine in names and weights.cross is not None:
        # What somebody of a group does to the viewer, whose role outside the core is known.
        one += weights.cross.reshape(table.n, table.k, table.n, -1)[:, :, 0, names.index(table.mine)]
    p = _listed(table, one, weights.two) if table.listed is not None else _grid(table, one, weights.two)
    named = Named(table, weights.named, weights.cross) if table.named else None
    if named is not None:
        p *= named.weight
    if not (total := p.sum()) > 0:
        return None
    p /= total
    return Posterior(table, p, named)


def _listed(table: WorldTable, one: Floats, two: Floats) -> Floats:
    """As :func:`_grid`, where the core worlds are listed in full."""
    worlds, found = table.listed, np.zeros(table.fits.shape)
    assert worlds is not None
    scores = ((worlds @ two) * worlds).sum(axis=1) + worlds @ one.ravel()
    found[table.fits] = np.exp(scores - scores.max())
    return found


def _grid(table: WorldTable, one: Floats, two: Floats) -> Floats:
    """[rows, columns] The core world's weight, but for a factor that all worlds share; 0 where it does not fit.

    Everything is told as a difference to a player outside the core, so only the few core players count; and as a
    product of what the row, the column, and the row with each player of the column give, so few exponents are needed.
    """
    n, k = table.n, table.k
    both = (two + two.T).reshape(n, k, n, k)
    blank = both[:, :, :, -1]
    nobody = blank[:, -1, :]
    lone = (one - one[:, -1:] + (blank - nobody[:, None, :]).sum(axis=2)).ravel()
    joint = both - blank[:, :, :, None] - both[:, -1, :, :][:, None] + nobody[:, None, :, None]
    joint = joint.reshape(n * k, n * k)
    rows, columns = table.held
    down = rows.ones @ lone[rows.places] + _together(joint, table.rows)
    across = columns.ones @ lone[columns.places] + _together(joint, table.columns)
    # In place throughout: large arrays that come and go cost more than what is done with them.
    found: Floats = np.multiply.outer(np.exp(down - down.max()), np.exp(across - across.max()))
    found *= table.fits
    if table.columns.size:
        ahead = rows.ones @ joint[np.ix_(rows.places, columns.places)]
        give = np.exp(ahead - ahead.max())
        for column in columns.numbers.T:
            found *= give[:, column]
    return found


def _together(joint: Floats, choices: Places) -> Floats:
    """[choices] what the players of each make of one another."""
    found = np.zeros(len(choices))
    for one, other in combinations(choices.T, 2):
        found += joint[one, other]
    return found
