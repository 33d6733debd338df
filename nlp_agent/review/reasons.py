"""Why somebody had to be a werewolf if nobody of the village lied: as few facts as lead there.

Every fact leaves some of the assignments of sides; those that are needed for the conclusion are the reasons. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from nlp_agent.game.roles import Side, role_spec
from nlp_agent.protocol import POWER, Role, Species
from nlp_agent.records.game_reader import KILLED, RecordedGame, Step, StepKind
from nlp_agent.review.provable import Told, World, played_on, shown_to, told_by, told_honestly
from nlp_agent.web.village_view import VillageView


@dataclass(frozen=True, slots=True)
class Reason:
    """A fact: "result" (``who`` told that ``target`` is ``result``), "killed" (``target``), "claims" (``names``
    claimed ``role``), "confessed", "took_back" or "two_roles" (of ``who``), "power" (``who``, who has ``role``, has
    rivals ``names``), or "shown" (``who`` had been shown ``result`` of ``target``).
    """

    kind: str
    who: str = ""
    target: str = ""
    result: str = ""
    role: str = ""
    names: tuple[str, ...] = ()


_Fact = tuple[Reason, Callable[[World], bool]]


def reasons_for(
    game: RecordedGame, steps: Sequence[Step], village: VillageView, poll: Step, viewer: str, wolf: str
) -> list[Reason]:
    """As few facts as make ``wolf`` a werewolf for ``viewer`` at ``poll``, in the order of claims, results, deaths.

    With ``viewer`` an only claimant of the medium, who is believed, it is what everybody could know that did so.
    """
    told = told_honestly(game, village, poll) or told_by(village, poll)
    worlds = [world for world in _all(game) if viewer not in world.evil and played_on(game, steps, poll, world)]
    facts = [*_facts(game, steps, village, poll, viewer, told)]
    left = [frozenset(number for number, world in enumerate(worlds) if holds(world)) for _, holds in facts]
    against = frozenset(number for number, world in enumerate(worlds) if wolf not in world.wolves)

    def follows(kept: Sequence[int]) -> bool:
        return not against.intersection(*(left[place] for place in kept)) if kept else not against

    kept = list(range(len(facts)))
    if not follows(kept):
        return []
    for place in reversed(range(len(facts))):
        fewer = [one for one in kept if one != place]
        kept = fewer if follows(fewer) else kept
    return [facts[place][0] for place in kept]


def _all(game: RecordedGame) -> Iterator[World]:
    evil = sum(count for role, count in game.role_num_map.items() if role_spec(role).side is Side.WEREWOLF)
    for wolves in combinations(game.names, len(game.wolves)):
        rest = [name for name in game.names if name not in wolves]
        for others in combinations(rest, evil - len(game.wolves)):
            yield World(frozenset(wolves), frozenset((*wolves, *others)))


def _facts(
    game: RecordedGame, steps: Sequence[Step], village: VillageView, poll: Step, viewer: str, told: Told
) -> Iterator[_Fact]:
    role = game.roles.get(viewer, "")
    for claimed, names in told.claims.items():
        count = game.role_num_map.get(claimed, 0)
        if len(names) > count:
            own = claimed == role and viewer in names
            rest = tuple(sorted(names - {viewer})) if own else tuple(sorted(names))
            reason = (
                Reason("power", viewer, role=claimed, names=rest) if own else Reason("claims", role=claimed, names=rest)
            )
            yield reason, _at_most(names, count)
    if role in POWER and (rivals := told.claims[role] - {viewer}) and viewer not in told.claims[role]:
        yield Reason("power", viewer, role=role, names=tuple(sorted(rivals))), _all_evil(rivals)
    for name in sorted(told.two_roles):
        player = village.players[name]
        said = {claim.role for claim in player.claims if claim.step < poll.number}
        back = any(step < poll.number for step in player.took_back)
        kind = "confessed" if said & {Role.WEREWOLF, Role.POSSESSED} else "took_back" if back else "two_roles"
        yield Reason(kind, name), _all_evil(frozenset({name}))
    for target, seen in shown_to(game, steps, poll, viewer) if viewer else ():
        yield Reason("shown", viewer, target, seen, role), _species(target, seen)
    for who, target, result in told.results:
        if who != viewer:
            yield Reason("result", who, target, result), _told(who, target, result)
    for step in steps[: poll.number]:
        if step.kind is StepKind.ATTACK and step.result == KILLED:
            yield Reason("killed", target=step.target), _species(step.target, Species.HUMAN)


def _at_most(names: frozenset[str], count: int) -> Callable[[World], bool]:
    return lambda world: len(names - world.evil) <= count


def _all_evil(names: frozenset[str]) -> Callable[[World], bool]:
    return lambda world: names <= world.evil


def _species(target: str, species: str) -> Callable[[World], bool]:
    return lambda world: (target in world.wolves) == (species == Species.WEREWOLF)


def _told(who: str, target: str, result: str) -> Callable[[World], bool]:
    return lambda world: who in world.evil or (target in world.wolves) == (result == Species.WEREWOLF)


def only_medium(village: VillageView, poll: Step) -> str:
    """Who alone has claimed to be the medium by ``poll``; ``""`` if nobody has, or several have."""
    names = told_by(village, poll).claims[Role.MEDIUM]
    return next(iter(names)) if len(names) == 1 else ""
