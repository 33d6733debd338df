"""What a seat has from the moment its character is dealt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.planning.strategy import Standard, Strategy
from nlp_agent.prompting import Conversation, Pack, Style
from nlp_agent.protocol import TALK_REQUESTS, Request
from nlp_agent.seat.advised import Advised, AnswerStyle, thought_of
from nlp_agent.seat.decision import Decision
from nlp_agent.seat.log import SeatLog
from nlp_agent.seat.opinion import Opinion
from nlp_agent.seat.own_strategy import TimedStrategy
from nlp_agent.seat.review import Reviewer
from nlp_agent.voice.character_sheet import CharacterSheet
from nlp_agent.voice.own_words import OwnWords


@dataclass(slots=True)
class Setup:
    """``sheet`` is what prompts show of the character; ``None``: what follows from its profile by rules. ``style``: how
    the model is asked, ``opinion`` what it thinks of everybody, and ``thought`` what it thought before its last talk or
    choice."""

    state: SeatState
    pack: Pack
    mind: Planner
    words: OwnWords
    reviewer: Reviewer
    conversation: Conversation
    sheet: CharacterSheet | None = None
    style: AnswerStyle = field(default_factory=AnswerStyle)
    opinion: Opinion = field(default_factory=Opinion)
    thought: str = ""

    def advised(self, request: Request) -> Advised | None:
        """What makes a turn one of the advised style; ``None`` where the model gets orders."""
        if self.conversation.official or self.style.of(request, self.pack) is not Style.ADVISED:
            return None
        return Advised(self.state, self.pack, self.mind, self.reviewer, self.style, self.opinion)

    def remember(self, decision: Decision) -> None:
        """The decision's text went out: what it says binds from now on."""
        plan = decision.plan if isinstance(decision.plan, TalkPlan) else None
        if decision.request in TALK_REQUESTS:
            self.mind.ledger.see(decision.shown)
        thought = thought_of(decision)
        self.thought = thought or self.thought
        self.mind.sent(Request(decision.request), decision.text, plan, thought)
        self.conversation.said(decision.request, decision.text)


def set_up(
    state: SeatState, pack: Pack, seed: int, strategy: Callable[[], Strategy], log: SeatLog, prompt_budget: int = 0
) -> Setup:
    """A seat for the character that ``state`` was dealt; the journal gets all that is needed to play it once more."""
    about: dict[str, Any] = {"seed": seed, "pack": str(pack.folder)}
    if prompt_budget:
        about["prompt_budget"] = prompt_budget
    if strategy is not Standard and isinstance(strategy, type):
        about["strategy"] = f"{strategy.__module__}:{strategy.__qualname__}"
    log.write("seat", about)
    why = pack.language.words.why
    made = log.guarded("making the strategy", strategy, None)
    if made is not None and type(made) is not Standard:
        made = TimedStrategy(made)
    mind = Planner(state, pack.reading, seed, made, why)
    words = OwnWords(state, pack.playbook, mind.ledger, seed)
    conversation = Conversation(pack, state, mind.ledger.heard, prompt_budget)
    return Setup(state, pack, mind, words, Reviewer(state, pack, mind.ledger), conversation)
