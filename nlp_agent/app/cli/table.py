"""``nlp-agent table``: a table in the browser, for people."""

from __future__ import annotations

import logging
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli.common import ConfigFile, Host, NoOpen, RecordsDir, one_config, writable
from nlp_agent.app.cli.screen import stderr, stdout
from nlp_agent.app.cli.terminal_language import say
from nlp_agent.errors import ConfigError, without_extra

if TYPE_CHECKING:
    from collections.abc import Callable

    from nlp_agent.app.cli.stopping import Output
    from nlp_agent.app.config import Config
    from nlp_agent.net.stop import Stop

EPILOG = """
**Examples**

* `nlp-agent table` – opens the browser: two clicks to a game with four computers
* `nlp-agent table --no-open --port 8100` – prints the address only
* `nlp-agent table -c my.yml` – the endpoints of this config can take seats, too
* `nlp-agent table --host 0.0.0.0` – for people on other machines: with a join code

Each seat is yours, a computer's (no LLM), a model's, another person's (an invitation link) or a guest's: an agent of
any make. Every table has a page for onlookers. Records go where the config says.
"""
_USUAL = 8100


def table(
    host: Host = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, metavar="PORT", help="Port of the pages. Default: 8100, or a free one if that is taken."
        ),
    ] = None,
    no_open: NoOpen = False,
    config: ConfigFile = None,
    out: RecordsDir = None,
) -> None:
    """Play in the browser: against computers, models, other people and agents of any make."""
    from nlp_agent.app.cli.logging_setup import configure_logging
    from nlp_agent.app.cli.stopping import run_shown

    need_web()
    settings = one_config(config)
    if out is not None:
        settings = settings.model_copy(update={"records": settings.records.model_copy(update={"dir": out})})
    writable(settings.records.dir)
    configure_logging(settings.log, at_least=logging.WARNING)
    work = partial(_serve, settings, host, port, not no_open)
    run_shown(work, hint=say("closing_games"), idle=say("closing_table"))


def need_web() -> None:
    """Make sure that the extra ``web`` is installed. Raises ConfigError where it is not."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise ConfigError(without_extra("a page in the browser", "web")) from error


async def _serve(config: Config, host: str, port: int | None, opens: bool, stop: Stop, output: Output) -> int:
    from nlp_agent.app.wiring.web_tables import open_web_app
    from nlp_agent.review.background import ReviewJobs
    from nlp_agent.web.app import free_port

    tell, place = output.guard(stdout().tell), free_port(host, _USUAL) if port is None else port
    with closing(ReviewJobs()) as reviews:
        async with open_web_app(config, host, place, reviews=reviews) as opened:
            tell(say("table_is_at", url=opened.url))
            if opened.code:
                tell(say("table_code", code=opened.code))
            if opens:
                open_browser(opened.url)

            def playing() -> bool:
                return opened.web_tables.busy

            with stop.minding(playing):
                await until_closed(stop, playing, opened.web_tables.close_after_games)
            if lost := playing():
                # What a seat did not answer any more is no news: the line below tells what has become of the game.
                logging.getLogger("nlp_agent.net").setLevel(logging.ERROR)
            played = any(table.games for table in opened.web_tables.tables)
    if lost or played:
        stderr().tell(say("game_cut_off" if lost else "games_kept", folder=config.records.dir))
    return 0


async def until_closed(stop: Stop, playing: Callable[[], bool], close_soon: Callable[[], None]) -> None:
    """Wait until the first Ctrl-C and the end of what is being played then, or until the second.

    ``close_soon`` is called at the first.
    """
    import asyncio
    from contextlib import suppress

    stderr().tell(say("ctrl_c_closes"))
    await stop.soon.wait()
    close_soon()
    while playing() and not stop.now.is_set():
        with suppress(TimeoutError):
            async with asyncio.timeout(0.2):
                await stop.now.wait()


def open_browser(url: str) -> None:
    """Show ``url`` to whoever sits here; where there is no browser the printed address is enough."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
