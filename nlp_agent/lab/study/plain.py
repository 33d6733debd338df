"""The plainest words for a plan: what a duel's players say, so that thousands of games cost no style.

English sentences that the English pack's reading rules understand (a test holds this).
"""

from __future__ import annotations

from collections.abc import Callable

from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.protocol import OVER, Species

LISTEN = "Let us hear more."


def claim(role: str) -> str:
    return f"I am the {role.lower()}."


def result(name: str, species: str) -> str:
    return f"{name} is a werewolf." if species == Species.WEREWOLF else f"{name} is human."


def vote(name: str) -> str:
    return f"I vote for {name}."


def suspect(name: str) -> str:
    return f"I suspect {name}."


def attack(name: str) -> str:
    return f"Let us attack {name}."


def plain_words(plan: TalkPlan) -> str:
    """``plan`` in fixed sentences; small talk becomes one that says nothing."""
    if plan.over:
        return OVER
    said = [words for act in plan.acts if (words := _sentence(act))] or [LISTEN]
    text = " ".join(dict.fromkeys(said))
    return f"@{plan.address} {text}" if plan.address else text


def _sentence(act: SpeechAct) -> str:
    kind = act.topic if act.kind == "answer" else act.kind
    say = _SENTENCES.get(kind)
    wanted = {"claim": act.role, "ask": act.to}.get("claim" if say is _claim else kind, act.target)
    return say(act) if say is not None and wanted else ""


def _claim(act: SpeechAct) -> str:
    return claim(act.role)


_SENTENCES: dict[str, Callable[[SpeechAct], str]] = {
    "claim": _claim,
    "role": _claim,
    "confess": _claim,
    "pretend": _claim,
    "result": lambda act: result(act.target, act.result),
    "vote": lambda act: vote(act.target),
    "ally": lambda act: f"{claim(act.role)} {vote(act.target)}",
    "retract": lambda act: f"I take back my vote. {vote(act.target)}",
    "attack": lambda act: attack(act.target),
    "suspect": lambda act: suspect(act.target),
    "agree": lambda act: suspect(act.target),
    "trust": lambda act: f"I trust {act.target}.",
    "ask": lambda act: f"{act.to} who do you suspect?",
}
