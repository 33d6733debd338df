"""The session on real sockets: one frame a request, none late, NAME at any moment."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from nlp_agent.deadline import Clock, Deadline
from nlp_agent.errors import SessionError
from nlp_agent.game import SeatState
from nlp_agent.net import EntryLock, GameOutcome, Session, connection
from nlp_agent.net.session import PhaseTalks
from nlp_agent.protocol import Packet, Request, parse_packet
from nlp_agent.seat import Decision, How, Pace, SeatStats
from tests.net.server import FINISH, NAME, Guest, packet, server
from tests.timing import TIMING


class Puppet:
    """A player that answers with the request's name when ``let_go`` allows it."""

    def __init__(self) -> None:
        self.state, self.stats, self.timing = SeatState(), SeatStats(), TIMING
        self.heard: list[str] = []
        self.thinking = asyncio.Event()
        self.let_go = asyncio.Event()
        self.let_go.set()
        self.sent: list[str] = []
        self.missed: list[str] = []

    def hear(self, packet: Packet) -> None:
        self.state.apply(packet)
        self.heard.append(packet.request)

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        self.thinking.set()
        await self.let_go.wait()
        return Decision(packet.request, self.state.day, f"my {packet.request}", How.STRATEGY)

    def join(self, request: Request, closes: Deadline, pace: Pace) -> PhaseTalks:
        raise AssertionError("this player takes part in no group chat")

    def delivered(self, decision: Decision, deadline: Deadline) -> None:
        self.sent.append(decision.text)

    def leave(self) -> None:
        """Nothing goes on in the background."""

    def dropped(self, decision: Decision | None, request: str, why: str, deadline: Deadline) -> None:
        self.missed.append(f"{request}: {why}")


class Notes:
    def __init__(self) -> None:
        self.rows: list[tuple[str, Mapping[str, Any]]] = []

    def write(self, event: str, row: Mapping[str, Any]) -> None:
        self.rows.append((event, row))


async def _play(
    script: Callable[[Guest], Awaitable[None]],
    player: Puppet,
    notes: Notes | None = None,
    clock: Clock = time.monotonic,
    token: str = "",
) -> GameOutcome:
    async with server(script) as url, asyncio.timeout(10):
        return await Session(url, "team1", player, notes or Notes(), clock=clock, entry=EntryLock(), token=token).play()


def test_a_game_is_played_from_name_to_finish() -> None:
    """Requests that need a reply get exactly one; the others get none."""
    frames: list[str] = []

    async def script(guest: Guest) -> None:
        frames.append(await guest.ask(NAME))
        await guest.say(packet("INITIALIZE"))
        await guest.say(packet("DAILY_INITIALIZE"))
        for request in ("TALK", "VOTE", "DIVINE"):
            frames.append(await guest.ask(packet(request)))
        await guest.say(packet("DAILY_FINISH"))
        await guest.say(FINISH)
        frames.extend(await guest.nothing_more())

    async def main() -> None:
        player = Puppet()
        assert await _play(script, player, token="t0ken") == GameOutcome(started=True, finished=True)
        assert frames == ["team1", "my TALK", "my VOTE", "my DIVINE"]
        assert player.heard[0] == "INITIALIZE"

    asyncio.run(main())


def test_name_during_thought_is_answered_at_once() -> None:
    """NAME in the middle of a thought is answered at once, and the thought is never sent.

    After a timeout the next frame must be the name; the late answer would kill the seat.
    """
    frames: list[str] = []

    async def main() -> None:
        player = Puppet()
        player.let_go.clear()

        async def script(guest: Guest) -> None:
            await guest.ask(NAME)
            await guest.say(packet("INITIALIZE"))
            await guest.say(packet("TALK"))
            await player.thinking.wait()
            frames.append(await guest.ask(NAME))
            player.let_go.set()
            frames.append(await guest.ask(packet("VOTE")))
            await guest.say(FINISH)
            frames.extend(await guest.nothing_more())

        await _play(script, player)
        assert frames == ["team1", "my VOTE"]
        assert player.missed == ["TALK: NAME was asked: the server has given up waiting"]

    asyncio.run(main())


def test_answer_after_the_last_moment_is_not_sent() -> None:
    """An answer after the last moment is not sent.

    The clock has passed the ceiling when the thought is ready.
    """
    now = [100.0]

    async def main() -> None:
        player = Puppet()
        player.let_go.clear()

        async def script(guest: Guest) -> None:
            await guest.ask(NAME)
            await guest.say(packet("INITIALIZE", action_ms=2000))
            await guest.say(packet("TALK"))
            await player.thinking.wait()
            now[0] += 1.9
            player.let_go.set()
            assert await guest.ask(NAME) == "team1"
            await guest.say(FINISH)
            assert await guest.nothing_more() == []

        await _play(script, player, clock=lambda: now[0])
        assert player.sent == []
        assert player.missed == ["TALK: too late to be sent"]

    asyncio.run(main())


def test_what_is_no_packet_is_noted_and_survived() -> None:
    """Noise on the line, an unknown request and a game that goes on."""

    async def main() -> None:
        notes = Notes()

        async def script(guest: Guest) -> None:
            await guest.ask(NAME)
            await guest.say("not json")
            await guest.say('{"request":"DANCE"}')
            assert await guest.ask(packet("TALK")) == "my TALK"
            await guest.say(FINISH)

        await _play(script, Puppet(), notes)
        assert [row["what"][:8] for event, row in notes.rows if event == "problem"] == ["not JSON"]
        assert any("unknown request" in str(row.get("problems")) for _, row in notes.rows)

    asyncio.run(main())


def test_the_token_travels_in_the_header() -> None:
    """As ``Authorization: Bearer``; never in the address."""

    async def script(guest: Guest) -> None:
        assert guest.token == "Bearer t0ken"
        await guest.ask(NAME)
        await guest.say(FINISH)

    asyncio.run(_play(script, Puppet(), token="t0ken"))


@pytest.mark.parametrize(
    ("frames", "told"),
    [
        ([], "before it asked for a name"),
        ([NAME], "closed the connection after NAME (team1): wrong token or team?"),
        ([NAME, packet("INITIALIZE"), packet("DAILY_INITIALIZE")], "lost on day 1 after DAILY_INITIALIZE"),
    ],
)
def test_lost_connection_is_explained_by_its_time(frames: list[str], told: str) -> None:
    """A lost connection is explained by when it was lost.

    The official server closes without a close frame or a word.
    """

    async def script(guest: Guest) -> None:
        for frame in frames:
            await guest.say(frame)
            if frame == NAME:
                await guest.hear()
        # A round trip on the same connection: everything said before has surely arrived.
        await (await guest.connection.ping())
        guest.drop()

    with pytest.raises(SessionError) as failure:
        asyncio.run(_play(script, Puppet()))
    assert told in str(failure.value)


def test_dead_address_is_reported_in_one_line() -> None:
    """The message names the address and what to look at, but no user, password or token that stands in it."""

    async def main() -> None:
        async with server(lambda _: asyncio.sleep(0)) as url:
            pass
        url = f"{url.replace('ws://', 'ws://me:secretpw@')}?token=hidden"
        await Session(url, "team1", Puppet(), Notes(), clock=time.monotonic, entry=EntryLock()).play()

    with pytest.raises(SessionError, match=r"nothing listens at ws://127") as failure:
        asyncio.run(main())
    assert not {"secretpw", "hidden"} & set(re.findall(r"\w+", str(failure.value)))


def test_seats_of_one_process_connect_one_after_another() -> None:
    """The next connection opens only after the one before has answered NAME."""
    log: list[str] = []

    async def script(guest: Guest) -> None:
        log.append("open")
        await guest.ask(NAME)
        log.append("named")
        await guest.say(FINISH)
        await guest.nothing_more()

    async def main() -> None:
        entry = EntryLock()
        async with server(script) as url:
            sessions = [
                Session(url, f"team{k}", Puppet(), Notes(), clock=time.monotonic, entry=entry) for k in (1, 2, 3)
            ]
            await asyncio.gather(*(session.play() for session in sessions))

    asyncio.run(main())
    assert log == ["open", "named"] * 3


@pytest.mark.parametrize("frame", ["\x00\x01", "request -> TALK", '{"requ', b"\xff\xfe\xff"])
def test_likely_unreadable_request_is_answered_in_time(frame: str | bytes) -> None:
    """An unreadable frame is answered in time where a request is likely.

    Whoever waits for the answer stays silent; it goes out at the last moment, by what was known before.
    """
    frames: list[str] = []

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        await guest.say(packet("INITIALIZE", action_ms=5200))
        await guest.say(packet("DAILY_INITIALIZE", action_ms=5200))
        await guest.connection.send(frame)
        frames.append(await guest.hear())
        await guest.say(FINISH)
        frames.extend(await guest.nothing_more())

    async def main() -> None:
        player, notes = Puppet(), Notes()
        player.timing = replace(TIMING, give_up=0.5)
        await _play(script, player, notes)
        assert frames == ["my TALK"]
        assert any(event == "packet" and "unreadable" in str(row.get("problems")) for event, row in notes.rows)

    asyncio.run(main())


@pytest.mark.parametrize("frame", ["\x00\x01", "request -> TALK"])
def test_unreadable_frame_before_a_packet_is_unanswered(frame: str) -> None:
    """An unreadable frame that a packet follows is not answered.

    An answer that nobody waits for would be taken for that to the next request.
    """
    frames: list[str] = []

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        await guest.say(packet("INITIALIZE"))
        for request in ("DAILY_INITIALIZE", "TALK", "DAILY_FINISH", "VOTE"):
            await guest.say(frame)
            if request in ("TALK", "VOTE"):
                frames.append(await guest.ask(packet(request)))
            else:
                await guest.say(packet(request))
        await guest.say(frame)
        await guest.say(FINISH)
        frames.extend(await guest.nothing_more())

    async def main() -> None:
        player = Puppet()
        await _play(script, player)
        assert frames == ["my TALK", "my VOTE"]
        assert player.missed == []

    asyncio.run(main())


def test_frame_that_breaks_reading_costs_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame that makes this program's own reading fail costs no game.

    It is told as a crash, and the next packet is answered.
    """

    def read(raw: str | bytes) -> Packet:
        if "SONG" in str(raw):
            raise OverflowError("too much")
        return parse_packet(raw)

    monkeypatch.setattr(connection, "parse_packet", read)
    frames: list[str] = []

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        await guest.say(packet("INITIALIZE"))
        await guest.say("SONG")
        frames.append(await guest.ask(packet("VOTE")))
        await guest.say(FINISH)
        frames.extend(await guest.nothing_more())

    async def main() -> None:
        player, notes = Puppet(), Notes()
        await _play(script, player, notes)
        assert frames == ["my VOTE"]
        assert player.stats.crashes == 1
        assert any(event == "crash" for event, _ in notes.rows)

    asyncio.run(main())
