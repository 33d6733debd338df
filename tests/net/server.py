"""A scripted game server on loopback: says what the test tells it to, and notes what it was sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.server import ServerConnection, serve

from nlp_agent.protocol import Packet

PLAYERS = {"Mia": "ALIVE", "Leo": "ALIVE", "Ida": "ALIVE", "Sam": "ALIVE", "Eva": "ALIVE"}
SETTING: dict[str, Any] = {
    "agent_count": 5,
    "talk": {
        "max_count": {"per_agent": 4, "per_day": 20},
        "max_length": {"base_length": 125, "mention_length": 125},
    },
    "timeout": {"action": 60000, "response": 120000},
    "role_num_map": {"WEREWOLF": 1, "POSSESSED": 1, "SEER": 1, "VILLAGER": 2},
}


def packet(request: str, day: int = 1, role: str = "VILLAGER", action_ms: int = 60000, **more: Any) -> str:
    """A packet to Mia, as JSON."""
    info = {"game_id": "G", "day": day, "agent": "Mia", "status_map": PLAYERS, "role_map": {"Mia": role}}
    if request in ("TALK", "WHISPER"):
        info |= {"remain_count": 3, "remain_skip": 0}
        more.setdefault("talk_history", [])
    if request in ("INITIALIZE", "DAILY_INITIALIZE"):
        more.setdefault("setting", {**SETTING, "timeout": {"action": action_ms, "response": 120000}})
    return json.dumps({"request": request, "info": info, **more})


class Guest:
    """The server's end of one connection."""

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self.token = (connection.request.headers if connection.request else {}).get("Authorization", "")

    async def say(self, raw: str) -> None:
        await self.connection.send(raw)

    async def hear(self) -> str:
        return str(await self.connection.recv())

    async def ask(self, raw: str) -> str:
        await self.say(raw)
        return await self.hear()

    async def nothing_more(self) -> list[str]:
        """Every frame that came after the last one read, up to the closing of the connection."""
        return [str(frame) async for frame in self.connection]

    def drop(self) -> None:
        """End the connection as the official server does: without a close frame."""
        self.connection.transport.abort()


@asynccontextmanager
async def server(script: Callable[[Guest], Awaitable[None]]) -> AsyncIterator[str]:
    """A server that runs ``script`` for each guest; yields its URL; a failed script fails the test."""
    failures: list[BaseException] = []

    async def handle(connection: ServerConnection) -> None:
        try:
            await script(Guest(connection))
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            failures.append(error)

    async with serve(handle, "127.0.0.1", 0, ping_interval=None) as running:
        port = next(iter(running.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/ws"
    if failures:
        raise failures[0]


FINISH = Packet(request="FINISH").to_json()
NAME = Packet(request="NAME").to_json()
