"""What was decided for one request, why and at what cost, and how it gets into the journal and the counts of the game.

:meth:`Decision.row` is the row of the journal: a new field goes there. :class:`SeatLog` is the one way from a seat to
its journal; it also catches and counts faults of our own, which cost an answer its quality and never the game.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from nlp_agent.deadline import Deadline
from nlp_agent.game import SeatState
from nlp_agent.llm.model import Usage
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.strategy import StrategyFault
from nlp_agent.prompting import Style
from nlp_agent.protocol import OVER, TALK_REQUESTS

# --- What was decided for one request, why, and at what cost ---------------------------------------------------------


class How(StrEnum):
    """The origin of the words or the name that went out."""

    STRATEGY = "strategy"
    """The strategy without a model: none is configured, or the table speaks the AIWolf Protocol. Journals of versions
    before 2.2 call it ``mind``."""
    LLM = "llm"
    RETRY = "retry"
    """The model, asked a second time."""
    FALLBACK = "fallback"
    """The ready-made answer. Every turn with a model begins with this value, and it stays if the model gives none that
    can be used in time. (``deadline.fallback`` is the moment at which the model is given up.)"""
    SETTLED = "settled"
    """No model was needed: a promise, a single choice, or nothing left to say."""
    PERSON = "person"
    """A person at the page of this seat."""
    RESCUE = "rescue"
    """A plain legal answer, because no plan could be made: our own code failed, or not all was ready for the game."""


@dataclass(slots=True)
class Decision:
    """A decision what to send for one request, and all that was thought, asked and refused on the way.

    Attributes:
        request: the request that is answered; ``day``: when.
        text: exactly what is to be sent.
        how: where the words or the name came from.
        plan: what was meant by it; it says what the words commit to.
        choices: whom the model might name, for a target request.
        system: the system message the model was shown; ``user``: the last message.
        own_reading: how the model read the game for this talk, before it was shown any advice.
        raw: the model's answer as it came.
        thought: what the model thought of the game in its first answer, where its second answer thinks only about our
            objection. There are two such cases: the first answer was too long; or somebody's talk gave orders to
            models, so that the model was asked to choose again, and it chose the same. Otherwise this is empty, and
            the thought is read from ``raw`` (``advised.py:thought_of``).
        changes: what was done to make the words legal.
        problems: what could not be used and why, in order.
        usage: what the calls for this decision cost that were answered; of a failed one nobody tells the cost.
        posterior: what was thought of everybody (:meth:`nlp_agent.belief.assessment.Belief.row`).
        heard: what was said since the last decision, as sentences of the AIWolf Protocol.
        judgement: P(wolf) of the living by arithmetic, by the model and by both, the trust in the model, what decided.
        chat: for a talk of a group chat: packets heard when it was begun, talks left, whether it was to close.
        talks_shown: how many talks and whispers the model was shown.
        retry: what the model was told of its first answer, if it was asked again.
        style: how the model was asked.
        unanswered: why the model's last answer, if any, could not be used.
        given_up: whether the model was given up because time had run out, and nothing that it had written before that
            goes out.
        take_notes: works out ``posterior``, ``heard`` and ``judgement``, which only the journal wants: called once by
            :meth:`complete` when the reply is out, because nobody who waits for the answer is to wait for that.
    """

    request: str
    day: int
    text: str
    how: How
    plan: TalkPlan | TargetPlan | None = None
    choices: tuple[str, ...] = ()
    system: str = ""
    user: str = ""
    own_reading: str = ""
    raw: str = ""
    thought: str = ""
    changes: tuple[str, ...] = ()
    problems: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    posterior: dict[str, Any] | None = None
    heard: list[str] = field(default_factory=list)
    judgement: dict[str, Any] | None = None
    chat: dict[str, int] | None = None
    talks_shown: tuple[int, int] = (0, 0)
    retry: str = ""
    style: Style = Style.DIRECTED
    unanswered: str = ""
    given_up: bool = False
    take_notes: Callable[[Decision], None] | None = field(default=None, repr=False, compare=False)

    @property
    def unimproved(self) -> bool:
        """Whether it is still the ready-made answer, on which a model may improve, or might have."""
        return self.how is How.FALLBACK

    def complete(self) -> None:
        """Work out what was left for after the reply; a second call changes nothing."""
        take_notes, self.take_notes = self.take_notes, None
        if take_notes is not None:
            take_notes(self)

    def row(self) -> dict[str, Any]:
        """The decision as a journal row; empty fields are left out."""
        row = {
            "request": self.request,
            "day": self.day,
            "sent": self.text,
            "how": self.how.value,
            "style": "" if self.style is Style.DIRECTED else self.style.value,
            "why": self.plan.why if self.plan else "",
            "heard": self.heard,
            "posterior": self.posterior,
            "judgement": self.judgement,
            "plan": _plan_row(self.plan) if self.plan else None,
            "choices": list(self.choices),
            "given_up": self.given_up or None,
            "chat": self.chat,
            "system": self.system,
            "user": self.user,
            "own_reading": self.own_reading,
            "retry": self.retry,
            "raw": self.raw,
            "changes": list(self.changes),
            "problems": self.problems,
            "usage": asdict(self.usage) if self.usage.calls else None,
        }
        return {key: value for key, value in row.items() if value not in (None, "", [])}


def _plan_row(plan: TalkPlan | TargetPlan | SpeechAct) -> dict[str, Any]:
    """A plan without its empty fields; written for every decision, so it is not left to the slow ``asdict``."""
    row = {name: getattr(plan, name) for name in plan.__slots__ if name not in ("why", "story")}
    if "acts" in row:
        row["acts"] = [_plan_row(act) for act in row["acts"]]
    return {name: value for name, value in row.items() if value not in ("", None, (), [], False)}


# --- What a seat tells of itself -------------------------------------------------------------------------------------


T = TypeVar("T")
logger = logging.getLogger(__name__)

_LOGGED_FAULTS = 3
"""Different faults of a strategy that are told at once; all are counted and in the journal."""


class JournalWriter(Protocol):
    """A place into which a seat writes what happens, such as a journal."""

    def write(self, event: str, row: Mapping[str, Any]) -> None:
        """Write ``row`` under the name ``event``."""


@dataclass(slots=True)
class SeatStats:
    """The counts of one seat over one game.

    Attributes:
        talks: talks and whispers sent, but for Over; a Skip is counted.
        by_how: replies by where their words or names came from.
        late: requests whose answer was not ready by the deadline; nothing was sent for them, except to a classic
            server, which still takes a late answer.
        given_up: answers for which the model was given up because time had run out; the own words or choice went out.
        lost: requests that ended before their deadline without an answer: the connection was lost, or the server went
            on.
        crashes: faults of our own code.
        strategy_faults: answers of a strategy of the user's own that could not be used.
        usage: calls and tokens of the model.
        milliseconds: from the packet's arrival to the reply, one entry a reply.
    """

    talks: int = 0
    by_how: dict[How, int] = field(default_factory=dict)
    late: int = 0
    given_up: int = 0
    lost: int = 0
    crashes: int = 0
    strategy_faults: int = 0
    usage: Usage = field(default_factory=Usage)
    milliseconds: list[float] = field(default_factory=list)

    @property
    def dropped(self) -> int:
        """Requests for which nothing went out, or too late: ``late`` and ``lost`` together."""
        return self.late + self.lost


class SeatLog:
    """The one way from a seat to its journal and its counts.

    Args:
        record: where rows go; ``None`` for a seat of which nobody will read anything.
        state: the game as the seat knows it, for the day and the name in what is told.
    """

    def __init__(self, record: JournalWriter | None, state: SeatState) -> None:
        self.stats = SeatStats()
        self._record, self._state = record, state
        self.kept = record is not None
        """Whether anybody will read what is written."""
        self._told: set[str] = set()

    def write(self, event: str, row: Mapping[str, Any]) -> None:
        """Write a row of the journal, if anybody reads it."""
        if self._record is not None:
            self._record.write(event, row)

    def spend(self, usage: Usage) -> None:
        """Add what a question to a model has cost to the counts of the game."""
        self.stats.usage += usage

    # --- decisions ---------------------------------------------------------------------------------------------

    def sent(self, decision: Decision, deadline: Deadline) -> None:
        """Note that ``decision`` went out; ``deadline`` tells how long it took and how much time was left."""
        times = _times(deadline)  # before anything else takes time
        decision.complete()
        # Told before anything is counted: the journal is to hold it whatever comes.
        if self.kept:
            self.write("decision", {**decision.row(), **times})
        stats = self.stats
        stats.by_how[decision.how] = stats.by_how.get(decision.how, 0) + 1
        stats.talks += decision.request in TALK_REQUESTS and decision.text != OVER
        stats.given_up += decision.given_up
        stats.late += times["left_s"] <= 0.0
        stats.milliseconds.append(times["ms"])
        self.spend(decision.usage)

    def dropped(self, decision: Decision | None, request: str, why: str, deadline: Deadline) -> None:
        """Note that nothing went out for ``request``: it was too late, or was lost on the way before that."""
        self.stats.late += deadline.passed
        self.stats.lost += not deadline.passed
        if decision is not None:
            self.stats.given_up += decision.given_up
            decision.complete()
        row = decision.row() if decision else {"request": request}
        self.write("dropped", {**row, "why": why, **_times(deadline)})

    def unsaid(self, decision: Decision, why: str) -> None:
        """Note that a talk of a group chat was thought and thrown away; what it cost counts."""
        self.spend(decision.usage)
        decision.complete()
        self.write("unsaid", {**decision.row(), "why": why})

    def note_strategy_faults(self, faults: Sequence[StrategyFault], decision: Decision) -> None:
        """Tell of a strategy of the user's own that failed or answered nonsense, where the built-in one decided.

        Journal, summary and the problems of ``decision`` have every case; the terminal has each of the first different
        ones once.
        """
        for fault in faults:
            self.stats.strategy_faults += 1
            decision.problems.append(fault.what)
            if fault.traceback:
                row = {"what": fault.what, "request": decision.request, "day": decision.day}
                self.write("strategy", {**row, "traceback": fault.traceback})
            if fault.what not in self._told and len(self._told) < _LOGGED_FAULTS:
                self._told.add(fault.what)
                logger.warning("%s day %s %s: %s", self._state.me, decision.day, decision.request, fault.what)

    # --- faults of our own -------------------------------------------------------------------------------------

    def catching(self, doing: str, work: Callable[[], T], otherwise: T) -> T:
        """The result of ``work``, or ``otherwise`` when it fails: a fault of ours costs quality, never the game."""
        try:
            return work()
        except Exception:
            self.crash(doing)
            return otherwise

    def crash(self, doing: str, decision: Decision | None = None) -> None:
        """Count the exception that is being handled, and keep its traceback."""
        self.stats.crashes += 1
        if decision is not None:
            decision.problems.append(f"failed while {doing}")
        self.write("crash", {"doing": doing, "day": self._state.day, "traceback": traceback.format_exc()})


def _times(deadline: Deadline) -> dict[str, float]:
    return {"ms": round(deadline.spent * 1000, 2), "left_s": round(deadline.remaining, 3)}
