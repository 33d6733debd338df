"""A village as it is ordered on the page: who sits there, by what rules, how fast. Checked here, played elsewhere.
Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from nlp_agent.arena.chance import SeededChance
from nlp_agent.game.roles import ROLES, VILLAGES, role_spec
from nlp_agent.protocol import Species

MAX_SEATS = 15
"""Seats of a table."""
_TRIES = 2000
"""Seeds that are tried until one deals the wished role: one in twelve does even in the largest village."""


class SeatKind(StrEnum):
    """The kind of player that sits in a seat."""

    ME = "me"
    COMPUTER = "computer"
    MODEL = "model"
    PERSON = "person"
    GUEST = "guest"


_KINDS = frozenset(kind.value for kind in SeatKind)
PERSONS = frozenset({SeatKind.ME, SeatKind.PERSON})


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """The order for one seat: the kind of its player, and for a MODEL the ``endpoint`` that is asked."""

    kind: SeatKind
    endpoint: str = ""


@dataclass(frozen=True, slots=True)
class TablePace:
    """The speed of a table. ``action``: milliseconds for an answer. ``pause``: seconds a computer takes for one, so
    that people can follow. ``chat``: milliseconds a group chat lasts at most; ``speed``: how much faster than usual
    computers speak there.
    """

    action: int
    pause: float
    chat: int
    speed: float = 1.0


CONTEST = "contest"
"""The pace that keeps to the contest's rules."""
PACES: Mapping[str, TablePace] = {
    "calm": TablePace(300_000, 2.5, 600_000, 0.8),
    "usual": TablePace(120_000, 1.2, 300_000),
    CONTEST: TablePace(60_000, 0.8, 600_000),
    "quick": TablePace(30_000, 0.25, 90_000, 2.0),
}


@dataclass(frozen=True, slots=True)
class Offer:
    """The choices of a page where tables are ordered: languages as (pack, name), endpoints of the config, paces."""

    languages: tuple[tuple[str, str], ...]
    endpoints: tuple[str, ...] = ()
    paces: Mapping[str, TablePace] = field(default_factory=lambda: PACES)


@dataclass(frozen=True, slots=True)
class VillageOrder:
    """A village as somebody ordered it on the page.

    ``wish``: the role that ME would like, ``""`` for chance. ``chat``: a group chat instead of turns. ``own_marks``:
    whether persons may punctuate as they like, which the contest's rules do not allow.
    """

    roles: Mapping[str, int]
    lang: str
    seats: tuple[SeatOrder, ...]
    chat: bool = False
    pace: str = "usual"
    wish: str = ""
    own_marks: bool = False


class OrderError(ValueError):
    """The village that was ordered cannot be played; the message is the key of a text, ``values`` fill it in."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.values = values


def read_order(data: Any, offer: Offer) -> VillageOrder:
    """The order in what a page has posted. Raises OrderError."""
    if not isinstance(data, Mapping):
        raise OrderError("order_unreadable")
    roles = _roles(data)
    seats = _seats(data.get("seats"), sum(roles.values()), offer)
    wish, lang, pace = (_word(data, key) for key in ("wish", "lang", "pace"))
    if lang not in dict(offer.languages) or (pace or "usual") not in offer.paces:
        raise OrderError("order_unreadable")
    if wish and not (roles.get(wish) and any(seat.kind is SeatKind.ME for seat in seats)):
        raise OrderError("wish_impossible")
    own_marks = bool(data.get("own_marks")) and pace != CONTEST
    return VillageOrder(roles, lang, seats, data.get("talk") == "groupchat", pace or "usual", wish, own_marks)


def _word(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    return value if isinstance(value, str) else ""


def _roles(data: Mapping[str, Any]) -> dict[str, int]:
    players, given = data.get("players"), data.get("roles")
    if isinstance(players, int) and players in VILLAGES:
        return {str(role): count for role, count in VILLAGES[players].items()}
    if not isinstance(given, Mapping):
        raise OrderError("order_unreadable")
    if not all(role in ROLES and isinstance(count, int) and 0 <= count <= MAX_SEATS for role, count in given.items()):
        raise OrderError("order_unreadable")
    roles = {str(role): int(given.get(role, 0)) for role in ROLES}
    wolves = sum(count for role, count in roles.items() if role_spec(role).species is Species.WEREWOLF)
    total = sum(roles.values())
    if not 3 <= total <= MAX_SEATS:
        raise OrderError("roles_count", most=MAX_SEATS, count=total)
    if wolves < 1 or 2 * wolves >= total:
        raise OrderError("roles_wolves")
    return roles


def _seats(given: Any, count: int, offer: Offer) -> tuple[SeatOrder, ...]:
    if given is None:
        given = [SeatKind.ME.value]
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) > count:
        raise OrderError("seats_count", count=count)
    seats = []
    for seat in given:
        kind, _, endpoint = str(seat)[:200].partition(":")
        if kind not in _KINDS or (kind == SeatKind.MODEL) != bool(endpoint) or endpoint not in ("", *offer.endpoints):
            raise OrderError("order_unreadable")
        seats.append(SeatOrder(SeatKind(kind), endpoint))
    if sum(seat.kind is SeatKind.ME for seat in seats) > 1:
        raise OrderError("seats_one_me")
    return (*seats, *[SeatOrder(SeatKind.COMPUTER)] * (count - len(seats)))


def wished_for(order: VillageOrder, name: str) -> Callable[[Sequence[str], str], SeededChance]:
    """Make chance as ever, but for the deal: of those a seed could give, one in which guest ``name`` has its wish."""
    pool = [role for role, count in sorted(order.roles.items()) for _ in range(count)]

    def chance(names: Sequence[str], seed: str) -> SeededChance:
        if not order.wish or name not in names:
            return SeededChance(f"{seed}/0")
        deals = ((n, SeededChance(f"{seed}/{n}").roles(pool)) for n in range(_TRIES))
        place = list(names).index(name)
        return SeededChance(f"{seed}/{next((n for n, dealt in deals if dealt[place] == order.wish), 0)}")

    return chance
