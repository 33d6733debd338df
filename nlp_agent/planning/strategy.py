"""How a seat decides, behind one seam: a strategy of two methods, and the built-in one.

A strategy is a class that is called without arguments, once for every seat and game. Derive from :class:`Standard` and
override what you want to decide yourself; ``nlp_agent/planning/examples/crowd.py`` is such a file. Whatever a strategy
returns is made legal, what it announces binds its vote, and where it fails the built-in one answers instead.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from nlp_agent.game import SeatState
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.situation import Situation
from nlp_agent.planning.talk_plan import TalkContext, daily, greeting
from nlp_agent.planning.target_plan import candidates_after_tie, choose_target
from nlp_agent.protocol import Request, Role

P = TypeVar("P")


class Strategy(Protocol):
    """Decides for one seat in one game. Both methods must be quick (a few milliseconds) and only read what they get."""

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        """Plan what to say in public now. ``context.situation`` is what is known, ``context.vote`` whom :meth:`choose`
        would vote for.
        """

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        """Choose whom to name for VOTE, DIVINE, GUARD or ATTACK. A vote that was announced is cast without asking
        again.
        """


_NOT_THEIRS = (Path(__file__).resolve().parents[1], Path(traceback.__file__).parent)
"""Folders of our own modules and of those that come with Python."""


class TooSlowError(Exception):
    """A strategy that was asked gave no answer in time; ``stack``: where it was."""

    def __init__(self, message: str, stack: str = "") -> None:
        self.stack = stack
        super().__init__(message)


class Standard:
    """The built-in strategy of every seat."""

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        """Plan a talk: duties first, then one thing of interest, and the vote in good time."""
        situation, day = context.situation, context.day
        chosen = greeting(context) if day == 0 else daily(context)
        spoken = [act.target for one in chosen for act in one.acts if "vote" in act.row.binds]
        # Who is about to tell an invented result means to vote by it, and has nothing to announce before.
        vote = spoken[-1] if spoken else situation.promise or ("" if context.waits else context.vote)
        pretend = Role.POSSESSED.value if context.claimed == Role.POSSESSED else situation.story.role
        if not chosen:
            return TalkPlan(over=True, vote=vote, pretend=pretend, why="nothing new to say today")
        acts = tuple([act for one in chosen for act in one.acts])
        address = next((one.to for one in chosen if one.to), "")
        why = "; ".join([one.why for one in chosen if one.why])
        keys = tuple([key for one in chosen for key in one.keys])
        return TalkPlan(acts, address=address, vote=vote, pretend=pretend, why=why, keys=keys)

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        """The best by the scores of :mod:`nlp_agent.planning.target_plan`."""
        return choose_target(situation, request, legal)


@dataclass(frozen=True, slots=True)
class StrategyFault:
    """A fault of a strategy, in a line, and where it failed, if it did."""

    what: str
    traceback: str = ""


class CheckedStrategy:
    """Asks a strategy and makes its answers legal; ``faults`` collects what had to be put right."""

    def __init__(self, strategy: Strategy, state: SeatState) -> None:
        self._strategy, self._state = strategy, state
        self._standard = Standard()
        self.faults: list[StrategyFault] = []

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        """A plan whose name is one of ``legal``; a public promise is kept before anybody is asked."""
        standard: Strategy = self._standard
        if request is Request.VOTE:
            legal = candidates_after_tie(situation, legal)
        if request is Request.VOTE and situation.promise in legal:
            return standard.choose(situation, request, legal)
        if type(self._strategy) is Standard:
            return standard.choose(situation, request, legal)
        try:
            plan = _of_kind(self._strategy.choose(situation, request, legal), TargetPlan)
            if plan.name in legal:
                close = tuple(name for name in plan.close if name in legal)
                return replace(plan, close=close, ranking=tuple(name for name in plan.ranking if name in legal))
            self.faults.append(
                StrategyFault(f"strategy: {request} of {plan.name!r:.80} is not legal, the built-in one chose")
            )
        except (Exception, SystemExit) as error:  # somebody else's code: it may cost its own answer, nothing more
            self._failed("choose", error)
        return standard.choose(situation, request, legal)

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        """A plan that speaks of players of this village and votes for one that lives."""
        try:
            given = _of_kind(self._strategy.plan_talk(context), TalkPlan)
            plan = self._legal(given)
            return self._standard.plan_talk(context) if given.acts and not plan.acts else plan
        except (Exception, SystemExit) as error:
            self._failed("plan_talk", error)
            return self._standard.plan_talk(context)

    def _failed(self, method: str, error: BaseException) -> None:
        if isinstance(error, TooSlowError):
            self.faults.append(StrategyFault(f"strategy: {method} {error}, the built-in one decided", error.stack))
            return
        place = raised_at(error)
        what = f"strategy: {method} failed ({type(error).__name__}: {error!s:.200}, {place}), the built-in one decided"
        self.faults.append(StrategyFault(what, "".join(traceback.format_exception(error))))

    def _legal(self, plan: TalkPlan) -> TalkPlan:
        others = self._state.others
        acts = tuple([act for act in plan.acts if self._may_be_said(act, others)])
        if wrong := [act for act in plan.acts if act not in acts]:
            named = ", ".join(f"{act.kind} {act.target or act.to}".strip() for act in wrong)
            what = "were left out" if acts else "cannot be said, the built-in one spoke"
            self.faults.append(StrategyFault(f"strategy: acts unknown or of nobody here ({named:.80}) {what}"))
        address = plan.address if plan.address in others else ""
        vote = plan.vote if plan.vote in others else ""
        over = plan.over or not acts
        if (acts, address, vote, over) == (plan.acts, plan.address, plan.vote, plan.over):
            return plan
        return replace(plan, acts=acts, address=address, vote=vote, over=over)

    def _may_be_said(self, act: SpeechAct, others: Sequence[str]) -> bool:
        if not act.sound:
            return False
        if "vote" in act.row.binds:
            return act.target in others or (not act.target and "target" not in act.variant.needs)
        return {act.target, act.to} <= {"", *self._state.players}


def raised_at(error: BaseException) -> str:
    """The last line of somebody's own file through which ``error`` came, as in "mine.py line 3": what failed in a
    library below it says less. Where only libraries and our own files are left, the last line of all.
    """
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if _is_theirs(frame.filename)]
    folder = Path(theirs[0].filename).parent if theirs else None
    own = [frame for frame in theirs if Path(frame.filename).parent == folder]
    last = next(reversed(own or frames), None)
    return f"{Path(last.filename).name} line {last.lineno}" if last else ""


def _is_theirs(file: str) -> bool:
    """Whether ``file`` is neither ours nor Python's."""
    return not file.startswith("<") and not any(Path(file).is_relative_to(folder) for folder in _NOT_THEIRS)


def _of_kind(plan: object, kind: type[P]) -> P:
    if not isinstance(plan, kind):
        raise TypeError(f"it returned {plan!r:.80}, no {kind.__name__}")
    return plan
