"""``nlp-agent sit``: a person's seat at any server, in the browser."""

from __future__ import annotations

import logging
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli.common import ConfigFile, NoOpen, one_config
from nlp_agent.app.cli.screen import stdout
from nlp_agent.app.cli.table import need_web, open_browser, until_closed
from nlp_agent.app.cli.terminal_language import say
from nlp_agent.errors import ConfigError

if TYPE_CHECKING:
    from nlp_agent.app.cli.stopping import Output
    from nlp_agent.app.config import Config
    from nlp_agent.net.stop import Stop

EPILOG = """
**Examples**

* `nlp-agent sit` – at the server of config/config.yml
* `nlp-agent sit --url ws://192.168.1.5:8080/ws --name kanolab`
* `nlp-agent sit --url ws://127.0.0.1:8080/ws` – at a table of `nlp-agent serve` in another terminal

To the server it is an agent like any other. A legal answer to every question is ready before you are asked: it goes out
when your time runs out, so that nobody's game is harmed. A token is taken from AIWOLF_TOKEN or the config.
"""


def sit(
    url: Annotated[
        str, typer.Option(metavar="ws://...", help="The game server. Default: web_socket.url of the config.")
    ] = "",
    name: Annotated[str, typer.Option(metavar="TEAM", help="Team name. Default: agent.team of the config.")] = "",
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address of the page; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="PORT", help="Port of the page; 0 takes a free one.")
    ] = 0,
    no_open: NoOpen = False,
    config: ConfigFile = None,
) -> None:
    """Play as a person on the contest's server, or on any other: what is asked of your seat is shown on a page."""
    from nlp_agent.app.cli.logging_setup import configure_logging
    from nlp_agent.app.cli.stopping import run_shown

    need_web()
    settings = one_config(config)
    if url:
        settings = _at(settings, url)
    configure_logging(settings.log, at_least=logging.WARNING)
    work = partial(_sit, settings, name or settings.agent.team, host, port, not no_open)
    run_shown(work, hint=say("leaving"), idle=say("leaving_now"))


def _at(config: Config, url: str) -> Config:
    from pydantic import ValidationError

    from nlp_agent.app.config import WebSocketConfig

    try:
        web_socket = WebSocketConfig(url=url, token=config.web_socket.token)
    except ValidationError as error:
        raise ConfigError(error.errors()[0]["msg"].removeprefix("Value error, "), key="--url") from error
    return config.model_copy(update={"web_socket": web_socket})


async def _sit(config: Config, name: str, host: str, port: int, opens: bool, stop: Stop, output: Output) -> int:
    from nlp_agent.app.wiring.human_players import open_seat
    from nlp_agent.review.background import ReviewJobs

    tell = output.guard(stdout().tell)
    with closing(ReviewJobs()) as reviews:
        async with open_seat(config, name, tell, host=host, port=port, reviews=reviews) as (url, seat):
            tell(say("seat_is_at", url=url))
            if opens:
                open_browser(url)
            with stop.minding(lambda: seat.playing):
                await until_closed(stop, lambda: seat.playing, lambda: seat.tell(closing=True))
    return 0
