"""The page of own seats: it is only read."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from nlp_agent.web.feed import Feed, stream
from nlp_agent.web.pages import Pages


class MonitorPages:
    """One page, and the ``feed`` it follows."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed

    def routes(self, pages: Pages) -> Iterable[BaseRoute]:
        async def page(request: Request) -> Response:
            return pages.show(request, "monitor.html", sections=("monitor", "roles"))

        async def events(request: Request) -> Response:
            return stream(self._feed, request.headers.get("last-event-id", ""))

        yield Route("/", page)
        yield Route("/events", events)
