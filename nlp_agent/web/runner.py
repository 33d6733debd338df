"""Serving an application from within this process's event loop, next to whatever else runs there."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

import uvicorn
from starlette.types import ASGIApp

from nlp_agent.errors import TableError, told_os

_CLOSING = 2.0
"""Seconds that open streams get to come to their end."""


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The command line has its own way with signals."""
        yield


class WebServer:
    """``app`` at ``host`` and ``port`` (0: any that is free) between ``async with``.

    Raises TableError when the port is taken.
    """

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1", port: int = 0) -> None:
        self.host, self.port = host, port
        self._app = app
        self._server: _Server | None = None
        self._serving: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Where a browser on this machine finds it; without a path."""
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
        config = uvicorn.Config(
            self._app,
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=1,
        )
        self._server = _Server(config)
        self._serving = asyncio.create_task(self._server.serve([listening]))
        while not self._server.started:
            if self._serving.done():
                await self._serving
            await asyncio.sleep(0.005)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        assert self._serving is not None
        self._server.should_exit = True
        self.cut()  # streams end only with whoever reads them
        done, _pending = await asyncio.wait({self._serving}, timeout=_CLOSING)
        if not done:
            self._serving.cancel()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise TableError(f"cannot serve pages at {host}:{port} ({told_os(error)}): choose another port") from error
    listening.listen(256)
    listening.setblocking(False)
    return listening


def free_port(host: str, usual: int) -> int:
    """``usual`` if nobody listens there, else 0: any that is free."""
    try:
        _listen(host, usual).close()
    except TableError:
        return 0
    return usual
