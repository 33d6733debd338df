"""Who has won a game, by the roles that its end reveals."""

from __future__ import annotations

import pytest

from nlp_agent.game.roles import winning_side

ROLES = {"A": "WEREWOLF", "B": "POSSESSED", "C": "SEER", "D": "VILLAGER", "E": "VILLAGER"}


@pytest.mark.parametrize(
    ("alive", "winner"),
    [
        ("BCD", "VILLAGER"),
        ("AC", "WEREWOLF"),
        ("AB", "WEREWOLF"),
        ("ACD", "NONE"),
        ("ABCDE", "NONE"),
    ],
)
def test_winning_side(alive: str, winner: str) -> None:
    """A wolf that lives among more others has not won: such a game was broken off, or came to its last day."""
    assert winning_side(ROLES, alive) == winner
