"""Endpoints that go wrong, now and then or always: each kind is a function from a chat request to the wrong reply.

First the endpoint that remembers when it struck; then what an attacker would send; then what merely breaks.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import cycle
from random import Random
from typing import Any

from nlp_agent.llm.loopback import (
    JSON,
    STREAM,
    Behaviour,
    HttpReply,
    Wait,
    failing,
    filled,
    json_reply,
    prompt_text,
    saying,
    talkative,
    wanted_form,
    wanted_names,
)
from nlp_agent.llm.response import get_path
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.situation import Situation
from nlp_agent.planning.strategy import Standard
from nlp_agent.planning.talk_plan import TalkContext
from nlp_agent.protocol import Request
from tests.faults.catalogue import HOSTILE, Strikes

# --- An endpoint that answers wrongly now and then, and remembers when -----------------------------------------------


WrongReply = Callable[[dict[str, Any]], HttpReply | None]
"""From a chat request to the wrong reply; ``None`` where this fault does not show."""


def exchanged(reply: HttpReply, old: bytes, new: bytes) -> HttpReply:
    """Copy ``reply`` with ``new`` for every ``old`` in its body."""
    parts = (part.replace(old, new) if isinstance(part, bytes) else part for part in reply.parts)
    return replace(reply, parts=tuple(parts))


@dataclass
class FaultyEndpoint:
    """A :data:`~nlp_agent.llm.loopback.Behaviour`: ``wrong`` by ``strikes``, else ``usual``.

    ``struck`` holds the last message of every request that was struck.
    """

    usual: Behaviour
    wrong: WrongReply | None = None
    strikes: Strikes = field(default_factory=Strikes)
    struck: list[str] = field(default_factory=list)
    chats: int = 0
    _waiting: list[asyncio.Future[None]] = field(default_factory=list)

    def __call__(self, chat: dict[str, Any]) -> HttpReply:
        number, self.chats = self.chats, self.chats + 1
        self._tell()
        most = self.strikes.most
        if self.wrong is None or number % self.strikes.every or (most is not None and len(self.struck) >= most):
            return self.usual(chat)
        reply = self.wrong(chat)
        if reply is None:
            return self.usual(chat)
        self.struck.append(last_message(chat))
        return reply

    async def next_chat(self) -> None:
        """Wait until something is asked: from then on somebody is thinking."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        await future

    def _tell(self) -> None:
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)


def any_of(replies: Sequence[WrongReply], random: Random, share: float) -> WrongReply:
    """One of ``replies``, for a ``share`` of the requests."""
    return lambda chat: random.choice(replies)(chat) if random.random() < share else None


def last_message(chat: Mapping[str, Any]) -> str:
    messages = chat.get("messages") or [{}]
    return str(messages[-1].get("content") or "")


# --- Endpoints and code that mean harm -------------------------------------------------------------------------------


Chat = dict[str, Any]
_PIECE, _PIECES = b"x" * 65_536, 400
_UNPACKED = 60_000_000
_KEY = "sk-live-4f9a8b7c6d5e"
_EVENTS = 100_100
_HEAD = 300
"""Characters of its prompt that a model recites."""


def hostile_replies(told: list[str]) -> dict[str, WrongReply]:
    """All kinds by name; ``told`` gets what a model recites of its prompts."""
    bomb = {"content-encoding": "gzip", **STREAM}
    return {
        "endless-line": lambda _: HttpReply(200, STREAM, (b"data: ", *[_PIECE] * _PIECES), chunked=True),
        "packed-bomb": lambda _: HttpReply(200, bomb, (_bomb(),)),
        "error-bomb": lambda _: HttpReply(500, bomb, (_bomb(),)),
        "endless-events": lambda _: HttpReply(200, STREAM, (_events(),), chunked=True),
        "redirect": lambda _: HttpReply(302, {"location": "http://127.0.0.1:9/elsewhere"}),
        "redirect-loop": lambda _: HttpReply(307, {"location": "/v1/chat/completions"}),
        "wrong-packing": lambda _: HttpReply(200, {"content-encoding": "gzip", **JSON}, (b"{}",)),
        "unknown-packing": lambda _: HttpReply(200, {"content-encoding": "br", **JSON}, (b"{}",)),
        "wrong-charset": _in_utf16,
        "long-headers": lambda _: HttpReply(200, {"x-long": "x" * 1_000_000, **JSON}, (b"{}",)),
        "deep-answer": lambda _: HttpReply(200, JSON, (b"[" * 100_000,)),
        "odd-answer": lambda _: json_reply({"id": 7, "choices": {"a": [1]}, "usage": "much", "model": []}),
        "key-echo": lambda chat: failing(500, f"crashed: Authorization: Bearer {_KEY} {json.dumps(chat)[:2000]}"),
        "huge-numbers": _with_huge_numbers,
        "429-storm": lambda _: failing(429, "Rate limit reached", headers={"retry-after": "31536000"}),
        "half-letter-answer": _with_half_letters,
        "prompt-told": lambda chat: _reciting(chat, told),
        **{fault.name: _saying_all(fault.says) for fault in HOSTILE if fault.says},
    }


@cache
def _bomb() -> bytes:
    return gzip.compress(b"data: " + b" " * _UNPACKED)


@cache
def _events() -> bytes:
    return b'data: {"choices": [{"index": 0, "delta": {}}]}\n\n' * _EVENTS


def _in_utf16(chat: Chat) -> HttpReply:
    reply = saying(chat, "I would like to hear more of you.")
    return replace(
        reply, parts=tuple(part.decode().encode("utf-16") if isinstance(part, bytes) else part for part in reply.parts)
    )


def _with_half_letters(chat: Chat) -> HttpReply:
    return exchanged(saying(chat, "I say §§ to you all."), "§".encode(), rb"\ud83d")


def _with_huge_numbers(chat: Chat) -> HttpReply:
    """A sensible answer whose usage is beyond all numbers."""
    huge = b'"prompt_tokens": 1' + b"0" * 300 + b', "old": '
    return exchanged(talkative()(chat), b'"prompt_tokens": ', huge)


def _reciting(chat: Chat, told: list[str]) -> HttpReply:
    prompt = str(get_path(chat["messages"][0], "content") or "")[:_HEAD]
    told.append(prompt)
    return _in_wanted_form(chat, prompt)


def _saying_all(texts: tuple[str, ...]) -> WrongReply:
    turns = cycle(texts)
    return lambda chat: _in_wanted_form(chat, next(turns))


def _in_wanted_form(chat: Chat, text: str) -> HttpReply:
    """``text`` as the words of a talk, in the form that the request wants."""
    form = wanted_form(chat)
    return saying(chat, json.dumps(filled(form, words=text), ensure_ascii=False) if "words" in form else text)


class Endless(Standard):
    """A strategy that comes back from no third question before :attr:`over`; ``struck`` counts them in all seats.

    A thread cannot be stopped from outside: one that went on after its game would slow all games that follow. Two that
    never wait show what five would, each of which slows every seat of the process.
    """

    most = 2
    struck = 0
    over = threading.Event()

    def __init__(self) -> None:
        self._asked = 0

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        self._hold()
        return super().plan_talk(context)

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        self._hold()
        return super().choose(situation, request, legal)

    def _hold(self) -> None:
        self._asked += 1
        if self._asked % 3 or self.struck >= self.most:
            return
        type(self).struck += 1
        while not self.over.is_set():
            pass


# --- Endpoints that go wrong -----------------------------------------------------------------------------------------


_SENTENCE = "I would like to hear one reason from each of you before we vote."
_MEGABYTES = 2 * 1024 * 1024


async def _for_ever() -> None:
    await asyncio.Event().wait()


def _name(chat: Chat, otherwise: str = "Nobody") -> str:
    return next(iter(wanted_names(chat)), otherwise)


def _targets(answer: Callable[[str], str]) -> Behaviour:
    """Names with ``answer`` around them where a name is asked for, a sentence elsewhere."""
    return lambda chat: saying(chat, answer(_name(chat)) if wanted_names(chat) else _SENTENCE)


def _always(pieces: str | Sequence[str | Wait], **more: Any) -> Behaviour:
    return lambda chat: saying(chat, pieces, **more)


def _plain(*parts: bytes | Wait, status: int = 200, kind: Mapping[str, str] = JSON, **more: Any) -> Behaviour:
    """The same reply to everybody."""
    return lambda _: HttpReply(status, kind, parts, **more)


def _status(status: int, message: str, **more: Any) -> Behaviour:
    return lambda _: failing(status, message, **more)


def _refusing(field: str, message: str) -> WrongReply:
    """HTTP 400 to every request that has ``field``."""
    return lambda chat: failing(400, message, param=field) if field in chat else None


def drip(chat: Chat) -> HttpReply:
    """One byte a second."""
    whole = b"".join(part for part in saying(chat, _SENTENCE).parts if isinstance(part, bytes))
    parts: list[bytes | Wait] = []
    for byte in whole:
        parts += [bytes([byte]), lambda: asyncio.sleep(1.0)]
    return HttpReply(200, STREAM if chat.get("stream") else JSON, tuple(parts), chunked=True)


def cut_in_mid_stream(chat: Chat) -> HttpReply:
    reply = saying(chat, ["I would like ", "to hear"])
    return replace(reply, parts=reply.parts[:2], chunked=True, cut=True)


def cut_in_mid_event(chat: Chat) -> HttpReply:
    reply = saying(chat, _SENTENCE)
    first = next(part for part in reply.parts if isinstance(part, bytes))
    return replace(reply, parts=(first[: len(first) // 2],), chunked=True, cut=True)


def invalid_utf8(chat: Chat) -> HttpReply:
    return exchanged(saying(chat, "I say §§ to you all."), "§".encode(), b"\xff\xfe")


def error_in_stream(chat: Chat) -> HttpReply:
    """HTTP 200, then an error where the answer should be."""
    event = {"error": {"message": "the engine is overloaded", "code": 503}}
    if not chat.get("stream"):
        return json_reply(event)
    return HttpReply(200, STREAM, (f"data: {json.dumps(event)}\n\n".encode(),), chunked=True)


def _body(chat: Chat, choices: list[dict[str, Any]]) -> HttpReply:
    """A completion with exactly these choices, streamed when the request wants that."""
    kind = "chat.completion.chunk" if chat.get("stream") else "chat.completion"
    whole = {"id": "x", "object": kind, "created": 0, "model": "m", "choices": choices}
    if not chat.get("stream"):
        return json_reply(whole)
    return HttpReply(200, STREAM, (f"data: {json.dumps(whole)}\n\n".encode(), b"data: [DONE]\n\n"), chunked=True)


def _message(finish: str = "stop", **message: Any) -> Behaviour:
    def answer(chat: Chat) -> HttpReply:
        key = "delta" if chat.get("stream") else "message"
        return _body(chat, [{"index": 0, key: {"role": "assistant", **message}, "finish_reason": finish}])

    return answer


def other_language(chat: Chat) -> HttpReply:
    japanese = any("぀" <= letter <= "ヿ" for letter in prompt_text(chat))
    return saying(chat, "Je pense que nous devrions voter ensemble." if japanese else "今日は誰に投票しますか。")


def json_as_text(chat: Chat) -> HttpReply:
    talk = {"thought": "I must hide.", "talk": _SENTENCE, "target": _name(chat)}
    return saying(chat, f"```json\n{json.dumps(talk)}\n```")


def _naming(name: Callable[[], str]) -> Behaviour:
    """A name that nobody may choose, as the target or in a talk."""
    return lambda chat: saying(
        chat, json.dumps({"target": name()}) if wanted_names(chat) else f"@{name()} is the wolf, vote {name()}!"
    )


def two_names(chat: Chat) -> HttpReply:
    names = wanted_names(chat)
    return saying(chat, f"{names[0]} or {names[-1]}" if names else f"@Ann @Bob {_SENTENCE}")


@dataclass
class Overheard:
    """What an endpoint could know of the table it serves: who is asked, and who is dead; ``told``: what it recited."""

    me: str = ""
    dead: str = "Methuselah"
    told: list[str] = field(default_factory=list)


def wrong_replies(overheard: Overheard) -> dict[str, WrongReply]:
    """All kinds by name."""
    schema = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
    tokens = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'."
    quota = "Rate limit reached"
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "vote", "arguments": "{}"}}
    no = "I cannot help with a game about deception."
    return {
        "hang-before-headers": _plain(before=(_for_ever,)),
        "hang-after-headers": _plain(_for_ever, kind=STREAM, chunked=True),
        "hang-mid-stream": _always(["I would like to ", _for_ever, "hear more."]),
        "hang-after-sentence": _always([_SENTENCE, " And th", _for_ever, "en."]),
        "drip": drip,
        "cut-at-once": _plain(b"", chunked=True, cut=True),
        "cut-mid-stream": cut_in_mid_stream,
        "cut-mid-event": cut_in_mid_event,
        "400-schema": _refusing("response_format", schema),
        "400-max-tokens": _refusing("max_tokens", tokens),
        "400-seed": _refusing("seed", "Unsupported parameter: 'seed'."),
        "400-everything": _status(400, "Bad request."),
        "401": _status(401, "Incorrect API key provided.", code="invalid_api_key"),
        "404": _status(404, "The model does not exist.", code="model_not_found"),
        "408": _status(408, "Request timeout."),
        "429": _status(429, quota),
        "429-wait-5": _status(429, quota, headers={"retry-after": "5"}),
        "429-wait-120": _status(429, quota, headers={"retry-after": "120"}),
        "500": _status(500, "Internal error."),
        "502-html": _plain(b"<html><h1>502 Bad Gateway</h1></html>", status=502, kind={"content-type": "text/html"}),
        "503": _status(503, "The model is loading."),
        "empty-choices": lambda chat: _body(chat, []),
        "empty-at-length": _message("length", content=""),
        "null-content": _message(content=None),
        "refusal": _message(content=None, refusal=no),
        "content-filter": _message("content_filter", content=""),
        "tool-call": _message("tool_calls", content=None, tool_calls=[call]),
        "invalid-utf8": invalid_utf8,
        "not-json": _plain(b"<html><body>It works!</body></html>"),
        "empty-body": _plain(),
        "json-array": _plain(b"[1, 2, 3]"),
        "error-in-stream": error_in_stream,
        "two-megabytes": _always(["We must find the wolf today. " * 1000] * (_MEGABYTES // 29_000)),
        "two-megabytes-one-word": _always(["wolf" * 10_000] * (_MEGABYTES // 40_000)),
        "only-think": _always("<think>Who could be the wolf? I had better say nothing of it.</think>"),
        "unclosed-think": _always("<think>Who could be the wolf? I am a villager and", finish="length"),
        "closing-think-only": lambda chat: saying(
            chat, ["My secret thoughts come first.", "</think>", _name(chat, _SENTENCE)]
        ),
        "reasoning-only": _always("", finish="length", reasoning_content="First I must weigh all that was said"),
        "other-language": other_language,
        "json-as-text": json_as_text,
        "decorated-name": _targets(lambda name: f"**@{name}さん**, without any doubt!"),
        "dead-name": _naming(lambda: overheard.dead),
        "own-name": _naming(lambda: overheard.me),
        "two-names": two_names,
        "over-glued": _always("I trust nobody here yet.Over"),
        "skip-word": _always("Skip"),
        "emoji-commas": _always("Well, 😀😀 I, for one, am ✨innocent✨, as always, 🙏"),
        "white-space": _always(" \n\t \u200b \u3000 "),
        "dozen-lines": _always("\n".join(f"Line {number}: we, should; talk." for number in range(12))),
        **hostile_replies(overheard.told),
    }
