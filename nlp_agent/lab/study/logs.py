"""Game logs read back into typed games, and the view one seat had of them.

Source: the organisers' comma-separated game log (see :mod:`nlp_agent.arena.logs`), as the contests' servers and
our own table write it. Nothing in it is escaped: a talk may hold commas, line breaks, anything. Group chats end each
talk with a Unix time; older contests leave out the players' names, which were ``Agent[01]`` … there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from nlp_agent.errors import StudyError
from nlp_agent.game import SeatState, role_spec
from nlp_agent.prompting.detect import detect_language
from nlp_agent.protocol import OVER, SKIP, Judge, Request, Role, Setting, Status, Talk, Vote


@dataclass(frozen=True, slots=True)
class LoggedPlayer:
    """``number`` counts from 1 in seat order; ``name`` is the one used in talks, ``guest`` the connection's."""

    number: int
    name: str
    guest: str
    role: str


@dataclass(slots=True)
class LoggedDay:
    """One day as it happened; names are those used in talks, ``""`` stands for nobody.

    ``alive``: at dawn; ``lost``: neither alive nor dead then, their connection was. ``prey`` is whom the wolves went
    for, ``attacked`` who died of it. Of a vote that was repeated only each voter's last one is kept, as the server
    tells it.
    """

    day: int
    alive: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    talks: list[Talk] = field(default_factory=list)
    whispers: list[Talk] = field(default_factory=list)
    votes: dict[str, str] = field(default_factory=dict)
    attack_votes: dict[str, str] = field(default_factory=dict)
    divinations: list[Judge] = field(default_factory=list)
    guards: dict[str, str] = field(default_factory=dict)
    executed: str = ""
    prey: str = ""
    attacked: str = ""


@dataclass(frozen=True)
class LoggedGame:
    """``winner`` is ``""`` for a game that was broken off; ``problems`` are lines that could not be read."""

    contest: str
    name: str
    players: tuple[LoggedPlayer, ...]
    days: tuple[LoggedDay, ...]
    winner: str = ""
    problems: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    @cached_property
    def roles(self) -> dict[str, str]:
        return {player.name: player.role for player in self.players}

    @cached_property
    def role_num_map(self) -> dict[str, int]:
        return dict(sorted(Counter(self.roles.values()).items()))

    @cached_property
    def wolves(self) -> frozenset[str]:
        return frozenset(name for name, role in self.roles.items() if role == Role.WEREWOLF)

    @cached_property
    def language(self) -> str:
        """Of the talks, by their script: ``ja`` or ``en``."""
        return detect_language("", [talk.text for day in self.days for talk in day.talks if talk.said][:40])


# --- reading ---------------------------------------------------------------------------------------------------

_LINE = re.compile(r"(\d+),(status|talk|whisper|vote|execute|divine|guard|attackVote|attack|result),(.*)", re.DOTALL)
_TIMED = re.compile(r",(\d{9,13})$")
_TALKS = ("talk", "whisper")


def find_games(root: Path, on_left_out: Callable[[str], None] = lambda _: None) -> list[LoggedGame]:
    """Every game log below ``root`` (or the one file ``root``), by contest and name.

    A game's contest is the folder its log lies in; a ``game.log`` has a folder of its own, so there it is the folder
    above. Files that are no game logs are passed over; ``on_left_out`` is told of each that is one but cannot be
    studied. Raises StudyError when nothing is found.
    """
    if not root.exists():
        raise StudyError(f"{root} does not exist: name a folder of game logs")
    files = [root] if root.is_file() else sorted(root.rglob("*.log"))
    games = [game for file in files if (game := _read_file(file, on_left_out)) is not None]
    if not games:
        raise StudyError(f"no game log under {root}: it needs files ending in .log in the organisers' format")
    return games


def _read_file(file: Path, on_left_out: Callable[[str], None]) -> LoggedGame | None:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise StudyError(f"cannot read {file}: {error.strerror}") from error
    own = file.name == "game.log"
    folder = file.resolve().parent
    game = read_game(text, folder.parent.name if own else folder.name, folder.name if own else file.stem)
    if game is not None and (fault := first_fault(game, text)):
        on_left_out(f"{file}, {fault} -- this game is left out")
        return None
    return game


def first_fault(game: LoggedGame, text: str) -> str:
    """The line of ``text`` at which ``game`` stops being a game of Werewolf, and why; ``""`` when it never does."""
    for day in game.days:
        wolves = game.wolves.intersection(day.alive)
        if day.votes and (not wolves or len(wolves) == len(day.alive)):
            lines = enumerate(text.splitlines(), start=1)
            line = next(number for number, line in lines if line.startswith(f"{day.day},vote,"))
            return f"line {line}: a vote, though {'only werewolves are' if wolves else 'no werewolf is'} alive"
    return ""


def read_game(text: str, contest: str = "", name: str = "") -> LoggedGame | None:
    """One game, or ``None`` when ``text`` is not a game log."""
    lines = _whole_lines(text)
    players = _players(lines)
    if not players:
        return None
    timed = [bool(_TIMED.search(rest)) for _, kind, rest in lines if kind in _TALKS]
    reader = _Reader(players, timed=bool(timed) and all(timed))
    for day, kind, rest in lines:
        try:
            reader.take(day, kind, rest)
        except (ValueError, KeyError):
            reader.problems.append(f"{day},{kind},{rest}")
    days = tuple(day for _, day in sorted(reader.days.items()))
    return LoggedGame(contest, name, players, days, reader.winner, tuple(reader.problems))


def _whole_lines(text: str) -> list[tuple[int, str, str]]:
    """(day, kind, rest); a line that is none belongs to the talk before it."""
    found: list[tuple[int, str, str]] = []
    for line in text.splitlines():
        if match := _LINE.fullmatch(line):
            found.append((int(match[1]), match[2], match[3]))
        elif found and line.strip():
            day, kind, rest = found[-1]
            found[-1] = (day, kind, f"{rest}\n{line}")
    return found


def _players(lines: Iterable[tuple[int, str, str]]) -> tuple[LoggedPlayer, ...]:
    """From the first standing: number, role, status, guest and, in newer logs, name."""
    found: dict[int, LoggedPlayer] = {}
    for _, kind, rest in lines:
        cells = rest.split(",", 4)
        if kind == "status" and len(cells) >= 4 and cells[0].isdecimal():
            number = int(cells[0])
            name = cells[4].strip() if len(cells) > 4 and cells[4].strip() else f"Agent[{number:02}]"
            found.setdefault(number, LoggedPlayer(number, name, cells[3], cells[1]))
    return tuple(player for _, player in sorted(found.items()))


class _Reader:
    """Takes in line after line; a line it cannot read raises ValueError or KeyError and changes nothing."""

    def __init__(self, players: tuple[LoggedPlayer, ...], *, timed: bool) -> None:
        self.days: dict[int, LoggedDay] = {}
        self.winner = ""
        self.problems: list[str] = []
        self._names = {str(player.number): player.name for player in players}
        self._roles = {player.name: player.role for player in players}
        self._timed = timed

    def take(self, number: int, kind: str, rest: str) -> None:
        day = self.days.setdefault(number, LoggedDay(number))
        cells = rest.split(",")
        match kind:
            case "status":
                name = self._names[cells[0]]
                if cells[2] == Status.ALIVE and name not in day.alive:
                    day.alive += (name,)
                elif cells[2] != Status.DEAD and name not in day.lost and name not in day.alive:
                    day.lost += (name,)
            case "talk" | "whisper":
                (day.talks if kind == "talk" else day.whispers).append(self._talk(number, rest))
            case "vote":
                day.votes[self._names[cells[0]]] = self._names[cells[1]]
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
                day.prey = "" if cells[0] == "-1" else self._names[cells[0]]
                day.attacked = day.prey if cells[1] == "true" else ""
            case _:
                self.winner = cells[2]

    def _talk(self, day: int, rest: str) -> Talk:
        idx, turn, number, text = rest.split(",", 3)
        time = None
        if self._timed and (match := _TIMED.search(text)):
            text, time = text[: match.start()], int(match[1])
        return Talk(
            idx=int(idx),
            day=day,
            turn=int(turn),
            agent=self._names[number],
            text=text,
            skip=text == SKIP,
            over=text == OVER,
            time=time,
        )


# --- one seat's view -------------------------------------------------------------------------------------------


def seat_view(game: LoggedGame, viewer: str, day: int, request: Request = Request.VOTE) -> SeatState:
    """What ``viewer`` knew when asked for ``request`` on ``day``.

    At VOTE all talks of the day are heard, nobody's vote is known; at TALK the day has dawned and nothing is said yet.
    Only what packets would have told this seat is in it.
    """
    today = next(d for d in game.days if d.day == day)
    state = SeatState(me=viewer, role=game.roles[viewer], game_id=f"{game.contest}/{game.name}", day=day)
    state.last_request = request
    state.players = tuple(sorted(game.names))  # The order of the server's status map.
    state.alive = tuple(name for name in state.players if name in today.alive)
    state.status = {n: (Status.ALIVE if n in today.alive else Status.DEAD).value for n in state.players}
    state.status.update(dict.fromkeys(today.lost, ""))
    state.setting = Setting(agent_count=len(game.players), vote_visibility=True, role_num_map=game.role_num_map)
    wolf = state.role == Role.WEREWOLF
    state.roles = {n: r for n, r in game.roles.items() if n == viewer or (wolf and r == Role.WEREWOLF)}
    for past in game.days:
        if past.day < day:
            _remember(state, past, game)
        if past.day < day or (past.day == day and request is not Request.TALK):
            state.talks.extend(past.talks)
        if wolf and past.day <= day:
            # Whispers of a day come after its vote, except in the morning of day 0, which has no vote.
            state.whispers.extend(past.whispers if past.day < day or day == 0 else ())
    return state


def _remember(state: SeatState, past: LoggedDay, game: LoggedGame) -> None:
    """Take in a day that is over, its night included."""
    me, number = state.me, past.day
    if past.votes:
        state.votes[number] = tuple(Vote(day=number, agent=a, target=t) for a, t in past.votes.items())
    if past.executed:
        state.executions[number] = past.executed
    if past.attacked:
        state.attacks[number] = past.attacked
    if state.role == Role.WEREWOLF and past.attack_votes:
        state.attack_votes[number] = tuple(Vote(day=number, agent=a, target=t) for a, t in past.attack_votes.items())
    state.divinations.extend(judge for judge in past.divinations if judge.agent == me)
    if state.role == Role.MEDIUM and past.executed and me in _alive_after(game, number):
        species = role_spec(game.roles[past.executed]).species.value
        state.medium_results.append(Judge(day=number, agent=me, target=past.executed, result=species))
    deeds = ((Request.VOTE, past.votes), (Request.GUARD, past.guards), (Request.ATTACK, past.attack_votes))
    for request, chosen in deeds:
        if me in chosen:
            state.chosen[(number, request.value)] = chosen[me]


def _alive_after(game: LoggedGame, day: int) -> tuple[str, ...]:
    return next((d.alive for d in game.days if d.day == day + 1), ())
