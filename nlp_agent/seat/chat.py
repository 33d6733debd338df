"""One seat in one phase of a group chat: listening all the while, and at the right moment one talk after another."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Protocol

from nlp_agent.deadline import Deadline
from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.protocol import OVER, Request, Talk
from nlp_agent.reading.stir import Stir
from nlp_agent.seat.decision import Decision, How
from nlp_agent.seat.pacing import Pace, Rhythm, Urgency, urgency

_MANY = 10
"""Talks that somebody has whose limit nobody told: more than can matter."""
_BLANKS = 3
"""Times in a row that no words were found for a plan; after them this seat says nothing more unless it is addressed."""


class Thinker(Protocol):
    """What a chat asks of its seat; :class:`nlp_agent.seat.Seat` does it."""

    state: SeatState

    @property
    def improvises(self) -> bool: ...
    def stir(self, talk: Talk) -> Stir: ...
    def unsaid(self, decision: Decision, why: str) -> None: ...
    def echoes(self, text: str, talk: Talk) -> bool: ...
    def intend(self, request: Request, left: int, *, closing: bool) -> TalkPlan: ...
    async def compose(self, request: Request, left: int, *, closing: bool, until: Deadline) -> Decision: ...


class Chat:
    """``heard`` whenever the state has learnt something; ``next`` for the next thing to be sent.

    ``closes`` ends the phase; it carries the phase's beginning and the clock.
    """

    def __init__(self, seat: Thinker, request: Request, pace: Pace, closes: Deadline, rng: Random) -> None:
        self._seat, self._request, self._pace, self._closes = seat, request, pace, closes
        self._rhythm = Rhythm(pace, rng, whisper=request is Request.WHISPER)
        self._phase_no = seat.state.phase_no
        self._seen = 0
        self._blanks = 0
        self._draft = ""
        self._news = asyncio.Event()
        self._stirred = asyncio.Event()
        self.heard()

    # --- listening ---------------------------------------------------------------------------------------------

    def heard(self) -> None:
        """Look at what has been said in the phase since the last call; never waits."""
        state = self._seat.state
        if state.phase_no != self._phase_no:
            return
        now = self._closes.spent
        fresh = state.phase_talks[self._seen :]
        self._seen += len(fresh)
        for talk in fresh:
            if talk.agent == state.me:
                continue  # our own words come back like everybody's
            stir = self._seat.stir(talk)
            if talk.said:
                self._rhythm.heard(now, addressed=stir is Stir.AT_US)
            if stir is not Stir.NONE or (self._draft and self._seat.echoes(self._draft, talk)):
                self._stirred.set()
            self._news.set()
        self._rhythm.supplied(now, *self._supply())

    def _supply(self) -> tuple[int, int]:
        """How many talks the others still have, and how many others can speak here at all."""
        state = self._seat.state
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
                    over = Decision(self._request, self._seat.state.day, OVER, How.SETTLED)
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
            self._seat.unsaid(written, "no words were found")

    def _wish(self, left: int, *, closing: bool) -> tuple[Urgency, float | None]:
        plan = self._seat.intend(self._request, left, closing=closing)
        addressed = self._rhythm.addressed
        wish = urgency(plan, addressed=addressed)
        if plan.over and addressed and left > 1 and self._seat.improvises:
            wish = Urgency.PRESSING  # the plan has nothing, but a model finds an answer for whoever speaks to us
        if wish is Urgency.NOTHING or (self._blanks >= _BLANKS and not addressed):
            return Urgency.NOTHING, None
        return wish, self._rhythm.moment(wish, left)

    async def _write(self, left: int, wish: Urgency, *, closing: bool, firm: bool) -> Decision | None:
        """A talk as soon as it can have been written; None when something said meanwhile changed the question."""
        self._stirred.clear()
        self._draft = ""
        deadline = self._deadline(self._pace.hurry if wish is Urgency.PRESSING else self._pace.patience)
        thought = asyncio.ensure_future(self._think(left, deadline, closing=closing))
        stirred = asyncio.ensure_future(asyncio.Event().wait() if firm else self._stirred.wait())
        try:
            await asyncio.wait({thought, stirred}, return_when=asyncio.FIRST_COMPLETED)
            if not stirred.done():
                return thought.result()
            if thought.done():
                self._seat.unsaid(thought.result(), "something was said just then")
            return None
        except asyncio.CancelledError:
            if thought.done() and not thought.cancelled() and thought.exception() is None:
                self._seat.unsaid(thought.result(), "the phase ended just then")
            raise
        finally:  # without a pause where there are words: an end of the phase in it would lose them untold
            stirred.cancel()
            if not thought.done():
                thought.cancel()
                await asyncio.gather(thought, return_exceptions=True)

    async def _think(self, left: int, deadline: Deadline, *, closing: bool) -> Decision:
        decision = await self._seat.compose(self._request, left, closing=closing, until=deadline)
        self._draft = decision.text
        if decision.text != OVER:  # a model that took its time has been seen typing
            try:
                await asyncio.sleep(max(0.0, self._pace.typing_time(decision.text) - deadline.spent))
            except asyncio.CancelledError:
                self._seat.unsaid(decision, "something was said, or the phase ended, while it was written")
                raise
        return decision

    def _sending(self, began: float) -> Deadline:
        """When sending ends; born when what is to be sent was begun, at ``began`` in the phase."""
        return Deadline(self._closes.at, self._closes.born + began, self._closes.clock)

    def _deadline(self, seconds: float) -> Deadline:
        """From this moment on, and so far within the phase that there is time to send."""
        now = self._closes.clock()
        return Deadline(min(self._closes.at - self._pace.margin, now + seconds), now, self._closes.clock)

    async def _pause(self, until: float) -> None:
        """Until that moment of the phase, or until somebody speaks."""
        self._news.clear()
        try:
            async with asyncio.timeout(max(0.0, until - self._closes.spent)):
                await self._news.wait()
        except TimeoutError:
            pass
