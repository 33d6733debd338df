"""Games at a table of our own: the table a command wants, and playing there with all seats in this process, or hosting
alone.

:func:`write_game` writes the organisers' logs of a finished game; their format is in :mod:`nlp_agent.arena.logs`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.casts import table_cast
from nlp_agent.app.wiring.team import Team, now_folder
from nlp_agent.net import EntryLock, Session, Stop
from nlp_agent.records.game_files import GAME_LOG, RecordFolders
from nlp_agent.records.summary import GameSummary
from nlp_agent.tasks import end_tasks

if TYPE_CHECKING:
    from nlp_agent.arena.classic_game import Habits
    from nlp_agent.arena.classic_server import ClassicTable
    from nlp_agent.arena.events import Event
    from nlp_agent.arena.server import Table
    from nlp_agent.arena.table import BaseTable, Match
    from nlp_agent.net.classic import ClassicServer
    from nlp_agent.seat import Seat


# --- Which table a command wants, and how it is built ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The options of a table of our own. ``lang`` is the pack of the characters, ``seed`` that of the first game; the
    next ones count up.

    ``games`` None: until stopped. ``duration`` (milliseconds) makes talks and whispers group chats. ``generation`` of
    the server the table is like, as :class:`nlp_agent.arena.village.Generation` names it. ``timeout``: milliseconds for
    an answer (None: the contest's). ``port`` 0: any that is free. ``classic``: the table is a classic TCP server with
    these habits. ``token``: what every guest must show.
    """

    players: int
    lang: str
    seed: int
    games: int | None
    out: Path
    duration: int | None = None
    generation: str = "current"
    timeout: int | None = None
    host: str = "127.0.0.1"
    port: int = 0
    classic: Habits | None = None
    token: str | None = field(default=None, repr=False)


def new_table(options: TableOptions, seed: int, on_event: Callable[[Event], None]) -> Table:
    """A table that speaks as the official server does; not open yet."""
    from nlp_agent.arena.server import Table  # noqa: PLC0415
    from nlp_agent.arena.village import CONTEST_TIMEOUT, Generation, contest_village  # noqa: PLC0415

    invited = table_cast(options.lang)
    changed = {} if options.timeout is None else {"action": options.timeout}
    return Table(
        contest_village(
            options.players,
            options.lang,
            length=invited.length,
            duration=options.duration,
            generation=Generation(options.generation),
            timeout=CONTEST_TIMEOUT.model_copy(update=changed),
        ),
        cast=invited.cast,
        seed=seed,
        host=options.host,
        port=options.port,
        tokens=options.token,
        on_event=lambda _, event: on_event(event),
        now_ms=one_clock(),
    )


def classic_table(options: TableOptions, on_event: Callable[[Event], None]) -> ClassicTable:
    """A table that speaks as the classic server does, for one set of games at a time; not open yet."""
    from nlp_agent.arena.classic_game import classic_village  # noqa: PLC0415 - seats at other tables need none
    from nlp_agent.arena.classic_server import ClassicTable  # noqa: PLC0415

    assert options.classic is not None
    return ClassicTable(
        classic_village(options.players, options.classic, options.timeout),
        options.classic,
        seed=options.seed,
        games=options.games,
        host=options.host,
        port=options.port,
        on_event=lambda _, event: on_event(event),
        now_ms=one_clock(),
    )


def one_clock() -> Callable[[], int]:
    """Make a clock of Unix milliseconds by that of the loop: one for all that is waited for, by table and seats
    alike.
    """
    loop, unix = asyncio.get_running_loop(), time.time()
    born = loop.time()
    return lambda: int((unix + loop.time() - born) * 1000)


# --- Playing at a table of our own -----------------------------------------------------------------------------------


logger = logging.getLogger(__name__)
T = TypeVar("T")


@asynccontextmanager
async def own_team(config: Config, options: TableOptions, on_status: Callable[[str], None]) -> AsyncIterator[Team]:
    """Make all seats of a table of our own as one team that is ready to play; it is closed when the context ends."""
    agent = config.agent.model_copy(update={"num": options.players})
    team = Team(config.model_copy(update={"agent": agent}), RecordFolders(options.out, now_folder), EntryLock())
    try:
        await team.start_local(on_status)
        await team.prepare()
        yield team
    finally:
        await team.aclose()


async def play_games(
    config: Config,
    options: TableOptions,
    on_event: Callable[[Event], None],
    on_summary: Callable[[GameSummary], None],
    stop: Stop,
    on_status: Callable[[str], None] = lambda _: None,
) -> None:
    """Play games one after another, all seats in this process, over real sockets on loopback; of a classic table a set
    of them on the same connections.

    The first stop ends after the running game, the second at once.
    """
    if options.classic is not None:
        async with classic_table(options, on_event) as table:
            place = config.web_socket.model_copy(update={"url": table.url})
            async with own_team(config.model_copy(update={"web_socket": place}), options, on_status) as team:
                await run_unless(stop.now.wait(), _play_set(team, table, options, on_summary, stop))
        return
    async with own_team(config, options, on_status) as team:
        for seed in islice(count(options.seed), options.games):
            if stop.soon.is_set():
                return
            for error in team.refresh_packs():
                logger.warning("%s -- the last good version stays in play", error)
            summary = await run_unless(stop.now.wait(), _play_one(options, team, seed, on_event))
            if summary is None:
                return
            on_summary(summary)


async def _play_one(options: TableOptions, team: Team, seed: int, on_event: Callable[[Event], None]) -> GameSummary:
    started = time.monotonic()
    seats = {name: team.seat(name, seed) for name in team.names()}
    table = new_table(options, seed, on_event)
    try:
        async with table:
            sessions = [team.session(table.url, name, *seat, lambda _: None) for name, seat in seats.items()]
            match = await _finished(table, sessions)
    finally:
        for _, journal in seats.values():
            journal.close()
    from nlp_agent.app.measures import summarise  # noqa: PLC0415 - no name is to wait for it

    folder = write_game(team.folders, match)
    playing = {name: seat for name, (seat, _) in seats.items()}
    return summarise(match, playing, seed, options.lang, time.monotonic() - started, folder)


async def _finished(table: Table, sessions: Sequence[Session]) -> Match:
    """Let all sessions play; raises the error of one that could not even sit down.

    A connection that is lost later is the table's to judge: the game goes on or is aborted by its rules.
    """
    playing = {asyncio.create_task(session.play()): session for session in sessions}
    try:
        match = await next_finished(table, playing, lambda task: not playing[task].started)
        await asyncio.wait(playing)
        return match
    finally:
        await end_tasks(*playing)


async def next_finished(
    table: BaseTable, playing: Iterable[asyncio.Task[T]], matters: Callable[[asyncio.Task[T]], bool] = lambda _: True
) -> Match:
    """The next match of ``table``; raises the error with which one of ``playing`` ends before, if that ``matters``."""
    match, left = asyncio.create_task(table.next_match()), set(playing)
    try:
        while not match.done():
            done, _ = await asyncio.wait({match, *left}, return_when=asyncio.FIRST_COMPLETED)
            for task in left & done:
                left.remove(task)
                if matters(task) and not match.done() and (failure := task.exception()) is not None:
                    raise failure
        return match.result()
    finally:
        match.cancel()


async def _play_set(
    team: Team, table: ClassicTable, options: TableOptions, on_summary: Callable[[GameSummary], None], stop: Stop
) -> None:
    from nlp_agent.app.measures import summarise  # noqa: PLC0415 - no name is to wait for it

    seats = {name: _ClassicSeat(team, name, table, options.seed) for name in team.names()}
    playing = [asyncio.create_task(sitting.play()) for sitting in seats.values()]
    try:
        for number in count():
            started = time.monotonic()
            match = await next_finished(table, playing)
            played = {name: await sitting.finished.get() for name, sitting in seats.items()}
            folder = write_game(team.folders, match, classic=True)
            seconds = time.monotonic() - started
            on_summary(summarise(match, played, options.seed + number, options.lang, seconds, folder))
            if stop.soon.is_set() or match.report.aborted or number + 1 == options.games:
                return
    finally:
        await end_tasks(*playing)


class _ClassicSeat:
    """One seat through a set of games; ``finished`` gets what sat there in each."""

    def __init__(self, team: Team, name: str, table: ClassicTable, seed: int) -> None:
        self._team, self._name, self._url, self._seed = team, name, table.url, seed
        # A classic server sends no ids of games. The table's are used, so that seats and table write to one folder.
        self._classic: ClassicServer = team.classic_server(
            table.url, name, seed, lambda number: table.game_ids[number - 1]
        )
        self.finished: asyncio.Queue[Seat] = asyncio.Queue()

    async def play(self) -> None:
        try:
            for number in count(self._seed):
                self._team.refresh_packs()
                seat, journal = self._team.seat(self._name, number)
                session = self._team.session(
                    self._url, self._name, seat, journal, lambda _: None, self._classic.connect
                )
                try:
                    outcome = await session.play()
                finally:
                    journal.close()
                    self.finished.put_nowait(seat)
                if not outcome.finished:
                    return
        finally:
            await self._classic.close()


async def serve_table(
    options: TableOptions,
    on_event: Callable[[Event], None],
    on_status: Callable[[str], None],
    stop: Stop,
) -> None:
    """Host games for guests from anywhere until enough were played or somebody stops it."""
    folders = RecordFolders(options.out, now_folder)
    table: Table | ClassicTable = (
        new_table(options, options.seed, on_event) if options.classic is None else classic_table(options, on_event)
    )

    def on_guest(name: str, came: bool, here: int) -> None:
        on_status(f"{name} {'came' if came else 'left'}: {here} of {options.players} are here")

    table.on_guest = on_guest
    async with table:
        chat = f", group chat of {options.duration / 1000:g} s," if options.duration is not None else ""
        on_status(f"A table for {options.players}{chat} is open at {table.url} -- waiting for guests")
        played = 0
        while (options.games is None or played < options.games) and not (played and stop.soon.is_set()):
            with stop.minding(lambda: table.running > 0):
                match = await run_unless(_enough(table, stop), table.next_match())
            if match is None:
                return
            played += 1
            folder = write_game(folders, match, classic=options.classic is not None)
            on_status(f"Game {played}: {match.report.winner}; records in {folder}")
            for warning in match.report.warnings:
                on_status(f"  {warning}")


async def _enough(table: Table | ClassicTable, stop: Stop) -> None:
    """Wait until no further game is wanted: one that has begun is played on after the first stop, whenever it began."""
    await stop.soon.wait()
    if table.running:
        await stop.now.wait()


async def run_unless(stop: Coroutine[Any, Any, object], work: Coroutine[Any, Any, T]) -> T | None:
    """The result of ``work``, or None when ``stop`` came first; ``work`` is ended properly then."""
    task, stopped = asyncio.ensure_future(work), asyncio.ensure_future(stop)
    try:
        await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        await end_tasks(task, stopped)


def write_game(folders: RecordFolders, match: Match, *, classic: bool = False) -> Path:
    """Write the organisers' two logs beside the seats' journals, and that of the ``classic`` server; return the
    folder.
    """
    folder = folders.joined(match.report.game_id)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / GAME_LOG).write_text(match.game_log() + "\n", encoding="utf-8", newline="\n")
    (folder / "game.json").write_text(json.dumps(match.json_log(), ensure_ascii=False), encoding="utf-8", newline="\n")
    if classic:
        from nlp_agent.arena.logs import game_log  # noqa: PLC0415 - loaded long before

        (folder / "classic.log").write_text(game_log(match.events, classic=True) + "\n", encoding="utf-8", newline="\n")
    return folder
