"""A phase of group chat: when to speak, and one seat that listens all the while and says one talk after another.

:class:`Pace` holds the figures, :class:`Rhythm` tells the moments (pure: seconds since the phase began are passed in),
and :class:`GroupChat` waits for them, makes the turns and throws away what a new talk has overtaken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from random import Random

from rapidfuzz import fuzz

from nlp_agent.deadline import Deadline
from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.protocol import OVER, Request, Talk
from nlp_agent.reading.statement import Relevance, relevance, shapes
from nlp_agent.seat.decision import Decision, How, SeatLog
from nlp_agent.seat.setup import Setup
from nlp_agent.seat.timing import ThinkingTime
from nlp_agent.seat.turn import Turn
from nlp_agent.text.names import names_of
from nlp_agent.voice.lines import HEARD_REPEAT

# --- When to speak in a group chat -----------------------------------------------------------------------------------


_SHARE_OF_PHASE = 0.8
"""Share of a phase's whole duration that is counted on when it is shorter than what is usual."""
_LATEST = 0.1
"""Share of the duration that :attr:`Pace.margin` takes at most: a frame after the end answers the next question."""
_EAGER = 0.5
"""Share of the usual wait before a first talk that tells a claim or a result."""
_LEAVES = 1.25
"""Silences that a seat with nothing more to say waits through before it leaves."""
_WOLVES = 0.4
"""Share of the usual patience with silence among wolves, who have only one thing to settle."""


class Urgency(Enum):
    """A measure of how much a plan wants to be said."""

    NOTHING = "nothing"
    TOPIC = "topic"
    LAST_WORD = "last word"
    """The announced vote: it waits for the end of the phase."""
    PRESSING = "pressing"


def urgency(plan: TalkPlan, *, addressed: bool) -> Urgency:
    """Tell how soon ``plan`` is to be said; ``addressed``: somebody waits for a word of this seat."""
    if plan.over or not plan.acts:
        return Urgency.NOTHING
    if addressed or any(act.row.presses for act in plan.acts):
        return Urgency.PRESSING
    return Urgency.LAST_WORD if any("vote" in act.row.binds for act in plan.acts) else Urgency.TOPIC


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of a seat in group chats: seconds, if nothing else is said; the shipped configuration explains each and
    where its default is from.
    """

    speed: float = 1.0
    expected: float = 118.0
    opening: tuple[float, float] = (1.0, 14.0)
    answer: tuple[float, float] = (1.0, 5.0)
    typing: float = 20.0
    typing_most: float = 5.0
    gap: float = 6.0
    lull: float = 2.0
    last_word: float = 0.85
    silence: float = 30.0
    margin: float = 3.0
    hurry: float = 12.0
    patience: float = 20.0
    restarts: int = 2

    def fitted(self, duration: float | None) -> Pace:
        """The same pace at its speed, quickened further for a phase that may last ``duration`` seconds at most.

        The model's time is not quickened, for no model is: it only shrinks to a part of a short phase.
        """
        share = 1.0 / self.speed
        limit = duration if duration and duration > 0 else float("inf")
        share = min(share, _SHARE_OF_PHASE * limit / self.expected)
        return replace(
            self,
            speed=1.0,
            expected=self.expected * share,
            opening=(self.opening[0] * share, self.opening[1] * share),
            answer=(self.answer[0] * share, self.answer[1] * share),
            typing=self.typing / share,
            typing_most=self.typing_most * share,
            gap=self.gap * share,
            lull=self.lull * share,
            silence=self.silence * share,
            margin=min(self.margin, limit * _LATEST),
            hurry=min(self.hurry, limit / 5),
            patience=min(self.patience, limit / 4),
        )

    def typing_time(self, text: str) -> float:
        """The seconds that it takes to write ``text``."""
        return min(self.typing_most, len(text) / self.typing)


class Rhythm:
    """The when of one seat in one phase.

    Tell it what is ``heard`` and when this seat ``spoke``; it tells when a plan should be begun to be written
    (``moment``), when the end is near (``closing_at``) and when to leave (``quit_at``). ``supply`` is how many talks
    the others still have, as far as can be told.
    """

    def __init__(self, pace: Pace, rng: Random, *, whisper: bool = False) -> None:
        self._pace, self._rng = pace, rng
        self._silence = pace.silence * (_WOLVES if whisper else 1.0)
        self._end = pace.expected * rng.uniform(0.9, 1.1)
        self._luck = rng.random()
        self._spoke: float | None = None
        self._heard: float | None = None
        self._since: float | None = None
        self._news = 0
        self._asked: float | None = None
        self._ending: float | None = None
        self._alone: float | None = None
        self._others = 1

    @property
    def addressed(self) -> bool:
        """Whether somebody has spoken to this seat since it spoke last."""
        return self._asked is not None

    def heard(self, now: float, *, addressed: bool) -> None:
        """Note that somebody else has spoken at ``now``, ``addressed`` to this seat or not."""
        self._heard, self._since = now, now
        self._news += 1
        if addressed and self._asked is None:
            self._asked = now

    def supplied(self, now: float, talks: int, others: int) -> None:
        """Note that ``others`` living players have ``talks`` talks left in all."""
        self._others = max(1, others)
        if talks <= 1 and self._ending is None:
            self._ending = now
        if talks <= 0 and self._alone is None:
            self._alone = now

    def spoke(self, now: float) -> None:
        """Note that this seat has just spoken, at ``now``: the wait for its next talk begins."""
        self._spoke, self._news, self._since, self._asked = now, 0, None, None
        self._luck = self._rng.random()

    def moment(self, wish: Urgency, left: int) -> float | None:
        """The second of the phase at which to begin writing, with ``left`` talks left; None: not before there is news,
        or the end is near.
        """
        if wish is Urgency.LAST_WORD:
            return max(self._free(), self.closing_at() + self._answer())
        if self._spoke is None:
            low, high = self._pace.opening
            # Squared: as in the real games most begin soon, a few much later.
            first = low + (high - low) * self._luck**2 * (_EAGER if wish is Urgency.PRESSING else 1.0)
            return first if self._asked is None else min(first, self._asked + self._answer())
        if wish is Urgency.PRESSING:
            since = self._asked if self._asked is not None else self._since
            due = self._spoke + self._ration(left) if since is None else since + self._answer()
            return max(self._free(), due)
        return self._topic(left) if self._news and left > 1 else None

    def _answer(self) -> float:
        low, high = self._pace.answer
        return low + (high - low) * self._luck

    def _topic(self, left: int) -> float:
        assert self._spoke is not None
        assert self._heard is not None
        # A round has passed when all others had the time to speak.
        due = 2 * self._pace.gap if self._news >= self._others else self._ration(left)
        at = max(self._free(), self._spoke + due * (0.7 + 0.6 * self._luck))
        # Somebody breaks a silence before it becomes the end; by luck not everybody at once.
        at = max(self._free(), min(at, self._heard + self._silence * (0.3 + 0.5 * self._luck)))
        return max(at, min(self._heard + self._pace.lull, at + 3 * self._pace.lull))

    def _ration(self, left: int) -> float:
        """Seconds between two talks by which those that are left last until the end of the phase."""
        assert self._spoke is not None
        return max(self._pace.gap, (self._end * self._pace.last_word - self._spoke) / max(1, left))

    def _free(self) -> float:
        """The second of the phase before which this seat does not speak again: half a gap after its last talk."""
        return 0.0 if self._spoke is None else self._spoke + self._pace.gap / 2

    def closing_at(self) -> float:
        """The second of the phase at which the last word is due: late, or when the others are done or have fallen
        silent.
        """
        times = [self._end * self._pace.last_word, self._quiet_at()]
        return min(times if self._ending is None else [*times, self._ending])

    def quit_at(self) -> float:
        """The second of the phase at which a seat that has nothing more to say leaves: later than others say their last
        word into the silence.
        """
        return max(self._free(), self._quiet_at(_LEAVES) if self._alone is None else self._alone)

    def _quiet_at(self, times: float = 1.0) -> float:
        last = max(self._heard or 0.0, self._spoke or 0.0)
        return last + self._silence * times * (0.8 + 0.4 * self._luck)


# --- One seat in one phase of a group chat ---------------------------------------------------------------------------


_MANY = 10
"""Talks that somebody has whose limit nobody told: more than can matter."""
_BLANKS = 3
"""Times in a row that no words were found for a plan; after them this seat says nothing more unless it is addressed."""


class GroupChat:
    """A seat in one phase of a group chat: it listens all the while and says one talk after another.

    Call :meth:`heard` whenever the state has learnt something, and :meth:`next` for the next thing to be sent.

    Args:
        state: the game as the seat knows it; ``setup``: what the seat has since it was set up; ``log``: its
            journal.
        begin: makes a turn of the seat, given the talks left (that one counted) and whether it is to close the phase.
        request: TALK or WHISPER.
        pace: the seconds of its rhythm, and those that a model has.
        closes: the end of the phase; it carries the phase's beginning and the clock.
        rng: for the moments, so that not all speak at once.
        improvises: whether there is a model, which finds words even where the plan has nothing to say.
    """

    def __init__(
        self,
        state: SeatState,
        setup: Setup | None,
        log: SeatLog,
        begin: Callable[[int, bool], Turn],
        request: Request,
        pace: Pace,
        closes: Deadline,
        rng: Random,
        *,
        improvises: bool,
    ) -> None:
        self._state, self._setup, self._log, self._begin = state, setup, log, begin
        self._request, self._pace, self._closes, self._improvises = request, pace, closes, improvises
        self._rhythm = Rhythm(pace, rng, whisper=request is Request.WHISPER)
        self._phase_no = state.phase_no
        self._seen = 0
        self._blanks = 0
        self._typing = ""
        self._news = asyncio.Event()
        self._disturbed = asyncio.Event()
        self.on_writing: Callable[[bool], None] = lambda _: None
        """Hears when a talk is begun to be written, and when it is done or given up."""
        self.heard()

    # --- listening ---------------------------------------------------------------------------------------------

    def heard(self) -> None:
        """Look at what has been said in the phase since the last call; never waits."""
        state = self._state
        if state.phase_no != self._phase_no:
            return
        now = self._closes.spent
        fresh = state.phase_talks[self._seen :]
        self._seen += len(fresh)
        for talk in fresh:
            if talk.agent == state.me:
                continue  # our own words come back like everybody's
            meaning = self._meaning(talk)
            if talk.said:
                self._rhythm.heard(now, addressed=meaning is Relevance.DIRECT)
            if meaning is not Relevance.NONE or (self._typing and self._echoes(self._typing, talk)):
                self._disturbed.set()
            self._news.set()
        self._rhythm.supplied(now, *self._supply())

    def _meaning(self, talk: Talk) -> Relevance:
        """What a talk of somebody else means to this seat."""
        setup, state = self._setup, self._state
        if setup is None:
            return Relevance.NONE

        def read() -> Relevance:
            return relevance(talk, setup.pack.reading.read(talk.text, state.players), state.me)

        return self._log.catching("reading a talk", read, Relevance.NONE)

    def _echoes(self, text: str, talk: Talk) -> bool:
        """Whether ``talk`` has just said what ``text`` was about to say, or a sentence of it."""
        names = names_of(self._state.players)
        ours, theirs = shapes(text, names), shapes(talk.text, names)
        return any(fuzz.ratio(our, their) >= HEARD_REPEAT for our in ours for their in theirs)

    def _supply(self) -> tuple[int, int]:
        """How many talks the others still have, and how many others can speak here at all."""
        state = self._state
        able = state.others if self._request is Request.TALK else tuple(n for n in state.partners if n in state.alive)
        left = [state.talks_left(name) for name in able]
        return sum(_MANY if count is None else count for count in left), len(able)

    # --- speaking ----------------------------------------------------------------------------------------------

    async def next(self, left: int) -> tuple[Decision, Deadline]:
        """Wait for the moment to speak, and return what to send; ``left`` counts it too. The deadline tells the time
        taken.

        Over comes when nothing is worth saying any more. What is thought or written when a talk changes the question is
        thrown away and thought again, a few times at most.
        """
        restarts = self._pace.restarts
        while True:
            now = self._closes.spent
            closing = now >= self._rhythm.closing_at()
            wish, at = self._wish(left, closing=closing)
            if at is None:  # nothing to say, or nothing before somebody else has spoken
                leaves = self._rhythm.quit_at()
                if now >= leaves and (closing or wish is Urgency.NOTHING):
                    over = Decision(self._request, self._state.day, OVER, How.SETTLED)
                    return over, self._sending(now)
                at = max(leaves, now)
            if at > now:
                await self._pause(at if closing else min(at, self._rhythm.closing_at()))
                continue
            written = await self._write(left, wish, closing=closing, firm=restarts <= 0)
            if written is None:
                restarts -= 1
                continue
            self._rhythm.spoke(self._closes.spent)
            if written.text != OVER:
                self._blanks = 0
                return written, self._sending(now)
            self._blanks += 1
            self._log.unsaid(written, "no words were found")

    def _wish(self, left: int, *, closing: bool) -> tuple[Urgency, float | None]:
        plan = self._intend(left, closing=closing)
        addressed = self._rhythm.addressed
        wish = urgency(plan, addressed=addressed)
        if plan.over and addressed and left > 1 and self._improvises:
            wish = Urgency.PRESSING  # the plan has nothing, but a model finds an answer for whoever speaks to us
        if wish is Urgency.NOTHING or (self._blanks >= _BLANKS and not addressed):
            return Urgency.NOTHING, None
        return wish, self._rhythm.moment(wish, left)

    def _intend(self, left: int, *, closing: bool) -> TalkPlan:
        """What this seat would say now, with ``left`` talks left."""
        setup = self._setup
        if setup is None:
            return TalkPlan(over=True, why="the seat is not set up yet")
        self._state.talks_after = left - 1
        setup.limit_strategy(self._deadline(self._pace.hurry))
        plan = self._log.catching("planning", lambda: setup.planner.plan_talk(self._request, closing=closing), None)
        return plan or TalkPlan(over=True, why="no plan could be made")

    async def _write(self, left: int, wish: Urgency, *, closing: bool, firm: bool) -> Decision | None:
        """A talk as soon as it can have been written; None when something said meanwhile changed the question."""
        self._disturbed.clear()
        self._typing = ""
        deadline = self._deadline(self._pace.hurry if wish is Urgency.PRESSING else self._pace.patience)
        thought = asyncio.ensure_future(self._think(left, deadline, closing=closing))
        disturbed = asyncio.ensure_future(asyncio.Event().wait() if firm else self._disturbed.wait())
        self.on_writing(True)
        try:
            await asyncio.wait({thought, disturbed}, return_when=asyncio.FIRST_COMPLETED)
            if not disturbed.done():
                return thought.result()
            if thought.done():
                self._log.unsaid(thought.result(), "something was said just then")
            return None
        except asyncio.CancelledError:
            if thought.done() and not thought.cancelled() and thought.exception() is None:
                self._log.unsaid(thought.result(), "the phase ended just then")
            raise
        finally:
            # Where the words are there nothing is awaited: if the phase ended meanwhile, no row would tell of them.
            self.on_writing(False)
            disturbed.cancel()
            if not thought.done():
                thought.cancel()
                await asyncio.gather(thought, return_exceptions=True)

    async def _think(self, left: int, deadline: Deadline, *, closing: bool) -> Decision:
        turn = self._begin(left, closing)
        try:
            decision = await turn.answer(ThinkingTime.in_group_chat(deadline))
        except asyncio.CancelledError:
            self._log.unsaid(turn.decision, "something was said, or the phase ended, while the model thought")
            raise
        self._typing = decision.text
        if decision.text != OVER:  # a model that took its time has been seen typing
            try:
                await asyncio.sleep(max(0.0, self._pace.typing_time(decision.text) - deadline.spent))
            except asyncio.CancelledError:
                self._log.unsaid(decision, "something was said, or the phase ended, while it was written")
                raise
        return decision

    def _sending(self, began: float) -> Deadline:
        """The deadline of what is sent: the end of the phase.

        ``began`` is the second of the phase at which writing was begun. The time spent is counted from there.
        """
        return Deadline(self._closes.at, self._closes.arrived_at + began, self._closes.clock)

    def _deadline(self, seconds: float) -> Deadline:
        """The time for writing a talk: ``seconds`` from now, or less where the phase ends before.

        The margin is taken off twice: ``closes`` is the last moment to send (``Session._follow_phase`` has
        taken it off the end of the phase), and a talk must be written once more as long before that.
        """
        now = self._closes.clock()
        return Deadline(min(self._closes.at - self._pace.margin, now + seconds), now, self._closes.clock)

    async def _pause(self, until: float) -> None:
        """Wait for the moment ``until`` of the phase, or until somebody speaks."""
        self._news.clear()
        try:
            async with asyncio.timeout(max(0.0, until - self._closes.spent)):
                await self._news.wait()
        except TimeoutError:
            pass
