"""The page of own seats: it is only read."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from nlp_agent.web.feed import Feed
from nlp_agent.web.pages import Pages, follow

_TEXTS = ("monitor.asked_since",)


class MonitorPages:
    """One page, and the ``feed`` it follows."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed

    def routes(self, pages: Pages) -> Iterable[BaseRoute]:
        async def page(request: Request) -> Response:
            return pages.show(request, "monitor.html", texts=_TEXTS)

        async def events(request: Request) -> Response:
            return follow(pages, request, self._feed, "monitor_pieces.html")

        yield Route("/", page)
        yield Route("/events", events)
