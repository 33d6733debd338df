"""What of a finished game is played on: each deed that could have changed it, as it was done and otherwise.

A :class:`Deed` is a claim or result told in talk, a vote, a look, a guard or an attack of one player. Its ``done`` and
its ``otherwise`` are lines to be played on; where there are several, they are taken by turns, which makes their
average. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nlp_agent.arena.engine import leaders
from nlp_agent.game.roles import UNDECIDED, Side, role_spec, winning_side
from nlp_agent.protocol import Role
from nlp_agent.records.game_reader import GUARDED, KILLED, RecordedGame, Step, StepKind
from nlp_agent.review.knowledge import VoteKnowledge
from nlp_agent.review.play_on import Line, after, unsaid
from nlp_agent.web.village_view import VillageView

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


def moments_of(game: RecordedGame, steps: Sequence[Step], village: VillageView) -> Iterator[Moment]:
    """The first morning, every talk that claims or tells, every execution, look, guard and attack."""
    telling = telling_steps(village)
    for step in steps:
        first = step.number == 0 and step.kind is StepKind.DAWN
        if first or step.number in telling or step.kind in _TURNS:
            yield Moment(step.number, step.day, after(game, steps, step))


_TURNS = (StepKind.EXECUTE, StepKind.DIVINE, StepKind.ATTACK)


def telling_steps(village: VillageView) -> set[int]:
    """The talks in which somebody claimed a role, took the claim back, or told a result.

    To call oneself a villager is no claim: all of the village do, and all of the wolves' side may.
    """
    players = village.players.values()
    claims = (claim for one in players for claim in one.claims if claim.role != Role.VILLAGER)
    told = {result.step for one in players for result in one.results}
    return told.union((claim.step for claim in claims), *(one.took_back for one in players))


def deeds_of(
    game: RecordedGame, steps: Sequence[Step], village: VillageView, knowledge: Mapping[tuple[int, str], VoteKnowledge]
) -> Iterator[Deed]:
    """Yield every deed of ``game``; ``knowledge``: what each voter could know, by (day, voter)."""
    telling = telling_steps(village)
    for step in steps:
        match step.kind:
            case StepKind.TALK if step.number in telling:
                yield _claim(game, steps, step, village)
            case StepKind.VOTE:
                yield from _votes(game, steps, step, knowledge)
            case StepKind.DIVINE | StepKind.GUARD if step.who in game.roles and step.target in game.roles:
                yield _night(game, steps, step)
            case StepKind.ATTACK_VOTE:
                yield from _attack(game, steps, step)


def _claim(game: RecordedGame, steps: Sequence[Step], step: Step, village: VillageView) -> Deed:
    player = village.players[step.who]
    return Deed(
        step.number,
        step.day,
        "claim",
        step.who,
        game.roles[step.who],
        told=tuple((result.target, result.result) for result in player.results if result.step == step.number),
        claimed=next((claim.role for claim in player.claims if claim.step == step.number), ""),
        done=(after(game, steps, step),),
        otherwise=(after(game, steps, unsaid(step)),),
    )


# --- votes -----------------------------------------------------------------------------------------------------------


def _votes(
    game: RecordedGame, steps: Sequence[Step], poll: Step, knowledge: Mapping[tuple[int, str], VoteKnowledge]
) -> Iterator[Deed]:
    fell = next((s for s in steps[poll.number :] if s.kind is StepKind.EXECUTE and s.day == poll.day), None)
    for voter, target in poll.votes.items() if fell is not None else ():
        assert fell is not None
        knew = knowledge.get((poll.day, voter))
        deed = Deed(poll.number, poll.day, "vote", voter, game.roles[voter], target, knew=knew)
        other = other_vote(game, poll, voter, knew, alive_at(steps, poll))
        before = executed_by(poll.votes)
        votes = {**poll.votes, voter: other}
        if not other or before == executed_by(votes):
            yield replace(deed, instead=other, same=True)
            continue
        yield replace(
            deed,
            instead=other,
            done=_executing(game, steps, poll, fell, before),
            otherwise=_executing(game, steps, replace(poll, votes=votes), fell, executed_by(votes)),
        )


def _executing(game: RecordedGame, steps: Sequence[Step], poll: Step, fell: Step, names: Sequence[str]) -> Lines:
    return tuple(after(game, steps, poll, replace(fell, target=name)) for name in names)


def executed_by(votes: Mapping[str, str]) -> list[str]:
    """The players with the most votes; of several one is executed by chance."""
    names = sorted(set(votes.values()))
    return [names[place] for place in leaders(names.index(target) for target in votes.values())]


def other_vote(game: RecordedGame, poll: Step, voter: str, knew: VoteKnowledge | None, alive: Sequence[str]) -> str:
    """Choose with whom a vote is compared: for the village whoever else was likeliest to be a wolf from what the voter
    knew, for the wolves' side the villager, the voter's own aside, who had most votes already, or whoever else lives
    where no other villager does: of the last three the possessed could vote for its wolf.
    """
    target = poll.votes[voter]
    if role_spec(game.roles[voter]).side is Side.VILLAGER:
        return knew.likeliest(without=target) if knew is not None else ""
    votes = [t for who, t in poll.votes.items() if who != voter]
    others = [name for name in alive if name not in (voter, target)]
    prey = [name for name in others if role_spec(game.roles[name]).side is Side.VILLAGER]
    return max(prey or others, key=votes.count, default="")


def executions(steps: Sequence[Step]) -> dict[int, str]:
    """Who was executed on each day: day -> player."""
    return {step.day: step.target for step in steps if step.kind is StepKind.EXECUTE and step.target}


def executed_before(steps: Sequence[Step], number: int) -> set[str]:
    """The players who had been executed by the step ``number``."""
    return set(executions(steps[:number]).values())


def alive_at(steps: Sequence[Step], step: Step) -> list[str]:
    """The players who live when ``step`` happens, as the last dawn and what was done since tell."""
    alive: list[str] = []
    for each in steps[: step.number]:
        if each.kind is StepKind.DAWN:
            alive = list(each.alive)
        elif each.kind is StepKind.EXECUTE or (each.kind is StepKind.ATTACK and each.result == KILLED):
            alive = [name for name in alive if name != each.target]
    return alive


def end_of(game: RecordedGame, alive: Sequence[str]) -> str:
    """The side that has won with these ``alive``, ``""`` if the game goes on."""
    side = winning_side(game.roles, alive)
    return "" if side == UNDECIDED else side


def same_end(game: RecordedGame, alive: Sequence[str], *names: str) -> bool:
    """Whether it does not matter which of ``names`` is executed: it is one player, or the same side wins at once."""
    ends = {end_of(game, [one for one in alive if one != name]) for name in names}
    return len(set(names)) < 2 or (len(ends) == 1 and ends != {""})


def is_vain(game: RecordedGame, steps: Sequence[Step], poll: Step, who: str) -> bool:
    """Whether no vote of ``who`` could have changed who was executed at ``poll``, or who had won by that."""
    alive = alive_at(steps, poll)
    ways = {tuple(executed_by({**poll.votes, who: name})) for name in alive} | {tuple(executed_by(poll.votes))}
    return len(ways) == 1 or same_end(game, alive, *(name for way in ways for name in way))


def village_vain(game: RecordedGame, steps: Sequence[Step], poll: Step) -> bool:
    """Whether the votes of the wolves' side decided ``poll``, however the living of the village had voted."""
    alive = alive_at(steps, poll)
    village = [name for name in alive if role_spec(game.roles[name]).side is Side.VILLAGER]
    votes = [target for who, target in poll.votes.items() if who not in village]
    most = max(votes, key=votes.count, default="")
    rest = max((votes.count(name) for name in alive if name != most), default=0)
    return votes.count(most) > rest + len(village) or same_end(game, alive, *alive)


# --- nights ----------------------------------------------------------------------------------------------------------


def _night(game: RecordedGame, steps: Sequence[Step], step: Step) -> Deed:
    others = [name for name in alive_at(steps, step) if name not in (step.who, step.target)]

    def instead(name: str) -> Step:
        species = role_spec(game.roles[name]).species.value if step.kind is StepKind.DIVINE else step.result
        return replace(step, target=name, result=species)

    return Deed(
        step.number,
        step.day,
        step.kind.value,
        step.who,
        game.roles[step.who],
        step.target,
        others=tuple(others),
        same=not others,
        done=(after(game, steps, step),) if others else (),
        otherwise=tuple(after(game, steps, instead(name)) for name in others),
    )


def _attack(game: RecordedGame, steps: Sequence[Step], poll: Step) -> Iterator[Deed]:
    """The attack as the deed of each wolf that voted for it; nobody would have attacked the own side instead."""
    done = next((s for s in steps[poll.number :] if s.kind is StepKind.ATTACK and s.day == poll.day), None)
    if done is None:
        return
    alive = alive_at(steps, poll)
    prey = [n for n in alive if role_spec(game.roles[n]).side is Side.VILLAGER]
    others = [n for n in prey if n != done.target]
    guard = next((s for s in steps[: poll.number] if s.kind is StepKind.GUARD and s.day == poll.day), None)
    safe = guard.target if guard is not None and guard.who in alive else ""

    def instead(name: str) -> Line:
        votes = replace(poll, votes=dict.fromkeys(poll.votes, name))
        return after(game, steps, votes, replace(done, target=name, result=GUARDED if name == safe else KILLED))

    lines = tuple(instead(name) for name in others)
    for wolf, target in poll.votes.items():
        overruled = target != done.target
        deed = Deed(
            poll.number, poll.day, "attack", wolf, game.roles[wolf], target, others=tuple(others), overruled=overruled
        )
        counts = bool(lines) and not overruled
        yield replace(deed, same=not counts, done=(after(game, steps, done),) * counts, otherwise=lines * counts)
