"""How likely each role is to do what happened: the odds, read from the package's data file.

``odds.toml`` has a section for villages with one wolf and one for those with more; in it, for every kind of fact, the
log-odds by pattern. A pattern is a role (``SEER``) or two (``SEER>WEREWOLF``: who did it, about whom); instead of a
role it may name ``HUMAN`` (all that divination calls so), ``OTHER`` (neither werewolf, possessed nor seer) or
``ANY``. All patterns that fit add up; what no pattern names counts 0.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlp_agent.belief.table import CORE, Floats, Table
from nlp_agent.errors import StudyError
from nlp_agent.game import role_spec
from nlp_agent.protocol import Species

Patterns = Mapping[str, float]
KindOdds = Mapping[str, Patterns]
SIZES = ("one_wolf", "more_wolves")


@dataclass(frozen=True, eq=False)
class Odds:
    """``sizes``: one_wolf and more_wolves -> kind -> pattern -> log-odds."""

    sizes: Mapping[str, KindOdds] = field(default_factory=dict)

    def of(self, wolves: int) -> KindOdds:
        return self.sizes.get(SIZES[wolves > 1], {})


def parse_odds(text: str, source: str = "odds.toml") -> Odds:
    """Read the data file's text. Raises StudyError naming ``source`` when it is not such a file."""
    try:
        data = tomllib.loads(text)
        sizes = {size: {kind: _numbers(row) for kind, row in data.get(size, {}).items()} for size in SIZES}
    except (tomllib.TOMLDecodeError, AttributeError, TypeError, ValueError) as error:
        raise StudyError(f"{source} is no file of odds: {error}") from error
    return Odds(sizes)


def _numbers(row: Mapping[str, Any]) -> dict[str, float]:
    return {pattern: float(weight) for pattern, weight in row.items()}


@lru_cache(maxsize=1)
def shipped_odds() -> Odds:
    """The odds of this package, read at the first judgement and kept."""
    return parse_odds((files(__package__) / "odds.toml").read_text(encoding="utf-8"))


def fits(pattern: str, role: str) -> bool:
    """Whether one side of a pattern covers ``role``."""
    if pattern == "HUMAN":
        return role_spec(role).species == Species.HUMAN
    return pattern in (role, "ANY") or (pattern == "OTHER" and role not in CORE)


def weight(patterns: Patterns, who: str, about: str = "") -> float:
    """The log-odds of a fact when its players have these roles."""
    total = 0.0
    for pattern, value in patterns.items():
        first, _, second = pattern.partition(">")
        if fits(first, who) and (not second or fits(second, about)):
            total += value
    return total


@dataclass(frozen=True, eq=False)
class Spreads:
    """The odds over a table's groups (k) and named roles (r), as :class:`Weights` wants them.

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


@lru_cache(maxsize=24)
def spreads(odds: Odds, wolves: int, groups: tuple[str, ...], named: tuple[str, ...], filler: str) -> Spreads:
    """Every kind's odds for tables with these groups and roles."""
    classes, rows = [group or filler for group in groups], odds.of(wolves)
    alone = [{p: v for p, v in patterns.items() if ">" not in p} for patterns in rows.values()]
    both = [{p: v for p, v in patterns.items() if ">" in p} for patterns in rows.values()]
    count, k, r = len(rows), len(classes), len(named)

    def made(shape: tuple[int, ...], values: list[float]) -> Floats:
        return np.array(values, dtype=np.float64).reshape(shape)

    def beyond(p: Patterns, who: str, about: str, usual: tuple[str, str]) -> float:
        return weight(p, who, about) - weight(p, *usual)

    return Spreads(
        {kind: number for number, kind in enumerate(rows)},
        np.array([bool(p) for p in both], dtype=np.bool_),
        made((count, k), [weight(p, a) for p in alone for a in classes]),
        made((count, r), [weight(p, a) - weight(p, filler) for p in alone for a in named]),
        made((count, k, k), [weight(p, a, b) for p in both for a in classes for b in classes]),
        made((count, k, r), [beyond(p, a, b, (filler, b)) for p in both for b in classes for a in named]),
        made((count, k, r), [beyond(p, a, b, (a, filler)) for p in both for a in classes for b in named]),
    )


def table_spreads(odds: Odds, table: Table, wolves: int) -> Spreads:
    return spreads(odds, wolves, table.groups, tuple(role for role, _ in table.named), table.filler)
