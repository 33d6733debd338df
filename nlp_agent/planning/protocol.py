"""The strategy at a table that speaks the AIWolf Protocol: the same one, within what can be said there. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.context import TalkContext
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.scene import Scene
from nlp_agent.planning.sentences import sayable
from nlp_agent.planning.strategy import Standard, Strategy
from nlp_agent.protocol import Request


class ProtocolContext(TalkContext):
    """As any other, where only what can be said in the protocol is worth a thought."""

    def fresh(self, act: SpeechAct) -> bool:
        return sayable(act) and TalkContext.fresh(self, act)


class ProtocolStrategy:
    """``strategy`` at a table that speaks the protocol: it plans what can be said there, and answers requests."""

    def __init__(self, strategy: Strategy | None = None) -> None:
        self._strategy = strategy or Standard()

    def plan_talk(self, context: TalkContext) -> TalkPlan:
        given = {field.name: getattr(context, field.name) for field in fields(TalkContext)}
        plan = self._strategy.plan_talk(ProtocolContext(**given))
        return _with_answer(plan, context)

    def choose(self, scene: Scene, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        return self._strategy.choose(scene, request, legal)


def _with_answer(plan: TalkPlan, context: TalkContext) -> TalkPlan:
    """``plan``, and beside a vote or in place of nothing whether this seat does what it was asked for last."""
    if any(act.kind not in ("vote", "retract") for act in plan.acts):
        return plan
    act, key = next(_answers(context), (None, ""))
    if act is None:
        return plan
    return replace(plan, acts=(act, *plan.acts), over=False, keys=(*plan.keys, key), why=plan.why or "asked to vote")


def _answers(context: TalkContext) -> Iterator[tuple[SpeechAct, str]]:
    """To the demands of today that were made of this seat by name, the newest first: agreed to or not."""
    mine = context.scene.promise or context.vote
    for (day, who), talks in context.scene.ledger.talks.items():
        for heard in talks if day == context.day and who in context.scene.state.others else ():
            for said in heard.statements:
                key = f"answered demand|{day}/{heard.idx}"
                if said.kind == "demand" and said.to == context.me and context.new(key):
                    agreed = said.topic == "vote" and said.target == mine
                    yield (
                        SpeechAct("agree", target=said.target, to=who)
                        if agreed
                        else SpeechAct("reply", to=who, topic="doubt"),
                        key,
                    )
