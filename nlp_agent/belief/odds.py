"""How likely each role is to do what happened: the odds, and the arrays they become for a table of roles.

The odds are log-odds by kind of fact and pattern, in :mod:`nlp_agent.belief.fitted` for villages with one wolf and for
those with more. A pattern is a role (``SEER``) or two (``SEER>WEREWOLF``: who did it, about whom); instead of a role it
may name ``HUMAN`` (all that divination calls so), ``OTHER`` (neither werewolf, possessed nor seer) or ``ANY``. All
patterns that fit add up; what no pattern names counts 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nlp_agent.belief.constants import SIZES
from nlp_agent.belief.fitted import FITTED
from nlp_agent.belief.posterior import CORE, Floats, WorldTable
from nlp_agent.game import role_spec
from nlp_agent.protocol import Species

PatternOdds = Mapping[str, float]
KindOdds = Mapping[str, PatternOdds]


@dataclass(frozen=True, eq=False)
class Odds:
    """The odds of all kinds of facts, for villages with one wolf and with more. ``sizes``: one_wolf and more_wolves ->
    kind -> pattern -> log-odds.
    """

    sizes: Mapping[str, KindOdds] = field(default_factory=dict)
    _spreads: dict[tuple[object, ...], OddsArrays] = field(default_factory=dict, repr=False)
    _by_world: dict[tuple[object, ...], Floats | None] = field(default_factory=dict, repr=False)

    def of(self, wolves: int) -> KindOdds:
        """The odds by kind of fact for a village with that many ``wolves``."""
        return self.sizes.get(SIZES[wolves > 1], {})

    def spread(self, table: WorldTable, wolves: int) -> OddsArrays:
        """Spread these odds over the groups and named roles of ``table``; worked out once for each village."""
        key = (wolves > 1, table.groups, table.named, table.filler)
        if key not in self._spreads:
            self._spreads[key] = _as_arrays(self.of(wolves), table)
        return self._spreads[key]

    def by_world(self, table: WorldTable, wolves: int) -> Floats | None:
        """The odds of each kind of fact in each core world of the whole ``table``, by who did it and about whom (the
        last: nobody else); shape [kinds, n, n + 1, worlds]. ``None`` where there are more worlds than are listed, or
        named roles. Worked out once for each village.
        """
        key = (wolves > 1, table)
        if key not in self._by_world:
            plain = table.listed is not None and not table.named
            self._by_world[key] = _in_worlds(self.spread(table, wolves), table) if plain else None
        return self._by_world[key]


SHIPPED_ODDS = Odds(FITTED)
"""The odds of this package."""


def pattern_covers(pattern: str, role: str) -> bool:
    """Tell whether one side of a pattern covers ``role``."""
    if pattern == "HUMAN":
        return role_spec(role).species == Species.HUMAN
    return pattern in (role, "ANY") or (pattern == "OTHER" and role not in CORE)


def log_odds_of(patterns: PatternOdds, who: str, about: str = "") -> float:
    """The log-odds of a fact when its players have these roles."""
    total = 0.0
    for pattern, value in patterns.items():
        first, _, second = pattern.partition(">")
        if pattern_covers(first, who) and (not second or pattern_covers(second, about)):
            total += value
    return total


@dataclass(frozen=True, eq=False)
class OddsArrays:
    """The odds over a table's groups (k) and named roles (r), as :class:`~nlp_agent.belief.posterior.Weights` wants
    them.

    ``number``: kind -> its row in all the others. ``one`` [kinds, k] and ``named`` [kinds, r] for who did it; for two
    players (``paired``) ``two`` [kinds, k, k], ``by`` [kinds, k, r]: about a group, by a named role, and ``to``
    [kinds, k, r]: by a group, about a named role.
    """

    number: Mapping[str, int]
    paired: NDArray[np.bool_]
    one: Floats
    named: Floats
    two: Floats
    by: Floats
    to: Floats

    @cached_property
    def crossed(self) -> NDArray[np.bool_]:
        """For each kind of fact, whether its odds depend on the named role of one who does it to another, or of that
        other; shape [kinds].
        """
        return np.array([bool(by.any() or to.any()) for by, to in zip(self.by, self.to, strict=True)], dtype=np.bool_)

    @cached_property
    def alone(self) -> Floats:
        """The odds of each kind that depend on one player only, ``one`` and ``named`` side by side; shape [kinds, k +
        r].
        """
        return np.concatenate([self.one, self.named], axis=1)

    @cached_property
    def both(self) -> Floats:
        """The odds by the group of who did it and of whom it is about: those of each kind in full, and behind them each
        without its odds for two players; shape [2 * kinds, k, k].
        """
        alone = np.repeat(self.one[:, :, None], self.one.shape[1], axis=2)
        return np.concatenate([alone + np.where(self.paired[:, None, None], self.two, 0.0), alone])

    @cached_property
    def wide(self) -> Floats:
        """The same odds as :attr:`both` where who did it may have a named role, as a table orders its roles: core,
        named, filler. Whom it is about has none. Shape [2 * kinds, k + r, k].
        """
        alone = np.concatenate([self.one[:, :-1], self.one[:, -1:] + self.named, self.one[:, -1:]], axis=1)
        alone = np.repeat(alone[:, :, None], self.one.shape[1], axis=2)
        two = [self.two[:, :-1], self.two[:, -1:] + self.by.transpose(0, 2, 1), self.two[:, -1:]]
        both = np.where(self.paired[:, None, None], np.concatenate(two, axis=1), 0.0)
        return np.concatenate([alone + both, alone])

    @cached_property
    def outside(self) -> NDArray[np.bool_]:
        """For each kind of fact, whether its odds depend on a named role; shape [kinds]."""
        sums = [abs(table).reshape(len(table), -1).sum(axis=1) for table in (self.named, self.by, self.to)]
        found: NDArray[np.bool_] = sum(sums) > 0
        return found


def _in_worlds(spreads: OddsArrays, table: WorldTable) -> Floats:
    """As :meth:`Odds.by_world`."""
    assert table.listed is not None
    group = table.listed.reshape(-1, table.n, table.k).argmax(axis=2).T
    alone, pairs = spreads.one[:, group], spreads.two[:, group[:, None], group[None]]
    pairs[:, np.arange(table.n), np.arange(table.n)] = 0.0
    return np.concatenate([alone[:, :, None] + pairs, alone[:, :, None]], axis=2)


def _as_arrays(rows: KindOdds, table: WorldTable) -> OddsArrays:
    filler, named = table.filler, [role for role, _ in table.named]
    classes = [group or filler for group in table.groups]
    alone = [{p: v for p, v in patterns.items() if ">" not in p} for patterns in rows.values()]
    both = [{p: v for p, v in patterns.items() if ">" in p} for patterns in rows.values()]
    count, k, r = len(rows), len(classes), len(named)

    def made(shape: tuple[int, ...], values: list[float]) -> Floats:
        return np.array(values, dtype=np.float64).reshape(shape)

    def beyond(p: PatternOdds, who: str, about: str, usual: tuple[str, str]) -> float:
        return log_odds_of(p, who, about) - log_odds_of(p, *usual)

    return OddsArrays(
        {kind: number for number, kind in enumerate(rows)},
        np.array([bool(p) for p in both], dtype=np.bool_),
        made((count, k), [log_odds_of(p, a) for p in alone for a in classes]),
        made((count, r), [log_odds_of(p, a) - log_odds_of(p, filler) for p in alone for a in named]),
        made((count, k, k), [log_odds_of(p, a, b) for p in both for a in classes for b in classes]),
        made((count, k, r), [beyond(p, a, b, (filler, b)) for p in both for b in classes for a in named]),
        made((count, k, r), [beyond(p, a, b, (a, filler)) for p in both for a in classes for b in named]),
    )
