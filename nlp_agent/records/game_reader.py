"""Recorded games, read back into one typed form: :class:`RecordedGame`.

A game comes from the organisers' comma-separated game log, from their JSON log, or from the journals of our own
seats (then it holds what those seats were told). ``steps_of`` gives it as one list in the order in which things
happened, which is what a replay goes through. Nothing is written here: game logs are written by
:mod:`nlp_agent.arena.logs`.

Nothing in a game log is escaped: a talk may hold commas, line breaks, anything. Group chats end each talk with a
Unix time; older contests leave out the players' names, which were ``Agent[01]`` ... there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import islice
from typing import Any

from nlp_agent.errors import ProtocolError
from nlp_agent.game import SeatState, role_spec
from nlp_agent.game.roles import winning_side
from nlp_agent.protocol import TARGET_REQUESTS, Judge, Request, Role, Status, Talk, bounds, parse_packet
from nlp_agent.protocol.bounds import load_json

# --- Game logs read back into typed games ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecordedPlayer:
    """A player of a recorded game. ``number`` counts from 1 in seat order; ``name`` is the one used in talks, ``guest``
    the connection's.
    """

    number: int
    name: str
    guest: str
    role: str


@dataclass(slots=True)
class RecordedDay:
    """A day as it happened; names are those used in talks, ``""`` stands for nobody.

    ``alive``: at dawn; ``lost``: neither alive nor dead then, their connection was. ``attack_target`` is whom the
    wolves chose, ``attacked`` who died of it. Of a vote that was repeated ``votes`` keeps each voter's last one, as the
    server tells it, and ``first_votes`` the first, to which announcements bind.
    """

    day: int
    alive: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    talks: list[Talk] = field(default_factory=list)
    whispers: list[Talk] = field(default_factory=list)
    whispers_before_talk: int = 0
    votes: dict[str, str] = field(default_factory=dict)
    first_votes: dict[str, str] = field(default_factory=dict)
    attack_votes: dict[str, str] = field(default_factory=dict)
    divinations: list[Judge] = field(default_factory=list)
    guards: dict[str, str] = field(default_factory=dict)
    executed: str = ""
    attack_target: str = ""
    attacked: str = ""


@dataclass(frozen=True)
class RecordedGame:
    """A recorded game in one form, whatever it was read from. ``winner`` is ``""`` for a game that was broken off."""

    contest: str
    name: str
    players: tuple[RecordedPlayer, ...]
    days: tuple[RecordedDay, ...]
    winner: str = ""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return tuple(player.name for player in self.players)

    @cached_property
    def roles(self) -> dict[str, str]:
        """The role of each player, by name."""
        return {player.name: player.role for player in self.players}

    @cached_property
    def role_num_map(self) -> dict[str, int]:
        """The number of players that have each role."""
        return dict(sorted(Counter(self.roles.values()).items()))

    @cached_property
    def wolves(self) -> frozenset[str]:
        """The players that are werewolves."""
        return frozenset(name for name, role in self.roles.items() if role == Role.WEREWOLF)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts of all public talks, in order; neither Over nor Skip."""
        return tuple([talk.text for day in self.days for talk in day.talks if talk.said])


# --- reading ---------------------------------------------------------------------------------------------------

_LINE = re.compile(
    r"(\d{1,9}),(status|talk|whisper|vote|execute|divine|guard|attackVote|attack|result),(.*)", re.DOTALL
)
_TIMED = re.compile(r",(\d{9,13})$")
_TALKS = ("talk", "whisper")


def read_game_log(text: str, contest: str = "", name: str = "") -> RecordedGame | None:
    """Read one game from a game log, or ``None`` when ``text`` is none.

    A log may be anybody's: lines, talks and their lengths are bounded as those of packets are. What is beyond, and what
    cannot be read, is left out.
    """
    lines = [line for line in _whole_lines(text[: bounds.LOG]) if line[0] <= bounds.DAYS]
    players = _players(lines)
    if not players:
        return None
    timed = [bool(_TIMED.search(rest)) for _, kind, rest in lines if kind in _TALKS]
    reader = _GameLogReader(players, timed=bool(timed) and all(timed))
    for day, kind, rest in lines:
        with suppress(ValueError, KeyError):
            reader.take(day, kind, rest)
    days = tuple(day for _, day in sorted(reader.days.items()))
    return RecordedGame(contest, name, players, days, reader.winner)


def _whole_lines(text: str) -> list[tuple[int, str, str]]:
    """Cut a log into (day, kind, rest) of each line; a line without them belongs to the talk before it."""
    found: list[tuple[int, str, str]] = []
    for line in islice(text.splitlines(), bounds.LOG_LINES):
        if match := _LINE.fullmatch(line):
            found.append((int(match[1]), match[2], match[3]))
        elif found and line.strip():
            day, kind, rest = found[-1]
            if len(rest) < bounds.TEXT:
                found[-1] = (day, kind, f"{rest}\n{line}")
    return found


def _players(lines: Iterable[tuple[int, str, str]]) -> tuple[RecordedPlayer, ...]:
    """The players, from the first status lines of a log: number, role, status, guest and, in newer logs, name."""
    found: dict[int, RecordedPlayer] = {}
    for _, kind, rest in lines:
        cells = rest.split(",", 4)
        if kind == "status" and len(cells) >= 4 and cells[0].isdecimal():
            number = int(cells[0])
            name = cells[4].strip() if len(cells) > 4 and cells[4].strip() else f"Agent[{number:02}]"
            found.setdefault(number, RecordedPlayer(number, name, cells[3], cells[1]))
    return tuple(player for _, player in sorted(found.items()))


class _GameLogReader:
    """Takes in line after line; a line it cannot read raises ValueError or KeyError and changes nothing."""

    def __init__(self, players: tuple[RecordedPlayer, ...], *, timed: bool) -> None:
        self.days: dict[int, RecordedDay] = {}
        self.winner = ""
        self._names = {str(player.number): player.name for player in players}
        self._timed = timed

    def take(self, number: int, kind: str, rest: str) -> None:
        day = self.days.setdefault(number, RecordedDay(number))
        cells = rest.split(",")
        match kind:
            case "status":
                name = self._names[cells[0]]
                if cells[2] == Status.ALIVE and name not in day.alive:
                    day.alive += (name,)
                elif cells[2] != Status.DEAD and name not in day.lost and name not in day.alive:
                    day.lost += (name,)
            case "talk" | "whisper":
                said = day.talks if kind == "talk" else day.whispers
                if len(said) >= bounds.LIST:
                    raise ValueError("more than a day holds")
                said.append(self._talk(number, rest))
                day.whispers_before_talk += kind == "whisper" and not day.talks
            case "vote":
                voter, target = self._names[cells[0]], self._names[cells[1]]
                day.votes[voter] = target
                day.first_votes.setdefault(voter, target)
            case "attackVote":
                day.attack_votes[self._names[cells[0]]] = self._names[cells[1]]
            case "execute":
                day.executed = self._names[cells[0]]
            case "divine":
                seer, target = self._names[cells[0]], self._names[cells[1]]
                day.divinations.append(Judge(day=number, agent=seer, target=target, result=cells[2]))
            case "guard":
                day.guards[self._names[cells[0]]] = self._names[cells[1]]
            case "attack":
                day.attack_target = "" if cells[0] == "-1" else self._names[cells[0]]
                day.attacked = day.attack_target if cells[1] == "true" else ""
            case _:
                self.winner = cells[2]

    def _talk(self, day: int, rest: str) -> Talk:
        idx, turn, number, text = rest.split(",", 3)
        time = None
        if self._timed and (match := _TIMED.search(text)):
            text, time = text[: match.start()], int(match[1])
        return Talk.of(int(idx), day, int(turn), self._names[number], text[: bounds.TEXT], time)


# --- A game as its seats were told it --------------------------------------------------------------------------------


@dataclass(slots=True)
class SeatRecord:
    """The record of what one seat was told. ``guest`` is its connection's name; ``alive``: day -> who was, in its
    morning.
    """

    guest: str = ""
    state: SeatState = field(default_factory=SeatState)
    alive: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def packet(self, raw: str) -> None:
        """Take in a packet; one that is none is passed over."""
        try:
            packet = parse_packet(raw)
        except ProtocolError:
            return
        self.state.apply(packet)
        if packet.info is not None and packet.info.status_map:
            self.alive.setdefault(self.state.day, self.state.alive)

    def answer(self, request: str, text: str) -> None:
        """Note that the seat has answered ``request`` with ``text``: a choice of a player is remembered."""
        if request in TARGET_REQUESTS and text in self.state.players:
            self.state.chose(request, text)


def seat_from_journal(rows: Iterable[Mapping[str, Any]]) -> SeatRecord:
    """Read what a seat was told from the rows of its journal."""
    seat = SeatRecord()
    for row in rows:
        match row.get("event"):
            case "name":
                seat.guest = str(row.get("sent", ""))
            case "packet":
                seat.packet(str(row.get("raw", "")))
            case "decision":
                seat.answer(str(row.get("request", "")), str(row.get("sent", "")))
    return seat


def read_json_log(text: str, contest: str = "", name: str = "") -> RecordedGame | None:
    """The game of the organisers' JSON log, or ``None`` when ``text`` is none."""
    try:
        log = load_json(text)
    except ValueError:
        return None
    if not isinstance(log, dict) or not isinstance(log.get("entries"), list) or not isinstance(log.get("agents"), list):
        return None
    seats: dict[str, SeatRecord] = {}
    for entry in log["entries"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("agent"), str):
            continue
        seat = seats.setdefault(entry["agent"], SeatRecord())
        seat.packet(str(entry.get("request", "")))
        if isinstance(entry.get("response"), str):
            seat.answer(seat.state.last_request, entry["response"])
    _name_guests(list(seats.values()), [row for row in log["agents"] if isinstance(row, dict)])
    side = str(log.get("win_side", ""))
    return game_from_seats(list(seats.values()), contest, name, winner="" if side == "NONE" else side)


def _name_guests(seats: Sequence[SeatRecord], agents: Sequence[Mapping[str, Any]]) -> None:
    """The server asks in seat order; its list of agents has that order too, but only roles tell whether it is so."""
    roles = [str(row.get("role", "")) for row in agents]
    if roles == [seat.state.role for seat in seats]:
        for seat, row in zip(seats, agents, strict=True):
            seat.guest = str(row.get("name", ""))


def game_from_seats(
    seats: Sequence[SeatRecord], contest: str = "", name: str = "", *, winner: str = ""
) -> RecordedGame | None:
    """Put together what all ``seats`` of one game were told; ``None`` when none was told who plays."""
    seats = [seat for seat in seats if seat.state.players]
    if not seats:
        return None
    roles: dict[str, str] = {}
    for seat in seats:
        roles.update(seat.state.roles)
    first = seats[0].state
    guests = {seat.state.me: seat.guest for seat in seats}
    players = tuple(
        RecordedPlayer(number, player, guests.get(player, ""), roles.get(player, ""))
        for number, player in enumerate(first.players, start=1)
    )
    last = max(seat.state.day for seat in seats)
    days = tuple(_merged_day(number, seats, roles) for number in range(last + 1))
    if not winner and first.finished:
        winner = winning_side(roles, first.alive)
    return RecordedGame(contest, name or first.game_id, players, days, winner)


def _merged_day(number: int, seats: Sequence[SeatRecord], roles: Mapping[str, str]) -> RecordedDay:
    states = [seat.state for seat in seats]
    day = RecordedDay(number, alive=next((seat.alive[number] for seat in seats if number in seat.alive), ()))
    day.talks = _merged_talks(talk for state in states for talk in state.talks if talk.day == number)
    day.whispers = _merged_talks(talk for state in states for talk in state.whispers if talk.day == number)
    day.whispers_before_talk = len(day.whispers) if number == 0 else 0
    for state in states:
        day.votes |= state.cast(number)
        day.first_votes |= {vote.agent: vote.target for vote in state.first_votes.get(number, ())}
        day.attack_votes |= {vote.agent: vote.target for vote in state.attack_votes.get(number, ())}
        day.executed = day.executed or state.executions.get(number, "")
        day.attacked = day.attacked or state.attacks.get(number, "")
    for state in states:
        for request, book in (
            (Request.VOTE, day.votes),
            (Request.ATTACK, day.attack_votes),
            (Request.GUARD, day.guards),
        ):
            if target := state.chosen.get((number, request.value)):
                book.setdefault(state.me, target)
        if target := state.chosen.get((number, Request.DIVINE.value)):
            result = role_spec(roles[target]).species.value if target in roles else ""
            day.divinations.append(Judge(day=number, agent=state.me, target=target, result=result))
    day.attack_target = day.attacked
    return day


def _merged_talks(talks: Iterable[Talk]) -> list[Talk]:
    """The talks of all packets, each once and in order; where numbers were given twice, as on the evening of day 0, in
    the order they came."""
    found = list({(talk.idx, talk.agent, talk.turn, talk.text): talk for talk in talks}.values())
    unique = len({talk.idx for talk in found}) == len(found)
    return sorted(found, key=lambda talk: talk.idx) if unique else found


# --- A logged game as a list of steps, in the order in which they happened -------------------------------------------


class StepKind(StrEnum):
    """The kinds of steps of a game. Of these WHISPER and what is done at night are nobody else's to know while a game
    goes on.
    """

    DAWN = "dawn"
    TALK = "talk"
    WHISPER = "whisper"
    VOTE = "vote"
    EXECUTE = "execute"
    DIVINE = "divine"
    GUARD = "guard"
    MEDIUM = "medium"
    ATTACK_VOTE = "attack_vote"
    ATTACK = "attack"
    RESULT = "result"

    @property
    def secret(self) -> bool:
        """Whether only some players see a step of this kind."""
        return self in _SECRET


KILLED, GUARDED = "killed", "guarded"
"""The results of an attack."""
_SECRET = frozenset({StepKind.WHISPER, StepKind.DIVINE, StepKind.GUARD, StepKind.MEDIUM, StepKind.ATTACK_VOTE})


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a game. ``number`` counts from 0 over the game. ``who`` did it, ``target`` is whom it was done to,
    ``""`` nobody.

    ``talk`` of a TALK or WHISPER; ``votes`` (voter -> target) of a VOTE or ATTACK_VOTE; ``result`` of a DIVINE or
    MEDIUM (HUMAN or WEREWOLF), of an ATTACK (KILLED or GUARDED) and of a RESULT (the side that won). ``alive`` at a
    DAWN. Records hold no MEDIUM: what a medium was shown is known from its own packets alone.
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


def steps_of(game: RecordedGame) -> tuple[Step, ...]:
    """List every step of ``game``. Of a game that was broken off the last one is whatever came last."""
    steps = [step for day in game.days for step in _steps_of_day(day)]
    if game.winner and game.days:
        steps.append(Step(0, game.days[-1].day, StepKind.RESULT, result=game.winner))
    return tuple(replace(step, number=number) for number, step in enumerate(steps))


def _steps_of_day(day: RecordedDay) -> Iterator[Step]:
    def step(kind: StepKind, who: str = "", target: str = "", result: str = "") -> Step:
        return Step(0, day.day, kind, who, target, result)

    def said(kind: StepKind, talks: Sequence[Talk]) -> Iterator[Step]:
        return (replace(step(kind, talk.agent), talk=talk) for talk in talks)

    early = day.whispers_before_talk
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
    if day.attack_target:
        yield step(StepKind.ATTACK, target=day.attack_target, result=KILLED if day.attacked else GUARDED)
