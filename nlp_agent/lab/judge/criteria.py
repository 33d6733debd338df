"""By what the contest judges: six criteria, each a question of its own."""

from __future__ import annotations

CRITERIA = (
    "natural_expression",
    "contextual_dialogue",
    "logical_consistency",
    "action_consistency",
    "character_consistency",
    "team_play",
)
"""A to F, in the organisers' order and by their names."""
LEAST_WOLVES = 2
"""A wolf alone has no team to play in."""


def criteria_for(wolves: int) -> tuple[str, ...]:
    """The criteria of a game with so many werewolves."""
    return CRITERIA if wolves >= LEAST_WOLVES else CRITERIA[:-1]
