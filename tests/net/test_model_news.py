"""What the terminal says when a seat's model falls silent."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest

from nlp_agent.llm.endpoint import EndpointConfig, EndpointModel
from nlp_agent.llm.failover import Failover, FailoverPolicy
from nlp_agent.llm.loopback import Loopback
from nlp_agent.net import EntryLock, Session
from nlp_agent.net.session import ModelSilence
from nlp_agent.prompting import load_pack
from nlp_agent.seat import Decision, How, Seat
from tests.net.server import FINISH, NAME, Guest, packet, server
from tests.net.test_session import Notes
from tests.timing import TIMING


def test_endpoint_death_and_return_are_each_told_once(caplog: pytest.LogCaptureFixture) -> None:
    """Its death with the cause and what went out instead, its return, and nothing for the talks between."""

    async def main() -> None:
        async with Loopback() as first:
            port = int(first.base_url.split(":")[2].split("/")[0])
            config = EndpointConfig(base_url=first.base_url, model="m", headless_thinking=False, attempts=1)
            model = Failover({"main": EndpointModel(config)}, FailoverPolicy(hedge=15, partial=45, failures=3, rest=30))
            await model.warm()
            pack = load_pack("en")
            seat = Seat(choose_pack=lambda _: pack, model=model, timing=TIMING, seed=1, record=None)

            async def script(guest: Guest) -> None:
                await guest.ask(NAME)
                await guest.say(packet("INITIALIZE", day=0))
                await guest.say(packet("DAILY_INITIALIZE"))
                await guest.ask(packet("VOTE"))
                await first.__aexit__()
                for day in (2, 3, 4):
                    await guest.ask(packet("VOTE", day=day))
                async with Loopback(port=port):
                    for day in (5, 6):
                        await guest.ask(packet("VOTE", day=day))
                    await guest.say(FINISH)
                    await guest.nothing_more()

            async with server(script) as url, asyncio.timeout(60):
                await Session(url, "team1", seat, Notes(), clock=time.monotonic, entry=EntryLock()).play()
            await model.aclose()

    with caplog.at_level(logging.WARNING, logger="nlp_agent.net.session"):
        asyncio.run(main())
    died, back = [record.getMessage() for record in caplog.records]
    assert died.startswith("G team1 Mia day 2: no answer of the model (unreachable: endpoint 'llm' (http://127.0.0.1:")
    assert died.endswith("); the seat's own choice goes out")
    assert back == "G team1 Mia day 5: the model answers again, after 3 without it"


def test_news_repeats_on_changed_cause_or_tenth() -> None:
    """The news of a failing endpoint is told again when the cause changes and at every tenth failure.

    What needed no model is no news either way.
    """
    news = ModelSilence()

    def told(how: How, why: str = "", text: str = "I trust Ida.") -> str:
        return news.of(Decision("TALK", 1, text, how, unanswered=why))

    assert told(How.LLM) == told(How.SETTLED) == told(How.STRATEGY) == ""
    assert "(timeout: a); the seat's own words go out" in told(How.FALLBACK, "timeout: a")
    assert told(How.SETTLED) == told(How.FALLBACK, "timeout: b") == ""
    assert "3 in a row (auth: refused); the seat has no words" in told(How.FALLBACK, "auth: refused", "Over")
    rows = [told(How.FALLBACK, "auth: refused") for _ in range(17)]
    assert [number for number, row in enumerate(rows, 4) if row] == [10, 20]
    assert told(How.RETRY) == "the model answers again, after 20 without it"
    assert told(How.LLM) == ""
