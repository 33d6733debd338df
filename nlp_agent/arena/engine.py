"""The referee: the rules of a whole game, without I/O, clock or chance of its own.

Drive it with :meth:`Game.start` and :meth:`Game.answer`: each returns what is to be done next, which is to deliver
a packet (:class:`Deliver`) or, in a group chat, to say what was heard (:class:`Listen`); ``None`` is the end. From
top to bottom: what a game asks for; what a seat may still say; the course of a game, and how a seat is asked. Votes,
ties and executions are in :meth:`Game._execute`.

Source: behaviour of the official turn-based server, proved by ``tests/arena/test_arena_replay.py``; for group chats
that of the server of 2026 as its contests' logs show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass

from nlp_agent.arena import events
from nlp_agent.arena.chance import Character, SeededChance, deal
from nlp_agent.arena.events import Answered, Asked, Ended, Event, Faulted, GuestFault, Silence
from nlp_agent.arena.views import PacketViews
from nlp_agent.arena.village import LONGEST_GAME, Generation, Phase, Village
from nlp_agent.errors import TableError
from nlp_agent.game.roles import Side, role_spec
from nlp_agent.protocol import OVER, SKIP, Packet, Request, Role, Species, TalkSetting
from nlp_agent.text.count import FORCE_SKIP, Kept, server_keeps

# --- What a game wants done next, and what became of it --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deliver:
    """Deliver ``packet`` to ``seat``; if ``needs_reply``, its reply goes into :meth:`Game.answer`."""

    seat: int
    packet: Packet
    needs_reply: bool


@dataclass(frozen=True, slots=True)
class Listen:
    """A step of a game: a group chat is open; tell what is said next. ``until`` (Unix ms) it lasts, unless all have
    said their all.
    """

    request: Request
    until: int


@dataclass(frozen=True, slots=True)
class ReceivedFrame:
    """A frame that was heard while a :class:`Listen` was open, whole, or ``Silence.LOST`` when the connection
    is gone.
    """

    seat: int
    what: str | Silence


Reply = str | Silence | None
Step = Deliver | Listen
Outcome = Reply | ReceivedFrame
Steps = Generator[Step, Outcome, None]
Asking = Generator[Step, Outcome, str | None]


# --- What a seat may still say in a phase, in turns or in a group chat, and what its words cost it -------------------


_FLOOD = 20
"""Faults reported of one seat in one group chat; a flood is not written down frame by frame."""


PHASE_REQUESTS = {
    Request.TALK: (Request.TALK_PHASE_START, Request.TALK_BROADCAST, Request.TALK_PHASE_END),
    Request.WHISPER: (Request.WHISPER_PHASE_START, Request.WHISPER_BROADCAST, Request.WHISPER_PHASE_END),
}
"""What begins a phase of group chat, tells of a talk in it, and ends it."""


@dataclass(slots=True)
class Budget:
    """The talks, length and skips that one seat has left in a talk phase; ``length`` None: no limit."""

    count: int
    length: int | None
    skips: int
    over: bool = False

    @classmethod
    def of(cls, setting: TalkSetting) -> Budget:
        """The talks, length and skips that a seat begins a phase with, by the village's rules."""
        length = setting.max_length.per_agent
        # Configurations write "no limit" as a negative number.
        unlimited = length is None or length < 0
        return cls(setting.max_count.per_agent, None if unlimited else length, setting.max_skip)

    @property
    def may_speak(self) -> bool:
        """Whether the seat has talks left and has not said Over."""
        return not self.over and self.count > 0 and (self.length is None or self.length > 0)

    def kept(self, text: str, who: str, names: tuple[str, ...], rule: TalkSetting, *, newer: bool) -> Kept:
        """Pay for the length and the skip of ``text``, said by ``who``, and return what the others receive of it."""
        kept = server_keeps(
            text, who, names, rule.max_length, self.length, remain_skip=self.skips, max_skip=rule.max_skip, newer=newer
        )
        self.length, self.skips = kept.remain_length, kept.remain_skip or 0
        return kept


def talk_faults(reply: str, kept: str, *, over: bool) -> Iterable[GuestFault]:
    """The faults in a ``reply`` of which the others receive ``kept``; ``over``: it ended the seat's day."""
    if over:
        if reply in (SKIP, FORCE_SKIP):
            yield GuestFault.SKIP_BECAME_OVER
        elif reply != OVER:
            yield GuestFault.EMPTY
        return
    # The server puts spaces around a mention; only what is more than white space has been lost.
    if "".join(kept.split()) != "".join(reply.split()) and reply not in (SKIP, FORCE_SKIP):
        yield GuestFault.TRIMMED
    if "," in reply:
        yield GuestFault.COMMA


@dataclass(frozen=True, slots=True)
class Accepted:
    """A frame that the room takes: its ``text`` as all receive it, and the speaker's own count of it."""

    text: str
    turn: int


class ChatPhase:
    """The referee of one group chat: who may still speak, and what is taken of what they send.

    Source: the official server of 2026. Over is taken even when the talks are used up, and nothing is read of a seat
    behind it. A Skip costs a talk and one of ``max_skip``; with none left it ends the seat's talking like Over.
    """

    def __init__(self, setting: TalkSetting, seats: Sequence[int], names: tuple[str, ...]) -> None:
        self._setting, self._names = setting, names
        self._budgets = {seat: Budget.of(setting) for seat in seats}
        self._turns: Counter[int] = Counter()
        self._slips: Counter[int] = Counter()

    @property
    def open(self) -> bool:
        """Whether anybody has talks left; who is lost keeps theirs, so the phase runs its full time then."""
        return any(budget.count > 0 for budget in self._budgets.values())

    def remain(self, seat: int) -> tuple[int, int | None, int]:
        """The talks, the length (``None``: no limit) and the skips that ``seat`` has left."""
        budget = self._budgets[seat]
        return budget.count, budget.length, budget.skips

    def take(self, seat: int, frame: str) -> tuple[Accepted | None, list[GuestFault]]:
        """Take in ``frame`` of ``seat``: what becomes of it, and the faults in it. ``None``: nobody hears of it, the
        speaker neither.
        """
        accepted, faults = self._take(seat, frame.strip())
        self._slips[seat] += len(faults)
        return accepted, faults if self._slips[seat] <= _FLOOD else []

    def _take(self, seat: int, text: str) -> tuple[Accepted | None, list[GuestFault]]:
        budget = self._budgets[seat]
        if not text or budget.over or not (text == OVER or budget.may_speak):
            return None, [GuestFault.DROPPED]
        kept = self._kept(seat, text, budget)
        budget.over = text == OVER
        # A talk of which nothing is left goes out as Over too, and yet costs only itself.
        budget.count = 0 if kept.over and text in (OVER, SKIP) else budget.count - 1
        self._turns[seat] += 1
        faults = [GuestFault.NEWLINE] if "\n" in text else []
        return Accepted(kept.text, self._turns[seat] - 1), [*faults, *talk_faults(text, kept.text, over=kept.over)]

    def _kept(self, seat: int, text: str, budget: Budget) -> Kept:
        if text == FORCE_SKIP:
            return Kept(SKIP, budget.length, skip=True, remain_skip=budget.skips)
        return budget.kept(text, self._names[seat], self._names, self._setting, newer=True)


# --- The referee -----------------------------------------------------------------------------------------------------


NO_WINNER = "NONE"


def leaders(targets: Iterable[int]) -> list[int]:
    """The seats with the most votes, in seat order."""
    tally = Counter(targets)
    top = max(tally.values(), default=0)
    return sorted(seat for seat, count in tally.items() if count == top)


class Game:
    """A game of ``village`` between ``guests`` (connection names in seat order).

    ``cast`` gives the in-game characters (without one they are ``Agent[01]`` …). ``events`` is the log; each event is
    also handed to ``on_event`` the moment it happens. ``now_ms`` tells Unix milliseconds; only group chats need it.

    Raises TableError when guests or cast do not fill the village, or a group chat has no clock.
    """

    def __init__(
        self,
        village: Village,
        guests: Sequence[str],
        chance: SeededChance,
        *,
        cast: Sequence[Character] = (),
        game_id: str = "",
        on_event: Callable[[events.Event], None] | None = None,
        now_ms: Callable[[], int] | None = None,
    ) -> None:
        if len(guests) != village.players:
            raise TableError(f"{len(guests)} guests cannot play a village of {village.players}")
        if cast and len({character.name for character in cast}) < village.players:
            raise TableError(f"a cast of {len(cast)} names cannot play a village of {village.players}")
        if now_ms is None and village.chats:
            raise TableError("a village with group chat needs a clock: play it at a table")
        self.village, self.game_id = village, game_id
        self.events: list[Event] = []
        self.seats = deal(village, guests, chance, cast)
        self.day = 0
        self.winner = NO_WINNER
        self.aborted = False
        self._chance = chance
        self._on_event = on_event
        self._views = PacketViews()
        self._names = tuple(seat.name for seat in self.seats)
        self._by_name = {seat.name: seat.idx for seat in self.seats}
        self._alive = [True] * len(self.seats)
        self._lost: set[int] = set()
        self._last_day = min(LONGEST_GAME, LONGEST_GAME if village.max_day is None else village.max_day)
        self._now_ms = now_ms or (lambda: 0)
        self._guard: tuple[int, int] | None = None
        self._said: Counter[Request] = Counter()
        self._steps: Steps = self._play()
        self._started = False

    @property
    def ended(self) -> bool:
        """Whether a side has won."""
        return bool(self.events) and isinstance(self.events[-1], Ended)

    @property
    def lost(self) -> frozenset[int]:
        """Seats whose connection is lost. By the rules they live on, but they are asked nothing and say nothing."""
        return frozenset(self._lost)

    def fault(self, seat: int, fault: GuestFault, text: str = "", request: str = "") -> None:
        """Note a fault of a guest that only the one who carries the frames can see."""
        self._emit(Faulted(self.day, seat, request, fault, text))

    # --- driving it -------------------------------------------------------------------------------

    def start(self) -> Step | None:
        """Begin the game and return the first packet to deliver.

        Raises TableError when the game has been started before.
        """
        if self._started:
            raise TableError("this game has been started before: make a new one")
        self._started = True
        return next(self._steps, None)

    def answer(self, reply: Outcome) -> Step | None:
        """Tell what became of the last step; the next one, or ``None`` when the game is over.

        A text is the guest's whole frame. ``None`` means delivered, where no reply is due, and no answer in
        time elsewhere. ``Silence.LOST`` takes the seat out for good. The answer to a :class:`Listen` is a
        :class:`ReceivedFrame`, or ``None`` when its time is up.
        """
        try:
            return self._steps.send(reply)
        except StopIteration:
            return None

    # --- the course of a game ---------------------------------------------------------------------

    def _play(self) -> Steps:
        self._emit(events.Dealt(self.game_id, self.village, self.seats))
        yield from self._tell_all(Request.INITIALIZE)
        while True:
            yield from self._tell_all(Request.DAILY_INITIALIZE)
            self._emit(events.DayOpened(self.day))
            yield from self._run(self.village.day_phases)
            # Even a game that was aborted by day gets DAILY_FINISH and runs the first phase of the night.
            yield from self._tell_all(Request.DAILY_FINISH)
            yield from self._run(self.village.night_phases)
            self._emit(events.DayClosed(self.day))
            self.day, self._guard = self.day + 1, None
            self._said.clear()
            if self.day > self._last_day:
                break
            if self._decided():
                break
        yield from self._tell_all(Request.FINISH)
        self._emit(events.Ended(self.day, self.winner, *self._census(), aborted=self.aborted))

    def _run(self, phases: Iterable[Phase]) -> Steps:
        actions: dict[str, Callable[[], Steps]] = {
            "talk": lambda: self._converse(Request.TALK, self._living()),
            "whisper": lambda: self._converse(Request.WHISPER, self._pack()),
            "execute": self._execute,
            "divine": self._divine,
            "guard": self._protect,
            "attack": self._attack,
        }
        for phase in phases:
            if phase.runs_on(self.day):
                yield from actions[phase.action]()
                if not self.village.whole_nights and self._decided():
                    return

    def _decided(self) -> bool:
        """Whether the game ends now: too many seats lost, or one side has won."""
        if len(self._lost) >= self.village.max_errors:
            self.aborted = True
            return True
        humans, wolves = self._census()
        if wolves >= humans:
            self.winner = Side.WEREWOLF.value
        elif wolves == 0:
            self.winner = Side.VILLAGER.value
        return self.winner != NO_WINNER

    # --- talking ----------------------------------------------------------------------------------

    def _converse(self, request: Request, seats: list[int]) -> Steps:
        """One talk or whisper phase: in turns, or as a group chat if it has a duration."""
        if len(seats) < 2:
            return
        setting = self.village.talk_setting(request)
        if setting.duration is not None:
            yield from self._chat(request, seats, setting, setting.duration)
            return
        order = self._chance.speaking_order(seats)
        budgets = {seat: Budget.of(setting) for seat in seats}
        current = self.village.generation is Generation.CURRENT
        if not current:
            self._said[request] = 0
        for turn in range(setting.max_count.per_day):
            going_on = False
            for seat in order:
                budget = budgets[seat]
                if not budget.may_speak:
                    continue
                before = budget.count
                budget.count -= 1
                remain = (before if current else budget.count, budget.length, budget.skips)
                reply = yield from self._ask(seat, request, remain)
                self._talked(request, seat, turn, self._utterance(request, seat, budget, reply))
                going_on = going_on or not budget.over
            if not going_on:
                return

    def _chat(self, request: Request, seats: list[int], setting: TalkSetting, duration: int) -> Steps:
        """Everybody speaks when they like, and hears what is taken of it, their own words included."""
        start, broadcast, end = PHASE_REQUESTS[request]
        chat = ChatPhase(setting, seats, self._names)
        self._emit(events.ChatOpened(self.day, request, self._now_ms()))
        for seat in seats:
            yield from self._ask(seat, start, chat.remain(seat))
        until = self._now_ms() + duration  # counted, as by the official server, from when all know
        while chat.open and self._now_ms() < until:
            heard = yield Listen(request, until)
            if not isinstance(heard, ReceivedFrame):
                continue
            said = self._hear(chat, heard, request)
            if said is None:
                continue
            self._talked(request, heard.seat, said.turn, said.text, self._now_ms())
            for seat in seats:
                yield from self._ask(seat, broadcast, chat.remain(seat))
        self._emit(events.ChatClosed(self.day, request, self._now_ms(), all_said=not chat.open))
        for seat in seats:
            yield from self._ask(seat, end, chat.remain(seat))

    def _hear(self, chat: ChatPhase, heard: ReceivedFrame, request: Request) -> Accepted | None:
        if isinstance(heard.what, events.Silence):
            self._lost.add(heard.seat)
            self.fault(heard.seat, events.GuestFault.LOST, request=request)
            return None
        accepted, faults = chat.take(heard.seat, heard.what)
        for fault in faults:
            self.fault(heard.seat, fault, heard.what, request)
        return accepted

    def _utterance(self, request: Request, seat: int, budget: Budget, reply: str | None) -> str:
        """What the others receive of a ``reply`` in turns."""
        if reply is None:
            return SKIP
        rule, newer = self.village.talk_setting(request), self.village.generation is Generation.CURRENT
        kept = budget.kept(reply, self._names[seat], self._names, rule, newer=newer)
        budget.over = kept.over
        for fault in talk_faults(reply, kept.text, over=kept.over):
            self.fault(seat, fault, reply, request)
        return kept.text

    def _talked(self, request: Request, seat: int, turn: int, text: str, time: int | None = None) -> None:
        self._emit(events.Talked(self.day, request, seat, self._said[request], turn, text, time))
        self._said[request] += 1

    # --- votes, and what is done at night ----------------------------------------------------------------------

    def _execute(self) -> Steps:
        tally: list[int] = []
        for _ in range(self.village.vote.max_count):
            votes = yield from self._poll(Request.VOTE, self._living())
            tally = leaders(votes)
            if len(tally) == 1:
                break
        executed = self._one_of(tally)
        if executed is not None:
            self._alive[executed] = False
        self._emit(events.Executed(self.day, executed))

    def _attack(self) -> Steps:
        rule, targets = self.village.attack_vote, list[int]()
        if not self._pack():
            return
        for _ in range(rule.max_count):
            votes = yield from self._poll(Request.ATTACK, self._pack())
            targets = self._most_voted([target for target in votes if self.seats[target].role != Role.WEREWOLF])
            if len(targets) == 1:
                break
        target = None if rule.allow_no_target and len(targets) > 1 else self._one_of(targets)
        guarded = self._guard is not None and self._guard[1] == target and self._alive[self._guard[0]]
        if target is not None and not guarded:
            self._alive[target] = False
        self._emit(events.Attacked(self.day, target, killed=not guarded))

    def _most_voted(self, targets: list[int]) -> list[int]:
        """The targets that have the most votes of the wolves."""
        return leaders(targets)

    def _divine(self) -> Steps:
        seer = self._first(Role.SEER)
        if seer is not None:
            target = yield from self._target(seer, Request.DIVINE, myself=False)
            if target is not None:
                self._emit(events.Divined(self.day, seer, target))

    def _protect(self) -> Steps:
        guard = self._first(Role.BODYGUARD)
        if guard is not None:
            target = yield from self._target(guard, Request.GUARD, myself=False)
            if target is not None:
                self._guard = (guard, target)
                self._emit(events.Guarded(self.day, guard, target))

    def _poll(self, request: Request, voters: list[int]) -> Generator[Step, Outcome, list[int]]:
        """One round of votes, in seat order; the targets that count."""
        rule = self.village.attack_vote if request is Request.ATTACK else self.village.vote
        self._emit(events.PollOpened(self.day, request))
        targets = []
        for seat in voters:
            target = yield from self._target(seat, request, myself=rule.allow_self_vote)
            if target is not None:
                targets.append(target)
                self._emit(events.Voted(self.day, request, seat, target))
        return targets

    # --- asking -----------------------------------------------------------------------------------

    def _tell_all(self, request: Request) -> Steps:
        for seat in range(len(self.seats)):
            yield from self._ask(seat, request)

    def _ask(self, seat: int, request: Request, remain: tuple[int, int | None, int] | None = None) -> Asking:
        """Ask ``seat`` and return its answer without line breaks; ``None`` when none came or none was due."""
        packet = self._emit(Asked(seat, request, remain))
        if packet is None or seat in self._lost:
            self._emit(Answered(seat, request, silence=Silence.LOST))
            return None
        reply = yield Deliver(seat, packet, packet.needs_reply)
        if isinstance(reply, ReceivedFrame):
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
        """Ask ``seat`` for a target and return the living seat that it names.

        A name that is not exactly that of a living player counts as no choice: ``None``.
        """
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
        """One of ``seats``, who are tied: by lot; None where there are none."""
        return self._chance.tie(seats) if len(seats) > 1 else next(iter(seats), None)
