"""The endpoint model against a real HTTP endpoint on loopback: what is said, when it stops, what it costs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.endpoint import EndpointConfig, EndpointModel
from nlp_agent.llm.loopback import Behaviour, HttpReply, Loopback, json_reply, saying, wanted_names
from nlp_agent.llm.model import Message, Prices, Question, Usage

TALK = Question((Message("system", "rules"), Message("user", "speak")), "TALK")
VOTE = Question((Message("user", "vote"),), "VOTE", choices=("Mina", "Ken"))
SECOND_SENTENCE = replace(TALK, enough=lambda text: text.count(".") >= 2)


def far() -> Deadline:
    return Deadline.after(60)


def play(
    behaviour: Behaviour,
    scene: Callable[[EndpointModel, Loopback], Awaitable[None]],
    **settings: Any,
) -> None:
    """Run ``scene`` with a model against an endpoint that behaves so; afterwards no task may be left."""

    async def run() -> None:
        async with Loopback(behaviour) as endpoint:
            known: dict[str, Any] = {"model": "m", "api_key": "sk-sentinel-1234", "headless_thinking": False}
            config = EndpointConfig(base_url=endpoint.base_url, **(known | settings))

            async def no_wait(_: float) -> None:
                await asyncio.sleep(0)

            model = EndpointModel(config, sleep=no_wait, jitter=lambda: 0.0)
            try:
                await scene(model, endpoint)
            finally:
                await model.aclose()
                await model.aclose()

    asyncio.run(run())


def test_a_talk_is_streamed_and_its_usage_counted() -> None:
    """The pieces become one text; tokens and cached tokens are the endpoint's own."""

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        answer = await model.ask(TALK, far())
        assert answer.text == "Good morning. I am Ken."
        assert answer.complete
        assert answer.endpoint == "llm"
        assert answer.usage.calls == 1
        assert answer.usage.completion_tokens > 0
        assert answer.usage.cached_tokens == 7
        assert model.usage == answer.usage
        assert answer.notes == ()
        assert endpoint.chats[0]["stream"] is True
        assert endpoint.chats[0]["max_tokens"] == 1024

    play(lambda request: saying(request, ["Good mor", "ning. I ", "am Ken."], cached=7), scene)


def test_tokens_cost_money_by_known_prices_only() -> None:
    """Cached tokens have a price of their own; without prices the cost is unknown, and so is every sum with it."""
    prices = Prices(input=2.0, cached=0.5, output=8.0)
    assert prices.of(Usage(1, 1000, 100, 400)) == pytest.approx((600 * 2.0 + 400 * 0.5 + 100 * 8.0) / 1e6)

    async def priced(model: EndpointModel, _: Loopback) -> None:
        usage = (await model.ask(TALK, far())).usage
        assert usage.money == pytest.approx(prices.of(usage))
        assert (usage + Usage(money=None)).money is None

    async def unknown(model: EndpointModel, _: Loopback) -> None:
        assert (await model.ask(TALK, far())).usage.money is None

    play(lambda request: saying(request, ["I am Ken."], cached=7), priced, prices=prices)
    play(lambda request: saying(request, ["I am Ken."]), unknown)


def test_stream_is_left_once_a_talk_is_complete() -> None:
    """The endpoint would never end; it is hung up on after the second sentence, and the tokens are
    estimated.
    """
    never = asyncio.Event()

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        await model.warm()
        before = asyncio.all_tasks()
        answer = await model.ask(SECOND_SENTENCE, far())
        assert answer.text == "One. Two."
        assert answer.complete
        await asyncio.gather(*endpoint._tasks)
        assert asyncio.all_tasks() <= before
        assert answer.usage.completion_tokens > 0
        assert "tokens estimated" in answer.notes
        await endpoint.requests[0].gone.wait()
        assert (await model.ask(SECOND_SENTENCE, far())).text == "One. Two."

    play(lambda request: saying(request, ["One. ", "Two.", never.wait, "Three."]), scene)


def test_thoughts_are_neither_shown_nor_enough() -> None:
    """Full stops inside a thought end nothing, in the text and in the reasoning field; the raw answer keeps
    it.
    """

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        answer = await model.ask(SECOND_SENTENCE, far())
        assert answer.text == "One. Two."
        assert "Hm" in answer.raw

    pieces = ["<thi", "nk>Hm. Hm. Hm.", "</think>", "One. ", "Two."]
    play(lambda request: saying(request, pieces, reasoning_content="A. B. C."), scene)


def test_thinking_is_detected_before_streams_are_left() -> None:
    """How an endpoint thinks is found out before a stream is left early.

    A model that starts in mid-thought: its first answer is read to the end, and no thought is ever
    shown.
    """

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        for _ in range(2):
            assert (await model.ask(SECOND_SENTENCE, far())).text == "One. Two."

    pieces = ["I am the wolf. ", "I must hide it.", "</think>", "One. ", "Two."]
    play(lambda request: saying(request, pieces), scene, headless_thinking=None)


def test_endpoint_without_thoughts_is_left_early_later() -> None:
    """An endpoint known not to think is left early from the second answer on.

    Once an answer was whole and without thoughts, later ones need not be read to their end.
    """

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        assert (await model.ask(SECOND_SENTENCE, far())).text == "One. Two. Three."
        assert (await model.ask(SECOND_SENTENCE, far())).text == "One. Two."

    play(lambda request: saying(request, ["One. ", "Two. ", "Three."]), scene, headless_thinking=None)


def test_the_deadline_brings_what_is_there() -> None:
    """A stream that stalls gives the text so far, marked incomplete, and the connection is closed."""
    never = asyncio.Event()

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        await model.warm()
        answer = await model.ask(TALK, Deadline.after(0.3))
        assert answer.text == "Good morning."
        assert not answer.complete
        await endpoint.requests[0].gone.wait()

    play(lambda request: saying(request, ["Good morning.", never.wait]), scene)


@pytest.mark.parametrize("ask", [TALK, VOTE])
@pytest.mark.parametrize("where", ["before headers", "after headers"])
def test_the_deadline_without_text_is_a_timeout(ask: Question, where: str) -> None:
    """Nothing to show in time: an error of kind timeout, not retried, and the connection is closed."""
    never = asyncio.Event()

    def behave(request: dict[str, Any]) -> HttpReply:
        if where == "before headers":
            return HttpReply(before=(never.wait,))
        return HttpReply(headers={"content-type": "text/event-stream"}, parts=(never.wait,), chunked=True)

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        await model.warm()
        with pytest.raises(LlmError) as caught:
            await model.ask(ask, Deadline.after(0.2))
        assert caught.value.kind == "timeout"
        assert len(endpoint.requests) == 1
        await endpoint.requests[0].gone.wait()

    play(behave, scene)


def test_a_deadline_that_has_passed_asks_nobody() -> None:
    """No request is made when there is no time for it."""

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        await model.warm()
        with pytest.raises(LlmError) as caught:
            await model.ask(TALK, Deadline.after(0))
        assert caught.value.kind == "timeout"
        assert endpoint.requests == []

    play(lambda request: saying(request, "x"), scene)


@pytest.mark.parametrize("ask", [TALK, VOTE])
def test_cancelling_leaves_no_task_and_no_connection(ask: Question) -> None:
    """The pending answer is dropped at once; the next question is unaffected."""
    never, heard = asyncio.Event(), asyncio.Event()
    calm = False

    async def reached() -> None:
        heard.set()
        await never.wait()

    def behave(request: dict[str, Any]) -> HttpReply:
        names = wanted_names(request)
        text = json.dumps({"target": names[0]}) if names else "Good morning."
        return saying(request, [text] if calm else [text, reached])

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        nonlocal calm
        await model.warm()
        before = asyncio.all_tasks()
        asking = asyncio.create_task(model.ask(ask, far()))
        await heard.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await endpoint.requests[0].gone.wait()
        await asyncio.gather(*endpoint._tasks)
        assert asyncio.all_tasks() <= before
        calm = True
        assert (await model.ask(ask, far())).text

    play(behave, scene)


def test_target_is_the_bare_name_from_json() -> None:
    """A target is the bare name out of the JSON.

    The schema names the legal targets; the answer is the name alone.
    """

    def behave(request: dict[str, Any]) -> HttpReply:
        assert wanted_names(request) == ["Mina", "Ken"]
        return saying(request, '<think>Ken?</think>\n{"target": "Mina"}')

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        answer = await model.ask(VOTE, far())
        assert answer.text == "Mina"
        assert answer.complete
        assert "stream" not in endpoint.chats[0]

    play(behave, scene)


def test_thirteen_seats_share_one_limit() -> None:
    """Never more requests open than the endpoint's limit, whoever asks; all are answered in the end."""
    gate = asyncio.Event()
    two = asyncio.Event()
    open_now = 0

    async def crowded() -> None:
        nonlocal open_now
        open_now += 1
        if open_now == 2:
            two.set()
        await gate.wait()

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        seats = [asyncio.create_task(model.ask(TALK, far())) for _ in range(13)]
        await two.wait()
        gate.set()
        answers = await asyncio.gather(*seats)
        assert [answer.text for answer in answers] == ["Hello."] * 13
        assert endpoint.most_at_once == 2
        assert model.usage.calls == 13

    play(lambda request: saying(request, [crowded, "Hello."]), scene, concurrency=2)


def test_a_background_request_gives_way() -> None:
    """It is put off where no call is free, and gives up its own call as soon as another question needs it."""
    background = replace(TALK, background=True)
    came = asyncio.Semaphore(0)

    async def hang() -> None:
        came.release()
        await asyncio.Event().wait()

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        reading = asyncio.create_task(model.ask(background, far()))
        await came.acquire()
        talk = asyncio.create_task(model.ask(TALK, far()))
        await asyncio.wait({reading})
        assert reading.cancelled()
        await came.acquire()
        with pytest.raises(LlmError, match="cannot wait"):
            await model.ask(background, far())
        talk.cancel()
        await asyncio.wait({talk})
        assert len(endpoint.requests) == 2

    play(lambda _: HttpReply(before=(hang,)), scene, concurrency=1)


def test_missing_usage_does_not_delay_a_talk() -> None:
    """The end of a talk is not held up by a missing usage.

    The model said it is finished, but the stream stays open: the talk is complete all the same.
    """
    never = asyncio.Event()

    def behave(request: dict[str, Any]) -> HttpReply:
        reply = saying(request, "Hello.", usage=False)
        return replace(reply, parts=(*reply.parts[:-1], never.wait))

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        answer = await model.ask(TALK, far())
        assert answer.text == "Hello."
        assert answer.complete

    play(behave, scene)


def test_text_cut_by_the_cap_is_incomplete() -> None:
    """A text cut by the cap is not complete.

    finish_reason length: the text is given, and said to be cut.
    """

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        answer = await model.ask(TALK, far())
        assert answer.text == "Hello, I"
        assert not answer.complete

    play(lambda request: saying(request, "Hello, I", finish="length"), scene)


def test_model_that_only_thought_gets_more_room() -> None:
    """Empty content with finish_reason length: one more call with a larger cap; later questions start with
    it.
    """

    def behave(request: dict[str, Any]) -> HttpReply:
        roomy = request["max_tokens"] >= 400
        return saying(request, "Hello." if roomy else "", finish="stop" if roomy else "length")

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        answer = await model.ask(TALK, far())
        assert answer.text == "Hello."
        assert answer.usage.calls == 2
        await model.ask(TALK, far())
        assert [chat["max_tokens"] for chat in endpoint.chats] == [100, 400, 400]
        assert [chat["reasoning_effort"] for chat in endpoint.chats] == ["high", "low", "low"]

    play(behave, scene, max_tokens=100, reasoning_effort="high")


def test_endless_thinking_is_an_empty_answer() -> None:
    """A model that thinks without end is an empty answer.

    Twice nothing: the error says which settings help, and it is not asked a third time.
    """

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        with pytest.raises(LlmError, match="max_tokens") as caught:
            await model.ask(TALK, far())
        assert caught.value.kind == "empty"
        assert len(endpoint.chats) == 2

    play(lambda request: saying(request, "", finish="length"), scene)


def test_an_endpoint_that_cannot_stream_is_asked_without() -> None:
    """It answers in one piece though a stream was wanted; this is remembered."""

    def behave(request: dict[str, Any]) -> HttpReply:
        return saying({**request, "stream": False}, "Hello.")

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        for _ in range(2):
            assert (await model.ask(TALK, far())).text == "Hello."
        assert [bool(chat.get("stream")) for chat in endpoint.chats] == [True, False, False]

    play(behave, scene)


def test_extra_body_and_headers_travel_along() -> None:
    """What the user adds for a special endpoint reaches it."""

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        await model.ask(TALK, far())
        assert endpoint.chats[0]["provider"] == {"require_parameters": True}
        assert endpoint.requests[0].headers["x-title"] == "table"
        assert endpoint.requests[0].headers["authorization"] == "Bearer sk-sentinel-1234"

    extra = {"extra_body": {"provider": {"require_parameters": True}}, "extra_headers": {"X-Title": "table"}}
    play(lambda request: saying(request, "Hello."), scene, **extra)


def test_content_in_parts_is_read() -> None:
    """Some endpoints give the content as a list of parts."""

    def behave(request: dict[str, Any]) -> HttpReply:
        content = [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo."}]
        return json_reply({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]})

    async def scene(model: EndpointModel, endpoint: Loopback) -> None:
        assert (await model.ask(TALK, far())).text == "Hello."

    play(behave, scene, stream=False)
