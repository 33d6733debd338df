"""Failover between real endpoints on loopback: in each test only the moment it is about is near, others are far."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.endpoint import EndpointConfig, EndpointModel
from nlp_agent.llm.failover import Failover, FailoverPolicy
from nlp_agent.llm.loopback import Behaviour, HttpReply, Loopback, Wait, failing, saying
from nlp_agent.llm.model import Answer, Message, Question
from tests.effort import examples
from tests.scripted_model import Delay, ScriptedModel

FAR = 1000.0
SOON = 0.05
NEVER = FailoverPolicy(hedge=FAR, partial=FAR, failures=2, rest=30)


def whole(text: str) -> str:
    return text[: text.rfind(".") + 1]


TALK = Question((Message("user", "speak"),), "TALK", whole=whole)
VOTE = Question((Message("user", "vote"),), "VOTE", choices=("Mina", "Ken"))
Scene = Callable[[Failover, list[Loopback]], Awaitable[None]]


async def forever() -> None:
    await asyncio.Event().wait()


def says(*pieces: str | Wait) -> Behaviour:
    return lambda request: saying(request, list(pieces))


def breaks(status: int = 500, **headers: str) -> Behaviour:
    return lambda _: failing(status, "broken", headers={key.replace("_", "-"): value for key, value in headers.items()})


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """Each question meets the next behaviour; the last one stays."""
    waiting = list(behaviours)

    def behave(request: dict[str, Any]) -> HttpReply:
        return (waiting.pop(0) if len(waiting) > 1 else waiting[0])(request)

    return behave


HANG: Behaviour = lambda _: HttpReply(before=(forever,))  # noqa: E731


def play(scene: Scene, *behaviours: Behaviour, policy: FailoverPolicy = NEVER, **known: Any) -> None:
    """Run ``scene`` with a failover over endpoints a, b, ...; afterwards nothing of any question may be left."""

    async def run() -> None:
        async with AsyncExitStack() as stack:
            endpoints = [await stack.enter_async_context(Loopback(behaviour)) for behaviour in behaviours]
            settings = {"headless_thinking": False, "attempts": 1, **known}
            failover = Failover(
                {
                    name: EndpointModel(EndpointConfig(name, endpoint.base_url, "m", "k", **settings))
                    for name, endpoint in zip("abc", endpoints, strict=False)
                },
                policy,
            )
            await failover.warm()
            before = asyncio.all_tasks()
            await scene(failover, endpoints)
            left = {task: getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks() - before}
            assert not [
                name for name in left.values() if name.startswith(("EndpointModel", "_HedgedQuestion", "Failover"))
            ]
            # What the HTTP library closes behind a cancelled request ends by itself.
            await asyncio.gather(*(task for task, name in left.items() if not name))
            await failover.aclose()
            for endpoint in endpoints:
                await asyncio.gather(*endpoint._tasks)

    asyncio.run(run())


async def asked(failover: Failover, ask: Question = TALK, seconds: float = 60.0) -> Answer:
    return await failover.ask(ask, Deadline.after(seconds))


async def fails(failover: Failover, ask: Question = TALK, seconds: float = 60.0) -> LlmError:
    with pytest.raises(LlmError) as caught:
        await asked(failover, ask, seconds)
    return caught.value


def test_first_endpoint_alone_is_asked_while_answering() -> None:
    """The first endpoint alone is asked while it answers; the others cost nothing."""

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        answer = await asked(failover)
        assert (answer.text, answer.endpoint, answer.notes) == ("Hello.", "a", ())
        assert endpoints[1].requests == []

    play(scene, says("Hello."), says("Never said."))


@pytest.mark.parametrize("ask", [TALK, VOTE])
@pytest.mark.parametrize("first", [breaks(500), breaks(401), breaks(400), says("")])
def test_the_next_endpoint_follows_a_failure(first: Behaviour, ask: Question) -> None:
    """Whatever the first one's trouble is; the journal is told."""

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        answer = await asked(failover, ask)
        assert (answer.text, answer.endpoint) == ("Ken", "b")
        assert any(note.startswith("a: ") for note in answer.notes)

    play(scene, first, says("Ken"))


def test_when_all_fail_the_last_failure_is_told() -> None:
    """So that the journal names a cause."""

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        assert (await fails(failover)).kind == "auth"
        assert [len(endpoint.requests) for endpoint in endpoints] == [1, 1]

    play(scene, breaks(500), breaks(401))


@pytest.mark.parametrize("ask", [TALK, VOTE])
def test_a_second_request_overtakes_one_that_hangs(ask: Question) -> None:
    """The next endpoint's answer wins; the first connection is closed before the answer is handed over."""

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        answer = await asked(failover, ask)
        assert (answer.text, answer.endpoint) == ("Ken", "b")
        assert answer.usage.calls == 2
        await endpoints[0].requests[0].gone.wait()

    play(scene, HANG, says("Ken"), policy=replace(NEVER, hedge=SOON))


def test_a_lonely_endpoint_is_asked_a_second_time() -> None:
    """Some requests get stuck though the endpoint is well."""

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        assert (await asked(failover)).text == "Hello."
        assert len(endpoints[0].requests) == 2
        await endpoints[0].requests[0].gone.wait()

    play(scene, in_turn(HANG, says("Hello.")), policy=replace(NEVER, hedge=SOON))


@pytest.mark.parametrize("second", [HANG, breaks(500), says("")])
def test_the_first_request_may_still_win(second: Behaviour) -> None:
    """Neither a failure nor the silence of the second one ends it."""
    go_on = asyncio.Event()

    def then_go_on(request: dict[str, Any]) -> HttpReply:
        go_on.set()
        return second(request)

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        answer = await asked(failover)
        assert (answer.text, answer.endpoint) == ("Hello. I am Ken.", "a")
        assert len(endpoints[1].requests) == 1

    play(scene, says("Hello. ", go_on.wait, "I am Ken."), then_go_on, policy=replace(NEVER, hedge=SOON))


def test_two_hanging_endpoints_time_out_early_enough() -> None:
    """When both endpoints hang, the ready-made answer goes out in time.

    A timeout comes before whoever asked has given up, and both connections are closed.
    """

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        assert (await fails(failover, seconds=0.3)).kind == "timeout"
        for endpoint in endpoints:
            await endpoint.requests[0].gone.wait()

    play(scene, HANG, HANG, policy=replace(NEVER, hedge=SOON))


def test_silence_after_a_failure_is_a_timeout() -> None:
    """Where one endpoint fails and the next is silent to the end, time has run out: the error says so."""

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        assert (await fails(failover, seconds=0.3)).kind == "timeout"
        await endpoints[1].requests[0].gone.wait()

    play(scene, breaks(), HANG)


def test_best_sentences_are_taken_at_the_deadline() -> None:
    """The best complete sentences of both streams are taken when time runs out.

    Torn sentences are left out; nothing of the losers is left open.
    """

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        answer = await asked(failover)
        assert (answer.text, answer.endpoint, answer.complete) == ("Hello. I trust Ken.", "b", False)
        for endpoint in endpoints:
            await endpoint.requests[0].gone.wait()

    policy = replace(NEVER, hedge=0, partial=0.3)
    play(scene, says("Hi. I tr", forever), says("Hello. I trust Ken. But", forever), policy=policy)


def test_late_question_takes_the_first_complete_sentence() -> None:
    """Late in the time of a question the first complete sentence is taken as soon as it is there.

    Half a sentence is waited for.
    """

    async def a_little() -> None:
        await asyncio.sleep(SOON)

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        assert (await asked(failover)).text == "I trust Ken."

    play(scene, says("I trust", a_little, " Ken. And", forever), policy=replace(NEVER, partial=SOON / 2))


def test_half_a_sentence_is_no_answer() -> None:
    """It may say the opposite of what was meant."""

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        assert (await fails(failover, seconds=0.3)).kind == "timeout"

    play(scene, says("I trust Ken if", forever), policy=replace(NEVER, partial=SOON))


def test_cut_stream_gives_sentences_as_last_resort() -> None:
    """A stream that was cut gives its sentences when no other endpoint can help.

    The next endpoint is asked first.
    """

    def cut(request: dict[str, Any]) -> HttpReply:
        reply = saying(request, "I trust Ken. But")
        return replace(reply, parts=reply.parts[:2], cut=True)

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        answer = await asked(failover)
        assert (answer.text, answer.endpoint, answer.complete) == ("I trust Ken.", "a", False)
        assert len(endpoints[1].requests) == 1

    play(scene, cut, breaks(500))


def test_complete_talk_of_a_stalled_stream_is_taken() -> None:
    """A complete talk is taken though its stream has stalled.

    From the soft moment on; the stream is hung up on.
    """

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        born = Deadline.after(60)
        ask = replace(TALK, enough=lambda text: text.endswith("."), soft=born.capped(SOON))
        answer = await failover.ask(ask, born)
        assert (answer.text, answer.complete) == ("I trust Ken.", True)
        await endpoints[0].requests[0].gone.wait()

    play(scene, says("I trust Ken.", forever), policy=NEVER)


def test_all_moments_scale_with_the_pace() -> None:
    """All moments are scaled for a table in a hurry.

    A thousand seconds are a tenth of one at this pace.
    """

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        assert (await asked(failover, replace(TALK, pace=0.0001))).endpoint == "b"

    play(scene, HANG, says("Hello."))


class Hands:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def deadline(self) -> Deadline:
        return Deadline(self.now + 60, self.now, lambda: self.now)


def test_failing_endpoint_rests_and_comes_back() -> None:
    """An endpoint that keeps failing is left alone for a while.

    Then one question tries it again, and it is back.
    """
    clock = Hands()

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        for asked_so_far in (1, 2, 2, 2):
            assert (await failover.ask(TALK, clock.deadline())).endpoint == "b"
            assert len(endpoints[0].requests) == asked_so_far
        clock.now += 31
        assert (await failover.ask(TALK, clock.deadline())).endpoint == "a"
        assert (await failover.ask(TALK, clock.deadline())).endpoint == "a"

    play(scene, in_turn(breaks(500), breaks(500), says("Back.")), says("Here."))


@pytest.mark.parametrize("count", [1, 2])
def test_failing_endpoints_are_asked_without_better_ones(count: int) -> None:
    """Endpoints that fail are asked all the same where there is no better one.

    A rest only chooses between endpoints: the first answer that can be had is had.
    """

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        for _ in range(5):
            assert (await fails(failover)).kind == "server"
        assert (await asked(failover)).text == "Back."

    play(scene, *(in_turn(*[breaks(500)] * 5, says("Back.")) for _ in range(count)))


def test_endpoint_slow_for_some_talks_keeps_others() -> None:
    """An endpoint that is too slow for some talks is there for all others.

    None of those it can answer in time is lost to a rest after three that it could not.
    """
    clock = Hands()

    async def out_of_time() -> None:
        clock.now += 100

    def answer(ask: Question) -> str | Delay:
        return Delay(out_of_time, "") if ask.messages[0].content == "slow" else "Hello."

    async def main(*talks: str) -> list[str]:
        failover = Failover({"a": ScriptedModel(answer)}, NEVER)
        heard = []
        for words in talks:
            try:
                talk = replace(TALK, messages=(Message("user", words),))
                heard.append((await failover.ask(talk, clock.deadline())).text)
            except LlmError:
                heard.append("")
        return heard

    talks = asyncio.run(main("slow", "slow", "slow", "quick", "quick", "slow", "quick"))
    assert talks == ["", "", "", "Hello.", "Hello.", "", "Hello."]


def test_nobody_waits_when_every_endpoint_refuses() -> None:
    """Where every endpoint has asked to be left alone nobody waits.

    The ready-made answer goes out at once, and nothing is sent to an endpoint that would refuse it.
    """
    clock = Hands()

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        for _ in range(3):
            with pytest.raises(LlmError):
                await failover.ask(TALK, clock.deadline())
        assert len(endpoints[0].requests) == 1
        clock.now += 91
        assert (await failover.ask(TALK, clock.deadline())).text == "Back."

    play(scene, in_turn(breaks(429, retry_after="90"), says("Back.")))


def test_background_request_is_tried_once_without_blame() -> None:
    """A background request is tried once, and its failure counts against no endpoint.

    Neither a second endpoint nor a rest comes of its failure, and it does not try out one that rests.
    """
    background = replace(TALK, background=True)

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        for asked_so_far in (1, 2, 3):
            assert (await fails(failover, background)).kind == "server"
            assert [len(endpoint.requests) for endpoint in endpoints] == [asked_so_far, 0]
        for _ in range(2):
            assert (await asked(failover)).endpoint == "b"
        assert (await asked(failover, background)).endpoint == "b"
        assert len(endpoints[0].requests) == 5

    play(scene, breaks(500), says("Here."))


def test_endpoint_beaten_without_a_word_counts_failed() -> None:
    """An endpoint that loses the race before its first word counts as failed.

    So that not every talk of a game waits for one that hangs.
    """

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        for asked_so_far in (1, 2, 2):
            assert (await asked(failover)).endpoint == "b"
            assert len(endpoints[0].requests) == asked_so_far

    play(scene, HANG, says("Hello."), policy=replace(NEVER, hedge=SOON))


def test_refused_prompt_does_not_rest_the_endpoint() -> None:
    """A prompt that is refused says nothing about the endpoint, which does not rest."""

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        for _ in range(5):
            assert (await fails(failover)).kind == "refused"

    play(scene, lambda request: saying(request, "", finish="content_filter"))


def test_retry_after_beyond_the_deadline_is_kept() -> None:
    """A Retry-After beyond the deadline is not waited for, and is kept to.

    The next endpoint answers; the first is left alone for as long as it asked, and no longer than two minutes.
    """
    clock = Hands()

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        for pause, name in ((0, "b"), (100, "b"), (21, "a")):
            clock.now += pause
            assert (await failover.ask(TALK, clock.deadline())).endpoint == name
        assert len(endpoints[0].requests) == 2

    play(scene, in_turn(breaks(429, retry_after="3600"), says("Back.")), says("Here."), attempts=3)


def test_waiting_endpoint_gets_no_second_request() -> None:
    """An endpoint that has asked for a wait gets no second request.

    The wait lies inside the deadline, so it is kept; asking again meanwhile would only make it longer.
    """

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        assert (await asked(failover)).text == "Thanks."
        assert len(endpoints[0].requests) == 2

    replies = in_turn(breaks(429, retry_after_ms="200"), says("Thanks."))
    play(scene, replies, policy=replace(NEVER, hedge=SOON), attempts=2)


def test_cancelling_a_race_leaves_nothing_open() -> None:
    """Cancelling a race leaves no task and no connection.

    NAME in mid thought, with two requests open; no endpoint is blamed, the next question is unaffected.
    """
    both = asyncio.Event()
    calm = False

    def behave(request: dict[str, Any]) -> HttpReply:
        return saying(request, "Hello.") if calm else HttpReply(before=(forever,))

    def second(request: dict[str, Any]) -> HttpReply:
        both.set()
        return behave(request)

    async def scene(failover: Failover, endpoints: list[Loopback]) -> None:
        nonlocal calm
        for _ in range(3):
            both.clear()
            asking = asyncio.create_task(asked(failover))
            await both.wait()
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
        for endpoint in endpoints:
            await asyncio.gather(*endpoint._tasks)
        calm = True
        assert (await asked(failover)).endpoint == "a"

    play(scene, behave, second, policy=replace(NEVER, hedge=SOON))


def test_an_answered_question_is_forgotten_at_once() -> None:
    """Questions hold whole prompts: those of ten games must not pile up until the next full garbage collection."""

    async def scene(failover: Failover, _: list[Loopback]) -> None:
        def ends(text: str) -> str:
            return text

        held = weakref.ref(ends)
        gc.disable()
        try:
            assert (await asked(failover, replace(TALK, whole=ends))).text == "I am Ken."
            del ends
            assert held() is None
        finally:
            gc.enable()

    play(scene, says("I am ", "Ken."))


def test_internal_error_does_not_end_other_request() -> None:
    """An internal error in one request does not end the other.

    Alone it is passed on as it is.
    """

    async def run() -> None:
        broken, good = ScriptedModel([ValueError("ours")] * 2), ScriptedModel(["Hello."])
        failover = Failover({"a": broken, "b": good}, NEVER)
        assert (await asked(failover)).text == "Hello."
        with pytest.raises(ValueError, match="ours"):
            await asked(Failover({"a": broken}, NEVER))

    asyncio.run(run())


REACTIONS = st.sampled_from(["Hello.", "", "Ken", LlmError("no", kind="server"), ValueError("ours"), "hang", "yield"])


@examples(40)
@given(
    st.lists(st.lists(REACTIONS, max_size=3), min_size=1, max_size=3),
    st.sampled_from([0.0, 0.001, FAR]),
    st.sampled_from([None, 0, 2, 5]),
    st.sampled_from([TALK, VOTE]),
)
def test_every_race_has_exactly_one_end(
    scripts: list[list[Any]], hedge: float, cancel_after: int | None, ask: Question
) -> None:
    """Whatever happens there is one end, and nothing is left.

    One answer with a text, or one error, or the cancelling; no request outlives it.
    """
    open_now = 0

    async def hang() -> None:
        nonlocal open_now
        open_now += 1
        try:
            await forever()
        finally:
            open_now -= 1

    def reaction(kind: Any) -> Any:
        if kind in ("hang", "yield"):
            return Delay(hang if kind == "hang" else lambda: asyncio.sleep(0), "Late.")
        return kind

    async def run() -> None:
        models = {str(n): ScriptedModel([reaction(kind) for kind in script]) for n, script in enumerate(scripts)}
        failover = Failover(models, replace(NEVER, hedge=hedge))
        asking = asyncio.create_task(asked(failover, ask, 0.02))
        if cancel_after is not None:
            for _ in range(cancel_after):
                await asyncio.sleep(0)
            asking.cancel()
        (end,) = await asyncio.gather(asking, return_exceptions=True)
        assert isinstance(end, (Answer, LlmError, ValueError, asyncio.CancelledError))
        assert not isinstance(end, Answer) or end.text
        assert open_now == 0
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())
