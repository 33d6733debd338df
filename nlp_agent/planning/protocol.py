"""The strategy at a table that speaks the AIWolf Protocol: the same one, within what can be said there. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import chain

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.context import TalkContext
from nlp_agent.planning.duties import answer_to
from nlp_agent.planning.plan import TalkPlan, TargetPlan, kept
from nlp_agent.planning.scene import Scene
from nlp_agent.planning.sentences import SentenceWriter, sayable
from nlp_agent.planning.strategy import Standard, Strategy
from nlp_agent.protocol import Request

_TRIES = 6
"""Plans that are made for one talk, as long as all of each was said before."""
_BESIDE = frozenset({"vote", "retract", "suspect", "trust", "ask", "listen", "heard", "rivals", "rival", "executed"})
"""What an answer to somebody can stand before."""


class ProtocolContext(TalkContext):
    """As any other, where only what can be said in the protocol is worth a thought. To listen is a Skip, and one."""

    def fresh(self, act: SpeechAct) -> bool:
        if act.kind == "listen":
            return (self.scene.state.remain_skip or 0) > 1
        return sayable(act) and TalkContext.fresh(self, act)


class ProtocolStrategy:
    """``strategy`` at a table that speaks the protocol: it plans what can be said there and is new, and answers wishes
    and questions, those to anybody included."""

    def __init__(self, strategy: Strategy | None = None) -> None:
        self._strategy = strategy or Standard()

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        given = {field.name: getattr(context, field.name) for field in fields(TalkContext)}
        own, stale = ProtocolContext(**given), frozenset[str]()
        sentences = SentenceWriter(context.scene.state, context.scene.ledger)
        for _ in range(_TRIES):
            plan = _with_answer(self._strategy.plan_talk(own), own)
            if plan.over:
                return plan
            keys = sentences.keys(plan.acts)
            if keys or any(act.kind == "listen" for act in plan.acts):
                return replace(plan, keys=(*plan.keys, *keys, *stale))
            stale |= frozenset(kept(plan, context.day))
            own = replace(own, done=own.done | stale)
        return TalkPlan(over=True, vote=plan.vote, pretend=plan.pretend, why="all was said before")

    def choose(self, scene: Scene, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        return self._strategy.choose(scene, request, legal)


def _with_answer(plan: TalkPlan, context: TalkContext) -> TalkPlan:
    """``plan``, and before what can be said beside it, or in place of nothing, an answer that this seat owes."""
    if any(act.kind not in _BESIDE for act in plan.acts):
        return plan
    act, key = next(chain(_answers(context), _opinions(context)), (None, ""))
    if act is None:
        return plan
    return replace(plan, acts=(act, *plan.acts), over=False, keys=(*plan.keys, key), why=plan.why or "was asked")


def _answers(context: TalkContext) -> Iterator[tuple[SpeechAct, str]]:
    """To the demands of today that were made of this seat, by name or as one of all: agreed to or not. What several
    want of everybody is answered once."""
    mine = context.scene.promise or context.vote
    for (day, who), talks in context.scene.ledger.talks.items():
        for heard in talks if day == context.day and who in context.scene.state.others else ():
            for said in heard.statements:
                open_to_all = not said.to and said.topic == "vote" and said.target != context.me
                key = f"answered demand|{day}/{said.target if open_to_all else heard.idx}"
                if said.kind == "demand" and (open_to_all or said.to == context.me) and context.new(key):
                    agreed = said.topic == "vote" and said.target == mine
                    yield (
                        SpeechAct("agree", target=said.target, to=who)
                        if agreed
                        else SpeechAct("reply", to=who, topic="doubt"),
                        key,
                    )


def _opinions(context: TalkContext) -> Iterator[tuple[SpeechAct, str]]:
    """To questions of today to everybody; who has claimed nothing does not show a role for that."""
    for ask in reversed(context.scene.ledger.asks):
        key = f"answered all|{ask.day}/{ask.idx}"
        asked = ask.day == context.day and not ask.target and ask.who in context.scene.state.others
        if asked and context.new(key) and (context.claimed or ask.topic != "role"):
            act = answer_to(context, ask)
            if sayable(act):
                yield act, key
