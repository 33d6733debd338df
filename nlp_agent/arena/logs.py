"""A game in the organisers' two formats, as their viewer and their scoring scripts read them: views of the event log.

Source: logs written by the official turn-based server. Players are numbered from 1 in seat order. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from nlp_agent.arena import events
from nlp_agent.arena.views import PacketViews
from nlp_agent.game.roles import role_spec
from nlp_agent.protocol import Request, Status

_ERRORS = {events.Silence.TIMEOUT: "no answer in time", events.Silence.LOST: "the agent is lost and cannot be asked"}


def game_log(happened: Sequence[events.Event], *, classic: bool = False) -> str:
    """The comma-separated game log of ``happened`` (a running game's are fine).

    One line a happening, nothing escaped (not even commas in talks), and no line break at the end. ``classic``: as the
    server before wrote it, whose players had no names in the game.
    """
    names = slice(6) if classic else slice(None)
    return "\n".join(",".join(map(str, row[names] if row[1] == "status" else row)) for row in _log_lines(happened))


def _log_lines(happened: Sequence[events.Event]) -> Iterator[tuple[object, ...]]:
    seats: tuple[events.DealtSeat, ...] = ()
    dead: set[int | None] = set()
    for event in happened:
        dead.add(events.killed_by(event))
        match event:
            case events.Dealt():
                seats = event.seats
            case events.DayOpened(day):
                yield from _status_lines(day, seats, dead)
            case events.Talked(day, request, seat, idx, turn, text, time):
                # Talks of a group chat end with the Unix second they were said.
                second = () if time is None else (time // 1000,)
                yield day, request.value.lower(), idx, turn, seat + 1, text, *second
            case events.Voted(day, request, seat, target):
                yield day, "attackVote" if request is Request.ATTACK else "vote", seat + 1, target + 1
            case events.Executed(day, int(target)):
                yield day, "execute", target + 1, seats[target].role
            case events.Divined(day, seat, target):
                yield day, "divine", seat + 1, target + 1, role_spec(seats[target].role).species.value
            case events.Guarded(day, seat, target):
                yield day, "guard", seat + 1, target + 1, seats[target].role
            case events.Attacked(day, target, killed):
                # Where the wolves chose nobody the format writes -1,true.
                yield day, "attack", -1 if target is None else target + 1, str(killed).lower()
            case events.Ended(day, winner, humans, wolves):
                yield from _status_lines(day, seats, dead)
                yield day, "result", humans, wolves, winner


def _status_lines(
    day: int, seats: Sequence[events.DealtSeat], dead: Collection[int | None]
) -> Iterator[tuple[object, ...]]:
    for seat in seats:
        status = Status.DEAD if seat.idx in dead else Status.ALIVE
        yield day, "status", seat.number, seat.role, status.value, seat.guest, seat.name


def json_log(happened: Sequence[events.Event], times: Sequence[int] = ()) -> dict[str, Any]:
    """The JSON log of ``happened``, ready for ``json.dumps``: who played, and every request with its answer.

    ``times`` are the events' Unix milliseconds, 0 where unknown.
    """
    views, entries = PacketViews(), list[dict[str, Any]]()
    log: dict[str, Any] = {"agents": [], "entries": entries, "game_id": "", "win_side": "NONE"}
    seats: tuple[events.DealtSeat, ...] = ()
    asked: dict[str, Any] = {}
    for number, event in enumerate(happened):
        now = times[number] if number < len(times) else 0
        packet = views.apply(event)
        if isinstance(event, events.Dealt):
            seats, log["game_id"] = event.seats, event.game_id
            log["agents"] = [{"idx": s.number, "name": s.guest, "role": s.role, "team": s.team} for s in seats]
        elif isinstance(event, events.Asked) and packet is not None:
            asked = {"agent": seats[event.seat].name, "request": packet.to_json(), "request_timestamp": now}
        elif isinstance(event, events.Answered):
            answer = {"response": event.text, "error": _ERRORS[event.silence] if event.silence else ""}
            entries.append({**asked, **{key: text for key, text in answer.items() if text}, "response_timestamp": now})
        elif isinstance(event, events.Ended):
            log["win_side"] = event.winner
    return log
