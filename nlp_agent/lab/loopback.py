"""A small real HTTP endpoint on this machine that speaks the OpenAI protocol. Try it:

``python -m nlp_agent.lab.loopback --port 8099``, then ``base_url: http://127.0.0.1:8099/v1`` in the config.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

from nlp_agent.lab.replies import Behaviour, HttpReply, after, failing, json_reply, talkative

__all__ = ["AskedRequest", "Loopback", "main"]

_LARGEST_REQUEST = 16 * 1024 * 1024
_LONGEST_HEADERS = 64 * 1024


@dataclass
class AskedRequest:
    """One recorded request. ``gone`` is set when the client hung up before the reply was complete; ``done`` when the
    reply is over, one way or the other."""

    method: str
    path: str
    headers: dict[str, str]
    json: dict[str, Any]
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Event = field(default_factory=asyncio.Event)


class Loopback:
    """The endpoint as an async context manager; ``base_url`` is where it listens, ``requests`` what it was asked.

    ``behaviour`` answers chat requests (default: a sensible talkative model). With ``key`` other keys get
    401; with ``models`` other model names get 404. ``connections`` is the number of open connections,
    ``most_at_once`` the largest number of chat requests that were open at the same time.
    """

    def __init__(
        self,
        behaviour: Behaviour | None = None,
        *,
        key: str = "",
        models: Sequence[str] = (),
        port: int = 0,
    ) -> None:
        self.behaviour = behaviour or talkative()
        self.requests: list[AskedRequest] = []
        self.most_at_once = 0
        self._key, self._models, self._port = key, tuple(models), port
        self._at_once = 0
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def connections(self) -> int:
        return len(self._tasks)

    async def hung_up(self) -> None:
        """Wait until every connection that is open now has ended."""
        await asyncio.gather(*self._tasks)

    @property
    def chats(self) -> list[dict[str, Any]]:
        """The JSON of all chat requests so far."""
        return [request.json for request in self.requests if request.path.endswith("/chat/completions")]

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port, limit=_LONGEST_HEADERS)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            ahead = b""
            while request := await _read_request(reader, ahead):
                self.requests.append(request)
                going, ahead = await self._reply(request, reader, writer)
                if not going:
                    break
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # The client is gone or talks something else: nobody is left to tell.
        except asyncio.CancelledError:
            pass  # The endpoint closes; a server task must not end cancelled, or asyncio reports it.
        finally:
            writer.transport.abort()
            self._tasks.discard(task)

    async def _reply(
        self, request: AskedRequest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[bool, bytes]:
        """Answer, watching for the client to hang up. Whether to go on, and a byte read ahead."""
        sending = asyncio.ensure_future(self._send(request, writer))
        watching = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait({sending, watching}, return_when=asyncio.FIRST_COMPLETED)
            if not sending.done() and (watching.exception() or not watching.result()):
                request.gone.set()
                return False, b""
            going = await sending
            # On a connection that stays open, the next request's first byte arrives at the watcher.
            request.done.set()
            return (going, await watching) if going else (False, b"")
        except OSError:
            request.gone.set()
            raise
        finally:
            request.done.set()
            for task in (sending, watching):
                task.cancel()
            await asyncio.gather(sending, watching, return_exceptions=True)

    async def _send(self, request: AskedRequest, writer: asyncio.StreamWriter) -> bool:
        """Send the reply; False when the connection ends with it."""
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            reply = self._route(request)
            for wait in reply.before:
                await wait()
            head, body = _head(reply), [part for part in reply.parts if isinstance(part, bytes)]
            length = "transfer-encoding: chunked" if reply.chunked else f"content-length: {sum(map(len, body))}"
            writer.write(f"{head}{length}\r\n\r\n".encode())
            for part in reply.parts:
                if isinstance(part, bytes):
                    writer.write(b"%x\r\n%b\r\n" % (len(part), part) if reply.chunked and part else part)
                    await writer.drain()
                else:
                    await part()
            if reply.chunked and not reply.cut:
                writer.write(b"0\r\n\r\n")
            await writer.drain()
            if reply.cut:
                # Everything written is delivered, then the end comes too early.
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
            return not reply.cut
        finally:
            self._at_once -= 1

    def _route(self, request: AskedRequest) -> HttpReply:
        if self._key and request.headers.get("authorization") != f"Bearer {self._key}":
            return failing(401, "Incorrect API key provided.", code="invalid_api_key")
        if request.method == "GET" and request.path.endswith("/v1/models"):
            names = self._models or ("loopback",)
            return json_reply({"object": "list", "data": [{"id": name, "object": "model"} for name in names]})
        if request.method != "POST" or not request.path.endswith("/v1/chat/completions"):
            return failing(404, f"Unknown address {request.path}: try /v1/chat/completions")
        model = request.json.get("model")
        if self._models and model not in self._models:
            return failing(404, f"The model {model!r} does not exist", code="model_not_found")
        try:
            return self.behaviour(request.json)
        except Exception as error:
            return failing(500, f"the behaviour raised {type(error).__name__}: {error}")


def _head(reply: HttpReply) -> str:
    known = {status.value: status.phrase for status in HTTPStatus}
    lines = [f"HTTP/1.1 {reply.status} {known.get(reply.status, 'Unknown')}"]
    lines += [f"{name}: {value}" for name, value in reply.headers.items()]
    return "".join(f"{line}\r\n" for line in lines)


async def _read_request(reader: asyncio.StreamReader, ahead: bytes) -> AskedRequest | None:
    """The next request of a connection, whose first byte may be ``ahead``; None when it ended."""
    try:
        head = (ahead + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *rest = head.rstrip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in rest)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    size = int(headers.get("content-length", "0"))
    if not 0 <= size <= _LARGEST_REQUEST:
        return None
    body = await reader.readexactly(size)
    value = json.loads(body) if body else {}
    return AskedRequest(method, path.partition("?")[0], headers, value if isinstance(value, dict) else {})


def _counted(behaviour: Behaviour, log: Path) -> Behaviour:
    """``behaviour``, with a dot in ``log`` for every question, and a stroke for one whose answer is streamed."""

    def behave(request: dict[str, Any]) -> HttpReply:
        with log.open("a", encoding="ascii") as file:
            file.write("|" if request.get("stream") else ".")
        return behaviour(request)

    return behave


async def _run(port: int, key: str, seed: int, wait: float, count: Path | None) -> None:
    behaviour = after(wait, talkative(seed))
    if count is not None:
        behaviour = _counted(behaviour, count)
    async with Loopback(behaviour, key=key, port=port) as endpoint:
        sys.stdout.write(f"listening: base_url is {endpoint.base_url} (any model name; Ctrl-C ends)\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``python -m nlp_agent.lab.loopback``; exit code 1 when the port is taken."""
    parser = argparse.ArgumentParser(
        prog="python -m nlp_agent.lab.loopback", description="A pretend LLM endpoint on this machine."
    )
    parser.add_argument("--port", type=int, default=8099, help="where to listen; 0 chooses a free port")
    parser.add_argument("--key", default="", help="accept only this API key (default: any)")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other answers")
    parser.add_argument("--wait", type=float, default=0.0, help="seconds it thinks before the first word")
    parser.add_argument("--count", type=Path, help="a file that gets a sign for every question")
    options = parser.parse_args(arguments)
    try:
        asyncio.run(_run(options.port, options.key, options.seed, options.wait, options.count))
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        sys.stderr.write(f"cannot listen on port {options.port}: {error.strerror}; choose another --port\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
