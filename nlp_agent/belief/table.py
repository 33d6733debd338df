"""All worlds of a village, for any table of roles.

A world says who has which role. What is known speaks of one player's role or of two players' roles, and of two that
only when one of them is a *core* role (werewolf, possessed, seer). So worlds are enumerated by their core alone, as a
grid: one row for each choice of the wolves, one column for each choice of the other core roles (25,740 possible cells
for 13 players instead of 1,441,440 worlds). All assignments of the other roles are summed up exactly for each cell.

Players are numbers here, the viewer is number 0, and the tables of villages are shared by all seats of a process.
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

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
"""[choices, players] each as ``player * len(groups) + group``."""
Counts = tuple[tuple[str, int], ...]
"""(role, how many), in the order of the role table."""
Cut = tuple[tuple[int, ...], tuple[int, ...]]
CORE = (Role.WEREWOLF.value, Role.POSSESSED.value, Role.SEER.value)
MOST_CELLS = 100_000
"""Cells of the grid of core worlds; where there would be more, the core does without one role, which is then summed up
like the others."""
MOST_WALKED = 1_000
"""So many ways to have given away a part of the named roles are walked through."""
FEW_CELLS, MOST_CUTS = 100, 1_000
"""Of so small a grid so many tables that it was cut down to are kept for all seats of a process."""
MOST_LISTED = 500
"""So few core worlds are listed in full."""


@dataclass(frozen=True, eq=False)
class Held:
    """What the choices of one side of a grid hold. ``places``: those of the ``size`` places that any of them holds;
    ``numbers``: [choices, players] which of ``places`` each holds, and ``ones`` [choices, places] the same as 0 and 1.
    """

    places: Places
    numbers: Places
    ones: Floats
    size: int

    def likely(self, p: Floats) -> Floats:
        """[..., size] how likely each place is held when ``p`` [..., choices] are the probabilities of the choices."""
        found = np.zeros((*p.shape[:-1], self.size))
        found[..., self.places] = p @ self.ones
        return found


@dataclass(frozen=True, eq=False)
class WorldTable:
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
    cut: Cut = ((), ())
    """What it was cut down by: see :meth:`without`."""
    _cuts: dict[Cut, WorldTable] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def k(self) -> int:
        return len(self.groups)

    @cached_property
    def species(self) -> NDArray[np.str_]:
        """Of each core group: WEREWOLF or HUMAN."""
        return np.array([role_spec(role).species.value for role in self.groups[:-1]], dtype=np.str_)

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """Every role of the village: core, named, filler."""
        return (*self.groups[:-1], *(role for role, _ in self.named), self.filler)

    @cached_property
    def listed(self) -> Floats | None:
        """[core worlds, n*k] the cells that fit as 0 and 1 for every player and group, where there are few of them:
        then plain products are quickest."""
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
    def held(self) -> tuple[Held, Held]:
        """What the rows hold, and the columns."""
        return _held(self.rows, self.n * self.k), _held(self.columns, self.n * self.k)

    @cached_property
    def free(self) -> tuple[Floats, Floats]:
        """[n, choices] 1 for the players to whom a row, and a column, leaves a role outside the core; the viewer's own
        is known."""
        found = np.ones((self.n, len(self.rows))), np.ones((self.n, len(self.columns)))
        for side, free in zip((self.rows, self.columns), found, strict=True):
            free[side // self.k, np.arange(len(side))[:, None]] = 0.0
            if self.mine:
                free[0] = 0.0
        return found

    @property
    def worlds(self) -> int:
        """How many assignments of all roles there are."""
        taken = len(self.rows[0]) + len(self.columns[0]) if self.fits.size else 0
        free = self.n - taken - (self.mine in dict(self.named) or self.mine == self.filler)
        ways = 1
        for role, count in self.named:
            ways, free = ways * comb(free, count - (role == self.mine)), free - count + (role == self.mine)
        return int(self.fits.sum()) * ways

    def without(self, cut: Cut) -> WorldTable:
        """The table without the core worlds that cannot be. ``cut``: the places nobody has (as in ``rows``, the last
        group meaning anybody else's role), and who lives: at least one wolf does, and fewer wolves than others."""
        found = self._cuts.get(cut)
        if found is None:
            found = self._without(cut)
            if self.fits.size <= FEW_CELLS and len(self._cuts) < MOST_CUTS:
                self._cuts[cut] = found
        return found

    def _without(self, cut: Cut) -> WorldTable:
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
        across, down = fits.any(axis=1), fits.any(axis=0)
        fits = fits[np.ix_(across, down)]
        return replace(self, rows=rows[across], columns=columns[down], fits=fits, cut=cut)


def manageable(counts: Mapping[str, int], players: int) -> dict[str, int]:
    """``counts`` of a village that can be summed up exactly; all those of contests are.

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
    """As a set of bits."""
    return sum(1 << place // k for place in places)


def _places(choices: Sequence[tuple[int, ...]]) -> Places:
    return np.array(choices, dtype=np.intp).reshape(len(choices), -1)


def _held(side: Places, size: int) -> Held:
    places = np.flatnonzero(np.bincount(side.ravel(), minlength=size))
    number = np.zeros(size, dtype=np.intp)
    number[places] = np.arange(len(places))
    ones = np.zeros((len(side), len(places)))
    ones[np.arange(len(side))[:, None], number[side]] = 1.0
    return Held(places, number[side], ones, size)
