"""The exact posterior over all assignments of roles, for any table of roles.

A world says who has which role. What is known speaks of one player's role or of two players' roles, and of two that
only when one of them is a *core* role (werewolf, possessed, seer). So the worlds are enumerated by their core alone
(25,740 for 13 players instead of 1,441,440) and all assignments of the other roles are summed up exactly for each of
them.

Players are numbers here, the viewer is number 0, and tables are shared by all seats of a process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from nlp_agent.protocol import Role

Floats = NDArray[np.float64]
Counts = tuple[tuple[str, int], ...]
"""(role, how many), in the order of the role table."""
CORE = (Role.WEREWOLF.value, Role.POSSESSED.value, Role.SEER.value)
MOST_CORES = 60_000
"""Beyond that many core worlds a role leaves the core and is summed up like the others."""
EXCLUDED = -1e6
"""Log-weight of what cannot be; far below anything evidence adds up to."""


@dataclass(frozen=True, eq=False)
class Table:
    """All core worlds in which player 0 has the group ``mine``.

    ``groups``: the core roles, then ``""`` for everybody else. ``cores``: one row a world, ``n * len(groups)``
    columns of 0 and 1 (player-major). ``named``: the other roles with their counts but the most frequent, ``filler``.
    """

    n: int
    groups: tuple[str, ...]
    cores: NDArray[np.float32]
    named: Counts
    filler: str

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
    rows = np.full((1, n), len(core), dtype=np.int8)
    free = list(range(n))
    left = dict(core)
    if mine:
        free = free[1:]
        if mine in left:
            rows[0, 0] = groups.index(mine)
            left[mine] -= 1
    for index, (role, _) in enumerate(core):
        rows = _placed(rows, free, left[role], index, len(core))
    if mine and mine not in dict(core):
        rows = rows[rows[:, 0] == len(core)]
    cores = (rows[:, :, None] == np.arange(len(groups), dtype=np.int8)).astype(np.float32)
    return Table(n, groups, cores.reshape(len(rows), -1), named, filler)


def _core_roles(counts: Counts, n: int) -> Counts:
    core = [(role, dict(counts)[role]) for role in CORE if dict(counts).get(role)]
    while len(core) > 1:
        worlds, free = 1, n
        for _, count in core:
            worlds, free = worlds * comb(free, count), free - count
        if worlds <= MOST_CORES:
            break
        core.pop()
    return tuple(core)


def _placed(rows: NDArray[np.int8], free: list[int], count: int, index: int, blank: int) -> NDArray[np.int8]:
    """Every row with ``count`` of its blank ``free`` places given to ``index``."""
    if count == 0:
        return rows
    picks = np.zeros((comb(len(free), count), rows.shape[1]), dtype=bool)
    for line, pick in enumerate(combinations(free, count)):
        picks[line, list(pick)] = True
    fits = ~((rows != blank)[:, None, :] & picks[None, :, :]).any(axis=2)
    which, pick_of = np.nonzero(fits)
    return np.where(picks[pick_of], np.int8(index), rows[which])


@dataclass(frozen=True, eq=False)
class Weights:
    """Log-weights, zero where nothing is known.

    ``one``: [n, k] a player is of a group; ``two``: [n*k, n*k] a player is of a group and another one of a group;
    ``named``: [n, r] a player has a named role rather than the filler; ``cross``: [n*k, n*r] the same, added in the
    worlds where a player is of a group. ``filler``: [n] a player has the filler.
    """

    one: Floats
    two: Floats
    named: Floats
    cross: Floats
    filler: Floats

    @staticmethod
    def zero(table: Table) -> Weights:
        n, k, r = table.n, table.k, len(table.named)
        return Weights(
            np.zeros((n, k)), np.zeros((n * k, n * k)), np.zeros((n, r)), np.zeros((n * k, n * r)), np.zeros(n)
        )


@dataclass(frozen=True, eq=False)
class Posterior:
    """``p``: of each core world; ``roles``: [n, len(table.roles)]; ``pairs``: [n*k, n*k] that two players are of two
    groups, its diagonal blocks hold single players."""

    table: Table
    p: Floats
    roles: Floats
    pairs: Floats

    def likeliest(self, most: int) -> list[tuple[tuple[str, ...], float]]:
        """The likeliest core worlds: each player's core role or ``""``, and the probability."""
        best = np.argsort(-self.p)[:most]
        cores = self.table.cores[best].reshape(len(best), self.table.n, -1).argmax(axis=2)
        return [
            (tuple(self.table.groups[g] for g in row), float(self.p[b])) for row, b in zip(cores, best, strict=True)
        ]


def posterior(table: Table, weights: Weights, alive: Sequence[int] | None = None) -> Posterior | None:
    """Weigh every world; ``None`` when none is possible.

    ``alive``: who lives while the game goes on, so at least one wolf does, and fewer wolves than others.
    """
    x = table.cores
    score = np.einsum("wc,wc->w", x @ weights.two.astype(np.float32), x) + x @ weights.one.ravel().astype(np.float32)
    score = score.astype(np.float64)
    if alive is not None and table.groups[0] == CORE[0]:
        wolves = x[:, [player * table.k for player in alive]].sum(axis=1)
        score[(wolves < 1) | (2 * wolves >= len(alive))] += EXCLUDED
    total, shares = _rest(table, weights, score)
    top = float(total.max(initial=EXCLUDED))
    if top <= EXCLUDED / 2:
        return None
    p = np.exp(total - top)
    p /= p.sum()
    pairs = (x * p[:, None].astype(np.float32)).T @ x
    single = pairs.diagonal().reshape(table.n, table.k).astype(np.float64)
    if shares is None:
        roles = single
    else:
        named = shares @ p
        rest = np.clip(single[:, -1:] - named.sum(axis=1, keepdims=True), 0.0, 1.0)
        roles = np.concatenate([single[:, :-1], named, rest], axis=1)
    return Posterior(table, p, roles, pairs.astype(np.float64))


def _rest(table: Table, weights: Weights, score: Floats) -> tuple[Floats, Floats | None]:
    """Add to each core world's log-weight the sum over all assignments of the named roles.

    Also returned: [n, r, worlds] P(player has the named role | core world). The sum walks over the players and keeps
    how many of each named role are given away; forwards and backwards give every share.
    """
    blank = np.ascontiguousarray(table.cores[:, table.k - 1 :: table.k].T)
    if not table.named:
        return score + weights.filler @ blank, None
    n, r = table.n, len(table.named)
    odds = weights.cross.T.astype(np.float32) @ table.cores.T + weights.named.reshape(n * r, 1).astype(np.float32)
    high = np.maximum(0.0, odds.max(axis=0))
    gives = np.exp(odds - high, dtype=np.float64).reshape(n, r, -1)
    gives *= blank[:, None, :]
    passes = np.where((blank > 0) & (weights.filler < EXCLUDED / 2)[:, None], 0.0, 1.0)
    steps = _Steps([count for _, count in table.named])
    ahead = steps.sums(gives, passes, range(n))
    behind = steps.sums(gives, passes, range(n - 1, -1, -1))
    shares = np.stack([steps.share(ahead[i], behind[n - 1 - i], gives[i]) for i in range(n)])
    whole = ahead[-1][-1]
    shares /= np.maximum(whole, 1e-300)
    given = sum(count for _, count in table.named)
    added = np.where(whole > 0, np.log(np.maximum(whole, 1e-300)) + given * high, EXCLUDED)
    return score + added, shares


class _Steps:
    """How many of each named role are given away, as one index; ``up`` leads from an index to the one with one more."""

    def __init__(self, counts: Sequence[int]) -> None:
        self.states = list(product(*(range(count + 1) for count in counts)))
        place = {state: number for number, state in enumerate(self.states)}
        self.last = len(self.states) - 1
        self.up = [
            [(place[s], place[t]) for s in self.states if (t := _more(s, role)) in place] for role in range(len(counts))
        ]

    def sums(self, gives: Floats, passes: Floats, order: range) -> list[Floats]:
        """After each player of ``order``, and before the first: [states, worlds]."""
        now = np.zeros((len(self.states), gives.shape[2]))
        now[0] = 1.0
        found = [now]
        for i in order:
            after = now * passes[i]
            for role, moves in enumerate(self.up):
                for a, b in moves:
                    after[b] += now[a] * gives[i, role]
            now = after
            found.append(now)
        return found

    def share(self, ahead: Floats, behind: Floats, gives: Floats) -> Floats:
        """[r, worlds]: the weight of all assignments that give the player between the two sums each named role."""
        shares = np.zeros_like(gives)
        for role, moves in enumerate(self.up):
            for a, b in moves:
                shares[role] += ahead[a] * behind[self.last - b]
        return shares * gives


def _more(state: tuple[int, ...], role: int) -> tuple[int, ...]:
    return tuple(count + (place == role) for place, count in enumerate(state))
