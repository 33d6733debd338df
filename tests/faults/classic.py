"""Games on a classic server that does to its lines what TCP, and a faulty server, may do to them."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from zlib import crc32

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.arena.classic_game import Json, classic_village, to_line
from nlp_agent.arena.classic_server import ClassicGuest, ClassicTable
from nlp_agent.arena.events import GuestFault
from nlp_agent.arena.table import Match
from nlp_agent.deadline import Deadline
from nlp_agent.net import Stop
from nlp_agent.protocol import TALK_REQUESTS, TARGET_REQUESTS, Packet
from nlp_agent.protocol.classic import ROLE
from nlp_agent.records.journal import Journal
from nlp_agent.seat import Decision, Seat
from tests.bench.quick_games import DIVISION
from tests.faults.catalogue import Expect, Fault
from tests.faults.checking import Outcome
from tests.faults.own_code import SharingTeam

PLAYERS, GAMES = 5, 3
LIMIT = 2_000
"""Milliseconds for an answer, of a clock that jumps where everybody waits."""
_ASKS = {"NAME", ROLE, *TALK_REQUESTS, *TARGET_REQUESTS}
_RUBBISH = {
    "classic-garbage": (b'{"gameInfo":', b"\x00\xff\xfe", b"]", b"null", b"", b'{"request":{}}', b'{"request":"TALK'),
    "classic-unknown": (b'{"request":"DANCE","gameInfo":null}', b'{"request":"TALK_BROADCAST"}', b'{"request":""}'),
    "classic-megabyte": (b'{"request":"' + b"x" * 1_000_000 + b'"}', b"y" * 1_000_000),
}


class _FaultyGuest(ClassicGuest):
    """A guest whose lines come as ``fault`` has it; ``struck`` counts how often."""

    fault = ""
    struck = 0

    def say(self, packet: Json) -> bool:
        if self._writer.transport.is_closing():
            return False
        if not hasattr(self, "_out"):
            self._rng = Random(1)
            self._out: asyncio.Queue[bytes] = asyncio.Queue()
            self._held = b""
            self._pump = asyncio.create_task(self._pumped())
        for part in self._parts(str(packet["request"]), to_line(packet).encode() + b"\n"):
            self._out.put_nowait(part)
        return True

    def _parts(self, request: str, line: bytes) -> Iterator[bytes]:
        name, kind = self.fault, type(self)
        if name == "classic-cut":
            kind.struck += 1
            while line:
                size = self._rng.randint(1, 60)
                yield line[:size]
                line = line[size:]
        elif name == "classic-joined":
            self._held += line
            if request in _ASKS or request == "FINISH":
                kind.struck += self._held.count(b"\n") > 1
                line, self._held = self._held, b""
                yield line
        elif name == "classic-reset" and request == "VOTE" and not kind.struck:
            kind.struck += 1
            self._writer.transport.abort()
        else:
            if name in _RUBBISH and (name != "classic-megabyte" or self._rng.random() < 0.05):
                kind.struck += 1
                yield self._rng.choice(_RUBBISH[name]) + b"\n"
            yield line

    async def _pumped(self) -> None:
        while True:
            part = await self._out.get()
            if self.fault == "classic-silence" and self._rng.random() < 0.05:
                type(self).struck += 1
                await asyncio.sleep(LIMIT / 4000)
            self._writer.write(part)
            self._out.task_done()
            # A moment for the other end to read what has come so far.
            await asyncio.sleep(0)

    async def hang_up(self) -> None:
        if hasattr(self, "_pump"):
            await self._out.join()
            self._pump.cancel()
        await super().hang_up()


class _LateTeam(SharingTeam):
    """One answer of the first game is computed for longer than there is time."""

    late = 0

    def seat(self, name: str, seed: int | str, chance: str = "") -> tuple[Seat, Journal]:
        seat, journal = super().seat(name, seed, chance)
        answer = seat.answer

        async def slowly(packet: Packet, last: Deadline) -> Decision:
            decision = await answer(packet, last)
            if packet.request == "VOTE" and not _LateTeam.late:
                _LateTeam.late += 1
                # The table gives up only once this process has nothing else to do.
                await asyncio.sleep(LIMIT / 1000 * 15)
            return decision

        seat.answer = slowly  # type: ignore[method-assign]
        return seat, journal


async def try_classic(fault: Fault) -> Outcome:
    """Play a set against ``fault``; after a loss, one more. Never raises for what the seats do."""
    started = time.monotonic()

    class Guest(_FaultyGuest):
        pass

    Guest.fault = fault.name
    _LateTeam.late = 0
    lost = fault.expect is Expect.LOST
    statuses: list[str] = []
    with tempfile.TemporaryDirectory(prefix="nlp-agent-faults-") as folder:
        table = ClassicTable(
            classic_village(PLAYERS, DIVISION, LIMIT),
            DIVISION,
            seed=crc32(fault.name.encode()),
            games=GAMES,
            guest=Guest,
        )
        async with table:
            config = Config.model_validate(
                {
                    "web_socket": {"url": table.url, "auto_reconnect": lost},
                    "agent": {"num": PLAYERS, "team": "fault"},
                    "records": {"dir": folder},
                }
            )
            stop, team = Stop(), _LateTeam if fault.name == "classic-late" else SharingTeam
            seats = asyncio.create_task(run_seats([config], statuses.append, stop, team))
            matches = [await table.next_match() for _ in range(1 + GAMES if lost else GAMES)]
            if lost:
                stop.request()
            code = await seats
        crashes = _crashes(Path(folder))
    struck = Guest.struck + _LateTeam.late
    wrong = [*_wrong(matches, lost=lost), *([f"{crashes} crashes"] if crashes else [])]
    wrong += ["the seats did not finish"] if code and not lost else []
    wrong += ["the fault never came to pass"] if not struck else []
    if lost and not any("trying again" in status for status in statuses):
        wrong.append("the loss of the connection was not reported")
    counts = [_count(match) for match in matches[lost:]]
    late, illegal, extra = (sum(column) for column in zip(*counts, strict=True))
    return Outcome(
        fault,
        happened=f"struck {struck} times in {len(matches)} games on a classic server",
        games=len(matches),
        late=late,
        illegal=illegal,
        extra=extra,
        seconds=round(time.monotonic() - started, 2),
        wrong=tuple(wrong),
    )


def _crashes(folder: Path) -> int:
    return sum(path.read_text(encoding="utf-8").count('"event": "crash"') for path in folder.rglob("*.jsonl"))


def _count(match: Match) -> tuple[int, int, int]:
    extra = sum(seat.faults.get(GuestFault.UNASKED, 0) for seat in match.report.seats)
    return match.report.late, match.report.illegal, extra


def _wrong(matches: Sequence[Match], *, lost: bool) -> list[str]:
    """What speaks against the seats: any slip in a game in which nothing but the lines was at fault."""
    wrong = ["the game was not broken off"] if lost and not matches[0].report.aborted else []
    for match in matches[lost:]:
        if match.report.aborted or any(_count(match)):
            wrong += match.report.warnings or ("the game was not finished",)
    return wrong
