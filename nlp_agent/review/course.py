"""How a finished game went, as a review takes it for a fact: its steps, what was read of its talk, and what follows by
the rules. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from nlp_agent.arena.engine import leaders
from nlp_agent.game import WOLF_SIDE
from nlp_agent.game.roles import UNDECIDED, Side, role_spec, winning_side
from nlp_agent.protocol import JUDGES, Role
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import TalkRecord
from nlp_agent.records.game_reader import KILLED, RecordedGame, Step, StepKind, steps_of
from nlp_agent.web.village_view import VillageView, village_of


@dataclass(frozen=True)
class Course:
    """The course of ``game``. ``village``: what was claimed and told, as it was read; ``heard``: the number of a step
    -> its talk as it was read.
    """

    game: RecordedGame
    steps: tuple[Step, ...]
    village: VillageView
    heard: Mapping[int, TalkRecord]

    def side(self, who: str) -> Side:
        """The side for which the player played."""
        return role_spec(self.game.roles[who]).side

    @cached_property
    def polls(self) -> list[Step]:
        """The votes, day by day."""
        return [step for step in self.steps if step.kind is StepKind.VOTE]

    @cached_property
    def cast(self) -> Mapping[int, Mapping[str, str]]:
        """Who voted for whom on each day."""
        return {poll.day: poll.votes for poll in self.polls}

    @cached_property
    def executed(self) -> Mapping[int, str]:
        """The player who was executed on each day."""
        return {step.day: step.target for step in self.steps if step.kind is StepKind.EXECUTE}

    def executed_before(self, number: int) -> set[str]:
        """The players who had been executed by the step ``number``."""
        return {step.target for step in self.steps[:number] if step.kind is StepKind.EXECUTE}

    def killed_before(self, number: int) -> set[str]:
        """The players whom the werewolves had killed by the step ``number``."""
        return {step.target for step in self.steps[:number] if step.result == KILLED}

    def looks(self, who: str, before: int | None = None) -> list[Step]:
        """The looks of the seer ``who``, those by the step ``before`` if one is named."""
        return [step for step in self.steps[:before] if step.kind is StepKind.DIVINE and step.who == who]

    def alive_at(self, step: Step) -> list[str]:
        """The players who live when ``step`` happens, as the last dawn and what was done since tell."""
        alive: list[str] = []
        for each in self.steps[: step.number]:
            if each.kind is StepKind.DAWN:
                alive = list(each.alive)
            elif each.kind is StepKind.EXECUTE or each.result == KILLED:
                alive = [name for name in alive if name != each.target]
        return alive

    def talks_before(self, poll: Step) -> dict[int, TalkRecord]:
        """The talks of the day of ``poll`` by its step's number."""
        return {n: talk for n, talk in self.heard.items() if talk.day == poll.day and n < poll.number}

    @cached_property
    def confessed(self) -> Mapping[str, int]:
        """Who of the wolves' side said that it is a werewolf or the possessed, as it was, and the step of that."""
        found: dict[str, int] = {}
        for name, player in self.village.players.items():
            for claim in player.claims:
                if claim.role in WOLF_SIDE and claim.role == self.game.roles[name]:
                    found.setdefault(name, claim.step)
        return found

    def has_confessed(self, who: str, before: int) -> bool:
        """Whether ``who`` had said before the step ``before`` that it is of the wolves' side, as it was."""
        return self.confessed.get(who, before) < before

    @property
    def telling_steps(self) -> set[int]:
        """The talks in which somebody claimed a role, took the claim back, or told a result.

        To call oneself a villager is no claim: all of the village do, and all of the wolves' side may.
        """
        players = self.village.players.values()
        claims = (claim for one in players for claim in one.claims if claim.role != Role.VILLAGER)
        told = {result.step for one in players for result in one.results}
        return told.union((claim.step for claim in claims), *(one.took_back for one in players))

    def lost_at(self, step: Step) -> bool:
        """Whether at ``step`` any kill would have made the living werewolves as many as the others."""
        alive = self.alive_at(step)
        wolves = sum(name in self.game.wolves for name in alive)
        return 0 < wolves >= len(alive) - wolves - 1

    # --- what a vote could change --------------------------------------------------------------------------------

    def end_of(self, alive: Iterable[str]) -> str:
        """The side that has won with these ``alive``, ``""`` if the game goes on."""
        side = winning_side(self.game.roles, tuple(alive))
        return "" if side == UNDECIDED else side

    def same_end(self, alive: Sequence[str], *names: str) -> bool:
        """Whether it does not matter which of ``names`` is executed: it is one player, or the same side wins at
        once.
        """
        ends = {self.end_of(one for one in alive if one != name) for name in names}
        return len(set(names)) < 2 or (len(ends) == 1 and ends != {""})

    def is_vain(self, poll: Step, who: str) -> bool:
        """Whether no vote of ``who`` could have changed who was executed at ``poll``, or who had won by that."""
        alive = self.alive_at(poll)
        ways = {tuple(executed_by({**poll.votes, who: name})) for name in alive} | {tuple(executed_by(poll.votes))}
        return len(ways) == 1 or self.same_end(alive, *(name for way in ways for name in way))

    def village_vain(self, poll: Step) -> bool:
        """Whether the votes of the wolves' side decided ``poll``, however the living of the village had voted."""
        alive = self.alive_at(poll)
        village = [name for name in alive if self.side(name) is Side.VILLAGER]
        votes = [target for who, target in poll.votes.items() if who not in village]
        most = max(votes, key=votes.count, default="")
        rest = max((votes.count(name) for name in alive if name != most), default=0)
        return votes.count(most) > rest + len(village) or self.same_end(alive, *alive)


def executed_by(votes: Mapping[str, str]) -> list[str]:
    """The players with the most votes; of several one is executed by chance."""
    names = sorted(set(votes.values()))
    return [names[place] for place in leaders(names.index(target) for target in votes.values())]


# --- How the course is read from a record ----------------------------------------------------------------------------


def course_of(game: RecordedGame, reader: TalkReader) -> Course:
    """Read the course of ``game``, its talk by ``reader``."""
    steps, ledger = _with_lost(game, steps_of(game)), Ledger(reader, players=tuple(sorted(game.names)))
    village = village_of(game, ledger)
    talks = (step for step in steps if step.kind is StepKind.TALK and step.talk is not None and step.talk.said)
    numbers = (talk.number for talk in talks if talk.who in game.names)
    course = Course(game, steps, village, dict(zip(numbers, ledger.heard, strict=True)))
    _keep_surely_told(course, reader)
    return course


def _with_lost(game: RecordedGame, steps: Sequence[Step]) -> tuple[Step, ...]:
    """``steps`` in which a player whose seat was lost is alive until something kills it: the record does not say."""
    lost = {name for day in game.days for name in day.lost}
    if not lost:
        return tuple(steps)
    found: list[Step] = []
    for step in steps:
        if step.kind is not StepKind.DAWN:
            found.append(step)
        else:
            dead = {s.target for s in found if s.kind is StepKind.EXECUTE or s.result == KILLED}
            alive = tuple(name for name in game.names if name in step.alive or name in lost - dead)
            found.append(replace(step, alive=alive))
    return tuple(found)


def _keep_surely_told(course: Course, reader: TalkReader) -> None:
    """Take from the village of ``course`` what may have been somebody else's words: of a player of the village's side
    a power that it does not have, and results, where no sentence of the talk claims the power itself; and what a true
    seer says of somebody executed at whom it had not looked, which is no result of its own.

    The reader of talk may take a report for the speaker's own words ("by the seer's result Ann is human"). While a game
    goes on nobody can know better; afterwards the roles are known.
    """
    players = tuple(sorted(course.game.names))

    def claims(step: int) -> bool:
        talk = course.steps[step].talk
        return talk is not None and any(one.kind == "claim" for one in reader.read(talk.text, players).statements)

    for name, player in course.village.players.items():
        role = course.game.roles[name]
        if course.side(name) is not Side.VILLAGER:
            continue
        kept = [claim for claim in player.claims if claim.role in (role, Role.VILLAGER) or claims(claim.step)]
        dropped = {claim.step for claim in player.claims} - {claim.step for claim in kept}
        if role not in JUDGES:
            own = {claim.role for claim in kept} & set(JUDGES)
            player.results = [told for told in player.results if own and told.step not in dropped]
        if role == Role.SEER:
            player.results = [
                told
                for told in player.results
                if told.target in course.alive_at(course.steps[told.step])
                or told.target not in course.executed_before(told.step)
                or any(look.target == told.target for look in course.looks(name, told.step))
            ]
        player.claims = kept
        player.claim = player.claim if not dropped else kept[-1].role if kept else ""
