"""The guided style of asking, for models of middle size: fewer choices, one decision a question, thought before words.

The same methods as :class:`nlp_agent.seat.advised.AdvisedStyle`; :class:`nlp_agent.seat.turn.Turn` calls them in order.
What is claimed, told and announced is the plan's, as in the directed style, and a liar's model sees the world it lives
in public alone. The model reads a few facts, writes one thought and then its words, or chooses one of three players.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nlp_agent.game import Side
from nlp_agent.planning.advice import WolfChance, advice_shown
from nlp_agent.prompting import Style
from nlp_agent.protocol import TALK_REQUESTS
from nlp_agent.seat.advised import question_in_json
from nlp_agent.seat.directed import DirectedStyle
from nlp_agent.seat.model_answer import guided_schema, parse_answer
from nlp_agent.text.anchor import named_once
from nlp_agent.text.names import names_of

if TYPE_CHECKING:
    from nlp_agent.game import SeatState
    from nlp_agent.llm.model import Question
    from nlp_agent.planning.advice import Advice
    from nlp_agent.planning.plan import TalkPlan, TargetPlan
    from nlp_agent.planning.planner import Planner
    from nlp_agent.prompting import Prompt
    from nlp_agent.seat.timing import ThinkingTime

MOST_CHOICES = 3
"""Players between whom a model of middle size chooses, best first by the plan."""
_LEAST_SHARE = 0.05
"""P(werewolf) from which a player is named among the suspicious ones."""


def guided_facts(planner: Planner, state: SeatState, plan: TalkPlan | TargetPlan | None) -> Advice:
    """Collect what a model of middle size is told beside the talk, when it is asked for what ``plan`` wants: what
    everybody heard, who waits for an answer, and, unless the seat is on the wolves' side, whom it suspects most.
    """
    facts = advice_shown(planner.advice(plan), "none")
    if state.spec.side is Side.WEREWOLF:
        return facts
    shares = planner.belief.inner.wolf
    ranked = sorted(state.others, key=lambda name: -shares.get(name, 0.0))[:MOST_CHOICES]
    odds = tuple(WolfChance(name, round(shares.get(name, 0.0), 2)) for name in ranked)
    return replace(facts, odds=tuple(one for one in odds if one.p >= _LEAST_SHARE))


class GuidedStyle(DirectedStyle):
    """A turn in which a model of middle size decides one thing: its words, or one of a few players."""

    name = Style.GUIDED

    def choices(self, legal: tuple[str, ...], wish: TargetPlan) -> tuple[str, ...]:
        """The plan's choice and those next to it: at most three, or as many as are equally good."""
        ranked = [name for name in dict.fromkeys((wish.name, *wish.close, *wish.ranking)) if name in legal]
        return tuple(ranked[: max(MOST_CHOICES, len(wish.close))])

    def advice(self, *, bare: bool = False) -> Advice | None:
        """The facts that the prompt shows: what everybody heard, who waits for an answer, and of the village's side
        whom it suspects most.
        """
        return guided_facts(self._turn.setup.planner, self._turn.state, self._turn.decision.plan)

    def question(self, prompt: Prompt, time: ThinkingTime) -> Question:
        """The question for the model, with the short JSON form of the answer."""
        turn = self._turn
        return question_in_json(turn, prompt, time, guided_schema(turn.request, turn.decision.choices))

    def read(self, raw: str) -> str:
        """The words or the name in a model's answer; whether it kept to the form is counted."""
        state = self._turn.state
        answer = parse_answer(raw, state.players, state.alive, state.me, ())
        self._turn.setup.asking.count_answer(formed=answer.formed)
        if self._turn.request not in TALK_REQUESTS:
            return answer.choice or answer.words
        return named_once(answer.words, names_of(state.players))
