"""Players without sockets that only decide and speak, for studying many games quickly.

:class:`PlainTalker` says every plan in fixed English sentences, which the English pack reads back as they were meant (a
test holds this).
"""

from __future__ import annotations

from collections.abc import Callable

from nlp_agent.game import SeatState, legal_targets
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.strategy import Strategy
from nlp_agent.protocol import OVER, TALK_REQUESTS, TARGET_REQUESTS, Packet, Request, Species
from nlp_agent.reading.reader import TalkReader

# --- The plainest words for a plan -----------------------------------------------------------------------------------


LISTEN = "Let us hear more."


def claim_words(role: str) -> str:
    """The English sentence that claims ``role``."""
    return f"I am the {role.lower()}."


def result_words(name: str, species: str) -> str:
    """The English sentence that tells the result ``species`` for ``name``."""
    return f"{name} is a werewolf." if species == Species.WEREWOLF else f"{name} is human."


def vote_words(name: str) -> str:
    """The English sentence that announces a vote for ``name``."""
    return f"I vote for {name}."


def suspect_words(name: str) -> str:
    """The English sentence that suspects ``name``."""
    return f"I suspect {name}."


def attack_words(name: str) -> str:
    """The English sentence in which a wolf proposes to attack ``name``."""
    return f"Let us attack {name}."


def plain_words(plan: TalkPlan) -> str:
    """Say ``plan`` in fixed English sentences; small talk becomes one that says nothing."""
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
    return claim_words(act.role)


_SENTENCES: dict[str, Callable[[SpeechAct], str]] = {
    "claim": _claim,
    "role": _claim,
    "confess": _claim,
    "pretend": _claim,
    "result": lambda act: result_words(act.target, act.result),
    "vote": lambda act: vote_words(act.target),
    "ally": lambda act: f"{claim_words(act.role)} {vote_words(act.target)}",
    "retract": lambda act: f"I take back my vote. {vote_words(act.target)}",
    "attack": lambda act: attack_words(act.target),
    "suspect": lambda act: suspect_words(act.target),
    "agree": lambda act: suspect_words(act.target),
    "trust": lambda act: f"I trust {act.target}.",
    "ask": lambda act: f"{act.to} who do you suspect?",
}


# --- Seats without sockets that are nothing but a planner and its words ----------------------------------------------


class PlainTalker:
    """A decider for :func:`nlp_agent.arena.in_process.play_out`, in the plainest words. All it says binds."""

    def __init__(self, reader: TalkReader, seed: int, strategy: Strategy | None = None) -> None:
        self.state = SeatState()
        self.planner: Planner | None = None
        self._reader, self._seed, self._strategy = reader, seed, strategy

    def hear(self, packet: Packet) -> Planner:
        """Take in ``packet``, and return who plans the answer."""
        self.state.apply(packet)
        if self.planner is None:
            self.planner = Planner(self.state, self._reader, self._seed, self._strategy)
        self.planner.observe()
        return self.planner

    def __call__(self, packet: Packet) -> str | None:
        planner, request = self.hear(packet), packet.kind
        if request in TALK_REQUESTS:
            text, plan = self.say(planner, request, planner.plan_talk(request))
            planner.sent(request, text, plan)
            return text
        if request in TARGET_REQUESTS:
            name = planner.plan_target(request, legal_targets(self.state, request)).name
            self.state.chose(request, name)
            return name
        return None

    def say(self, planner: Planner, request: Request, plan: TalkPlan) -> tuple[str, TalkPlan]:
        """Say ``plan`` in words, and return them with the plan that they bind."""
        return plain_words(plan), plan
