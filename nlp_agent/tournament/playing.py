"""One game of a tournament, played, and the row that is kept of it.

Where all contestants play without a model the game is played without sockets (:func:`play_in_engine`); models, group
chats and foreign agents sit at a table of ours, over sockets on this machine (:func:`play_at_table`).
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from nlp_agent.app.measures import game_from_events, measure, seat_summary
from nlp_agent.app.wiring.casts import table_cast
from nlp_agent.app.wiring.tables import one_clock, write_game
from nlp_agent.app.wiring.team import Team
from nlp_agent.arena.engine import Deliver, Game
from nlp_agent.arena.events import Event, PollOpened, Voted
from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.arena.logs import game_log
from nlp_agent.arena.report import SeatReport, TableReport, report_on
from nlp_agent.arena.server import Table
from nlp_agent.arena.table import Match
from nlp_agent.arena.village import Village
from nlp_agent.deadline import Deadline
from nlp_agent.errors import SessionError
from nlp_agent.game import role_spec
from nlp_agent.net import EntryLock
from nlp_agent.prompting import Pack
from nlp_agent.protocol import Packet, Request
from nlp_agent.records.game_files import RecordFolders
from nlp_agent.records.journal import Journal
from nlp_agent.records.summary import WordCounts, percentile
from nlp_agent.seat import Seat, SeatStats
from nlp_agent.tasks import end_tasks
from nlp_agent.tournament.contestant_files import ArrivedContestant
from nlp_agent.tournament.deals import Fixture, choices_of
from nlp_agent.tournament.foreign import ForeignAgent
from nlp_agent.tournament.plan import VillageSpec
from nlp_agent.tournament.rows import GameRow, SeatRow

# --- A finished game as a row ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayedFixture:
    """One played game of a tournament, as the table has it: its report and events; ``stats`` of our seats by seat,
    ``timeout`` in milliseconds.

    ``pack`` reads the words to be counted; None counts none. ``seconds`` it took, ``began`` in ISO 8601.
    """

    report: TableReport
    events: Sequence[Event]
    stats: Mapping[int, SeatStats]
    language: str
    timeout: int
    began: str
    seconds: float
    talk: str = "turns"
    pack: Pack | None = None


def game_row(fixture: Fixture, played: PlayedFixture, worker: str) -> GameRow:
    """The game's row, but for its tries."""
    report, votes = played.report, _votes(played.events)
    words = measure(game_from_events(played.events), played.pack.reading) if played.pack else {}
    seats = tuple(
        _seat_row(seat, fixture, played, tuple(votes[seat.seat.idx]), words.get(seat.seat.name, WordCounts()))
        for seat in report.seats
    )
    return GameRow(
        game_id=report.game_id,
        winner=report.winner,
        days=report.days,
        seed=fixture.deal.seed,
        village=dict(Counter(report.roles.values())),
        language=played.language,
        seats=seats,
        seconds=round(played.seconds, 3),
        warnings=report.warnings,
        game=fixture.game,
        deal=fixture.deal.name,
        turn=fixture.turn,
        group=fixture.deal.group,
        tables=fixture.tables.value,
        talk=played.talk,
        began=played.began,
        worker=worker,
        aborted=report.aborted,
        counted=played.pack is not None,
    )


def _votes(events: Sequence[Event]) -> dict[int, list[tuple[int, int]]]:
    """Voter -> (day, target) of the last round of each day, which is the one that counts."""
    by_day: dict[int, list[Voted]] = {}
    for event in events:
        if isinstance(event, PollOpened) and event.request is Request.VOTE:
            by_day[event.day] = []
        elif isinstance(event, Voted) and event.request is Request.VOTE:
            by_day[event.day].append(event)
    votes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for day, round_ in by_day.items():
        for vote in round_:
            votes[vote.seat].append((day, vote.target))
    return votes


def _seat_row(
    report: SeatReport, fixture: Fixture, played: PlayedFixture, votes: tuple[tuple[int, int], ...], words: WordCounts
) -> SeatRow:
    seat, side = report.seat, role_spec(report.seat.role).side.value
    stats = played.stats.get(seat.idx)
    told = stats or SeatStats()
    times = told.milliseconds
    summary = seat_summary(report, told, words)
    return SeatRow(
        **{one.name: getattr(summary, one.name) for one in fields(summary)},
        p90_ms=round(percentile(times, 0.9), 2),
        max_ms=round(max(times, default=0.0), 2),
        timeout_ms=played.timeout,
        contestant=fixture.seats[seat.idx],
        side=side,
        won=played.report.winner == side,
        votes=votes,
        # Nobody knows what a foreign agent spends.
        money=told.usage.money if stats is not None else None,
    )


# --- One game without sockets ----------------------------------------------------------------------------------------


Files = dict[str, bytes]
"""What a folder of records is to hold, by name."""


cast_of = cache(table_cast)
_VILLAGES: dict[str, Village] = {}


def village_of(spec: VillageSpec) -> Village:
    """The village of ``spec``, made once a process: it is the same in every game."""
    return _VILLAGES.setdefault(repr(spec), spec.village())


_PACKS: dict[str, dict[str, Pack]] = {}


def make_team(guest: ArrivedContestant, seats: int, records: Path) -> Team:
    """Make the team of ``guest`` with ``seats`` seats; its packs are loaded once a process."""
    guest.install()
    one = guest.contestant
    agent = one.config.agent.model_copy(update={"team": one.team, "num": seats})
    config = one.config.model_copy(update={"agent": agent})
    packs = _PACKS.setdefault(guest.digest, {})
    return Team(config, RecordFolders(records, lambda: "game"), EntryLock(), packs)


def names_of(fixture: Fixture, invited: Mapping[str, ArrivedContestant]) -> list[str]:
    """The connection name of each seat: the team's, and the number of the seat among its own."""
    had: Counter[str] = Counter()
    names = []
    for contestant in fixture.seats:
        had[contestant] += 1
        names.append(f"{invited[contestant].contestant.team}{had[contestant]}")
    return names


def play_in_engine(
    fixture: Fixture, spec: VillageSpec, invited: Mapping[str, ArrivedContestant]
) -> tuple[PlayedFixture, Files]:
    """Play ``fixture``. Its records are the game's log; a seat's chance goes with the seat, whoever sits in it."""
    began, clock = datetime.now(UTC), time.monotonic()
    village, seed = village_of(spec), fixture.deal.seed
    teams = {name: make_team(invited[name], fixture.seats.count(name), Path()) for name in set(fixture.seats)}
    names = names_of(fixture, invited)
    seats = [
        teams[contestant].unrecorded_seat(name, seed, f"seat{number}")
        for number, (contestant, name) in enumerate(zip(fixture.seats, names, strict=True), 1)
    ]
    game = Game(village, names, choices_of(seed), cast=cast_of(spec.language).cast, game_id=fixture.game)
    asyncio.run(play_seats(game, seats))
    played = PlayedFixture(
        report_on(game.events),
        game.events,
        {number: seat.stats for number, seat in enumerate(seats)},
        spec.language,
        village.timeout.action,
        began.isoformat(timespec="milliseconds"),
        time.monotonic() - clock,
    )
    return played, {"game.log": (game_log(game.events) + "\n").encode()}


async def play_seats(game: Game, seats: Sequence[Seat]) -> None:
    """Play ``game``, which has not begun, to its end."""
    order = game.start()
    while isinstance(order, Deliver):
        order = game.answer(await seat_turn(seats[order.seat], order.packet))


async def seat_turn(seat: Seat, packet: Packet) -> str | None:
    """Let ``seat`` take in ``packet``; returns its reply, or None where none is wanted."""
    seat.hear(packet)
    if not packet.needs_reply:
        return None
    last = Deadline.after(55.0)
    decision = await seat.answer(packet, last)
    seat.delivered(decision, last)
    return decision.text


# --- One game at a table of our own, over sockets on this machine ----------------------------------------------------


SIT_DOWN = 120.0
"""Seconds in which all seats must be taken."""


@dataclass
class _Participants:
    """All who come to one game. ``waiting``: what runs for each of them, and why there would be no game without it."""

    table: Table
    folder: Path
    seats: dict[int, tuple[Seat, Journal]] = field(default_factory=dict)
    teams: list[Team] = field(default_factory=list)
    agents: list[ForeignAgent] = field(default_factory=list)
    running: dict[asyncio.Task[Any], ForeignAgent | None] = field(default_factory=dict)


def play_at_table(
    fixture: Fixture, spec: VillageSpec, invited: Mapping[str, ArrivedContestant], *, full: bool
) -> tuple[PlayedFixture, Files]:
    """Play ``fixture``; with ``full`` records hold the JSON log and the journals of our seats too.

    Raises SessionError when not all sit down, ConfigError for a contestant that cannot play.
    """
    # Nobody outside this process means that nobody's time has to pass.
    hurry = all(invited[name].contestant.quick for name in fixture.seats)
    with tempfile.TemporaryDirectory(prefix="nlp-agent-game-") as name:
        work = _play_over_sockets(fixture, spec, invited, Path(name))
        with asyncio.Runner(loop_factory=HurriedLoop if hurry else None) as runner:
            played, records = runner.run(work)
        kept = sorted(file for file in records.iterdir() if full or file.name == "game.log")
        return played, {file.name: file.read_bytes() for file in kept}


async def _play_over_sockets(
    fixture: Fixture, spec: VillageSpec, invited: Mapping[str, ArrivedContestant], folder: Path
) -> tuple[PlayedFixture, Path]:
    began, clock = datetime.now(UTC), time.monotonic()
    village = village_of(spec)
    places = tuple(invited[name].contestant.team for name in fixture.seats)
    table = Table(village, cast=cast_of(spec.language).cast, seed=fixture.deal.seed, places=places, now_ms=one_clock())
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(table)
        party = _Participants(table, folder)
        stack.push_async_callback(_close_all, party)
        await _invite(party, fixture, invited)
        match = await _wait_for_match(party)
    pack = next((seat.pack for seat, _ in party.seats.values() if seat.pack), None)
    played = PlayedFixture(
        match.report,
        match.events,
        {number: seat.stats for number, (seat, _) in party.seats.items()},
        spec.language,
        village.timeout.action,
        began.isoformat(timespec="milliseconds"),
        time.monotonic() - clock,
        talk=spec.talk,
        pack=pack,
    )
    return played, write_game(RecordFolders(folder, lambda: "game"), match)


async def _invite(party: _Participants, fixture: Fixture, invited: Mapping[str, ArrivedContestant]) -> None:
    """Everybody is asked to come: our seats in this process, foreign agents in their own."""
    names, seed = names_of(fixture, invited), fixture.deal.seed
    for contestant in dict.fromkeys(fixture.seats):
        guest, taken = invited[contestant], [n for n, name in enumerate(fixture.seats) if name == contestant]
        if guest.contestant.command:
            agent = ForeignAgent(guest.contestant, party.table.url, len(taken), party.folder)
            party.agents.append(agent)
            _start(party, agent.run(), agent)
            continue
        team = make_team(guest, len(taken), party.folder)
        party.teams.append(team)
        await team.start_local(lambda _: None)
        await _make_ready(team, guest)
        for number in taken:
            party.seats[number] = team.seat(names[number], seed, f"seat{number + 1}")
            session = team.session(party.table.url, names[number], *party.seats[number], lambda _: None)
            _start(party, session.play(), None)


_WARMED_UP: set[str] = set()


async def _make_ready(team: Team, guest: ArrivedContestant) -> None:
    """Packs are tried once a process; a model's client is opened for every game."""
    if guest.digest not in _WARMED_UP:
        await team.prepare()
        _WARMED_UP.add(guest.digest)
    elif team.model is not None:
        await team.model.warm()


def _start(party: _Participants, work: Coroutine[Any, Any, Any], agent: ForeignAgent | None) -> None:
    party.running[asyncio.create_task(work)] = agent


async def _wait_for_match(party: _Participants) -> Match:
    """The game when it is over. Whoever leaves before it began is the end of it; later that is the table's to judge."""
    match, waiting = asyncio.create_task(party.table.next_match()), set(party.running)
    loop, began = asyncio.get_running_loop(), False
    limit = loop.time() + SIT_DOWN
    try:
        while not match.done():
            patience = None if began else max(0.0, limit - loop.time())
            done, _ = await asyncio.wait({match, *waiting}, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            waiting -= done
            began = began or party.table.running > 0
            if not match.done() and not began:
                _check_nobody_left(party, done)
        return match.result()
    finally:
        match.cancel()


def _check_nobody_left(party: _Participants, gone: set[asyncio.Task[Any]]) -> None:
    for task in gone & set(party.running):
        agent, result = party.running[task], task.result()
        if agent is not None:
            raise agent.failed(result)
    if not gone:
        there = ", ".join(party.table.waiting) or "nobody"
        raise SessionError(f"not all seats were taken within {SIT_DOWN:.0f} s; there: {there}")


async def _close_all(party: _Participants) -> None:
    for agent in party.agents:
        await agent.end()
    await end_tasks(*party.running)
    for _, journal in party.seats.values():
        journal.close()
    for team in party.teams:
        await team.aclose()
