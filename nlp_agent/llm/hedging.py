"""Which endpoint is asked when, and which one rests: rules without I/O, on a clock that is passed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nlp_agent.llm.model import Usage


@dataclass(frozen=True, slots=True)
class Policy:
    """Seconds after the packet's arrival at the usual pace (60 s for an answer); a question's pace scales them all.

    ``hedge``: a second request is sent; the first good answer wins. ``partial``: the complete sentences of an
    unfinished talk are taken. An endpoint that failed ``failures`` times in a row rests for ``rest`` seconds where
    another one can be asked; then one question at a time tries it again. Each question waits for ``pause`` seconds
    first, but at most for half of its time.
    """

    hedge: float = 15.0
    partial: float = 45.0
    failures: int = 3
    rest: float = 30.0
    pause: float = 0.0


class Breaker:
    """Whether an endpoint may be asked, from how the last questions to it went. All seats share one per endpoint."""

    def __init__(self, failures: int) -> None:
        self._limit = failures
        self._row = 0
        self._until: float | None = None
        self._sent_away = 0.0
        self._trying = False

    def resting(self, now: float) -> float:
        """Seconds until it may be asked; 0 when it may. While one question tries it again, others are kept away."""
        if self._until is None:
            return 0.0
        return max(0.0, self._until - now) or float(self._trying)

    def sent_away(self, now: float) -> bool:
        """Whether the endpoint itself asked us to stay away for longer than this."""
        return now < self._sent_away

    @property
    def probing(self) -> bool:
        """Whether the next question to it finds out if it is well again."""
        return self._until is not None

    def asked(self) -> None:
        self._trying = self._until is not None

    def answered(self) -> None:
        self._row, self._until, self._trying = 0, None, False

    def failed(self, now: float, rest: float, asked_for: float | None = None) -> None:
        """``asked_for``: seconds the endpoint itself asked us to stay away."""
        self._row += 1
        self._sent_away = now + (asked_for or 0.0)
        wait = max(asked_for or 0.0, rest if self._row >= self._limit else 0.0)
        if wait:
            self._until = now + wait
        self._trying = False

    def let_go(self) -> None:
        """The question ended before it could tell anything about the endpoint."""
        self._trying = False


@dataclass(slots=True, eq=False)
class Attempt:
    """One request for a question, and what has been heard of it; a :class:`~nlp_agent.llm.model.Listener`."""

    endpoint: str
    on_news: Callable[[], None]
    text: str = ""
    sure: bool = False
    alive: bool = False
    told_off: bool = False
    running: bool = True
    usage: Usage = field(default_factory=Usage)

    def heard(self, text: str, sure: bool) -> None:
        self.alive, self.text, self.sure = True, text, sure
        self.on_news()

    def told_to_wait(self) -> None:
        self.told_off = True

    def spent(self, usage: Usage) -> None:
        self.usage += usage


def next_to_ask(order: Sequence[str], attempts: Sequence[Attempt], *, late: bool) -> str | None:
    """The endpoint to ask now, if any, of those in ``order`` that may be asked; ``late``: the hedge moment has come.

    One request at a time until then, the next endpoint as soon as one has failed; then two at a time. The second may
    go to the same endpoint when there is no other, once, and not when that endpoint told us to wait.
    """
    running = [attempt for attempt in attempts if attempt.running]
    if len(running) >= (2 if late else 1):
        return None
    asked = {attempt.endpoint for attempt in attempts}
    fresh = next((name for name in order if name not in asked), None)
    if fresh is not None or not running:
        return fresh
    again = running[0].endpoint
    return again if len(attempts) == 1 and again in order and not running[0].told_off else None


def best_unfinished(attempts: Sequence[Attempt], whole: Callable[[str], str]) -> tuple[Attempt, str] | None:
    """The longest run of complete sentences; what may be a thought counts only where there is nothing else."""
    found = [(attempt, text) for attempt in attempts if (text := whole(attempt.text))]
    return max(found, key=lambda pair: (pair[0].sure, len(pair[1])), default=None)
