"""The exact posterior over all assignments of roles, for any table of roles.

A world says who has which role. What is known speaks of one player's role or of two players' roles, and of two that
only when one of them is a *core* role (werewolf, possessed, seer). So worlds are enumerated by their core alone, as a
grid: one row for each choice of the wolves, one column for each choice of the other core roles (25,740 possible cells
for 13 players instead of 1,441,440 worlds). All assignments of the other roles are summed up exactly for each cell.

Players are numbers here, the viewer is number 0, and tables are shared by all seats of a process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from nlp_agent.protocol import Role

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
"""[choices, players] each as ``player * len(groups) + group``."""
Counts = tuple[tuple[str, int], ...]
"""(role, how many), in the order of the role table."""
CORE = (Role.WEREWOLF.value, Role.POSSESSED.value, Role.SEER.value)
MOST_CELLS = 60_000
"""In a larger grid a role leaves the core and is summed up like the others."""
EXCLUDED = -1e6
"""Log-weight of what cannot be; far below anything evidence adds up to."""
MOST_LISTED = 500
"""So few core worlds are listed in full."""
MOST_LOG = 300.0
"""No log-weight of a named role counts more, so that nothing overflows."""


@dataclass(frozen=True, eq=False)
class Table:
    """All core worlds in which player 0 has the role ``mine`` (``""``: any).

    ``groups``: the core roles, then ``""`` for everybody else. ``rows``: the players of the first group, ``columns``
    those of the other core groups, ``fits``: [rows, columns] whether nobody has two roles. ``named``: the other roles
    with their counts but the most frequent, ``filler``.
    """

    n: int
    groups: tuple[str, ...]
    mine: str
    rows: Places
    columns: Places
    fits: NDArray[np.bool_]
    named: Counts
    filler: str
    listed: Floats | None = None
    """[core worlds, n*k] the cells that fit as 0 and 1 for every player and group, where there are few of them: then
    plain products are quickest."""

    @property
    def k(self) -> int:
        return len(self.groups)

    @property
    def roles(self) -> tuple[str, ...]:
        """Every role of the village: core, named, filler."""
        return (*self.groups[:-1], *(role for role, _ in self.named), self.filler)


@lru_cache(maxsize=24)
def core_table(counts: Counts, mine: str) -> Table:
    """The table of a village as seen by a player whose role is ``mine``; ``""`` is an onlooker without a seat.

    ``counts`` must add up to the number of players and hold ``mine``.
    """
    n = sum(count for _, count in counts)
    core = _core_roles(counts, n)
    rest = sorted(((role, c) for role, c in counts if role not in dict(core) and c > 0), key=lambda pair: -pair[1])
    filler, named = (rest[0][0], tuple(rest[1:])) if rest else ("", ())
    groups = (*(role for role, _ in core), "")
    options: list[list[tuple[int, ...]]] = []
    for index, (role, count) in enumerate(core):
        held = (0,) if role == mine else ()
        free = range(1 if mine else 0, n)
        picks = combinations(free, count - len(held))
        options.append([tuple(p * len(groups) + index for p in (*held, *pick)) for pick in picks])
    rows = options[0] if options else [()]
    columns: list[tuple[int, ...]] = [()]
    for option in options[1:]:
        columns = [
            (*a, *b) for a, b in product(columns, option) if not _players(a, len(groups)) & _players(b, len(groups))
        ]
    masks = [np.array([_players(one, len(groups)) for one in side], dtype=np.int64) for side in (rows, columns)]
    fits = (masks[0][:, None] & masks[1]) == 0
    return Table(n, groups, mine, _places(rows), _places(columns), fits, named, filler)


def _core_roles(counts: Counts, n: int) -> Counts:
    core = [(role, dict(counts)[role]) for role in CORE if dict(counts).get(role)]
    while len(core) > 1:
        cells, free = comb(n, core[0][1]), n
        for _, count in core[1:]:
            cells, free = cells * comb(free, count), free - count
        if cells <= MOST_CELLS:
            break
        core.pop()
    return tuple(core)


def _players(places: Sequence[int], k: int) -> int:
    """As a set of bits."""
    return sum(1 << place // k for place in places)


def _places(choices: Sequence[tuple[int, ...]]) -> Places:
    return np.array(choices, dtype=np.intp).reshape(len(choices), -1)


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
    cross: Floats

    @staticmethod
    def zero(table: Table) -> Weights:
        n, k, r = table.n, table.k, len(table.named)
        return Weights(np.zeros((n, k)), np.zeros((n * k, n * k)), np.zeros((n, r)), np.zeros((n * k, n * r)))


@dataclass(frozen=True, eq=False)
class Posterior:
    """``table``: the core worlds that can be, ``p``: [rows, columns] the probability of each; ``roles``:
    [n, len(table.roles)]; ``pairs``: [n*k, n*k] that two players are of two groups, its diagonal blocks hold single
    players."""

    table: Table
    p: Floats
    roles: Floats
    pairs: Floats

    def likeliest(self, most: int) -> list[tuple[tuple[str, ...], float]]:
        """The likeliest core worlds: each player's core role or ``""``, and the probability."""
        table, flat = self.table, self.p.ravel()
        found = []
        for cell in np.argsort(-flat)[:most].tolist():
            row, column = divmod(cell, self.p.shape[1])
            roles = [""] * table.n
            for place in (*table.rows[row].tolist(), *table.columns[column].tolist()):
                roles[place // table.k] = table.groups[place % table.k]
            if flat[cell] > 0:
                found.append((tuple(roles), float(flat[cell])))
        return found

    def chance(self, roles: Sequence[str]) -> float:
        """The probability of one core world: each player's core role or ``""``."""
        table, found = self.table, []
        for side, groups in ((table.rows, (0,)), (table.columns, range(1, table.k - 1))):
            wanted = [p * table.k + g for g in groups for p, role in enumerate(roles) if role == table.groups[g]]
            if side.shape[1] != len(wanted):
                return 0.0
            found.append((side == wanted).all(axis=1))
        return float(self.p[np.ix_(*found)].sum())


def posterior(table: Table, weights: Weights, alive: Sequence[int] | None = None) -> Posterior | None:
    """Weigh every world; ``None`` when none is possible.

    ``alive``: who lives while the game goes on, so at least one wolf does, and fewer wolves than others.
    """
    excluded = weights.one <= EXCLUDED / 2
    table = _possible(table, tuple(np.flatnonzero(excluded).tolist()), tuple(alive or ()))
    if not table.fits.size:
        return None
    rest = _Rest(table, weights) if table.named else None
    one = np.where(excluded, 0.0, weights.one)
    names = [role for role, _ in table.named]
    if table.mine in names:
        # What somebody of a group does to the viewer, whose role outside the core is known.
        one += weights.cross.reshape(table.n, table.k, table.n, -1)[:, :, 0, names.index(table.mine)]
    total = _scores(table, one, weights.two)
    if rest is not None:
        total += rest.sums
    total[~table.fits] = EXCLUDED
    top = float(total.max())
    if top <= EXCLUDED / 2:
        return None
    p = np.exp(total - top)
    p /= p.sum()
    single, pairs = _together(table, p)
    if rest is None:
        return Posterior(table, p, single, pairs)
    named = rest.named(p)
    plain = np.clip(single[:, -1:] - named.sum(axis=1, keepdims=True), 0.0, 1.0)
    return Posterior(table, p, np.concatenate([single[:, :-1], named, plain], axis=1), pairs)


@lru_cache(maxsize=256)
def _possible(table: Table, excluded: tuple[int, ...], alive: tuple[int, ...]) -> Table:
    """The table without the core worlds that cannot be: those with one of the places ``excluded``, without a wolf
    alive, or with too many. What rules worlds out changes once a day, so all judgements of the day share it."""
    k, fits = table.k, table.fits.copy()
    rows, columns = table.rows, table.columns
    for place in excluded:
        if place % k == k - 1:
            fits &= (rows // k == place // k).any(axis=1)[:, None] | (columns // k == place // k).any(axis=1)
        else:
            fits &= (rows != place).all(axis=1)[:, None] & (columns != place).all(axis=1)
    if alive and table.groups[0] == CORE[0]:
        wolves = np.isin(rows, [player * k for player in alive]).sum(axis=1)
        fits &= ((wolves >= 1) & (2 * wolves < len(alive)))[:, None]
    across, down = fits.any(axis=1), fits.any(axis=0)
    found = replace(table, rows=rows[across], columns=columns[down], fits=fits[np.ix_(across, down)])
    return replace(found, listed=_listed(found)) if fits.sum() <= MOST_LISTED else found


def _listed(table: Table) -> Floats:
    across, down = np.nonzero(table.fits)
    held = np.concatenate([table.rows[across], table.columns[down]], axis=1)
    worlds = np.zeros((len(held), table.n, table.k))
    worlds[:, :, -1] = 1.0
    for places in held.T:
        worlds[np.arange(len(held)), places // table.k, -1] = 0.0
        worlds[np.arange(len(held)), places // table.k, places % table.k] = 1.0
    return worlds.reshape(len(held), table.n * table.k)


def _scores(table: Table, one: Floats, two: Floats) -> Floats:
    """[rows, columns] The core world's log-weight, but for what all worlds share.

    Everything is told as a difference to a player outside the core, so only the few core players count.
    """
    if (worlds := table.listed) is not None:
        total = np.full(table.fits.shape, EXCLUDED)
        total[table.fits] = ((worlds @ two) * worlds).sum(axis=1) + worlds @ one.ravel()
        return total
    n, k = table.n, table.k
    both = (two + two.T).reshape(n, k, n, k)
    blank = both[:, :, :, -1]
    nobody = blank[:, -1, :]
    lone = (one - one[:, -1:] + (blank - nobody[:, None, :]).sum(axis=2)).ravel()
    joint = both - blank[:, :, :, None] - both[:, -1, :, :][:, None] + nobody[:, None, :, None]
    joint = joint.reshape(n * k, n * k)
    down, across = (
        lone[side].sum(axis=1) + sum(joint[side[:, a], side[:, b]] for a, b in combinations(range(side.shape[1]), 2))
        for side in (table.rows, table.columns)
    )
    found: Floats = down[:, None] + across
    ahead = joint[table.rows].sum(axis=1)
    for column in table.columns.T:
        found += ahead[:, column]
    return found


def _together(table: Table, p: Floats) -> tuple[Floats, Floats]:
    """[n, k] and [n*k, n*k] how likely a player is of a group, and two players of two groups."""
    n, k = table.n, table.k
    if (worlds := table.listed) is not None:
        joint = (worlds * p[table.fits][:, None]).T @ worlds
        return joint.diagonal().reshape(n, k).copy(), joint
    rows, columns = _held(table.rows, n * k), _held(table.columns, n * k)
    across = rows.T @ (p @ columns)
    pairs = (rows.T * p.sum(axis=1)) @ rows + (columns.T * p.sum(axis=0)) @ columns
    single = pairs.diagonal().reshape(n, k).copy()
    pairs += across + across.T
    core = single[:, :-1].sum(axis=1)
    single[:, -1] = np.clip(1.0 - core, 0.0, 1.0)
    joint = pairs.reshape(n, k, n, k)
    joint[:, :, :, -1] = single[:, :, None] - joint.sum(axis=3)
    joint[:, -1] = np.moveaxis(joint[:, :, :, -1], 2, 0)
    joint[:, -1, :, -1] = 1.0 - core[:, None] - core + joint[:, :-1, :, :-1].sum(axis=(1, 3))
    for i in range(n):
        joint[i, :, i, :] = np.diag(single[i])
    return single, np.clip(pairs, 0.0, 1.0)


def _held(side: Places, size: int) -> Floats:
    """[choices, n*k] each choice's places as 0 and 1."""
    held = np.zeros((len(side), size))
    held[np.arange(len(side))[:, None], side] = 1.0
    return held


class _Rest:
    """All assignments of the named roles to the players outside the core, summed up for each core world.

    How likely a player outside the core has a named role is the product of what the row and what the column make of
    it, so the sums are products of small matrices. ``sums``: [rows, columns] the logarithm, to be added.
    """

    def __init__(self, table: Table, weights: Weights) -> None:
        n, k = table.n, table.k
        names = [role for role, _ in table.named]
        self._own = names.index(table.mine) if table.mine in names else None
        self._counts = [count - (role == self._own) for role, (_, count) in enumerate(table.named)]
        self._roles = [role for role, count in enumerate(self._counts) if count]
        cross = weights.cross.reshape(n, k, n, -1)
        blank = cross[:, -1]
        plain = weights.named + blank.sum(axis=0)
        adds = (cross - blank[:, None]).reshape(n * k, n, -1)
        self._down = _gives(table, table.rows, adds, 0.0)
        self._across = _gives(table, table.columns, adds, plain)
        self._pair = self._walk = None
        counts = [self._counts[role] for role in self._roles]
        if max(counts, default=1) > 1 or len(counts) > 2:
            gives = [self._down[role][:, :, None] * self._across[role][:, None, :] for role in self._roles]
            self._walk = _Walk(counts, np.stack(gives))
            self._whole = self._walk.whole
        else:
            self._single = [self._down[role].T @ self._across[role] for role in self._roles]
            self._whole = np.ones(table.fits.shape)
            for single in self._single:
                self._whole *= single
            if len(self._roles) == 2:
                # Every pair of players but twice the same.
                a, b = self._roles
                self._pair = self._down[a] * self._down[b], self._across[a] * self._across[b]
                self._whole -= self._pair[0].T @ self._pair[1]
        self._whole = np.maximum(self._whole, 0.0)
        self.sums: Floats = np.where(self._whole > 0, np.log(np.maximum(self._whole, 1e-300)), EXCLUDED)

    def named(self, p: Floats) -> Floats:
        """[n, r] P(player has the named role) when the core worlds have the probabilities ``p``."""
        found = np.zeros((self._down.shape[1], len(self._counts)))
        share = p / np.maximum(self._whole, 1e-300)
        if self._walk is not None:
            found[:, self._roles] = self._walk.shares(share)
        else:
            for place, role in enumerate(self._roles):
                others = share * self._single[1 - place] if self._pair else share
                found[:, role] = ((self._down[role] @ others) * self._across[role]).sum(axis=1)
                if self._pair:
                    found[:, role] -= ((self._pair[0] @ share) * self._pair[1]).sum(axis=1)
        if self._own is not None:
            found[0, self._own] = 1.0
        return np.clip(found, 0.0, 1.0)


def _gives(table: Table, side: Places, adds: Floats, plain: Floats | float) -> Floats:
    """[r, n, choices] one side's factor of how much likelier a player has a named role than the filler; 0 where the
    choice gives the player a role already, as knowing it does for the viewer."""
    odds = np.clip(adds[side].sum(axis=1) + plain, -MOST_LOG, MOST_LOG)
    gives = np.exp(odds)
    gives[np.arange(len(side))[:, None], side // table.k] = 0.0
    if table.mine:
        gives[:, 0] = 0.0
    return np.ascontiguousarray(gives.transpose(2, 1, 0))


class _Walk:
    """The sums for any number of named roles of any counts: a walk over the players that keeps how many of each role
    are given away. ``gives``: [r, n, rows, columns]; ``whole``: [rows, columns] the weight of all assignments."""

    def __init__(self, counts: Sequence[int], gives: Floats) -> None:
        self._states = list(product(*(range(count + 1) for count in counts)))
        place = {state: number for number, state in enumerate(self._states)}
        self._moves = [
            (role, place[state], place[more])
            for role in range(len(counts))
            for state in self._states
            if (more := _more(state, role)) in place
        ]
        """(role, the state before, the state with one more of it given away)."""
        self._gives = gives
        self._ahead = self._sums(range(gives.shape[1]))
        self.whole = self._ahead[-1][-1]

    def _sums(self, order: range) -> list[Floats]:
        """Before the first and after each player of ``order``: [states, rows, columns]."""
        now = np.zeros((len(self._states), *self._gives.shape[2:]))
        now[0] = 1.0
        found = [now]
        for i in order:
            after = now.copy()
            for role, a, b in self._moves:
                after[b] += now[a] * self._gives[role, i]
            now = after
            found.append(now)
        return found

    def shares(self, share: Floats) -> Floats:
        """[n, r]: the weight of the assignments that give a player the role, summed with weights ``share``."""
        n, last = self._gives.shape[1], len(self._states) - 1
        behind = self._sums(range(n - 1, -1, -1))
        found = np.zeros((n, len(self._gives)))
        for i in range(n):
            for role, a, b in self._moves:
                one = self._ahead[i][a] * behind[n - 1 - i][last - b]
                found[i, role] += float((one * self._gives[role, i] * share).sum())
        return found


def _more(state: tuple[int, ...], role: int) -> tuple[int, ...]:
    return tuple(count + (place == role) for place, count in enumerate(state))
