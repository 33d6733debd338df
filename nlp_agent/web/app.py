"""The one application: parts, each a few routes, behind one door."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from nlp_agent.web.door import Door, Rules
from nlp_agent.web.pages import Pages
from nlp_agent.web.templating import STATIC


class Part(Protocol):
    """A group of pages, such as those of a table, of a replay or of one's own seats."""

    def routes(self, pages: Pages) -> Iterable[BaseRoute]: ...


def build(parts: Iterable[Part], rules: Rules | None = None) -> ASGIApp:
    """The application that shows ``parts``."""
    pages = Pages()

    async def sorry(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        status = error.status_code
        if request.method not in ("GET", "HEAD"):
            told = error.detail if status == 413 else pages.words(request)["common"]["not_understood"]
            return JSONResponse({"problem": told}, status)
        return _sorry(pages, request, status)

    app = Starlette(
        routes=[
            *(route for part in parts for route in part.routes(pages)),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={HTTPException: sorry},
    )

    def told(scope: Scope, key: str) -> str:
        return pages.words(HTTPConnection(scope))["door"][key]

    return Door(app, rules or Rules(), told)


def _sorry(pages: Pages, request: Request, status: int) -> HTMLResponse:
    common = pages.words(request)["common"]
    told = common["not_found"] if status == 404 else common["not_allowed"] if status == 403 else common["failed"]
    return pages.show(request, "sorry.html", status=status, told=told)
