"""The scripted model: a real HTTP endpoint on this machine that speaks the OpenAI protocol, to rehearse without a key.

``python -m nlp_agent.llm.loopback --port 8099``, then ``base_url: http://127.0.0.1:8099/v1`` in the config. First what
it can answer (any HTTP reply, right or wrong, and ready-made completions), then the server.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import re
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any, Self

from nlp_agent.llm.response import estimate_tokens, get_path
from nlp_agent.tasks import end_tasks

# --- What the loopback endpoint can answer ---------------------------------------------------------------------------


Wait = Callable[[], Awaitable[object]]
"""Something to wait for, such as ``asyncio.Event().wait``; a hang is an event that never happens."""

Behaviour = Callable[[dict[str, Any]], "HttpReply"]
"""From the JSON of a chat request to what the endpoint does."""


JSON = {"content-type": "application/json"}
STREAM = {"content-type": "text/event-stream"}


@dataclass(frozen=True)
class HttpReply:
    """An HTTP reply, right or wrong in any way wanted.

    ``before`` is awaited before the first header. The body is ``parts`` one after the other: bytes are sent, waits are
    awaited. ``chunked`` sends them in chunked transfer encoding; otherwise the length is told first. ``cut`` closes the
    connection where the body should go on.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[bytes | Wait, ...] = ()
    before: tuple[Wait, ...] = ()
    chunked: bool = False
    cut: bool = False


def json_reply(value: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpReply:
    """A reply that holds ``value`` as JSON."""
    body = json.dumps(value, ensure_ascii=False).encode()
    return HttpReply(status, {**JSON, **(headers or {})}, (body,))


def failing(
    status: int,
    message: str,
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpReply:
    """An error as the OpenAI protocol tells it."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return json_reply({"error": error}, status=status, headers=headers)


def saying(
    request: Mapping[str, Any],
    pieces: str | Sequence[str | Wait],
    *,
    finish: str = "stop",
    usage: bool = True,
    cached: int = 0,
    **extra: object,
) -> HttpReply:
    """A completion with the text of ``pieces``: streamed piece by piece when the request wants that, else whole.

    ``extra`` fields go into the message (the first event of a stream), such as ``reasoning_content`` or ``refusal``.
    """
    pieces = [pieces] if isinstance(pieces, str) else list(pieces)
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    counts = _usage(request, text, cached) if usage else None
    if not request.get("stream"):
        message = {"role": "assistant", "content": text, **extra}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        whole = json_reply(_envelope(request, "chat.completion", [choice], counts))
        return replace(whole, before=tuple(piece for piece in pieces if not isinstance(piece, str)))
    wants_usage = get_path(request, "stream_options", "include_usage")
    parts: list[bytes | Wait] = [_event(request, {"role": "assistant", "content": "", **extra})]
    parts += [_event(request, {"content": p}) if isinstance(p, str) else p for p in pieces]
    parts.append(_event(request, {}, finish))
    if counts and wants_usage:
        parts.append(_sse(_envelope(request, "chat.completion.chunk", [], counts)))
    parts.append(b"data: [DONE]\n\n")
    return HttpReply(200, STREAM, tuple(parts), chunked=True)


def _event(request: Mapping[str, Any], delta: Mapping[str, object], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _sse(_envelope(request, "chat.completion.chunk", [choice], None))


def _sse(value: object) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def _envelope(
    request: Mapping[str, Any], kind: str, choices: list[dict[str, Any]], usage: dict[str, Any] | None
) -> dict[str, Any]:
    model = request.get("model", "")
    return {"id": "loopback", "object": kind, "created": 0, "model": model, "choices": choices, "usage": usage}


def _usage(request: Mapping[str, Any], text: str, cached: int) -> dict[str, Any]:
    prompt, said = estimate_tokens(prompt_text(request)), estimate_tokens(text)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": said,
        "total_tokens": prompt + said,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def prompt_text(request: Mapping[str, Any]) -> str:
    """Join all messages of a request to one text."""
    messages = request.get("messages")
    return "\n".join(str(get_path(message, "content") or "") for message in messages or [])


def own_messages(request: Mapping[str, Any]) -> list[str]:
    """The messages that the model itself has said in the conversation of a request."""
    messages = request.get("messages") or []
    return [str(get_path(message, "content") or "") for message in messages if get_path(message, "role") == "assistant"]


def wanted_form(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The properties of the JSON schema that the request brings, none without one."""
    properties = get_path(request, "response_format", "json_schema", "schema", "properties")
    return properties if isinstance(properties, dict) else {}


def wanted_names(request: Mapping[str, Any]) -> list[str]:
    """The names of which the request's JSON schema wants one, or none; the form of a talk wants words."""
    form = wanted_form(request)
    enums = (get_path(value, "enum") for value in form.values() if "words" not in form)
    return next(([str(name) for name in names] for names in enums if isinstance(names, list) and names), [])


_MARK = re.compile(r"^[*•・\-]\s+")
_LONGEST_NAME = 40


def listed_names(request: Mapping[str, Any]) -> list[str]:
    """The names that the last question lists, one a line below a line that ends in a colon, as in the official sample's
    prompts; the asker's own name, which its first prompt tells, only where there is no other. None for a talk.
    """
    messages = request.get("messages") or []
    asked = [str(get_path(message, "content") or "") for message in messages if get_path(message, "role") == "user"]
    if not asked:
        return []
    names: list[str] = []
    for line in reversed(asked[-1].strip().splitlines()):
        name = _MARK.sub("", line.strip())
        if name.endswith((":", "：")):
            break
        if not name or len(name) > _LONGEST_NAME or ":" in name or "：" in name:
            return []
        names.insert(0, name)
    else:
        return []
    first = asked[0] if len(asked) > 1 else ""
    return [name for name in names if name not in first] or names


def intent(form: Mapping[str, Any], rng: random.Random) -> str:
    """Choose for whom a model that is asked in ``form`` would vote: it always says."""
    names: list[str] = get_path(form.get("vote"), "enum") or []
    return rng.choice([name for name in names if name] or [""])


def filled(form: Mapping[str, Any], **given: object) -> dict[str, object]:
    """Make an answer in ``form``: what is ``given``, an even share of suspicion, and nothing else declared."""
    empty: dict[str, object] = {"array": [], "object": {}, "string": ""}
    answer = {key: empty.get(str(get_path(value, "type")), "") for key, value in form.items()}
    if isinstance(players := get_path(form.get("wolf"), "properties"), dict):
        answer["wolf"] = dict.fromkeys(players, round(1 / max(1, len(players)), 2))
    return answer | {key: value for key, value in given.items() if key in form}


@dataclass(frozen=True)
class _SmallTalk:
    """One language: the letters it is known by, lines to say, openings that go before any of them, and a character's
    ``sheet``, whose notes nobody says."""

    letters: re.Pattern[str]
    sheet: Mapping[str, object]
    openings: Sequence[str]
    lines: Sequence[str]

    def sentence(self, prompt: str, own: Sequence[str], rng: random.Random) -> str:
        """A line the speaker has not said yet, opened where somebody in ``prompt`` has said it already."""
        said, heard, letters = _letters("".join(own)), _letters(prompt), self.in_letters
        lines = [line for line in self.lines if letters[line] not in said] or self.lines
        new = [line for line in lines if letters[line] not in heard]
        opened = [(opening, line) for opening in self.openings for line in lines] if not new else []
        unheard = [(opening, line) for opening, line in opened if letters[opening] + letters[line] not in heard]
        sentence = rng.choice(new) if new else "".join(rng.choice(unheard or opened))
        return sentence[:1].upper() + sentence[1:]

    @cached_property
    def in_letters(self) -> dict[str, str]:
        """Spell what each line and each opening says."""
        return {words: _letters(words) for words in (*self.lines, *self.openings)}


@lru_cache(maxsize=1)
def _languages() -> list[_SmallTalk]:
    """All languages; the last one fits everything."""
    known = json.loads(files(__package__ or "").joinpath("small_talk.json").read_text(encoding="utf-8"))
    return [
        _SmallTalk(re.compile(entry["letters"]), entry["sheet"], entry["openings"], entry["lines"]) for entry in known
    ]


def _language(prompt: str) -> _SmallTalk:
    return next(language for language in _languages() if language.letters.search(prompt))


def _letters(text: str) -> str:
    """``text`` without case and punctuation, which are not what was said."""
    return re.sub(r"\W", "", text).casefold()


def small_talk(prompt: str, own: Sequence[str], rng: random.Random) -> str:
    """A sensible sentence in the language of ``prompt`` which neither it holds nor what the speaker's ``own`` talks
    say."""
    return _language(prompt).sentence(prompt, own, rng)


def talkative(seed: int = 0) -> Behaviour:
    """Make a sensible model: it answers with one of the allowed names when a schema or the question lists them, with
    the notes of a character's sheet where they are asked for, else with a sentence in the prompt's language that
    neither it nor, as far as the prompt tells, anybody else has said before.

    Equal requests get equal answers, in whatever order they come.
    """

    def behave(request: dict[str, Any]) -> HttpReply:
        prompt = prompt_text(request)
        rng = random.Random(f"{seed}|{prompt}")
        form = wanted_form(request)
        if names := wanted_names(request):
            name = rng.choice(names)
            return saying(request, json.dumps(filled(form, target=name, choice=name), ensure_ascii=False))
        if "temper" in form:
            return saying(request, json.dumps(filled(form, **_language(prompt).sheet), ensure_ascii=False))
        if not form and (listed := listed_names(request)):
            return saying(request, rng.choice(listed))
        sentence = small_talk(prompt, own_messages(request), rng)
        if form:
            sentence = json.dumps(filled(form, vote=intent(form, rng), words=sentence), ensure_ascii=False)
        step = max(1, len(sentence) // 6)
        return saying(request, [sentence[at : at + step] for at in range(0, len(sentence), step)])

    return behave


def after(seconds: float, behaviour: Behaviour) -> Behaviour:
    """Make a model that behaves as ``behaviour``, but thinks for ``seconds`` before its first word."""

    def behave(request: dict[str, Any]) -> HttpReply:
        reply = behaviour(request)
        return replace(reply, before=(lambda: asyncio.sleep(seconds), *reply.before)) if seconds else reply

    return behave


# --- A small real HTTP endpoint on this machine that speaks the OpenAI protocol --------------------------------------


__all__ = ["AskedRequest", "Loopback", "main"]

_LARGEST_REQUEST = 16 * 1024 * 1024
_LONGEST_HEADERS = 64 * 1024


@dataclass
class AskedRequest:
    """A recorded request. ``gone`` is set when the client hung up before the reply was complete; ``done`` when the
    reply is over, one way or the other.
    """

    method: str
    path: str
    headers: dict[str, str]
    json: dict[str, Any]
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Event = field(default_factory=asyncio.Event)


class Loopback:
    """The endpoint as an async context manager; ``base_url`` is where it listens, ``requests`` what it was asked.

    ``behaviour`` answers chat requests (default: a sensible talkative model). With ``key`` other keys get
    401; with ``models`` other model names get 404. ``most_at_once`` is the largest number of chat requests that were
    open at the same time.
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
        """The address for ``llm.base_url``."""
        return f"http://127.0.0.1:{self._port}/v1"

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
        await end_tasks(*self._tasks)

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
            await end_tasks(sending, watching)

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


async def _run(port: int, key: str, seed: int, wait: float) -> None:
    async with Loopback(after(wait, talkative(seed)), key=key, port=port) as endpoint:
        sys.stdout.write(f"listening: base_url is {endpoint.base_url} (any model name; Ctrl-C ends)\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``python -m nlp_agent.llm.loopback``; exit code 1 when the port is taken."""
    parser = argparse.ArgumentParser(
        prog="python -m nlp_agent.llm.loopback",
        description="The scripted model: an endpoint on this machine with canned answers, for rehearsals.",
    )
    parser.add_argument("--port", type=int, default=8099, help="where to listen; 0 chooses a free port")
    parser.add_argument("--key", default="", help="accept only this API key (default: any)")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other answers")
    parser.add_argument("--wait", type=float, default=0.0, help="seconds it thinks before the first word")
    options = parser.parse_args(arguments)
    try:
        asyncio.run(_run(options.port, options.key, options.seed, options.wait))
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        sys.stderr.write(f"cannot listen on port {options.port}: {error.strerror}; choose another --port\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
