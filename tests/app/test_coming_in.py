"""What is made ready when seats come in to a server: never while its clock runs for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.app.wiring.team import Team
from nlp_agent.errors import SessionError
from nlp_agent.net import Stop
from tests.net.server import NAME, Guest, server


async def _come_in(url: str, folder: Path, prepare: Callable[[], Awaitable[None]]) -> None:
    """One seat of ``run`` at ``url``, until the server hangs up; ``prepare`` makes a game ready."""

    class Noted(Team):
        async def prepare(self, *, every_language: bool = False) -> None:
            await prepare()

    config = Config.model_validate(
        {"web_socket": {"url": url}, "agent": {"num": 1, "team": "ours"}, "records": {"dir": str(folder)}}
    )
    with suppress(SessionError):
        await run_seats([config], lambda _: None, Stop(), Noted)


def test_classic_server_is_joined_when_all_is_ready(tmp_path: Path) -> None:
    """At a classic server all is ready before the connection.

    Its clock runs from there on: it asks for the name at once, and may wait for 100 ms.
    """
    story: list[str] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        story.append("connected")
        writer.write(NAME.encode() + b"\n")
        story.append((await reader.readline()).decode().strip())
        writer.close()

    async def prepare() -> None:
        story.append("ready")

    async def main() -> None:
        async with asyncio.timeout(20), await asyncio.start_server(handle, "127.0.0.1", 0) as listening:
            await _come_in(f"tcp://127.0.0.1:{listening.sockets[0].getsockname()[1]}", tmp_path, prepare)

    asyncio.run(main())
    assert story == ["ready", "connected", "ours"]


def test_current_server_hears_the_name_before_preparation(tmp_path: Path) -> None:
    """At today's server the name is told before anything is made ready.

    No game begins before it, and whoever has connected may be asked for it at once.
    """
    story: list[str] = []

    async def main() -> None:
        named = asyncio.Event()

        async def script(guest: Guest) -> None:
            story.append(await guest.ask(NAME))
            named.set()

        async def prepare() -> None:
            await named.wait()
            story.append("ready")

        async with asyncio.timeout(20), server(script) as url:
            await _come_in(url, tmp_path, prepare)

    asyncio.run(main())
    assert story == ["ours1", "ready"]
