"""What of a finished game is played on: each deed that could have changed it, as it was done and otherwise.

A :class:`Deed` is a claim or result told in talk, a vote, a look, a guard or an attack of one player. Its ``done`` and
its ``otherwise`` are lines to be played on; where there are several, they are taken by turns, which makes their
average. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nlp_agent.game.roles import Side, role_spec
from nlp_agent.records.game_reader import GUARDED, KILLED, Step, StepKind
from nlp_agent.review.course import Course, executed_by
from nlp_agent.review.knowledge import VoteKnowledge
from nlp_agent.review.play_on import Line, after, unsaid

Lines = tuple[Line, ...]


@dataclass(frozen=True)
class Deed:
    """A deed of one player, done at ``step``.

    ``kind`` is "claim" (a talk that claims a role or tells results), "vote", "divine", "guard" or "attack"; ``instead``
    is whom else a vote could have gone to, ``""`` where the other way is another target by chance, one of ``others``,
    or to say nothing. ``same``: another way would have changed nothing, so nothing is played. ``overruled``: the wolves
    attacked another.
    """

    step: int
    day: int
    kind: str
    who: str
    role: str
    target: str = ""
    told: tuple[tuple[str, str], ...] = ()
    claimed: str = ""
    instead: str = ""
    others: tuple[str, ...] = ()
    same: bool = False
    overruled: bool = False
    done: Lines = ()
    otherwise: Lines = ()
    knew: VoteKnowledge | None = None

    @property
    def side(self) -> Side:
        """The side for which the player played."""
        return role_spec(self.role).side


@dataclass(frozen=True)
class Moment:
    """A moment on the line over the game, and how it is played on: ``step`` was the last thing that happened."""

    step: int
    day: int
    line: Line


def moments_of(course: Course) -> Iterator[Moment]:
    """The first morning, every talk that claims or tells, every execution, look, guard and attack."""
    telling = course.telling_steps
    for step in course.steps:
        first = step.number == 0 and step.kind is StepKind.DAWN
        if first or step.number in telling or step.kind in _TURNS:
            yield Moment(step.number, step.day, _after(course, step))


_TURNS = (StepKind.EXECUTE, StepKind.DIVINE, StepKind.ATTACK)


def _after(course: Course, *deeds: Step) -> Line:
    return after(course.game, course.steps, *deeds)


def deeds_of(course: Course, knowledge: Mapping[tuple[int, str], VoteKnowledge]) -> Iterator[Deed]:
    """Yield every deed of a game; ``knowledge``: what each voter could know, by (day, voter)."""
    telling, roles = course.telling_steps, course.game.roles
    for step in course.steps:
        match step.kind:
            case StepKind.TALK if step.number in telling:
                yield _claim(course, step)
            case StepKind.VOTE:
                yield from _votes(course, step, knowledge)
            case StepKind.DIVINE | StepKind.GUARD if step.who in roles and step.target in roles:
                yield _night(course, step)
            case StepKind.ATTACK_VOTE:
                yield from _attack(course, step)


def _claim(course: Course, step: Step) -> Deed:
    player = course.village.players[step.who]
    return Deed(
        step.number,
        step.day,
        "claim",
        step.who,
        course.game.roles[step.who],
        told=tuple((result.target, result.result) for result in player.results if result.step == step.number),
        claimed=next((claim.role for claim in player.claims if claim.step == step.number), ""),
        done=(_after(course, step),),
        otherwise=(_after(course, unsaid(step)),),
    )


# --- votes -----------------------------------------------------------------------------------------------------------


def _votes(course: Course, poll: Step, knowledge: Mapping[tuple[int, str], VoteKnowledge]) -> Iterator[Deed]:
    fell = next((s for s in course.steps[poll.number :] if s.kind is StepKind.EXECUTE and s.day == poll.day), None)
    for voter, target in poll.votes.items() if fell is not None else ():
        assert fell is not None
        knew = knowledge.get((poll.day, voter))
        deed = Deed(poll.number, poll.day, "vote", voter, course.game.roles[voter], target, knew=knew)
        other = other_vote(course, poll, voter, knew)
        before = executed_by(poll.votes)
        votes = {**poll.votes, voter: other}
        if not other or before == executed_by(votes):
            yield replace(deed, instead=other, same=True)
            continue
        yield replace(
            deed,
            instead=other,
            done=_executing(course, poll, fell, before),
            otherwise=_executing(course, replace(poll, votes=votes), fell, executed_by(votes)),
        )


def _executing(course: Course, poll: Step, fell: Step, names: Sequence[str]) -> Lines:
    return tuple(_after(course, poll, replace(fell, target=name)) for name in names)


def other_vote(course: Course, poll: Step, voter: str, knew: VoteKnowledge | None) -> str:
    """Choose with whom a vote is compared: for the village whoever else was likeliest to be a wolf from what the voter
    knew, for the wolves' side the villager, the voter's own aside, who had most votes already, or whoever else lives
    where no other villager does: of the last three the possessed could vote for its wolf.
    """
    target = poll.votes[voter]
    if course.side(voter) is Side.VILLAGER:
        return knew.likeliest(without=target) if knew is not None else ""
    votes = [t for who, t in poll.votes.items() if who != voter]
    others = [name for name in course.alive_at(poll) if name not in (voter, target)]
    prey = [name for name in others if course.side(name) is Side.VILLAGER]
    return max(prey or others, key=votes.count, default="")


# --- nights ----------------------------------------------------------------------------------------------------------


def _night(course: Course, step: Step) -> Deed:
    roles = course.game.roles
    others = [name for name in course.alive_at(step) if name not in (step.who, step.target)]

    def instead(name: str) -> Step:
        species = role_spec(roles[name]).species.value if step.kind is StepKind.DIVINE else step.result
        return replace(step, target=name, result=species)

    return Deed(
        step.number,
        step.day,
        step.kind.value,
        step.who,
        roles[step.who],
        step.target,
        others=tuple(others),
        same=not others,
        done=(_after(course, step),) if others else (),
        otherwise=tuple(_after(course, instead(name)) for name in others),
    )


def _attack(course: Course, poll: Step) -> Iterator[Deed]:
    """The attack as the deed of each wolf that voted for it; nobody would have attacked the own side instead."""
    steps = course.steps
    done = next((s for s in steps[poll.number :] if s.kind is StepKind.ATTACK and s.day == poll.day), None)
    if done is None:
        return
    alive = course.alive_at(poll)
    prey = [n for n in alive if course.side(n) is Side.VILLAGER]
    others = [n for n in prey if n != done.target]
    guard = next((s for s in steps[: poll.number] if s.kind is StepKind.GUARD and s.day == poll.day), None)
    safe = guard.target if guard is not None and guard.who in alive else ""

    def instead(name: str) -> Line:
        votes = replace(poll, votes=dict.fromkeys(poll.votes, name))
        return _after(course, votes, replace(done, target=name, result=GUARDED if name == safe else KILLED))

    lines = tuple(instead(name) for name in others)
    for wolf, target in poll.votes.items():
        overruled = target != done.target
        role = course.game.roles[wolf]
        deed = Deed(poll.number, poll.day, "attack", wolf, role, target, others=tuple(others), overruled=overruled)
        counts = bool(lines) and not overruled
        yield replace(deed, same=not counts, done=(_after(course, done),) * counts, otherwise=lines * counts)
