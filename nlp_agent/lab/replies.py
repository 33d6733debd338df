"""What the loopback endpoint can answer: any HTTP reply, and ready-made ones in the OpenAI protocol."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from nlp_agent.llm.reading import estimate_tokens, get

Wait = Callable[[], Awaitable[object]]
"""Something to wait for, such as ``asyncio.Event().wait``; a hang is an event that never happens."""

Behaviour = Callable[[dict[str, Any]], "HttpReply"]
"""From the JSON of a chat request to what the endpoint does."""


JSON = {"content-type": "application/json"}
STREAM = {"content-type": "text/event-stream"}


@dataclass(frozen=True)
class HttpReply:
    """One HTTP reply, right or wrong in any way wanted.

    ``before`` is awaited before the first header. The body is ``parts`` one after the other: bytes are sent,
    waits are awaited. ``chunked`` sends them in chunked transfer encoding; otherwise the length is told
    first. ``cut`` closes the connection where the body should go on.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[bytes | Wait, ...] = ()
    before: tuple[Wait, ...] = ()
    chunked: bool = False
    cut: bool = False


def json_reply(value: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpReply:
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
    wants_usage = get(request, "stream_options", "include_usage")
    parts: list[bytes | Wait] = [_event(request, {"role": "assistant", "content": "", **extra})]
    parts += [_event(request, {"content": p}) if isinstance(p, str) else p for p in pieces]
    parts.append(_event(request, {}, finish))
    if counts and wants_usage:
        parts.append(_sse(_envelope(request, "chat.completion.chunk", [], counts)))
    parts.append(b"data: [DONE]\n\n")
    return HttpReply(200, STREAM, tuple(parts), chunked=True)


def exchanged(reply: HttpReply, old: bytes, new: bytes) -> HttpReply:
    """``reply`` with ``new`` for every ``old`` in its body."""
    parts = (part.replace(old, new) if isinstance(part, bytes) else part for part in reply.parts)
    return replace(reply, parts=tuple(parts))


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
    """All messages of a request as one text."""
    messages = request.get("messages")
    return "\n".join(str(get(message, "content") or "") for message in messages or [])


def own_messages(request: Mapping[str, Any]) -> list[str]:
    """What the model itself has said in the conversation of a request."""
    messages = request.get("messages") or []
    return [str(get(message, "content") or "") for message in messages if get(message, "role") == "assistant"]


def wanted_form(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The properties of the JSON schema that the request brings, none without one."""
    properties = get(request, "response_format", "json_schema", "schema", "properties")
    return properties if isinstance(properties, dict) else {}


def wanted_names(request: Mapping[str, Any]) -> list[str]:
    """The names of which the request's JSON schema wants one, or none; the form of a talk wants words."""
    form = wanted_form(request)
    enums = (get(value, "enum") for value in form.values() if "words" not in form)
    return next(([str(name) for name in names] for names in enums if isinstance(names, list) and names), [])


def intent(form: Mapping[str, Any], rng: random.Random) -> str:
    """For whom a model that is asked in ``form`` would vote: it always says."""
    names: list[str] = get(form.get("vote"), "enum") or []
    return rng.choice([name for name in names if name] or [""])


def filled(form: Mapping[str, Any], **given: object) -> dict[str, object]:
    """An answer in ``form``: what is ``given``, an even share of suspicion, and nothing else declared."""
    empty: dict[str, object] = {"array": [], "object": {}, "string": ""}
    answer = {key: empty.get(str(get(value, "type")), "") for key, value in form.items()}
    if isinstance(players := get(form.get("wolf"), "properties"), dict):
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
        """What each line and each opening says."""
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
    """A sensible model: one of the allowed names when a schema lists them, the notes of a character's sheet where they
    are asked for, else a sentence in the prompt's language that neither it nor, as far as the prompt tells, anybody
    else has said before.

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
        sentence = small_talk(prompt, own_messages(request), rng)
        if form:
            sentence = json.dumps(filled(form, vote=intent(form, rng), words=sentence), ensure_ascii=False)
        step = max(1, len(sentence) // 6)
        return saying(request, [sentence[at : at + step] for at in range(0, len(sentence), step)])

    return behave


def after(seconds: float, behaviour: Behaviour) -> Behaviour:
    """``behaviour``, which thinks for ``seconds`` before its first word."""

    def behave(request: dict[str, Any]) -> HttpReply:
        reply = behaviour(request)
        return replace(reply, before=(lambda: asyncio.sleep(seconds), *reply.before)) if seconds else reply

    return behave
