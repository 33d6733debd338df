"""Coming in to a server: names first, one after another, and whatever is heavy behind the first of them."""

from __future__ import annotations

import asyncio
import time

from nlp_agent.net import Gate, Session
from tests.net.server import FINISH, NAME, Guest, packet, server
from tests.net.test_session import Notes, Puppet


def test_the_first_name_waits_for_nothing_and_the_others_until_all_is_ready() -> None:
    """What a game needs is made ready when the first seat is named, and before another one is, so before a game."""
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
        gate = Gate(prepare)
        async with server(script) as url, asyncio.timeout(10):
            sessions = [Session(url, f"team{k}", Puppet(), Notes(), clock=time.monotonic, gate=gate) for k in (1, 2)]
            await asyncio.gather(*(session.play() for session in sessions))
            await Session(url, "team3", Puppet(), Notes(), clock=time.monotonic, gate=gate).play()

    asyncio.run(main())
    assert story == ["team1", "all is ready", "team2", "team3"]
