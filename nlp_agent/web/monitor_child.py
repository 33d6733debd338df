"""The process that serves the page of own seats: ``python -m nlp_agent.web.monitor_child PORT``.

Lines of JSON come in on standard input, one line goes out on standard output: ``url``, or ``error``. When the input
ends, in whatever way, so does this process.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
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
from nlp_agent.web.monitor import Monitor

_PERIOD = 0.1
"""Seconds between two states of a page."""


class MonitorPages:
    """One page, and the ``stream`` it follows."""

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


async def serve(port: int, lines: Callable[[], bytes]) -> None:
    """Serve until ``lines`` has nothing more to give; it is called in a thread and may wait."""
    stream, monitor, over = EventStream(), Monitor(), asyncio.Event()
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

    try:
        async with WebServer(build([MonitorPages(stream)], AccessRules(connections=60, each=60)), port=port) as server:
            _print(url=f"{server.url}/")
            threading.Thread(target=read, daemon=True).start()
            while not over.is_set():
                if fresh:
                    fresh = False
                    stream.show(monitor.now())
                await asyncio.sleep(_PERIOD)
            stream.close()
    except NlpAgentError as error:
        _print(error=str(error))


def _print(**what: Any) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - the parent reads it


if __name__ == "__main__":
    try:
        asyncio.run(serve(int(sys.argv[1]), sys.stdin.buffer.readline))
    finally:
        os._exit(0)  # the thread that reads may wait for ever
