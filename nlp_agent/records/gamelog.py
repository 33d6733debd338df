"""Game logs read back into typed games.

Source: the organisers' comma-separated game log (see :mod:`nlp_agent.arena.logs`), as the contests' servers and
our own table write it. Nothing in it is escaped: a talk may hold commas, line breaks, anything. Group chats end each
talk with a Unix time; older contests leave out the players' names, which were ``Agent[01]`` … there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from nlp_agent.protocol import Judge, Role, Status, Talk


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
    early_whispers: int = 0
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
    def texts(self) -> tuple[str, ...]:
        """What was said in public, in order; neither Over nor Skip."""
        return tuple([talk.text for day in self.days for talk in day.talks if talk.said])


# --- reading ---------------------------------------------------------------------------------------------------

_LINE = re.compile(r"(\d+),(status|talk|whisper|vote|execute|divine|guard|attackVote|attack|result),(.*)", re.DOTALL)
_TIMED = re.compile(r",(\d{9,13})$")
_TALKS = ("talk", "whisper")


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
                day.early_whispers += kind == "whisper" and not day.talks
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
        return Talk.of(int(idx), day, int(turn), self._names[number], text, time)
