"""Tables that are slow, and tables that lose their guests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

from nlp_agent.lab.faults.table import NIGHT, Disturbance
from nlp_agent.protocol import Packet, Request

if TYPE_CHECKING:
    from nlp_agent.arena.guests import Guest


class Slow(Disturbance):
    """Every packet is late by up to ``seconds``."""

    def __init__(self, seconds: float, random: Random) -> None:
        super().__init__()
        self._seconds, self._random = seconds, random
        self.slow = True

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        self.done += 1
        await asyncio.sleep(self._random.uniform(0, self._seconds))
        return (packet.to_json(),)


class Dropping(Disturbance):
    """The connection of one seat ends, once, when a packet of ``requests`` would go out."""

    def __init__(self, requests: Callable[[Packet], bool]) -> None:
        super().__init__()
        self._requests = requests

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        if not self.done and self._strikes(guest, packet) and self._requests(packet):
            self.lose(guest)
            await asyncio.sleep(0.05)  # the end of the connection is noticed by its own task
        return (packet.to_json(),)

    def _strikes(self, guest: Guest, packet: Packet) -> bool:
        return self.victim(guest) or packet.kind in NIGHT


class DroppingInThought(Dropping):
    """The connection ends while one seat thinks about its answer."""

    def __init__(self, requests: Callable[[Packet], bool], thinking: Callable[[], Awaitable[object]]) -> None:
        super().__init__(requests)
        self._thinking = thinking
        self._waiting: asyncio.Task[None] | None = None

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        if packet.kind is Request.TALK_PHASE_START and self._waiting is None and self._strikes(guest, packet):
            self._waiting = asyncio.create_task(self._drop(guest))  # nobody waits for a talk in a group chat
        return (packet.to_json(),)

    def gives_up(self, guest: Guest, packet: Packet) -> Awaitable[object] | None:
        if self.done or not self._strikes(guest, packet) or not self._requests(packet):
            return None
        return self._drop(guest)

    async def _drop(self, guest: Guest) -> None:
        await self._thinking()
        self.lose(guest)
        if self._waiting is None:
            await asyncio.Event().wait()


class DroppingAtTheDoor(Disturbance):
    """The first guest that tells its name is shown out, as one with a bad token is."""

    async def admits(self, guest: Guest) -> bool:
        self.done += 1
        if self.done == 1:
            self.dropped.append(guest.name)
        return self.done > 1
