"""One table with pages: its human seats, what onlookers see, and its own page with invitations; no game is played
here.

Whoever plays games at it hands it every event; it updates the pages of whoever looks.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.arena import events
from nlp_agent.protocol import Request, Role
from nlp_agent.web.event_stream import EventStream, end_streams
from nlp_agent.web.human_seat import HumanSeat
from nlp_agent.web.pacing import Pacer
from nlp_agent.web.village_order import PERSONS, SeatKind, VillageOrder
from nlp_agent.web.village_view import ReadClaims, TableSteps, VillageView

PUBLIC = frozenset({Request.TALK, Request.VOTE})
"""What everybody may know that somebody is asked for."""
_LOOK_AGAIN = 1.0
"""Seconds after which it is looked again who still writes."""


def new_token() -> str:
    """The part of an address that nobody can guess."""
    return secrets.token_urlsafe(16)


class Onlookers:
    """The view that onlookers have of a table, in public and with all that is secret, each with its stream.

    ``read_claims`` makes the reader of what the players of a game claim.
    """

    def __init__(self, read_claims: ReadClaims = lambda _: None) -> None:
        self._read_claims = read_claims
        self.streams = {False: EventStream(), True: EventStream()}
        self._dealt: events.Dealt | None = None
        self._village, self._steps = VillageView(), TableSteps()
        self._asked: events.Asked | None = None
        self._chat: events.ChatOpened | None = None
        self._night = False
        self.pace: dict[str, Any] = {}
        """How fast it is shown, where that can be changed, and where the replay is once all is over."""
        self._show()

    def tell_pace(self, **pace: Any) -> None:
        """Show whether it is ``stopped``, and in the end the address of the ``replay``."""
        self.pace = {**self.pace, **pace}
        self._show()

    @property
    def readers(self) -> int:
        """The number of pages that look on at this moment."""
        return sum(stream.readers for stream in self.streams.values())

    def apply(self, event: events.Event) -> None:
        """Show ``event`` to all who look."""
        if isinstance(event, events.Dealt):
            self._begin(event)
        for step in self._steps.of(event):
            for line in self._village.take(step):
                for with_secrets, stream in self.streams.items():
                    if with_secrets or not step.kind.secret:
                        stream.add(line)
        self._follow_table(event)
        self._show()

    def _begin(self, dealt: events.Dealt) -> None:
        names = [seat.name for seat in dealt.seats]
        self._dealt, self._asked, self._chat, self._night = dealt, None, None, False
        self._steps = TableSteps(dealt.seats)
        self._village = VillageView(names, self._read_claims(names))
        self._village.know_roles({seat.name: seat.role for seat in dealt.seats})
        for stream in self.streams.values():
            stream.restart()

    def _follow_table(self, event: events.Event) -> None:
        """Keep whom the table asks, which chat is open, and whether it is night."""
        match event:
            case events.Asked():
                self._asked = event if event.request not in (Request.DAILY_FINISH, Request.FINISH) else None
                self._night = self._night and event.request not in PUBLIC
            case events.ChatOpened():
                self._chat = event
            case events.ChatClosed():
                self._chat = None
            case events.Executed():
                self._asked, self._night = None, True
            case events.DayOpened() | events.DayClosed():
                self._night = False
            case events.Ended():
                self._asked = None

    def _show(self) -> None:
        for with_secrets, stream in self.streams.items():
            stream.show(self._board(with_secrets))

    def _board(self, with_secrets: bool) -> dict[str, Any]:
        asked, chat, until = self._asked, self._chat, None
        if asked is not None and not with_secrets and asked.request not in PUBLIC:
            asked = None
        if self._dealt is not None and chat is not None and (with_secrets or chat.request is Request.TALK):
            until = chat.time + (self._dealt.village.talk_setting(chat.request).duration or 0)
        return {
            **self._village.board(roles=with_secrets or bool(self._village.winner)),
            "votes": dict(self._steps.votes),
            "asked": self._steps.name(asked.seat) if asked is not None else None,
            "night": self._night,
            "until": until,
            "pace": self.pace,
        }


@dataclass(slots=True)
class TableSeat:
    """A seat as the table's page shows it; ``human_seat`` for a person's. ``name`` is the connection's."""

    kind: SeatKind
    name: str
    endpoint: str = ""
    human_seat: HumanSeat | None = None
    there: bool = False


@dataclass(eq=False)
class TableWithPages:
    """A table with its pages. ``url`` is where guests of any make connect to. ``token`` leads to the table's own page,
    ``watch_token`` to that for onlookers; ``mark`` is the value of a cookie: a browser that has it belongs to a player,
    and is shown no secrets.
    """

    order: VillageOrder
    places: list[TableSeat]
    onlookers: Onlookers
    token: str = field(default_factory=new_token)
    watch_token: str = field(default_factory=new_token)
    mark: str = field(default_factory=new_token)
    url: str = ""
    problem: str = ""
    playing: bool = False
    recorded: bool = True
    """Whether all that was played is in the records."""
    games: int = 0
    pacer: Pacer | None = None
    stream: EventStream = field(default_factory=EventStream)
    _seats: tuple[events.DealtSeat, ...] = ()
    _writers: dict[str, Request] = field(default_factory=dict)
    _looking: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        for human_seat in self.human_seats:
            human_seat.on_change = self.refresh
        self.refresh()

    @property
    def human_seats(self) -> list[HumanSeat]:
        """The seats of persons, in the table's order."""
        return [place.human_seat for place in self.places if place.human_seat is not None]

    @property
    def mine(self) -> HumanSeat | None:
        """The human seat of whoever ordered this table."""
        return next((place.human_seat for place in self.places if place.kind is SeatKind.ME), None)

    def human_seat(self, token: str) -> HumanSeat | None:
        """Return the seat of the person whose address has ``token``; None where nobody has it."""
        shown = token.encode(errors="replace")  # addresses may hold anything, and texts beyond ASCII are not compared
        return next(
            (human_seat for human_seat in self.human_seats if secrets.compare_digest(human_seat.token.encode(), shown)),
            None,
        )

    def sits(self, place: TableSeat, there: bool) -> None:
        """Show whether somebody has come to ``place``."""
        place.there = there
        self.refresh()

    def writes(self, name: str, request: Request, writing: bool) -> None:
        """Show whether the computer ``name`` writes in the group chat of ``request``."""
        if writing:
            self._writers[name] = request
        else:
            self._writers.pop(name, None)
        self.refresh()

    # --- what happens ------------------------------------------------------------------------------------------

    def on_event(self, event: events.Event) -> None:
        """Tell onlookers, and persons what they may know before their next packet."""
        if isinstance(event, events.Dealt):
            self._seats, self.playing, self.recorded = event.seats, True, False
            self._writers.clear()
            self.refresh()
        elif isinstance(event, events.Ended):
            self.playing = False
            self.games += 1
        elif isinstance(event, events.Talked):
            self._overheard(event)
        elif isinstance(event, events.Asked):
            self._waiting_for(event)
        self.onlookers.apply(event)

    def _overheard(self, event: events.Talked) -> None:
        roles = {seat.name: seat.role for seat in self._seats}
        talk = event.as_talk(self._seats[event.seat].name)
        for human_seat in self.human_seats:
            wolf = roles.get(human_seat.name) == Role.WEREWOLF
            if human_seat.name and (event.request is Request.TALK or wolf):
                human_seat.overhear(event.request, talk)

    def _waiting_for(self, event: events.Asked) -> None:
        name = self._seats[event.seat].name if event.request in PUBLIC else None
        for human_seat in self.human_seats:
            human_seat.tell(waiting=name if name != human_seat.name else None)

    def refresh(self) -> None:
        """Show on all pages that something changed about who is there, or who writes."""
        missing = [
            {
                "kind": place.kind.value,
                "number": number,
                "label": place.human_seat.label if place.human_seat is not None else "",
            }
            for number, place in enumerate(self.places, start=1)
            if (place.human_seat is not None or place.kind is SeatKind.GUEST) and not self._there(place)
        ]
        roles = {seat.name: seat.role for seat in self._seats}
        writers = dict(self._writers) | {
            human_seat.name: human_seat.writes for human_seat in self.human_seats if human_seat.writes
        }
        for human_seat in self.human_seats:
            # That somebody whispers is for wolves to know.
            heard = {Request.TALK, Request.WHISPER} if roles.get(human_seat.name) == Role.WEREWOLF else {Request.TALK}
            names = sorted(name for name, request in writers.items() if name != human_seat.name and request in heard)
            human_seat.tell(missing=missing if not self.playing else None, writing=names or None)
        if any(human_seat.writes for human_seat in self.human_seats) and self._looking is None:
            self._looking = asyncio.create_task(self._look_again())
        self.stream.show(self.about())

    async def _look_again(self) -> None:
        await asyncio.sleep(_LOOK_AGAIN)
        self._looking = None
        self.refresh()

    def _there(self, place: TableSeat) -> bool:
        return place.human_seat.ready.is_set() if place.human_seat is not None else place.there

    def about(self) -> Mapping[str, Any]:
        """The values of the table's own page."""
        return {
            "playing": self.playing,
            "games": self.games,
            "problem": self.problem,
            "url": self.url,
            "seats": [
                {
                    "kind": place.kind.value,
                    "name": place.name,
                    "endpoint": place.endpoint,
                    "there": self._there(place) or self.playing,
                    "label": place.human_seat.label if place.human_seat else "",
                    **({"link": f"/seat/{place.human_seat.token}"} if place.human_seat else {}),
                }
                for place in self.places
            ],
        }

    async def aclose(self) -> None:
        """End the pages of everybody who looks, and tell them."""
        seats = (human_seat.stream for human_seat in self.human_seats)
        await end_streams(self.stream, *self.onlookers.streams.values(), *seats)
        if self._looking is not None:
            self._looking.cancel()


def seats_of_order(order: VillageOrder, now_ms: Callable[[], int]) -> list[TableSeat]:
    """A place for every seat, named as its connection; persons get their human seats."""
    places = []
    for number, seat in enumerate(order.seats, start=1):
        host = seat.kind is SeatKind.ME
        human_seat = HumanSeat(new_token(), now_ms, host=host) if seat.kind in PERSONS else None
        places.append(TableSeat(seat.kind, f"{team_of_kind(seat.kind)}{number}", seat.endpoint, human_seat))
    return places


def team_of_kind(kind: SeatKind) -> str:
    """The team, as records name it, of seats of this kind; guests bring their own."""
    return "person" if kind in PERSONS else kind.value
