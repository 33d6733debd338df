"""The ``openai`` client for one endpoint (the contest's rules fix that package), and what of an answer it takes in.

Answers are read no further than the table of bounds allows and followed to no other host. Importing this module is
slow; ``endpoint`` does it in a thread before anybody waits.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any
from urllib.parse import urlsplit

import httpx2
from openai import AsyncOpenAI, AsyncStream, DefaultAsyncHttpx2Client

from nlp_agent.llm.request import EndpointConfig
from nlp_agent.protocol import bounds

# --- The ``openai`` client for one endpoint --------------------------------------------------------------------------


with suppress(ImportError):
    # It carries the connections, and is else loaded by the first question, while a table waits.
    import anyio._backends._asyncio  # noqa: F401


def open_client(config: EndpointConfig) -> AsyncOpenAI:
    """A client without retries of its own; every call brings its own timeout."""
    address = urlsplit(config.base_url)
    host = (address.hostname or "").lower()
    # A proxy from the environment must not see, or break, what goes to this very machine.
    local = host in {"localhost", "::1"} or host.startswith("127.")
    # Where nothing is encrypted no certificates are loaded: none is trusted, should such a server come to ask for TLS.
    trusted = SSLContext(PROTOCOL_TLS_CLIENT) if local and address.scheme == "http" else True
    hooks = {"response": [limit_response, refuse_other_host]}
    client = AsyncOpenAI(
        # An empty key is refused by the library, though servers at home want none.
        api_key=config.api_key.strip() or "none",
        base_url=config.base_url,
        max_retries=0,
        # Plain answers: a packed one can be a thousand times what came over the wire.
        default_headers={"Accept-Encoding": "identity"},
        http_client=DefaultAsyncHttpx2Client(trust_env=not local, verify=trusted, event_hooks=hooks),
    )
    client.admin_api_key = client.webhook_secret = None
    if host != "api.openai.com" and not host.endswith(".api.openai.com"):
        # The library takes these from the environment and would tell them to any endpoint.
        client.organization = client.project = None
    _ = client.platform_headers()  # finds them out on first use; here nobody is waiting
    return client


async def post_chat(client: AsyncOpenAI, request: Mapping[str, Any], seconds: float) -> object | AsyncIterator[object]:
    """The completion asked for by ``request`` (keyword arguments of ``chat.completions.create``), or its stream.

    ``seconds`` bound each reading. As plain JSON: the library's typed objects cost three times the reading.
    """
    body = {key: value for key, value in request.items() if key not in ("extra_body", "extra_headers")}
    return await client.post(
        "/chat/completions",
        cast_to=object,
        body=body | request.get("extra_body", {}),
        options={"headers": request.get("extra_headers", {}), "timeout": seconds},
        stream=bool(request.get("stream")),
        stream_cls=AsyncStream[object],
    )


# --- Whatever an endpoint sends --------------------------------------------------------------------------------------


_SLICE = 1 << 16
"""Bytes that are unpacked at a time."""


class RefusedResponseError(Exception):
    """An endpoint sent something that is not taken. The text goes on where the endpoint's name ends."""


class ResponseTooLongError(RefusedResponseError):
    """An endpoint sent more than any answer is: ``what``."""

    def __init__(self, what: str) -> None:
        super().__init__(f"sent {what}: that is no answer of a chat model")


class RedirectedError(RefusedResponseError):
    """An endpoint wants the request sent to another host, of this ``origin``."""

    def __init__(self, origin: str) -> None:
        super().__init__(
            f"sends us on to {origin}, where neither key nor prompt goes unasked: "
            "put that address into llm.base_url if it is the right one"
        )


class BoundedStream(httpx2.AsyncByteStream):
    """The bytes of ``inner``, unpacked where ``packed``, until they are more than ``most``, or a line than ``line``.

    Raises ResponseTooLongError then.
    """

    def __init__(self, inner: httpx2.AsyncByteStream, *, most: int, line: int, packed: bool) -> None:
        self._inner, self._most, self._line = inner, most, line
        self._unpacking = zlib.decompressobj(zlib.MAX_WBITS | 32) if packed else None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        total = line = 0
        async for sent in self._inner:
            for piece in self._unpacked(sent):
                total += len(piece)
                lines = [len(each) for each in piece.split(b"\n")]
                lines[0] += line
                if total > self._most:
                    raise ResponseTooLongError(f"more than {self._most} bytes")
                if max(lines) > self._line:
                    raise ResponseTooLongError(f"a line of more than {self._line} bytes")
                line = lines[-1]
                yield piece

    def _unpacked(self, sent: bytes) -> Iterator[bytes]:
        if self._unpacking is None:
            yield sent
            return
        while piece := self._unpacking.decompress(sent, _SLICE):
            yield piece
            sent = self._unpacking.unconsumed_tail

    async def aclose(self) -> None:
        """Close the stream that is read."""
        await self._inner.aclose()


async def refuse_other_host(response: httpx2.Response) -> None:
    """Raise RedirectedError where ``response`` leads to another origin.

    The headers of the config, which may hold a key, and the prompt would go along. The same host by https instead of
    http is no other.
    """
    if not response.has_redirect_location:
        return
    here, there = response.url, response.url.join(response.headers["location"])
    upgraded = here.copy_with(scheme="https", port=None) if here.port is None else here
    if there.origin not in (here.origin, upgraded.origin):
        raise RedirectedError(f"{there.scheme}://{there.netloc.decode('ascii', 'replace').rpartition('@')[2]}")


async def limit_response(response: httpx2.Response) -> None:
    """Let ``response`` be read only as far as an answer can go; to be called before its body is read.

    Raises ResponseTooLongError when it is packed in a way that cannot be bounded.
    """
    streamed = response.headers.get("content-type", "").startswith("text/event-stream")
    packing = response.headers.pop("content-encoding", "identity").lower()
    if packing not in {"identity", "gzip", "x-gzip", "deflate"}:
        raise ResponseTooLongError(f"an answer packed as {packing[:20]!r}, though asked for a plain one")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = BoundedStream(
        response.stream,
        most=bounds.STREAM if streamed else bounds.BODY,
        line=bounds.LINE if streamed else bounds.BODY,
        packed=packing != "identity",
    )
