"""Coming in to a server: names first, one after another, and whatever is heavy behind the first of them."""

from __future__ import annotations

import asyncio
import time
from unittest.mock import Mock

import pytest

from nlp_agent.errors import AlertMessage, ConfigError
from nlp_agent.net import EntryLock, Session
from nlp_agent.net.connection import FrameReader
from nlp_agent.protocol import Packet
from tests.net.server import FINISH, NAME, Guest, packet, server
from tests.net.test_session import Notes, Puppet


def test_first_name_waits_for_nothing() -> None:
    """The first name waits for nothing, and the others wait until all is ready.

    What a game needs is made ready when the first seat is named, and before another one is, so before a game.
    """
    story: list[str] = []
    named = asyncio.Event()

    async def script(guest: Guest) -> None:
        story.append(await guest.ask(NAME))
        named.set()
        await guest.say(packet("INITIALIZE"))
        await guest.say(FINISH)
        await guest.nothing_more()

    async def prepare() -> None:
        await named.wait()
        story.append("all is ready")

    async def main() -> None:
        entry = EntryLock(prepare)
        async with server(script) as url, asyncio.timeout(10):
            sessions = [Session(url, f"team{k}", Puppet(), Notes(), clock=time.monotonic, entry=entry) for k in (1, 2)]
            await asyncio.gather(*(session.play() for session in sessions))
            await Session(url, "team3", Puppet(), Notes(), clock=time.monotonic, entry=entry).play()

    asyncio.run(main())
    assert story == ["team1", "all is ready", "team2", "team3"]


def test_failed_preparation_is_told_to_every_seat() -> None:
    """What cannot be made ready is told to every seat.

    None of them plays on without what it needs.
    """

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        await guest.nothing_more()

    async def prepare() -> None:
        raise ConfigError("a broken pack")

    async def main() -> list[object]:
        entry = EntryLock(prepare)
        async with server(script) as url, asyncio.timeout(10):
            sessions = [Session(url, f"team{k}", Puppet(), Notes(), clock=time.monotonic, entry=entry) for k in (1, 2)]
            return [*await asyncio.gather(*(session.play() for session in sessions), return_exceptions=True)]

    assert [str(end) for end in asyncio.run(main())] == ["a broken pack"] * 2


def test_who_is_asked_something_hears_before_the_others() -> None:
    """Of many seats with mail one takes it in at a time, so that what comes meanwhile is read; who owes an answer, and
    may have 100 ms for it, waits for nobody, and the others wait for that answer, but not for a model's."""
    order: list[str] = []

    async def main() -> None:
        entry = EntryLock()
        readers = {name: Mock(spec=FrameReader) for name in "abc"}

        async def hear(name: str) -> None:
            await entry.in_turn(readers[name])
            order.append(name)

        entry.asked.add(readers["c"])
        hearing = [asyncio.create_task(hear(name)) for name in "abc"]
        await hearing[2]
        assert order == ["c"]
        entry.asked.discard(readers["c"])
        await hearing[0]
        assert order == ["c", "a"]
        await hearing[1]
        entry.asked.add(readers["c"])
        await hear("a")

    asyncio.run(main())
    assert order == ["c", "a", "b", "a"]


def test_tight_limit_is_reported_before_first_question() -> None:
    """A limit that this machine can hardly keep is told before the first question.

    Once for all seats of the process; where a third of the time is enough nothing is said.
    """
    told: list[str] = []

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        await guest.say(packet("INITIALIZE", action_ms=500))
        await guest.say(FINISH)
        await guest.nothing_more()

    async def main(needs: float) -> list[str]:
        entry = EntryLock()
        entry.needs = needs
        async with server(script) as url, asyncio.timeout(10):
            for name in ("team1", "team2"):
                session = Session(
                    url, name, Puppet(), Notes(), clock=time.monotonic, entry=entry, on_status=told.append
                )
                await session.play()
        return [text for text in told if isinstance(text, AlertMessage)]

    assert asyncio.run(main(0.15)) == []
    (alert,) = asyncio.run(main(0.4))
    assert "team1: the server waits 0.5 s for an answer" in alert
    assert "takes 0.4 s" in alert


def test_packet_that_begins_too_early_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The packet with which a game begins too early is known at once.

    Whoever makes things ready can leave out what this game does not need.
    """
    known: list[Packet | None] = []

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        await guest.say(packet("INITIALIZE"))
        await guest.say(FINISH)
        await guest.nothing_more()

    async def main() -> None:
        async def prepare() -> None:
            await heard.wait()
            known.append(entry.begun)

        entry, heard = EntryLock(prepare), asyncio.Event()
        async with server(script) as url, asyncio.timeout(10):
            session = Session(url, "team1", Puppet(), Notes(), clock=time.monotonic, entry=entry)
            monkeypatch.setattr(session, "_cancel_pending", lambda why: heard.set())
            await session.play()

    asyncio.run(main())
    assert [one.request for one in known if one is not None] == ["INITIALIZE"]
