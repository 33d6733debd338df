"""Who sits at a table, who lives and who is lost, and how one of them is asked: what every rule of a game rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence

from nlp_agent.arena.choices import Character, Choices
from nlp_agent.arena.dealing import deal
from nlp_agent.arena.events import Answered, Asked, Ended, Event, Faulted, GuestFault, Silence
from nlp_agent.arena.steps import Asking, HeardFrame, Order, Outcome, Step, Steps
from nlp_agent.arena.views import Views
from nlp_agent.arena.village import Village
from nlp_agent.errors import TableError
from nlp_agent.game.village import role_spec
from nlp_agent.protocol import Packet, Request, Role, Species


class Board:
    """The seats of one game and its log; see :class:`nlp_agent.arena.engine.Game`."""

    def __init__(
        self,
        village: Village,
        guests: Sequence[str],
        choices: Choices,
        cast: Sequence[Character],
        game_id: str,
        on_event: Callable[[Event], None] | None,
    ) -> None:
        if len(guests) != village.players:
            raise TableError(f"{len(guests)} guests cannot play a village of {village.players}")
        if cast and len({character.name for character in cast}) < village.players:
            raise TableError(f"a cast of {len(cast)} names cannot play a village of {village.players}")
        self.village, self.game_id = village, game_id
        self.events: list[Event] = []
        self.seats = deal(village, guests, choices, cast)
        self.day = 0
        self._choices = choices
        self._on_event = on_event
        self._views = Views()
        self._names = tuple(seat.name for seat in self.seats)
        self._by_name = {seat.name: seat.idx for seat in self.seats}
        self._alive = [True] * len(self.seats)
        self._lost: set[int] = set()

    @property
    def ended(self) -> bool:
        return bool(self.events) and isinstance(self.events[-1], Ended)

    @property
    def lost(self) -> frozenset[int]:
        """Seats that answer no more; they stay in the game as ghosts."""
        return frozenset(self._lost)

    def fault(self, seat: int, fault: GuestFault, text: str = "", request: str = "") -> None:
        """Note a guest's slip that only the one who carries the frames can see."""
        self._emit(Faulted(self.day, seat, request, fault, text))

    # --- asking -----------------------------------------------------------------------------------

    def _tell_all(self, request: Request) -> Steps:
        for seat in range(len(self.seats)):
            yield from self._ask(seat, request)

    def _ask(self, seat: int, request: Request, remain: tuple[int, int | None, int] | None = None) -> Asking:
        """The reply without line breaks; ``None`` when there is none, or none was due."""
        packet = self._emit(Asked(seat, request, remain))
        if packet is None or seat in self._lost:
            self._emit(Answered(seat, request, silence=Silence.LOST))
            return None
        reply = yield Order(seat, packet, packet.needs_reply)
        if isinstance(reply, HeardFrame):
            raise TableError("something was heard where an order was to be carried out")
        if reply is None and packet.needs_reply:
            reply = Silence.TIMEOUT
        if isinstance(reply, Silence):
            if reply is Silence.LOST:
                self._lost.add(seat)
            self.fault(seat, GuestFault(reply.value), request=request)
            self._emit(Answered(seat, request, silence=reply))
            return None
        text = reply.replace("\n", "") if reply is not None and packet.needs_reply else None
        if reply is not None and "\n" in reply.removesuffix("\n"):
            self.fault(seat, GuestFault.NEWLINE, reply, request)
        self._emit(Answered(seat, request, text))
        return text

    def _emit(self, event: Event) -> Packet | None:
        self.events.append(event)
        packet = self._views.apply(event)
        if self._on_event is not None:
            self._on_event(event)
        return packet

    def _target(self, seat: int, request: Request, *, myself: bool) -> Generator[Step, Outcome, int | None]:
        """The living seat that is named byte for byte; anything else voids the deed."""
        reply = yield from self._ask(seat, request)
        if reply is None:
            return None
        target = self._by_name.get(reply)
        if target is None or not self._alive[target] or (target == seat and not myself):
            self.fault(seat, GuestFault.VOID_TARGET, reply, request)
            return None
        return target

    # --- who is there -----------------------------------------------------------------------------

    def _living(self) -> list[int]:
        return [seat for seat, alive in enumerate(self._alive) if alive]

    def _pack(self) -> list[int]:
        return [seat for seat in self._living() if self._is_wolf(seat)]

    def _is_wolf(self, seat: int) -> bool:
        return role_spec(self.seats[seat].role).species is Species.WEREWOLF

    def _first(self, role: Role) -> int | None:
        """The server asks only the first living seer or bodyguard, should a village have several."""
        return next((seat for seat in self._living() if self.seats[seat].role == role), None)

    def _census(self) -> tuple[int, int]:
        wolves = len(self._pack())
        return len(self._living()) - wolves, wolves

    def _one_of(self, seats: list[int]) -> int | None:
        return self._choices.tie(seats) if len(seats) > 1 else next(iter(seats), None)


def leaders(targets: Iterable[int]) -> list[int]:
    """The seats with the most votes, in seat order."""
    tally = Counter(targets)
    top = max(tally.values(), default=0)
    return sorted(seat for seat, count in tally.items() if count == top)
