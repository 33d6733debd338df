"""Game after game: reconnecting with patience, and leaving when asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from random import Random

import pytest

from nlp_agent.errors import SessionError
from nlp_agent.net import EntryLock, Session, Stop
from nlp_agent.net.reconnecting import LEAVES_AFTER, LONGEST_WAIT, play_games
from tests.net.server import FINISH, NAME, Guest, packet, server
from tests.net.test_session import Notes, Puppet


def test_it_returns_until_enough_games_are_played() -> None:
    """The seat comes back for the next game until enough were played.

    A finished game is followed by a new connection at once.
    """
    seen: list[str] = []

    async def script(guest: Guest) -> None:
        seen.append(await guest.ask(NAME))
        await guest.say(packet("INITIALIZE"))
        await guest.say(FINISH)
        await guest.nothing_more()

    async def main() -> int:
        async with server(script) as url:
            return await play_games(_sessions(url), games=3, stop=Stop(), on_status=seen.append, jitter=Random(1))

    assert asyncio.run(main()) == 3
    assert seen == ["team1"] * 3


def test_attempts_at_silent_address_are_spaced_out() -> None:
    """Attempts at a silent address are spaced further and further apart.

    Back-off doubles up to a minute, with jitter; each failure is told.
    """
    waits: list[float] = []
    told: list[str] = []
    stop = Stop()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 10:
            stop.request()

    async def main() -> int:
        async with server(lambda _: asyncio.sleep(0)) as url:
            pass
        return await play_games(
            _sessions(url), games=None, stop=stop, on_status=told.append, jitter=Random(1), sleep=sleep
        )

    assert asyncio.run(main()) == 0
    assert 0.5 <= waits[0] <= 1.5
    assert waits[6:] != waits[:4]
    assert max(waits) <= 1.5 * LONGEST_WAIT
    assert min(waits[6:]) >= 0.5 * LONGEST_WAIT
    assert len(told) == 10
    assert "nothing listens" in told[0]


def test_unreachable_single_game_is_an_error() -> None:
    """Without auto_reconnect the first failure ends the command."""

    async def main() -> None:
        async with server(lambda _: asyncio.sleep(0)) as url:
            pass
        await play_games(_sessions(url), games=1, stop=Stop(), on_status=print, jitter=Random(1))

    with pytest.raises(SessionError):
        asyncio.run(main())


def test_one_stop_leaves_an_idle_waiting_room() -> None:
    """One stop leaves the waiting room when no game begins.

    The server stays silent, so this is the waiting room, and nothing keeps the seat; the socket is closed.
    """
    stop = Stop()
    closed: list[list[str]] = []
    silences: list[float] = []

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        stop.request()
        closed.append(await guest.nothing_more())

    async def silence(seconds: float) -> None:
        silences.append(seconds)

    async def main() -> int:
        async with server(script) as url, asyncio.timeout(10):
            return await play_games(
                _sessions(url), games=None, stop=stop, on_status=lambda _: None, jitter=Random(1), sleep=silence
            )

    assert asyncio.run(main()) == 0
    assert closed == [[]]
    assert silences == [LEAVES_AFTER]


def test_one_stop_lets_a_beginning_game_be_played() -> None:
    """One stop between NAME and INITIALIZE does not end the game that begins.

    The game's first packet is on its way when the stop comes: the seat stays, and plays to the end.
    """
    stop = Stop()
    asked_to_leave = asyncio.Event()

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        stop.request()
        await asked_to_leave.wait()
        await guest.say(packet("INITIALIZE"))
        assert await guest.ask(packet("TALK")) == "my TALK"
        await guest.say(FINISH)
        await guest.nothing_more()

    async def silence(_: float) -> None:
        asked_to_leave.set()
        await asyncio.Event().wait()  # the clock stands: the packet comes before the silence has been long

    async def main() -> int:
        async with server(script) as url, asyncio.timeout(10):
            return await play_games(
                _sessions(url), games=None, stop=stop, on_status=lambda _: None, jitter=Random(1), sleep=silence
            )

    assert asyncio.run(main()) == 1


def test_two_stops_leave_the_waiting_room_at_once() -> None:
    """Whoever asks twice does not wait for silence."""
    stop = Stop()

    async def script(guest: Guest) -> None:
        await guest.ask(NAME)
        stop.request()
        stop.request()
        await guest.nothing_more()

    async def silence(_: float) -> None:
        await asyncio.Event().wait()

    async def main() -> int:
        async with server(script) as url, asyncio.timeout(10):
            return await play_games(
                _sessions(url), games=None, stop=stop, on_status=lambda _: None, jitter=Random(1), sleep=silence
            )

    assert asyncio.run(main()) == 0


def test_one_stop_finishes_the_game_and_two_abort() -> None:
    """One stop lets the running game finish; a second one ends it at once."""

    async def main(presses: int) -> int:
        stop = Stop()

        async def script(guest: Guest) -> None:
            await guest.ask(NAME)
            await guest.say(packet("INITIALIZE"))
            assert await guest.ask(packet("TALK")) == "my TALK"
            for _ in range(presses):
                stop.request()
            if presses == 1:
                assert await guest.ask(packet("VOTE")) == "my VOTE"
                await guest.say(FINISH)
            await guest.nothing_more()

        async with server(script) as url, asyncio.timeout(10):
            return await play_games(_sessions(url), games=None, stop=stop, on_status=lambda _: None, jitter=Random(1))

    assert asyncio.run(main(presses=1)) == 1
    assert asyncio.run(main(presses=2)) == 0


def _sessions(url: str) -> Callable[[], Session]:
    entry = EntryLock()
    return lambda: Session(url, "team1", Puppet(), Notes(), clock=time.monotonic, entry=entry)
