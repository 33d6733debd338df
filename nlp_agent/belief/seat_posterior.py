"""The posterior as one seat sees it: its own role and results are hard facts, all that was said is soft evidence.

What is read from talk may be misread, so it never excludes a world; only packets do. :func:`look` weighs all worlds
for a seat; the :class:`SeatPosterior` it gives answers P(role) by name, and how much each fact moved whom.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nlp_agent.belief.facts import Fact
from nlp_agent.belief.odds import Odds, OddsArrays
from nlp_agent.belief.posterior import (
    EXCLUDED,
    Counts,
    Floats,
    Places,
    Posterior,
    Weights,
    WorldTable,
    core_table,
    possible,
    weigh,
    weigh_listed,
)
from nlp_agent.protocol import Role, Species

_KNOWN_ROLE = 60.0
"""Log-weight of a known role outside the core. Such roles are summed up, not enumerated, so they cannot be excluded."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The facts that are certain for one seat. ``me`` is ``""`` for an onlooker; ``species``: player -> HUMAN or
    WEREWOLF, ``roles``: player -> role; ``alive`` only while the game goes on, else empty. ``players`` in any fixed
    order, ``counts`` the role table.
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
        """The number of werewolves in the role table."""
        return next((count for role, count in self.counts if role == Role.WEREWOLF), 1)

    @property
    def roles_dealt(self) -> frozenset[str]:
        """The roles that somebody has in this village."""
        return frozenset(role for role, count in self.counts if count)


@dataclass(frozen=True, eq=False)
class SeatPosterior:
    """The posterior as one seat sees it: P(role) of every player by name, and how much each fact changed it.

    It follows from ``knowledge`` and ``facts``; ``told`` are those of the facts that have odds, in numbers. ``order``:
    the players as the table numbers them, the viewer first. All answers are computed when they are asked for.
    """

    knowledge: Knowledge
    facts: Sequence[Fact]
    told: FactTable
    odds: Odds
    order: tuple[str, ...]
    result: Posterior
    tables: dict[WorldTable, WorldTable]

    @cached_property
    def wolf(self) -> dict[str, float]:
        """The probability of each player to be a werewolf, by name."""
        groups = self.result.table.groups
        column = groups.index(Role.WEREWOLF) if Role.WEREWOLF in groups else None
        shares = self.result.groups[:, column].tolist() if column is not None else [0.0] * len(self.order)
        return dict(zip(self.order, shares, strict=True))

    @cached_property
    def roles(self) -> dict[str, dict[str, float]]:
        """The probability of each role for each player, as player -> role -> probability; the roles of a player add up
        to 1.
        """
        names = self.result.table.roles
        rows = self.result.roles.tolist()
        return {player: dict(zip(names, row, strict=True)) for player, row in zip(self.order, rows, strict=True)}

    def chance(self, player: str, role: str) -> float:
        """The probability that ``player`` has ``role``; computes no other role outside the core."""
        table = self.result.table
        if player not in self._place or role not in table.roles:
            return 0.0
        if role in table.groups:
            return float(self.result.groups[self._place[player], table.groups.index(role)])
        return float(self.result.chances(role)[self._place[player]])

    def given(self, roles: Mapping[str, str]) -> SeatPosterior | None:
        """The same if it were certain that these players have these ``roles``; ``None`` when that cannot be."""
        knowledge = replace(self.knowledge, roles={**self.knowledge.roles, **roles})
        found = look(knowledge, self.facts, self.odds)
        # A role outside the core is given by weight: where nobody can have it, weight does not help.
        there = found is not None and all(found.roles[name].get(role, 0.0) > 0.5 for name, role in roles.items())
        return found if there else None

    def push(self, fact: Fact, player: str) -> float:
        """The log-odds that ``fact`` adds to ``player`` being a wolf: with it against without it, all else as it is."""
        if fact.kind not in self._spreads.number:
            return 0.0  # What has no odds moves nobody, and needs no second posterior to find out.
        if player not in self._pushes:
            self._pushes[player] = self._pushes_on(player)
        if fact in (quick := self._pushes[player]):
            return quick[fact]
        less = look(self.knowledge, [other for other in self.facts if other != fact], self.odds, self.tables)
        return log_odds(self.wolf[player]) - log_odds(less.wolf[player]) if less is not None else 0.0

    @cached_property
    def _pushes(self) -> dict[str, dict[Fact, float]]:
        return {}

    def _pushes_on(self, player: str) -> dict[Fact, float]:
        """:meth:`push` of the facts by or about ``player``, as far as the probabilities of pairs of players give it.

        A fact about two players changes the posterior only through their joint distribution, so dividing its odds out
        of that distribution gives the same as computing the posterior without it. The few facts that need more than a
        pair are missing in the result.
        """
        told, mine = self.told, self._place[player]
        if (less := self._without_each) is not None:
            return _as_pushes(log_odds(self.wolf[player]), less[:, mine], told)
        own, rest = told.some(told.who == mine), told.some((told.about == mine) & (told.who != mine))
        if self.result.table.groups[0] != Role.WEREWOLF:
            return dict.fromkeys((*own.facts, *rest.facts), 0.0)
        now, spreads = log_odds(self.wolf[player]), self._spreads
        found = self._by(mine, now, own)
        outside = set(rest.who[spreads.outside[rest.row]].tolist())
        for who in outside:
            found |= self._told_by(who, now, rest.some(rest.who == who))
        plain = rest.some(np.array([who not in outside for who in rest.who.tolist()])) if outside else rest
        if plain.facts:
            joint = self.result.beside(mine).transpose(1, 0, 2)[plain.who]
            found |= _pushes_of(now, joint, spreads.both[plain.row].transpose(0, 2, 1), plain)
        return found

    def _by(self, mine: int, now: float, told: FactTable) -> dict[Fact, float]:
        """The pushes on player number ``mine``, whose log-odds are ``now``, of the facts that it made itself."""
        if not told.facts:
            return {}
        spreads, wide = self._spreads, bool(self._spreads.outside[told.row].any())
        joint = self.result.holding(mine) if wide else self.result.beside(mine)
        if joint is None or spreads.to[told.row].any():
            paired = spreads.paired[told.row]
            single, plain = told.some(~paired), told.some(paired & ~spreads.outside[told.row])
            alone = self.result.roles[None, mine, :, None]
            return self._by(mine, now, plain) | _pushes_of(now, alone, spreads.wide[single.row][:, :, :1], single)
        other = np.where(told.alone, mine, told.about)
        odds = (spreads.wide if wide else spreads.both)[told.row + told.alone * len(spreads.number)]
        return _pushes_of(now, joint.transpose(1, 0, 2)[other], odds, told)

    def _told_by(self, who: int, now: float, told: FactTable) -> dict[Fact, float]:
        """The pushes on one player of what player number ``who`` did, where ``who``'s role outside the core matters."""
        joint, spreads = self.result.holding(who), self._spreads
        if joint is None or spreads.to[told.row].any():
            return {}
        return _pushes_of(now, joint.transpose(1, 2, 0)[told.about], spreads.wide[told.row].transpose(0, 2, 1), told)

    @cached_property
    def _without_each(self) -> Floats | None:
        """P(wolf) of each player without each fact of ``told``, where the odds of facts are known for every core world;
        shape [facts, n]."""
        (whole, table), wolves = next(iter(self.tables.items())), self.knowledge.wolves
        odds, worlds = self.odds.by_world(whole, wolves), table.listed
        if odds is None or worlds is None or table.groups[0] != Role.WEREWOLF:
            return None
        moves = odds[self.told.row, self.told.who, self.told.about]
        moves = moves if table.left is None else moves[:, table.left]
        less = self.result.p[table.fits] * np.exp(-self.told.amount[:, None] * moves)
        found: Floats = less @ worlds[:, :: table.k] / np.maximum(less.sum(axis=1, keepdims=True), 1e-300)
        return found

    @cached_property
    def _spreads(self) -> OddsArrays:
        return self.odds.spread(self.result.table, self.knowledge.wolves)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.order)}


def _pushes_of(now: float, joint: Floats, odds: Floats, told: FactTable) -> dict[Fact, float]:
    """How much each fact raised the log-odds ``now`` of a player.

    ``odds`` [facts, roles, groups]: the log-odds of each fact; ``joint``, of the same shape: how likely the player and
    the other one of the fact have these roles.
    """
    less = (joint * np.exp(-told.amount[:, None, None] * odds)).sum(axis=2)
    return _as_pushes(now, less[:, 0] / np.maximum(less.sum(axis=1), 1e-300), told)


def _as_pushes(now: float, less: Floats, told: FactTable) -> dict[Fact, float]:
    """How much each fact raised the log-odds ``now`` of a player whose P(wolf) without it is ``less`` [facts]."""
    share = np.minimum(np.maximum(less, 1e-9), 1 - 1e-9)
    return dict(zip(told.facts, (now - np.log(share / (1 - share))).tolist(), strict=True))


def log_odds(p: float) -> float:
    """The log-odds (natural logarithm) of the probability ``p``, which is kept off 0 and 1."""
    share = min(max(p, 1e-9), 1 - 1e-9)
    return math.log(share / (1 - share))


def look(
    knowledge: Knowledge,
    facts: Sequence[Fact],
    odds: Odds,
    tables: dict[WorldTable, WorldTable] | None = None,
    leanings: Mapping[str, float] | None = None,
) -> SeatPosterior | None:
    """The posterior of one seat; ``None`` when the knowledge leaves no world, or the counts do not fit the players.

    ``tables``: a cache, see :func:`~nlp_agent.belief.posterior.weigh`. ``leanings``: player -> log-odds (natural) of
    being a werewolf that come from elsewhere than facts.
    """
    return look_by_each(knowledge, facts, (odds,), tables, leanings)[0]


def look_by_each(
    knowledge: Knowledge,
    facts: Sequence[Fact],
    each: Sequence[Odds],
    tables: dict[WorldTable, WorldTable] | None = None,
    leanings: Mapping[str, float] | None = None,
) -> list[SeatPosterior | None]:
    """:func:`look` by each of several odds; what does not depend on them is worked out once."""
    me, role = knowledge.me, knowledge.role
    mine = role if me and dict(knowledge.counts).get(role) else ""
    order = (me, *[p for p in knowledge.players if p != me]) if me in knowledge.players else knowledge.players
    if sum([count for _, count in knowledge.counts]) != len(order):
        return [None for _ in each]
    table, wolves = core_table(knowledge.counts, mine), knowledge.wolves
    place = {name: number for number, name in enumerate(order)}
    leaning = {place[name]: one for name, one in (leanings or {}).items() if name in place}
    leaning = leaning if table.groups[0] == Role.WEREWOLF else {}
    alive = tuple([place[name] for name in knowledge.alive if name in place])
    ruled_out, kept = _ruled_out(table, knowledge, place), {} if tables is None else tables
    found: list[SeatPosterior | None] = []
    told = _fact_table((), ())
    number: Mapping[str, int] | None = None
    for odds in each:
        spreads = odds.spread(table, wolves)
        if spreads.number != number:
            number = spreads.number
            counted = [fact for fact in facts if fact.who != me and fact.who in place and fact.kind in number]
            rows = [(number[f.kind], place[f.who], place.get(f.about, -1), f.amount) for f in counted]
            told = _fact_table(counted, rows)
        if (by_world := odds.by_world(table, wolves)) is not None:
            left = possible(table, (ruled_out, alive), kept)
            result = weigh_listed(left, _scores(by_world, left, told, leaning))
        else:
            weights = _weights(table, spreads, told)
            for player, one in leaning.items():
                weights.one[player, 0] += one
            _exclude(weights, table, knowledge, place, ruled_out)
            result = weigh(table, weights, alive, kept)
        if result is None:
            found.append(None)
        else:
            found.append(SeatPosterior(knowledge, facts, told, odds, order, result, {table: result.table}))
    return found


@dataclass(frozen=True, slots=True)
class FactTable:
    """The facts that tell the viewer anything, in numbers too: the row of the kind in the odds, who did it, about whom
    (-1: nobody), and how much of it. What the viewer did itself tells it nothing."""

    facts: Sequence[Fact]
    row: Places
    who: Places
    about: Places
    amount: Floats

    @property
    def alone(self) -> NDArray[np.bool_]:
        """For each fact, whether it is about nobody else; shape [facts]."""
        found: NDArray[np.bool_] = (self.about < 0) | (self.about == self.who)
        return found

    def some(self, which: NDArray[np.bool_]) -> FactTable:
        """The table of those facts for which ``which`` [facts] is true."""
        facts = [self.facts[place] for place in which.nonzero()[0].tolist()]
        return FactTable(facts, self.row[which], self.who[which], self.about[which], self.amount[which])


def _fact_table(facts: Sequence[Fact], numbers: Sequence[tuple[int, int, int, float]]) -> FactTable:
    columns = np.array(numbers).reshape(-1, 4).T
    row, who, about = columns[:3].astype(np.intp)
    return FactTable(facts, row, who, about, columns[3])


def _weights(table: WorldTable, spreads: OddsArrays, told: FactTable) -> Weights:
    """All facts at once: how much there is of each kind, by who did it and about whom, times the odds of that kind."""
    n, k, r, kinds = table.n, table.k, len(table.named), len(spreads.number)
    both = spreads.paired[told.row] & ~told.alone
    alone = _amounts(told.who * kinds + told.row, told.amount, n, kinds) @ spreads.alone
    place = (told.who * n + told.about) * kinds + told.row
    there = _amounts(place[both], told.amount[both], n * n, kinds)
    two = (there @ spreads.two.reshape(kinds, -1)).reshape(n, n, k, k).transpose(0, 2, 1, 3).reshape(n * k, n * k)
    one, named = alone[:, :k].copy(), alone[:, k:]
    if not r or not (spreads.crossed[told.row] & both).any():
        return Weights(one, two, named, None)
    by, to = ((there @ odds.reshape(kinds, -1)).reshape(n, n, k, r) for odds in (spreads.by, spreads.to))
    # The group is that of whom it is about in the one, of who did it in the other.
    cross = (by.transpose(1, 2, 0, 3) + to.transpose(0, 2, 1, 3)).reshape(n * k, n * r)
    return Weights(one, two, named, cross)


def _amounts(place: Places, amount: Floats, size: int, kinds: int) -> Floats:
    """[size, kinds] what the amounts at each place, counted row by row, add up to."""
    # Without any place bincount counts in whole numbers.
    return np.bincount(place, amount, size * kinds).astype(np.float64, copy=False).reshape(size, kinds)


def _scores(by_world: Floats, table: WorldTable, told: FactTable, leaning: Mapping[int, float]) -> Floats:
    """[worlds] the log-weight of each world of a listed ``table``. ``by_world``: :meth:`Odds.by_world` of the whole
    table; ``leaning``: player -> log-odds of being a werewolf."""
    worlds = table.listed
    if worlds is None:
        return np.zeros(0)
    found: Floats = told.amount @ by_world[told.row, told.who, told.about]
    found = found if table.left is None else found[table.left]
    for player, one in leaning.items():
        found += one * worlds[:, player * table.k]
    return found


def _ruled_out(table: WorldTable, knowledge: Knowledge, place: Mapping[str, int]) -> tuple[int, ...]:
    """The groups that players cannot be of by hard facts, as in :data:`~nlp_agent.belief.posterior.Places`. The roles
    outside the core are all human."""
    core, found = table.groups[:-1], set[int]()
    for name, species in knowledge.species.items():
        if name in place and name != knowledge.me:
            found.update(place[name] * table.k + n for n, own in enumerate(table.species) if own != species)
            if species == Species.WEREWOLF and Role.WEREWOLF in core:
                found.add((place[name] + 1) * table.k - 1)
    for name, role in knowledge.roles.items():
        if name in place and name != knowledge.me:
            group = role if role in core else ""
            found.update(place[name] * table.k + n for n, other in enumerate(table.groups) if other != group)
    return tuple(sorted(found))


def _exclude(
    weights: Weights, table: WorldTable, knowledge: Knowledge, place: Mapping[str, int], ruled_out: Sequence[int]
) -> None:
    """Hard facts: every known colour and role."""
    weights.one.flat[list(ruled_out)] = EXCLUDED
    for name, role in knowledge.roles.items():
        if name in place and name != knowledge.me and role not in table.groups[:-1]:
            weights.named[place[name]] = [_KNOWN_ROLE if role == named else -_KNOWN_ROLE for named, _ in table.named]
