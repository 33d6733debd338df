"""The page of own seats while they play, served by a process of its own
(:mod:`nlp_agent.app.wiring.monitor_child`).

Lines of JSON come in; out, on standard output, go ``url`` or ``error``, and in the end, when there is no more input,
whether anybody has ``looked``.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from nlp_agent.errors import NlpAgentError
from nlp_agent.web.access import AccessRules
from nlp_agent.web.app import Pages, WebServer, build, stream_page
from nlp_agent.web.event_stream import EventStream
from nlp_agent.web.monitor import Monitor, ReadGame
from nlp_agent.web.viewers import Viewers

_PERIOD = 0.1
"""Seconds between two states of a page."""


class MonitorPages:
    """The page of own seats, and the ``stream`` it follows."""

    def __init__(self, stream: EventStream) -> None:
        self._stream = stream

    def routes(self, pages: Pages) -> Iterable[BaseRoute]:
        """The page itself and its stream of events."""

        async def page(request: Request) -> Response:
            return pages.show(request, "monitor.html", texts=("monitor.asked_since",))

        async def events(request: Request) -> Response:
            return stream_page(pages, request, self._stream, "monitor_pieces.html")

        yield Route("/", page)
        yield Route("/events", events)


async def serve(port: int, lines: Callable[[], bytes], read_game: ReadGame = lambda _: None) -> None:
    """Serve until ``lines`` has nothing more to give; it is called in a thread and may wait.

    ``read_game`` makes the reader of what is claimed in a game.
    """
    stream, monitor, over = EventStream(), Monitor(read_game), asyncio.Event()
    viewers = Viewers()
    loop = asyncio.get_running_loop()
    fresh = False

    def take(line: bytes) -> None:
        nonlocal fresh
        fresh = True
        try:
            row = json.loads(line)
        except ValueError:
            return
        if isinstance(row, dict):
            for warning in monitor.take(row):
                stream.add(warning)

    def read() -> None:
        while line := lines():
            loop.call_soon_threadsafe(take, line)
        loop.call_soon_threadsafe(over.set)

    app = build([MonitorPages(stream), viewers], AccessRules(connections=60, each=60))
    try:
        async with WebServer(app, port=port) as server:
            _print(url=f"{server.url}/")
            threading.Thread(target=read, daemon=True).start()
            while not over.is_set():
                if fresh:
                    fresh = False
                    stream.show(monitor.now())
                await asyncio.sleep(_PERIOD)
            stream.show(monitor.now())
            await asyncio.sleep(_PERIOD)
            stream.close()
            viewers.close()
        _print(looked=viewers.ever)
    except NlpAgentError as error:
        _print(error=str(error))


def _print(**what: Any) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - the parent reads it
