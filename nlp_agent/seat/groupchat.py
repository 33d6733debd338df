"""One seat in one phase of a group chat: listening all the while, and at the right moment one talk after another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from rapidfuzz import fuzz

from nlp_agent.deadline import Deadline
from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.protocol import OVER, Request, Talk
from nlp_agent.reading.statement import Relevance, relevance, shapes
from nlp_agent.seat.decision import Decision, How
from nlp_agent.seat.log import SeatLog
from nlp_agent.seat.pacing import Pace, Rhythm, Urgency, urgency
from nlp_agent.seat.setup import Setup
from nlp_agent.seat.timing import ThinkingTime
from nlp_agent.seat.turn import Turn
from nlp_agent.text.names import names_of
from nlp_agent.voice.lines import HEARD_REPEAT

_MANY = 10
"""Talks that somebody has whose limit nobody told: more than can matter."""
_BLANKS = 3
"""Times in a row that no words were found for a plan; after them this seat says nothing more unless it is addressed."""


class GroupChat:
    """``heard`` whenever the state has learnt something; ``next`` for the next thing to be sent.

    ``begin`` makes a turn of the seat, given the talks left (that one counted) and whether it is to close the phase.
    ``improvises``: there is a model, which finds words even where the plan has nothing to say. ``closes`` ends the
    phase; it carries the phase's beginning and the clock.
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

        return self._log.guarded("reading a talk", read, Relevance.NONE)

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
        """What to send next, at the moment it is to be sent; ``left`` counts it too. The deadline tells the time taken.

        Over comes when nothing is worth saying any more. What is thought or written when a talk changes the question
        is thrown away and thought again, a few times at most.
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
            return TalkPlan(over=True, why="no character was dealt yet")
        self._state.talks_after = left - 1
        plan = self._log.guarded("planning", lambda: setup.mind.plan_talk(self._request, closing=closing), None)
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
        finally:  # without a pause where there are words: an end of the phase in it would lose them untold
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
        """When sending ends; born when what is to be sent was begun, at ``began`` in the phase."""
        return Deadline(self._closes.at, self._closes.arrived_at + began, self._closes.clock)

    def _deadline(self, seconds: float) -> Deadline:
        """From this moment on, and so far within the phase that there is time to send."""
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
