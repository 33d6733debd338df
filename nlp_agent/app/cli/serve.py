"""``nlp-agent serve``: the table alone, for guests from anywhere."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli import common
from nlp_agent.app.cli.screen import stderr, stdout
from nlp_agent.app.cli.terminal_language import say

if TYPE_CHECKING:
    from nlp_agent.app.cli.stopping import Output
    from nlp_agent.app.wiring.tables import TableOptions
    from nlp_agent.net.stop import Stop

EPILOG = """
**Examples**

* `nlp-agent serve` – a table for five at ws://127.0.0.1:8080/ws
* `nlp-agent serve --players 13 --lang ja --port 9000 --games 3`
* `nlp-agent serve --watch` – with a page for onlookers
* `nlp-agent serve --token` – for guests who show the token in `AIWOLF_TOKEN`, as at the contest's server
* `nlp-agent serve --talk groupchat` – a group-chat village, ten minutes a phase at most
* `nlp-agent serve --protocol classic --port 10000` – the TCP server of 2019 (0.6.3), in natural language
* `nlp-agent serve --protocol classic --players 15 --games 100` – the Protocol Division of 2021, a set of games

Agents of any make may sit down: it speaks the official server's protocol.
Ours, in a second terminal: `nlp-agent run`.

**Tokens**: write `AIWOLF_TOKEN=...` into `.env`, here and at each guest's (on the command line the list of processes
would show it), and open with `--token`. Guests send `Authorization: Bearer ...` or `?token=...` in the address, as
`nlp-agent run` does by itself. A guest without the token is disconnected after NAME, as on the contest's server. The
contest's own tokens come from its organisers.
"""


def serve(
    players: common.Players = 5,
    lang: Annotated[
        str,
        typer.Option(
            "--lang", "-l", metavar="PACK", callback=common.known_pack, help="Language of names and profiles: a pack."
        ),
    ] = "en",
    host: common.Host = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="PORT", help="Port to listen on; 0 takes a free one.")
    ] = 8080,
    talk: common.Talk = "turns",
    duration: common.Duration = None,
    timeout: common.Timeout = None,
    server: common.Server = "current",
    protocol: common.ProtocolOption = "websocket",
    text: common.TextOption = None,
    habit: common.HabitOption = None,
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", min=1, metavar="N", help="Close after N games. Default: never."),
    ] = None,
    seed: common.Seed = None,
    token: Annotated[
        bool, typer.Option("--token", help="Guests must show the token in AIWOLF_TOKEN (environment or .env).")
    ] = False,
    watch: common.Watch = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the game logs go.")] = Path("records"),
) -> None:
    """Open a table that speaks the official server's protocol, and show the games played there."""
    from nlp_agent.app.cli.logging_setup import configure_logging
    from nlp_agent.app.cli.stopping import run_shown
    from nlp_agent.app.config import LogConfig
    from nlp_agent.app.wiring.tables import TableOptions

    configure_logging(LogConfig(), at_least=logging.WARNING)
    options = TableOptions(
        players=players,
        lang=lang,
        host=host,
        port=port,
        games=games,
        seed=common.any_seed(seed),
        out=common.writable(out),
        duration=common.chat_duration(talk, duration),
        generation=server,
        timeout=timeout,
        classic=(habits := common.habits_of(protocol, text, habit, players)),
        token=wanted_token(classic=habits is not None) if token else None,
    )
    run_shown(partial(_serve, options, watch), hint=say("closing"), idle=say("closing_now"))


def wanted_token(*, classic: bool) -> str:
    """The token that guests must show. Raises ConfigError where there is none, or none can be shown."""
    from nlp_agent.app.secrets import TOKEN_ENV, checked_secret, variable
    from nlp_agent.errors import ConfigError

    if classic:
        raise ConfigError("--token: the classic protocol knows no tokens")
    token = variable(TOKEN_ENV, None)
    if not token:
        raise ConfigError(f"--token: there is none; write {TOKEN_ENV}=... into .env or set it in the environment")
    return checked_secret(TOKEN_ENV, token)


async def _serve(options: TableOptions, watch: int | None, stop: Stop, output: Output) -> int:
    from nlp_agent.app.cli.transcript import TranscriptPrinter
    from nlp_agent.app.wiring.tables import serve_table

    show = output.guard(TranscriptPrinter(stdout()).show)
    async with common.onlookers(options.lang, watch, show) as seen:
        await serve_table(options, seen, stderr().tell, stop)
    return 0
