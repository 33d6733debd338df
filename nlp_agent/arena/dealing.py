"""Who gets which seat, role and character; pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nlp_agent.arena.choices import Character, Choices
from nlp_agent.arena.events import DealtSeat
from nlp_agent.arena.village import Village


def team_of(guest: str) -> str:
    """A connection's team: its name without the digits at the end."""
    return re.sub(r"[0-9]+$", "", guest)


def deal(village: Village, guests: Sequence[str], choices: Choices, cast: Sequence[Character]) -> tuple[DealtSeat, ...]:
    """The seats of a game in order; without a ``cast`` the players are numbered and have no profile."""
    roles = choices.roles([role for role, count in sorted(village.roles.items()) for _ in range(count)])
    characters: Sequence[Character | None] = (
        choices.characters(cast, village.players) if cast else [None] * village.players
    )
    seats = []
    for idx, (guest, role, character) in enumerate(zip(guests, roles, characters, strict=True)):
        name, profile = f"Agent[{idx + 1:02d}]", None
        if character is not None:
            name = character.name
            profile = "\n".join(f"{key}: {text}" for key, text in choices.traits(character))
        seats.append(DealtSeat(idx, name, role, profile, guest, team_of(guest)))
    return tuple(seats)
