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

from nlp_agent.errors import StudyError
from nlp_agent.game import role_spec
from nlp_agent.mind.worlds.table import CORE, Floats, Table
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
class Spread:
    """The odds of one kind over a table's groups and named roles, as :class:`Weights` wants them.

    ``one`` [k] and ``named`` [r] for who did it; for two players ``two`` [k, k], ``by`` [k, r]: about a group, by a
    named role, and ``to`` [k, r]: by a group, about a named role.
    """

    paired: bool
    one: Floats
    named: Floats
    two: Floats
    by: Floats
    to: Floats


@lru_cache(maxsize=24)
def spreads(odds: Odds, wolves: int, groups: tuple[str, ...], named: tuple[str, ...], filler: str) -> dict[str, Spread]:
    """Every kind's odds for tables with these groups and roles."""
    classes = [group or filler for group in groups]
    return {kind: _spread(patterns, classes, named, filler) for kind, patterns in odds.of(wolves).items()}


def _spread(patterns: Patterns, classes: list[str], named: tuple[str, ...], filler: str) -> Spread:
    paired = any(">" in pattern for pattern in patterns)
    alone = {p: v for p, v in patterns.items() if ">" not in p}
    base = weight(alone, filler)
    one = np.array([weight(alone, role) for role in classes])
    extra = np.array([weight(alone, role) - base for role in named])
    both = {p: v for p, v in patterns.items() if ">" in p}
    two = np.array([[weight(both, a, b) for b in classes] for a in classes])
    by = np.array([[weight(both, r, b) - weight(both, filler, b) for r in named] for b in classes])
    to = np.array([[weight(both, a, r) - weight(both, a, filler) for r in named] for a in classes])
    return Spread(paired, one, extra, two, by, to)


def table_spreads(odds: Odds, table: Table, wolves: int) -> dict[str, Spread]:
    return spreads(odds, wolves, table.groups, tuple(role for role, _ in table.named), table.filler)
