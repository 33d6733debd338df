"""What could be known at each moment of a recorded game: by an onlooker who hears everything, and by each seat.

What could be believed is the exact posterior (:mod:`nlp_agent.belief`) over facts that anybody could see, with a seat's
own role and results as hard facts. "By the rules alone" leaves out all that was said.

What could be worked out follows from the rules, what a player had been shown, and that nobody of the village's side
lied. Players reason so; the posterior does not, since some of the village do lie. Where one of them did, as the talk
was read, only the claims count from then on, and nothing at all once one of those is false. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from nlp_agent.app.wiring.replay_insight import OnlookerOpinion
from nlp_agent.belief.mixture import SHIPPED, look_mixed
from nlp_agent.belief.seat_posterior import look
from nlp_agent.game import WOLF_SIDE
from nlp_agent.game.roles import Side, role_spec
from nlp_agent.protocol import POWER, Role, Species
from nlp_agent.records.game_reader import GUARDED, KILLED, RecordedGame, Step, StepKind
from nlp_agent.review.course import Course
from nlp_agent.study.logs import VoteMoment
from nlp_agent.web.village_view import VillageView

CERTAIN = 0.95
"""P(wolf) of every wolf from which on an onlooker could as good as know them."""
SURE = 1e-9
"""A probability below which something is excluded, by rules and what was shown: what is said never excludes."""


@dataclass(frozen=True)
class VoteKnowledge:
    """The knowledge of ``voter`` at the vote of ``day``: what it could believe.

    ``wolf``: P(wolf) of every other living player from all it knew and heard; ``certain``: whether the rules and what
    it had been shown left a single set of wolves. ``village``: P(of the village's side) that an onlooker gives the
    voter itself. ``confessed``: the living werewolves that had said so in public; all P take that for a claim like any
    other, so they are not told where there is one.
    """

    day: int
    voter: str
    wolf: Mapping[str, float]
    certain: bool
    village: float
    confessed: tuple[str, ...] = ()

    def likeliest(self, without: str = "") -> str:
        """The likeliest wolf, ``without`` one player; the first by name of equals. A confession outweighs all else."""
        said = [name for name in self.confessed if name not in (without, self.voter)]
        names = said or [name for name in sorted(self.wolf) if name != without]
        return max(names, key=lambda name: round(self.wolf[name], 6), default="")


def vote_knowledge(moments: Sequence[VoteMoment]) -> Iterator[VoteKnowledge]:
    """Yield what every voter could believe, vote by vote."""
    for moment in moments:
        onlooker = look_mixed(moment.knowledge(""), moment.facts, SHIPPED)
        shares = onlooker.roles if onlooker is not None else {}
        for voter in moment.voters:
            knowledge = moment.knowledge(voter)
            seen = look_mixed(knowledge, moment.facts, SHIPPED)
            bare = look(knowledge, (), SHIPPED.field)  # without facts all odds give the same
            wolf = seen.wolf if seen is not None else {}
            roles = shares.get(voter, {})
            yield VoteKnowledge(
                moment.day,
                voter,
                {name: float(wolf.get(name, 0.0)) for name in moment.voters if name != voter},
                bare is not None and all(p < SURE or p > 1 - SURE for p in bare.wolf.values()),
                sum(p for role, p in roles.items() if role_spec(role).side is Side.VILLAGER),
            )


def known_since(game: RecordedGame, opinions: Sequence[OnlookerOpinion]) -> int | None:
    """The step from which on an onlooker could as good as know every wolf, to the end; ``None`` if never."""
    since: int | None = None
    for opinion in opinions:
        sure = all(opinion.wolf.get(wolf, 0.0) >= CERTAIN for wolf in game.wolves)
        since = (opinion.step if since is None else since) if sure else None
    return since


# --- What follows if nobody of the village's side lied ---------------------------------------------------------------


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


def deductions(course: Course) -> dict[tuple[int, str], Deduction]:
    """The conclusions at each day's vote, as (day, player of the village's side, or ``""`` for an onlooker) -> what
    could be deduced.
    """
    found: dict[tuple[int, str], Deduction] = {}
    game = course.game
    for poll in course.polls:
        told = told_honestly(course, poll)
        if told is None:
            break
        alone = told.results != told_by(course.village, poll).results
        worlds = _left(_worlds(course, poll), _facts(course, poll, "", told))
        found[poll.day, ""] = _deduced(worlds, game.names, claims_only=alone)
        for name in game.roles:
            if course.side(name) is Side.VILLAGER:
                honest = (world for world in worlds if name not in world.evil)
                own = _left(honest, _facts(course, poll, name, told))
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


def told_honestly(course: Course, poll: Step) -> Told | None:
    """What had been said by ``poll``, without the results if one of the village's side was false; None where a claim of
    that side was false.
    """
    told = told_by(course.village, poll)
    claims = replace(told, results=())
    evil = frozenset(name for name in course.game.names if course.side(name) is Side.WEREWOLF)
    truth = World(frozenset(course.game.wolves), evil)
    return next((one for one in (told, claims) if _left([truth], _facts(course, poll, "", one))), None)


def told_by(village: VillageView, poll: Step) -> Told:
    """What had been said by ``poll``."""
    claims: dict[str, set[str]] = {role: set() for role in POWER}
    two_roles: set[str] = set()
    results: list[tuple[str, str, str]] = []
    for name, player in village.players.items():
        made = player.claimed(poll.number)
        powers = set(POWER).intersection(made)
        for role in powers:
            claims[role].add(name)
        back = any(step < poll.number for step in player.took_back)
        if len(powers) > 1 or back or not WOLF_SIDE.isdisjoint(made):
            two_roles.add(name)
        results += [(name, told.target, told.result) for told in player.told(poll.number)]
    return Told({role: frozenset(who) for role, who in claims.items()}, tuple(results), frozenset(two_roles))


def _worlds(course: Course, poll: Step) -> Iterator[World]:
    """All assignments of sides with which the game would not have been over at ``poll``."""
    game, dead = course.game, course.executed_before(poll.number) | course.killed_before(poll.number)
    evil = sum(count for role, count in game.role_num_map.items() if role_spec(role).side is Side.WEREWOLF)
    for wolves in map(frozenset, combinations(game.names, len(game.wolves))):
        alive = len(wolves - dead)
        if 0 < alive < len(game.names) - len(dead) - alive:
            rest = [name for name in game.names if name not in wolves]
            for others in combinations(rest, evil - len(wolves)):
                yield World(wolves, wolves.union(others))


def shown_to(course: Course, poll: Step, me: str) -> Iterator[tuple[str, str]]:
    """(target, species) that the power of ``me`` had shown before ``poll``; whom a bodyguard has saved is human."""
    role, before = course.game.roles[me], course.steps[: poll.number]
    if role == Role.BODYGUARD:
        guards = {(s.day, s.target) for s in before if s.kind is StepKind.GUARD and s.who == me}
        attacks = (s for s in before if s.kind is StepKind.ATTACK and s.result == GUARDED)
        saved = dict.fromkeys(s.target for s in attacks if (s.day, s.target) in guards)
        yield from ((name, Species.HUMAN.value) for name in saved)
    if role == Role.SEER:
        yield from ((look.target, look.result) for look in course.looks(me, poll.number))
    for step in before if role == Role.MEDIUM else ():
        if step.kind is StepKind.EXECUTE and step.target in course.game.roles:
            yield step.target, role_spec(course.game.roles[step.target]).species.value


# --- Why somebody had to be a werewolf: the fewest facts that leave no other world -----------------------------------


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


def _left(worlds: Iterable[World], facts: Iterable[_Fact]) -> list[World]:
    """Those of ``worlds`` in which all ``facts`` hold."""
    holding = [holds for _, holds in facts]
    return [world for world in worlds if all(holds(world) for holds in holding)]


def reasons_for(course: Course, poll: Step, viewer: str, wolf: str) -> list[Reason]:
    """The fewest facts by which ``wolf`` had to be a werewolf for ``viewer`` at ``poll``; claims first, then results,
    then deaths.

    With ``viewer`` an only claimant of the medium, who is believed, it is what everybody could know that did so.
    """
    told = told_honestly(course, poll) or told_by(course.village, poll)
    worlds = [world for world in _worlds(course, poll) if viewer not in world.evil]
    facts = [*_facts(course, poll, viewer, told)]
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


def _facts(course: Course, poll: Step, viewer: str, told: Told) -> Iterator[_Fact]:
    """What ``viewer`` goes by at ``poll``, if nobody of the village's side lied, each with whether it holds in a
    world; of the results that were told not its own, which it was shown. With ``""`` what everybody goes by.
    """
    game, role = course.game, course.game.roles.get(viewer, "")
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
        player = course.village.players[name]
        confessed = not WOLF_SIDE.isdisjoint(player.claimed(poll.number))
        back = any(step < poll.number for step in player.took_back)
        kind = "confessed" if confessed else "took_back" if back else "two_roles"
        yield Reason(kind, name), _all_evil(frozenset({name}))
    for target, seen in shown_to(course, poll, viewer) if viewer else ():
        yield Reason("shown", viewer, target, seen, role), _species(target, seen)
    for who, target, result in told.results:
        if who != viewer:
            yield Reason("result", who, target, result), _told(who, target, result)
    for step in course.steps[: poll.number]:
        if step.result == KILLED:
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
