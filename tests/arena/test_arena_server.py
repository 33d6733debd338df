"""The table over real sockets: guests on the official client library, and guests that misbehave."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from aiwolf_nlp_common.client import Client
from aiwolf_nlp_common.packet import Packet as OfficialPacket
from aiwolf_nlp_common.packet import Request as OfficialRequest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Event, GuestFault, Talked
from nlp_agent.arena.server import Table, make_game_id
from nlp_agent.arena.table import Match
from nlp_agent.arena.village import Village, contest_village
from nlp_agent.errors import TableError
from nlp_agent.protocol import Packet, Timeout, parse_packet
from tests.arena.seats import quiet

Talker = Callable[[ClientConnection, Packet], Awaitable[bool]]
"""Handles a packet itself and says so, or leaves it to the usual answer."""


# --- guests on the official client ---------------------------------------------------------------------------


def _official_guest(url: str, name: str) -> list[OfficialPacket]:
    """Play one game with the official client; every packet it parsed."""
    client = Client(url, None)
    client.connect()
    packets: list[OfficialPacket] = []
    try:
        while not packets or packets[-1].request != OfficialRequest.FINISH:
            packet = client.receive()
            packets.append(packet)
            answer = _official_answer(packet, name)
            if answer is not None:
                client.send(answer)
    finally:
        client.close()
    return packets


def _official_answer(packet: OfficialPacket, name: str) -> str | None:
    request, info = packet.request, packet.info
    if request == OfficialRequest.NAME:
        return name
    if request in (OfficialRequest.TALK, OfficialRequest.WHISPER):
        return f"This is {name} on day {info.day}." if info.remain_count else "Over"
    if request in (OfficialRequest.VOTE, OfficialRequest.DIVINE, OfficialRequest.GUARD, OfficialRequest.ATTACK):
        return next(str(n) for n, status in info.status_map.items() if status == "ALIVE" and n not in info.role_map)
    return None


@pytest.mark.parametrize(("players", "language"), [(5, "ja"), (13, "en")])
def test_guests_on_official_client_play_a_game(players: int, language: str) -> None:
    """Guests on the official client play a whole game.

    Thirteen arrivals at once are seated, every packet is parsed, FINISH reaches all, and nothing is held wrong.
    """

    async def scene() -> tuple[Match, list[list[OfficialPacket]]]:
        cast, loop = load_cast(language), asyncio.get_running_loop()
        with ThreadPoolExecutor(players) as threads:
            async with Table(contest_village(players, language), cast=cast, seed=5) as table:
                games = [
                    loop.run_in_executor(threads, _official_guest, table.url, f"team{number}")
                    for number in range(1, players + 1)
                ]
                return await table.next_match(), await asyncio.gather(*games)

    match, packets = asyncio.run(scene())
    assert match.report.winner in ("VILLAGER", "WEREWOLF")
    assert match.report.warnings == ()
    names = {seat.name for seat in load_cast(language)}
    for received in packets:
        assert received[0].request == OfficialRequest.NAME
        assert received[1].request == OfficialRequest.INITIALIZE
        assert received[1].info.profile
        assert set(received[-1].info.role_map) < names
        assert len(received[-1].info.role_map) == players
    assert len(match.times) == len(match.events)
    assert match.json_log()["win_side"] == match.report.winner
    assert match.game_log().split("\n")[-1].endswith(match.report.winner)


# --- guests of our own making --------------------------------------------------------------------------------


async def _guest(url: str, name: str, talker: Talker | None = None, **options: Any) -> list[Packet]:
    """Play until the connection ends; the packets received."""
    packets: list[Packet] = []
    async with connect(url, ping_interval=None, compression=None, **options) as connection:
        with suppress(ConnectionClosed):
            while True:
                packet = parse_packet(await connection.recv())
                packets.append(packet)
                if talker is not None and await talker(connection, packet):
                    continue
                if packet.request == "NAME":
                    await connection.send(name)
                elif packet.needs_reply:
                    await connection.send(quiet(packet) or "")
    assert connection.close_code == 1006, "the table closes without a close frame"
    return packets


def _play(
    talker: Talker | None = None, *, village: Village | None = None, **options: Any
) -> tuple[Match, list[list[Packet]]]:
    """One game of five quiet guests, of whom the first has a ``talker``."""

    async def scene() -> tuple[Match, list[list[Packet]]]:
        async with Table(village or contest_village(5), seed=1, **options) as table:
            talkers = [talker, None, None, None, None]
            guests = [
                asyncio.create_task(_guest(table.url, f"kano{n}", talk)) for n, talk in enumerate(talkers, start=1)
            ]
            match = await table.next_match()
            return match, await asyncio.gather(*guests)

    return asyncio.run(scene())


def _hasty(action: int = 1000, response: int = 60_000) -> Village:
    """A village that waits ``action`` milliseconds without grace."""
    return replace(contest_village(5), timeout=Timeout(action=action, response=response), grace=0)


def _first_time(request: str) -> Callable[[Packet], bool]:
    """True for the first packet of ``request`` only."""
    seen: list[Packet] = []

    def first(packet: Packet) -> bool:
        if packet.request == request and not seen:
            seen.append(packet)
            return True
        return False

    return first


def test_guest_that_answers_name_after_timeout_plays_on() -> None:
    """The missing talk becomes Skip; the seat answers later questions and receives FINISH."""
    first = _first_time("TALK")

    async def silent_once(_: ClientConnection, packet: Packet) -> bool:
        return first(packet)

    match, packets = _play(silent_once, village=_hasty())
    assert [packet.request for packet in packets[0]].count("NAME") == 2
    assert packets[0][-1].request == "FINISH"
    assert match.report.seats[0].faults == {GuestFault.TIMEOUT: 1}
    assert match.report.winner != "NONE"


def test_late_answer_instead_of_name_aborts_the_game() -> None:
    """A late answer where the name is due kills the seat and the game.

    The guest gets nothing more, not even FINISH; one of five lost aborts the game for all.
    """
    first = _first_time("TALK")

    async def late(connection: ClientConnection, packet: Packet) -> bool:
        if packet.request == "NAME" and packet_count:
            await connection.send("Sorry, I was thinking.")
            return True
        packet_count.append(1)
        return first(packet)

    packet_count: list[int] = []
    match, packets = _play(late, village=_hasty())
    assert packets[0][-1].request == "NAME"
    assert all(received[-1].request == "FINISH" for received in packets[1:])
    assert (match.report.winner, match.report.aborted) == ("NONE", True)
    assert match.report.seats[0].faults == {GuestFault.LATE: 1, GuestFault.LOST: 1}
    assert match.report.seats[0].late == 1


def test_two_answers_to_one_question_shift_later_ones() -> None:
    """The surplus frame is warned of, and becomes the answer to the next question."""
    first = _first_time("TALK")

    async def twice(connection: ClientConnection, packet: Packet) -> bool:
        if not first(packet):
            return False
        await connection.send("One.")
        await connection.send("Two.")
        return True

    match, _ = _play(twice)
    said = [event.text for event in match.events if isinstance(event, Talked) and event.seat == 0]
    assert said[:2] == ["One.", "Two."]
    faults = match.report.seats[0].faults
    assert faults[GuestFault.UNASKED] >= 1
    assert faults[GuestFault.VOID_TARGET] >= 1
    assert any("nobody asked for" in warning for warning in match.report.warnings)


def test_a_polite_close_loses_the_seat_at_once() -> None:
    """A close frame is noticed without waiting: the patience of a minute is not used up."""
    first = _first_time("TALK")

    async def leave(connection: ClientConnection, packet: Packet) -> bool:
        if first(packet):
            await connection.close()
        return False

    async def scene() -> Match:
        async with Table(contest_village(5), seed=1) as table:
            others = [asyncio.create_task(_guest(table.url, f"kano{n}")) for n in range(2, 6)]
            await asyncio.gather(_leaving(table.url, leave), *others)
            return await table.next_match()

    match = asyncio.run(scene())
    assert match.report.aborted
    assert match.report.seats[0].faults == {GuestFault.LOST: 1}


async def _leaving(url: str, talker: Talker) -> None:
    async with connect(url, ping_interval=None) as connection:
        while connection.close_code is None:
            packet = parse_packet(await connection.recv())
            if not await talker(connection, packet) and packet.request == "NAME":
                await connection.send("kano1")


def test_dropped_connection_is_waited_for_and_then_lost() -> None:
    """Without a close frame everybody waits out the response time, as on the real server."""
    first = _first_time("TALK")

    async def drop(connection: ClientConnection, packet: Packet) -> bool:
        if first(packet):
            connection.transport.abort()
        return False

    match, packets = _play(drop, village=_hasty(action=60_000, response=50))
    assert match.report.seats[0].faults == {GuestFault.LOST: 1}
    assert all(received[-1].request == "FINISH" for received in packets[1:])


def test_keep_alive_pings_are_warned_of_once() -> None:
    """Our table answers them, the official server does not."""

    async def ping(connection: ClientConnection, _: Packet) -> bool:
        await connection.ping()
        return False

    match, _ = _play(ping)
    assert match.report.seats[0].faults == {GuestFault.PING: 1}


def test_binary_frames_are_read_as_text() -> None:
    """As on the real server, and whatever the bytes are."""
    first = _first_time("TALK")

    async def binary(connection: ClientConnection, packet: Packet) -> bool:
        if not first(packet):
            return False
        await connection.send("人狼です".encode() + b"\xff")
        return True

    match, _ = _play(binary)
    assert match.events[0]
    assert next(e.text for e in match.events if isinstance(e, Talked) and e.seat == 0) == "人狼です\ufffd"


# --- the waiting room ----------------------------------------------------------------------------------------


async def _until(condition: Callable[[], bool]) -> None:
    """Let others work until ``condition`` holds; what is waited for comes from sockets, not from time."""
    while not condition():  # noqa: ASYNC110 - the waiting room tells nobody of changes
        await asyncio.sleep(0)


def test_dead_connections_waiting_are_not_seated() -> None:
    """Dead connections in the waiting room are not seated.

    A guest that dropped before the game began does not ruin it.
    """

    async def scene() -> Match:
        async with Table(contest_village(5), seed=1) as table:
            async with connect(table.url) as ghost:
                await ghost.recv()
                await ghost.send("kano9")
                await _until(lambda: table.waiting == ("kano9",))
                ghost.transport.abort()
                await _until(lambda: table.waiting == ())
            await asyncio.gather(*(_guest(table.url, f"kano{n}") for n in range(1, 6)))
            return await table.next_match()

    match = asyncio.run(scene())
    assert [report.seat.guest for report in match.report.seats] == [f"kano{n}" for n in range(1, 6)]
    assert match.report.warnings == ()


def test_games_run_at_once_and_in_a_row() -> None:
    """Several games are run at once and in a row.

    Ten guests play two games at the same time, five of them another one; events come with their game's id.
    """
    heard: dict[str, list[Event]] = {}

    async def scene() -> list[Match]:
        village = contest_village(5)
        async with Table(village, seed=1, on_event=lambda game, e: heard.setdefault(game, []).append(e)) as table:
            await asyncio.gather(*(_guest(table.url, f"kano{n}") for n in range(1, 11)))
            await asyncio.gather(*(_guest(table.url, f"kano{n}") for n in range(1, 6)))
            return [await table.next_match() for _ in range(3)]

    matches = asyncio.run(scene())
    seated = Counter(report.seat.guest for match in matches for report in match.report.seats)
    assert seated == {f"kano{n}": 2 if n < 6 else 1 for n in range(1, 11)}
    assert {match.report.game_id: list(match.events) for match in matches} == heard


@pytest.mark.parametrize(
    ("query", "header", "welcome"),
    [("", "Bearer right", True), ("?token=right", "Bearer wrong", True), ("?token=wrong", "Bearer right", False)],
)
def test_tokens_open_the_door(query: str, header: str, welcome: bool) -> None:
    """The token in the address beats the header's; a wrong one is dropped after NAME without a word."""

    async def scene() -> bool:
        async with Table(contest_village(5), tokens={"kano": "right"}) as table:
            headers = {"Authorization": header}
            async with connect(table.url + query, additional_headers=headers) as connection:
                assert parse_packet(await connection.recv()).request == "NAME"
                await connection.send("kano1")
                dropped = asyncio.create_task(connection.wait_closed())
                await _until(lambda: bool(table.waiting) or dropped.done())
                return bool(table.waiting)

    assert asyncio.run(scene()) == welcome


@pytest.mark.parametrize(
    ("path", "headers"),
    [("/ws", ["Bearer right", "Bearer right"]), ("//[", []), ("/ws?token=%E3%81%82", []), ("/ws?token=%ED%A0%80", [])],
)
def test_malformed_tokens_and_addresses_are_turned_away(
    path: str, headers: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Guests with two tokens or a malformed address do not count as an error of the server.

    Such guests are let go like all who show no token, and nothing fails.
    """

    async def scene() -> None:
        async with Table(contest_village(5), tokens="right") as table:
            shown = [("Authorization", header) for header in headers]
            async with connect(table.url.removesuffix("/ws") + path, additional_headers=shown) as connection:
                await connection.recv()
                await connection.send("kano1")
                await connection.wait_closed()
            assert not table.waiting

    asyncio.run(scene())
    assert [record.exc_info for record in caplog.records if record.exc_info] == []


def test_a_team_without_a_token_may_show_any() -> None:
    """Where none is needed, an agent that shows one at every server sits down as well."""

    async def scene() -> list[str]:
        async with Table(contest_village(5), tokens={"kano": ""}) as table:
            headers = {"Authorization": "Bearer of-another-server"}
            async with connect(table.url, additional_headers=headers) as connection:
                await connection.recv()
                await connection.send("kano1")
                dropped = asyncio.create_task(connection.wait_closed())
                await _until(lambda: bool(table.waiting) or dropped.done())
                return list(table.waiting)

    assert asyncio.run(scene()) == ["kano1"]


# --- the table itself ----------------------------------------------------------------------------------------


def test_a_taken_port_is_one_clear_error() -> None:
    """The message names the address and says what to do."""

    async def scene() -> None:
        async with Table(contest_village(5)) as table:
            other = Table(contest_village(5), port=table.port)
            with pytest.raises(TableError, match=f"{table.port}.*choose another port"):
                await other.open()

    asyncio.run(scene())


def test_closing_breaks_off_games_and_nameless_guests() -> None:
    """Nobody is left hanging: guests in a game, in the waiting room and before NAME all see the end."""

    async def never(_: ClientConnection, packet: Packet) -> bool:
        return packet.request == "TALK"

    async def mute(_: ClientConnection, __: Packet) -> bool:
        return True

    async def scene() -> list[list[Packet]]:
        async with Table(contest_village(5), seed=1) as table:
            guests = [asyncio.create_task(_guest(table.url, f"kano{n}", never)) for n in range(1, 7)]
            guests.append(asyncio.create_task(_guest(table.url, "mute", mute)))
            await _until(lambda: len(table.waiting) == 1)
        return await asyncio.gather(*guests)

    assert all(packets[0].request == "NAME" for packets in asyncio.run(scene()) if packets)


def test_errors_in_a_game_reach_its_waiter() -> None:
    """What breaks a game is raised to whoever waits for it.

    An ``on_event`` that fails is not swallowed.
    """

    def broken(_: str, event: Event) -> None:
        if isinstance(event, Talked):
            raise RuntimeError("no more paper")

    with pytest.raises(RuntimeError, match="no more paper"):
        _play(on_event=broken)


def test_game_ids_look_like_the_real_servers() -> None:
    """A ULID: 26 letters, ordered by time."""
    early, late = make_game_id(1_795_252_103_837, "1/1"), make_game_id(1_795_252_103_838, "1/1")
    assert len(early) == 26
    assert early < late
    assert early.startswith("01M7YNTAMX")
