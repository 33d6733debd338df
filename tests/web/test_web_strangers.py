"""Connections on which nothing, or next to nothing, is said: they end by themselves and shut nobody out."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from nlp_agent.arena.open_sockets import OpenSockets
from nlp_agent.web import app
from nlp_agent.web.app import Pages, WebServer, build
from tests.bench.strangers import Strangers, command, page_times
from tests.web.browser import running

_ASKS = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
_MUCH = 20_000_000


class _Simple:
    def routes(self, pages: Pages) -> list[Route]:
        async def page(request: Request) -> Response:
            return PlainTextResponse("hello")

        async def much(request: Request) -> Response:
            return PlainTextResponse("#" * _MUCH)

        async def take(request: Request) -> Response:
            return JSONResponse(len(await request.body()))

        return [Route("/", page), Route("/much", much), Route("/take", take, methods=["POST"])]


@contextmanager
def _serving(sockets: OpenSockets | None = None) -> Iterator[int]:
    with running(lambda: WebServer(build([_Simple()]), sockets=sockets)) as (server, _):
        yield server.port


@contextmanager
def _connection(port: int, words: bytes = b"") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(words)
        yield connection


def _until(connection: socket.socket, end: bytes) -> None:
    """Read until ``end`` has come. Raises AssertionError where the connection ends before."""
    got = b""
    while not got.endswith(end):
        more = connection.recv(1 << 16)
        assert more, got
        got += more


def _all_of(connection: socket.socket) -> bytes:
    """What comes until the connection is ended by the other side."""
    got = b""
    try:
        while more := connection.recv(1 << 16):
            got += more
    except ConnectionResetError:
        pass
    return got


@pytest.mark.parametrize("words", [b"", b"GET / HT", _ASKS, _ASKS + b"GET / HT", _ASKS * 3 + b"G"])
def test_a_header_has_its_time(words: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a new connection and after an answer, whether any of it has come or not; what was asked whole is answered."""
    monkeypatch.setattr(app, "HEADER_TIME", 0.2)
    with _serving() as port, _connection(port, words) as connection:
        assert _all_of(connection).count(b"hello") == words.count(_ASKS)


def test_a_body_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slowly its beginning came."""
    monkeypatch.setattr(app, "_BODY_TIME", 0.2)
    words = b"POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab"
    with _serving() as port:
        with _connection(port, words + b"cde") as connection:
            _until(connection, b"\r\n\r\n5")
        with _connection(port, words) as connection:
            assert _all_of(connection) == b""


def test_unread_answer_does_not_wait_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that nobody reads does not wait for ever.

    Who reads it gets all of it.
    """
    ask = b"GET /much HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    sockets = OpenSockets(100)
    with _serving(sockets) as port:
        with _connection(port, ask) as connection:
            assert _all_of(connection).count(b"#") == _MUCH
        monkeypatch.setattr(app, "_READING_TIME", 0.2)
        with _connection(port, ask) as connection:
            assert connection.recv(1) == b"H"
            while len(sockets):  # until it has been ended
                with _connection(port, _ASKS) as other:
                    _until(other, b"hello")
            assert _all_of(connection).count(b"#") < _MUCH


def test_connections_without_a_question_shut_nobody_out() -> None:
    """However many come: the page is there for whoever asks for it."""
    with _serving(OpenSockets(8)) as port, Strangers(port, 60):
        for _ in range(20):
            with _connection(port, _ASKS) as connection:
                _until(connection, b"hello")


def test_many_strangers_do_not_shut_the_owner_out() -> None:
    """More strangers than files neither shut the owner out nor fill the terminal.

    The same with a thousand, and how long the page took: `python -m tests.bench.strangers`.
    """
    with command("table", "--host", "0.0.0.0", "--port", "0", "--no-open", files=256) as (told, screen):
        found = re.search(r"http://\S+:(\d+)/\S*", told)
        assert found is not None
        with Strangers(int(found[1]), 300):
            page_times(found[0], 4)
        lines = screen.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 10, lines[:20]
    assert sum("connections that asked for nothing were ended" in line for line in lines) == 1
