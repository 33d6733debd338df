"""The exact posterior over all worlds of a village, for any table of roles: how likely each role is, and each pair of
roles.

A world says who has which role. What is known speaks of one player's role or of two players' roles, and of two only
when one of them is a *core* role (werewolf, possessed, seer). So worlds are enumerated by their core alone, as a grid
(:class:`WorldTable`): one row for each choice of the wolves, one column for each choice of the other core roles
(25,740 possible cells for 13 players instead of 1,441,440 worlds). All assignments of the other roles are summed up
exactly for each cell (:class:`OuterRoles`), and :func:`weigh` multiplies in the evidence.

Players are numbers here, the viewer is number 0, and the tables of villages are shared by all seats of a process. In
the comments n is the number of players, k that of groups (core roles and "everybody else"), r that of named roles
(roles outside the core but the most frequent, the *filler*); "log-weight" is an unnormalised log-probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import combinations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from nlp_agent.game import role_spec
from nlp_agent.protocol import Role

# --- All worlds of a village, for any table of roles -----------------------------------------------------------------


Floats = NDArray[np.float64]
Places = NDArray[np.intp]
"""[choices, players] each as ``player * len(groups) + group``: the index into a flattened [player, group] array."""
Counts = tuple[tuple[str, int], ...]
"""(role, how many), in the order of the role table."""
Exclusions = tuple[tuple[int, ...], tuple[int, ...]]
CORE = (Role.WEREWOLF.value, Role.POSSESSED.value, Role.SEER.value)
MOST_CELLS = 100_000
"""Cells of the grid of core worlds; where there would be more, the core does without one role, which is then summed up
like the others."""
MOST_WALKED = 1_000
"""Most states of the dynamic program over the named roles (how many of each have been given away)."""
FEW_CELLS, MOST_CUTS = 100, 1_000
"""Of a grid with at most ``FEW_CELLS`` cells, at most ``MOST_CUTS`` reduced tables are cached for all seats."""
MOST_LISTED = 500
"""Up to so many core worlds are held as one matrix instead of as a grid."""


@dataclass(frozen=True, eq=False)
class OneHotSide:
    """The places that the choices of one side of the grid (rows or columns) hold, as numbers and as zeros and ones.

    ``places``: those of the ``size`` places that any choice holds; ``numbers``: [choices, players] which of ``places``
    each holds, and ``ones`` [choices, places] the same as 0 and 1.
    """

    places: Places
    numbers: Places
    ones: Floats
    size: int

    def likely(self, p: Floats) -> Floats:
        """The probability that each place is held, where ``p`` [..., choices] are the probabilities of the choices;
        shape [..., size].
        """
        found = np.zeros((*p.shape[:-1], self.size))
        found[..., self.places] = p @ self.ones
        return found


@dataclass(frozen=True, eq=False)
class WorldTable:
    """A table of all core worlds in which player 0 has the role ``mine`` (``""``: any).

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
    cut: Exclusions = ((), ())
    """What was ruled out to make this table from the whole one: see :meth:`without`."""
    left: NDArray[np.bool_] | None = None
    """For each of the whole table's core worlds, in the order of its :attr:`listed`, whether it is in this one."""
    _cuts: dict[Exclusions, WorldTable] = field(default_factory=dict, init=False, repr=False)
    """Cache: the smaller tables that :meth:`without` has made of this one, for small grids only."""

    @cached_property
    def k(self) -> int:
        """The number of groups."""
        return len(self.groups)

    @cached_property
    def species(self) -> tuple[str, ...]:
        """The species of each core group, WEREWOLF or HUMAN."""
        return tuple(role_spec(role).species.value for role in self.groups[:-1])

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """The roles of the village in order: core, named, filler."""
        return (*self.groups[:-1], *(role for role, _ in self.named), self.filler)

    @cached_property
    def listed(self) -> Floats | None:
        """Each possible core world as zeros and ones for every player and group; shape [core worlds, n*k]. ``None``
        where there are more than ``MOST_LISTED``. For few worlds, plain matrix products are quickest.
        """
        across, down = np.nonzero(self.fits)
        if not 0 < len(across) <= MOST_LISTED:
            return None
        held = np.concatenate([self.rows[across], self.columns[down]], axis=1)
        worlds = np.zeros((len(held), self.n, self.k))
        worlds[:, :, -1] = 1.0
        for places in held.T:
            worlds[np.arange(len(held)), places // self.k, -1] = 0.0
            worlds[np.arange(len(held)), places // self.k, places % self.k] = 1.0
        return worlds.reshape(len(held), self.n * self.k)

    @cached_property
    def held(self) -> tuple[OneHotSide, OneHotSide]:
        """The places that the rows hold, and those that the columns hold."""
        return _one_hot(self.rows, self.n * self.k), _one_hot(self.columns, self.n * self.k)

    @cached_property
    def free(self) -> tuple[Floats, Floats]:
        """For rows and for columns, 1 for the players to whom each choice leaves a role outside the core; the viewer's
        own is known. Shape [n, choices].
        """
        found = np.ones((self.n, len(self.rows))), np.ones((self.n, len(self.columns)))
        for side, free in zip((self.rows, self.columns), found, strict=True):
            free[side // self.k, np.arange(len(side))[:, None]] = 0.0
            if self.mine:
                free[0] = 0.0
        return found

    def without(self, cut: Exclusions) -> WorldTable:
        """The table without the core worlds that cannot be. ``cut``: the places nobody has (as in ``rows``, the last
        group meaning anybody else's role), and who lives: at least one wolf does, and fewer wolves than others."""
        found = self._cuts.get(cut)
        if found is None:
            found = self._without(cut)
            if self.fits.size <= FEW_CELLS and len(self._cuts) < MOST_CUTS:
                self._cuts[cut] = found
        return found

    def _without(self, cut: Exclusions) -> WorldTable:
        places, alive = cut
        k, fits, rows, columns = self.k, self.fits.copy(), self.rows, self.columns
        barred = np.zeros(self.n * k, dtype=np.bool_)
        barred[[place for place in places if place % k < k - 1]] = True
        fits &= (barred[rows].sum(axis=1)[:, None] + barred[columns].sum(axis=1)) == 0
        for player in (place // k for place in places if place % k == k - 1):
            fits &= (rows // k == player).any(axis=1)[:, None] | (columns // k == player).any(axis=1)
        if alive and self.groups[0] == CORE[0]:
            living = np.zeros(self.n * k, dtype=np.bool_)
            living[[player * k for player in alive]] = True
            wolves = living[rows].sum(axis=1)
            fits &= ((wolves >= 1) & (2 * wolves < len(alive)))[:, None]
        across, down, left = fits.any(axis=1), fits.any(axis=0), fits[self.fits]
        fits = fits[np.ix_(across, down)]
        return replace(self, rows=rows[across], columns=columns[down], fits=fits, cut=cut, left=left)


def reduced_counts(counts: Mapping[str, int], players: int) -> dict[str, int]:
    """Reduce the role ``counts`` of a village to such as can be summed up exactly; those of contests stay as they are.

    In another village some of the players with a role that is too frequent, or one of too many roles, are villagers.
    """
    kept: dict[str, int] = {}
    ways = 1
    for role, count in sorted(counts.items(), key=lambda pair: (pair[0] not in CORE, pair[1])):
        if role in CORE:
            kept[role] = next(most for most in range(count, -1, -1) if comb(players, most) <= MOST_CELLS)
        elif role == Role.VILLAGER or ways * (count + 1) <= MOST_WALKED:
            kept[role] = count
        # A core role may have to leave the core, and then counts like the others.
        ways *= kept.get(role, 0) + 1 if role not in {Role.VILLAGER, Role.WEREWOLF} else 1
    return {role: kept[role] for role in counts if kept.get(role)}


@cache
def core_table(counts: Counts, mine: str) -> WorldTable:
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
    return WorldTable(n, groups, mine, _places(rows), _places(columns), fits, named, filler)


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
    """The players of these ``places``, of ``k`` each, as a set of bits."""
    return sum(1 << place // k for place in places)


def _places(choices: Sequence[tuple[int, ...]]) -> Places:
    return np.array(choices, dtype=np.intp).reshape(len(choices), -1)


def _one_hot(side: Places, size: int) -> OneHotSide:
    places = np.flatnonzero(np.bincount(side.ravel(), minlength=size))
    number = np.zeros(size, dtype=np.intp)
    number[places] = np.arange(len(places))
    ones = np.zeros((len(side), len(places)))
    ones[np.arange(len(side))[:, None], number[side]] = 1.0
    return OneHotSide(places, number[side], ones, size)


# --- The roles outside the core --------------------------------------------------------------------------------------


MOST_LOG = 100.0
"""No log-weight of a named role counts more, so that nothing overflows."""


class OuterRoles:
    """The sum over all assignments of the named roles to the players outside the core, for each core world.

    The odds that a player outside the core has a named role (rather than the filler) are a factor of the row times a
    factor of the column. So with at most two named roles of one player each the sum over all assignments is a closed
    form of small matrix products; otherwise :class:`_CountingProgram` computes it player by player. ``weight``: [rows,
    columns] the sum over all assignments. ``named`` [n, r] and ``cross`` [n*k, n*r] are log-weights, as in
    :class:`~nlp_agent.belief.posterior.Weights`.
    """

    def __init__(self, table: WorldTable, named: Floats, cross: Floats | None) -> None:
        self._names = [role for role, _ in table.named]
        self._own = self._names.index(table.mine) if table.mine in self._names else None
        left = [count - (role == self._own) for role, (_, count) in enumerate(table.named)]
        self._roles = [role for role, count in enumerate(left) if count]
        self._n = table.n
        down, across = _factors(table, named, cross)
        given = self._roles if len(self._roles) < len(left) else slice(None)
        self._down, self._across = down[given], across[given]
        counts = [left[role] for role in self._roles]
        self._pair = self._walk = None
        if max(counts, default=1) > 1 or len(counts) > 2:
            self._walk = _CountingProgram(counts, self._down[:, :, :, None] * self._across[:, :, None, :])
            whole = self._walk.whole
        else:
            whole = self._single(0) if counts else np.ones(table.fits.shape)
            if len(counts) == 2:
                # Every pair of players but twice the same.
                self._pair = self._down[0] * self._down[1], self._across[0] * self._across[1]
                whole *= self._single(1)
                whole -= self._pair[0].T @ self._pair[1]
        self.weight: Floats = np.maximum(whole, 0.0, out=whole)

    def _single(self, place: int) -> Floats:
        """[rows, columns] the sum over all players who could have one role; not cached, for it is large."""
        found: Floats = self._down[place].T @ self._across[place]
        return found

    def place(self, role: str) -> int | None:
        """The number of a role that can be looked at alone, for :meth:`held`."""
        alone = self._walk is None and role in self._names
        return self._names.index(role) if alone else None

    def shares(self, share: Floats) -> Floats:
        """The probability of each player to have each named role, when the core worlds have the probabilities ``share *
        weight``; shape [n, r].
        """
        found = np.zeros((self._n, len(self._names)))
        if self._walk is None:
            for role in range(len(self._names)):
                found[:, role] = self.held(share, role)
            return found
        found[:, self._roles] = self._walk.shares(share)
        if self._own is not None:
            found[0, self._own] = 1.0
        return np.clip(found, 0.0, 1.0)

    def held(self, share: Floats, role: int) -> Floats:
        """The probability of each player to have the named role ``role``, as in :meth:`shares`, where that needs no
        walk; shape [n].
        """
        found = np.zeros(self._n)
        if role in self._roles:
            place = self._roles.index(role)
            others = share * self._single(1 - place) if self._pair else share
            found = ((self._down[place] @ others) * self._across[place]).sum(axis=1)
            if self._pair:
                found -= ((self._pair[0] @ share) * self._pair[1]).sum(axis=1)
        if role == self._own:
            found[0] = 1.0
        return np.clip(found, 0.0, 1.0)

    def cells(self, share: Floats, player: int) -> Floats | None:
        """The probability that ``player``, not the viewer, has each named role in each core world, likewise; shape [r,
        rows, columns]. ``None`` where that would need a walk.
        """
        if self._walk is not None:
            return None
        found = np.zeros((len(self._names), *share.shape))
        for place, role in enumerate(self._roles):
            one = np.multiply.outer(self._down[place, player], self._across[place, player])
            if self._pair:
                others = np.multiply.outer(self._down[1 - place, player], self._across[1 - place, player])
                one *= self._single(1 - place) - others
            found[role] = one * share
        return found


def _factors(table: WorldTable, named: Floats, cross: Floats | None) -> tuple[Floats, Floats]:
    """([r, n, rows], [r, n, columns]) the factors of the rows and of the columns, see :func:`_factors_of_side`."""
    n, k, r = table.n, table.k, named.shape[1]
    if cross is None:
        rows, columns = table.free
        odds = np.exp(np.clip(named, -MOST_LOG, MOST_LOG)).T
        return np.broadcast_to(rows, (r, *rows.shape)), odds[:, :, None] * columns
    by_group = cross.reshape(n, k, n, -1)
    blank = by_group[:, -1]
    adds = (by_group - blank[:, None]).reshape(n * k, n, -1)
    return _factors_of_side(table, 0, adds, 0.0), _factors_of_side(
        table, 1, adds, (named + blank.sum(axis=0)).T[:, :, None]
    )


def _factors_of_side(table: WorldTable, which: int, adds: Floats, plain: Floats | float) -> Floats:
    """[r, n, choices] the factor of the rows (0) or columns (1): how much likelier a player has a named role than the
    filler; 0 where the choice gives the player a role already, as knowing it does for the viewer. ``adds`` [n*k, n, r]
    are the log-weights of a group, ``plain`` [r, n, 1] those of any."""
    held, (_, n, r) = table.held[which], adds.shape
    gives: Floats = (adds[held.places].transpose(2, 1, 0).reshape(r * n, -1) @ held.ones.T).reshape(r, n, -1)
    gives += plain
    np.minimum(np.maximum(gives, -MOST_LOG, out=gives), MOST_LOG, out=gives)
    np.exp(gives, out=gives)
    gives *= table.free[which]
    return gives


class _CountingProgram:
    """Sums over all assignments of any number of named roles, by dynamic programming over the players.

    The state is how many of each role have been given away. As in a hidden Markov model, sums from the first player on
    (``_ahead``) and from the last one back are combined to what each player has. ``gives``: [r, n, rows, columns] the
    factor for giving a player a role; ``whole``: [rows, columns] the sum over all assignments.
    """

    def __init__(self, counts: Sequence[int], gives: Floats) -> None:
        self._states = list(product(*(range(count + 1) for count in counts)))
        place = {state: number for number, state in enumerate(self._states)}
        self._moves = [
            (role, place[state], place[more])
            for role in range(len(counts))
            for state in self._states
            if (more := _with_one_more(state, role)) in place
        ]
        """(role, the state before, the state with one more of it given away)."""
        self._gives = gives
        self._ahead = self._sums(range(gives.shape[1]))
        self.whole = self._ahead[-1][-1]

    def _sums(self, order: range) -> list[Floats]:
        """The prefix sums over players in ``order``: [states, rows, columns] before the first and after each one."""
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
        """[n, r] the sum, weighted by ``share``, of all assignments in which a player has the role."""
        n, last = self._gives.shape[1], len(self._states) - 1
        behind = self._sums(range(n - 1, -1, -1))
        found = np.zeros((n, len(self._gives)))
        for i in range(n):
            for role, a, b in self._moves:
                one = self._ahead[i][a] * behind[n - 1 - i][last - b]
                found[i, role] += float((one * self._gives[role, i] * share).sum())
        return found


def _with_one_more(state: tuple[int, ...], role: int) -> tuple[int, ...]:
    return tuple(count + (place == role) for place, count in enumerate(state))


# --- The exact posterior over the worlds of a table ------------------------------------------------------------------


EXCLUDED = -1e6
"""Log-weight of what cannot be; far below anything evidence adds up to."""


@dataclass(frozen=True, eq=False)
class Weights:
    """The log-weights of worlds, zero where nothing is known.

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
    """The probability of each core world, and what follows from it, computed when it is asked for.

    ``table``: the core worlds that are possible; ``p``: [rows, columns] the probability of each.
    """

    table: WorldTable
    p: Floats
    named: OuterRoles | None = None

    @cached_property
    def groups(self) -> Floats:
        """The probability of each player to be of each group; shape [n, k]."""
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
        """The probability of each player to have each role; shape [n, len(table.roles)]."""
        if self.named is None:
            return self.groups
        named = self.named.shares(self._share)
        plain = np.clip(self.groups[:, -1:] - named.sum(axis=1, keepdims=True), 0.0, 1.0)
        found: Floats = np.concatenate([self.groups[:, :-1], named, plain], axis=1)
        return found

    def chances(self, role: str) -> Floats:
        """The probability of each player to have ``role``; shape [n]. Computes one role only where it is outside the
        core.
        """
        if self.named is None or (place := self.named.place(role)) is None:
            found: Floats = self.roles[:, self.table.roles.index(role)]
            return found
        if role not in self._held:
            self._held[role] = self.named.held(self._share, place)
        return self._held[role]

    @cached_property
    def _held(self) -> dict[str, Floats]:
        """Cache of :meth:`chances`: role -> [n]."""
        return {}

    @cached_property
    def _share(self) -> Floats:
        """[rows, columns] the probability of a core world divided by the sum over its assignments: times one term of
        that sum it is the joint probability of the core world and that term's assignment."""
        assert self.named is not None
        return self.p / np.maximum(self.named.weight, 1e-300)

    def beside(self, player: int) -> Floats:
        """The probability that ``player`` is of the first group and another player of the second; shape [k, n, k]; for
        itself a diagonal.
        """
        found: Floats = self._pairs[player]
        return found

    @cached_property
    def _pairs(self) -> Floats:
        """[n, k, n, k] :meth:`beside` for every player."""
        table, p, single = self.table, self.p, self.groups
        n, k = table.n, table.k
        if (worlds := table.listed) is not None:
            both: Floats = ((worlds.T * p[table.fits]) @ worlds).reshape(n, k, n, k)
            return both
        (rows, columns), (down, across) = table.held, self._margins
        joint, crossed = np.zeros((n * k, n * k)), rows.ones.T @ p @ columns.ones
        joint[rows.places[:, None], rows.places] = (rows.ones.T * down) @ rows.ones
        joint[columns.places[:, None], columns.places] = (columns.ones.T * across) @ columns.ones
        joint[rows.places[:, None], columns.places] = crossed
        joint[columns.places[:, None], rows.places] = crossed.T
        found = joint.reshape(n, k, n, k)
        found[..., -1] = single[:, :, None] - found.sum(axis=3)
        found[:, -1] = single - found[:, :-1].sum(axis=1)
        found[np.arange(n), :, np.arange(n)] = single[:, :, None] * np.eye(k)
        return np.minimum(np.maximum(found, 0.0, out=found), 1.0, out=found)

    def holding(self, player: int) -> Floats | None:
        """The probability that ``player`` has each role and another player is of each group; shape [len(table.roles),
        n, k]. ``None`` where the roles outside the core need the dynamic program.
        """
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


def possible(table: WorldTable, cut: Exclusions, tables: dict[WorldTable, WorldTable] | None = None) -> WorldTable:
    """``table`` without the core worlds that ``cut`` rules out.

    ``tables`` is a cache that the caller keeps: whole table -> the table without impossible worlds, used again until
    more is ruled out.
    """
    kept = {} if tables is None else tables
    if table not in kept or kept[table].cut != cut:
        kept[table] = table.without(cut)
    return kept[table]


def weigh(
    table: WorldTable, weights: Weights, alive: Sequence[int] = (), tables: dict[WorldTable, WorldTable] | None = None
) -> Posterior | None:
    """The posterior over all worlds of ``table``; ``None`` when no world is possible.

    ``alive``: who lives while the game goes on, so at least one wolf does, and fewer wolves than others. ``tables``:
    see :func:`possible`.
    """
    excluded = weights.one <= EXCLUDED / 2
    table = possible(table, (tuple(np.flatnonzero(excluded).tolist()), tuple(alive)), tables)
    if not table.fits.any():
        return None
    one = np.where(excluded, 0.0, weights.one)
    names = [role for role, _ in table.named]
    if table.mine in names and weights.cross is not None:
        # What somebody of a group does to the viewer, whose role outside the core is known.
        one += weights.cross.reshape(table.n, table.k, table.n, -1)[:, :, 0, names.index(table.mine)]
    p = _listed(table, one, weights.two) if table.listed is not None else _grid(table, one, weights.two)
    named = OuterRoles(table, weights.named, weights.cross) if table.named else None
    if named is not None:
        p *= named.weight
    if not (total := p.sum()) > 0:
        return None
    p /= total
    return Posterior(table, p, named)


def weigh_listed(table: WorldTable, scores: Floats) -> Posterior | None:
    """The posterior where the core worlds are listed in full, nobody has a named role, and ``scores`` are the
    log-weights of the worlds; ``None`` without any."""
    if not scores.size:
        return None
    p, likely = np.zeros(table.fits.shape), np.exp(scores - scores.max())
    p[table.fits] = likely / likely.sum()
    return Posterior(table, p)


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
        ahead = rows.ones @ joint[rows.places[:, None], columns.places]
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
