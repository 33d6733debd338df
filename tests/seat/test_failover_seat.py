"""A seat and its failover over real endpoints: one legal answer a request, and nothing left open behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack

import pytest

from nlp_agent.deadline import Arrival
from nlp_agent.game import legal_targets
from nlp_agent.llm.endpoint import EndpointConfig, EndpointModel
from nlp_agent.llm.failover import Failover, FailoverPolicy
from nlp_agent.llm.loopback import Behaviour, HttpReply, Loopback, failing, saying
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Request, parse_packet
from nlp_agent.seat import Decision, How, Seat
from tests.net.server import packet
from tests.timing import TIMING

AMPLE, SHORT = 6000, 300
"""Time limits in milliseconds: where an answer is expected a slow machine must not spoil it, elsewhere it may."""


async def forever() -> None:
    await asyncio.Event().wait()


class Quiet:
    def write(self, event: str, row: object) -> None:
        """A journal nobody reads."""


HANG: Behaviour = lambda _: HttpReply(before=(forever,))  # noqa: E731
TORN: Behaviour = lambda request: saying(request, ["I trust Ida today. But L", forever])  # noqa: E731
BROKEN: Behaviour = lambda _: failing(503, "busy")  # noqa: E731
GOOD: Behaviour = lambda request: saying(request, "I trust Ida today.")  # noqa: E731


def decided(behaviours: Sequence[Behaviour], request: str, action_ms: int) -> tuple[Decision, Seat]:
    """What a seat decides; no request of it may be left open."""

    async def run() -> tuple[Decision, Seat]:
        async with AsyncExitStack() as stack:
            endpoints = [await stack.enter_async_context(Loopback(behaviour)) for behaviour in behaviours]
            failover = Failover(
                {
                    str(number): EndpointModel(
                        EndpointConfig(base_url=endpoint.base_url, model="m", headless_thinking=False, attempts=1)
                    )
                    for number, endpoint in enumerate(endpoints)
                },
                FailoverPolicy(hedge=1, partial=3, failures=3, rest=30),
            )
            await failover.warm()
            pack = load_pack("en")
            seat = Seat(choose_pack=lambda _: pack, model=failover, timing=TIMING, seed=1, record=Quiet())
            for raw in (
                packet("INITIALIZE", day=0, action_ms=action_ms),
                packet("DAILY_INITIALIZE", action_ms=action_ms),
            ):
                seat.hear(parse_packet(raw))
            heard = parse_packet(packet(request))
            seat.hear(heard)
            last = seat.timing.last_moment(Arrival.now(), action_ms)
            decision = await seat.answer(heard, last)
            for endpoint in endpoints:
                for chat in endpoint.requests:
                    await chat.done.wait()
            await failover.aclose()
            return decision, seat

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("behaviours", "how"),
    [
        ([GOOD], How.LLM),
        ([BROKEN, GOOD], How.LLM),
        ([HANG, GOOD], How.LLM),
        ([TORN], How.LLM),
        ([HANG, TORN], How.LLM),
        ([HANG, HANG], How.FALLBACK),
        ([BROKEN, BROKEN], How.FALLBACK),
    ],
)
def test_a_talk_falls_back_from_endpoint_to_endpoint(behaviours: Sequence[Behaviour], how: How) -> None:
    """The next endpoint, the second request, the finished sentence, and at the end the ready-made words."""
    decision, _ = decided(behaviours, "TALK", AMPLE if how is How.LLM else SHORT)
    assert decision.how is how
    assert decision.text == "I trust Ida today." if how is How.LLM else decision.text
    assert how is How.LLM or decision.problems


@pytest.mark.parametrize("behaviours", [[HANG], [BROKEN, HANG], [TORN, BROKEN]])
def test_a_target_is_legal_whatever_the_endpoints_do(behaviours: Sequence[Behaviour]) -> None:
    """Half a name is never sent."""
    decision, seat = decided(behaviours, "VOTE", SHORT)
    assert decision.text in legal_targets(seat.state, Request.VOTE)
