"""The review of one finished game: its deeds and moments, played on many times, put together.

:func:`prepare` finds what is to be played and what could be known; :func:`rounds` cuts the playing into pieces for any
number of processes, and :func:`play_round` plays one; a :class:`GameReview` is made of whatever has been played. The
same game and number of games give the same review, on any number of cores. Pure but for the packs it loads.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from nlp_agent.app.wiring.replay_insight import OnlookerOpinion, onlooker_opinions
from nlp_agent.errors import StudyError
from nlp_agent.game import WOLF_SIDE
from nlp_agent.game.roles import Side
from nlp_agent.prompting import load_pack
from nlp_agent.prompting.detect_language import language_of
from nlp_agent.protocol import Role, Species
from nlp_agent.reading.reader import TalkReader
from nlp_agent.records.game_reader import GUARDED, RecordedGame, Step, StepKind
from nlp_agent.review.causes import VOTE, Announced, Cause, Ear, causes_of, quoted
from nlp_agent.review.course import Course, course_of, executed_by
from nlp_agent.review.faults import TOLD, Asked, Fault, Slip, Swing, faults_of, slips_of, swings_of
from nlp_agent.review.knowledge import Deduction, VoteKnowledge, deductions, known_since, vote_knowledge
from nlp_agent.review.plan import Deed, Lines, Moment, deeds_of, moments_of
from nlp_agent.review.play_on import Outcome, RecordReader, play_on
from nlp_agent.study.logs import vote_moments
from nlp_agent.study.statistics import wilson

# --- What is to be played --------------------------------------------------------------------------------------------

GAMES = {5: 24, 9: 8}
"""Games from each moment, by the largest village that plays as many."""
FEWEST = 6
"""Games from each moment of larger villages."""
MORE = 2
"""So many times as many games are played again, with other seeds, where the first seemed to show a change."""
A_ROUND = 4
"""Games of every position that are played before the next ones of the first."""
ENOUGH = 24
"""Games each way from which on a difference is told, unless it was counted."""


def usual_games(players: int) -> int:
    """The number of games that are played from each moment where nothing else is said: fewer where one takes long."""
    return next((games for size, games in sorted(GAMES.items()) if players <= size), FEWEST)


@dataclass(frozen=True)
class Task:
    """A task of playing on: the lines of position ``position`` by turns, with the ``seeds``; plain data for any
    process.
    """

    language: str
    position: int
    lines: Lines
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class Prepared:
    """A game before anything has been played.

    ``positions``: all different lines to play, by what stands on the ``line`` over the game and by deeds; the first
    ``points`` of them are for the line. ``quotes``: the talk of a step that claims or tells -> the sentence that does.
    ``causes``: what in the talk led to each execution; ``slips``: what was said that can not be so; ``announced``:
    (day, who) -> the vote that was announced last, plainly. ``faults``: what
    was done against certain knowledge; ``swings``: other votes that would have decided. ``announced_dead``: such
    votes for somebody who was dead.
    """

    course: Course
    language: str
    moments: tuple[Moment, ...]
    deeds: tuple[Deed, ...]
    knowledge: Mapping[tuple[int, str], VoteKnowledge]
    deduced: Mapping[tuple[int, str], Deduction]
    quotes: Mapping[int, str]
    causes: tuple[Cause, ...]
    slips: tuple[Slip, ...]
    announced: Mapping[tuple[int, str], str]
    faults: tuple[Fault, ...]
    swings: tuple[Swing, ...]
    positions: tuple[Lines, ...]
    points: int
    announced_dead: Mapping[tuple[int, str], str] = field(default_factory=dict)

    def deduction(self, day: int, viewer: str) -> Deduction:
        """What ``viewer`` could work out by the vote of ``day``; with ``""`` what everybody could."""
        return self.deduced.get((day, viewer), Deduction())

    def place(self, lines: Lines) -> int:
        """The number of the position of ``lines``."""
        return self._places[lines_key(lines)]

    @cached_property
    def _places(self) -> Mapping[object, int]:
        return {lines_key(lines): number for number, lines in enumerate(self.positions)}


def lines_key(lines: Lines) -> object:
    """The key by which two positions are the same: the steps that are kept."""
    return tuple((line.kept[-1].number, _said(line.kept)) for line in lines)


def _said(steps: Sequence[Step]) -> int:
    told = ((s.kind, s.target, s.result, s.talk and s.talk.text, tuple(s.votes.items())) for s in steps)
    return hash(tuple(told))


def prepare(game: RecordedGame) -> Prepared:
    """Find what is to be played of a game. Raises StudyError for a game that cannot be reviewed."""
    if not game.winner or game.winner not in list(Side):
        raise StudyError("this game is not over: a review needs a winner, and everybody's role")
    if unknown := [player.name for player in game.players if not player.role]:
        raise StudyError(f"the record does not tell the role of {', '.join(unknown)}: a review needs everybody's")
    language = language_of(game)
    reader = load_pack(language).reading
    course = course_of(game, reader)
    ear = Ear(reader, game.names, course.heard.values())
    wolves = _confessed_wolves(course)
    known = {
        (one.day, one.voter): replace(one, confessed=wolves.get(one.day, ()))
        for one in vote_knowledge(tuple(vote_moments(game, reader)))
    }
    moments = tuple(moments_of(course))
    deeds = tuple(deeds_of(course, known))
    found: dict[object, Lines] = {lines_key((moment.line,)): (moment.line,) for moment in moments}
    announced = ear.announced([*course.heard.values()])
    points = len(found)
    for lines in (lines for deed in deeds for lines in (deed.done, deed.otherwise) if lines):
        found.setdefault(lines_key(lines), lines)
    return Prepared(
        course,
        language,
        moments,
        deeds,
        known,
        deductions(course),
        {number: _quote(course.steps[number], reader, game.names) for number in course.telling_steps},
        tuple(causes_of(course, ear, announced)),
        tuple(slips_of(course, reader)),
        dict(_announced(course, announced)),
        tuple(faults_of(course, _calls(course, ear))),
        tuple(swings_of(course)),
        tuple(found.values()),
        points,
        dict(_announced(course, announced, living=False)),
    )


def _calls(course: Course, ear: Ear) -> Iterator[Asked]:
    """For whose execution a seer plainly called, and when."""
    for number, talk in course.heard.items():
        for name in course.game.names if course.game.roles[talk.who] == Role.SEER else ():
            if name != talk.who and any(said.what == VOTE for said in ear.against(talk, name)):
                yield number, talk.who, name


def _announced(course: Course, said: Announced, *, living: bool = True) -> Iterator[tuple[tuple[int, str], str]]:
    """The announced votes that could be cast, for somebody who lived; or those that could not."""
    for poll in course.polls:
        alive = course.alive_at(poll)
        yield from ((one, target) for one, target in said.items() if one[0] == poll.day and (target in alive) is living)


def _confessed_wolves(course: Course) -> dict[int, tuple[str, ...]]:
    """The werewolves that had confessed and lived at each day's vote."""
    said = [one for one in course.confessed.items() if one[0] in course.game.wolves]
    return {
        poll.day: tuple(name for name, step in said if step < poll.number and name in course.alive_at(poll))
        for poll in course.polls
    }


def _quote(step: Step, reader: TalkReader, names: Sequence[str]) -> str:
    """A talk from the first sentence on that claims or tells something; all of it where none does alone."""
    return quoted(step.talk.text, reader, names, lambda said: said.kind in _TELLS) if step.talk is not None else ""


_TELLS = ("claim", "result", "unclaim")


def rounds(prepared: Prepared, games: int) -> list[Task]:
    """List all that is to be played, some games of every position at a time, so that an early end leaves some of each.

    Where ``games`` are too few to tell a difference by, deeds are played just as often as shows what the rules decide.
    """
    few = games * MORE < ENOUGH

    def last(number: int, lines: Lines) -> int:
        return min(games, len(lines)) if few and number >= prepared.points else games

    return [
        Task(prepared.language, number, lines, tuple(range(first, min(first + A_ROUND, last(number, lines)))))
        for first in range(0, games, A_ROUND)
        for number, lines in enumerate(prepared.positions)
        if first < last(number, lines)
    ]


def closer_rounds(prepared: Prepared, results: Results, games: int) -> list[Task]:
    """List what is to be played again, ``MORE`` times as often, after ``games`` of all positions.

    Of many differences some look sure by chance. Those that do are told by new games alone.
    """
    if games * MORE < ENOUGH:
        return []
    pairs = [(deed.done, deed.otherwise) for deed in prepared.deeds if deed.done and deed.otherwise]
    again: dict[int, Lines] = {}
    for pair in pairs:
        one, other = (results.chance(prepared.place(lines), len(lines)) for lines in pair)
        if one.games and other.games and difference(one, other).sure:
            again |= {
                prepared.place(lines): lines
                for lines, chance in zip(pair, (one, other), strict=True)
                if not chance.decided
            }
    last = games * (1 + MORE)
    return [
        Task(prepared.language, number, lines, tuple(range(first, min(first + A_ROUND, last))))
        for first in range(games, last, A_ROUND)
        for number, lines in sorted(again.items())
    ]


Played = tuple[int, tuple[int, ...], tuple[Outcome, ...]]
"""The position, the seeds and how each of their games ended."""


def play_round(task: Task) -> Played:
    """Play ``task``; in a process that has played others of the same game before, quickly."""
    reader = _reader(task.language, task.lines[0].game.names)
    outcomes = tuple(play_on(task.lines[seed % len(task.lines)], reader, seed) for seed in task.seeds)
    return task.position, task.seeds, outcomes


@cache
def _reader(language: str, names: tuple[str, ...]) -> RecordReader:
    return RecordReader(names, load_pack(language).reading, load_pack("en").reading)


# --- What was played -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chance:
    """The share of games that the village won: ``wins`` of ``games``; ``decided``: by the rules, so each way was
    counted once.
    """

    wins: int = 0
    games: int = 0
    decided: bool = False

    @property
    def share(self) -> float:
        """The share of games that the village won."""
        return self.wins / self.games if self.games else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share; without width where nothing was open."""
        return (self.share, self.share) if self.decided else wilson(self.wins, self.games)


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two ways to go on: the ``share`` of all games that one wins more for a side than the
    other, with the 95 % interval.
    """

    share: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether the interval leaves 0 out, or nothing was open."""
        return self.low > 0 or self.high < 0

    def of(self, side: Side) -> Difference:
        """The same as ``side`` sees it; the figure itself is the village's."""
        return self if side is Side.VILLAGER else Difference(-self.share, -self.high, -self.low)


def difference(one: Chance, other: Chance) -> Difference:
    """The difference ``one`` less ``other``, with Newcombe's interval of two shares (method 10); that both are played
    with the same seeds makes it wider than it need be.
    """
    share = one.share - other.share
    (low1, high1), (low2, high2) = one.interval, other.interval
    down = math.hypot(one.share - low1, high2 - other.share)
    up = math.hypot(high1 - one.share, other.share - low2)
    return Difference(share, max(-1.0, share - down), min(1.0, share + up))


NOTHING = Difference(0.0, 0.0, 0.0)
"""What a deed changed that could have changed nothing."""


class Results:
    """Takes in what has been played, in any order."""

    def __init__(self) -> None:
        self._ends: dict[int, dict[int, Outcome]] = defaultdict(dict)

    def add(self, played: Played) -> None:
        """Add the outcomes of a task that was played."""
        position, seeds, outcomes = played
        self._ends[position].update(zip(seeds, outcomes, strict=True))

    def chance(self, position: int, ways: int = 1, since: int = 0, until: float = math.inf) -> Chance:
        """Count how often the village won from there, by the games of seed ``since`` and later, before ``until``.

        ``ways``: how many lines were taken by turns. What is decided by the rules is decided by all games.
        """
        ends = self._ends[position]
        if len(ends) >= ways and all(end.decided for end in ends.values()):
            ends = {seed: ends[seed] for seed in range(ways) if seed in ends}
            return Chance(_wins(ends), len(ends), decided=True)
        ends = {seed: end for seed, end in ends.items() if since <= seed < until}
        return Chance(_wins(ends), len(ends))

    def change(self, prepared: Prepared, before: Lines, after: Lines, games: int) -> tuple[Chance, Chance]:
        """The chances of the village ``before`` and ``after``: by the games that were played again, if both were, else
        by the first ``games`` of both, since one of them may have been played again for something else.
        """
        first, again = (
            tuple(self.chance(prepared.place(lines), len(lines), *seeds) for lines in (before, after))
            for seeds in ((0, games), (games,))
        )
        enough = all(chance.decided or chance.games >= games for chance in again)
        return (again[0], again[1]) if enough else (first[0], first[1])


def _wins(ends: Mapping[int, Outcome]) -> int:
    return sum(end.winner == Side.VILLAGER for end in ends.values())


# --- The review ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class JudgedDeed:
    """A deed with what it changed: ``gain`` of its own side against the other way, ``None`` where not enough was
    played to tell. ``moved``: (player, P(wolf) before, after) of those whom an onlooker saw otherwise after the results
    told in it, the most moved first; nothing for a bare claim.
    """

    deed: Deed
    done: Chance
    otherwise: Chance
    gain: Difference | None
    moved: tuple[tuple[str, float, float], ...] = ()

    @property
    def counted(self) -> bool:
        """Whether the rules decide what follows, both ways."""
        return self.done.decided and self.otherwise.decided

    @property
    def games(self) -> int:
        """The games that the estimate rests on: what was counted is exact, however few games that took."""
        ways = (self.done, self.otherwise)
        return min((way.games for way in ways if not way.decided), default=min(way.games for way in ways))

    @property
    def told(self) -> bool:
        """Whether it surely changed something, by counting or by enough games."""
        return self.gain is not None and self.gain.sure and (self.counted or self.games >= ENOUGH)


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the line over the game: the chance of the village after ``step``."""

    step: int
    day: int
    chance: Chance


@dataclass(frozen=True)
class Marks:
    """What is counted over a player's ``votes``; ``None`` where there are too few, or where it does not apply.

    ``wolves``, ``possessed``, ``village``: how many named one of these; of the village's side. ``lying``: how likely an
    onlooker held the player for one of the village, from 0 to 100, the mean over its votes; of the wolves' side, unless
    it confessed.
    """

    wolves: int | None
    possessed: int | None
    village: int | None
    lying: float | None
    votes: int


@dataclass(frozen=True)
class Tell:
    """A deed of a liar that moved an onlooker against it: the fact, when, and by how many log-odds."""

    who: str
    step: int
    day: int
    opinion: OnlookerOpinion
    place: int
    push: float


@dataclass(frozen=True)
class GameReview:
    """The review of a game; ``games`` were played from each moment, ``complete`` or cut short."""

    prepared: Prepared
    games: int
    complete: bool
    points: tuple[Point, ...]
    deeds: tuple[JudgedDeed, ...]
    turns: tuple[int, ...]
    marks: Mapping[str, Marks]
    opinions: tuple[OnlookerOpinion, ...] = field(repr=False)
    known: int | None = None
    knew: Mapping[str, int] = field(default_factory=dict)
    tells: tuple[Tell, ...] = ()

    def of(self, who: str) -> list[JudgedDeed]:
        """The deeds of ``who`` whose gain is known, the best first."""
        own = [one for one in self.deeds if one.deed.who == who and one.gain is not None]
        return sorted(own, key=lambda one: -one.gain.share if one.gain else 0.0)

    def best(self, who: str) -> JudgedDeed | None:
        """The deed of ``who`` that gained its side most and was a good decision; ``None`` where nothing surely was."""
        return next((one for one in self._gains(who) if self.sensible(one)), None)

    def lucky(self, who: str) -> bool:
        """Whether all that gained the village anything by votes of ``who`` was only luck."""
        gains = self._gains(who)
        votes = [one for one in gains if one.deed.kind == "vote" and one.deed.side is Side.VILLAGER]
        guesses = all(not self.founded(one) and self._edge(one) < NEAR for one in votes)
        return bool(votes) and len(votes) == len(gains) and guesses

    def lucky_votes(self, who: str) -> list[JudgedDeed]:
        """The votes that gained the village something by luck, the best first."""
        return [one for one in self._gains(who) if one.deed.kind == "vote"] if self.lucky(who) else []

    def costly(self, who: str) -> list[JudgedDeed]:
        """The votes that surely cost much and were no bad decision, the costliest first."""
        costs = (one for one in reversed(self.of(who)) if one.deed.kind == "vote" and one.gain and self.lasted(one))
        return [one for one in costs if one.gain and one.gain.share <= -WORTH and not self.blamed(one)]

    def reasonable(self, one: JudgedDeed) -> bool:
        """Whether a vote of the village was for whoever was about the likeliest werewolf, from what the voter knew."""
        deed = one.deed
        known = deed.side is Side.VILLAGER and deed.knew is not None and not deed.knew.confessed
        return known and (self.founded(one) or self._edge(one) > -NEAR)

    def _gains(self, who: str) -> list[JudgedDeed]:
        return [
            one
            for one in self.of(who)
            if one.gain and one.gain.low > 0 and one.gain.share >= WORTH and self.lasted(one)
        ]

    def worst(self, who: str) -> JudgedDeed | None:
        """The deed of ``who`` that cost its side most and was a bad decision; ``None`` where nothing surely was."""
        costs = (one for one in reversed(self.of(who)) if one.gain and one.gain.high < 0 and self.lasted(one))
        return next((one for one in costs if one.gain and one.gain.share <= -WORTH and self.blamed(one)), None)

    def rivalled(self, one: JudgedDeed) -> bool:
        """Whether anybody else voted for the player with whom a vote is compared: else nobody thought of that vote."""
        votes = self.prepared.course.steps[one.deed.step].votes
        return one.deed.instead in [target for who, target in votes.items() if who != one.deed.who]

    def sensible(self, one: JudgedDeed) -> bool:
        """Whether a deed that gained something was a good decision from what the player could know; whom a look finds
        is luck.
        """
        deed = one.deed
        if deed.kind != "vote":
            return deed.kind != "divine"
        if deed.side is not Side.VILLAGER:
            return self.rivalled(one) and self.prepared.course.side(deed.instead) is Side.VILLAGER
        if self.founded(one):
            return True
        return self._edge(one) >= (NEAR if self.rivalled(one) else LIKELIER)

    def founded(self, one: JudgedDeed) -> bool:
        """Whether the voter knew that the target of its vote was a werewolf, or that it lied, and the other was not
        clearly the likelier werewolf."""
        deed, known = one.deed, self._deduced(one)
        liars = known.liars | self.accusers(deed)
        liar = deed.target in liars and deed.instead not in known.wolves | liars and self._edge(one) > -LIKELIER
        return deed.target in known.wolves or liar

    def accusers(self, deed: Deed) -> frozenset[str]:
        """Who had called the voter, one of the village, a werewolf: it knew that they lied."""
        if deed.side is not Side.VILLAGER:
            return frozenset()
        tellers = self.prepared.course.village.tellers(deed.who, Species.WEREWOLF, deed.step)
        return frozenset(one.name for one in tellers)

    def blamed(self, one: JudgedDeed) -> bool:
        """Whether a deed that cost something was a bad decision from what the player could know; where a vote of the
        wolves' side is concerned, whether somebody else's vote had named the other.
        """
        deed = one.deed
        if deed.kind != "vote":
            return True
        if deed.side is not Side.VILLAGER:
            return self.rivalled(one)
        if deed.instead in self._deduced(one).wolves:
            return True
        return not self.founded(one) and self._edge(one) <= -LIKELIER

    def _deduced(self, one: JudgedDeed) -> Deduction:
        return self.prepared.deduction(one.deed.day, one.deed.who)

    def _edge(self, one: JudgedDeed) -> float:
        """How much likelier a werewolf the target of a vote was than the other, from what the voter knew."""
        deed = one.deed
        if deed.knew is None or deed.knew.confessed:
            return 0.0
        return deed.knew.wolf.get(deed.target, 0.0) - deed.knew.wolf.get(deed.instead, 0.0)

    def lasted(self, one: JudgedDeed) -> bool:
        """Whether what it changed is sure, and the game itself went on so: what simulated players make of a claim is
        no moment of the game; a vote for somebody who was not executed, be it by lot, won nothing; and whom a look
        happens to find is no mistake.
        """
        deed, gain = one.deed, one.gain
        if not one.told or gain is None or deed.kind == "claim":
            return False
        if gain.share < 0:
            return deed.kind != "divine"
        return deed.kind != "vote" or self.prepared.course.executed.get(deed.day, "") == deed.target

    def votes(self, day: int) -> list[JudgedDeed]:
        """The votes of ``day``, judged."""
        return [one for one in self.deeds if one.deed.kind == "vote" and one.deed.day == day]


WORTH = 0.1
"""A change of the chance to win from which on a deed is somebody's best or worst moment."""
NEAR = 0.05
"""Two P(wolf) that differ by less are told as about the same."""
LIKELIER = 0.2
"""So much likelier a werewolf must somebody else have been that a vote of the village is told as a mistake."""
FEWEST_VOTES = 2
"""Votes of a player from which on something is counted over them: a single one may be luck."""
MOVED = 0.05
"""A change of P(wolf) from which on it is told."""
LEAST_PUSH = 0.5
"""Log-odds from which on what a liar did should have been seen."""
MOST_TELLS = 4
"""Such facts told of a liar."""


def opinions_of(prepared: Prepared) -> Iterator[OnlookerOpinion]:
    """Yield what an onlooker could believe, step by step; takes a while."""
    return onlooker_opinions(prepared.course.game, load_pack(prepared.language).reading)


def assemble(
    prepared: Prepared, results: Results, opinions: Sequence[OnlookerOpinion], games: int, *, complete: bool = True
) -> GameReview:
    """The review of all that has been played."""
    at = {opinion.step: place for place, opinion in enumerate(opinions)}
    deeds = tuple(_judged(prepared, deed, results, opinions, at, games) for deed in prepared.deeds)
    points = tuple(
        Point(moment.step, moment.day, chance)
        for moment in prepared.moments
        if (chance := results.chance(prepared.place((moment.line,)))).games
    )
    return GameReview(
        prepared,
        games,
        complete,
        points,
        deeds,
        tuple(turning_points(prepared, deeds)),
        {name: _marks(prepared, name, deeds) for name in prepared.course.game.names},
        tuple(opinions),
        known_since(prepared.course.game, opinions),
        dict(_certain(prepared)),
        tuple(sorted(_tells(prepared, opinions), key=lambda tell: tell.step)),
    )


def _judged(
    prepared: Prepared,
    deed: Deed,
    results: Results,
    opinions: Sequence[OnlookerOpinion],
    at: Mapping[int, int],
    games: int,
) -> JudgedDeed:
    moved: tuple[tuple[str, float, float], ...] = ()
    if deed.told and (place := at.get(deed.step)) is not None:
        now = opinions[place].wolf
        before = opinions[place - 1].wolf if place else dict.fromkeys(now, len(prepared.course.game.wolves) / len(now))
        changes = [(name, before.get(name, 0.0), now[name]) for name in now]
        changes.sort(key=lambda change: -abs(change[2] - change[1]))
        moved = tuple(change for change in changes if abs(change[2] - change[1]) >= MOVED)
    if deed.same:
        return JudgedDeed(deed, Chance(), Chance(), NOTHING, moved)
    if not deed.done or not deed.otherwise:
        return JudgedDeed(deed, Chance(), Chance(), None, moved)
    done, otherwise = results.change(prepared, deed.done, deed.otherwise, games)
    gain = difference(done, otherwise).of(deed.side) if done.games and otherwise.games else None
    return JudgedDeed(deed, done, otherwise, gain, moved)


FEW_PLAYERS = 5
"""Up to so many players every execution is a turning point."""


def turning_points(prepared: Prepared, deeds: Sequence[JudgedDeed]) -> Iterator[int]:
    """The executions and attacks on which the game turned: of players who were no plain villagers, decided by lot, by
    a single vote, against certain knowledge or by the bodyguard, and the last of both; every confession, true or not;
    and every false result of a true seer or medium. These are facts, whatever games that are played on tell.
    """
    course, game = prepared.course, prepared.course.game
    ends = [step for step in course.steps if step.kind in (StepKind.EXECUTE, StepKind.ATTACK) and step.target]
    polls = course.cast
    decided = {one.deed.day for one in deeds if one.deed.kind == "vote" and one.told}
    decided |= {one.day for one in prepared.swings}
    decided |= set(polls) if len(game.names) <= FEW_PLAYERS else set()
    decided |= {one.day for one in prepared.faults if course.executed.get(one.day) == one.target != ""}
    last = next((step for step in reversed(ends) if step.kind is StepKind.EXECUTE), None)
    claims = (claim for player in course.village.players.values() for claim in player.claims)
    found = {claim.step for claim in claims if claim.role in WOLF_SIDE}
    found |= {one.step for one in prepared.faults if one.kind in TOLD}
    changed = {one.deed.day for one in deeds if one.deed.kind == "attack" and one.told}
    for step in ends:
        power = game.roles.get(step.target, Role.VILLAGER) != Role.VILLAGER
        by_vote = step.kind is StepKind.EXECUTE
        open_vote = by_vote and (step.day in decided or len(executed_by(polls.get(step.day, {}))) > 1)
        alike = not by_vote and step.result != GUARDED and course.lost_at(step)
        if not alike and (power or open_vote or step in (ends[-1], last) or step.result == GUARDED):
            found.add(step.number)
        if not by_vote and step.day in changed:
            found.add(step.number)
    yield from sorted(found)


def _marks(prepared: Prepared, name: str, deeds: Iterable[JudgedDeed]) -> Marks:
    course, roles = prepared.course, prepared.course.game.roles
    votes = [one.deed for one in deeds if one.deed.who == name and one.deed.kind == "vote"]
    enough, village = len(votes) >= FEWEST_VOTES, course.side(name) is Side.VILLAGER
    seen = [vote.knew.village for vote in votes if vote.knew is not None]
    wolves = sum(roles[vote.target] == Role.WEREWOLF for vote in votes)
    possessed = sum(roles[vote.target] == Role.POSSESSED for vote in votes)
    lying = enough and not village and name not in course.confessed and bool(seen)
    return Marks(
        wolves=wolves if enough and village else None,
        possessed=possessed if enough and village else None,
        village=len(votes) - wolves - possessed if enough and village else None,
        lying=100 * sum(seen) / len(seen) if lying else None,
        votes=len(votes),
    )


def _certain(prepared: Prepared) -> Iterator[tuple[str, int]]:
    """(player of the village, day) from whose vote on rules and results left it a single set of wolves."""
    for name in prepared.course.game.names:
        own = sorted((one.day, one.certain) for one in prepared.knowledge.values() if one.voter == name)
        sure = [day for day, certain in own if certain]
        if sure and prepared.course.side(name) is Side.VILLAGER:
            yield name, sure[0]


def _tells(prepared: Prepared, opinions: Sequence[OnlookerOpinion]) -> Iterator[Tell]:
    """What each wolf did that spoke against it most, while it lived, and left it as likely as by chance or more."""
    game, steps = prepared.course.game, prepared.course.steps
    by_chance = len(game.wolves) / len(game.names)
    executed = {step.target: step.number for step in steps if step.kind is StepKind.EXECUTE}
    for wolf in sorted(game.wolves):
        found: list[Tell] = []
        for opinion in opinions:
            if opinion.step > executed.get(wolf, opinion.step):
                break
            day = steps[opinion.step].day
            for place, weight in enumerate(opinion.why.get(wolf, ())):
                if weight.fresh and weight.push >= LEAST_PUSH and opinion.wolf[wolf] >= by_chance:
                    found.append(Tell(wolf, opinion.step, day, opinion, place, weight.push))
        found.sort(key=lambda tell: -tell.push)
        yield from found[:MOST_TELLS]
