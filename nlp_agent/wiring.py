"""The only place that builds real parts: endpoints, packs, seats, sessions and tables, and runs them together."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from nlp_agent.config import Config, LlmConfig, llm_api_key, server_token
from nlp_agent.errors import ConfigError, NlpAgentError, PackError
from nlp_agent.game import SeatState, Side, role_spec
from nlp_agent.llm.dialect import EndpointConfig
from nlp_agent.llm.endpoint import EndpointModel
from nlp_agent.net import Session, Stop
from nlp_agent.net.stay import stay
from nlp_agent.player import How, Seat, SeatStats, Timing
from nlp_agent.prompting import Pack, detect_language, load_pack
from nlp_agent.protocol import Species
from nlp_agent.records.folders import RecordFolders, safe_name
from nlp_agent.records.journal import Journal
from nlp_agent.records.summary import GameSummary, SeatSummary, percentile

if TYPE_CHECKING:
    from nlp_agent.arena.events import Event
    from nlp_agent.arena.report import SeatReport
    from nlp_agent.arena.server import Match, Table

logger = logging.getLogger(__name__)
T = TypeVar("T")

AUTO = "auto"
"""The pack is chosen by the language of the character's profile and of the names at the table."""
AUTO_PACKS = ("en", "ja")


def now_iso() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def now_folder() -> str:
    return f"{datetime.now().astimezone():%Y%m%d-%H%M%S}"


class Crew:
    """The seats of one Config; all of them share model, packs and record folders."""

    def __init__(self, config: Config, folders: RecordFolders, door: asyncio.Lock) -> None:
        self.config = config
        self.folders = folders
        self._door = door
        self.model = build_model(config)
        self._packs = {name: load_pack(name) for name in (AUTO_PACKS if config.pack == AUTO else (config.pack,))}
        deadline = config.deadline
        self._timing = Timing(deadline.soft, deadline.fallback, deadline.ceiling)

    def names(self) -> list[str]:
        """Connection names: the team and a number from 1."""
        return [f"{self.config.agent.team}{number}" for number in range(1, self.config.agent.num + 1)]

    async def warm(self) -> None:
        """Load the model's client beside the waiting for the game, so that no deadline pays for it."""
        if self.model is not None:
            await self.model.warm()

    async def aclose(self) -> None:
        if self.model is not None:
            await self.model.aclose()

    def refresh_packs(self) -> list[PackError]:
        """Take in templates changed since the last game; a broken one is reported and the last good one stays."""
        return [error for pack in self._packs.values() if (error := pack.refresh()) is not None]

    def seat(self, name: str, seed: int | str) -> tuple[Seat, Journal]:
        """A seat for one game, and its journal, which opens when the game is known."""
        journal = Journal(now_iso)

        def sit_down(state: SeatState) -> Pack:
            journal.open(self.folders.of(state.game_id) / f"{safe_name(name)}.jsonl")
            return self._pack_for(state)

        seat = Seat(
            choose_pack=sit_down,
            model=self.model,
            timing=self._timing,
            seed=crc32(f"{seed}/{name}".encode()),
            record=journal,
        )
        return seat, journal

    def session(self, url: str, name: str, seat: Seat, journal: Journal, on_status: Callable[[str], None]) -> Session:
        return Session(
            url,
            name,
            seat,
            journal,
            clock=time.monotonic,
            door=self._door,
            token=server_token(self.config) or "",
            on_status=on_status,
        )

    def _pack_for(self, state: SeatState) -> Pack:
        if self.config.pack != AUTO:
            return self._packs[self.config.pack]
        return self._packs[detect_language(state.profile, state.players)]


def build_model(config: Config) -> EndpointModel | None:
    """The endpoint of the configuration, or None for the LLM-free player. Raises ConfigError without a key."""
    llm = config.llm
    if not llm.enabled:
        return None
    key = llm_api_key(config)
    if not key and not _at_home(llm.base_url):
        raise ConfigError(
            f"no key for {llm.base_url}: set {llm.api_key_env} in the environment or in a .env beside the config",
            file=str(config.source or ""),
            key="llm.api_key_env",
        )
    return EndpointModel(endpoint_config(llm, key or "none"))


def endpoint_config(llm: LlmConfig, key: str) -> EndpointConfig:
    able = llm.capabilities
    return EndpointConfig(
        base_url=llm.base_url,
        model=llm.model,
        api_key=key,
        key_env=llm.api_key_env,
        temperature=llm.temperature,
        max_tokens=llm.max_tokens,
        stream=llm.stream,
        concurrency=llm.concurrency,
        structured="json_schema" if able.structured == "auto" else able.structured,
        token_field=able.token_field,
        reasoning_effort=able.reasoning_effort,
        headless_thinking=able.headless_thinking,
    )


def _at_home(url: str) -> bool:
    """Servers on this machine ask for no key, but the client insists on some text."""
    return any(host in url for host in ("//127.", "//localhost", "//[::1]"))


# --- playing at our own table ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """``seed`` is that of the first game, the next ones count up; ``lang`` is that of the table's characters."""

    config: Config
    players: int
    lang: str
    seed: int
    games: int
    out: Path


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """``games`` None: until stopped."""

    players: int
    lang: str
    host: str
    port: int
    games: int | None
    seed: int
    out: Path


async def play_games(
    options: PlayOptions,
    on_event: Callable[[Event], None],
    on_summary: Callable[[GameSummary], None],
    stop: Stop,
) -> None:
    """Play games one after another, all seats in this process, over real sockets on loopback.

    The first stop ends after the running game, the second at once.
    """
    agent = options.config.agent.model_copy(update={"num": options.players})
    config = options.config.model_copy(update={"agent": agent})
    crew = Crew(config, RecordFolders(options.out, now_folder), asyncio.Lock())
    try:
        await crew.warm()
        for number in range(options.games):
            if stop.soon.is_set():
                return
            for error in crew.refresh_packs():
                logger.warning("%s -- the last good version stays in play", error)
            summary = await _unless(stop.now, _play_one(options, crew, options.seed + number, on_event))
            if summary is None:
                return
            on_summary(summary)
    finally:
        await crew.aclose()


async def _play_one(options: PlayOptions, crew: Crew, seed: int, on_event: Callable[[Event], None]) -> GameSummary:
    started = time.monotonic()
    seats = {name: crew.seat(name, seed) for name in crew.names()}
    table = _table(options.players, options.lang, seed, on_event)
    try:
        async with table:
            sessions = [crew.session(table.url, name, *seat, lambda _: None) for name, seat in seats.items()]
            match = await _finished(table, sessions)
    finally:
        for _, journal in seats.values():
            journal.close()
    folder = write_game(crew.folders, match)
    stats = {name: seat.stats for name, (seat, _) in seats.items()}
    return summarise(match, stats, seed, options.lang, time.monotonic() - started, folder)


async def _finished(table: Table, sessions: Sequence[Session]) -> Match:
    """Let all sessions play; raises the error of one that could not even sit down.

    A connection that is lost later is the table's to judge: the game goes on or is aborted by its rules.
    """
    match = asyncio.create_task(table.next_match())
    playing = {asyncio.create_task(session.play()): session for session in sessions}
    waiting: set[asyncio.Task[Any]] = {match, *playing}
    try:
        while not match.done():
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done - {match}:
                failure = task.exception()
                if failure is not None and not playing[task].started:
                    raise failure
        await asyncio.wait(playing)
        return match.result()
    finally:
        for task in (match, *playing):
            task.cancel()
        await asyncio.gather(match, *playing, return_exceptions=True)


async def serve_table(
    options: ServeOptions,
    on_event: Callable[[Event], None],
    on_status: Callable[[str], None],
    stop: Stop,
) -> None:
    """Host games for guests from anywhere until enough were played or somebody stops it."""
    folders = RecordFolders(options.out, now_folder)
    table = _table(options.players, options.lang, options.seed, on_event, options.host, options.port)
    async with table:
        on_status(f"A table for {options.players} is open at {table.url} -- waiting for guests")
        played = 0
        while options.games is None or played < options.games:
            match = await _unless(stop.now if table.running else stop.soon, table.next_match())
            if match is None:
                return
            played += 1
            on_status(f"Game {played}: {match.report.winner}; records in {write_game(folders, match)}")
            for warning in match.report.warnings:
                on_status(f"  {warning}")


def _table(
    players: int,
    lang: str,
    seed: int,
    on_event: Callable[[Event], None],
    host: str = "127.0.0.1",
    port: int = 0,
) -> Table:
    from nlp_agent.arena.cast import load_cast  # noqa: PLC0415 - seats at other tables need none
    from nlp_agent.arena.lobby import Seating  # noqa: PLC0415
    from nlp_agent.arena.server import Table  # noqa: PLC0415
    from nlp_agent.arena.village import contest_village  # noqa: PLC0415

    return Table(
        contest_village(players, lang),
        cast=load_cast(lang),
        seed=seed,
        host=host,
        port=port,
        seating=Seating.ANY,
        on_event=lambda _, event: on_event(event),
    )


async def _unless(stop: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """The result of ``work``, or None when ``stop`` came first; ``work`` is ended properly then."""
    task, stopped = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for each in (task, stopped):
            each.cancel()
        await asyncio.gather(task, stopped, return_exceptions=True)


def write_game(folders: RecordFolders, match: Match) -> Path:
    """Write the organisers' two logs beside the seats' journals; returns the folder."""
    folder = folders.of(match.report.game_id)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.log").write_text(match.game_log() + "\n", encoding="utf-8")
    (folder / "game.json").write_text(json.dumps(match.json_log(), ensure_ascii=False), encoding="utf-8")
    return folder


def summarise(
    match: Match, stats: dict[str, SeatStats], seed: int, lang: str, seconds: float, folder: Path
) -> GameSummary:
    """One record of the table's view (illegal, late, extra) and the seats' own (where words came from, time)."""
    report = match.report
    return GameSummary(
        game_id=report.game_id,
        winner=report.winner,
        days=report.days,
        seed=seed,
        village=_counts(report.roles.values()),
        language=lang,
        seats=tuple(_seat_summary(seat, stats[seat.seat.guest]) for seat in report.seats),
        seconds=round(seconds, 3),
        warnings=report.warnings,
        records=str(folder),
    )


def _seat_summary(report: SeatReport, stats: SeatStats) -> SeatSummary:
    from nlp_agent.arena.events import Fault  # noqa: PLC0415

    by_how = stats.by_how
    return SeatSummary(
        name=report.seat.name,
        seat=report.seat.guest,
        role=report.seat.role,
        survived=report.survived,
        talks=report.talks,
        replies=sum(by_how.values()),
        llm=by_how.get(How.LLM, 0) + by_how.get(How.RETRY, 0),
        retries=by_how.get(How.RETRY, 0),
        fallbacks=by_how.get(How.FALLBACK, 0) + by_how.get(How.RESCUE, 0),
        illegal=report.illegal,
        late=report.late,
        extra=report.faults.get(Fault.UNASKED, 0),
        crashes=stats.crashes,
        llm_calls=stats.usage.calls,
        prompt_tokens=stats.usage.prompt_tokens,
        completion_tokens=stats.usage.completion_tokens,
        cached_tokens=stats.usage.cached_tokens,
        p50_ms=round(percentile(stats.milliseconds, 0.5), 2),
        p99_ms=round(percentile(stats.milliseconds, 0.99), 2),
    )


def _counts(roles: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for role in roles:
        counts[role] = counts.get(role, 0) + 1
    return counts


# --- playing on a server ---------------------------------------------------------------------------------------


async def run_seats(configs: Sequence[Config], on_status: Callable[[str], None], stop: Stop) -> int:
    """Seat everybody the configs name and play; returns 0 when every seat finished its games, else 1.

    Raises the error itself when all seats failed alike.
    """
    door = asyncio.Lock()
    crews = [Crew(config, RecordFolders(config.records.dir, now_folder), door) for config in configs]
    chairs = [_Chair(crew, name, on_status) for crew in crews for name in crew.names()]
    warming = [asyncio.create_task(crew.warm()) for crew in crews]
    try:
        ends = await asyncio.gather(*(chair.stay(stop) for chair in chairs), return_exceptions=True)
    finally:
        for task in warming:
            task.cancel()
        await asyncio.gather(*warming, *(crew.aclose() for crew in crews), return_exceptions=True)
    failures = [end for end in ends if isinstance(end, BaseException)]
    for failure in failures:
        if not isinstance(failure, NlpAgentError):
            raise failure
    if failures and len({str(failure) for failure in failures}) == 1:
        raise failures[0]
    for failure in failures:
        on_status(f"error: {failure}")
    return 1 if failures else 0


class _Chair:
    """One connection name through all its games."""

    def __init__(self, crew: Crew, name: str, on_status: Callable[[str], None]) -> None:
        self._crew, self._name, self._on_status = crew, name, on_status
        self._seat: Seat | None = None
        self._journal: Journal | None = None

    async def stay(self, stop: Stop) -> None:
        settings = self._crew.config.web_socket
        try:
            await stay(
                self._sit,
                games=None if settings.auto_reconnect else 1,
                stop=stop,
                on_status=self._on_status,
                jitter=Random(),
            )
        finally:
            self._get_up()

    def _sit(self) -> Session:
        self._get_up()
        for error in self._crew.refresh_packs():
            self._on_status(f"{error} -- the last good version stays in play")
        self._seat, self._journal = self._crew.seat(self._name, Random().getrandbits(32))
        return self._crew.session(
            self._crew.config.web_socket.url, self._name, self._seat, self._journal, self._on_status
        )

    def _get_up(self) -> None:
        """Close the last game's journal and tell how it went."""
        seat, journal = self._seat, self._journal
        self._seat = self._journal = None
        if seat is None or journal is None:
            return
        journal.close()
        if journal.failure:
            self._on_status(f"{self._name}: {journal.failure}")
        if seat.state.finished:
            state, stats = seat.state, seat.stats
            self._on_status(
                f"{self._name}: {winner(state)} won on day {state.day}; {state.me} was {state.role}, "
                f"{stats.talks} talks, {stats.by_how.get(How.FALLBACK, 0)} fallbacks, {stats.dropped} dropped; "
                f"journal {journal.path}"
            )


def winner(state: SeatState) -> str:
    """Which side won, by the roles that FINISH reveals: the wolves do when one of them lives."""
    wolves = any(role_spec(state.roles.get(name, "")).species is Species.WEREWOLF for name in state.alive)
    return (Side.WEREWOLF if wolves else Side.VILLAGER).value
