"""The words of a seat where talk is the AIWolf Protocol's: its plan as one legal sentence. Pure."""

from __future__ import annotations

from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.sentences import SentenceWriter
from nlp_agent.protocol import OVER, SKIP
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.sentence.grammar import is_legal, write


class ProtocolLines:
    """One per seat and game."""

    def __init__(self, state: SeatState, ledger: Ledger) -> None:
        self._sentences = SentenceWriter(state, ledger)

    def say(self, plan: TalkPlan) -> str:
        """``plan`` in words; ``Skip`` where it has none, ``Over`` when it is over. Always legal."""
        if plan.over:
            return OVER
        sentence = self._sentences.of_plan(plan.acts)
        text = write(sentence) if sentence is not None else SKIP
        return text if is_legal(text) else SKIP
