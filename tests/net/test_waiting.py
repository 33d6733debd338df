"""Hours in the waiting room: nothing is sent, nothing times out, and a dead line is noticed by the system."""

from __future__ import annotations

import asyncio
import socket

from nlp_agent.arena.in_process import HurriedLoop
from nlp_agent.net import EntryLock, Session
from nlp_agent.net.connection import connect_to
from tests.net.server import FINISH, NAME, Guest, packet, server
from tests.net.test_session import Notes, Puppet

HOURS = 9 * 3600.0


def test_game_beginning_after_nine_hours_is_played() -> None:
    """A game that begins after nine hours is played.

    Real sockets under a clock that jumps: between NAME and the game not one frame goes out.
    """
    frames: list[str] = []

    async def script(guest: Guest) -> None:
        frames.append(await guest.ask(NAME))
        await asyncio.sleep(HOURS)
        await guest.say(packet("INITIALIZE"))
        frames.append(await guest.ask(packet("TALK")))
        await guest.say(FINISH)
        frames.extend(await guest.nothing_more())

    async def main() -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with server(script) as url:
            session = Session(url, "team1", Puppet(), Notes(), clock=loop.time, entry=EntryLock())
            assert (await session.play()).finished
        assert loop.time() - began > HOURS

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        runner.run(main())
    assert frames == ["team1", "my TALK"]


def test_jumping_clock_waits_for_threads() -> None:
    """A clock that jumps waits for work in threads.

    What a thread computes, such as the first loading of a model's client, takes its real time and no deadline.
    """

    def work() -> int:
        return sum(1 for _ in range(300_000))

    async def main() -> None:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(HOURS):
            assert await asyncio.to_thread(work)
        done = loop.time()
        await asyncio.sleep(HOURS)
        assert loop.time() - done >= HOURS

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        runner.run(main())


def test_tcp_keepalive_watches_the_line_without_pings() -> None:
    """The operating system looks after the line and no WebSocket ping does.

    Pings kill games on the real server; TCP's own probes cost it nothing, and begin within a minute.
    """

    async def script(guest: Guest) -> None:
        await guest.nothing_more()

    async def main() -> None:
        async with server(script) as url:
            ws = await connect_to(url, "")
            line = ws.transport.get_extra_info("socket")
            assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            if hasattr(socket, "TCP_KEEPIDLE"):
                assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) <= 60
            assert ws.keepalive_task is None
            await ws.close()

    asyncio.run(main())
