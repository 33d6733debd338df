"""What kinds of faults there are, and what is expected of a seat that meets one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Strikes:
    """Strikes every ``every``-th chat request, ``most`` times in all (``None``: for ever)."""

    every: int = 1
    most: int | None = None


ALWAYS = Strikes()


class Where(StrEnum):
    """What is broken: the model's endpoint, what the model says, the game's table, both at once, a part of our own
    code, the lines of a classic server, or another guest of our table."""

    ENDPOINT = "endpoint"
    MODEL = "model"
    TABLE = "table"
    BOTH = "both"
    OWN = "own code"
    CLASSIC = "classic"
    GUEST = "guest"


class Talks(StrEnum):
    """In which villages a fault can strike."""

    BOTH = "in turns and in group chats"
    TURNS = "in turns"
    CHAT = "in group chats"


class Expect(StrEnum):
    """What must be seen besides a finished game without a late, illegal or extra frame."""

    TOLD = "each struck answer is told as a problem, a retry or a fallback"
    LEGAL = "only what is legal goes out"
    UNSAID = "nothing of it is heard at the table"
    SHOWN_OUT = "the guest is told why and shown out, the others play on"
    UNMOVED = "the game goes on as if nothing had happened"
    UNHEARD = "the name at once, the unfinished answer never"
    LOST = "the loss is reported, the next game is played"
    CRASH = "the crash is in the journal, a plain answer goes out"


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to go wrong. ``strikes`` is how often an endpoint is struck.

    ``action`` is what the table says a reply may take, in milliseconds of a clock that jumps where everybody waits;
    ``players`` how many sit there, until ``last_day`` at most. ``alone``: with so much text, or so little time, that no
    other trial goes beside it.
    ``says`` is what a hostile model answers, in turns; ``marks`` of it may nobody hear at the table.
    """

    name: str
    what: str
    where: Where
    expect: Expect
    strikes: Strikes = ALWAYS
    action: int = 60_000
    players: int = 5
    last_day: int = 4
    alone: bool = False
    talks: Talks = Talks.BOTH
    says: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


WAITING = Strikes(every=3, most=4)
"""Where every strike costs the whole time for an answer."""
RETRIED = Strikes(every=2, most=6)


def at_endpoint(strikes: Strikes, expect: Expect, *rows: tuple[str, str]) -> list[Fault]:
    return [Fault(name, what, Where.ENDPOINT, expect, strikes) for name, what in rows]


def at_table(expect: Expect, *rows: tuple[str, str]) -> list[Fault]:
    return [Fault(name, what, Where.TABLE, expect) for name, what in rows]


def at_model(name: str, what: str, says: tuple[str, ...], marks: tuple[str, ...]) -> Fault:
    return Fault(name, what, Where.MODEL, Expect.UNSAID, RETRIED, last_day=1, says=says, marks=marks)
