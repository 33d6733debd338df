"""The directed style of asking: the plan decides, and a model only finds the words for it or breaks its ties.

The same methods as :class:`nlp_agent.seat.advised.AdvisedStyle`; :class:`nlp_agent.seat.turn.Turn` calls them in order.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import starmap
from typing import TYPE_CHECKING
from weakref import proxy

from nlp_agent.llm.model import Message, Question
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Prompt, Style
from nlp_agent.protocol import TALK_REQUESTS
from nlp_agent.seat.word_check import CheckContext, CheckedWords
from nlp_agent.text import complete_talk, whole_sentences
from nlp_agent.text.anchor import named_once
from nlp_agent.text.names import names_of

if TYPE_CHECKING:
    from typing import Any

    from nlp_agent.planning.advice import Advice
    from nlp_agent.planning.plan import TargetPlan
    from nlp_agent.seat.timing import ThinkingTime
    from nlp_agent.seat.turn import Turn


class DirectedStyle:
    """A turn in which a model gets orders: it is told what to say, and answers in plain text."""

    name = Style.DIRECTED

    def __init__(self, turn: Turn) -> None:
        # The turn holds its style. If the style held the turn as well, only a search for garbage would free them, and
        # with them all that the game has left: such a search may take half of the time that a classic server gives.
        self._turn: Turn = proxy(turn)

    def choices(self, legal: tuple[str, ...], wish: TargetPlan) -> tuple[str, ...]:
        """The ``legal`` players whom the model may name: the plan's choice and those whose scores are close to it."""
        return tuple(name for name in legal if name == wish.name or name in wish.close)

    def is_settled(self, name: str, choices: tuple[str, ...]) -> bool:
        """Whether ``name`` is chosen without asking: no model decides between close scores while somebody at the table
        gives orders to models instead of talking to players."""
        return self._turn.setup.checker.guardrails.injected_orders() is not None

    def advice(self, *, bare: bool = False) -> Advice | None:
        """No advice (None): a model that is told what to say needs none."""
        return None

    def reads_first(self) -> bool:
        """Whether the model is asked first how it reads the game: never, as it is told what to say."""
        return False

    def question(self, prompt: Prompt, time: ThinkingTime) -> Question:
        """Make the question for the model.

        From ``time.soft`` on a talk is taken from the stream as soon as it is complete.
        """
        turn, question = self._turn, plain_question(self._turn, prompt, time)
        if turn.request not in TALK_REQUESTS:
            return replace(question, choices=turn.decision.choices)
        catching, language = turn.log.catching, turn.setup.pack.language
        table = turn.setup.checker.table(turn.request)
        return replace(
            question,
            enough=lambda text: catching("looking for the end", lambda: complete_talk(text, table), False),
            soft=time.soft,
            whole=lambda text: catching("looking for whole sentences", lambda: whole_sentences(text, language), ""),
        )

    def read(self, raw: str) -> str:
        """The words or the name in a model's answer: all of it."""
        return raw

    def check(self, answer: str, prompt: Prompt) -> CheckedWords:
        """Check what would go out of ``answer``: legal words or a name, or the problem that forbids them."""
        turn, plan = self._turn, self._turn.decision.plan
        if turn.request not in TALK_REQUESTS:
            return turn.setup.checker.name(answer, turn.decision.choices)
        shown = plan if isinstance(plan, TalkPlan) else TalkPlan()
        words = named_once(answer, names_of(turn.state.players))
        return turn.setup.checker.talk(words, CheckContext(turn.request, shown, prompt))

    def repair(self, refused: CheckedWords, prompt: Prompt) -> CheckedWords | None:
        """Take nothing (None) from a refused answer: the plan's own words say the same and are there."""
        return None

    def plan_behind(self, raw: str, text: str) -> TalkPlan | TargetPlan | None:
        """The plan under which ``text``, found in a model's answer ``raw``, went out."""
        return self._turn.decision.plan

    def judgement(self) -> dict[str, Any] | None:
        """No estimates (None): a model that gets orders is not asked for any."""
        return None


def plain_question(turn: Turn, prompt: Prompt, time: ThinkingTime) -> Question:
    """The words of ``prompt`` as a question for the request of ``turn``; nothing is asked of the answer's form."""
    messages = tuple(starmap(Message, prompt.messages))
    return Question(messages, turn.request.value, pace=time.pace, seat=turn.state.me)
