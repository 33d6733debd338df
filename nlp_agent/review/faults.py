"""What a player knew for certain and did not act upon, what it said that can not be so, and which single votes decided:
from the rules and the record.

Nothing here is likely only: a seer and a medium know their results, whoever is no werewolf knows who called it one
falsely, who has a power knows that a rival lies. Whether it was told is read in the talk. Of slips, too, only that is
told which follows from what was read, from public facts, and from the roles that a village of this size has. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from nlp_agent.game import WOLF_SIDE
from nlp_agent.game.roles import Side
from nlp_agent.protocol import JUDGES, POWER, Role, Species
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Statement, TalkRecord
from nlp_agent.records.game_reader import KILLED, Step, StepKind
from nlp_agent.review.causes import quoted
from nlp_agent.review.course import Course, executed_by
from nlp_agent.text.sentences import sentences_of
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


def faults_of(course: Course, asked: Iterable[Asked] = ()) -> list[Fault]:
    """The faults of a game in the order of its steps; ``asked``: for whose execution somebody plainly called."""
    found = [*_told(course), *_nights(course), *_asked(course, asked)]
    for poll in course.polls:
        for voter, target in poll.votes.items():
            if course.side(voter) is Side.VILLAGER and target not in course.game.wolves:
                own = [*_vote(_Voter(course, poll, voter, target))]
                found += sorted(own, key=lambda one: GRAVEST.index(one.kind))[:1]
    return sorted(found, key=lambda one: one.step)


# --- talk and nights -------------------------------------------------------------------------------------------------


def _told(course: Course) -> Iterator[Fault]:
    game = course.game
    for who, player in course.village.players.items():
        for told in player.results if game.roles[who] in JUDGES else ():
            right = (told.target in game.wolves) == (told.result == Species.WEREWOLF)
            if not right:
                admitted = told.target in game.wolves and course.has_confessed(told.target, told.step)
                kind = "human_confessed" if admitted else "wrong_result"
                yield Fault(told.step, course.steps[told.step].day, who, kind, told.target, result=told.result)


def _asked(course: Course, asked: Iterable[Asked]) -> Iterator[Fault]:
    """The first call of a seer on a day for a vote for whom it had seen to be human, where it cast another."""
    polls, done = course.cast, set[tuple[int, str, str]]()
    for number, who, target in asked:
        day = course.steps[number].day
        seen = any(s.target == target and s.result == Species.HUMAN for s in course.looks(who, number))
        if seen and day in polls and polls[day].get(who) != target and (day, who, target) not in done:
            done.add((day, who, target))
            yield Fault(number, day, who, "asked_human", target)


def _nights(course: Course) -> Iterator[Fault]:
    """Nights that a seer wasted; no idle one after which it was dead: nobody could hear a result. Nor the last one."""
    game, steps = course.game, course.steps
    last = max((poll.day for poll in course.polls), default=0)
    killed = {step.day: step.target for step in steps if step.result == KILLED}
    looked: dict[str, set[str]] = {}
    for step in steps:
        if step.kind is StepKind.DIVINE and step.who in game.roles:
            before = looked.setdefault(step.who, set())
            if step.target in before and step.day < last:
                yield Fault(step.number, step.day, step.who, "wasted", step.target)
            before.add(step.target)
        elif step.kind is StepKind.ATTACK and step.day and any(s.kind is StepKind.DIVINE for s in steps):
            for who in course.alive_at(step):
                tonight = (s for s in steps if s.kind is StepKind.DIVINE and s.day == step.day and s.who == who)
                heard = step.day < last and killed.get(step.day) != who
                if game.roles[who] == Role.SEER and heard and not any(tonight):
                    yield Fault(step.number, step.day, who, "idle")


# --- votes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Voter:
    """A voter of the village's side that voted for ``target``, who was no werewolf."""

    course: Course
    poll: Step
    who: str
    target: str

    def fault(self, kind: str, other: str = "") -> Fault:
        return Fault(self.poll.number, self.poll.day, self.who, kind, self.target, other)

    def claimed(self, name: str) -> set[str]:
        """The powers that ``name`` has claimed by the vote."""
        return set(self.course.village.players[name].claimed(self.poll.number)).intersection(POWER)

    def told(self, name: str) -> dict[str, str]:
        """What ``name`` has told by the vote: target -> result."""
        return {told.target: told.result for told in self.course.village.players[name].told(self.poll.number)}

    def false_accusers(self, role: str) -> list[str]:
        """Who had claimed ``role``, which the voter has, and called its target a werewolf."""
        names = (name for name in self.course.game.names if name != self.who and role in self.claimed(name))
        return [name for name in names if self.told(name).get(self.target) == Species.WEREWOLF]


def _vote(one: _Voter) -> Iterator[Fault]:
    course, game, poll = one.course, one.course.game, one.poll
    role, alive = game.roles[one.who], course.alive_at(poll)
    if role == Role.MEDIUM and game.roles[one.target] == Role.SEER:
        said, own = one.told(one.target), one.told(one.who)
        for name in sorted(course.executed_before(poll.number) & game.wolves):
            if said.get(name) == Species.WEREWOLF:
                yield one.fault("medium_vote" if own.get(name) else "medium_kept", name)
    if role == Role.SEER:
        looks = {look.target: look.result for look in course.looks(one.who, poll.number)}
        if looks.get(one.target) == Species.HUMAN:
            yield one.fault("seen_human")
        for name in sorted(game.wolves.intersection(looks, alive)):
            yield one.fault("seen_wolf", name)
    village = course.side(one.target) is Side.VILLAGER
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
    admitted = course.has_confessed(one.target, poll.number)
    if len(alive) == 3 and game.roles[one.target] == Role.POSSESSED and admitted and one.who != one.target:
        (third,) = (name for name in alive if name not in (one.who, one.target))
        yield one.fault("last_three", third)


# --- single votes that decide ----------------------------------------------------------------------------------------


def swings_of(course: Course) -> Iterator[Swing]:
    """Single votes that were cast and would have avoided the lot or changed it, or who was executed, for their side.

    The village's side is compared with a vote for the werewolf that had most votes of others, the werewolves' side with
    one for whoever of the village had, if that player had any.
    """
    for poll in course.polls:
        if poll.day in course.executed:
            yield from _swings(course, poll, course.executed[poll.day])


def _swings(course: Course, poll: Step, fell: str) -> Iterator[Swing]:
    lot = executed_by(poll.votes)
    if fell not in lot:
        return
    count = Counter(poll.votes.values())
    for side in Side:
        village = side is Side.VILLAGER
        wolf = fell in course.game.wolves
        has_its_way = (wolf and len(lot) == 1) if village else not wolf
        if has_its_way:
            continue
        prey = [
            name for name in count if (name in course.game.wolves if village else course.side(name) is Side.VILLAGER)
        ]
        if not prey:
            continue
        target = max(sorted(prey), key=count.__getitem__)
        found: dict[tuple[str, ...], list[str]] = {}
        for voter, whom in poll.votes.items():
            then = tuple(executed_by({**poll.votes, voter: target}))
            better = target in then and (len(then) == 1 or target not in lot)
            own = course.side(voter) is side
            if own and target not in (voter, whom) and better and list(then) != lot:
                found.setdefault(then, []).append(voter)
        for then, voters in sorted(found.items(), key=lambda one: len(one[0])):
            yield Swing(poll.day, target, tuple(voters), then)


# --- slips: what somebody said that can not be so, whoever spoke the truth else --------------------------------------

INVENTED = ("no_claim", "no_vote", "no_result")
"""Kinds of slips that tell the village what did not happen."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip of ``who`` at the talk of ``step``.

    ``kind``: "no_such_role" (a claim of ``role``, which the village does not have), "too_many_results" (``count`` of
    them after ``most`` nights), "too_many_wolves" (``count`` told, the village has ``most``), "two_colours" (of
    ``target``), "not_executed" (a medium's result of ``target``), "alive" and "executed" (``target`` lives and is
    spoken of as killed, or as executed), "not_voted" (to have voted for ``target``), "vote_human" (announces a vote for
    ``target``, of whom it told that it is human), "no_claim" (of a claim of ``target`` to be ``role``, who had not
    spoken of that role), "no_vote" (of a vote that ``target`` had not cast), "no_result" (of other seers by whose word
    ``target`` is human, where nobody had said so).
    """

    step: int
    day: int
    who: str
    kind: str
    target: str = ""
    role: str = ""
    count: int = 0
    most: int = 0
    quote: str = ""


def slips_of(course: Course, reader: TalkReader) -> list[Slip]:
    """The slips of a game in the order in which they were said, each kind once of each player and target."""
    found: dict[object, Slip] = {}
    kinds = (
        _claims(course),
        _counts(course),
        _results(course, reader),
        _votes(course, reader),
        _deaths(course, reader),
        _invented(course, reader),
    )
    for slip in sorted((slip for kind in kinds for slip in kind), key=lambda slip: slip.step):
        found.setdefault((slip.who, slip.kind, slip.target), slip)
    return list(found.values())


def _claims(course: Course) -> Iterator[Slip]:
    for who, player in course.village.players.items():
        for claim in player.claims:
            if claim.role in POWER and not course.game.role_num_map.get(claim.role):
                yield Slip(claim.step, claim.day, who, "no_such_role", role=claim.role)


def _counts(course: Course) -> Iterator[Slip]:
    """Results that are too many for the nights, or for the werewolves of the village, told by who claims the seer.

    Of the executed a seer may repeat what the medium told.
    """
    most = len(course.game.wolves)
    for who, player in course.village.players.items():
        if set(player.claimed()).intersection(POWER) != {Role.SEER}:
            continue
        looks = wolves = 0
        for told in player.results:
            step = course.steps[told.step]
            if told.target in course.executed_before(told.step):
                continue
            looks, wolves = looks + 1, wolves + (told.result == Species.WEREWOLF)
            if looks > step.day:
                yield Slip(told.step, step.day, who, "too_many_results", count=looks, most=step.day)
            if wolves > most:
                yield Slip(told.step, step.day, who, "too_many_wolves", count=wolves, most=most)


def _results(course: Course, reader: TalkReader) -> Iterator[Slip]:
    """One player whom a claimant called both human and a werewolf; and a medium's result of who was not executed."""
    told: dict[tuple[str, str], str] = {}
    for number, talk in course.heard.items():
        executed = course.executed_before(number)
        for said in talk.statements:
            if said.kind != "result" or talk.role not in JUDGES or said.target == talk.who:
                continue
            before, quote = told.setdefault((talk.who, said.target), said.result), _words(course, talk, reader, said)
            if before != said.result:
                yield Slip(number, talk.day, talk.who, "two_colours", said.target, quote=quote)
            if talk.role == said.role == Role.MEDIUM and said.target not in executed:
                yield Slip(number, talk.day, talk.who, "not_executed", said.target, quote=quote)


def _votes(course: Course, reader: TalkReader) -> Iterator[Slip]:
    """Who told of a vote that it had not cast, or announced one for somebody whom it had called human.

    Who claims the same power may be human and lie all the same.
    """
    cast = course.cast
    for number, talk in course.heard.items():
        for said in talk.statements:
            if said.kind == "voted" and talk.day in cast:
                if not any(votes.get(talk.who) == said.target for day, votes in cast.items() if day < talk.day):
                    quote = _words(course, talk, reader, said)
                    yield Slip(number, talk.day, talk.who, "not_voted", said.target, quote=quote)
            elif said.kind == "vote" and called_human(course.village, talk.who, said.target, number):
                quote = _words(course, talk, reader, said)
                yield Slip(number, talk.day, talk.who, "vote_human", said.target, quote=quote)


def called_human(village: VillageView, who: str, target: str, before: int) -> bool:
    """Whether ``who`` had told a result by which ``target`` is human, and not as two who claim the same power; who has
    confessed to be of the wolves' side contradicts nothing by a vote.
    """
    player, other = village.players[who], village.players[target]
    if not WOLF_SIDE.isdisjoint(player.claimed(before + 1)):
        return False
    told = player in village.tellers(target, Species.HUMAN, before)
    return told and not set(player.claimed()).intersection(other.claimed(), POWER)


def _deaths(course: Course, reader: TalkReader) -> Iterator[Slip]:
    """Who spoke of somebody as dead who was alive; a bodyguard may know that an attack failed."""
    players = tuple(sorted(course.game.names))
    for number, talk in course.heard.items():
        for one in sorted(reader.dead_in(talk.talk.text, players)):
            name, how = one
            guard = how == "killed" and course.game.roles[talk.who] == Role.BODYGUARD
            if name in course.alive_at(course.steps[number]) and name != talk.who and not guard:
                sentences = sentences_of(" ".join(talk.talk.text.split()))
                quote = next((said for said in sentences if one in reader.dead_in(said, players)), talk.talk.text)
                kind = "alive" if how == "killed" else "executed"
                yield Slip(number, talk.day, talk.who, kind, name, quote=quote.strip())


def _invented(course: Course, reader: TalkReader) -> Iterator[Slip]:
    """Who told of a claim, a vote or a result of others that nobody had made: only where no word of it is found."""
    game, heard = course.game, course.heard
    plain, roles = reader.rules.plain, reader.rules.roles
    title = f"(?:{'|'.join(reader.rules.after_name)})?" if reader.rules.after_name else ""
    names = {name: f"@?{re.escape(name)}{title}" for name in game.names}
    words = {role: "|".join(f"(?:{one})" for one in texts) for role, texts in roles.items()}

    def said(key: str, text: str, **slots: str) -> bool:
        filled_in = (_filled(pattern, slots) for pattern in plain.get(key, ()))
        return any(re.search(pattern, text, re.IGNORECASE) for pattern in filled_in)

    for number, talk in heard.items():
        before = [one for step, one in heard.items() if step < number]
        for sentence in sentences_of(" ".join(talk.talk.text.split())):
            quote = sentence.strip()
            if quote.endswith(("?", "？")) and not quote.startswith("@"):
                continue
            for name in (name for name in game.names if name in sentence):
                own = [one.talk.text for one in before if one.who == name]
                for role in POWER if name != talk.who else ():
                    if said("says_role", sentence, name=names[name], role=f"(?:{words.get(role, '(?!)')})"):
                        claim, players = Statement("claim", role=role), tuple(sorted(game.names))
                        if not any(reader.supports(text, players, claim) or said("says_co", text) for text in own):
                            yield Slip(number, talk.day, talk.who, "no_claim", name, role, quote=quote)
                cast = course.cast.get(talk.day - 1, {}).get(name, "")
                for other in game.names if cast and name != talk.who else ():
                    if other not in (cast, name) and said("says_vote", sentence, name=names[name], other=names[other]):
                        yield Slip(number, talk.day, talk.who, "no_vote", name, quote=quote)
                if said("says_cleared", sentence, name=names[name]):
                    others = (s for one in before if one.who != talk.who for s in sentences_of(one.talk.text))
                    if not any(name in other and said("colour", other) for other in others):
                        yield Slip(number, talk.day, talk.who, "no_result", name, quote=quote)


def _filled(pattern: str, slots: Mapping[str, str]) -> str:
    for slot, meant in slots.items():
        pattern = pattern.replace(f"{{{slot}}}", meant)
    return pattern


def _words(course: Course, talk: TalkRecord, reader: TalkReader, said: Statement) -> str:
    return quoted(talk.talk.text, reader, course.game.names, lambda one: one == said)
