"""What was decided for one request, why, and at what cost: a line of the journal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from nlp_agent.llm.model import Usage
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting import Style


class How(StrEnum):
    """Where the words or the name that went out came from."""

    MIND = "mind"
    """The LLM-free player, because no endpoint is configured."""
    LLM = "llm"
    RETRY = "retry"
    """The model, asked a second time."""
    FALLBACK = "fallback"
    """The ready-made answer, because the model gave none that could be used in time."""
    SETTLED = "settled"
    """No model was needed: a promise, a single choice, or nothing left to say."""
    PERSON = "person"
    """A person at the page of this seat."""
    RESCUE = "rescue"
    """Our own code failed; a plain legal answer went out."""


@dataclass(slots=True)
class Decision:
    """``text`` is exactly what is to be sent. ``posterior`` is what the plan was made from (see
    :meth:`nlp_agent.belief.assessment.Belief.row`), ``heard`` what was said since the last decision, as sentences
    of the AIWolf Protocol. ``problems`` say in order what could not be used, and why. ``chat`` is there for a talk
    of a group chat: how many packets had been heard when it was begun, how many talks were left, and whether it
    was to close. ``shown``: how many talks and whispers the model was shown. ``retry``: what it was told of its
    first answer. ``judged`` works out the ``judgement``: P(wolf) of the living by arithmetic, model and both, the
    trust in the model, and what decided; nobody who waits for the answer is to wait for that. ``style``: how the
    model was asked. ``unanswered``: why its last answer, if any, could not be used.
    """

    request: str
    day: int
    text: str
    how: How
    plan: TalkPlan | TargetPlan | None = None
    choices: tuple[str, ...] = ()
    system: str = ""
    user: str = ""
    raw: str = ""
    changes: tuple[str, ...] = ()
    problems: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    posterior: dict[str, Any] | None = None
    heard: list[str] = field(default_factory=list)
    chat: dict[str, int] | None = None
    shown: tuple[int, int] = (0, 0)
    retry: str = ""
    judged: Callable[[], dict[str, Any]] | None = None
    style: Style = Style.DIRECTED
    unanswered: str = ""

    @property
    def judgement(self) -> dict[str, Any] | None:
        return self.judged() if self.judged is not None else None

    def row(self) -> dict[str, Any]:
        """The decision as a journal row; empty fields are left out."""
        row = {
            "request": self.request,
            "day": self.day,
            "sent": self.text,
            "how": self.how.value,
            "style": self.style.value if self.style is Style.ADVISED else "",
            "why": self.plan.why if self.plan else "",
            "heard": self.heard,
            "posterior": self.posterior,
            "judgement": self.judgement,
            "plan": _told(self.plan) if self.plan else None,
            "choices": list(self.choices),
            "chat": self.chat,
            "system": self.system,
            "user": self.user,
            "retry": self.retry,
            "raw": self.raw,
            "changes": list(self.changes),
            "problems": self.problems,
            "usage": asdict(self.usage) if self.usage.calls else None,
        }
        return {key: value for key, value in row.items() if value not in (None, "", [])}


def _told(plan: TalkPlan | TargetPlan | SpeechAct) -> dict[str, Any]:
    """A plan without its empty fields; written for every decision, so it is not left to the slow ``asdict``."""
    told = {name: getattr(plan, name) for name in plan.__slots__ if name not in ("why", "story")}
    if "acts" in told:
        told["acts"] = [_told(act) for act in told["acts"]]
    return {name: value for name, value in told.items() if value not in ("", None, (), [], False)}
