"""Whatever an endpoint sends: answers read no further than the table of bounds allows, followed to no other host."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator

import httpx2

from nlp_agent.protocol import bounds

_SLICE = 1 << 16
"""Bytes that are unpacked at a time."""


class UntakenError(Exception):
    """What an endpoint sent is not taken. The text goes on where its name ends."""


class TooLongError(UntakenError):
    """An endpoint sent more than any answer is: ``what``."""

    def __init__(self, what: str) -> None:
        super().__init__(f"sent {what}: that is no answer of a chat model")


class MovedError(UntakenError):
    """An endpoint wants the request sent to another host, of this ``origin``."""

    def __init__(self, origin: str) -> None:
        super().__init__(
            f"sends us on to {origin}, where neither key nor prompt goes unasked: "
            "put that address into llm.base_url if it is the right one"
        )


class BoundedStream(httpx2.AsyncByteStream):
    """The bytes of ``inner``, unpacked where ``packed``, until they are more than ``most``, or a line than ``line``.

    Raises TooLongError then.
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
                    raise TooLongError(f"more than {self._most} bytes")
                if max(lines) > self._line:
                    raise TooLongError(f"a line of more than {self._line} bytes")
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
        await self._inner.aclose()


async def stay_on_host(response: httpx2.Response) -> None:
    """Raise MovedError where ``response`` leads to another origin: the headers of the config, which may hold a key, and
    the prompt would go along. The same host by https instead of http is no other."""
    if not response.has_redirect_location:
        return
    here, there = response.url, response.url.join(response.headers["location"])
    upgraded = here.copy_with(scheme="https", port=None) if here.port is None else here
    if there.origin not in (here.origin, upgraded.origin):
        raise MovedError(f"{there.scheme}://{there.netloc.decode('ascii', 'replace').rpartition('@')[2]}")


async def bound(response: httpx2.Response) -> None:
    """Let ``response`` be read only as far as an answer can go; to be called before its body is read."""
    streamed = response.headers.get("content-type", "").startswith("text/event-stream")
    packing = response.headers.pop("content-encoding", "identity").lower()
    if packing not in {"identity", "gzip", "x-gzip", "deflate"}:
        raise TooLongError(f"an answer packed as {packing[:20]!r}, though asked for a plain one")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = BoundedStream(
        response.stream,
        most=bounds.STREAM if streamed else bounds.BODY,
        line=bounds.LINE if streamed else bounds.BODY,
        packed=packing != "identity",
    )
