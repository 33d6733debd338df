"""What a player knew for certain and did not act upon, and which single votes decided: from the rules and the record.

Nothing here is likely only: a seer and a medium know their results, whoever is no werewolf knows who called it one
falsely, who has a power knows that a rival lies. Whether it was told is read in the talk. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nlp_agent.game.roles import Side, role_spec
from nlp_agent.protocol import JUDGES, POWER, Role, Species
from nlp_agent.records.game_reader import KILLED, RecordedGame, Step, StepKind
from nlp_agent.review.plan import alive_at, executed_before, executed_by
from nlp_agent.web.village_view import VillageView

VOTES = (
    "medium_kept",
    "medium_vote",
    "seen_human",
    "seen_wolf",
    "own_rival",
    "called_rival",
    "called_wolf",
    "believed_rival",
    "last_three",
)
"""Faults of a vote, the gravest first."""
TOLD = ("human_confessed", "wrong_result")
"""Faults of a talk."""
ASKED = ("asked_human",)
"""Calls for a vote against what a seer has seen."""
NIGHTS = ("idle", "wasted")
"""Faults of a night, by a seer."""
GRAVEST = (*TOLD, *VOTES, *ASKED, *NIGHTS)


@dataclass(frozen=True, slots=True)
class Fault:
    """What ``who`` did against what it knew, at ``step``.

    ``kind`` is "human_confessed" (a true seer told that ``target`` is human, who had confessed to be a werewolf),
    "wrong_result" (a true seer or medium told a false ``result`` of ``target``), "medium_kept" and "medium_vote" (voted
    for the seer ``target``, whose result of ``other`` it knew to be right, and told that nobody, or told it),
    "seen_human" (a seer voted for ``target``, whom it had seen), "seen_wolf" (it had seen the living werewolf
    ``other``), "own_rival" (``other`` claimed its power), "called_rival" (``other`` had called it a werewolf, and
    ``target`` was the seer), "called_wolf" (``other``, who had called it a werewolf, lived), "believed_rival" (
    ``other``, who had claimed its power, had called ``target`` a werewolf), "asked_human" (a seer called for a vote
    for ``target``, whom it had seen, and cast another), "last_three" (``target``
    had confessed to be the possessed, and ``other`` was the third), "idle" (a seer looked at nobody) or "wasted" (it
    looked at ``target`` again).
    """

    step: int
    day: int
    who: str
    kind: str
    target: str = ""
    other: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class Swing:
    """A vote for ``target`` by a single one of ``voters`` would have made those ``then`` have most votes: one of them
    is executed, by lot if they are several.
    """

    day: int
    target: str
    voters: tuple[str, ...]
    then: tuple[str, ...]


Asked = tuple[int, str, str]
"""(step, who, target): a talk that calls for a vote for somebody."""


def faults_of(
    game: RecordedGame,
    steps: Sequence[Step],
    village: VillageView,
    confessed: Mapping[str, int],
    asked: Iterable[Asked] = (),
) -> list[Fault]:
    """The faults of a game in the order of its steps; ``asked``: for whose execution somebody plainly called."""
    found = [*_told(game, steps, village, confessed), *_nights(game, steps), *_asked(steps, asked)]
    for poll in steps:
        if poll.kind is StepKind.VOTE:
            for voter, target in poll.votes.items():
                if role_spec(game.roles[voter]).side is Side.VILLAGER and game.roles[target] != Role.WEREWOLF:
                    own = [*_vote(_Voter(game, steps, village, confessed, poll, voter, target))]
                    found += sorted(own, key=lambda one: GRAVEST.index(one.kind))[:1]
    return sorted(found, key=lambda one: one.step)


# --- talk and nights -------------------------------------------------------------------------------------------------


def _told(
    game: RecordedGame, steps: Sequence[Step], village: VillageView, confessed: Mapping[str, int]
) -> Iterator[Fault]:
    for who, player in village.players.items():
        for told in player.results if game.roles[who] in JUDGES else ():
            right = (game.roles[told.target] == Role.WEREWOLF) == (told.result == Species.WEREWOLF)
            if not right:
                admitted = told.target in game.wolves and confessed.get(told.target, told.step) < told.step
                kind = "human_confessed" if admitted else "wrong_result"
                yield Fault(told.step, steps[told.step].day, who, kind, told.target, result=told.result)


def _asked(steps: Sequence[Step], asked: Iterable[Asked]) -> Iterator[Fault]:
    """The first call of a seer on a day for a vote for whom it had seen to be human, where it cast another."""
    polls, done = {step.day: step.votes for step in steps if step.kind is StepKind.VOTE}, set[tuple[int, str, str]]()
    for number, who, target in asked:
        day = steps[number].day
        looks = (s for s in steps[:number] if s.kind is StepKind.DIVINE and s.who == who)
        seen = any(s.target == target and s.result == Species.HUMAN for s in looks)
        if seen and day in polls and polls[day].get(who) != target and (day, who, target) not in done:
            done.add((day, who, target))
            yield Fault(number, day, who, "asked_human", target)


def _nights(game: RecordedGame, steps: Sequence[Step]) -> Iterator[Fault]:
    """Nights that a seer wasted; no idle one after which it was dead: nobody could hear a result. Nor the last one."""
    last = max((step.day for step in steps if step.kind is StepKind.VOTE), default=0)
    killed = {step.day: step.target for step in steps if step.kind is StepKind.ATTACK and step.result == KILLED}
    looked: dict[str, set[str]] = {}
    for step in steps:
        if step.kind is StepKind.DIVINE and step.who in game.roles:
            before = looked.setdefault(step.who, set())
            if step.target in before and step.day < last:
                yield Fault(step.number, step.day, step.who, "wasted", step.target)
            before.add(step.target)
        elif step.kind is StepKind.ATTACK and step.day and any(s.kind is StepKind.DIVINE for s in steps):
            for who in alive_at(steps, step):
                tonight = (s for s in steps if s.kind is StepKind.DIVINE and s.day == step.day and s.who == who)
                heard = step.day < last and killed.get(step.day) != who
                if game.roles[who] == Role.SEER and heard and not any(tonight):
                    yield Fault(step.number, step.day, who, "idle")


# --- votes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Voter:
    """A voter of the village's side that voted for ``target``, who was no werewolf."""

    game: RecordedGame
    steps: Sequence[Step]
    village: VillageView
    confessed: Mapping[str, int]
    poll: Step
    who: str
    target: str

    def fault(self, kind: str, other: str = "") -> Fault:
        return Fault(self.poll.number, self.poll.day, self.who, kind, self.target, other)

    def claimed(self, name: str) -> set[str]:
        """The powers that ``name`` has claimed by the vote."""
        return set(self.village.players[name].claimed(self.poll.number)).intersection(POWER)

    def told(self, name: str) -> dict[str, str]:
        """What ``name`` has told by the vote: target -> result."""
        return {told.target: told.result for told in self.village.players[name].told(self.poll.number)}

    def false_accusers(self, role: str) -> list[str]:
        """Who had claimed ``role``, which the voter has, and called its target a werewolf."""
        names = (name for name in self.game.names if name != self.who and role in self.claimed(name))
        return [name for name in names if self.told(name).get(self.target) == Species.WEREWOLF]


def _vote(one: _Voter) -> Iterator[Fault]:
    game, poll, role = one.game, one.poll, one.game.roles[one.who]
    alive = alive_at(one.steps, poll)
    if role == Role.MEDIUM and game.roles[one.target] == Role.SEER:
        executed = executed_before(one.steps, poll.number)
        said, own = one.told(one.target), one.told(one.who)
        for name in sorted(executed & game.wolves):
            if said.get(name) == Species.WEREWOLF:
                yield one.fault("medium_vote" if own.get(name) else "medium_kept", name)
    if role == Role.SEER:
        looks = {s.target: s.result for s in one.steps[: poll.number] if s.kind is StepKind.DIVINE and s.who == one.who}
        if looks.get(one.target) == Species.HUMAN:
            yield one.fault("seen_human")
        for name in sorted(game.wolves.intersection(looks, alive)):
            yield one.fault("seen_wolf", name)
    village = role_spec(game.roles[one.target]).side is Side.VILLAGER
    rivals = [name for name in alive if name in game.wolves and role in one.claimed(name)]
    if role in POWER and role not in one.claimed(one.target) and rivals:
        yield one.fault("own_rival", rivals[0])
    if role in JUDGES and village and role not in one.claimed(one.target):
        yield from (one.fault("believed_rival", name) for name in one.false_accusers(role))
    accusers = [name for name in game.names if one.told(name).get(one.who) == Species.WEREWOLF and name != one.who]
    liars = [name for name in accusers if game.roles[name] not in JUDGES]
    for name in liars if village else ():
        if game.roles[one.target] == Role.SEER and Role.SEER in one.claimed(name) & one.claimed(one.target):
            yield one.fault("called_rival", name)
        elif name in alive and name in game.wolves:
            yield one.fault("called_wolf", name)
    admitted = one.confessed.get(one.target, poll.number) < poll.number
    if len(alive) == 3 and game.roles[one.target] == Role.POSSESSED and admitted and one.who != one.target:
        (third,) = (name for name in alive if name not in (one.who, one.target))
        yield one.fault("last_three", third)


# --- single votes that decide ----------------------------------------------------------------------------------------


def swings_of(game: RecordedGame, poll: Step, fell: str) -> Iterator[Swing]:
    """Single votes that were cast and would have avoided the lot or changed it, or who was executed, for their side.

    The village's side is compared with a vote for the werewolf that had most votes of others, the werewolves' side with
    one for whoever of the village had, if that player had any.
    """
    lot = executed_by(poll.votes)
    if fell not in lot:
        return
    count = Counter(poll.votes.values())
    for side in Side:
        village = side is Side.VILLAGER
        wolf = game.roles[fell] == Role.WEREWOLF
        has_its_way = (wolf and len(lot) == 1) if village else not wolf
        if has_its_way:
            continue
        prey = [
            name
            for name in count
            if (game.roles[name] == Role.WEREWOLF if village else role_spec(game.roles[name]).side is Side.VILLAGER)
        ]
        if not prey:
            continue
        target = max(sorted(prey), key=count.__getitem__)
        found: dict[tuple[str, ...], list[str]] = {}
        for voter, whom in poll.votes.items():
            then = tuple(executed_by({**poll.votes, voter: target}))
            better = target in then and (len(then) == 1 or target not in lot)
            own = role_spec(game.roles[voter]).side is side
            if own and target not in (voter, whom) and better and list(then) != lot:
                found.setdefault(then, []).append(voter)
        for then, voters in sorted(found.items(), key=lambda one: len(one[0])):
            yield Swing(poll.day, target, tuple(voters), then)
