"""The waiting room: who sits down with whom."""

from __future__ import annotations

from nlp_agent.arena.guests import Guest
from nlp_agent.arena.server import Lobby


class Someone(Guest):
    """A guest without a connection."""

    def __init__(self, name: str, *, gone: bool = False) -> None:
        self.name, self.gone = name, gone


def _enter(lobby: Lobby, *names: str) -> list[list[str]]:
    return [[guest.name for guest in lobby.enter(Someone(name))] for name in names]


def test_anybody_may_sit_with_anybody() -> None:
    """The first who come play, in the order of their names; ``a10`` sits behind ``a2``."""
    lobby = Lobby(3)
    assert _enter(lobby, "b1", "a10", "a2", "c1") == [[], [], ["a2", "a10", "b1"], []]
    assert [guest.name for guest in lobby.waiting] == ["c1"]


def test_reserved_places_are_kept_by_team() -> None:
    """Places that were settled are kept by team, whoever comes first.

    Each team fills its own seats in the order of its numbers; one too many waits for the next game.
    """
    lobby = Lobby(4, ("b", "a", "b", "c"))
    assert _enter(lobby, "a1", "c1", "a2", "b10", "b2")[-1] == ["b2", "a1", "b10", "c1"]
    assert [guest.name for guest in lobby.waiting] == ["a2"]


def test_guests_whose_connection_is_gone_are_not_seated() -> None:
    """A dead connection is shown out before the next game is put together."""
    lobby = Lobby(2)
    lobby.enter(Someone("a1", gone=True))
    assert _enter(lobby, "a2", "a3") == [[], ["a2", "a3"]]


def test_leaving_twice_is_no_matter() -> None:
    """Whoever hangs up is forgotten, in the waiting room or not."""
    lobby, guest = Lobby(2), Someone("a1")
    lobby.enter(guest)
    lobby.leave(guest)
    lobby.leave(guest)
    assert lobby.waiting == ()
