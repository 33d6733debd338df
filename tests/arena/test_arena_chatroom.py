"""Group chat at the table over real sockets: the official client, floods, late words and lost guests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from aiwolf_nlp_common.client import Client
from aiwolf_nlp_common.packet import Packet as OfficialPacket
from aiwolf_nlp_common.packet import Request as OfficialRequest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import GuestFault, Talked
from nlp_agent.arena.server import Table
from nlp_agent.arena.table import Match
from nlp_agent.arena.village import Village, contest_village
from nlp_agent.protocol import OVER, Packet, Request, parse_packet
from tests.arena.seats import other

Talker = Callable[[ClientConnection, Packet], Awaitable[None]]
"""Says what it likes when a packet came; questions are answered for it."""


async def _guest(url: str, name: str, talker: Talker) -> list[Packet]:
    packets: list[Packet] = []
    async with connect(url, ping_interval=None, compression=None) as connection:
        with suppress(ConnectionClosed):
            while True:
                packet = parse_packet(await connection.recv())
                packets.append(packet)
                if packet.request == "NAME":
                    await connection.send(name)
                elif packet.needs_reply:
                    await connection.send(other(packet))
                else:
                    await talker(connection, packet)
    return packets


def _play(village: Village, *talkers: Talker) -> tuple[Match, list[list[Packet]]]:
    async def scene() -> tuple[Match, list[list[Packet]]]:
        async with Table(village, seed=3) as table, asyncio.timeout(30):
            guests = [asyncio.create_task(_guest(table.url, f"t{n}", talker)) for n, talker in enumerate(talkers)]
            return await table.next_match(), await asyncio.gather(*guests)

    return asyncio.run(scene())


async def _two_words(connection: ClientConnection, packet: Packet) -> None:
    """Two talks, the second as an answer to what was heard last, then Over."""
    if packet.kind is Request.TALK_PHASE_START:
        await connection.send("Good morning everybody.")
    elif packet.new_talk and packet.info and packet.new_talk.turn == 0 and packet.new_talk.agent == packet.info.agent:
        await connection.send("And how are you?")
        await connection.send(OVER)


async def _silent(connection: ClientConnection, packet: Packet) -> None:
    if packet.kind in (Request.TALK_PHASE_START, Request.WHISPER_PHASE_START):
        await connection.send(OVER)


def _said(match: Match, guest: str, day: int = 0) -> list[str]:
    seat = next(seat.seat.idx for seat in match.report.seats if seat.seat.guest == guest)
    return [e.text for e in match.events if isinstance(e, Talked) and (e.seat, e.day) == (seat, day)]


def test_a_whole_game_of_group_chat() -> None:
    """Guests speak when they like; every talk reaches everybody, nothing is held against anyone."""
    match, packets = _play(contest_village(5, duration=20_000), *[_two_words] * 5)
    assert match.report.winner in ("VILLAGER", "WEREWOLF")
    assert match.report.warnings == ()
    for n, received in enumerate(packets):
        heard = [p.new_talk for p in received if p.new_talk is not None and p.new_talk.day == 0]
        assert len(heard) == 15
        assert [talk.idx for talk in heard] == list(range(15))
        assert _said(match, f"t{n}") == ["Good morning everybody.", "And how are you?", OVER]
    stamped = [line for line in match.game_log().split("\n") if ",talk," in line]
    assert all(abs(int(line.rsplit(",", 1)[1]) - match.times[0] // 1000) < 60 for line in stamped)


def test_flood_at_the_limit_leaves_others_their_words() -> None:
    """Three guests that send a thousand frames each as fast as they can, and two that say two words."""

    async def flooder(connection: ClientConnection, packet: Packet) -> None:
        if packet.kind is Request.TALK_PHASE_START:
            for number in range(1000):
                await connection.send(f"I talk and talk and talk {number}")

    village = contest_village(5, duration=20_000, max_day=0)
    match, packets = _play(village, _two_words, _two_words, flooder, flooder, flooder)
    first = {e.seat: e.idx for e in reversed(match.events) if isinstance(e, Talked)}
    for n in (0, 1):
        assert _said(match, f"t{n}") == ["Good morning everybody.", "And how are you?", OVER]
        assert first[n] < 5, "the first words of everybody come before anybody's second dozen"
        assert len([p for p in packets[n] if p.kind is Request.TALK_BROADCAST]) == 2 * 3 + 3 * 4
    for n in (2, 3, 4):
        assert _said(match, f"t{n}") == [f"I talk and talk and talk {number}" for number in range(4)]
        assert match.report.seats[n].dropped > 0
    assert not match.report.aborted


def test_words_after_the_end_shift_later_answers() -> None:
    """Words after the end of a phase answer the next question and shift all later answers.

    What comes between a phase and the vote is taken for the vote, as by the official server.
    """

    async def slow(connection: ClientConnection, packet: Packet) -> None:
        await _silent(connection, packet)
        if packet.kind is Request.TALK_PHASE_END:
            await connection.send("But I wanted to say...")

    async def waiting(connection: ClientConnection, packet: Packet) -> None:
        await _silent(connection, packet)
        if packet.kind is Request.DAILY_FINISH:
            await asyncio.sleep(0.05)  # the others' words are on their way, and no question is yet

    match, _ = _play(contest_village(5, duration=20_000, max_day=1), *[waiting] * 4, slow)
    faults = [seat.faults for seat in match.report.seats]
    assert faults[:4] == [{}] * 4
    assert faults[4][GuestFault.UNASKED] >= 2
    assert faults[4][GuestFault.VOID_TARGET] >= 1
    assert not match.report.aborted


def test_phase_goes_on_without_a_leaving_guest() -> None:
    """A phase goes on without a guest that leaves.

    The others have their say, and the phase its full time.
    """

    async def leaver(connection: ClientConnection, packet: Packet) -> None:
        if packet.kind is Request.TALK_PHASE_START:
            connection.transport.abort()

    match, _ = _play(contest_village(5, duration=500), leaver, *[_two_words] * 4)
    assert match.report.aborted
    assert match.report.seats[0].faults == {GuestFault.LOST: 1}
    assert _said(match, "t1") == ["Good morning everybody.", "And how are you?", OVER]


def test_closing_the_table_ends_a_flood() -> None:
    """Closing the table in the middle of a flood ends it.

    Nothing waits for a guest whose frames nobody will hear any more.
    """

    async def scene() -> None:
        begun = asyncio.Event()

        async def flooder(connection: ClientConnection, packet: Packet) -> None:
            if packet.kind is Request.TALK_PHASE_START:
                begun.set()
                while True:
                    await connection.send("More and more.")
                    await asyncio.sleep(0)

        async with asyncio.timeout(10):
            async with Table(contest_village(5, duration=600_000)) as table:
                guests = [asyncio.create_task(_guest(table.url, f"t{n}", flooder)) for n in range(5)]
                await begun.wait()
            await asyncio.gather(*guests)

    asyncio.run(scene())


# --- the official client ---------------------------------------------------------------------------------------


def _official_guest(url: str, name: str) -> list[OfficialPacket]:
    """One game with the official client: it says three words a phase, and whatever comes it has to parse."""
    client = Client(url, None)
    client.connect()
    packets: list[OfficialPacket] = []
    try:
        while not packets or packets[-1].request != OfficialRequest.FINISH:
            packet = client.receive()
            packets.append(packet)
            request, info = packet.request, packet.info
            if request == OfficialRequest.NAME:
                client.send(name)
            elif request in (OfficialRequest.TALK_PHASE_START, OfficialRequest.WHISPER_PHASE_START):
                client.send(f"This is {name}.")
                client.send("Over")
            elif request in (
                OfficialRequest.VOTE,
                OfficialRequest.DIVINE,
                OfficialRequest.GUARD,
                OfficialRequest.ATTACK,
            ):
                client.send(next(str(n) for n, s in info.status_map.items() if s == "ALIVE" and n not in info.role_map))
    finally:
        client.close()
    return packets


def test_the_official_client_parses_every_packet() -> None:
    """Nine guests on it play a village with whispers; their line breaks at the end cost nothing."""

    async def scene() -> tuple[Match, list[list[OfficialPacket]]]:
        cast, loop = load_cast("ja"), asyncio.get_running_loop()
        with ThreadPoolExecutor(9) as threads:
            async with Table(contest_village(9, "ja", duration=20_000), cast=cast, seed=5) as table:
                games = [loop.run_in_executor(threads, _official_guest, table.url, f"team{n}") for n in range(1, 10)]
                return await table.next_match(), await asyncio.gather(*games)

    match, packets = asyncio.run(scene())
    assert match.report.warnings == ()
    heard = {packet.request for received in packets for packet in received}
    kinds = "TALK_PHASE_START TALK_BROADCAST TALK_PHASE_END WHISPER_PHASE_START WHISPER_BROADCAST WHISPER_PHASE_END"
    assert {str(request) for request in heard} >= set(kinds.split())
    for received in packets:
        talks = [packet.new_talk for packet in received if packet.request == OfficialRequest.TALK_BROADCAST]
        assert all(talk is not None and talk.agent and talk.text for talk in talks)
        assert {talk.day for talk in talks if talk} >= {0}
