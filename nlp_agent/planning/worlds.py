"""Which players can be the werewolves together, counted in full as a careful player counts at the table. Pure.

Who claims a role that it does not have, or has taken such a claim back, is taken for the wolves' side, werewolf or
possessed, and who claims to be a villager, or says that it is no seer, for no seer; apart from that only what is
certain rules anything out, and the odds of :mod:`nlp_agent.belief` play no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from typing import Literal

from nlp_agent.protocol import POWER, Role, Species


@dataclass(frozen=True, slots=True)
class Claims:
    """The facts from which possible worlds are counted. ``me`` has ``role``, both ``""`` for an onlooker. ``known``:
    player -> HUMAN or WEREWOLF for certain; ``claimed``: player -> role claimed; ``results``: claimant -> (target,
    HUMAN or WEREWOLF) told; ``alive`` only while the game goes on, else empty. ``withdrawn``: who has claimed a role
    with an ability and taken that back; ``unseeing``: who has said that it is no seer.
    """

    players: tuple[str, ...]
    counts: Mapping[str, int]
    me: str = ""
    role: str = ""
    known: Mapping[str, str] = field(default_factory=dict)
    claimed: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    alive: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    unseeing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WolvesSide:
    """Who can be on the wolves' side together where there is one werewolf and one possessed: if one of ``wolves`` is
    the werewolf, one of ``possessed`` is the possessed.
    """

    wolves: tuple[str, ...]
    possessed: tuple[str, ...]


@dataclass(frozen=True)
class World:
    """The sets of werewolves that are possible if ``seer`` is the true one (``""``: if none of those who claim it is):
    one of ``packs`` are all the werewolves, each in the order of the players. No packs: it cannot be. ``helped``: those
    of ``packs`` with which a possessed may live; ``possessed``: who is one in all of them by a false claim, ``""``
    where that is open. ``sides``: who can be the possessed with which werewolf, where there is one of each to find.
    """

    seer: str
    packs: tuple[tuple[str, ...], ...] = ()
    helped: tuple[tuple[str, ...], ...] = ()
    possessed: str = ""
    sides: tuple[WolvesSide, ...] = ()

    @cached_property
    def among(self) -> tuple[str, ...]:
        """The players who may be werewolves in this world."""
        return tuple(dict.fromkeys(name for pack in self.packs for name in pack))

    @cached_property
    def certain(self) -> tuple[str, ...]:
        """The players who are werewolves in every pack."""
        return tuple(name for name in self.among if all(name in pack for pack in self.packs))


class WorldCounter:
    """The worlds of one game, counted anew only where something counts that did not before: hardly any talk does."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[Claims, tuple[World, ...]]] = {}

    def worlds(self, claims: Claims) -> tuple[World, ...]:
        """Count the worlds as :func:`worlds_of` does, or return the last ones where the claims are the same."""
        known = self._last.get(claims.me)
        if known is None or known[0] != claims:
            known = self._last[claims.me] = claims, worlds_of(claims)
        return known[1]


def worlds_of(claims: Claims) -> tuple[World, ...]:
    """Count one world for each claimant of seer, in the order of ``claimed``, and last the one in which all of them
    lie.
    """
    bits = {name: 1 << number for number, name in enumerate(claims.players)}
    seers = (*_claimants(claims, Role.SEER), "")
    found: dict[str, dict[int, bool]] = {name: {} for name in seers}
    liars: dict[str, set[int]] = {name: set() for name in seers}
    mad: dict[str, dict[int, int]] = {name: {} for name in seers}
    for holders in _holders(claims):
        seer, case = holders.get(Role.SEER, ""), _Case.of(claims, holders, bits)
        packs, lied = found.setdefault(seer, {}), liars.setdefault(seer, set())
        beside = mad.setdefault(seer, {})
        for pack in _packs(claims, holders, bits):
            if case.fits(pack):
                packs[pack] = packs.get(pack, False) or case.helped(pack)
                lied.add(case.liars & ~pack)
                beside[pack] = beside.get(pack, 0) | (case.mad(pack) if claims.counts.get(Role.WEREWOLF) == 1 else 0)

    def named(players: int) -> tuple[str, ...]:
        return tuple([name for name, bit in bits.items() if players & bit])

    packs_of = {pack: named(pack) for packs in found.values() for pack in packs}
    return tuple(
        World(
            seer,
            tuple([packs_of[pack] for pack in packs]),
            tuple([packs_of[pack] for pack, helped in packs.items() if helped]),
            _only([named(players) for players in liars[seer]]),
            tuple([WolvesSide(named(wolves), named(players)) for wolves, players in _sides(claims, mad[seer])]),
        )
        for seer, packs in found.items()
    )


def _sides(claims: Claims, mad: Mapping[int, int]) -> list[tuple[int, int]]:
    """The werewolves that go with the same set of players who can be the possessed, and that set; none where not one of
    each is to be found."""
    if claims.counts.get(Role.WEREWOLF) != 1 or not all(mad.values()):
        return []
    wolves: dict[int, int] = {}
    for pack, players in mad.items():
        wolves[players] = wolves.get(players, 0) | pack
    return [(pack, players) for players, pack in wolves.items()]


def _only(sets: Sequence[tuple[str, ...]]) -> str:
    """The one player that alone makes up each of ``sets``, or ``""``."""
    return sets[0][0] if len(sets) == 1 and len(sets[0]) == 1 else ""


@dataclass(frozen=True, slots=True)
class _Case:
    """What stays the same whoever the werewolves are, if it is known who has the roles claimed. Sets of players are the
    bits of a number.

    ``settled``: who is neither a werewolf nor a possessed: the true ones and oneself. ``liars``: who has to be one or
    the other. ``quiet``: who says that it is no seer. ``unseen``: how many have a role that they do not claim.
    """

    players: int
    alive: int
    settled: int
    liars: int
    quiet: int
    possessed: int
    unseen: int
    seer_known: bool

    @classmethod
    def of(cls, claims: Claims, holders: Mapping[str, str], bits: Mapping[str, int]) -> _Case:
        def those(names: Iterable[str]) -> int:
            return sum({bits[name] for name in names if name in bits})

        true, counts = set(holders.values()), claims.counts
        mine = claims.role in POWER and claims.me not in true
        false = (*POWER, Role.POSSESSED)  # by a claim that cannot be true beside the others, or that says so
        told = [name for name, role in claims.claimed.items() if role in false and name not in {*true, claims.me}]
        told += [name for name in claims.withdrawn if name not in {*true, claims.me, *told}]
        return cls(
            players=those(claims.players),
            alive=those(claims.alive),
            settled=those((*true, claims.me)),
            liars=those(told),
            quiet=those({*_claimants(claims, Role.VILLAGER), *claims.unseeing}),
            possessed=counts.get(Role.POSSESSED, 0) - (claims.role == Role.POSSESSED),
            unseen=sum(counts.get(role, 0) for role in POWER) - len(true) - mine,
            seer_known=Role.SEER in holders or claims.role == Role.SEER or not counts.get(Role.SEER),
        )

    def fits(self, pack: int) -> bool:
        """Whether the game would still go on, and there are enough of the wolves' side for all who claim falsely, and
        others for all that is left."""
        liars, living = (self.liars & ~pack).bit_count(), (self.alive & pack).bit_count()
        if liars > self.possessed or (self.alive and not 0 < 2 * living < self.alive.bit_count()):
            return False
        free = self._free(pack)
        return free.bit_count() >= self.unseen + self.possessed - liars and self._seer_left(free)

    def helped(self, pack: int) -> bool:
        """Whether a possessed may live, other than oneself."""
        liars, living = self.liars & ~pack, self.alive or self.players
        if liars & living:
            return True
        free = self._free(pack)
        # The possessed could be any one of them, if the seer is still among the others.
        places = free & living
        return self.possessed > liars.bit_count() and any(
            self._seer_left(free & ~(1 << place)) for place in range(places.bit_length()) if places >> place & 1
        )

    def mad(self, pack: int) -> int:
        """Who can be the possessed, other than oneself, where there is one to find: else nobody."""
        if self.possessed != 1:
            return 0
        free = self._free(pack)
        places = (1 << place for place in range(free.bit_length()) if free >> place & 1)
        return self.liars & ~pack or sum(place for place in places if self._seer_left(free & ~place))

    def _free(self, pack: int) -> int:
        """Who may have a role that nobody claims."""
        return self.players & ~(pack | self.liars | self.settled)

    def _seer_left(self, free: int) -> bool:
        """Whether the seer is known, or can be one of ``free``: a medium or a bodyguard may hide behind "I am a
        villager", a seer that has results to tell does not."""
        return self.seer_known or bool(free & ~self.quiet)


def _claimants(claims: Claims, role: str) -> tuple[str, ...]:
    return tuple(name for name, claimed in claims.claimed.items() if claimed == role)


def _others(claims: Claims, role: str) -> tuple[str, ...]:
    return tuple(name for name in _claimants(claims, role) if name != claims.me)


def _holders(claims: Claims) -> Iterator[dict[str, str]]:
    """Every way to say who of those who claim a role has it: role -> name; left out where nobody of them does."""
    roles = [role for role in POWER if claims.counts.get(role)]
    # A role that this seat has itself is nobody else's: the villages of the contest have one of each.
    able = [(claims.me,) if claims.role == role else ("", *_others(claims, role)) for role in roles]
    for names in product(*able):
        yield {role: name for role, name in zip(roles, names, strict=True) if name}


def _packs(claims: Claims, holders: Mapping[str, str], bits: Mapping[str, int]) -> Iterator[int]:
    """The sets of werewolves that what is certain allows with these true holders of roles, as bits."""
    known = dict(claims.known)
    for name in holders.values():
        for target, result in ((name, Species.HUMAN.value), *claims.results.get(name, ())):
            if known.setdefault(target, result) != result:
                return
    if claims.me:
        mine = Species.WEREWOLF if claims.role == Role.WEREWOLF else Species.HUMAN
        if known.setdefault(claims.me, mine) != mine:
            return
    sure = [bits[name] for name in claims.players if known.get(name) == Species.WEREWOLF]
    open_to = [bits[name] for name in claims.players if name not in known]
    missing = claims.counts.get(Role.WEREWOLF, 0) - len(sure)
    for rest in combinations(open_to, missing) if missing >= 0 else ():
        yield sum(sure) + sum(rest)


def spare_executions(living: int, wolves: int) -> int:
    """Count how many executions of humans in a row the village survives when every night somebody dies, the first of
    them today: it has lost as soon as the werewolves are as many as the others.
    """
    spare = 0
    while wolves > 0 and 2 * wolves < living - 2:
        living, spare = living - 2, spare + 1
    return spare


def outvoted_after(living: int, side: int) -> int:
    """Count after how many executions of others, the first of them today, ``side`` players have most votes when every
    night another one dies; 0: they have today.
    """
    return max(0, (living - 2 * side) // 2 + 1)


# --- What an execution, a divination or a guard leads to: counted in outcomes.py -------------------------------------


Then = Literal["won", "lost", "night", "outvoted", "open"]


@dataclass(frozen=True, slots=True)
class VoteCase:
    """A case that an execution may lead to.

    ``p``: how likely it is. ``dies``: WEREWOLF, POSSESSED, or ``""`` for one of the village. ``then``: what follows.
    ``won``: the village has won. ``lost``: the werewolves have won. ``night``: they win if somebody dies tonight.
    ``outvoted``: they and the living possessed hold most votes tomorrow, if one of the village dies tonight. ``open``:
    the village holds at least half of the votes tomorrow.
    """

    p: float
    dies: str
    then: Then


@dataclass(frozen=True, slots=True)
class VoteOutcome:
    """The outcomes of the execution of ``target``: the ``cases``, likeliest first."""

    target: str
    cases: tuple[VoteCase, ...]


@dataclass(frozen=True, slots=True)
class Consequence:
    """The certain consequence when somebody is executed who is ``dies``; both as in :class:`VoteCase`, but that HUMAN
    stands for the possessed and for those of the village where the same follows.
    """

    dies: str
    then: Then


@dataclass(frozen=True, slots=True)
class DivinationOutcome:
    """The outcomes of divining ``target``: it is a werewolf with ``p``. ``if_wolf`` and ``if_human``: how many sets of
    werewolves are possible after that result; ``suspects``: who can be a werewolf after the result human.
    """

    target: str
    p: float
    if_wolf: int
    if_human: int
    suspects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GuardOutcome:
    """The use of guarding ``target``: it is the true ``role`` that it claims with ``p`` (``""``: it claims none, and
    ``p`` is how likely it is of the village); ``wolf``: how likely it is a werewolf, whom nobody attacks.
    """

    target: str
    role: str
    p: float
    wolf: float
