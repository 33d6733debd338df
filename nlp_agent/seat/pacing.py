"""When to speak in a group chat. Pure: moments are passed in, in seconds since the phase began."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from random import Random

from nlp_agent.planning.plan import TalkPlan

_FITS = 0.8
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
    """How much a plan wants to be said."""

    NOTHING = "nothing"
    TOPIC = "topic"
    LAST_WORD = "last word"
    """The announced vote: it waits for the end of the phase."""
    PRESSING = "pressing"


def urgency(plan: TalkPlan, *, addressed: bool) -> Urgency:
    """How soon ``plan`` is to be said; ``addressed``: somebody waits for a word of this seat."""
    if plan.over or not plan.acts:
        return Urgency.NOTHING
    if addressed or any(act.row.presses for act in plan.acts):
        return Urgency.PRESSING
    return Urgency.LAST_WORD if any("vote" in act.row.binds for act in plan.acts) else Urgency.TOPIC


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds, if nothing else is said; the shipped configuration explains each and where its default is from."""

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
        """This pace at its speed, quickened further for a phase that may last ``duration`` seconds at most.

        The model's time is not quickened, for no model is: it only shrinks to a part of a short phase.
        """
        share = 1.0 / self.speed
        limit = duration if duration and duration > 0 else float("inf")
        share = min(share, _FITS * limit / self.expected)
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
        """How long it takes to write ``text``."""
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
        """Somebody else has spoken."""
        self._heard, self._since = now, now
        self._news += 1
        if addressed and self._asked is None:
            self._asked = now

    def supplied(self, now: float, talks: int, others: int) -> None:
        """``others`` living players have ``talks`` talks left in all."""
        self._others = max(1, others)
        if talks <= 1 and self._ending is None:
            self._ending = now
        if talks <= 0 and self._alone is None:
            self._alone = now

    def spoke(self, now: float) -> None:
        self._spoke, self._news, self._since, self._asked = now, 0, None, None
        self._luck = self._rng.random()

    def moment(self, wish: Urgency, left: int) -> float | None:
        """When to begin writing, with ``left`` talks left; None: not before there is news, or the end is near."""
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
        """The moment from which on this seat has not only just spoken."""
        return 0.0 if self._spoke is None else self._spoke + self._pace.gap / 2

    def closing_at(self) -> float:
        """When the last word is due: late in the phase, or when the others are done or have fallen silent."""
        times = [self._end * self._pace.last_word, self._quiet_at()]
        return min(times if self._ending is None else [*times, self._ending])

    def quit_at(self) -> float:
        """When a seat that has nothing more to say leaves: later than others say their last word into the silence."""
        return max(self._free(), self._quiet_at(_LEAVES) if self._alone is None else self._alone)

    def _quiet_at(self, times: float = 1.0) -> float:
        last = max(self._heard or 0.0, self._spoke or 0.0)
        return last + self._silence * times * (0.8 + 0.4 * self._luck)
