"""A recorded game played on from one of its moments, with the roles as they were and players without a model.

A :class:`Line` is a course of events and how much of it is kept; :func:`play_on` plays what comes after it. The same
line and seed give the same game. Kept are roles, talk, votes and what was done at night, so every player knows what
its player in the record knew. Played on is in turns and in the plainest words, with :data:`TALKS` a day: a group chat
goes on so as well. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from nlp_agent.arena import events
from nlp_agent.arena.chance import Character, SeededChance
from nlp_agent.arena.engine import NO_WINNER, Budget, Game, Steps
from nlp_agent.arena.in_process import play_out
from nlp_agent.arena.village import Village, contest_village
from nlp_agent.game import SeatState
from nlp_agent.planning.lies import Story
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.protocol import SKIP, Judge, Packet, Request, Role, Talk
from nlp_agent.reading.reader import TalkReader, TalksBefore
from nlp_agent.reading.statement import Reading
from nlp_agent.records.game_reader import KILLED, RecordedGame, Step, StepKind
from nlp_agent.study.talker import PlainTalker

TALKS = 2
"""Talks a day of each player in what is played on: enough to claim, to answer and to announce a vote."""
DAYS_MORE = 12
"""Days after which a game that is played on ends undecided."""

# --- A course of events ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """The game as it went, or as it would have gone with one deed changed, up to a moment.

    ``kept`` are the steps that are told, ``begins`` the phase (day, phase of the day) from which on it is played:
    what lies before is over, even if nothing was recorded there.
    """

    game: RecordedGame
    kept: tuple[Step, ...]
    begins: tuple[int, int]

    @cached_property
    def by_phase(self) -> dict[tuple[int, int], list[Step]]:
        """The steps that are kept of each phase."""
        found: dict[tuple[int, int], list[Step]] = {}
        for step, rank in zip(self.kept, phases(self.kept), strict=True):
            found.setdefault(rank, []).append(step)
        return found


def after(game: RecordedGame, steps: Sequence[Step], *deeds: Step) -> Line:
    """The game up to the last of ``deeds``, which stand in the places of the steps of their numbers, and no further.

    ``steps`` are those of the game; a step's number is its place. A talk leaves the day's talk open.
    """
    course = list(steps)
    for deed in deeds:
        course[deed.number] = deed
    kept = tuple(course[: max(deed.number for deed in deeds) + 1])
    day, phase = phases(kept)[-1]
    return Line(game, kept, (day, phase + (kept[-1].talk is None)))


def unsaid(step: Step) -> Step:
    """The talk of ``step`` as if its speaker had skipped it."""
    talk = step.talk
    return step if talk is None else replace(step, talk=Talk.of(talk.idx, talk.day, talk.turn, talk.agent, SKIP))


_DAWN, _EARLY_WHISPER, _TALK, _VOTE, _DIVINE, _WHISPER, _GUARD, _ATTACK, _END = range(9)
"""The phases of a day in their order."""
_PHASES = {
    StepKind.DAWN: _DAWN,
    StepKind.TALK: _TALK,
    StepKind.VOTE: _VOTE,
    StepKind.EXECUTE: _VOTE,
    StepKind.DIVINE: _DIVINE,
    StepKind.MEDIUM: _DIVINE,
    StepKind.GUARD: _GUARD,
    StepKind.ATTACK_VOTE: _ATTACK,
    StepKind.ATTACK: _ATTACK,
    StepKind.RESULT: _END,
}


def phases(steps: Sequence[Step]) -> list[tuple[int, int]]:
    """Tell when each of the ``steps`` is: (day, phase of the day)."""
    found: list[tuple[int, int]] = []
    day, begun = -1, False
    for step in steps:
        begun = begun and step.day == day
        day, begun = step.day, begun or step.kind not in (StepKind.DAWN, StepKind.WHISPER)
        whisper = _WHISPER if begun or day else _EARLY_WHISPER
        found.append((day, _PHASES.get(step.kind, whisper)))
    return found


# --- The referee of such a game --------------------------------------------------------------------------------------


class ResumedGame(Game):
    """The rules of a game whose beginning has been played: that is told to the seats, the rest is asked of them."""

    def __init__(self, line: Line, village: Village, seed: int | str) -> None:
        game = line.game
        cast = [Character(name) for name in game.names]
        guests = [f"seat{number}" for number in range(len(game.players))]
        super().__init__(village, guests, _AsRecorded(game, seed), cast=cast, game_id=game.name or "review")
        self._kept, self._begins = line.by_phase, line.begins
        self._whispered: set[int] = set()

    def _of(self, phase: int) -> list[Step]:
        """What is kept of today's ``phase``."""
        return self._kept.get((self.day, phase), [])

    def _over(self, phase: int) -> bool:
        """Whether today's ``phase`` lies wholly before the moment from which on the game is played."""
        return (self.day, phase) < self._begins

    def _seat(self, name: str) -> int:
        return self._by_name[name]

    # --- talk ----------------------------------------------------------------------------------------------------

    def _converse(self, request: Request, seats: list[int]) -> Steps:
        phase = _TALK
        if request is Request.WHISPER:
            phase = _WHISPER if self.day or self._whispered else _EARLY_WHISPER
            self._whispered.add(self.day)
        kept = [step.talk for step in self._of(phase) if step.talk is not None and step.talk.agent in self._by_name]
        for number, talk in enumerate(kept):
            self._talked(request, self._seat(talk.agent), number // max(1, len(seats)), talk.text)
        if not self._over(phase) and len(seats) > 1:
            yield from self._go_on(request, seats, kept)

    def _go_on(self, request: Request, seats: list[int], kept: Sequence[Talk]) -> Steps:
        """The rest of a phase, in turns, beginning behind whoever spoke last."""
        setting = self.village.talk_setting(request)
        order = _after_last([self._seat(talk.agent) for talk in kept], list(self._chance.speaking_order(seats)))
        budgets = {seat: Budget.of(setting) for seat in order}
        for talk in kept:
            if (budget := budgets.get(self._seat(talk.agent))) is not None:
                # Whoever has not said Over keeps a word: it may be answered or voted yet.
                budget.count = max(1, budget.count - 1)
                budget.over = budget.over or talk.over
        for turn in range(setting.max_count.per_day):
            asked = [seat for seat in order if budgets[seat].may_speak]
            for seat in asked:
                budget = budgets[seat]
                before, budget.count = budget.count, budget.count - 1
                reply = yield from self._ask(seat, request, (before, budget.length, budget.skips))
                self._talked(request, seat, turn, self._utterance(request, seat, budget, reply))
            if all(budgets[seat].over for seat in asked):
                return

    # --- votes and nights ------------------------------------------------------------------------------------------

    def _execute(self) -> Steps:
        if not self._over(_VOTE):
            yield from super()._execute()
            return
        kept = self._of(_VOTE)
        self._told_votes(Request.VOTE, [step for step in kept if step.kind is StepKind.VOTE])
        target = next((self._seat(s.target) for s in kept if s.kind is StepKind.EXECUTE and s.target), None)
        if target is not None:
            self._alive[target] = False
        self._emit(events.Executed(self.day, target))

    def _attack(self) -> Steps:
        if not self._over(_ATTACK):
            yield from super()._attack()
            return
        kept = self._of(_ATTACK)
        self._told_votes(Request.ATTACK, [step for step in kept if step.kind is StepKind.ATTACK_VOTE])
        for step in kept:
            if step.kind is StepKind.ATTACK and step.target:
                target, killed = self._seat(step.target), step.result == KILLED
                self._alive[target] = self._alive[target] and not killed
                self._emit(events.Attacked(self.day, target, killed=killed))

    def _told_votes(self, request: Request, polls: Sequence[Step]) -> None:
        for poll in polls:
            self._emit(events.PollOpened(self.day, request))
            for voter, target in poll.votes.items():
                self._emit(events.Voted(self.day, request, self._seat(voter), self._seat(target)))

    def _divine(self) -> Steps:
        if not self._over(_DIVINE):
            yield from super()._divine()
        for step in self._of(_DIVINE):
            if step.kind is StepKind.DIVINE and step.target in self._by_name:
                self._emit(events.Divined(self.day, self._seat(step.who), self._seat(step.target)))

    def _protect(self) -> Steps:
        if not self._over(_GUARD):
            yield from super()._protect()
        for step in self._of(_GUARD):
            self._guard = (self._seat(step.who), self._seat(step.target))
            self._emit(events.Guarded(self.day, *self._guard))


def _after_last(spoken: Sequence[int], order: list[int]) -> list[int]:
    """``order`` as it was seen today, beginning behind the last one of those who have ``spoken``."""
    seen = [seat for seat in dict.fromkeys(spoken) if seat in order]
    order = seen + [seat for seat in order if seat not in seen]
    place = order.index(spoken[-1]) + 1 if spoken and spoken[-1] in order else 0
    return order[place:] + order[:place]


class _AsRecorded(SeededChance):
    """The deal of a record; all else by chance."""

    def __init__(self, game: RecordedGame, seed: int | str) -> None:
        super().__init__(seed)
        self._roles = [player.role for player in game.players]

    def roles(self, pool: Sequence[str]) -> Sequence[str]:
        return self._roles

    def characters(self, cast: Sequence[Character], count: int) -> Sequence[Character]:
        return cast


# --- Its players -----------------------------------------------------------------------------------------------------


class RecordReader(TalkReader):
    """Reads what was said in the record by its language's pack, and what is said after it by the plain English one.

    Readings of the record are kept: every game played on begins with the same talks.
    """

    def __init__(self, names: Sequence[str], recorded: TalkReader, plain: TalkReader) -> None:
        super().__init__(recorded.rules)
        self._recorded, self._plain, self._players = recorded, plain, tuple(sorted(names))
        self._readings: dict[str, Reading] = {}
        self.spoken: set[str] = set()
        """What has been said in plain words."""

    def heard(self, talk: Talk, before: TalksBefore) -> Reading:
        """Read what ``talk`` says: by the plain pack where it was said in plain words."""
        text = " ".join(talk.text.split())
        if text in self.spoken:
            return self._plain.read(text, self._players)
        if text not in self._readings:
            self._readings[text] = self._recorded.read(text, self._players)
        return self._readings[text]


class Successor(PlainTalker):
    """Sits down where a player of the record sat, and keeps to what that one had claimed and told."""

    def __init__(self, reader: RecordReader, seed: int) -> None:
        super().__init__(reader, seed)
        self._record_reader, self.asked = reader, False

    def hear(self, packet: Packet) -> Planner:
        """Take in a packet; with the first request, the player goes on with the story that its predecessor lived in."""
        planner = super().hear(packet)
        if packet.needs_reply and not self.asked:
            self.asked = True
            planner.story = story_so_far(self.state, planner)
        return planner

    def say(self, planner: Planner, request: Request, plan: TalkPlan) -> tuple[str, TalkPlan]:
        """Say the plan in plain words, and remember that these are plain."""
        text, plan = super().say(planner, request, plan)
        self._record_reader.spoken.add(" ".join(text.split()))
        return text, plan


def story_so_far(state: SeatState, planner: Planner) -> Story:
    """The story in which a liar goes on: with the role that it claims and the results that it has told."""
    story, claimed = planner.story, planner.ledger.claim(state.me)
    if not story.lies or not claimed:
        return story
    told = planner.ledger.results.get(state.me, ())
    results = {
        night: Judge(day=night, agent=state.me, target=result.target, result=result.result)
        for night, result in enumerate(told)
    }
    return replace(story, role=claimed, results=results if claimed == Role.SEER else {})


def village_for(game: RecordedGame) -> Village:
    """The village of ``game`` with the few talks of what is played on."""
    last = max((day.day for day in game.days), default=0)
    roles = game.role_num_map
    return contest_village(len(game.players), "en", roles=roles, talks=TALKS, max_day=last + DAYS_MORE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The side that won, ``""`` where nobody did; ``decided``: by the rules alone, since nobody was asked anything."""

    winner: str
    decided: bool


def play_on(line: Line, reader: RecordReader, seed: int) -> Outcome:
    """Play ``line`` on with ``seed``, and return how it ends."""
    game = ResumedGame(line, village_for(line.game), seed)
    players = [Successor(reader, seed * 100 + number) for number in range(len(game.seats))]
    play_out(game, players)
    return Outcome("" if game.winner == NO_WINNER else game.winner, not any(player.asked for player in players))
