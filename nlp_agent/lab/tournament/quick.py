"""One game without sockets: for contestants that need nothing from outside their process."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from nlp_agent.app.wiring import Team
from nlp_agent.app.wiring.casts import guests
from nlp_agent.arena.engine import Game
from nlp_agent.arena.logs import game_log
from nlp_agent.arena.report import report_on
from nlp_agent.arena.steps import Order
from nlp_agent.arena.village import Village
from nlp_agent.deadline import Deadline
from nlp_agent.lab.tournament.contestant_files import ArrivedContestant
from nlp_agent.lab.tournament.deals import Fixture, choices_of
from nlp_agent.lab.tournament.plan import VillageSpec
from nlp_agent.lab.tournament.results import Played
from nlp_agent.net import Gate
from nlp_agent.prompting import Pack
from nlp_agent.protocol import Packet
from nlp_agent.records.folders import RecordFolders
from nlp_agent.seat import Seat

Files = dict[str, bytes]
"""What a folder of records is to hold, by name."""


cast_of = cache(guests)
_VILLAGES: dict[str, Village] = {}


def village_of(spec: VillageSpec) -> Village:
    """Made once a process: it is the same in every game."""
    return _VILLAGES.setdefault(repr(spec), spec.village())


_PACKS: dict[str, dict[str, Pack]] = {}


def made_team(guest: ArrivedContestant, seats: int, records: Path) -> Team:
    """``guest`` with ``seats`` seats; its packs are loaded once a process."""
    guest.install()
    one = guest.contestant
    agent = one.config.agent.model_copy(update={"team": one.team, "num": seats})
    config = one.config.model_copy(update={"agent": agent})
    packs = _PACKS.setdefault(guest.digest, {})
    return Team(config, RecordFolders(records, lambda: "game"), Gate(), packs)


def names_of(fixture: Fixture, invited: Mapping[str, ArrivedContestant]) -> list[str]:
    """The connection name of each seat: the team's, and the number of the seat among its own."""
    had: Counter[str] = Counter()
    names = []
    for contestant in fixture.seats:
        had[contestant] += 1
        names.append(f"{invited[contestant].contestant.team}{had[contestant]}")
    return names


def play_quickly(fixture: Fixture, spec: VillageSpec, invited: Mapping[str, ArrivedContestant]) -> tuple[Played, Files]:
    """Play ``fixture``. Its records are the game's log; a seat's chance goes with the seat, whoever sits in it."""
    began, clock = datetime.now(UTC), time.monotonic()
    village, seed = village_of(spec), fixture.deal.seed
    teams = {name: made_team(invited[name], fixture.seats.count(name), Path()) for name in set(fixture.seats)}
    names = names_of(fixture, invited)
    seats = [
        teams[contestant].unrecorded_seat(name, seed, f"seat{number}")
        for number, (contestant, name) in enumerate(zip(fixture.seats, names, strict=True), 1)
    ]
    game = Game(village, names, choices_of(seed), cast=cast_of(spec.language).cast, game_id=fixture.game)
    asyncio.run(play_out(game, seats))
    played = Played(
        report_on(game.events),
        game.events,
        {number: seat.stats for number, seat in enumerate(seats)},
        spec.language,
        village.timeout.action,
        began.isoformat(timespec="milliseconds"),
        time.monotonic() - clock,
    )
    return played, {"game.log": (game_log(game.events) + "\n").encode()}


async def play_out(
    game: Game,
    seats: Sequence[Seat],
    around: Callable[[Packet], AbstractContextManager[Any]] = lambda _: nullcontext(),
) -> None:
    """Play ``game``, which has not begun, to its end; ``around`` is entered while a seat deals with a packet."""
    order = game.start()
    while isinstance(order, Order):
        with around(order.packet):
            reply = await _turn(seats[order.seat], order.packet)
        order = game.answer(reply)


async def _turn(seat: Seat, packet: Packet) -> str | None:
    seat.hear(packet)
    if not packet.needs_reply:
        return None
    last = Deadline.after(55.0)
    decision = await seat.answer(packet, last)
    seat.delivered(decision, last)
    return decision.text
