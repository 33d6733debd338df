"""One game at a table of our own, over sockets on this machine: for models, group chats and foreign agents."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nlp_agent.app.wiring import Team
from nlp_agent.app.wiring.opening import one_clock
from nlp_agent.app.wiring.tables import write_game
from nlp_agent.arena.matches import Match
from nlp_agent.arena.server import Table
from nlp_agent.errors import SessionError
from nlp_agent.lab.clock import HurriedLoop
from nlp_agent.lab.tournament.contestant_files import ArrivedContestant
from nlp_agent.lab.tournament.deals import Fixture
from nlp_agent.lab.tournament.foreign import ForeignAgent
from nlp_agent.lab.tournament.plan import VillageSpec
from nlp_agent.lab.tournament.quick import Files, cast_of, made_team, names_of, village_of
from nlp_agent.lab.tournament.results import Played
from nlp_agent.records.folders import RecordFolders
from nlp_agent.records.journal import Journal
from nlp_agent.seat import Seat

SIT_DOWN = 120.0
"""Seconds in which all seats must be taken."""


@dataclass
class _Party:
    """All who come to one game. ``waiting``: what runs for each of them, and why there would be no game without it."""

    table: Table
    folder: Path
    seats: dict[int, tuple[Seat, Journal]] = field(default_factory=dict)
    teams: list[Team] = field(default_factory=list)
    agents: list[ForeignAgent] = field(default_factory=list)
    running: dict[asyncio.Task[Any], ForeignAgent | None] = field(default_factory=dict)


def play_at_table(
    fixture: Fixture, spec: VillageSpec, invited: Mapping[str, ArrivedContestant], *, full: bool
) -> tuple[Played, Files]:
    """Play ``fixture``; with ``full`` records hold the JSON log and the journals of our seats too.

    Raises SessionError when not all sit down, ConfigError for a contestant that cannot play.
    """
    # Nobody outside this process means that nobody's time has to pass.
    hurry = all(invited[name].contestant.quick for name in fixture.seats)
    with tempfile.TemporaryDirectory(prefix="nlp-agent-game-") as name:
        work = _play(fixture, spec, invited, Path(name))
        with asyncio.Runner(loop_factory=HurriedLoop if hurry else None) as runner:
            played, records = runner.run(work)
        kept = sorted(file for file in records.iterdir() if full or file.name == "game.log")
        return played, {file.name: file.read_bytes() for file in kept}


async def _play(
    fixture: Fixture, spec: VillageSpec, invited: Mapping[str, ArrivedContestant], folder: Path
) -> tuple[Played, Path]:
    began, clock = datetime.now(UTC), time.monotonic()
    village = village_of(spec)
    places = tuple(invited[name].contestant.team for name in fixture.seats)
    table = Table(village, cast=cast_of(spec.language).cast, seed=fixture.deal.seed, seating=places, now_ms=one_clock())
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(table)
        party = _Party(table, folder)
        stack.push_async_callback(_goodbye, party)
        await _invite(party, fixture, invited)
        match = await _over(party)
    pack = next((seat.pack for seat, _ in party.seats.values() if seat.pack), None)
    played = Played(
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


async def _invite(party: _Party, fixture: Fixture, invited: Mapping[str, ArrivedContestant]) -> None:
    """Everybody is asked to come: our seats in this process, foreign agents in their own."""
    names, seed = names_of(fixture, invited), fixture.deal.seed
    for contestant in dict.fromkeys(fixture.seats):
        guest, taken = invited[contestant], [n for n, name in enumerate(fixture.seats) if name == contestant]
        if guest.contestant.command:
            agent = ForeignAgent(guest.contestant, party.table.url, len(taken), party.folder)
            party.agents.append(agent)
            _start(party, agent.run(), agent)
            continue
        team = made_team(guest, len(taken), party.folder)
        party.teams.append(team)
        await team.start_local(lambda _: None)
        await _make_ready(team, guest)
        for number in taken:
            party.seats[number] = team.seat(names[number], seed, f"seat{number + 1}")
            session = team.session(party.table.url, names[number], *party.seats[number], lambda _: None)
            _start(party, session.play(), None)


_REHEARSED: set[str] = set()


async def _make_ready(team: Team, guest: ArrivedContestant) -> None:
    """Packs are tried once a process; a model's client is opened for every game."""
    if guest.digest not in _REHEARSED:
        await team.prepare()
        _REHEARSED.add(guest.digest)
    elif team.model is not None:
        await team.model.warm()


def _start(party: _Party, work: Coroutine[Any, Any, Any], agent: ForeignAgent | None) -> None:
    party.running[asyncio.create_task(work)] = agent


async def _over(party: _Party) -> Match:
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
                _nobody_missing(party, done)
        return match.result()
    finally:
        match.cancel()


def _nobody_missing(party: _Party, gone: set[asyncio.Task[Any]]) -> None:
    for task in gone & set(party.running):
        agent, result = party.running[task], task.result()
        if agent is not None:
            raise agent.failed(result)
    if not gone:
        there = ", ".join(party.table.waiting) or "nobody"
        raise SessionError(f"not all seats were taken within {SIT_DOWN:.0f} s; there: {there}")


async def _goodbye(party: _Party) -> None:
    for agent in party.agents:
        await agent.end()
    for task in party.running:
        task.cancel()
    await asyncio.gather(*party.running, return_exceptions=True)
    for _, journal in party.seats.values():
        journal.close()
    for team in party.teams:
        await team.aclose()
