"""Which players can be the werewolves together, counted in full as a careful player counts at the table. Pure.

Who claims a role that it does not have is taken for the wolves' side, werewolf or possessed, and who claims to be a
villager for no seer; apart from that only what is certain rules anything out, and the odds of :mod:`nlp_agent.belief`
play no part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from nlp_agent.protocol import Role, Species

_POWER = (Role.SEER, Role.MEDIUM, Role.BODYGUARD)


@dataclass(frozen=True, slots=True)
class Claims:
    """What is known and what is told. ``me`` has ``role``, both ``""`` for an onlooker. ``known``: player -> HUMAN or
    WEREWOLF for certain; ``claimed``: player -> role claimed; ``results``: claimant -> (target, HUMAN or WEREWOLF)
    told; ``alive`` only while the game goes on, else empty.
    """

    players: tuple[str, ...]
    counts: Mapping[str, int]
    me: str = ""
    role: str = ""
    known: Mapping[str, str] = field(default_factory=dict)
    claimed: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    alive: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class World:
    """If ``seer`` is the true one (``""``: if none of those who claim it is), one of ``packs`` are all the werewolves,
    each in the order of the players. No packs: it cannot be. ``helped``: those of ``packs`` with which a possessed may
    live; ``possessed``: who is one in all of them by a false claim, ``""`` where that is open."""

    seer: str
    packs: tuple[tuple[str, ...], ...] = ()
    helped: tuple[tuple[str, ...], ...] = ()
    possessed: str = ""

    @property
    def among(self) -> tuple[str, ...]:
        """Everybody who may be a werewolf."""
        return tuple(dict.fromkeys(name for pack in self.packs for name in pack))

    @property
    def certain(self) -> tuple[str, ...]:
        """Who is a werewolf in every pack."""
        return tuple(name for name in self.among if all(name in pack for pack in self.packs))


def worlds_of(claims: Claims) -> tuple[World, ...]:
    """One world for each claimant of seer, in the order of ``claimed``, and last the one in which all of them lie."""
    seers = (*_claimants(claims, Role.SEER), "")
    found: dict[str, dict[tuple[str, ...], bool]] = {name: {} for name in seers}
    liars: dict[str, set[frozenset[str]]] = {name: set() for name in seers}
    for holders in _holders(claims):
        seer = holders.get(Role.SEER, "")
        packs, lied = found.setdefault(seer, {}), liars.setdefault(seer, set())
        for pack in _packs(claims, holders):
            packs[pack] = packs.get(pack, False) or _helped(claims, holders, set(pack))
            lied.add(frozenset(_liars(claims, holders, set(pack))))
    return tuple(
        World(seer, tuple(packs), tuple(pack for pack, helped in packs.items() if helped), _only(liars[seer]))
        for seer, packs in found.items()
    )


def _only(sets: set[frozenset[str]]) -> str:
    """The one player that alone makes up each of ``sets``, or ``""``."""
    names = next(iter(sets)) if len(sets) == 1 else ()
    return next(iter(names)) if len(names) == 1 else ""


def _claimants(claims: Claims, role: str) -> tuple[str, ...]:
    return tuple(name for name, claimed in claims.claimed.items() if claimed == role)


def _others(claims: Claims, role: str) -> tuple[str, ...]:
    return tuple(name for name in _claimants(claims, role) if name != claims.me)


def _holders(claims: Claims) -> Iterator[dict[str, str]]:
    """Every way to say who of those who claim a role has it: role -> name; left out where nobody of them does."""
    roles = [role for role in _POWER if claims.counts.get(role)]
    # A role that this seat has itself is nobody else's: the villages of the contest have one of each.
    able = [(claims.me,) if claims.role == role else ("", *_others(claims, role)) for role in roles]
    for names in product(*able):
        yield {role: name for role, name in zip(roles, names, strict=True) if name}


def _packs(claims: Claims, holders: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """The sets of werewolves that are possible with these true holders of roles."""
    known = dict(claims.known)
    for name in holders.values():
        for target, result in ((name, Species.HUMAN.value), *claims.results.get(name, ())):
            if known.setdefault(target, result) != result:
                return
    if claims.me:
        mine = Species.WEREWOLF if claims.role == Role.WEREWOLF else Species.HUMAN
        if known.setdefault(claims.me, mine) != mine:
            return
    sure = [name for name in claims.players if known.get(name) == Species.WEREWOLF]
    open_to = [name for name in claims.players if name not in known]
    missing = claims.counts.get(Role.WEREWOLF, 0) - len(sure)
    for rest in combinations(open_to, missing) if missing >= 0 else ():
        pack = {*sure, *rest}
        if _lives(claims, pack) and _lied(claims, holders, pack):
            yield tuple(name for name in claims.players if name in pack)


def _lives(claims: Claims, pack: set[str]) -> bool:
    """Whether the game would still go on."""
    living = sum(name in pack for name in claims.alive)
    return not claims.alive or 0 < 2 * living < len(claims.alive)


def _lied(claims: Claims, holders: Mapping[str, str], pack: set[str]) -> bool:
    """Whether there are enough of the wolves' side for all who claim falsely, and others for all that is left."""
    true, liars = set(holders.values()), _liars(claims, holders, pack)
    possessed = claims.counts.get(Role.POSSESSED, 0) - (claims.role == Role.POSSESSED)
    mine = claims.role in _POWER and claims.me not in true
    unseen = sum(claims.counts.get(role, 0) for role in _POWER) - len(true) - mine
    free = set(claims.players) - pack - liars - true - {claims.me}
    return (
        len(liars) <= possessed and len(free) >= unseen + possessed - len(liars) and _seer_left(claims, holders, free)
    )


def _seer_left(claims: Claims, holders: Mapping[str, str], free: set[str]) -> bool:
    """Whether the seer is known, or can be one of ``free``: a medium or a bodyguard may hide behind "I am a villager",
    a seer that has results to tell does not."""
    known = Role.SEER in holders or claims.role == Role.SEER or not claims.counts.get(Role.SEER)
    return known or bool(free - set(_claimants(claims, Role.VILLAGER)))


def _liars(claims: Claims, holders: Mapping[str, str], pack: set[str]) -> set[str]:
    """Who has to be a possessed, by a claim that is false or that says so. An onlooker's "me" is "", so it takes nobody
    out."""
    true = {*holders.values(), claims.me}
    told = (*_POWER, Role.POSSESSED)
    return {n for n, role in claims.claimed.items() if role in told and n not in true} - pack


def _helped(claims: Claims, holders: Mapping[str, str], pack: set[str]) -> bool:
    """Whether a possessed may live, other than oneself."""
    living, liars = set(claims.alive or claims.players), _liars(claims, holders, pack)
    hidden = claims.counts.get(Role.POSSESSED, 0) - (claims.role == Role.POSSESSED) - len(liars)
    free = set(claims.players) - pack - liars - {*holders.values(), claims.me}
    return bool(liars & living) or (
        hidden > 0 and any(_seer_left(claims, holders, free - {name}) for name in free & living)
    )


def spare_executions(living: int, wolves: int) -> int:
    """How many executions of humans in a row the village survives when every night somebody dies, the first of them
    today: it has lost as soon as the werewolves are as many as the others."""
    spare = 0
    while wolves > 0 and 2 * wolves < living - 2:
        living, spare = living - 2, spare + 1
    return spare


def outvoted_after(living: int, side: int) -> int:
    """After how many executions of others, the first of them today, ``side`` players have most votes when every night
    another one dies; 0: they have today."""
    return max(0, (living - 2 * side) // 2 + 1)
