"""The table as a classic TCP server: strangers sit down, and what a guest does wrong costs what it costs there."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nlp_agent.arena.classic_game import Habits, classic_village
from nlp_agent.arena.classic_server import ClassicTable
from nlp_agent.arena.events import Asked, Event, GuestFault, Talked
from nlp_agent.arena.table import Match
from nlp_agent.protocol import Request, Role
from nlp_agent.reading.protocol_language import parse

CLIENT = Path(__file__).parent.parent / "data" / "classic_client.py"
PROTOCOL = Habits(protocol=True, greets=False, legal=lambda text: parse(text) is not None)
Answer = Callable[[dict[str, Any]], str | bytes | None]


def _table(habits: Habits, games: int | None = 1, players: int = 5, limit: int = 5_000, **more: Any) -> ClassicTable:
    return ClassicTable(classic_village(players, habits, limit), habits, games=games, **{"seed": 1, **more})


async def _guest(url: str, name: str, answer: Answer) -> list[dict[str, Any]]:
    """Sit down and answer; all packets, to the end of the connection."""
    host, _, port = url.removeprefix("tcp://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 20)
    packets = []
    try:
        while line := await reader.readline():
            packet = json.loads(line)
            packets.append(packet)
            reply = name if packet["request"] == "NAME" else answer(packet)
            if reply is not None:
                writer.write(reply if isinstance(reply, bytes) else f"{reply}\n".encode())
    except ConnectionError:
        pass
    finally:
        writer.close()
    return packets


def plain(packet: dict[str, Any]) -> str | None:
    """Silent, and for the first player."""
    if packet["request"] in ("VOTE", "DIVINE", "GUARD", "ATTACK"):
        return '{"agentIdx":1}'
    return {"ROLE": "none", "TALK": "Over", "WHISPER": "Over"}.get(packet["request"])


def _played(table: ClassicTable, guests: list[Answer]) -> tuple[Match, list[list[dict[str, Any]]]]:
    """One game, and what each guest was told."""

    async def main() -> tuple[Match, list[list[dict[str, Any]]]]:
        async with table, asyncio.timeout(30):
            sitting = [asyncio.create_task(_guest(table.url, f"g{n}", guest)) for n, guest in enumerate(guests)]
            return await table.next_match(), await asyncio.gather(*sitting)

    return asyncio.run(main())


@pytest.mark.parametrize(
    "habits",
    [Habits(at_once=False, shuffled=False), PROTOCOL],
    ids=["dial 2019, 0.5.8", "division 2021, 0.6.3"],
)
def test_independent_short_client_plays_a_set(habits: Habits) -> None:
    """A client of forty lines that uses nothing of this project plays a set.

    Three games on one connection each, natural language or protocol, a role wished for and given.
    """

    async def main() -> list[Match]:
        async with _table(habits, games=3) as table, asyncio.timeout(60):
            port = table.url.rpartition(":")[2]
            clients = [
                await asyncio.create_subprocess_exec(
                    *(sys.executable, str(CLIENT), "-h", "127.0.0.1", "-p", port, "-n", f"client{n}"),
                    *(("-r", "SEER") if n == 2 else ()),
                    env={"PYTHONPATH": ""},
                )
                for n in range(5)
            ]
            matches = [await table.next_match() for _ in range(3)]
            assert [await client.wait() for client in clients] == [0] * 5
            return matches

    for match in asyncio.run(main()):
        assert match.report.winner in ("VILLAGER", "WEREWOLF")
        assert (match.report.illegal, match.report.late, match.report.warnings) == (0, 0, ())
        assert {seat.guest: seat.role for seat in (s.seat for s in match.report.seats)}["client2"] == Role.SEER
        said = [event.text for event in match.events if isinstance(event, Talked)]
        assert any(text.startswith("BECAUSE" if habits.protocol else ">>Agent[") for text in said)


def test_fifteen_play_with_all_roles_asked() -> None:
    """Fifteen play, with every role asked at its time.

    Whispers only while two wolves live, no vote on day 0, and the night goes on after the deciding execution.
    """
    match, told = _played(_table(PROTOCOL, players=15, seed=2), [plain] * 15)
    assert match.report.winner in ("VILLAGER", "WEREWOLF")
    asked = [(event.seat, event.request) for event in match.events if isinstance(event, Asked)]
    roles = [seat.seat.role for seat in match.report.seats]
    for request, role in (("DIVINE", "SEER"), ("GUARD", "BODYGUARD"), ("ATTACK", "WEREWOLF"), ("WHISPER", "WEREWOLF")):
        assert {roles[seat] for seat, kind in asked if kind == request} == {role}
    first_day = [packet["request"] for packet in told[0]]
    assert first_day[:4] == ["NAME", "ROLE", "INITIALIZE", "DAILY_INITIALIZE"]
    wolves = [packets for packets in told if "WHISPER" in {packet["request"] for packet in packets}]
    assert len(wolves) == 3
    info = next(p["gameInfo"] for p in wolves[0] if p["request"] == "INITIALIZE")
    assert sum(role == "WEREWOLF" for role in info["roleMap"].values()) == 3
    assert all(len(packet["gameInfo"]) == 21 for packets in told for packet in packets if packet["gameInfo"])


def test_illegal_sentence_becomes_skip_and_third_becomes_over() -> None:
    """What is no sentence is not heard; it is told to the referee."""

    def rambles(packet: dict[str, Any]) -> str | None:
        return "hello there" if packet["request"] == "TALK" else plain(packet)

    match, _ = _played(_table(PROTOCOL), [rambles, plain, plain, plain, plain])
    seat = next(s.seat.idx for s in match.report.seats if s.seat.guest == "g0")
    said = [e.text for e in match.events if isinstance(e, Talked) and e.seat == seat and e.day == 1]
    assert said[:3] == ["Skip", "Skip", "Over"]
    assert match.report.seats[seat].faults[GuestFault.TRIMMED] >= 3


@pytest.mark.parametrize("habit", [True, False])
def test_vote_for_nobody_counts_by_the_setting(habit: bool) -> None:
    """A vote for nobody counts as the table's setting says.

    For somebody at random, as the server of 2021 has it, or for nobody.
    """

    def abstains(packet: dict[str, Any]) -> str | None:
        return "nobody" if packet["request"] == "VOTE" else plain(packet)

    habits = Habits(stray_votes=habit)
    match, _ = _played(_table(habits), [abstains] * 5)
    executed = [event for event in match.events if type(event).__name__ == "Executed"]
    assert all((event.target is not None) == habit for event in executed)  # type: ignore[union-attr]


def test_guest_in_this_process_is_not_late() -> None:
    """A guest of this process is not late while the process is held.

    Neither who thinks without letting go of it, nor who cannot even read because another does.
    """

    def slow(packet: dict[str, Any]) -> str | None:
        if packet["request"] in ("DAILY_INITIALIZE", "VOTE"):
            time.sleep(0.06)  # not for luck: twice the limit, and nothing else can run
        return plain(packet)

    match, _ = _played(_table(Habits(), limit=30), [slow] * 5)
    assert not match.report.aborted
    assert match.report.late == 0


@pytest.mark.parametrize("how", ["late", "gone"])
def test_failing_guest_ends_the_set_for_all(how: str) -> None:
    """There is no second chance on that server: the others see the end of the connection, and no FINISH."""
    talked = 0

    def fails(packet: dict[str, Any]) -> str | bytes | None:
        nonlocal talked
        talked += packet["request"] == "TALK"
        if talked >= 2:
            if how == "gone":
                raise ConnectionError
            return None
        return plain(packet)

    match, told = _played(_table(Habits(), games=5, limit=200), [fails, plain, plain, plain, plain])
    assert match.report.aborted
    assert match.report.late == 1
    assert all(packets[-1]["request"] != "FINISH" for packets in told)


def test_silent_connections_hold_nobody_up() -> None:
    """Whoever tells a name sits down, however many are there before who tell none."""

    async def scene() -> Match:
        async with _table(Habits()) as table, asyncio.timeout(8):
            silent = [await asyncio.open_connection("127.0.0.1", table.port) for _ in range(300)]
            sitting = [asyncio.create_task(_guest(table.url, f"g{number}", plain)) for number in range(5)]
            match = await table.next_match()
            await asyncio.gather(*sitting)
            for _, writer in silent:
                writer.transport.abort()
            return match

    assert not asyncio.run(scene()).report.aborted


def test_lines_nobody_asked_for_are_noted() -> None:
    """Lines that nobody asked for are noted and answer nothing.

    Two lines in one write: the second is lost, as it is there; the game goes on.
    """

    def twice(packet: dict[str, Any]) -> str | bytes | None:
        return b"Over\nOver\n" if packet["request"] == "TALK" else plain(packet)

    match, _ = _played(_table(Habits()), [twice, plain, plain, plain, plain])
    assert not match.report.aborted
    assert sum(seat.faults.get(GuestFault.UNASKED, 0) for seat in match.report.seats) >= 1


def test_events_come_live_and_sets_can_follow() -> None:
    """Events are told as they happen, and a second set can follow.

    The table stays open: who comes next plays the next set, under other numbers.
    """
    heard: list[Event] = []
    table = _table(Habits(), on_event=lambda _, event: heard.append(event))

    async def main() -> list[Match]:
        async with table, asyncio.timeout(30):
            matches = []
            for _ in range(2):
                sitting = [asyncio.create_task(_guest(table.url, f"g{n}", plain)) for n in range(5)]
                matches.append(await table.next_match())
                await asyncio.gather(*sitting)
            return matches

    first, second = asyncio.run(main())
    assert heard == [*first.events, *second.events]
    assert Request.FINISH in {event.request for event in first.events if isinstance(event, Asked)}


def test_arrivals_and_departures_before_sets_are_reported() -> None:
    """Who comes and who leaves before the set is told.

    With how many are here then; at the end of the set nobody leaves.
    """
    told: list[tuple[str, bool, int]] = []
    news = asyncio.Event()

    def heard(name: str, came: bool, here: int) -> None:
        told.append((name, came, here))
        news.set()

    async def main() -> None:
        table = _table(Habits())
        table.on_guest = heard
        async with table, asyncio.timeout(30):
            leaving = asyncio.create_task(_guest(table.url, "early", plain))
            await news.wait()
            news.clear()
            leaving.cancel()
            await news.wait()
            guests = [asyncio.create_task(_guest(table.url, "g", plain)) for _ in range(5)]
            await table.next_match()
            await asyncio.gather(*guests)

    asyncio.run(main())
    assert told == [("early", True, 1), ("early", False, 0), *(("g", True, here) for here in range(1, 6))]
