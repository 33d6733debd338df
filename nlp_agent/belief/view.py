"""The posterior as one seat sees it: its own role and results are hard facts, all that was said is soft.

What is read from talk may be misread, so it never excludes a world; only packets do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nlp_agent.belief.facts import Fact
from nlp_agent.belief.odds import Odds, Spreads
from nlp_agent.belief.posterior import EXCLUDED, Posterior, Weights, weigh
from nlp_agent.belief.table import Counts, Floats, Table, core_table
from nlp_agent.game import role_spec
from nlp_agent.protocol import Role, Species

SURE = 60.0
"""Log-weight of a role outside the core that is known: as good as certain."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is certain. ``me`` is ``""`` for an onlooker; ``species``: player -> HUMAN or WEREWOLF, ``roles``: player ->
    role; ``alive`` only while the game goes on, else empty. ``players`` in any fixed order, ``counts`` the role table.
    """

    players: tuple[str, ...]
    counts: Counts
    me: str = ""
    role: str = ""
    species: Mapping[str, str] = field(default_factory=dict)
    alive: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)

    @property
    def wolves(self) -> int:
        return dict(self.counts).get(Role.WEREWOLF, 1)


@dataclass(frozen=True, eq=False)
class View:
    """What follows from ``knowledge`` and ``facts``. ``order``: the players as the table numbers them, the viewer
    first. Everything that can be asked is worked out when it is asked for."""

    knowledge: Knowledge
    facts: Sequence[Fact]
    odds: Odds
    order: tuple[str, ...]
    result: Posterior
    tables: dict[Table, Table]

    @cached_property
    def wolf(self) -> dict[str, float]:
        """Player -> P(werewolf)."""
        groups = self.result.table.groups
        column = groups.index(Role.WEREWOLF) if Role.WEREWOLF in groups else None
        shares = self.result.groups[:, column].tolist() if column is not None else [0.0] * len(self.order)
        return dict(zip(self.order, shares, strict=True))

    @cached_property
    def roles(self) -> dict[str, dict[str, float]]:
        """Player -> role -> probability; the roles of a player add up to 1."""
        names = self.result.table.roles
        rows = self.result.roles.tolist()
        return {player: dict(zip(names, row, strict=True)) for player, row in zip(self.order, rows, strict=True)}

    def chance(self, player: str, role: str) -> float:
        """P(``player`` has ``role``), without more than is needed of the other roles."""
        table = self.result.table
        if player not in self._place or role not in table.roles:
            return 0.0
        if role in table.groups:
            return float(self.result.groups[self._place[player], table.groups.index(role)])
        return float(self.result.chances(role)[self._place[player]])

    @property
    def left(self) -> int:
        """How many assignments of all roles can be, as far as it is known of no role outside the core who has it."""
        return self.result.table.worlds

    def given(self, roles: Mapping[str, str]) -> View | None:
        """The same if it were certain that these players have these ``roles``; ``None`` when that cannot be."""
        knowledge = replace(self.knowledge, roles={**self.knowledge.roles, **roles})
        found = look(knowledge, self.facts, self.odds)
        # A role outside the core is given by weight: where nobody can have it, weight does not help.
        there = found is not None and all(found.roles[name].get(role, 0.0) > 0.5 for name, role in roles.items())
        return found if there else None

    def push(self, fact: Fact, player: str) -> float:
        """Log-odds that ``fact`` adds to ``player`` being a wolf: with it against without it, all else as it is."""
        if player not in self._pushes:
            self._pushes[player] = self._pushes_on(player)
        if fact in (quick := self._pushes[player]):
            return quick[fact]
        less = look(self.knowledge, [other for other in self.facts if other != fact], self.odds, self.tables)
        return _between(self.wolf[player]) - _between(less.wolf[player]) if less is not None else 0.0

    @cached_property
    def _pushes(self) -> dict[str, dict[Fact, float]]:
        return {}

    def _pushes_on(self, player: str) -> dict[Fact, float]:
        """Of every fact that speaks of ``player``, as far as no more than pairs of players must be known for it."""
        table, place = self.result.table, self._place
        spreads = self.odds.spread(table, self.knowledge.wolves)
        facts = [f for f in self.facts if player in (f.who, f.about) and _counts(f, self.knowledge.me, place, spreads)]
        if table.groups[0] != Role.WEREWOLF:
            return dict.fromkeys(facts, 0.0)
        outside = [fact for fact in facts if spreads.outside[spreads.number[fact.kind]]]
        found = {fact: push for fact in outside if (push := self._outside(fact, player, spreads)) is not None}
        if plain := [fact for fact in facts if fact not in outside] if outside else facts:
            found |= zip(plain, self._plain(plain, player, spreads), strict=True)
        return found

    def _plain(self, facts: Sequence[Fact], player: str, spreads: Spreads) -> list[float]:
        """The pushes of facts on which no role outside the core bears."""
        place, mine = self._place, self._place[player]
        numbers = [(spreads.number[f.kind], place[f.who], place.get(f.about, -1)) for f in facts]
        row, who, about = np.array(numbers).T
        amount = np.array([fact.amount for fact in facts])
        alone = (about < 0) | (about == who)
        odds = spreads.both[row + alone * len(spreads.number)]
        # Rows are the groups of the player, columns those of the other one.
        odds = np.where((who == mine)[:, None, None], odds, odds.transpose(0, 2, 1))
        other = np.where(who != mine, who, np.where(alone, mine, about))
        joint = self.result.beside(mine).transpose(1, 0, 2)[other]
        less = joint * np.exp(-amount[:, None, None] * odds)
        pushes: list[float] = (_log_odds(joint.sum(axis=2)) - _log_odds(less.sum(axis=2))).tolist()
        return pushes

    def _outside(self, fact: Fact, player: str, spreads: Spreads) -> float | None:
        """The push of a fact for which it counts what role outside the core who did it has; ``None`` where more would
        have to be known."""
        row, doer = spreads.number[fact.kind], self._place[fact.who]
        one = spreads.one[row]
        odds = np.concatenate([one[:-1], one[-1] + spreads.named[row], one[-1:]])
        if not spreads.paired[row] or fact.about not in self._place:
            if fact.who != player:
                return 0.0
            chances = self.result.roles[None, doer]
            less = chances * np.exp(-fact.amount * odds)
            return float((_log_odds(chances) - _log_odds(less))[0])
        if spreads.to[row].any() or (joint := self.result.holding(doer)) is None:
            return None
        two = spreads.two[row]
        both = np.concatenate([two[:-1], two[-1] + spreads.by[row].T, two[-1:]])
        chances = joint[:, self._place[fact.about]]
        less = chances * np.exp(-fact.amount * (odds[:, None] + both))
        side = 1 if fact.who == player else 0
        return float((_log_odds(chances.sum(axis=side)[None]) - _log_odds(less.sum(axis=side)[None]))[0])

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.order)}


def _log_odds(groups: Floats) -> Floats:
    """[facts] of the first group, the wolves, against all others."""
    share = np.clip(groups[:, 0] / np.maximum(groups.sum(axis=1), 1e-300), 1e-9, 1 - 1e-9)
    found: Floats = np.log(share / (1 - share))
    return found


def _between(p: float) -> float:
    return float(_log_odds(np.array([[p, 1.0 - p]]))[0])


def look(
    knowledge: Knowledge,
    facts: Sequence[Fact],
    odds: Odds,
    tables: dict[Table, Table] | None = None,
    leanings: Mapping[str, float] | None = None,
) -> View | None:
    """Weigh all worlds; ``None`` when the knowledge leaves none. ``tables`` as :func:`weigh` wants them. ``leanings``:
    player -> log-odds of being a werewolf that come from elsewhere than facts.
    """
    me, role = knowledge.me, knowledge.role
    mine = role if me and dict(knowledge.counts).get(role) else ""
    order = (me, *(p for p in knowledge.players if p != me)) if me in knowledge.players else knowledge.players
    if sum(count for _, count in knowledge.counts) != len(order):
        return None
    table = core_table(knowledge.counts, mine)
    spreads = odds.spread(table, knowledge.wolves)
    place = {name: number for number, name in enumerate(order)}
    told = [
        (spreads.number[fact.kind], place[fact.who], place.get(fact.about, -1), fact.amount)
        for fact in facts
        if _counts(fact, me, place, spreads)
    ]
    weights = _weights(table, spreads, told)
    for name, leaning in (leanings or {}).items():
        if name in place and table.groups[0] == Role.WEREWOLF:
            weights.one[place[name], 0] += leaning
    _exclude(weights, table, knowledge, place)
    alive = [place[name] for name in knowledge.alive if name in place]
    result = weigh(table, weights, alive, tables)
    return None if result is None else View(knowledge, facts, odds, order, result, {table: result.table})


def _counts(fact: Fact, me: str, place: Mapping[str, int], spreads: Spreads) -> bool:
    """Whether a fact tells the viewer anything: not what it did itself."""
    return fact.who != me and fact.who in place and fact.kind in spreads.number


def _weights(table: Table, spreads: Spreads, told: Sequence[tuple[int, int, int, float]]) -> Weights:
    """All facts at once; ``told``: (row of the kind, who, about or -1, amount)."""
    columns = np.array(told).reshape(-1, 4).T
    row, who, about = columns[:3].astype(np.intp)
    amount = columns[3]
    n, k, r = table.n, table.k, len(table.named)
    groups, roles = np.arange(k), np.arange(r)
    one = _summed((who * k)[:, None] + groups, amount[:, None] * spreads.one[row], (n, k))
    named = np.zeros((n, r))
    if r:
        named += _summed((who * r)[:, None] + roles, amount[:, None] * spreads.named[row], (n, r))
    pairs = np.flatnonzero(spreads.paired[row] & (about >= 0) & (about != who))
    row, who, about, amount = row[pairs], who[pairs], about[pairs], amount[pairs, None, None]
    places = (groups * (n * k))[:, None] + groups
    places = (who * (k * n * k) + about * k)[:, None, None] + places
    two = _summed(places, amount * spreads.two[row], (n * k, n * k))
    if not r or not spreads.crossed[row].any():
        return Weights(one, two, named, None)
    doer, aim = (who[:, None] * k + groups)[:, :, None], (about[:, None] * k + groups)[:, :, None]
    shape = n * k, n * r
    cross = _summed(aim * (n * r) + (who[:, None, None] * r + roles), amount * spreads.by[row], shape)
    cross += _summed(doer * (n * r) + (about[:, None, None] * r + roles), amount * spreads.to[row], shape)
    return Weights(one, two, named, cross)


def _summed(places: NDArray[np.intp], values: Floats, shape: tuple[int, int]) -> Floats:
    """A matrix in which each value stands at its place, counted row by row; values at the same place add up."""
    # Without any place bincount would count in whole numbers.
    return (
        np.bincount(places.ravel(), values.ravel(), shape[0] * shape[1]).astype(np.float64, copy=False).reshape(shape)
    )


def _exclude(weights: Weights, table: Table, knowledge: Knowledge, place: Mapping[str, int]) -> None:
    """Hard facts: every known colour and role. The roles outside the core are all human."""
    core = table.groups[:-1]
    for name, species in knowledge.species.items():
        if name in place and name != knowledge.me:
            wrong = [role_spec(role).species != species for role in core]
            weights.one[place[name], :-1][wrong] = EXCLUDED
            if species == Species.WEREWOLF and Role.WEREWOLF in core:
                weights.one[place[name], -1] = EXCLUDED
    for name, role in knowledge.roles.items():
        if name in place and name != knowledge.me:
            group = role if role in core else ""
            weights.one[place[name], [other != group for other in table.groups]] = EXCLUDED
            if not group:
                weights.named[place[name]] = [SURE if role == named else -SURE for named, _ in table.named]
