"""Whether anybody looks at any page of a server: each page keeps a stream open that says nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from nlp_agent.web.app import Pages, stream_page
from nlp_agent.web.event_stream import EventStream

LEFT_ALONE = 60.0
"""Seconds after the last viewer has left until a page that has nothing new to show goes too."""
_LOOK = 0.5


class Viewers:
    """A counter of the pages that are open; as one of the groups of pages it makes all pages of the server tell that
    they are.
    """

    def __init__(self) -> None:
        self._stream = EventStream()
        self.ever = False
        """Whether anybody has looked at all."""

    @property
    def count(self) -> int:
        """The number of pages that are open at this moment."""
        return self._stream.readers

    def routes(self, pages: Pages) -> Iterable[BaseRoute]:
        """The stream that every page follows."""
        pages.counted = True

        async def here(request: Request) -> Response:
            self.ever = True
            return stream_page(pages, request, self._stream, "watch_pieces.html")

        yield Route("/here", here)

    def close(self) -> None:
        """Let all pages go: the streams by which they are counted end."""
        self._stream.close()

    async def until_left(self, seconds: float = LEFT_ALONE, others: Callable[[], int] = lambda: 0) -> None:
        """Wait until no page has been open for ``seconds``; ``others``: how many viewers there are besides."""
        alone = 0.0
        while alone < seconds:
            await asyncio.sleep(_LOOK)
            alone = 0.0 if self.count or others() else alone + _LOOK
