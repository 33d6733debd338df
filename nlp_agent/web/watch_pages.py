"""The page for onlookers of a table: in public, or with secrets for those who do not sit at it."""

from __future__ import annotations

from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from nlp_agent.web.pages import Pages, follow, opened_by
from nlp_agent.web.play_table import TableWithPages


class WatchPages:
    """``find`` knows the tables by the tokens of their onlookers' links, which stand on no player's page."""

    def __init__(self, find: Callable[[str], TableWithPages | None]) -> None:
        self._find = find

    def routes(self, pages: Pages) -> list[BaseRoute]:
        self._pages = pages
        return [Route("/watch/{token}", self._page), Route("/watch/{token}/events", self._events)]

    async def _page(self, request: Request) -> Response:
        table = opened_by(request, self._find)
        secret = request.query_params.get("secrets") == "1"
        refused = secret and not self._may_see(request, table)
        return self._pages.show(
            request,
            "watch.html",
            texts=("watch.time_left", "chat.comma"),
            base=f"/watch/{table.watch_token}",
            secret=secret and not refused,
            refused=refused,
        )

    async def _events(self, request: Request) -> Response:
        table = opened_by(request, self._find)
        secret = request.query_params.get("secrets") == "1"
        if secret and not self._may_see(request, table):
            raise HTTPException(403)
        return follow(self._pages, request, table.onlookers.feeds[secret], "watch_pieces.html")

    def _may_see(self, request: Request, table: TableWithPages) -> bool:
        """Whoever has opened a seat of this table in the same browser is one of its players."""
        return f"seat-{table.mark}" not in request.cookies
