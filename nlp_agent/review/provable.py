"""What follows at each vote from the rules, what a player had been shown, and that nobody of the village's side lied.

Players reason so; the posterior does not, since some of the village do lie. Where one of them did, as the talk was
read, only the claims count from then on, and nothing at all once one of those is false. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from nlp_agent.game.roles import Side, role_spec
from nlp_agent.protocol import JUDGES, POWER, Role, Species
from nlp_agent.records.game_reader import GUARDED, KILLED, RecordedGame, Step, StepKind
from nlp_agent.web.village_view import VillageView


@dataclass(frozen=True)
class Deduction:
    """The conclusions of one viewer: who had to be a werewolf (``wolves``), could be none (``humans``), and had to be
    of the wolves' side (``liars``). ``claims_only``: from the claims alone, as somebody of the village had told a false
    result.
    """

    wolves: frozenset[str] = frozenset()
    humans: frozenset[str] = frozenset()
    liars: frozenset[str] = frozenset()
    claims_only: bool = False


@dataclass(frozen=True)
class Told:
    """What had been said by a vote: ``claims``: role -> who claims it; ``results``: (who, target, species) told."""

    claims: Mapping[str, frozenset[str]]
    results: tuple[tuple[str, str, str], ...]
    two_roles: frozenset[str]


@dataclass(frozen=True)
class World:
    """An assignment of sides: who are the ``wolves``, and who is of their side."""

    wolves: frozenset[str]
    evil: frozenset[str]


def deductions(game: RecordedGame, steps: Sequence[Step], village: VillageView) -> dict[tuple[int, str], Deduction]:
    """The conclusions at each day's vote, as (day, player of the village's side, or ``""`` for an onlooker) -> what
    could be deduced.
    """
    found: dict[tuple[int, str], Deduction] = {}
    for poll in steps:
        if poll.kind is not StepKind.VOTE:
            continue
        told = told_honestly(game, village, poll)
        if told is None:
            break
        alone = told.results != told_by(village, poll).results
        worlds = [world for world in _worlds(game, steps, poll) if _fits(world, told, game)]
        found[poll.day, ""] = _deduced(worlds, game.names, claims_only=alone)
        for name, role in game.roles.items():
            if role_spec(role).side is Side.VILLAGER:
                shown = tuple(shown_to(game, steps, poll, name))
                own = [world for world in worlds if _possible(world, name, role, shown, told)]
                found[poll.day, name] = _deduced(own, game.names, claims_only=alone)
    return found


def _deduced(worlds: Sequence[World], names: Sequence[str], *, claims_only: bool) -> Deduction:
    if not worlds:
        return Deduction()
    return Deduction(
        frozenset.intersection(*(world.wolves for world in worlds)),
        frozenset(names).difference(*(world.wolves for world in worlds)),
        frozenset.intersection(*(world.evil for world in worlds)),
        claims_only,
    )


def told_honestly(game: RecordedGame, village: VillageView, poll: Step) -> Told | None:
    """What had been said by ``poll``, without the results if one of the village's side was false; None where a claim of
    that side was false.
    """
    told = told_by(village, poll)
    claims = replace(told, results=())
    return next((one for one in (told, claims) if _fits(_truth(game), one, game)), None)


def told_by(village: VillageView, poll: Step) -> Told:
    """What had been said by ``poll``."""
    claims: dict[str, set[str]] = {role: set() for role in POWER}
    two_roles: set[str] = set()
    results: list[tuple[str, str, str]] = []
    for name, player in village.players.items():
        made = [claim for claim in player.claims if claim.step < poll.number]
        powers = {claim.role for claim in made if claim.role in POWER}
        for role in powers:
            claims[role].add(name)
        if len(powers) > 1 or any(claim.role in (Role.WEREWOLF, Role.POSSESSED) for claim in made):
            two_roles.add(name)
        if any(step < poll.number for step in player.took_back):
            two_roles.add(name)
        results += [(name, told.target, told.result) for told in player.results if told.step < poll.number]
    return Told({role: frozenset(who) for role, who in claims.items()}, tuple(results), frozenset(two_roles))


def _truth(game: RecordedGame) -> World:
    evil = frozenset(name for name, role in game.roles.items() if role_spec(role).side is Side.WEREWOLF)
    return World(frozenset(game.wolves), evil)


def _worlds(game: RecordedGame, steps: Sequence[Step], poll: Step) -> Iterator[World]:
    """All sides that the rules allow: whom the wolves killed is none of them, and the game goes on."""
    killed = {step.target for step in steps[: poll.number] if step.kind is StepKind.ATTACK and step.result == KILLED}
    others = sum(count for role, count in game.role_num_map.items() if role_spec(role).side is Side.WEREWOLF) - len(
        game.wolves
    )
    for wolves in combinations([name for name in game.names if name not in killed], len(game.wolves)):
        if not played_on(game, steps, poll, World(frozenset(wolves), frozenset(wolves))):
            continue
        rest = [name for name in game.names if name not in wolves]
        for possessed in combinations(rest, others):
            yield World(frozenset(wolves), frozenset((*wolves, *possessed)))


def played_on(game: RecordedGame, steps: Sequence[Step], poll: Step, world: World) -> bool:
    """Whether the game would not have been over at ``poll`` in ``world``."""
    dead = {
        step.target
        for step in steps[: poll.number]
        if step.kind is StepKind.EXECUTE or (step.kind is StepKind.ATTACK and step.result == KILLED)
    }
    alive, living = len(world.wolves - dead), len(game.names) - len(dead)
    return 0 < alive < living - alive


def _fits(world: World, told: Told, game: RecordedGame) -> bool:
    """Whether all that players of the village's side said is true in ``world``."""
    if not told.two_roles <= world.evil:
        return False
    for role, who in told.claims.items():
        if len(who - world.evil) > game.role_num_map.get(role, 0):
            return False
    return all(
        who in world.evil or (target in world.wolves) == (result == Species.WEREWOLF)
        for who, target, result in told.results
    )


def _possible(world: World, me: str, role: str, shown: Sequence[tuple[str, str]], told: Told) -> bool:
    """Whether ``world`` is left for ``me`` of this ``role``, who was ``shown`` the species of some."""
    if me in world.evil or any((target in world.wolves) != (seen == Species.WEREWOLF) for target, seen in shown):
        return False
    return role not in POWER or told.claims[role] - {me} <= world.evil


def shown_to(game: RecordedGame, steps: Sequence[Step], poll: Step, me: str) -> Iterator[tuple[str, str]]:
    """(target, species) that the power of ``me`` had shown before ``poll``; whom a bodyguard has saved is human."""
    role = game.roles[me]
    if role == Role.BODYGUARD:
        guards = {(s.day, s.target) for s in steps[: poll.number] if s.kind is StepKind.GUARD and s.who == me}
        attacks = (s for s in steps[: poll.number] if s.kind is StepKind.ATTACK and s.result == GUARDED)
        saved = dict.fromkeys(s.target for s in attacks if (s.day, s.target) in guards)
        yield from ((name, Species.HUMAN.value) for name in saved)
    for step in steps[: poll.number] if role in JUDGES else ():
        if role == Role.SEER and step.kind is StepKind.DIVINE and step.who == me:
            yield step.target, step.result
        elif role == Role.MEDIUM and step.kind is StepKind.EXECUTE and step.target in game.roles:
            yield step.target, role_spec(game.roles[step.target]).species.value
