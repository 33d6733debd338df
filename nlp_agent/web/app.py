"""The web application: pages in the visitor's language, groups of pages put together, and the server they run on.

:class:`Pages` makes a page of a template and data, :func:`build` an application of groups of pages, and
:class:`WebServer` serves it from within this process's event loop.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, Self, TypeVar
from urllib.parse import urlencode

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

from nlp_agent.arena.open_sockets import HEADER_TIME, Listener, OpenSockets, listen_at
from nlp_agent.errors import TableError, os_reason
from nlp_agent.web.access import AccessControl, AccessRules
from nlp_agent.web.event_stream import EventStream, stream_response
from nlp_agent.web.rendering import STATIC, Fragments, PageTexts, choose_language, load_texts, templates

# --- From a template and data to a page, in the language of whoever asks ---------------------------------------------


T = TypeVar("T")

LANGUAGE_COOKIE = "lang"
_YEAR = 365 * 24 * 3600


class Pages:
    """The pages of a server in all languages: all templates and texts, read once.

    A template has ``t``, the texts of its language by section and key, ``lang``, ``languages``, and ``in_language``,
    which gives a link to the same page in another. The texts that scripts need (``section.key``) are named to
    :meth:`show`; they stand in the page as data.
    """

    def __init__(self) -> None:
        self.texts = load_texts()
        self.counted = False
        """Whether each page tells that it is open (:class:`nlp_agent.web.app.Viewers`)."""
        self._templates = templates()
        self._pieces: dict[tuple[str, str], Fragments] = {}

    def language(self, request: HTTPConnection) -> str:
        """The language of a page: ``?lang=`` first, then what was chosen before, then what the browser prefers."""
        asked = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE)
        return choose_language(asked, request.headers.get("accept-language", ""), self.texts)

    def words(self, request: HTTPConnection) -> PageTexts:
        """The page texts in the language of whoever asks."""
        return self.texts[self.language(request)]

    def pieces(self, request: Request, template: str) -> Fragments:
        """The macros of ``template`` in the language of whoever asks."""
        lang = self.language(request)
        if (lang, template) not in self._pieces:
            self._pieces[lang, template] = Fragments(self._templates.get_template(template), self.texts[lang], lang)
        return self._pieces[lang, template]

    def show(
        self, request: Request, template: str, *, texts: tuple[str, ...] = (), status: int = 200, **data: Any
    ) -> HTMLResponse:
        """The page ``template`` makes of ``data``."""
        lang = self.language(request)
        words = self.texts[lang]
        for_scripts = {key: words[section][key] for section, _, key in (name.partition(".") for name in texts)}
        page = self._templates.get_template(template).render(
            t=words,
            lang=lang,
            languages={code: each["common"]["language"] for code, each in self.texts.items()},
            texts=json.dumps(for_scripts, ensure_ascii=False),
            counted=self.counted,
            in_language=lambda code: _in_language(request, code),
            **data,
        )
        response = HTMLResponse(page, status, headers={"Cache-Control": "no-store", "Content-Language": lang})
        if request.query_params.get("lang") == lang:
            response.set_cookie(LANGUAGE_COOKIE, lang, max_age=_YEAR, httponly=True, samesite="lax")
        return response


def stream_page(pages: Pages, request: Request, stream: EventStream, template: str) -> StreamingResponse:
    """Answer a browser's EventSource with ``stream``, drawn by ``template``."""
    return stream_response(stream, pages.pieces(request, template), request.headers.get("last-event-id", ""))


def _in_language(request: Request, code: str) -> str:
    others = [(key, value) for key, value in request.query_params.multi_items() if key != "lang"]
    return "?" + urlencode([*others, ("lang", code)])


def find_by_token(request: Request, find: Callable[[str], T | None]) -> T:
    """Return what ``find`` knows by the token in the address of ``request``.

    Raises HTTPException (404, the page that nothing is there) where ``find`` returns None.
    """
    found = find(request.path_params["token"])
    if found is None:
        raise HTTPException(404)
    return found


async def posted(request: Request) -> dict[str, Any]:
    """Return the JSON object that was posted.

    Raises HTTPException: 415 where it is not sent as JSON, 400 where it is no JSON object.
    """
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise HTTPException(415)
    try:
        data = await request.json()
    except (ValueError, RecursionError) as error:
        raise HTTPException(400) from error
    if not isinstance(data, dict):
        raise HTTPException(400)
    return data


# --- The one application ---------------------------------------------------------------------------------------------


class PageGroup(Protocol):
    """A group of pages, such as those of a table, of a replay or of one's own seats."""

    def routes(self, pages: Pages) -> Iterable[BaseRoute]:
        """The routes of this group; ``pages`` draws its pages."""


def build(parts: Iterable[PageGroup], rules: AccessRules | None = None) -> ASGIApp:
    """The application that shows ``parts``."""
    pages = Pages()

    async def show_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        status = error.status_code
        if request.method not in ("GET", "HEAD"):
            problem = error.detail if status == 413 else pages.words(request)["common"]["not_understood"]
            return JSONResponse({"problem": problem}, status)
        return _error_page(pages, request, status)

    app = Starlette(
        routes=[
            *(route for part in parts for route in part.routes(pages)),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={HTTPException: show_error},
    )

    def text_in_language(scope: Scope, key: str) -> str:
        return pages.words(HTTPConnection(scope))["access"][key]

    return AccessControl(app, rules or AccessRules(), text_in_language)


def _error_page(pages: Pages, request: Request, status: int) -> HTMLResponse:
    common = pages.words(request)["common"]
    reason = common["not_found"] if status == 404 else common["not_allowed"] if status == 403 else common["failed"]
    hint = common["not_allowed_hint" if status == 403 else "sorry_hint"]
    return pages.show(request, "error.html", status=status, reason=reason, hint=hint)


# --- Serving an application from within this process's event loop, next to whatever else runs there ------------------


_CLOSING = 2.0
"""Seconds that open streams get to come to their end."""
_BODY_TIME = 10.0
"""Seconds that a post gets to arrive; the longest that is taken in has some ten thousand bytes."""
_READING_TIME = 20.0
"""Seconds in which a browser must have read some of what was sent to it; one that comes back goes on where it was."""
_MOST_SOCKETS = 400


class _BoundedHttp(H11Protocol):
    """A connection on which a header, a body and the reading of an answer each have their time.

    The library only bounds the silence between two requests: a connection on which a header never ends stays for ever.
    """

    sockets: OpenSockets
    _awaited: object = None
    """What the running timer is for: None before and between requests, else the request."""
    _timer: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.sockets.enter(transport):
            self._await(None, HEADER_TIME)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self.sockets.leave(self.transport)
        for timer in (self._timer, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for_reader(self.transport.get_write_buffer_size())

    def _wait_for_reader(self, unread: int) -> None:
        def look() -> None:
            left = self.transport.get_write_buffer_size()
            if left < unread:
                self._wait_for_reader(left)
            else:
                self.sockets.expire(self.transport)

        self._unread = self.loop.call_later(_READING_TIME, look)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _look(self) -> None:
        """Start the timer of what is being waited for now; one that runs for the same thing runs on."""
        request = self.cycle
        if request is None or request.response_complete:
            self.sockets.unsettle(self.transport)
            if self._timer is None or self._awaited is not None:
                self._await(None, HEADER_TIME)
            return
        self.sockets.settle(self.transport)
        if not request.more_body:
            self._stop_timer()
        elif self._awaited is not request:
            self._await(request, _BODY_TIME)

    def _await(self, what: object, seconds: float) -> None:
        self._stop_timer()
        if not self.transport.is_closing():
            self._awaited = what
            self._timer = self.loop.call_later(seconds, self.sockets.expire, self.transport)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The command line has its own way with signals."""
        yield

    def connection(self) -> asyncio.Protocol:
        """A protocol for one more connection, as the library's own listener makes it."""
        http = self.config.http_protocol_class
        made: asyncio.Protocol = http(
            config=self.config,  # type: ignore[call-arg]
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        return made


class WebServer:
    """A server of ``app`` at ``host`` and ``port`` (0: any that is free), which runs between ``async with``.

    Raises TableError when the port is taken. ``sockets`` bounds the open connections.
    """

    def __init__(
        self, app: ASGIApp, host: str = "127.0.0.1", port: int = 0, sockets: OpenSockets | None = None
    ) -> None:
        self.host, self.port = host, port
        self._app = app
        self._sockets = OpenSockets(_MOST_SOCKETS) if sockets is None else sockets
        self._server: _Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self._listener: Listener | None = None

    @property
    def url(self) -> str:
        """The address under which a browser on this machine finds the server; without a path."""
        name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)
        return f"http://{name}:{self.port}"

    def cut(self) -> None:
        """End all connections in the middle of everything, as a lost network does; who is there comes back."""
        assert self._server is not None
        for connection in list(self._server.server_state.connections):
            connection.transport.abort()

    async def __aenter__(self) -> Self:
        listening = _listen(self.host, self.port)
        self.port = listening.getsockname()[1]

        class Connection(_BoundedHttp):
            sockets = self._sockets

        config = uvicorn.Config(
            self._app,
            http=Connection,
            backlog=self._sockets.burst,
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=1,
        )
        self._server = server = _Server(config)

        async def take_in() -> None:
            if self._serving is None:
                await self._start(server, listening)
            else:
                loop = asyncio.get_running_loop()
                await loop.create_server(server.connection, sock=listening, backlog=self._sockets.burst)

        self._listener = Listener(listening, self._sockets, take_in)
        await self._listener.open()
        return self

    async def _start(self, server: _Server, listening: socket.socket) -> None:
        self._serving = asyncio.create_task(server.serve([listening]))
        while not server.started:
            if self._serving.done():
                await self._serving
            await asyncio.sleep(0.005)

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        assert self._serving is not None
        assert self._listener is not None
        self._listener.close()
        self._server.should_exit = True
        self.cut()  # streams end only with whoever reads them
        done, _pending = await asyncio.wait({self._serving}, timeout=_CLOSING)
        if not done:
            self._serving.cancel()


def _listen(host: str, port: int) -> socket.socket:
    try:
        return listen_at(host, port)
    except OSError as error:
        raise TableError(f"cannot serve pages at {host}:{port} ({os_reason(error)}): choose another port") from error


def free_port(host: str, usual: int) -> int:
    """The port ``usual`` if nobody listens there, else 0: any that is free."""
    try:
        _listen(host, usual).close()
    except TableError:
        return 0
    return usual


# --- Whether anybody looks at any page of a server -------------------------------------------------------------------

LEFT_ALONE = 60.0
"""Seconds after the last viewer has left until a page that has nothing new to show goes too."""
_LOOK = 0.5


class Viewers:
    """A counter of the pages that are open; as one of the groups of pages it makes all pages of the server tell that
    they are, by a stream that each keeps open and that says nothing.
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
