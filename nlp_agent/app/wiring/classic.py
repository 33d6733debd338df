"""A set of games at a classic TCP server of our own, all seats in this process, over real sockets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

from nlp_agent.app.wiring.opening import TableOptions, classic_table
from nlp_agent.app.wiring.tables import next_of, own_team, unless, write_game

if TYPE_CHECKING:
    from nlp_agent.app.config import Config
    from nlp_agent.app.wiring.team import Team
    from nlp_agent.arena.classic_server import ClassicTable
    from nlp_agent.arena.events import Event
    from nlp_agent.net import Stop
    from nlp_agent.net.classic import ClassicDoor
    from nlp_agent.records.summary import GameSummary
    from nlp_agent.seat import Seat


async def play_set(
    config: Config,
    options: TableOptions,
    on_event: Callable[[Event], None],
    on_summary: Callable[[GameSummary], None],
    stop: Stop,
    on_status: Callable[[str], None] = lambda _: None,
) -> None:
    """Play a set of games; the first stop ends after the running game, the second at once."""
    table = classic_table(options, on_event)
    async with table:
        place = config.web_socket.model_copy(update={"url": table.url})
        async with own_team(config.model_copy(update={"web_socket": place}), options, on_status) as team:
            await unless(stop.now.wait(), _play(team, table, options, on_summary, stop))


async def _play(
    team: Team, table: ClassicTable, options: TableOptions, on_summary: Callable[[GameSummary], None], stop: Stop
) -> None:
    from nlp_agent.app.wiring.summaries import summarise  # noqa: PLC0415 - no name is to wait for it

    seats = {name: _Sitting(team, name, table, options.seed) for name in team.names()}
    playing = [asyncio.create_task(sitting.play()) for sitting in seats.values()]
    try:
        for number in count():
            started = time.monotonic()
            match = await next_of(table, playing)
            played = {name: await sitting.finished.get() for name, sitting in seats.items()}
            folder = write_game(team.folders, match, classic=True)
            seconds = time.monotonic() - started
            on_summary(summarise(match, played, options.seed + number, options.lang, seconds, folder))
            if stop.soon.is_set() or match.report.aborted or number + 1 == options.games:
                return
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


class _Sitting:
    """One seat, game after game; ``finished`` gets what sat there in each."""

    def __init__(self, team: Team, name: str, table: ClassicTable, seed: int) -> None:
        self._team, self._name, self._url, self._seed = team, name, table.url, seed
        # The table's own names, which no line tells: what seats and table write of a game is to lie in one place.
        self._door: ClassicDoor = team.door(table.url, name, seed, lambda number: table.game_ids[number - 1])
        self.finished: asyncio.Queue[Seat] = asyncio.Queue()

    async def play(self) -> None:
        try:
            for number in count(self._seed):
                self._team.refresh_packs()
                seat, journal = self._team.seat(self._name, number)
                session = self._team.session(self._url, self._name, seat, journal, lambda _: None, self._door.connect)
                try:
                    outcome = await session.play()
                finally:
                    journal.close()
                    self.finished.put_nowait(seat)
                if not outcome.finished:
                    return
        finally:
            await self._door.close()
