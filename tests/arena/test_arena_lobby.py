"""The waiting room: who sits down with whom."""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.arena.chance import team_of
from nlp_agent.arena.server import Lobby, Seating


@dataclass(eq=False)
class Someone:
    name: str
    gone: bool = False

    @property
    def team(self) -> str:
        return team_of(self.name)


def _enter(lobby: Lobby[Someone], *names: str) -> list[list[str]]:
    return [[guest.name for guest in lobby.enter(Someone(name))] for name in names]


def test_self_match_seats_one_team_in_order() -> None:
    """A self-match seats one team in the order of its numbers.

    Other teams keep waiting; ``a10`` sits behind ``a2``.
    """
    lobby = Lobby[Someone](3, Seating.SELF)
    assert _enter(lobby, "a10", "b1", "a2", "b2", "a1") == [[], [], [], [], ["a1", "a2", "a10"]]
    assert [guest.name for guest in lobby.waiting] == ["b1", "b2"]


def test_team_match_seats_one_of_each() -> None:
    """A second connection of a team waits for the next game."""
    lobby = Lobby[Someone](3, Seating.TEAMS)
    assert _enter(lobby, "a1", "a2", "b1", "c1") == [[], [], [], ["a1", "b1", "c1"]]
    assert [guest.name for guest in lobby.waiting] == ["a2"]


def test_anybody_may_sit_with_anybody() -> None:
    """The first who come play."""
    assert _enter(Lobby(2, Seating.ANY), "b1", "a1", "c1") == [[], ["a1", "b1"], []]


def test_reserved_places_are_kept_by_team() -> None:
    """Places that were settled are kept by team, whoever comes first.

    Each team fills its own seats in the order of its numbers; one too many waits for the next game.
    """
    lobby = Lobby[Someone](4, ("b", "a", "b", "c"))
    assert _enter(lobby, "a1", "c1", "a2", "b10", "b2")[-1] == ["b2", "a1", "b10", "c1"]
    assert [guest.name for guest in lobby.waiting] == ["a2"]


def test_guests_whose_connection_is_gone_are_not_seated() -> None:
    """A dead connection is shown out before the next game is put together."""
    lobby = Lobby[Someone](2, Seating.SELF)
    lobby.enter(Someone("a1", gone=True))
    assert _enter(lobby, "a2", "a3") == [[], ["a2", "a3"]]


def test_leaving_twice_is_no_matter() -> None:
    """Whoever hangs up is forgotten, in the waiting room or not."""
    lobby, guest = Lobby[Someone](2, Seating.SELF), Someone("a1")
    lobby.enter(guest)
    lobby.leave(guest)
    lobby.leave(guest)
    assert lobby.waiting == ()
