"""The roles and the contest's villages, as data.

Source: the contest's regulations (villages of 5, 9 and 13). A role that is not in the table plays as a villager.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from nlp_agent.protocol import Request, Role, Species


class Side(StrEnum):
    """The side with which a player wins."""

    VILLAGER = "VILLAGER"
    WEREWOLF = "WEREWOLF"


@dataclass(frozen=True, slots=True)
class RoleSpec:
    """A role and what it may do: ``species`` is what divination and the medium tell; ``night`` the request this role
    answers at night.
    """

    name: str
    side: Side
    species: Species
    night: Request | None = None


ROLES: dict[str, RoleSpec] = {
    spec.name: spec
    for spec in (
        RoleSpec(Role.VILLAGER, Side.VILLAGER, Species.HUMAN),
        RoleSpec(Role.SEER, Side.VILLAGER, Species.HUMAN, Request.DIVINE),
        RoleSpec(Role.MEDIUM, Side.VILLAGER, Species.HUMAN),
        RoleSpec(Role.BODYGUARD, Side.VILLAGER, Species.HUMAN, Request.GUARD),
        RoleSpec(Role.WEREWOLF, Side.WEREWOLF, Species.WEREWOLF, Request.ATTACK),
        RoleSpec(Role.POSSESSED, Side.WEREWOLF, Species.HUMAN),
    )
}


WOLF_SIDE = frozenset(spec.name for spec in ROLES.values() if spec.side is Side.WEREWOLF)
"""The roles that win with the werewolves."""


def role_spec(role: str) -> RoleSpec:
    """The table's row for ``role``; an unknown role is taken for a villager under its own name."""
    return ROLES.get(role) or RoleSpec(role, Side.VILLAGER, Species.HUMAN)


UNDECIDED = "NONE"
"""The winner of a game that nobody has won."""


def winning_side(roles: Mapping[str, str], alive: Iterable[str]) -> str:
    """Tell who has won a finished game, by the roles that its end reveals.

    ``VILLAGER`` when no wolf lives, ``WEREWOLF`` when at least half of the living are wolves, else ``NONE``: the game
    was broken off, or came to its last day.
    """
    living = [role_spec(roles.get(name, "")).species for name in alive]
    wolves = living.count(Species.WEREWOLF)
    if not wolves:
        return Side.VILLAGER.value
    return Side.WEREWOLF.value if 2 * wolves >= len(living) else UNDECIDED


VILLAGES: dict[int, dict[str, int]] = {
    5: {Role.WEREWOLF: 1, Role.POSSESSED: 1, Role.SEER: 1, Role.BODYGUARD: 0, Role.VILLAGER: 2, Role.MEDIUM: 0},
    9: {Role.WEREWOLF: 2, Role.POSSESSED: 1, Role.SEER: 1, Role.BODYGUARD: 1, Role.VILLAGER: 3, Role.MEDIUM: 1},
    13: {Role.WEREWOLF: 3, Role.POSSESSED: 1, Role.SEER: 1, Role.BODYGUARD: 1, Role.VILLAGER: 6, Role.MEDIUM: 1},
}
"""The contest's villages. A seat reads its village from ``setting.role_num_map`` and takes one of these only where a
server leaves that out; the local table deals them."""

CLASSIC_VILLAGES: dict[int, dict[str, int]] = {
    5: VILLAGES[5],
    15: {Role.WEREWOLF: 3, Role.POSSESSED: 1, Role.SEER: 1, Role.BODYGUARD: 1, Role.VILLAGER: 8, Role.MEDIUM: 1},
}
"""Those of the contests on the classic server (AIWolfDial 2019, Protocol Division 2021)."""
