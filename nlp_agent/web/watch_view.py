"""What onlookers see of a table: a view of its events, in public or with all that is secret; pure.

Lines are what happened, in order, and only grow; the board is how things stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nlp_agent.arena import events
from nlp_agent.game.roles import role_spec
from nlp_agent.protocol import Request, Species
from nlp_agent.web.play_view import TALK, WHISPER, Line, line_of

Said = tuple[str, str, str]
"""(kind, target, what): ("claim", "", role), ("result", target, HUMAN or WEREWOLF) or ("vote", target, "")."""
Read = Callable[[str, Sequence[str]], Iterable[Said]]
"""What a talk says, given all players."""
PUBLIC = frozenset({Request.TALK, Request.VOTE})
"""What everybody may know that somebody is asked for."""


class WatchView:
    """One game. ``secrets``: with roles, whispers and what is done at night. ``read`` finds claims and results."""

    def __init__(self, *, secrets: bool, read: Read) -> None:
        self._secrets, self._read = secrets, read
        self._seats: tuple[events.DealtSeat, ...] = ()
        self._dead: dict[int, tuple[str, int]] = {}
        self._day = 0
        self._stage = "waiting"
        self._asked: str | None = None
        self._night = False
        self._votes: list[tuple[int, int]] = []
        self._polls: list[dict[str, Any]] = []
        self._said: dict[str, dict[str, Any]] = {}
        self._chat_until: int | None = None
        self._setting: Any = None

    def apply(self, event: events.Event) -> list[Line]:
        """Take in ``event`` and return the new lines."""
        return list(self._lines(event))

    def _name(self, seat: int) -> str:
        return self._seats[seat].name

    def _lines(self, event: events.Event) -> Iterable[Line]:
        match event:
            case events.Dealt():
                self._seats, self._stage = event.seats, "playing"
                self._setting = event.village
            case events.DayOpened():
                self._day, self._night = event.day, False
                yield {"kind": "day", "day": event.day}
            case events.Asked():
                self._asked = self._name(event.seat) if event.request in PUBLIC or self._secrets else None
                if event.request in (Request.DAILY_FINISH, Request.FINISH):
                    self._asked = None
                self._night = event.request not in PUBLIC and self._night
            case events.Talked():
                yield from self._talk(event)
            case events.ChatOpened():
                duration = self._setting.talk_setting(event.request).duration or 0
                self._chat_until = event.time + duration if event.request is Request.TALK or self._secrets else None
            case events.ChatClosed():
                self._chat_until = None
            case events.PollOpened() if event.request is Request.VOTE:
                self._votes = []
            case events.Voted() if event.request is Request.VOTE:
                self._votes.append((event.seat, event.target))
            case _:
                yield from self._deeds(event)

    def _deeds(self, event: events.Event) -> Iterable[Line]:
        match event:
            case events.Executed():
                self._asked, self._night = None, True
                votes = [[self._name(seat), self._name(target)] for seat, target in self._votes]
                self._votes = []
                if votes:
                    self._polls = [*self._polls, {"day": event.day, "votes": dict(votes)}]
                    yield {"kind": "votes", "day": event.day, "votes": votes}
                if event.target is None:
                    yield {"kind": "nobody_executed", "day": event.day}
                else:
                    self._dead[event.target] = ("executed", event.day)
                    yield {"kind": "executed", "day": event.day, "who": self._name(event.target)}
            case events.Attacked():
                if event.target is not None and event.killed:
                    self._dead[event.target] = ("killed", event.day)
                    yield {"kind": "killed", "day": event.day, "who": self._name(event.target)}
                else:
                    yield {"kind": "peace", "day": event.day}
            case events.Divined() | events.Guarded() if self._secrets:
                request = Request.DIVINE if isinstance(event, events.Divined) else Request.GUARD
                yield self._secret(event.seat, request, event.target)
            case events.Voted() if self._secrets:
                yield self._secret(event.seat, event.request, event.target)
            case events.DayClosed():
                self._night = False
            case events.Ended():
                self._stage, self._asked = "over", None
                roles = {seat.name: seat.role for seat in self._seats}
                yield {"kind": "end", "winner": event.winner, "roles": roles, "aborted": event.aborted}

    def _secret(self, seat: int, request: Request, target: int) -> Line:
        line: Line = {"kind": "secret", "day": self._day, "by": self._name(seat), "request": request.value}
        if request is Request.DIVINE:
            line["wolf"] = role_spec(self._seats[target].role).species is Species.WEREWOLF
        return {**line, "who": self._name(target)}

    def _talk(self, event: events.Talked) -> Iterable[Line]:
        name, whispered = self._name(event.seat), event.request is Request.WHISPER
        if whispered and not self._secrets:
            return
        line = line_of(WHISPER if whispered else TALK, event.told(name))
        if "text" in line and not whispered:
            players = [seat.name for seat in self._seats]
            for kind, target, what in self._read(event.text, players):
                self._note(name, kind, target, what, event.day)
        yield line

    def _note(self, name: str, kind: str, target: str, what: str, day: int) -> None:
        row = self._said.setdefault(name, {"claims": [], "results": [], "vote": None})
        if kind == "claim" and what not in row["claims"]:
            row["claims"].append(what)
        elif kind == "result" and [target, what] not in row["results"]:
            row["results"].append([target, what])
        elif kind == "vote":
            row["vote"] = [target, day]

    def board(self) -> dict[str, Any]:
        """How things stand for an onlooker, as plain data for the template."""
        over = self._stage == "over"
        return {
            "stage": self._stage,
            "day": self._day,
            "secrets": self._secrets,
            "asked": self._asked,
            "night": self._night,
            "until": self._chat_until,
            "votes": [[self._name(seat), self._name(target)] for seat, target in self._votes],
            "polls": self._polls,
            "players": [
                {
                    "name": seat.name,
                    "alive": seat.idx not in self._dead,
                    **({"role": seat.role} if self._secrets or over else {}),
                    **self._end_of(seat.idx),
                    **self._told_by(seat.name),
                }
                for seat in sorted(self._seats, key=lambda each: each.name)
            ],
        }

    def _end_of(self, seat: int) -> dict[str, Any]:
        how, day = self._dead.get(seat, ("", 0))
        return {"end": how, "end_day": day} if how else {}

    def _told_by(self, name: str) -> dict[str, Any]:
        row = self._said.get(name)
        if row is None:
            return {}
        vote = row["vote"]
        return {
            "claims": row["claims"],
            "results": row["results"],
            **({"announced": vote[0]} if vote and vote[1] == self._day else {}),
        }
