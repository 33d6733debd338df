"""Endpoints and code that mean harm: what an attacker would send, beyond what merely breaks."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import Any

from nlp_agent.lab.faults.attacks import HOSTILE
from nlp_agent.lab.faults.faulty_endpoint import WrongReply
from nlp_agent.lab.replies import (
    JSON,
    STREAM,
    HttpReply,
    exchanged,
    failing,
    filled,
    json_reply,
    saying,
    talkative,
    wanted_form,
)
from nlp_agent.llm.reading import get
from nlp_agent.planning.context import TalkContext
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.scene import Scene
from nlp_agent.planning.strategy import Standard
from nlp_agent.protocol import Request

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
    prompt = str(get(chat["messages"][0], "content") or "")[:_HEAD]
    told.append(prompt)
    return _worded(chat, prompt)


def _saying_all(texts: tuple[str, ...]) -> WrongReply:
    turns = cycle(texts)
    return lambda chat: _worded(chat, next(turns))


def _worded(chat: Chat, text: str) -> HttpReply:
    """``text`` as the words of a talk, in the form that the request wants."""
    form = wanted_form(chat)
    return saying(chat, json.dumps(filled(form, words=text), ensure_ascii=False) if "words" in form else text)


class Endless(Standard):
    """A strategy that never comes back from every third question; ``struck`` counts them in all seats."""

    struck = 0

    def __init__(self) -> None:
        self._asked = 0

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        self._hold()
        return super().plan_talk(context)

    def choose(self, scene: Scene, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        self._hold()
        return super().choose(scene, request, legal)

    def _hold(self) -> None:
        self._asked += 1
        if self._asked % 3:
            return
        type(self).struck += 1
        while True:
            pass
