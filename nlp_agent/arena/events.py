"""What happens at a table, as one append-only list of events; packets, logs and reports are views of it.

Seats are numbers from 0 in seat order; the organisers' logs count from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nlp_agent.arena.village import Village
from nlp_agent.protocol import Request, Talk


class Silence(StrEnum):
    """The reason why there is no answer: it came too late, or the seat is lost for good."""

    TIMEOUT = "timeout"
    LOST = "lost"


class GuestFault(StrEnum):
    """A kind of fault of a guest that cost it something, or would on the official server."""

    TIMEOUT = "timeout"
    LOST = "lost"
    VOID_TARGET = "void_target"
    TRIMMED = "trimmed"
    EMPTY = "empty"
    SKIP_BECAME_OVER = "skip_became_over"
    NEWLINE = "newline"
    COMMA = "comma"
    UNASKED = "unasked"
    LATE = "late"
    PING = "ping"
    DROPPED = "dropped"
    AFTER_PHASE = "after_phase"
    EXPELLED = "shown_out"


@dataclass(frozen=True, slots=True)
class DealtSeat:
    """A seat and who sits in it. ``guest`` is the connection's name, ``team`` that name without its digits."""

    idx: int
    name: str
    role: str
    profile: str | None
    guest: str
    team: str

    @property
    def number(self) -> int:
        """The seat's number in the organisers' logs."""
        return self.idx + 1


@dataclass(frozen=True, slots=True)
class Dealt:
    """Event: the game exists; names, roles and profiles are given out."""

    game_id: str
    village: Village
    seats: tuple[DealtSeat, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """Event: a packet went to ``seat``. ``remain``: talks, length (``None``: no limit) and skips left in a phase."""

    seat: int
    request: Request
    remain: tuple[int, int | None, int] | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """The end of an :class:`Asked`: ``text`` without line breaks, ``None`` where none was due or came."""

    seat: int
    request: Request
    text: str | None = None
    silence: Silence | None = None


@dataclass(frozen=True, slots=True)
class DayOpened:
    """Event: everybody has been told that ``day`` began."""

    day: int


@dataclass(frozen=True, slots=True)
class DayClosed:
    """Event: ``day`` is over; its results are yesterday's from now on."""

    day: int


@dataclass(frozen=True, slots=True)
class Talked:
    """A talk or a whisper (``request``) as all others receive it.

    ``turn`` is the round; in a group chat the speaker's own count, and ``time`` the Unix milliseconds it was said.
    """

    day: int
    request: Request
    seat: int
    idx: int
    turn: int
    text: str
    time: int | None = None

    def as_talk(self, speaker: str) -> Talk:
        """Return it as a packet has it; ``speaker`` is the name of the seat."""
        return Talk.of(self.idx, self.day, self.turn, speaker, self.text, self.time)


@dataclass(frozen=True, slots=True)
class ChatOpened:
    """A group chat for TALK or WHISPER (``request``) began at ``time`` (Unix milliseconds)."""

    day: int
    request: Request
    time: int


@dataclass(frozen=True, slots=True)
class ChatClosed:
    """Event: a group chat ended at ``time`` (Unix ms); ``all_said``: because everybody had said their all."""

    day: int
    request: Request
    time: int
    all_said: bool


@dataclass(frozen=True, slots=True)
class PollOpened:
    """A round of VOTE or ATTACK begins; the votes of earlier rounds of the day count no more."""

    day: int
    request: Request


@dataclass(frozen=True, slots=True)
class Voted:
    """A seat voted for ``target``, to execute it or, in an attack vote, to kill it."""

    day: int
    request: Request
    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Executed:
    """Event: the vote of a day has executed ``target``; ``None`` when nobody voted."""

    day: int
    target: int | None


@dataclass(frozen=True, slots=True)
class Divined:
    """The seer looked at ``target``."""

    day: int
    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Guarded:
    """The bodyguard protects ``target`` this night."""

    day: int
    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Attacked:
    """Event: the werewolves attacked ``target``; ``None`` when they chose nobody; ``killed`` is false when it was
    guarded.
    """

    day: int
    target: int | None
    killed: bool


@dataclass(frozen=True, slots=True)
class Faulted:
    """A guest's fault, for the referee's report; it changes nothing in the game by itself."""

    day: int
    seat: int
    request: str
    fault: GuestFault
    text: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """Event: the game is over. ``winner`` is VILLAGER, WEREWOLF or NONE (aborted, or ``max_day`` reached)."""

    day: int
    winner: str
    humans: int
    wolves: int
    aborted: bool


Event = (
    Dealt
    | Asked
    | Answered
    | DayOpened
    | DayClosed
    | ChatOpened
    | Talked
    | ChatClosed
    | PollOpened
    | Voted
    | Executed
    | Divined
    | Guarded
    | Attacked
    | Faulted
    | Ended
)


def killed_by(event: Event) -> int | None:
    """The seat that ``event`` takes the life of, if any."""
    if isinstance(event, Executed):
        return event.target
    return event.target if isinstance(event, Attacked) and event.killed else None
