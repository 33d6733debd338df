"""A game as its seats were told it: from the packets of journals, or of the organisers' JSON log.

A contest's server keeps its game log to itself; a team has the packets of its own seats. What one seat never heard
(whispers, others' nights) is missing, unless the journal of another holds it. Everything is known with all seats.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.errors import ProtocolError
from nlp_agent.game import SeatState, role_spec
from nlp_agent.game.village import winning_side
from nlp_agent.protocol import TARGET_REQUESTS, Judge, Request, Talk, parse_packet
from nlp_agent.records.gamelog import LoggedDay, LoggedGame, LoggedPlayer


@dataclass(slots=True)
class SeatRecord:
    """What one seat was told. ``guest`` is its connection's name; ``alive``: day -> who was, in its morning."""

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
        if request in TARGET_REQUESTS and text in self.state.players:
            self.state.chose(request, text)


def told_by_journal(rows: Iterable[Mapping[str, Any]]) -> SeatRecord:
    """From the rows of a seat's journal."""
    told = SeatRecord()
    for row in rows:
        match row.get("event"):
            case "name":
                told.guest = str(row.get("sent", ""))
            case "packet":
                told.packet(str(row.get("raw", "")))
            case "decision":
                told.answer(str(row.get("request", "")), str(row.get("sent", "")))
    return told


def read_json_log(text: str, contest: str = "", name: str = "") -> LoggedGame | None:
    """The game of the organisers' JSON log, or ``None`` when ``text`` is none."""
    try:
        log = json.loads(text)
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
    return game_told(list(seats.values()), contest, name, winner="" if side == "NONE" else side)


def _name_guests(seats: Sequence[SeatRecord], agents: Sequence[Mapping[str, Any]]) -> None:
    """The server asks in seat order; its list of agents has that order too, but only roles tell whether it is so."""
    roles = [str(row.get("role", "")) for row in agents]
    if roles == [seat.state.role for seat in seats]:
        for seat, row in zip(seats, agents, strict=True):
            seat.guest = str(row.get("name", ""))


def game_told(seats: Sequence[SeatRecord], contest: str = "", name: str = "", *, winner: str = "") -> LoggedGame | None:
    """What all ``seats`` of one game were told, put together; ``None`` when none was told who plays."""
    seats = [seat for seat in seats if seat.state.players]
    if not seats:
        return None
    roles: dict[str, str] = {}
    for seat in seats:
        roles.update(seat.state.roles)
    first = seats[0].state
    guests = {seat.state.me: seat.guest for seat in seats}
    players = tuple(
        LoggedPlayer(number, player, guests.get(player, ""), roles.get(player, ""))
        for number, player in enumerate(first.players, start=1)
    )
    last = max(seat.state.day for seat in seats)
    days = tuple(_day(number, seats, roles) for number in range(last + 1))
    if not winner and first.finished:
        winner = winning_side(roles, first.alive)
    return LoggedGame(contest, name or first.game_id, players, days, winner)


def _day(number: int, seats: Sequence[SeatRecord], roles: Mapping[str, str]) -> LoggedDay:
    states = [seat.state for seat in seats]
    day = LoggedDay(number, alive=next((seat.alive[number] for seat in seats if number in seat.alive), ()))
    day.talks = _joined(talk for state in states for talk in state.talks if talk.day == number)
    day.whispers = _joined(talk for state in states for talk in state.whispers if talk.day == number)
    day.early_whispers = len(day.whispers) if number == 0 else 0
    for state in states:
        day.votes |= {vote.agent: vote.target for vote in state.votes.get(number, ())}
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
    day.prey = day.attacked
    return day


def _joined(talks: Iterable[Talk]) -> list[Talk]:
    """The talks of all packets, each once and in order; where numbers were given twice, as on the evening of day 0, in
    the order they came."""
    found = list({(talk.idx, talk.agent, talk.turn, talk.text): talk for talk in talks}.values())
    unique = len({talk.idx for talk in found}) == len(found)
    return sorted(found, key=lambda talk: talk.idx) if unique else found
