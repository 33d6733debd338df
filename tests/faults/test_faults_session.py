"""What the session owes a table that repeats itself, mixes games up, or meets a player that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.protocol import Packet, Request
from nlp_agent.seat import Decision, How
from tests.faults.table import of_another_game
from tests.net.server import FINISH, NAME, SETTING, Guest, packet
from tests.net.test_session import Notes, Puppet, _play

Script = Callable[[Guest, list[str]], Awaitable[None]]


def _frames(script: Script, player: Puppet | None = None, notes: Notes | None = None) -> list[str]:
    """What a seat sends after its name, in a game that goes as ``script`` says."""
    frames: list[str] = []

    async def whole(guest: Guest) -> None:
        await guest.ask(NAME)
        await script(guest, frames)
        await guest.say(FINISH)
        frames.extend(await guest.nothing_more())

    asyncio.run(_play(whole, player or Puppet(), notes))
    return frames


def test_a_request_that_comes_twice_is_answered_once() -> None:
    """While it is being answered and after it was, for talks and targets."""

    async def script(guest: Guest, frames: list[str]) -> None:
        await guest.say(packet("INITIALIZE"))
        for request in ("TALK", "DIVINE"):
            await guest.say(packet(request))
            frames.append(await guest.ask(packet(request)))
            await guest.say(packet(request))

    assert _frames(script) == ["my TALK", "my DIVINE"]


def test_second_round_of_a_vote_is_answered() -> None:
    """The second round of a vote looks like the first and is answered.

    With two rounds in the settings two equal packets are two questions, a third is not.
    """

    async def script(guest: Guest, frames: list[str]) -> None:
        await guest.say(packet("INITIALIZE", setting={**SETTING, "vote": {"max_count": 2}}))
        for _ in range(2):
            frames.append(await guest.ask(packet("VOTE")))
        await guest.say(packet("VOTE"))

    assert _frames(script) == ["my VOTE", "my VOTE"]


class Stubborn(Puppet):
    """Answers all the same when a thought is to be given up."""

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        try:
            return await super().answer(packet, last)
        except asyncio.CancelledError:
            return Decision(packet.request, self.state.day, "too late", How.STRATEGY)


@pytest.mark.parametrize("kind", [Puppet, Stubborn])
def test_abandoned_talk_may_be_asked_again(kind: type[Puppet]) -> None:
    """A talk that was given up may be asked again.

    NAME took the first answer away, so it is not sent, not even by who does not let go of it; and the same packet is
    a question again.
    """
    player = kind()
    player.let_go.clear()

    async def script(guest: Guest, frames: list[str]) -> None:
        await guest.say(packet("INITIALIZE"))
        await guest.say(packet("TALK"))
        await player.thinking.wait()
        frames.append(await guest.ask(NAME))
        player.let_go.set()
        frames.append(await guest.ask(packet("TALK")))

    assert _frames(script, player) == ["team1", "my TALK"]


def test_packets_of_another_game_are_never_heeded() -> None:
    """Packets of another game are answered where they ask, and never heeded.

    A talk is Over, a target lives there; nothing of it reaches the player, and its end is not ours.
    """
    player, notes = Puppet(), Notes()

    async def script(guest: Guest, frames: list[str]) -> None:
        await guest.say(of_another_game(Request.FINISH))
        await guest.say(packet("INITIALIZE"))
        await guest.say(of_another_game(Request.INITIALIZE))
        for request in (Request.TALK, Request.VOTE):
            frames.append(await guest.ask(of_another_game(request)))
        await guest.say(of_another_game(Request.FINISH))
        frames.append(await guest.ask(packet("VOTE")))

    assert _frames(script, player, notes) == ["Over", "Gamma", "my VOTE"]
    assert player.heard == ["INITIALIZE", "VOTE", "FINISH"]
    assert sum(event == "problem" for event, _ in notes.rows) == 5


class Failing(Puppet):
    """Breaks both of a player's promises."""

    def hear(self, packet: Packet) -> None:
        super().hear(packet)
        raise ZeroDivisionError

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        raise ZeroDivisionError


def test_failing_player_costs_quality_only() -> None:
    """A player that fails against its promise costs quality only.

    A plain legal answer goes out, the traceback is in the journal, the crash is counted.
    """
    player, notes = Failing(), Notes()

    async def script(guest: Guest, frames: list[str]) -> None:
        await guest.say(packet("INITIALIZE"))
        for request in ("TALK", "VOTE"):
            frames.append(await guest.ask(packet(request)))

    assert _frames(script, player, notes) == ["Over", "Leo"]
    crashes = [row for event, row in notes.rows if event == "crash"]
    assert player.stats.crashes == len(crashes) == 6
    assert all("ZeroDivisionError" in row["traceback"] for row in crashes)
