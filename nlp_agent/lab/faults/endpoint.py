"""Endpoints that go wrong: each kind is a function from a chat request to the reply it gets, if any is ill."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from nlp_agent.lab.faults.hostile import hostile_illnesses
from nlp_agent.lab.faults.patient import Illness
from nlp_agent.lab.replies import Behaviour, Reply, Wait, failing, json_reply, prompt_text, saying, wanted_names

Chat = dict[str, Any]

_SENTENCE = "I would like to hear one reason from each of you before we vote."
_JSON = {"content-type": "application/json"}
_STREAM = {"content-type": "text/event-stream"}
_MEGABYTES = 2 * 1024 * 1024


async def _for_ever() -> None:
    await asyncio.Event().wait()


async def _a_second() -> None:
    await asyncio.sleep(1.0)


def _name(chat: Chat, otherwise: str = "Nobody") -> str:
    return next(iter(wanted_names(chat)), otherwise)


def _targets(answer: Callable[[str], str]) -> Behaviour:
    """Names with ``answer`` around them where a name is asked for, a sentence elsewhere."""
    return lambda chat: saying(chat, answer(_name(chat)) if wanted_names(chat) else _SENTENCE)


def _always(text: str) -> Behaviour:
    return lambda chat: saying(chat, text)


def _status(status: int, message: str, **more: Any) -> Behaviour:
    return lambda _: failing(status, message, **more)


def _refusing(field: str, message: str) -> Illness:
    """HTTP 400 to every request that has ``field``."""
    return lambda chat: failing(400, message, param=field) if field in chat else None


# --- time ------------------------------------------------------------------------------------------------------


def hang_before_headers(_: Chat) -> Reply:
    return Reply(before=(_for_ever,))


def hang_after_headers(_: Chat) -> Reply:
    return Reply(200, _STREAM, (_for_ever,), chunked=True)


def hang_in_mid_stream(chat: Chat) -> Reply:
    return saying(chat, ["I would like to ", _for_ever, "hear more."])


def hang_after_sentence(chat: Chat) -> Reply:
    """Only the end of the stream is missing."""
    return saying(chat, [_SENTENCE, " And th", _for_ever, "en."])


def drip(chat: Chat) -> Reply:
    """One byte a second."""
    whole = b"".join(part for part in saying(chat, _SENTENCE).parts if isinstance(part, bytes))
    parts: list[bytes | Wait] = []
    for byte in whole:
        parts += [bytes([byte]), _a_second]
    return Reply(200, _STREAM if chat.get("stream") else _JSON, tuple(parts), chunked=True)


# --- broken connections and bodies -----------------------------------------------------------------------------


def cut_at_once(_: Chat) -> Reply:
    return Reply(200, _JSON, (b"",), chunked=True, cut=True)


def cut_in_mid_stream(chat: Chat) -> Reply:
    reply = saying(chat, ["I would like ", "to hear"])
    return replace(reply, parts=reply.parts[:2], chunked=True, cut=True)


def cut_in_mid_event(chat: Chat) -> Reply:
    reply = saying(chat, _SENTENCE)
    first = next(part for part in reply.parts if isinstance(part, bytes))
    return replace(reply, parts=(first[: len(first) // 2],), chunked=True, cut=True)


def invalid_utf8(chat: Chat) -> Reply:
    reply = saying(chat, "I say §§ to you all.")
    parts = tuple(p.replace("§".encode(), b"\xff\xfe") if isinstance(p, bytes) else p for p in reply.parts)
    raw = tuple(p.replace(b"\\u00a7", b"\xff") if isinstance(p, bytes) else p for p in parts)
    return replace(reply, parts=raw)


def not_json(_: Chat) -> Reply:
    return Reply(200, _JSON, (b"<html><body>It works!</body></html>",))


def empty_body(_: Chat) -> Reply:
    return Reply(200, _JSON, ())


def json_array(_: Chat) -> Reply:
    return json_reply([1, 2, 3])


def error_in_stream(chat: Chat) -> Reply:
    """HTTP 200, then an error where the answer should be."""
    event = {"error": {"message": "the engine is overloaded", "code": 503}}
    if not chat.get("stream"):
        return json_reply(event)
    return Reply(200, _STREAM, (f"data: {json.dumps(event)}\n\n".encode(),), chunked=True)


def bad_gateway(_: Chat) -> Reply:
    return Reply(502, {"content-type": "text/html"}, (b"<html><h1>502 Bad Gateway</h1></html>",))


# --- answers without an answer ---------------------------------------------------------------------------------


def _body(chat: Chat, choices: list[dict[str, Any]]) -> Reply:
    """A completion with exactly these choices, streamed when the request wants that."""
    kind = "chat.completion.chunk" if chat.get("stream") else "chat.completion"
    whole = {"id": "x", "object": kind, "created": 0, "model": "m", "choices": choices}
    if not chat.get("stream"):
        return json_reply(whole)
    return Reply(200, _STREAM, (f"data: {json.dumps(whole)}\n\n".encode(), b"data: [DONE]\n\n"), chunked=True)


def _message(chat: Chat, message: Mapping[str, Any], finish: str = "stop") -> Reply:
    key = "delta" if chat.get("stream") else "message"
    return _body(chat, [{"index": 0, key: {"role": "assistant", **message}, "finish_reason": finish}])


def empty_choices(chat: Chat) -> Reply:
    return _body(chat, [])


def empty_at_length(chat: Chat) -> Reply:
    return _message(chat, {"content": ""}, "length")


def null_content(chat: Chat) -> Reply:
    return _message(chat, {"content": None})


def refusal(chat: Chat) -> Reply:
    return _message(chat, {"content": None, "refusal": "I cannot help with a game about deception."})


def filtered(chat: Chat) -> Reply:
    return _message(chat, {"content": ""}, "content_filter")


def tool_call(chat: Chat) -> Reply:
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "vote", "arguments": "{}"}}
    return _message(chat, {"content": None, "tool_calls": [call]}, "tool_calls")


def only_thought(chat: Chat) -> Reply:
    return saying(chat, "<think>Who could be the wolf? I had better say nothing of it.</think>")


def unclosed_thought(chat: Chat) -> Reply:
    return saying(chat, "<think>Who could be the wolf? I am a villager and", finish="length")


def closing_tag_only(chat: Chat) -> Reply:
    return saying(chat, ["My secret thoughts come first.", "</think>", _name(chat, _SENTENCE)])


def thought_field_only(chat: Chat) -> Reply:
    return saying(chat, "", finish="length", reasoning_content="First I must weigh all that was said")


# --- too much, or not what was asked for -----------------------------------------------------------------------


def two_megabytes(chat: Chat) -> Reply:
    return saying(chat, ["We must find the wolf today. " * 1000] * (_MEGABYTES // 29_000))


def two_megabytes_of_one_word(chat: Chat) -> Reply:
    return saying(chat, ["wolf" * 10_000] * (_MEGABYTES // 40_000))


def other_language(chat: Chat) -> Reply:
    japanese = any("぀" <= letter <= "ヿ" for letter in prompt_text(chat))
    return saying(chat, "Je pense que nous devrions voter ensemble." if japanese else "今日は誰に投票しますか。")


def json_as_text(chat: Chat) -> Reply:
    talk = {"thought": "I must hide.", "talk": _SENTENCE, "target": _name(chat)}
    return saying(chat, f"```json\n{json.dumps(talk)}\n```")


def _naming(name: Callable[[], str]) -> Behaviour:
    """A name that nobody may choose, as the target or in a talk."""
    return lambda chat: saying(
        chat, json.dumps({"target": name()}) if wanted_names(chat) else f"@{name()} is the wolf, vote {name()}!"
    )


def two_names(chat: Chat) -> Reply:
    names = wanted_names(chat)
    return saying(chat, f"{names[0]} or {names[-1]}" if names else f"@Ann @Bob {_SENTENCE}")


def dozen_lines(chat: Chat) -> Reply:
    return saying(chat, "\n".join(f"Line {n}: we, should; talk." for n in range(12)))


@dataclass
class Scene:
    """What an endpoint could know of the table it serves: who is asked, and who is dead; ``told``: what it recited."""

    me: str = ""
    dead: str = "Methuselah"
    told: list[str] = field(default_factory=list)


def illnesses(scene: Scene) -> dict[str, Illness]:
    """All kinds by name."""
    schema = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
    tokens = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'."
    quota = {"message": "Rate limit reached"}
    return {
        "hang-before-headers": hang_before_headers,
        "hang-after-headers": hang_after_headers,
        "hang-mid-stream": hang_in_mid_stream,
        "hang-after-sentence": hang_after_sentence,
        "drip": drip,
        "cut-at-once": cut_at_once,
        "cut-mid-stream": cut_in_mid_stream,
        "cut-mid-event": cut_in_mid_event,
        "400-schema": _refusing("response_format", schema),
        "400-max-tokens": _refusing("max_tokens", tokens),
        "400-seed": _refusing("seed", "Unsupported parameter: 'seed'."),
        "400-everything": _status(400, "Bad request."),
        "401": _status(401, "Incorrect API key provided.", code="invalid_api_key"),
        "404": _status(404, "The model does not exist.", code="model_not_found"),
        "408": _status(408, "Request timeout."),
        "429": _status(429, quota["message"]),
        "429-wait-5": _status(429, quota["message"], headers={"retry-after": "5"}),
        "429-wait-120": _status(429, quota["message"], headers={"retry-after": "120"}),
        "500": _status(500, "Internal error."),
        "502-html": bad_gateway,
        "503": _status(503, "The model is loading."),
        "empty-choices": empty_choices,
        "empty-at-length": empty_at_length,
        "null-content": null_content,
        "refusal": refusal,
        "content-filter": filtered,
        "tool-call": tool_call,
        "invalid-utf8": invalid_utf8,
        "not-json": not_json,
        "empty-body": empty_body,
        "json-array": json_array,
        "error-in-stream": error_in_stream,
        "two-megabytes": two_megabytes,
        "two-megabytes-one-word": two_megabytes_of_one_word,
        "only-think": only_thought,
        "unclosed-think": unclosed_thought,
        "closing-think-only": closing_tag_only,
        "reasoning-only": thought_field_only,
        "other-language": other_language,
        "json-as-text": json_as_text,
        "decorated-name": _targets(lambda name: f"**@{name}さん**, without any doubt!"),
        "dead-name": _naming(lambda: scene.dead),
        "own-name": _naming(lambda: scene.me),
        "two-names": two_names,
        "over-glued": _always("I trust nobody here yet.Over"),
        "skip-word": _always("Skip"),
        "emoji-commas": _always("Well, 😀😀 I, for one, am ✨innocent✨, as always, 🙏"),
        "white-space": _always(" \n\t \u200b \u3000 "),
        "dozen-lines": dozen_lines,
        **hostile_illnesses(scene.told),
    }
