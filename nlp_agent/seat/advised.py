"""The advised style: the model thinks, chooses and speaks; what it declares is read here and made binding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from nlp_agent.belief.fitted_fusion import MARGIN
from nlp_agent.game import SeatState, Side
from nlp_agent.llm.model import Message, Question
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.planner import Planner
from nlp_agent.prompting import Check, Pack, Problem, Prompt, Style
from nlp_agent.protocol import TALK_REQUESTS, Request
from nlp_agent.seat.binding import Binding
from nlp_agent.seat.decision import Decision, How
from nlp_agent.seat.declaration import Declaration, ended_with, parse, schema, thought_in, words_end, words_so_far
from nlp_agent.seat.opinion import Opinion, spoken_against
from nlp_agent.seat.review import Review, Reviewer
from nlp_agent.seat.timing import ThinkingTime
from nlp_agent.text import far_too_long, whole_sentences

_PATIENCE = 2
"""First answers of a game that may break the form before a model is given orders instead."""


@dataclass(slots=True)
class AnswerStyle:
    """How the model of one seat is asked in one game. ``fixed``: whatever it makes of the form; ``judgement``: its
    estimates are asked for; ``margin``: by how much the fused odds must speak against its vote for a second look."""

    style: Style = Style.DIRECTED
    fixed: bool = True
    judgement: bool = True
    margin: float = MARGIN
    kept: int = field(default=0, init=False)
    broken: int = field(default=0, init=False)

    def took(self, *, formed: bool) -> None:
        """An answer in the advised style kept to the form, or did not."""
        self.kept += formed
        self.broken += not formed
        if not self.fixed and not self.kept and self.broken >= _PATIENCE:
            self.style = Style.DIRECTED

    def of(self, request: Request, pack: Pack) -> Style:
        """The style of a question: a pack without templates of the advised style gives orders."""
        there = pack.has(f"advised/{request.lower()}.jinja")
        return self.style if there else Style.DIRECTED


class Advised:
    """One turn of the advised style. ``base`` is the plan of the player without a model."""

    def __init__(
        self, state: SeatState, pack: Pack, mind: Planner, reviewer: Reviewer, style: AnswerStyle, opinion: Opinion
    ) -> None:
        self._state, self._pack, self._mind, self._reviewer = state, pack, mind, reviewer
        self._style, self._opinion = style, opinion
        self._warned = False
        self._told = Declaration()

    # --- the question ------------------------------------------------------------------------------------------

    def question(self, request: Request, messages: tuple[Message, ...], choices: tuple[str, ...],
                 time: ThinkingTime) -> Question:  # fmt: skip
        """JSON is asked for; a talk is taken from the stream as soon as its words are there."""
        form = self.form(request, choices)
        if request not in TALK_REQUESTS:
            return Question(messages, request.value, schema=form, pace=time.pace, seat=self._state.me)
        language, table = self._pack.language, self._reviewer.table(request)

        def enough(text: str) -> bool:
            # A vote often stands in the last sentence: words are taken whole.
            return words_end(text) or far_too_long(words_so_far(text), table)

        def whole(text: str) -> str:
            words = whole_sentences(words_so_far(text), language)
            return ended_with(text, words) if words else ""

        return Question(
            messages,
            request.value,
            schema=form,
            enough=enough,
            soft=time.soft,
            whole=whole,
            pace=time.pace,
            seat=self._state.me,
        )

    def form(self, request: Request, choices: tuple[str, ...]) -> dict[str, Any]:
        state = self._state
        return schema(request, state.others, self._roles, choices, judgement=self._style.judgement)

    @property
    def _roles(self) -> tuple[str, ...]:
        return tuple(role for role, count in self._state.setting.role_num_map.items() if count > 0)

    def chosen(self, request: Request, name: str, legal: tuple[str, ...]) -> bool:
        """Whether a vote for ``name`` was declared when all had been said, and nothing calls for a second look."""
        declared = request is Request.VOTE and name == self._mind.last_word()
        return declared and self._reviewer.guard.orders() is None and not self._better(name, legal)

    # --- the answer --------------------------------------------------------------------------------------------

    def bound(self, raw: str, text: str, decision: Decision) -> TalkPlan:
        """What ``text`` binds that was found in the answer ``raw``."""
        return self._binding(self._read(raw), decision)(text)

    def _read(self, raw: str) -> Declaration:
        state = self._state
        return parse(raw, state.players, state.alive, state.me, self._roles)

    def review(self, raw: str, decision: Decision, prompt: Prompt) -> Review:
        """What would go out of ``raw``, with the plan that it binds; the opinion in it is kept."""
        told = self._read(raw)
        self._style.took(formed=told.formed)
        if self._style.judgement:
            known = self._mind.belief.inner.known
            self._opinion.hold_against(known)
            self._opinion.take(told)
            self._opinion.hold_against(known)  # what was plain to see when it was written counts as well
            self._mind.opinion = self._opinion.wolf
        if decision.request in TALK_REQUESTS:
            return self._talk(told, decision, prompt)
        return self._choice(told, decision, prompt)

    def mended(self, refused: Review, decision: Decision, prompt: Prompt) -> Review | None:
        """What is left of a refused answer without what was wrong with it: other sentences, or a choice that is legal
        though the odds speak against it."""
        if decision.request not in TALK_REQUESTS:
            return replace(refused, problem=None) if refused.text else None
        review = self._reviewer.mended(refused, decision, prompt, self._binding(self._told, decision))
        return review if review.problem is None else None

    def _talk(self, told: Declaration, decision: Decision, prompt: Prompt) -> Review:
        self._told, words = told, told.words
        if decision.request == Request.TALK and told.to and not words.startswith(("@", told.to)):
            words = f"@{told.to} {words}"
        review = self._reviewer.talk(words, decision, prompt, self._binding(told, decision))
        return review if review.problem is not None or review.plan is None else self._turned(review, review.plan)

    def _turned(self, review: Review, plan: TalkPlan) -> Review:
        """A mind is changed aloud, and that says why."""
        state, reader, split = self._state, self._pack.reading, self._pack.language.sentences
        promise = self._mind.ledger.promise(state.me, state.day)
        votes = [act.target for act in plan.acts if "vote" in act.row.binds]
        told = bool(votes) and promise in state.others and promise not in votes
        if not told or not reader.only_votes(review.text, state.players):
            return review
        bare = [one for one in split.split(review.text) if reader.read(one, state.players).of("vote")]
        why = f"turns from {promise} to {votes[-1]} and does not say why"
        problem = Problem(Check.TURNED, why, review.text, said=split.join(bare) or review.text, name=promise)
        return replace(review, problem=problem)

    def _binding(self, told: Declaration, decision: Decision) -> Callable[[str], TalkPlan]:
        """What words bind. Whispers bind nobody."""
        base = decision.plan if isinstance(decision.plan, TalkPlan) else TalkPlan()
        if decision.request != Request.TALK:
            return lambda _: base
        bind = Binding(self._state, self._mind, self._pack.reading, base)
        return lambda text: bind.plan(told, text)

    def _choice(self, told: Declaration, decision: Decision, prompt: Prompt) -> Review:
        review = self._reviewer.answer(told.choice or told.words, decision, prompt)
        if review.problem is not None or self._warned:
            return review
        if self._reviewer.guard.orders() is not None:
            self._warned = True
            why = f"orders to models were about when {review.text} was chosen"
            return replace(review, problem=Problem(Check.ORDER, why, name=review.text))
        better = self._better(review.text, decision.choices) if decision.request == Request.VOTE else ""
        if not better:
            return review
        self._warned = True
        odds = self._odds()
        shares = ", ".join(f"{name} {odds.get(name, 0.0):.2f}" for name in (better, review.text))
        problem = Problem(Check.ODDS, f"the odds speak clearly against {review.text}", said=shares, name=review.text)
        return replace(review, problem=problem)

    def _odds(self) -> Mapping[str, float]:
        return self._opinion.fused(self._mind.belief.inner, self._state.others)

    def _better(self, vote: str, legal: tuple[str, ...]) -> str:
        """Whom the odds put clearly before ``vote``, ``""`` for nobody; the wolves' side votes as it likes."""
        wolfish = self._state.spec.side is Side.WEREWOLF
        return "" if wolfish else spoken_against(vote, legal, self._odds(), self._style.margin)

    def row(self) -> dict[str, Any]:
        """For the journal: what arithmetic, model and both think of the living, and who gave orders to models."""
        state, seen = self._state, self._mind.belief.inner
        row: dict[str, Any] = {**self._opinion.row(seen, state.others)}
        if ordering := self._reviewer.guard.ordering:
            row["orders"] = list(ordering)
        return row | ({"trust": round(self._opinion.trust, 2)} if self._opinion.wolf else {})


def thought_of(decision: Decision) -> str:
    """What a model thought as it spoke or chose; ``""`` where it did not."""
    chose = decision.how in (How.LLM, How.RETRY) and decision.style is Style.ADVISED
    return thought_in(decision.raw) if chose else ""
