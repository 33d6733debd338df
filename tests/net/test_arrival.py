"""When a frame came: deadlines count from there, and NAME is answered, whatever else is going on."""

from __future__ import annotations

import asyncio

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.net import EntryLock, Session
from nlp_agent.net.session import first_answer
from nlp_agent.protocol import OVER, SKIP, Packet, parse_packet
from nlp_agent.seat import Decision
from tests.net.server import FINISH, NAME, Guest, packet, server
from tests.net.test_session import Notes, Puppet
from tests.still_clock import run_still


class Timed(Puppet):
    """Notes how much time was left when it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.spent: list[float] = []

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        self.spent.append(last.spent)
        return await super().answer(packet, last)


def _play(script_for: dict[str, object], player: Puppet, prepare_for: float, notes: Notes | None = None) -> None:
    async def script(guest: Guest) -> None:
        await script_for["script"](guest)  # type: ignore[operator]

    async def main() -> None:
        async def prepare() -> None:
            await asyncio.sleep(prepare_for)

        async with server(script) as url, asyncio.timeout(10):
            entry = EntryLock(prepare)
            clock = asyncio.get_running_loop().time
            await Session(url, "team1", player, notes or Notes(), clock=clock, entry=entry).play()

    run_still(main())


def test_request_that_comes_early_is_answered_anyway() -> None:
    """A request that comes too early is answered in time.

    Before all is ready for a game: by the deadline that counts from its arrival, with what needs nothing loaded.
    """
    told: list[str] = []
    seconds: list[float] = []

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        await guest.say(packet("INITIALIZE", action_ms=500))
        began = asyncio.get_running_loop().time()
        told.append(await guest.ask(packet("TALK", action_ms=500)))
        seconds.append(asyncio.get_running_loop().time() - began)
        await asyncio.sleep(0.8)
        told.append(await guest.ask(packet("VOTE")))
        await guest.say(FINISH)
        await guest.nothing_more()

    player = Timed()
    _play({"script": script}, player, 1.0)
    assert told == ["Hello everyone.", "my VOTE"]
    assert seconds[0] < 0.5
    assert player.heard[:3] == ["INITIALIZE", "TALK", "VOTE"]


def test_the_deadline_counts_from_the_arrival() -> None:
    """A request that waits until all is ready has the less time for its answer."""

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        await guest.say(packet("INITIALIZE"))
        assert await guest.ask(packet("TALK")) == "my TALK"
        await guest.say(FINISH)
        await guest.nothing_more()

    player = Timed()
    _play({"script": script}, player, 0.5)
    assert len(player.spent) == 1
    assert player.spent[0] == pytest.approx(0.5)


def test_name_is_answered_during_preparation() -> None:
    """NAME is answered while a game is made ready.

    At once, each time it is asked; the request it follows is given up.
    """
    seconds: list[float] = []

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        await guest.say(packet("INITIALIZE"))
        await guest.say(packet("TALK"))
        began = asyncio.get_running_loop().time()
        assert await guest.ask(NAME) == "team1"
        seconds.append(asyncio.get_running_loop().time() - began)
        assert await guest.ask(packet("VOTE")) == "my VOTE"
        await guest.say(FINISH)
        assert await guest.nothing_more() == []

    player = Timed()
    _play({"script": script}, player, 0.6)
    assert seconds == [0.0]
    assert player.missed == ["TALK: NAME was asked: the server has given up waiting"]


def test_the_first_answer_stays_in_the_talk() -> None:
    """Skip where skips are left, else a greeting in the language of names and profile; never Over."""

    def asked(skips: int, profile: str) -> Packet:
        found = parse_packet(packet("TALK"))
        assert found.info is not None
        info = found.info.model_copy(update={"remain_skip": skips, "profile": profile})
        return found.model_copy(update={"info": info})

    assert first_answer(asked(1, "")) == SKIP
    greetings = [first_answer(asked(0, profile)) for profile in ("A baker.", "パン屋です。", "面包师")]
    assert greetings == ["Hello everyone.", "こんにちは。", "大家好。"]
    assert OVER not in greetings
