"""What goes wrong with endpoints: what is retried, what is stepped down, what the user is told."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.endpoint import EndpointModel
from nlp_agent.llm.failure import retry_after, scrub
from nlp_agent.llm.loopback import Behaviour, HttpReply, Loopback, failing, json_reply, saying
from nlp_agent.llm.model import Message, Question
from nlp_agent.llm.request import EndpointConfig

TALK = Question((Message("user", "speak"),), "TALK")
VOTE = Question((Message("user", "vote"),), "VOTE", choices=("Mina", "Ken"))
KEY = "sk-sentinel-0123456789"
Scene = Callable[[EndpointModel, Loopback, list[float]], Awaitable[None]]


def play(behaviour: Behaviour, scene: Scene, **settings: Any) -> None:
    """Run ``scene``; the third argument collects the pauses of the retry layer, which take no time here."""

    async def run() -> None:
        async with Loopback(behaviour) as endpoint:
            pauses: list[float] = []

            async def sleep(seconds: float) -> None:
                pauses.append(seconds)

            known: dict[str, Any] = {"base_url": endpoint.base_url, "model": "m", "api_key": KEY}
            config = EndpointConfig(**(known | {"headless_thinking": False} | settings))
            model = EndpointModel(config, sleep=sleep, jitter=lambda: 1.0)
            await scene(model, endpoint, pauses)
            await model.aclose()

    asyncio.run(run())


def in_turn(*replies: HttpReply | None) -> Behaviour:
    """These replies in order, then (and for None) a good answer."""
    waiting = list(replies)

    def behave(request: dict[str, Any]) -> HttpReply:
        reply = waiting.pop(0) if waiting else None
        text = '{"target": "Ken"}' if request.get("response_format") else "Hello."
        return reply or saying(request, text)

    return behave


async def fails(model: EndpointModel, ask: Question = TALK, seconds: float = 60) -> LlmError:
    with pytest.raises(LlmError) as caught:
        await model.ask(ask, Deadline.after(seconds))
    return caught.value


def everything_shown(error: BaseException) -> str:
    """All text that any log of this error could hold, its hidden chain included."""
    shown = ["".join(traceback.format_exception(error))]
    todo: list[BaseException | None] = [error]
    while todo:
        link = todo.pop()
        if link is not None:
            shown.append(f"{link!r} {link} {vars(link)}")
            todo += [link.__cause__, link.__context__]
    return "\n".join(shown)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_passing_faults_are_tried_again(status: int) -> None:
    """After a short pause the same question is answered; the journal is told, the failed call counts."""

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        answer = await model.ask(TALK, Deadline.after(60))
        assert answer.text == "Hello."
        assert pauses == [0.5]
        assert any("retry" in note for note in answer.notes)
        assert answer.usage.calls == 2

    play(in_turn(failing(status, "busy")), scene)


@pytest.mark.parametrize(("status", "kind"), [(429, "rate"), (500, "server"), (503, "server")])
def test_tries_are_counted(status: int, kind: str) -> None:
    """An endpoint that stays broken is given up after the configured attempts, with growing pauses."""

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        error = await fails(model)
        assert (error.kind, error.status) == (kind, status)
        assert len(endpoint.chats) == 3
        assert pauses == [0.5, 1.0]
        assert model.usage.calls == 3

    play(lambda _: failing(status, "busy"), scene)


def test_retry_after_is_honoured_inside_the_deadline_only() -> None:
    """Five seconds are waited when there are sixty; with three left, or asked for two minutes, it is given
    up.
    """

    def behave(request: dict[str, Any]) -> HttpReply:
        text = request["messages"][0]["content"]
        return failing(429, "slow down", headers={"retry-after": text})

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        five, long = (replace(TALK, messages=(Message("user", text),)) for text in ("5", "120"))
        assert (await fails(model, five)).retry_after == 5
        assert pauses == [5, 5]
        pauses.clear()
        await fails(model, five, seconds=3)
        assert (await fails(model, long)).retry_after == 120
        assert pauses == []

    play(behave, scene)


@pytest.mark.parametrize(
    ("status", "message", "kind", "advice"),
    [
        (401, f"Incorrect API key provided: {KEY}", "auth", "OPENAI_API_KEY"),
        (403, f"forbidden for {KEY}", "auth", "OPENAI_API_KEY"),
        (400, "API key not valid. Please pass a valid API key.", "auth", "OPENAI_API_KEY"),
        (404, "The model `m` does not exist", "model", "llm.model"),
        (400, "m is not a valid model ID: model not found", "model", "llm.model"),
        (400, "This model's maximum context length is 8192 tokens", "request", "context window"),
        (400, "The response was filtered: content_filter", "refused", "refuses"),
        (429, "You exceeded your current quota, check your billing", "auth", "credit"),
    ],
)
def test_lasting_faults_are_told_and_not_tried_again(status: int, message: str, kind: str, advice: str) -> None:
    """One request, one error that says what to do, and the key nowhere in it."""

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        error = await fails(model)
        assert (error.kind, error.status) == (kind, status)
        assert advice in str(error)
        assert "\n" not in str(error)
        assert len(endpoint.chats) == 1
        assert KEY not in everything_shown(error)

    play(lambda _: failing(status, message), scene)


def test_the_key_is_in_no_error_whatever_fails() -> None:
    """Errors that repeat the key, in any status and shape, are scrubbed along the whole chain."""
    shapes = [
        failing(500, f"cannot use {KEY}"),
        HttpReply(502, {"content-type": "text/html"}, (f"<html>{KEY}</html>".encode(),)),
        json_reply({"detail": f"Authorization: Bearer {KEY}"}, status=422),
        failing(400, f"bad request from {KEY[:10]}***{KEY[-4:]}"),
        HttpReply(200, {"content-type": "application/json"}, (f"not json {KEY}".encode(),)),
        HttpReply(200, {"content-type": "text/event-stream"}, (f"data: {{{KEY}\n\n".encode(),)),
        json_reply({"error": {"message": KEY}}),
    ]

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        for shape in shapes:
            endpoint.behaviour = lambda _, shape=shape: shape  # type: ignore[misc]
            for ask in (TALK, VOTE):
                shown = everything_shown(await fails(model, ask))
                assert KEY not in shown
                assert KEY[:10] not in shown

    play(in_turn(), scene, attempts=1)


def test_key_that_cannot_be_sent_is_hidden() -> None:
    """A key with a line break or letters that no header can hold fails without being quoted."""

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        for key in (f"{KEY}\nx", f"{KEY}秘密"):
            other = EndpointModel(replace(model.config, api_key=key))
            assert KEY not in everything_shown(await fails(other))
            await other.aclose()

    play(in_turn(), scene, attempts=1)


def test_a_password_in_the_address_is_not_shown() -> None:
    """The error names the endpoint's address without what somebody wrote into it."""

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        host = endpoint.base_url.removeprefix("http://")
        other = EndpointModel(replace(model.config, base_url=f"http://me:pass-word@{host}"))
        shown = everything_shown(await fails(other))
        assert "pass-word" not in shown
        assert host in shown
        await other.aclose()

    play(lambda _: failing(400, "no"), scene)


def test_openai_environment_is_not_sent_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What OpenAI users have in their environment is not told to other endpoints.

    Organisation, project and keys in the environment stay at home; a proxy is not used for this
    machine.
    """
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "sentinel-of-environment")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        await model.ask(TALK, Deadline.after(60))
        assert "sentinel" not in str(endpoint.requests[0].headers)

    play(in_turn(), scene, api_key="")


def test_nobody_listening_is_told_with_the_address() -> None:
    """Connection refused: retried, then an error of kind unreachable that names base_url."""

    async def run() -> None:
        async with Loopback() as endpoint:
            address = endpoint.base_url
        pauses: list[float] = []

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)

        model = EndpointModel(EndpointConfig(base_url=address, model="m"), sleep=sleep)
        error = await fails(model)
        assert error.kind == "unreachable"
        assert address in str(error)
        assert len(pauses) == 2
        await model.aclose()

    asyncio.run(run())


def refusing(*features: str) -> Behaviour:
    """An endpoint that knows none of ``features`` and names the first it meets."""

    def behave(request: dict[str, Any]) -> HttpReply:
        sent = json.dumps(request.get("response_format", {})) + " " + " ".join(request)
        for feature in features:
            if feature in sent:
                return failing(400, f"Unsupported parameter: {feature!r}", param=feature)
        return saying(request, '{"target": "Ken"}' if request.get("response_format") else "Ken")

    return behave


@pytest.mark.parametrize(
    ("features", "calls"), [(("json_schema",), 2), (("response_format",), 3), (("seed", "temperature"), 3)]
)
def test_a_step_down_is_made_once_and_remembered(features: tuple[str, ...], calls: int) -> None:
    """The first question pays for the refusals, the second is asked in the understood form at once."""

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        answer = await model.ask(VOTE, Deadline.after(60))
        assert answer.text == "Ken"
        assert len(endpoint.chats) == calls
        assert sum("stepped down" in note for note in answer.notes) == calls - 1
        again = await model.ask(VOTE, Deadline.after(60))
        assert again.text == "Ken"
        assert again.notes == ()
        assert len(endpoint.chats) == calls + 1
        assert pauses == []

    play(refusing(*features), scene, seed=1, temperature=0.5)


@pytest.mark.parametrize("wrong", ["max_tokens", "max_completion_tokens"])
def test_the_other_token_field_is_used(wrong: str) -> None:
    """Whichever of the two names an endpoint knows, the cap arrives."""
    right = "max_completion_tokens" if wrong == "max_tokens" else "max_tokens"

    def behave(request: dict[str, Any]) -> HttpReply:
        if wrong in request:
            return failing(400, f"Unsupported parameter: '{wrong}'. Use '{right}' instead.", param=wrong)
        return saying(request, "Hello.")

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        for _ in range(2):
            assert (await model.ask(TALK, Deadline.after(60))).text == "Hello."
        assert [right in chat for chat in endpoint.chats] == [False, True, True]

    play(behave, scene, token_field=wrong)


def test_hopeless_refusal_changes_nothing_for_later() -> None:
    """A refusal that nothing helps against changes nothing for later.

    One odd prompt is refused in every form; the next question is asked in the best form again.
    """

    def behave(request: dict[str, Any]) -> HttpReply:
        if request["messages"][0]["content"].startswith("odd"):
            return failing(400, "Bad Request")
        return saying(request, '{"target": "Ken"}')

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        odd = replace(VOTE, messages=(Message("user", "odd"),))
        assert (await fails(model, odd)).kind == "request"
        assert (await model.ask(VOTE, Deadline.after(60))).notes == ()
        assert endpoint.chats[-1]["response_format"]["type"] == "json_schema"

    play(behave, scene, seed=1)


@pytest.mark.parametrize(
    "body",
    [
        {"choices": []},
        {},
        {"choices": [{"message": {"content": None}, "finish_reason": "stop"}]},
        {"choices": 5},
    ],
)
def test_an_empty_answer_is_asked_again(body: dict[str, Any]) -> None:
    """No text in a good reply: once more; if it stays so, an error of kind empty."""

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        assert (await model.ask(TALK, Deadline.after(60))).text == "Hello."
        endpoint.behaviour = lambda _: json_reply(body)
        assert (await fails(model)).kind == "empty"

    play(in_turn(json_reply(body)), scene, stream=False)


@pytest.mark.parametrize("stream", [True, False])
def test_a_refusal_of_the_model_is_no_answer(stream: bool) -> None:
    """A refusal is told as such and not tried again."""

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        assert (await fails(model)).kind == "refused"
        assert len(endpoint.chats) == 1

    play(lambda request: saying(request, "", refusal="I cannot help with that."), scene, stream=stream)


def test_broken_stream_is_retried_and_text_kept() -> None:
    """Cut in the middle: a later whole answer wins; if all break, the longest text comes back incomplete."""

    def broken(request: dict[str, Any], text: str) -> HttpReply:
        reply = saying(request, text)
        return replace(reply, parts=reply.parts[:2], cut=True)

    texts = iter(["Good.", "Good morning.", "Go"])

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        answer = await model.ask(TALK, Deadline.after(60))
        assert answer.text == "Good morning."
        assert not answer.complete
        assert answer.usage.calls == 3
        endpoint.behaviour = lambda request: (
            broken(request, "Good.") if len(endpoint.chats) == 4 else saying(request, "Hello.")
        )
        answer = await model.ask(TALK, Deadline.after(60))
        assert answer.text == "Hello."
        assert answer.complete

    play(lambda request: broken(request, next(texts)), scene)


def test_an_endless_answer_is_cut_off() -> None:
    """Two megabytes of talk are not read to the end, and not called complete."""

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        answer = await model.ask(TALK, Deadline.after(60))
        assert len(answer.text) < 400_000
        assert not answer.complete

    play(lambda request: saying(request, ["word " * 10_000] * 40), scene)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nothing_is_sent_on_to_another_host(status: int) -> None:
    """Neither headers, which may hold a key, nor the prompt; the user is told where the endpoint wanted them to go."""

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        async with Loopback() as other:
            target = f"{other.base_url}/chat/completions"
            endpoint.behaviour = lambda _: HttpReply(status, {"location": target})
            error = await fails(model)
            assert other.base_url.removesuffix("/v1") in str(error)
            assert "llm.base_url" in str(error)
            assert (other.requests, pauses) == ([], [])
            assert "header-secret" not in everything_shown(error)

    play(in_turn(), scene, extra_headers={"X-Key": "header-secret"})


def test_a_redirect_on_the_same_host_is_followed() -> None:
    """With all headers: it is the same endpoint."""
    moved = HttpReply(307, {"location": "/v1/chat/completions?again"})

    async def scene(model: EndpointModel, endpoint: Loopback, pauses: list[float]) -> None:
        assert (await model.ask(TALK, Deadline.after(60))).text == "Hello."
        assert [each.headers["x-key"] for each in endpoint.requests] == ["header-secret"] * 2

    play(in_turn(moved), scene, extra_headers={"X-Key": "header-secret"})


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "5"}, 5.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds, a date (here long past), nonsense, nothing."""
    assert retry_after(headers) == seconds


def test_scrubbing_keeps_the_words_and_loses_the_secrets() -> None:
    """The key, header values and anything that looks like a key go; the text stays one short line."""
    config = EndpointConfig(api_key="plain-secret", extra_headers={"X": "header-secret"})
    text = scrub("no plain-secret\nno header-secret Bearer abc.def sk-proj-12345678 " + "x" * 999, config)
    assert text.startswith("no *** no *** *** *** x")
    assert len(text) == 240
