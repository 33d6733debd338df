"""The plainest words for a plan: what a duel's players say, so that thousands of games cost no style.

English sentences that the English pack's reading rules understand (a test holds this).
"""

from __future__ import annotations

from collections.abc import Callable

from nlp_agent.planning.plan import Aim, TalkPlan
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
    said = [words for aim in plan.aims if (words := _sentence(aim))] or [LISTEN]
    text = " ".join(dict.fromkeys(said))
    return f"@{plan.address} {text}" if plan.address else text


def _sentence(aim: Aim) -> str:
    kind = aim.topic if aim.kind == "answer" else aim.kind
    say = _SENTENCES.get(kind)
    wanted = {"claim": aim.role, "ask": aim.to}.get("claim" if say is _claim else kind, aim.target)
    return say(aim) if say is not None and wanted else ""


def _claim(aim: Aim) -> str:
    return claim(aim.role)


_SENTENCES: dict[str, Callable[[Aim], str]] = {
    "claim": _claim,
    "role": _claim,
    "confess": _claim,
    "pretend": _claim,
    "result": lambda aim: result(aim.target, aim.result),
    "vote": lambda aim: vote(aim.target),
    "ally": lambda aim: f"{claim(aim.role)} {vote(aim.target)}",
    "retract": lambda aim: f"I take back my vote. {vote(aim.target)}",
    "attack": lambda aim: attack(aim.target),
    "suspect": lambda aim: suspect(aim.target),
    "agree": lambda aim: suspect(aim.target),
    "trust": lambda aim: f"I trust {aim.target}.",
    "ask": lambda aim: f"{aim.to} who do you suspect?",
}
