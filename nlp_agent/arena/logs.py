"""A game in the organisers' formats: views of the event log; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nlp_agent.arena.events import (
    Answered,
    Asked,
    Attacked,
    DayOpened,
    Dealt,
    Divined,
    Ended,
    Event,
    Executed,
    Guarded,
    Seat,
    Silence,
    Talked,
    Voted,
    killed_by,
)
from nlp_agent.arena.views import Views
from nlp_agent.game.village import role_spec
from nlp_agent.protocol import Request, Status
from nlp_agent.records.organisers import GameLog, JsonLog, LogPlayer

_ERRORS = {Silence.TIMEOUT: "no answer in time", Silence.LOST: "the agent is lost and cannot be asked"}


def game_log(events: Sequence[Event]) -> str:
    """The comma-separated game log of ``events`` (a running game's are fine)."""
    return _GameLogWriter(events).log.text


class _GameLogWriter:
    def __init__(self, events: Sequence[Event]) -> None:
        self.log = GameLog()
        self._seats: tuple[Seat, ...] = ()
        self._dead: set[int] = set()
        for event in events:
            victim = killed_by(event)
            if victim is not None:
                self._dead.add(victim)
            self._write(event)

    def _write(self, event: Event) -> None:
        match event:
            case Dealt(seats=seats):
                self._seats = seats
            case DayOpened(day):
                self.log.status(day, self._standing())
            case Talked(day, request, seat, idx, turn, text, time):
                kind = "whisper" if request is Request.WHISPER else "talk"
                self.log.talk(
                    day, kind, seat + 1, text, idx=idx, turn=turn, second=None if time is None else time // 1000
                )
            case Voted(day, Request.ATTACK, seat, target):
                self.log.attack_vote(day, seat + 1, target + 1)
            case Voted(day, _, seat, target):
                self.log.vote(day, seat + 1, target + 1)
            case Ended(day, winner, humans, wolves):
                self.log.status(day, self._standing())
                self.log.result(day, humans, wolves, winner)
            case _:
                self._write_deed(event)

    def _write_deed(self, event: Event) -> None:
        match event:
            case Executed(day, int(target)):
                self.log.execute(day, target + 1, self._role(target))
            case Divined(day, seat, target):
                self.log.divine(day, seat + 1, target + 1, role_spec(self._role(target)).species.value)
            case Guarded(day, seat, target):
                self.log.guard(day, seat + 1, target + 1, self._role(target))
            case Attacked(day, target, killed):
                self.log.attack(day, None if target is None else target + 1, killed=killed)

    def _role(self, seat: int) -> str:
        return self._seats[seat].role

    def _standing(self) -> list[LogPlayer]:
        return [
            LogPlayer(
                seat.number,
                seat.role,
                (Status.DEAD if seat.idx in self._dead else Status.ALIVE).value,
                seat.guest,
                seat.name,
            )
            for seat in self._seats
        ]


def json_log(events: Sequence[Event], times: Sequence[int] = ()) -> dict[str, Any]:
    """The JSON log of ``events``; ``times`` are their Unix milliseconds, 0 where not told."""
    views, log = Views(), JsonLog("")
    seats: tuple[Seat, ...] = ()
    request, asked_at = "", 0
    for number, event in enumerate(events):
        now = times[number] if number < len(times) else 0
        packet = views.apply(event)
        if isinstance(event, Dealt):
            seats, log.game_id = event.seats, event.game_id
            for seat in seats:
                log.agent(seat.number, seat.team, seat.guest, seat.role)
        elif isinstance(event, Asked) and packet is not None:
            request, asked_at = packet.to_json(), now
        elif isinstance(event, Answered):
            error = _ERRORS[event.silence] if event.silence else ""
            log.entry(seats[event.seat].name, request, asked_at, now, answer=event.text or "", error=error)
        elif isinstance(event, Ended):
            log.winner = event.winner
    return log.as_dict()
