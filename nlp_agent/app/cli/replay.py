"""``nlp-agent replay``: recorded games in the browser, ours and those of any contest."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nlp_agent.app.cli.common import BadArgument, Host, NoOpen, one_config
from nlp_agent.app.cli.screen import stderr, stdout
from nlp_agent.app.cli.table import need_web, open_browser
from nlp_agent.app.cli.terminal_language import say

if TYPE_CHECKING:
    from nlp_agent.app.cli.stopping import Output
    from nlp_agent.net.stop import Stop
    from nlp_agent.web.game_list import GameList

EPILOG = """
**Examples**

* `nlp-agent replay` – everything under records/
* `nlp-agent replay logs/cup2026` – a contest's game logs (`*.log`, `game.json`), as they were handed out
* `nlp-agent replay records logs --port 8000 --no-open` – several folders, on a port of your choice

Step with the arrow keys (with Shift: by days), D goes to the next decision of our seats, Space plays. Beside every
talk and target of our seats stands a button that shows how it came about.
"""


def replay(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH...", help="Folders or files. Default: the config's records.")
    ] = None,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="Port. Default: any.")] = 0,
    no_open: NoOpen = False,
) -> None:
    """Replay recorded games in the browser: step through them, and see why each seat did what it did."""
    need_web()
    from nlp_agent.app.cli.stopping import run_shown
    from nlp_agent.web.game_list import GameList

    places = paths or [one_config(None).records.dir]
    screen = stderr()
    with screen.status(say("looking_for_games")) as status:
        game_list = GameList(places, lambda number, count: status.update(_reading(number, count)))
        games = game_list.games()
    if not games:
        named = ", ".join(map(str, places))
        raise BadArgument(
            f"no games under {named}: name a folder of records (made by play, serve or run) or of a contest's game logs"
        )
    run_shown(partial(_serve, game_list, len(games), host, port, not no_open), hint=say("page_closing"))


def _reading(number: int, count: int) -> str:
    return say("reading_games", number=number, count=count)


async def _serve(game_list: GameList, count: int, host: str, port: int, opens: bool, stop: Stop, output: Output) -> int:
    from nlp_agent.app.wiring.replay_insight import Insight
    from nlp_agent.review.background import ReviewJobs
    from nlp_agent.web.access import AccessRules
    from nlp_agent.web.app import WebServer, build
    from nlp_agent.web.replay import ReplayPages

    reviews = ReviewJobs()
    pages = ReplayPages(game_list, Insight(), reviews)
    rules = AccessRules.at(host)
    try:
        async with WebServer(build([pages], rules), host, port) as server:
            url = f"{server.url}/?code={rules.code}" if rules.code else f"{server.url}/"
            output.guard(stdout().tell)(say("games_one" if count == 1 else "games_many", count=f"{count:,}", url=url))
            if rules.code:
                stderr().tell(say("needs_code", code=rules.code))
            if opens:
                open_browser(url)
            stderr().tell(say("ctrl_c_closes"))
            await stop.soon.wait()
    finally:
        pages.close()
        reviews.close()
    return 0
