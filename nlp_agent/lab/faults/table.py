"""Tables that go wrong: each class is one kind of interference, for the guests of one table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from nlp_agent.arena.guests import Interference
from nlp_agent.protocol import BROADCASTS, PHASE_ENDS, TALK_REQUESTS, Packet, Request

if TYPE_CHECKING:
    from nlp_agent.arena.guests import Guest

NIGHT = frozenset({Request.DIVINE, Request.GUARD, Request.ATTACK, Request.WHISPER})
OTHER_GAME = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
_HURRY = 5.0
"""Seconds to answer what the table asks besides the game."""


class Disturbance(Interference):
    """An interference that keeps count.

    ``done`` counts how often it struck, ``unheard`` the answers, by guest, that the table itself gave up;
    ``wrong`` tells of answers to its own questions that were not right.
    """

    def __init__(self) -> None:
        self.done = 0
        self.unheard: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.dropped: list[str] = []
        self.slow = False
        """Whether packets come so late, if only for the NAME before them, that a seat cannot know what the table
        already does."""

    def victim(self, guest: Guest) -> bool:
        """One seat of the table, where one is enough."""
        return guest.name.endswith("2")

    def lose(self, guest: Guest) -> None:
        """End the connection of ``guest`` in the middle of everything."""
        self.done += 1
        self.dropped.append(guest.name)
        guest.drop()

    async def ask_name(self, guest: Guest) -> None:
        """NAME, which must be answered at any time."""
        if not guest.gone and not await guest.check_name(_HURRY):
            self.wrong.append(f"{guest.name} did not give its name")


def changed(packet: Packet, change: Callable[[dict[str, Any]], None]) -> tuple[str, ...]:
    data = json.loads(packet.to_json())
    change(data)
    return (json.dumps(data, ensure_ascii=False),)


class Flood(Disturbance):
    """A history of about a megabyte in each of six talk requests: ``count`` talks by one player.

    In a group chat it comes where the day's talks are told again.
    """

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count, self._left = count, 6

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        if not talks(packet) or self._left <= 0 or packet.info is None:
            return (packet.to_json(),)
        self._left -= 1
        self.done += 1
        info = packet.info
        speaker = next((name for name in info.alive if name != info.agent), "")
        words = (f"I am the seer and {speaker} is a werewolf, so vote. " * (1_000_000 // self._count // 40 + 1)).strip()

        def flood(data: dict[str, Any]) -> None:
            talks = [
                {"idx": 1000 + n, "day": info.day, "turn": n, "agent": speaker, "text": words, "skip": False}
                for n in range(self._count)
            ]
            data["talk_history"] = [*(data.get("talk_history") or ()), *talks]

        return changed(packet, flood)


class Besides(Disturbance):
    """Frames that are no part of the game, before every packet; ``begun``: only of a game that has begun."""

    def __init__(self, *strange: str, begun: bool = False) -> None:
        super().__init__()
        self._strange, self._begun = strange, begun

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        if self._begun and packet.kind is Request.INITIALIZE:
            return (packet.to_json(),)
        self.done += 1
        return (*self._strange, packet.to_json())


def of_another_game(request: Request, **more: Any) -> str:
    names = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon")
    info = {
        "game_id": OTHER_GAME,
        "day": 3,
        "agent": "Alpha",
        "status_map": {name: "DEAD" if name == "Beta" else "ALIVE" for name in names},
        "role_map": {"Alpha": "WEREWOLF"},
    }
    return json.dumps({"request": request.value, "info": info, **more})


class OtherGamesQuestions(Disturbance):
    """A finished game's questions now and then; each is answered once, legally there."""

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        if packet.kind in (Request.TALK, Request.VOTE, Request.DAILY_FINISH):
            self.done += 1
            asked = Request.VOTE if packet.kind is Request.VOTE else Request.TALK
            answer = await guest.question(of_another_game(asked, talk_history=[]), _HURRY)
            legal = answer in ("Gamma", "Delta", "Epsilon") if asked is Request.VOTE else bool(answer)
            if not legal:
                self.wrong.append(f"{guest.name} answered another game's {asked} with {answer!r}")
        return (packet.to_json(),)


class SecondInitialize(Disturbance):
    """INITIALIZE comes again before every talk, asked or told: its own, and one of another game."""

    def __init__(self) -> None:
        super().__init__()
        self._first: dict[Guest, str] = {}

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        text = packet.to_json()
        if packet.kind is Request.INITIALIZE:
            self._first[guest] = text
        if not talks(packet) and packet.kind not in BROADCASTS:
            return (text,)
        self.done += 1
        return (of_another_game(Request.INITIALIZE), self._first[guest], text)


class Repeating(Disturbance):
    """Packets come ``times`` over, 0 being never: at once, or ``afterwards`` when they have been answered as well."""

    def __init__(self, requests: Callable[[Packet], bool], *, after: bool = False, times: int = 2) -> None:
        super().__init__()
        self._requests, self._after, self._times = requests, after, times

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        text = packet.to_json()
        if not self._requests(packet):
            return (text,)
        self.done += 1
        return (text,) if self._after else (text,) * self._times

    async def afterwards(self, guest: Guest, packet: Packet) -> None:
        if self._after and self._requests(packet):
            await guest.say(packet.to_json())


class NameBetween(Disturbance):
    """NAME before every packet and after every answer."""

    def __init__(self) -> None:
        super().__init__()
        self.slow = True

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        self.done += not guest.gone
        await self.ask_name(guest)
        return (packet.to_json(),)

    async def afterwards(self, guest: Guest, packet: Packet) -> None:
        if packet.kind is not Request.FINISH:
            await self.frames(guest, packet)


class NameInThought(Disturbance):
    """NAME while an answer to one of ``requests`` is being made; ``thinking`` tells when that is.

    What the table gave up is no fault of the guest.
    """

    def __init__(
        self, requests: Callable[[Packet], bool], thinking: Callable[[], Awaitable[object]], *, times: int, again: int
    ) -> None:
        super().__init__()
        self._requests, self._thinking, self._left, self._again = requests, thinking, times, again
        self.slow = again > 0

    def gives_up(self, guest: Guest, packet: Packet) -> Awaitable[object] | None:
        if self._left <= 0 or not self._requests(packet):
            return None
        return self._give_up(guest)

    async def _give_up(self, guest: Guest) -> None:
        await self._thinking()
        self._left -= 1
        self.done += 1
        self.unheard[guest.name] += 1

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        for _ in range(self._again):
            await self.ask_name(guest)
        return (packet.to_json(),)


class OldTalks(Disturbance):
    """All the talks of a phase come once more when it is over."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[Guest, list[str]] = {}

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        text = packet.to_json()
        told = self._told.setdefault(guest, [])
        if packet.kind in BROADCASTS:
            told.append(text)
        if packet.kind not in PHASE_ENDS or not told:
            return (text,)
        self.done += 1
        old = tuple(told)
        told.clear()
        return (text, *old)


class AnyOf(Disturbance):
    """For each packet one of several disturbances, or mostly none."""

    def __init__(self, disturbances: Sequence[Disturbance], random: Random, share: float) -> None:
        super().__init__()
        self._disturbances, self._random, self._share = disturbances, random, share
        for disturbance in disturbances:
            disturbance.unheard, disturbance.wrong = self.unheard, self.wrong
            self.slow = self.slow or disturbance.slow
        self._now: dict[Guest, Disturbance | None] = {}

    async def frames(self, guest: Guest, packet: Packet) -> Sequence[str]:
        chosen = self._random.choice(self._disturbances) if self._random.random() < self._share else None
        self._now[guest] = chosen
        if packet.kind is Request.FINISH:
            self._now.pop(guest)
        if chosen is None:
            return (packet.to_json(),)
        self.done += 1
        return await chosen.frames(guest, packet)

    def gives_up(self, guest: Guest, packet: Packet) -> Awaitable[object] | None:
        chosen = self._now.get(guest)
        return chosen.gives_up(guest, packet) if chosen else None

    async def afterwards(self, guest: Guest, packet: Packet) -> None:
        chosen = self._now.get(guest)
        if chosen:
            await chosen.afterwards(guest, packet)


def asks(packet: Packet) -> bool:
    return packet.needs_reply


def talks(packet: Packet) -> bool:
    """A talk is asked, or a group chat begins."""
    return packet.kind in TALK_REQUESTS or packet.kind is Request.TALK_PHASE_START


def only(*requests: Request) -> Callable[[Packet], bool]:
    return lambda packet: packet.kind in requests
