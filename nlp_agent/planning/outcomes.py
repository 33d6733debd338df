"""What each execution, each divination and each guard leads to, counted over all that the roles can be. Pure.

A vote for a player does one thing if that player is the werewolf and another if it is not. What follows then is a
matter of counting: who lives tomorrow, and which side holds most of the votes. How likely each case is comes from the
weighed worlds of :mod:`nlp_agent.belief`; nothing else goes into it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlp_agent.belief.mixture import MixedPosterior
from nlp_agent.belief.posterior import Floats
from nlp_agent.belief.seat_posterior import SeatPosterior
from nlp_agent.planning.worlds import DivinationOutcome, GuardOutcome, Then, VoteCase, VoteOutcome
from nlp_agent.protocol import Role

if TYPE_CHECKING:
    from nlp_agent.planning.worlds import World

LEAST = 0.005
"""Cases less likely than that are not told: they would be rounded to 0 %."""
ROUNDS = 20
"""How often the weights of worlds are drawn towards the shares that are to hold, where werewolves are several."""


@dataclass(frozen=True, eq=False)
class RoleTable:
    """A table of every way in which the roles that matter for the end of the game can lie, with its probability.

    ``wolf`` and ``possessed``: [worlds, players] who is one; ``seer``: [worlds, players], all false where the seer is
    not told apart; ``p``: [worlds], which adds up to 1.
    """

    players: tuple[str, ...]
    wolf: NDArray[np.bool_]
    possessed: NDArray[np.bool_]
    seer: NDArray[np.bool_]
    p: Floats

    @classmethod
    def of(cls, seen: SeatPosterior | MixedPosterior) -> RoleTable:
        """The worlds of one seat's posterior; those of a mixture side by side, each component with its share."""
        if isinstance(seen, SeatPosterior):
            return cls._of_one(seen)
        parts = [(share, cls._of_one(one)) for share, one in seen.parts]
        return cls(
            parts[0][1].players,
            np.concatenate([part.wolf for _, part in parts]),
            np.concatenate([part.possessed for _, part in parts]),
            np.concatenate([part.seer for _, part in parts]),
            np.concatenate([share * part.p for share, part in parts]),
        )

    @classmethod
    def _of_one(cls, seen: SeatPosterior) -> RoleTable:
        table, players = seen.result.table, len(seen.order)
        down, across = np.nonzero(seen.result.p)
        held = np.concatenate([table.rows[down], table.columns[across]], axis=1)
        groups = np.zeros((len(down), players * table.k), dtype=np.bool_)
        groups[np.arange(len(down))[:, None], held] = True
        by_group = groups.reshape(len(down), players, table.k)

        def who(role: str) -> NDArray[np.bool_]:
            there = role in table.groups
            return by_group[:, :, table.groups.index(role)] if there else np.zeros((len(down), players), np.bool_)

        p = seen.result.p[down, across]
        return cls(seen.order, who(Role.WEREWOLF), who(Role.POSSESSED), who(Role.SEER), p / p.sum())

    def follow(self, worlds: Sequence[World], claimants: Sequence[str], share: float) -> RoleTable:
        """The same table, with ``share`` of all probability given to the worlds in which only the wolves' side lies
        about being the seer.

        Args:
            worlds: those worlds, as the count of claims leaves them.
            claimants: who claims to be the seer.
            share: how far that count is followed.
        """
        place = {name: number for number, name in enumerate(self.players)}
        bits = 1 << np.arange(len(self.players))
        packs = self.wolf @ bits  # the werewolves of each world as one number
        claiming = np.isin(np.arange(len(self.players)), [place[name] for name in claimants if name in place])
        true = self.seer & claiming
        only_evil_lies = (self.wolf | self.possessed | true | ~claiming).all(axis=1)
        mask = np.zeros(len(self.p), np.bool_)
        for world in worlds:
            here = true[:, place[world.seer]] if world.seer in place else ~true.any(axis=1)
            counted_packs = [sum(int(bits[place[name]]) for name in pack) for pack in world.packs]
            mask |= here & only_evil_lies & np.isin(packs, counted_packs)
        counted = self.p * mask
        if not (total := counted.sum()) > 0:
            return self
        return self._weighed((1 - share) * self.p + share * counted / total)

    def without_seer(self) -> RoleTable:
        """The same, with worlds that differ in nothing but the seer as one: far fewer."""
        bits = 1 << np.arange(len(self.players))
        codes = (self.wolf @ bits) * (1 << len(self.players)) + self.possessed @ bits
        _, first, place = np.unique(codes, return_index=True, return_inverse=True)
        p = np.bincount(place, self.p, len(first)).astype(np.float64, copy=False)
        return RoleTable(self.players, self.wolf[first], self.possessed[first], np.zeros_like(self.wolf[first]), p)

    def where_evil(self, liars: Collection[str]) -> RoleTable:
        """The same, of the worlds alone in which all ``liars`` are of the wolves' side; all where there is none."""
        evil = self.wolf | self.possessed
        held = evil[:, [number for number, name in enumerate(self.players) if name in liars]].all(axis=1)
        total = (self.p * held).sum()
        return self._weighed(self.p * held / total) if total > 0 else self

    def with_shares(self, wolf: Mapping[str, float]) -> RoleTable:
        """The same, its weights drawn so that each player is a werewolf as likely as ``wolf`` says."""
        p, several = self.p, bool((self.wolf.sum(axis=1) > 1).any())
        for _ in range(ROUNDS if several else 1):
            factor = np.ones_like(p)
            for number, name in enumerate(self.players):
                mine, wanted = self.wolf[:, number], wolf.get(name)
                now = float(p[mine].sum())
                if wanted is None or not LEAST / 100 < now < 1 - LEAST / 100:
                    continue
                if not several:  # the packs of one werewolf share out all probability
                    factor[mine] *= wanted / now
                else:
                    p = p * np.where(mine, wanted / now, (1 - wanted) / (1 - now))
            p = p * factor
            if not (total := p.sum()) > 0:
                return self
            p = p / total
        return self._weighed(p)

    def _weighed(self, p: Floats) -> RoleTable:
        return RoleTable(self.players, self.wolf, self.possessed, self.seer, p)


def vote_outcomes(table: RoleTable, alive: Sequence[str], targets: Sequence[str]) -> Iterator[VoteOutcome]:
    """Yield what the execution of each of ``targets`` leads to, where ``alive`` live today."""
    living = np.isin(np.array(table.players), np.array(alive))
    wolves, helpers = (table.wolf & living).sum(axis=1), (table.possessed & living).sum(axis=1)
    after = int(living.sum()) - 1
    for target in targets:
        number = table.players.index(target)
        hit, helper = table.wolf[:, number], table.possessed[:, number]
        left, side = wolves - hit, wolves - hit + helpers - helper
        won, lost = left == 0, 2 * left >= after
        night, outvoted = 2 * left >= after - 1, 2 * side > after - 1
        then = np.select([won, lost, night, outvoted], [0, 1, 2, 3], 4)
        dies = np.select([hit, helper], [0, 1], 2)
        sums = np.bincount(dies * 5 + then, table.p, 15).reshape(3, 5)
        names: tuple[Then, ...] = ("won", "lost", "night", "outvoted", "open")
        found = [(i, j) for i in range(3) for j in range(5) if sums[i, j] >= LEAST]
        shares = _hundredths([float(sums[place]) for place in found])
        cases = [
            VoteCase(share, ("WEREWOLF", "POSSESSED", "")[i], names[j])
            for share, (i, j) in zip(shares, found, strict=True)
        ]
        yield VoteOutcome(target, tuple(sorted(cases, key=lambda case: -case.p)))


def _hundredths(shares: Sequence[float]) -> list[float]:
    """``shares`` in hundredths that add up to 1: what rounding leaves over goes to the largest but the first, which is
    told elsewhere too; to the first if it is alone."""
    rounded = [round(100 * share) for share in shares]
    if shares:
        rest = range(1, len(shares)) if len(shares) > 1 else range(1)
        rounded[max(rest, key=lambda n: rounded[n])] += 100 - sum(rounded)
    return [one / 100 for one in rounded]


def divination_outcomes(
    wolf: Mapping[str, float], worlds: Sequence[World], targets: Sequence[str]
) -> Iterator[DivinationOutcome]:
    """Yield what divining each of ``targets`` would tell whoever has counted ``worlds``; ``wolf``: player ->
    P(werewolf).
    """
    packs = list(dict.fromkeys(pack for world in worlds for pack in world.packs))
    for target in targets:
        without = [pack for pack in packs if target not in pack]
        suspects = tuple(dict.fromkeys(name for pack in without for name in pack))
        share = round(wolf.get(target, 0.0), 2)
        yield DivinationOutcome(target, share, len(packs) - len(without), len(without), suspects)


def guard_outcomes(
    seen: SeatPosterior | MixedPosterior, wolf: Mapping[str, float], claims: Mapping[str, str], targets: Sequence[str]
) -> Iterator[GuardOutcome]:
    """Yield what guarding each of ``targets`` may save, where ``claims`` are the roles claimed; ``wolf``: player ->
    P(werewolf).
    """
    for target in targets:
        role, share = claims.get(target, ""), wolf.get(target, 0.0)
        gifted = role if role in seen.knowledge.roles_dealt and role not in (Role.VILLAGER, Role.WEREWOLF) else ""
        p = seen.chance(target, gifted) if gifted else 1 - share - seen.chance(target, Role.POSSESSED)
        yield GuardOutcome(target, gifted, round(max(0.0, float(p)), 2), round(share, 2))
