"""A seat at a table that speaks the AIWolf Protocol: the same mind, with another reader and other words. No model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlp_agent.planning.planner import Planner
from nlp_agent.planning.protocol_sentences import ProtocolStrategy
from nlp_agent.planning.strategy import Strategy
from nlp_agent.prompting import Check, Conversation, Pack, Problem
from nlp_agent.reading.protocol_language import ProtocolReader, is_legal
from nlp_agent.seat.guard import Guard
from nlp_agent.seat.review import Review, Reviewer
from nlp_agent.seat.setup import Setup
from nlp_agent.voice.own_words import OwnWords, ProtocolLines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nlp_agent.game import SeatState
    from nlp_agent.planning.plan import TalkPlan
    from nlp_agent.protocol import LengthRule, Request
    from nlp_agent.reading.ledger import Ledger
    from nlp_agent.reading.statement import TalkRecord
    from nlp_agent.seat.decision import Decision

READER = ProtocolReader()
"""One for all seats of a process: they hear the same sentences."""


class ProtocolWords(OwnWords):
    """A plan as one sentence; it has reasons but no phrases."""

    def __init__(self, state: SeatState, pack: Pack, ledger: Ledger, seed: int) -> None:
        super().__init__(state, pack.playbook, ledger, seed)
        self._protocol = ProtocolLines(state, ledger)

    def with_reasons(self, plan: TalkPlan) -> TalkPlan:
        return plan

    def say(self, plan: TalkPlan, request: Request, length: LengthRule) -> str:
        return self._protocol.say(plan)


class _QuietGuard(Guard):
    """Nobody can talk a seat without a model into anything."""

    def hear(self, heard: Iterable[TalkRecord]) -> None:
        """There is nothing to watch for."""


class ProtocolReviewer(Reviewer):
    """A sentence is legal or it is not; nothing else can be wrong with it."""

    def __init__(self, state: SeatState, pack: Pack, ledger: Ledger) -> None:
        super().__init__(state, pack, ledger)
        self.guard = _QuietGuard(state, pack, ledger)

    def own_words(self, raw: str, decision: Decision) -> Review:
        return Review(raw, problem=None if is_legal(raw) else Problem(Check.EMPTY, f"no legal sentence: {raw[:200]}"))


def set_up_for_protocol(state: SeatState, pack: Pack, seed: int, strategy: Strategy | None) -> Setup:
    """A seat for the character that ``state`` was dealt. ``pack`` words what is told of its thoughts in a journal."""
    mind = Planner(state, READER, seed, ProtocolStrategy(strategy), pack.language.words.why)
    words = ProtocolWords(state, pack, mind.ledger, seed)
    conversation = Conversation(pack, state, mind.ledger.heard)
    return Setup(state, pack, mind, words, ProtocolReviewer(state, pack, mind.ledger), conversation)
