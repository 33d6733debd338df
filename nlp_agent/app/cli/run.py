"""``nlp-agent run``: play on a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli.common import ConfigFiles, MoreConfigs, config_files, one_config, print_line
from nlp_agent.app.cli.terminal_language import page_path, say

if TYPE_CHECKING:
    from nlp_agent.app.cli.stopping import Output
    from nlp_agent.app.config import Config
    from nlp_agent.net.stop import Stop

EPILOG = """
**Examples**

* `nlp-agent run` – with config/config.yml
* `nlp-agent run mine/config.yml` – with a config of your own
* `nlp-agent run mine/config.yml rest.yml` – two teams in one process
* `nlp-agent run config/team_*.yml` – all that match
* `nlp-agent run --watch` – with a page that shows what every seat hears, thinks and sends; it can change nothing

**A classic server** (AIWolfDial 2019, Protocol Division 2021)

* `web_socket.url: tcp://host:port` and `agent.num: 1`: the seat has the team's name, and plays set after set
* `agent.role: SEER` asks for a role; `auto_reconnect: true` waits for the next match
* You need not say whether games are in natural language or in the protocol: the server's first packet tells
* `nlp-agent serve --protocol classic --port 10000` – such a server of your own, `--players 15` for the division
* `nlp-agent check --seat` tries the address. Never do that while a match is being arranged

Before a match: `nlp-agent check FILE`. With web_socket.auto_reconnect it stays for the next game.
Ctrl-C leaves after the running game, a second one at once.
"""


def run(
    config: ConfigFiles = None,
    watch: Annotated[
        int | None,
        typer.Option(
            "--watch",
            metavar="[PORT]",
            min=0,
            max=65_535,
            help="Show own seats on a page of this machine while they play. Default: any free port.",
        ),
    ] = None,
    more: MoreConfigs = None,
) -> None:
    """Play on the contest's server, or on any other, as the config says."""
    from nlp_agent.app.cli.logging_setup import configure_logging
    from nlp_agent.app.cli.stopping import run_shown
    from nlp_agent.app.config_file import load_config

    files = config_files(config, more)
    configs = [load_config(file) for file in files] or [one_config(None)]
    for loaded in configs:
        for note in loaded.notes:
            typer.echo(f"{loaded.source}: {note}", err=True)
    # One process has one log: the first config decides.
    log_file = configure_logging(configs[0].log)
    if log_file:
        typer.echo(say("log_file", file=log_file), err=True)
    run_shown(partial(_run, configs, watch), hint=say("leaving"), idle=say("leaving_now"))


async def _run(configs: list[Config], port: int | None, stop: Stop, output: Output) -> int:
    from nlp_agent.app.wiring.running import run_seats

    show = output.guard(print_line)
    if port is None:
        code = await run_seats(configs, show, stop)
        _explain(code, show, stop)
        return code
    from nlp_agent.app.wiring.monitor import MonitorProcess

    loop = asyncio.get_running_loop()

    def told(text: str) -> None:  # by the page's own thread
        loop.call_soon_threadsafe(show, text)

    with MonitorProcess(port, told, lambda url: told(say("watch_seats", url=url))) as watch:
        code = await run_seats(configs, watch.heard(show), stop, watch.team)
        _explain(code, show, stop)
        if not stop.soon.is_set():
            watch.stays()
    if watch.looked and not stop.soon.is_set():
        await _show_replays(configs, watch.served, show, stop)
    return code


def _explain(code: int, show: Callable[[str], None], stop: Stop) -> None:
    """After games, once, the page that tells what the words about each seat mean."""
    if code == 0 and not stop.soon.is_set():
        show(say("lines_explained", page=page_path("match-day")))


async def _show_replays(configs: Sequence[Config], port: int, show: Callable[[str], None], stop: Stop) -> None:
    """Where the seats were shown, their games: until Ctrl-C or a minute after the last viewer has left."""
    from nlp_agent.app.wiring.tables import run_unless
    from nlp_agent.app.wiring.web_tables import open_replays
    from nlp_agent.errors import TableError
    from nlp_agent.review.background import ReviewJobs

    with closing(ReviewJobs()) as reviews, suppress(TableError):  # somebody else may have taken the port
        async with open_replays(dict.fromkeys(config.records.dir for config in configs), port, reviews) as viewers:
            show(say("watch_stays"))
            await run_unless(stop.soon.wait(), viewers.until_left())


_WATCHED = ("run", "play", "serve")


def with_port(arguments: Sequence[str]) -> list[str]:
    """Give each ``--watch`` without a port, which the library of options does not know, the port 0: any."""
    if not arguments or arguments[0] not in _WATCHED:
        return list(arguments)
    following = [*arguments[1:], ""]
    alone = [word == "--watch" and not after.isdecimal() for word, after in zip(arguments, following, strict=True)]
    return [f"{word}=0" if lacking else word for word, lacking in zip(arguments, alone, strict=True)]
