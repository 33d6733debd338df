"""One endpoint over HTTP: a request in, plain JSON out, whole or piece by piece.

What an OpenAI-compatible endpoint needs of a client is a POST and server-sent events; the vendor's own library takes
most of a second to import, and makes typed objects of every piece, which costs three times the reading.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import httpx2

from nlp_agent.llm.dialect import EndpointConfig

_LIMITS = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)
_LONGEST_EVENT = 4_000_000
"""Bytes of one event of a stream; no endpoint sends half as many, and memory is for thirteen seats."""
_DRAIN_SECONDS = 0.1
"""How long the end of a finished stream is waited for, so that its connection can be used again."""
_LINE_END = re.compile(rb"\r\n|\n|\r(?!$)")


class RefusedError(Exception):
    """The endpoint said no: with an HTTP ``status`` and ``headers``, or in a stream, where ``status`` is 0.

    ``body`` is what it said of it, parsed where it is JSON.
    """

    def __init__(self, status: int, headers: Mapping[str, str], body: object) -> None:
        super().__init__(f"HTTP {status}" if status else "an error in the stream")
        self.status, self.headers, self.body = status, headers, body


class Client:
    """Connections to one endpoint, shared by all seats. Without retries; every call brings its own time limit.

    Calls raise RefusedError, httpx2.TransportError where the connection fails, and ValueError for what is no JSON.
    """

    def __init__(self, config: EndpointConfig) -> None:
        host = (urlsplit(config.base_url).hostname or "").lower()
        # A proxy from the environment must not see, or break, what goes to this very machine.
        local = host in {"localhost", "::1"} or host.startswith("127.")
        key = config.api_key.strip() or "none"  # servers at home want none, and refuse an empty one
        self._headers = {"Authorization": f"Bearer {key}", "Accept": "application/json", "User-Agent": "nlp-agent"}
        self._http = httpx2.AsyncClient(trust_env=not local, follow_redirects=True, limits=_LIMITS)
        self._base = config.base_url.rstrip("/")

    async def close(self) -> None:
        """Safe to call twice."""
        await self._http.aclose()

    async def models(self, seconds: float) -> object:
        """What the endpoint tells of its models."""
        url = f"{self._base}/models"
        return await self._whole(self._http.build_request("GET", url, headers=self._headers, timeout=seconds))

    async def complete(self, request: Mapping[str, Any], seconds: float) -> object:
        """The answer to ``request`` (see :func:`nlp_agent.llm.dialect.build_request`) in one piece."""
        return await self._whole(self._chat(request, seconds))

    @asynccontextmanager
    async def stream(self, request: Mapping[str, Any], seconds: float) -> AsyncIterator[AsyncIterator[object]]:
        """The answer to ``request`` event by event; leaving the block early ends the connection."""
        response = await self._http.send(self._chat(request, seconds), stream=True)
        try:
            if response.is_error:
                await response.aread()
                raise _refusal(response)
            yield _events(response)
        finally:
            await response.aclose()

    def _chat(self, request: Mapping[str, Any], seconds: float) -> httpx2.Request:
        body = {key: value for key, value in request.items() if key not in ("extra_body", "extra_headers")}
        return self._http.build_request(
            "POST",
            f"{self._base}/chat/completions",
            json=body | request.get("extra_body", {}),
            headers=self._headers | request.get("extra_headers", {}),
            timeout=seconds,
        )

    async def _whole(self, request: httpx2.Request) -> object:
        response = await self._http.send(request)
        if response.is_error:
            raise _refusal(response)
        return json.loads(response.content)


def _refusal(response: httpx2.Response) -> RefusedError:
    try:
        body = json.loads(response.content)
    except ValueError:
        body = response.text.strip()
    return RefusedError(response.status_code, response.headers, body)


async def _events(response: httpx2.Response) -> AsyncIterator[object]:
    """The data of each server-sent event, up to ``[DONE]``; raises RefusedError for an error among them."""
    chunks = response.aiter_bytes()
    async for data in split_events(chunks):
        if data.startswith(b"[DONE]"):
            with suppress(TimeoutError, httpx2.HTTPError):
                async with asyncio.timeout(_DRAIN_SECONDS):
                    async for _ in chunks:
                        pass
            return
        event = json.loads(data)
        if isinstance(event, dict) and event.get("error"):
            raise RefusedError(0, {}, event["error"])
        yield event


async def split_events(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The ``data`` of every event: its lines, put together where there are several."""
    rest, lines = b"", list[bytes]()
    async for chunk in chunks:
        *whole, rest = _LINE_END.split(rest + chunk)
        if len(rest) > _LONGEST_EVENT:
            raise ValueError("an event of a stream has no end")
        for line in whole:
            if line.startswith(b"data:"):
                lines.append(line[5:].removeprefix(b" "))
            elif not line and lines:
                yield b"\n".join(lines)
                lines = []
    if rest.startswith(b"data:"):
        lines.append(rest[5:].removeprefix(b" "))
    if lines:
        yield b"\n".join(lines)
