"""A seat's decisions, and the step of the game that each of them became."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlp_agent.errors import ProtocolError
from nlp_agent.protocol import Request, parse_packet
from nlp_agent.records.steps import Step, StepKind

Row = Mapping[str, Any]
_KINDS = {
    Request.TALK.value: StepKind.TALK,
    Request.WHISPER.value: StepKind.WHISPER,
    Request.VOTE.value: StepKind.VOTE,
    Request.DIVINE.value: StepKind.DIVINE,
    Request.GUARD.value: StepKind.GUARD,
    Request.ATTACK.value: StepKind.ATTACK_VOTE,
}
NOT_SENT = frozenset({"dropped", "unsaid"})
"""Rows of what did not go out: an answer to nothing, and words of a group chat that were thought and thrown away."""
_TOLD = frozenset({"decision"}) | NOT_SENT
"""Rows that tell what became of a request."""


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision of a seat: ``number`` counts those of its journal from 1, ``row`` is what the journal holds. ``who``
    is the player's name. ``step`` is the number of the step it became, ``None`` when the game does not show it; of
    words left unsaid that of what the player had done before.
    """

    number: int
    who: str
    row: Row
    step: int | None = None

    @property
    def day(self) -> int:
        return int(self.row.get("day", 0)) if isinstance(self.row.get("day", 0), int) else 0

    @property
    def request(self) -> str:
        return str(self.row.get("request", ""))

    @property
    def sent(self) -> str:
        return str(self.row.get("sent", ""))

    @property
    def how(self) -> str:
        """Who found the words, ``dropped`` or ``unsaid`` when nothing went out."""
        event = str(self.row.get("event", ""))
        return event if event in NOT_SENT else str(self.row.get("how", ""))


def decided(rows: Iterable[Row], who: str, steps: Sequence[Step]) -> list[Decided]:
    """Every decision of ``rows`` (a journal of the player ``who``), each with its step of the game."""
    found: list[Decided] = []
    free = _Steps(steps, who)
    for row in rows:
        if row.get("event") not in _TOLD:
            continue
        bare = Decided(len(found) + 1, who, row)
        step = free.take(bare) if row.get("event") == "decision" else None
        if bare.how == "unsaid" and found:
            step = found[-1].step
        found.append(Decided(bare.number, who, row, step))
    return found


def player_of(rows: Iterable[Row]) -> str:
    """The player whose journal this is, ``""`` when no packet told it."""
    for row in rows:
        if row.get("event") == "packet":
            try:
                packet = parse_packet(str(row.get("raw", "")))
            except ProtocolError:
                continue
            if packet.info is not None and packet.info.agent:
                return packet.info.agent
    return ""


class _Steps:
    """Steps of one player that no decision has been found for yet."""

    def __init__(self, steps: Sequence[Step], who: str) -> None:
        self._free = [step for step in steps if step.who == who or (step.kind in _POLLS and who in step.votes)]

    def take(self, decision: Decided) -> int | None:
        """The next step of this kind and day, passing over what others' clocks made of requests that got no answer."""
        kind = _KINDS.get(decision.request)
        for at, step in enumerate(self._free):
            if (step.kind, step.day) == (kind, decision.day) and self._fits(step, decision):
                if step.kind not in _POLLS:  # a vote that was repeated is one step
                    del self._free[at]
                return step.number
        return None

    @staticmethod
    def _fits(step: Step, decision: Decided) -> bool:
        # The table may cut a talk, and take its line breaks away.
        said = step.talk.text if step.talk is not None else ""
        return step.talk is None or _bare(decision.sent).startswith(_bare(said)[:40]) or step.talk.over


_POLLS = frozenset({StepKind.VOTE, StepKind.ATTACK_VOTE})


def _bare(text: str) -> str:
    return "".join(char for char in text if char.isalnum())
