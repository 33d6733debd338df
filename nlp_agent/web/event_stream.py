"""What a page follows while it is open: a list of lines that only grows and how things stand now, as server-sent
events.

Whoever comes back after a lost connection gets what is missing, and nothing twice.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import StreamingResponse

from nlp_agent.web.rendering import Fragments

KEEP_ALIVE = 15.0
"""Seconds after which a word is sent that means nothing, so that a lost connection is noticed."""
BATCH_DELAY = 0.025
"""Seconds that changes are collected before they are sent to pages, so that a seat's answer goes out first."""
_LAST_WORD = 1.0
"""Seconds in which readers must have been told that a stream has ended."""


@dataclass(slots=True)
class _RenderedLines:
    """What has been drawn in one language, up to ``version``: the lines, each as JSON, and each part with the version
    of its last change.
    """

    lines: list[str] = field(default_factory=list)
    parts: dict[str, tuple[str, int]] = field(default_factory=dict)
    version: int = -1

    def since(self, version: int) -> str:
        """The parts that have changed after ``version``, as JSON."""
        return ",".join(f'"{name}":{text}' for name, (text, changed) in self.parts.items() if changed > version)


class EventStream:
    """A row of lines and one state that a page follows while it is open, for any number of readers.

    A new game :meth:`restarts <restart>` the row. Everything is drawn once a language, however many read it, and what
    happens between two looks of a reader comes to it as one message, with the time in Unix milliseconds.
    """

    retry = 1000
    """Milliseconds after which a browser comes back."""

    def __init__(self, now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._now_ms = now_ms
        self._lines: list[Mapping[str, Any]] = []
        self._now: Mapping[str, Any] = {}
        self._drawn: dict[str, _RenderedLines] = {}
        self._row, self._version = 1, 0
        self._news = asyncio.Event()
        self._waking: asyncio.TimerHandle | None = None
        self._closed = False
        self.readers = 0
        self.unread = asyncio.Event()
        """Set while nobody reads."""
        self.unread.set()

    def add(self, line: Mapping[str, Any]) -> None:
        """Append a line for all readers."""
        self._lines.append(line)
        self._wake_readers()

    def show(self, now: Mapping[str, Any]) -> None:
        """Show ``now`` instead of how things stood before."""
        if now != self._now:
            self._now = now
            self._wake_readers()

    def restart(self) -> None:
        """Begin a new row; pages drop the old one."""
        self._lines = []
        for drawn in self._drawn.values():
            drawn.lines.clear()
        self._row += 1
        self._wake_readers()

    def close(self) -> None:
        """End the stream: readers are told that nothing will ever follow, and come to their end."""
        self._closed = True
        self._wake_readers()

    def _wake_readers(self) -> None:
        self._version += 1
        if self.readers and self._waking is None:
            self._waking = asyncio.get_running_loop().call_later(0.0 if self._closed else BATCH_DELAY, self._wake)

    def _wake(self) -> None:
        self._waking = None
        self._news.set()
        self._news = asyncio.Event()

    async def follow(self, drawing: Fragments, last_id: str = "") -> AsyncIterator[str]:
        """Yield the messages from the one after ``last_id`` on, as they stand in a stream of server-sent events."""
        row, count = _place(last_id)
        seen = -1
        self.readers += 1
        self.unread.clear()
        try:
            yield f"retry: {self.retry}\n\n"
            while not (self._closed and seen == self._version):
                if seen == self._version:
                    news = self._news
                    with suppress(TimeoutError):
                        async with asyncio.timeout(KEEP_ALIVE):
                            await news.wait()
                    if seen == self._version:
                        yield ": still here\n\n"
                        continue
                before, seen = seen, self._version
                fresh = row != self._row or count > len(self._lines)
                row, count = self._row, 0 if fresh else count
                drawn = self._draw(drawing)
                lines = ",".join(drawn.lines[count:])
                count = len(drawn.lines)
                head = f'"fresh":{json.dumps(fresh)},"clock":{self._now_ms()}'
                yield f'id: {row}.{count}\ndata: {{{head},"lines":[{lines}],"parts":{{{drawn.since(before)}}}}}\n\n'
            yield "event: closed\ndata: {}\n\n"
        finally:
            self.readers -= 1
            if not self.readers:
                self.unread.set()

    def _draw(self, drawing: Fragments) -> _RenderedLines:
        drawn = self._drawn.setdefault(drawing.key, _RenderedLines())
        for place in range(len(drawn.lines), len(self._lines)):
            before = self._lines[place - 1] if place else None
            drawn.lines.append(_text(drawing.line(self._lines[place], before, self._now)))
        if drawn.version != self._version and self._now:
            for name, html in drawing.parts(self._now).items():
                text = _text(html)
                if text != drawn.parts.get(name, ("", 0))[0]:
                    drawn.parts[name] = (text, self._version)
            drawn.version = self._version
        return drawn


async def end_streams(*streams: EventStream) -> None:
    """Close ``streams``, and wait until all who read them have been told."""
    for stream in streams:
        stream.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(_LAST_WORD):
            await asyncio.gather(*(stream.unread.wait() for stream in streams))


def stream_response(stream: EventStream, drawing: Fragments, last_id: str = "") -> StreamingResponse:
    """Answer a browser's EventSource with ``stream``."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(stream.follow(drawing, last_id), media_type="text/event-stream", headers=headers)


def _text(data: object) -> str:
    # Escaped to ASCII: no line separator of any script can end a message early.
    return json.dumps(data, separators=(",", ":"))


def _place(last_id: str) -> tuple[int, int]:
    row, _, count = last_id.partition(".")
    return (int(row), int(count)) if row.isdecimal() and count.isdecimal() and len(last_id) < 40 else (0, 0)
