"""The roles outside the core: all ways to give them out, summed up exactly for each core world."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from nlp_agent.belief.table import Floats, WorldTable

MOST_LOG = 100.0
"""No log-weight of a named role counts more, so that nothing overflows."""


class Named:
    """All assignments of the named roles to the players outside the core, for each core world.

    How likely a player outside the core has a named role is the product of what the row and what the column make of
    it, so the sums are products of small matrices. ``weight``: [rows, columns] of all assignments together.
    ``named`` [n, r] and ``cross`` [n*k, n*r] are log-weights, as in :class:`~nlp_agent.belief.posterior.Weights`.
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
            self._walk = _Walk(counts, self._down[:, :, :, None] * self._across[:, :, None, :])
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
        """[rows, columns] the role given to anybody; made anew each time, for a table keeps many of these."""
        found: Floats = self._down[place].T @ self._across[place]
        return found

    def place(self, role: str) -> int | None:
        """The number of a role that can be looked at alone, for :meth:`held`."""
        alone = self._walk is None and role in self._names
        return self._names.index(role) if alone else None

    def shares(self, share: Floats) -> Floats:
        """[n, r] P(player has the named role) when the core worlds have the probabilities ``share * weight``."""
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
        """[n] the same for one role, where that needs no walk."""
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
        """[r, rows, columns] P(``player``, not the viewer, has the named role in this core world), likewise; ``None``
        where that would need a walk."""
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
    """What the rows and what the columns make of it, see :func:`_gives`."""
    n, k, r = table.n, table.k, named.shape[1]
    if cross is None:
        rows, columns = table.free
        odds = np.exp(np.clip(named, -MOST_LOG, MOST_LOG)).T
        return np.broadcast_to(rows, (r, *rows.shape)), odds[:, :, None] * columns
    by_group = cross.reshape(n, k, n, -1)
    blank = by_group[:, -1]
    adds = (by_group - blank[:, None]).reshape(n * k, n, -1)
    return _gives(table, 0, adds, 0.0), _gives(table, 1, adds, (named + blank.sum(axis=0)).T[:, :, None])


def _gives(table: WorldTable, which: int, adds: Floats, plain: Floats | float) -> Floats:
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
