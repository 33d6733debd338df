"""The referee: the rules of a whole game, without I/O, clock or chance of its own.

Drive it with :meth:`Game.start` and :meth:`Game.answer`: each returns the next packet to deliver or, in a group chat,
the wish to hear what is said next; ``None`` is the end.

Source: behaviour of the official turn-based server, proved by ``tests/arena/test_arena_replay.py``; for group chats
that of the server of 2026 as its contests' logs show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence

from nlp_agent.arena import events
from nlp_agent.arena.board import Board, leaders
from nlp_agent.arena.choices import Character, Choices
from nlp_agent.arena.steps import HeardFrame, Listen, Outcome, Step, Steps
from nlp_agent.arena.talking import PHASE_REQUESTS, Accepted, Budget, ChatPhase, talk_faults
from nlp_agent.arena.village import LONGEST_GAME, Generation, Phase, Village
from nlp_agent.errors import TableError
from nlp_agent.game.village import Side
from nlp_agent.protocol import SKIP, Request, Role, TalkSetting

NO_WINNER = "NONE"


class Game(Board):
    """One game of ``village`` between ``guests`` (connection names in seat order).

    ``cast`` gives the in-game characters (without one they are ``Agent[01]`` …). ``events`` is the log; each event is
    also handed to ``on_event`` the moment it happens. ``now_ms`` tells Unix milliseconds; only group chats need it.

    Raises TableError when guests or cast do not fill the village, or a group chat has no clock.
    """

    def __init__(
        self,
        village: Village,
        guests: Sequence[str],
        choices: Choices,
        *,
        cast: Sequence[Character] = (),
        game_id: str = "",
        on_event: Callable[[events.Event], None] | None = None,
        now_ms: Callable[[], int] | None = None,
    ) -> None:
        if now_ms is None and village.chats:
            raise TableError("a village with group chat needs a clock: play it at a table")
        super().__init__(village, guests, choices, cast, game_id, on_event)
        self.winner = NO_WINNER
        self.aborted = False
        self._last_day = min(LONGEST_GAME, LONGEST_GAME if village.max_day is None else village.max_day)
        self._now_ms = now_ms or (lambda: 0)
        self._guard: tuple[int, int] | None = None
        self._said: Counter[Request] = Counter()
        self._steps: Steps = self._play()
        self._started = False

    # --- driving it -------------------------------------------------------------------------------

    def start(self) -> Step | None:
        """The first packet to deliver."""
        if self._started:
            raise TableError("this game has been started before: make a new one")
        self._started = True
        return next(self._steps, None)

    def answer(self, reply: Outcome) -> Step | None:
        """Tell what became of the last step; the next one, or ``None`` when the game is over.

        A text is the guest's whole frame. ``None`` means delivered, where no reply is due, and no answer in
        time elsewhere. ``Silence.LOST`` takes the seat out for good. The answer to a :class:`Listen` is a
        :class:`HeardFrame`, or ``None`` when its time is up.
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
            # Even a game that was aborted by day is told DAILY_FINISH and runs the first phase of the night.
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
                for action in phase.actions:
                    yield from actions[action]()
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
        order = self._choices.speaking_order(seats)
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
                told = (before if current else budget.count, budget.length, budget.skips)
                reply = yield from self._ask(seat, request, told)
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
        until = self._now_ms() + duration  # counted, as by the official server, from when all have been told
        while chat.open and self._now_ms() < until:
            heard = yield Listen(request, until)
            if not isinstance(heard, HeardFrame):
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

    def _hear(self, chat: ChatPhase, heard: HeardFrame, request: Request) -> Accepted | None:
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

    # --- deeds ------------------------------------------------------------------------------------

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
        rule, prey = self.village.attack_vote, list[int]()
        if not self._pack():
            return
        for _ in range(rule.max_count):
            votes = yield from self._poll(Request.ATTACK, self._pack())
            prey = self._prey([target for target in votes if self.seats[target].role != Role.WEREWOLF])
            if len(prey) == 1:
                break
        target = None if rule.allow_no_target and len(prey) > 1 else self._one_of(prey)
        guarded = self._guard is not None and self._guard[1] == target and self._alive[self._guard[0]]
        if target is not None and not guarded:
            self._alive[target] = False
        self._emit(events.Attacked(self.day, target, killed=not guarded))

    def _prey(self, targets: list[int]) -> list[int]:
        """Whom the pack may mean that named ``targets``."""
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
