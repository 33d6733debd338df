"""``nlp-agent play``: a whole game at a table of one's own."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli import common
from nlp_agent.app.cli.processes import progress, spread_until
from nlp_agent.app.cli.screen import Screen, stderr, stdout
from nlp_agent.app.cli.terminal_language import say
from nlp_agent.app.processes import cores
from nlp_agent.errors import ConfigError

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Iterator

    from nlp_agent.app.cli.stopping import Output
    from nlp_agent.app.config import Config
    from nlp_agent.app.wiring.tables import TableOptions
    from nlp_agent.arena.events import Event
    from nlp_agent.net.stop import Stop
    from nlp_agent.prompting import Style
    from nlp_agent.records.summary import GameSummary

EPILOG = """
**Examples**

* `nlp-agent play` – five players, in English, no LLM, no key
* `nlp-agent play --players 13 --lang ja` – a large Japanese village
* `nlp-agent play --pack ./my-pack` – with prompts of one's own (`nlp-agent new-pack`)
* `nlp-agent play --watch` – with a page for onlookers in the browser, at reading pace; Space stops it, → steps on
* `nlp-agent play --games 20 --seed 1` – twenty games, then a table
* `nlp-agent play -c my.yml --json | jq .winner` – for programs
* `nlp-agent play --talk groupchat --duration 2m` – everybody speaks whenever they like
* `nlp-agent play --talk groupchat --hurry -n 20` – twenty such games, without the waiting
* `nlp-agent play --protocol classic --players 15 --games 100` – the Protocol Division, on one TCP connection a seat
* `nlp-agent play --gguf model.gguf` – with a model on this machine

Without an LLM the same seed gives the same game again.
Ctrl-C ends after the running game, a second one at once.
"""


_WORTH_A_PROCESS = 60
"""Seats of games that take about as long as a process takes to start."""
READING = 2.5
"""Seconds in which a talk is read."""


def play(
    players: common.Players = 5,
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            "-l",
            metavar="PACK",
            callback=common.known_pack,
            help="Language: a pack's name or folder (`nlp-agent packs` lists them). Default: the config's, else en.",
        ),
    ] = None,
    pack: Annotated[
        str | None,
        typer.Option(
            metavar="PACK",
            callback=common.known_pack,
            help="A pack of prompts to use instead of the config's. It is checked first, as `check --pack` does.",
        ),
    ] = None,
    talk: common.Talk = "turns",
    duration: common.Duration = None,
    timeout: common.Timeout = None,
    server: common.Server = "current",
    protocol: common.ProtocolOption = "websocket",
    text: common.TextOption = None,
    habit: common.HabitOption = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, metavar="N", help="How many games.")] = 1,
    seed: common.Seed = None,
    config: common.ConfigFile = None,
    out: common.RecordsDir = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            metavar="N",
            help="How many games run at the same time. Default: 1; for many games without an LLM, one for each core.",
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per game, one a line, and nothing else.")
    ] = False,
    watch: common.Watch = None,
    pace: Annotated[
        float | None,
        typer.Option(
            "--pace",
            min=0,
            metavar="SECONDS",
            help="With --watch: time to read a talk. Default: 2.5; 0 waits for nobody.",
        ),
    ] = None,
    hurry: Annotated[
        bool,
        typer.Option(
            "--hurry", rich_help_panel=common.GROUP_CHAT, help="Skip all waiting in a group chat; without an LLM only."
        ),
    ] = False,
    gguf: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Play with a model in a file, no key needed (the extra 'local')."),
    ] = None,
    show: Annotated[
        str, typer.Option(metavar="ROLE", help="After each game print the last prompt that a seat of this role had.")
    ] = "",
) -> None:
    """Play games at a local table and watch.

    All seats of a game are played by one process, over real WebSockets on a free port of this machine. One game is
    shown as it happens; several are counted in a table.
    """
    from nlp_agent.app.cli.logging_setup import configure_logging
    from nlp_agent.app.cli.stopping import run_shown
    from nlp_agent.app.wiring.models import style_of
    from nlp_agent.app.wiring.tables import TableOptions

    seed = common.any_seed(seed)
    if pack is not None and not _is_sound(pack, players):
        raise typer.Exit(1)
    settings = common.with_packs(common.one_config(config), lang, pack)
    if gguf is not None:
        llm = settings.llm.model_copy(update={"gguf": gguf, "base_url": "", "model": "", "endpoints": ()})
        settings = settings.model_copy(update={"llm": llm})
    configure_logging(settings.log, at_least=logging.WARNING)
    options = TableOptions(
        players=players,
        lang=common.table_language(lang, settings),
        seed=seed,
        games=games,
        out=common.writable(out or settings.records.dir),
        duration=common.chat_duration(talk, duration),
        generation=server,
        timeout=timeout,
        classic=common.habits_of(protocol, text, habit, players),
    )
    loop_factory = _hurried(settings) if hurry else None
    style = None if settings.llm.enabled else style_of(settings)
    watcher = Watcher(games, json=json, show=show.upper(), style=style)
    alone = settings.llm.enabled or watch is not None or options.classic is not None
    if jobs is None:
        jobs = 1 if alone else max(1, min(cores(), games * players // _WORTH_A_PROCESS))
    elif alone and jobs > 1:
        raise ConfigError("--jobs is for games without an LLM, onlookers or a classic table: leave it out")
    if jobs > 1:
        one = partial(_one_game, settings, options, loop_factory)
        work = partial(_play_at_once, one, range(seed, seed + games), options.out, jobs, watcher)
    else:
        work = partial(_play, settings, options, watcher, watch, READING if pace is None else pace)
    hint = say("finishing_games" if jobs > 1 else "finishing")
    run_shown(work, hint=hint, loop_factory=loop_factory)


def _is_sound(pack: str, players: int) -> bool:
    """Whether the check of ``pack`` finds no fault; what it finds is told before anybody sits down."""
    from nlp_agent.app.cli.check import print_finding
    from nlp_agent.app.cli.checks import check_own_pack

    return not sum([print_finding(finding, stderr()) for finding in check_own_pack(pack, players)])


def _hurried(config: Config) -> Callable[[], AbstractEventLoop]:
    if config.llm.enabled:
        raise ConfigError("--hurry skips the time in which a model answers: leave it out, or play without llm")
    from nlp_agent.arena.in_process import HurriedLoop

    return HurriedLoop


async def _play(
    config: Config,
    options: TableOptions,
    watcher: Watcher,
    watch: int | None,
    pace: float,
    stop: Stop,
    output: Output,
) -> int:
    from nlp_agent.app.wiring.tables import play_games

    with watcher.telling(options.out, stop, output):
        show, count = output.guard(watcher.on_event), output.guard(watcher.on_summary)
        if watch is None:
            await play_games(config, options, show, count, stop, watcher.on_status)
        else:
            await _play_watched(config, options, show, count, stop, watcher, watch, pace)
    return watcher.code()


async def _play_watched(
    config: Config,
    options: TableOptions,
    show: Callable[[Event], None],
    count: Callable[[GameSummary], None],
    stop: Stop,
    watcher: Watcher,
    port: int,
    pace: float,
) -> None:
    """Show everything at reading pace, on the page and here alike, and leave the page when its readers have."""
    from nlp_agent.app.wiring.tables import play_games, run_unless
    from nlp_agent.app.wiring.web_tables import open_onlooker_page
    from nlp_agent.review.background import ReviewJobs
    from nlp_agent.web.pacing import share_of

    with closing(ReviewJobs()) as reviews:
        async with open_onlooker_page(options.lang, port, pace, options.out, reviews) as page:
            common.print_line(say("watch_table", url=page.url), aside=True)

            def both(event: Event) -> None:
                page.show(event)
                show(event)

            def seen(event: Event) -> None:
                page.pacer.put(partial(both, event), share_of(event))

            def counted(game: GameSummary) -> None:
                page.pacer.put(partial(count, game))

            await play_games(config, options, seen, counted, stop, watcher.on_status)
            await run_unless(stop.soon.wait(), page.pacer.caught_up())
            page.pacer.hurry()
            if watcher.games and watcher.games[-1].records:
                page.ended(Path(watcher.games[-1].records))
            if pace and not stop.soon.is_set():
                common.print_line(say("watch_stays"), aside=True)
                await run_unless(stop.soon.wait(), page.until_left())


async def _play_at_once(
    play_one: Callable[[int], GameSummary],
    seeds: range,
    records: Path,
    jobs: int,
    watcher: Watcher,
    stop: Stop,
    output: Output,
) -> int:
    with watcher.telling(records, stop, output):
        count = output.guard(watcher.on_summary)
        async with aclosing(spread_until(play_one, seeds, jobs, stop)) as played:
            async for game in played:
                count(game)
    return watcher.code()


def _one_game(
    config: Config, options: TableOptions, loop_factory: Callable[[], AbstractEventLoop] | None, seed: int
) -> GameSummary:
    """Play one game, in a process that plays nothing else meanwhile."""
    from nlp_agent.app.cli.logging_setup import configure_logging
    from nlp_agent.app.wiring.tables import play_games
    from nlp_agent.net.stop import Stop

    configure_logging(config.log, at_least=logging.WARNING)
    played: list[GameSummary] = []
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        table = replace(options, seed=seed, games=1)
        runner.run(play_games(config, table, lambda _: None, played.append, Stop()))
    return played[0]


class Watcher:
    """Turns what happens into output: a transcript, a count with a table at the end, or JSON lines."""

    def __init__(self, count: int, *, json: bool, show: str = "", style: Style | None = None) -> None:
        from nlp_agent.app.cli.transcript import TranscriptPrinter

        self.games: list[GameSummary] = []
        self._count, self._json, self._show, self._style = count, json, show, style
        self._out: Screen = stdout()
        self._err: Screen = stderr()
        self._transcript = TranscriptPrinter(self._out) if count == 1 and not json else None
        self._bar = count > 1 and self._err.is_terminal
        self._advance: Callable[[int], None] = lambda _: None

    def on_status(self, text: str) -> None:
        """Print news about the preparations: none of the game's, so they go to standard error."""
        self._err.tell(text)

    def on_event(self, event: Event) -> None:
        """Show what happens at the table, where one game is shown."""
        if self._transcript is not None:
            self._transcript.show(event)

    def on_summary(self, game: GameSummary) -> None:
        """Show or count a finished game."""
        from nlp_agent.app.cli.results import game_line, show_game

        self.games.append(game)
        self._advance(1)
        if self._json:
            print(game.to_json(), flush=True)
        elif self._transcript is not None:
            show_game(self._out, game)
        elif not (self._bar and self._out.is_terminal):
            # On a terminal the progress bar says it; its lines must not be mixed with others.
            self._out.print(game_line(len(self.games), self._count, game))
        if self._show and not self._json:
            from nlp_agent.app.cli.render import show_last

            show_last(self._out, game, self._show, self._style)

    def code(self) -> int:
        """The exit code of the command: 1 when a game had no winner."""
        return 0 if all(game.winner != "NONE" for game in self.games) else 1

    @contextmanager
    def telling(self, records: Path, stop: Stop, output: Output) -> Iterator[None]:
        """Show a bar while games are played, and at the end the table, or what was kept when somebody left before."""
        with self._counting():
            try:
                yield
            finally:
                if stop.soon.is_set() and not output.closed:
                    self._tell_left(records)
        if not output.closed:
            self._close()

    def _close(self) -> None:
        from nlp_agent.app.cli.results import show_games

        if self.games and not self._json and self._transcript is None:
            self._out.print()
            show_games(self._out, self.games)

    def _tell_left(self, records: Path) -> None:
        if len(self.games) < self._count:
            none = "left_none_of" if self._count > 1 else "left_none"
            key = "left_of" if self.games else none
            self._err.tell(say(key, done=len(self.games), count=self._count, folder=records))

    @contextmanager
    def _counting(self) -> Iterator[None]:
        """A bar on a terminal, while several games are played."""
        if not self._bar:
            yield
            return
        with progress(say("Games"), self._count) as self._advance:
            yield
