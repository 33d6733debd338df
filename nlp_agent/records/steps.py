"""A logged game as a list of steps, in the order in which they happened: what a replay goes through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from nlp_agent.protocol import Talk
from nlp_agent.records.gamelog import LoggedDay, LoggedGame


class StepKind(StrEnum):
    """What happened. Of these WHISPER and what is done at night are nobody else's to know while a game goes on."""

    DAWN = "dawn"
    TALK = "talk"
    WHISPER = "whisper"
    VOTE = "vote"
    EXECUTE = "execute"
    DIVINE = "divine"
    GUARD = "guard"
    ATTACK_VOTE = "attack_vote"
    ATTACK = "attack"
    RESULT = "result"

    @property
    def secret(self) -> bool:
        return self in _SECRET


KILLED, GUARDED = "killed", "guarded"
"""The results of an attack."""
_SECRET = frozenset({StepKind.WHISPER, StepKind.DIVINE, StepKind.GUARD, StepKind.ATTACK_VOTE})


@dataclass(frozen=True, slots=True)
class Step:
    """``number`` counts from 0 over the game. ``who`` did it, ``target`` is whom it was done to, ``""`` nobody.

    ``talk`` of a TALK or WHISPER; ``votes`` (voter -> target) of a VOTE or ATTACK_VOTE; ``result`` of a DIVINE (HUMAN
    or WEREWOLF), of an ATTACK (KILLED or GUARDED) and of a RESULT (the side that won). ``alive`` at a DAWN.
    """

    number: int
    day: int
    kind: StepKind
    who: str = ""
    target: str = ""
    result: str = ""
    talk: Talk | None = None
    votes: Mapping[str, str] = field(default_factory=dict)
    alive: tuple[str, ...] = ()


def steps_of(game: LoggedGame) -> tuple[Step, ...]:
    """Every step of ``game``. Of a game that was broken off the last one is whatever came last."""
    steps = [step for day in game.days for step in _of_day(day)]
    if game.winner and game.days:
        steps.append(Step(0, game.days[-1].day, StepKind.RESULT, result=game.winner))
    return tuple(replace(step, number=number) for number, step in enumerate(steps))


def _of_day(day: LoggedDay) -> Iterator[Step]:
    def step(kind: StepKind, who: str = "", target: str = "", result: str = "") -> Step:
        return Step(0, day.day, kind, who, target, result)

    def said(kind: StepKind, talks: Sequence[Talk]) -> Iterator[Step]:
        return (replace(step(kind, talk.agent), talk=talk) for talk in talks)

    early = day.early_whispers
    if day.talks or day.votes or day.whispers:
        yield replace(step(StepKind.DAWN), alive=day.alive)
    yield from said(StepKind.WHISPER, day.whispers[:early])
    yield from said(StepKind.TALK, day.talks)
    if day.votes:
        yield replace(step(StepKind.VOTE), votes=day.votes)
    if day.executed:
        yield step(StepKind.EXECUTE, target=day.executed)
    for judge in day.divinations:
        yield step(StepKind.DIVINE, judge.agent, judge.target, judge.result)
    yield from said(StepKind.WHISPER, day.whispers[early:])
    for who, target in day.guards.items():
        yield step(StepKind.GUARD, who, target)
    if day.attack_votes:
        yield replace(step(StepKind.ATTACK_VOTE), votes=day.attack_votes)
    if day.prey:
        yield step(StepKind.ATTACK, target=day.prey, result=KILLED if day.attacked else GUARDED)
