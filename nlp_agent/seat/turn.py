"""One turn of a seat: plan, words, review; what goes out at its end is one decision.

The legal answer exists before a model is asked; a model can only improve on it. For a talk that is the plan and, for
the few milliseconds until the question is on its way, Over: the plan's own words are made while the model thinks.
"""

from __future__ import annotations

import asyncio
from functools import cache
from itertools import starmap
from random import Random
from typing import Any

from nlp_agent.errors import LlmError
from nlp_agent.game import SeatState, legal_targets
from nlp_agent.llm.model import Message, Model, Question
from nlp_agent.planning.advice import Advice
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting import Check, Problem, Prompt, Style
from nlp_agent.protocol import OVER, TALK_REQUESTS, Request
from nlp_agent.seat.decision import Decision, How
from nlp_agent.seat.log import SeatLog
from nlp_agent.seat.review import Review
from nlp_agent.seat.setup import Setup
from nlp_agent.seat.timing import ThinkingTime
from nlp_agent.text import complete_talk, whole_sentences

_HEAD_START = 0.002
"""Seconds after which a question is on its way to the model and this seat's own words are made, in nobody's way."""


class Turn:
    """``decision`` is legal from the first moment on; ``answer`` makes it as good as time allows.

    ``setup`` is None while no character was dealt; ``model`` is None for a player without one. ``closing``: the phase
    of a group chat is about to end.
    """

    def __init__(
        self,
        state: SeatState,
        setup: Setup | None,
        log: SeatLog,
        request: Request,
        rng: Random,
        *,
        model: Model | None,
        closing: bool = False,
    ) -> None:
        self._state, self._setup, self._log, self._rng = state, setup, log, rng
        self._request, self._model = request, model
        self._advised = setup.advised(request) if setup is not None else None
        self._mended: Review | None = None
        self._worded = False
        doing = f"preparing {request}"
        self.decision = log.guarded(doing, lambda: self._planned(closing), None) or self._rescue()
        self.decision.style = Style.DIRECTED if self._advised is None else Style.ADVISED

    async def answer(self, time: ThinkingTime) -> Decision:
        """The decision, with a model's words if it finds some in ``time``. Never raises except when cancelled."""
        if self._model is not None and self.decision.how is How.FALLBACK:
            try:
                await self._ask_model(self._model, time)
            except Exception:
                self._log.crash("asking the model", self.decision)
                self.decision.unanswered = "a fault of our own: the journal tells more"
            if self.decision.how is How.FALLBACK and self._mended is not None:
                self._take(self._mended, How.LLM)
        self.own_words()
        if self._advised is not None and self._model is not None:
            self.decision.judged = cache(self._judged)
        return self.decision

    def _judged(self) -> dict[str, Any]:
        row = self._advised.row if self._advised is not None else dict[str, Any]
        noted = self._log.guarded("noting the model's judgement", row, dict[str, Any]())
        return noted and {**noted, "decided": str(self.decision.how)}

    # --- the answer without any model --------------------------------------------------------------------------

    def _planned(self, closing: bool) -> Decision:
        """What this seat means to do. How.FALLBACK marks what a model may improve."""
        setup, state, request = self.setup, self._state, self._request
        mind = setup.mind
        how = How.MIND if self._model is None else How.FALLBACK
        if request in TALK_REQUESTS:
            plan = setup.words.with_reasons(mind.plan_talk(request, closing=closing))
            settled = self._model is not None and self._nothing_to_say(plan)
            return Decision(request, state.day, OVER, How.SETTLED if settled else how, plan)
        legal = legal_targets(state, request) or (state.me,)
        wish = mind.plan_target(request, legal)
        if wish.name not in legal:
            wish = TargetPlan(self._rng.choice(legal), legal, f"{wish.name or 'nobody'} cannot be chosen", False)
        # Where a model gets orders it may break a tie of the plan, never overrule it.
        free = self._advised is not None
        choices = tuple(one for one in legal if free or one == wish.name or one in wish.close)
        settled = self._model is not None and (wish.firm or len(choices) == 1 or self._is_chosen(wish.name, choices))
        return Decision(request, state.day, wish.name, How.SETTLED if settled else how, wish, choices)

    def _nothing_to_say(self, plan: TalkPlan) -> bool:
        """Over ends the day for this seat, so with a model the talk goes on while others have news for it."""
        return plan.over and all(talk.agent == self._state.me for talk in self.setup.mind.ledger.news())

    def _is_chosen(self, name: str, choices: tuple[str, ...]) -> bool:
        """Who thinks is not asked again for a vote that came with the day's last word; who gets orders breaks no tie
        while somebody at the table talks to models instead of players."""
        if self._advised is not None:
            return self._advised.chosen(self._request, name, choices)
        return self.setup.reviewer.guard.orders() is not None

    def _rescue(self) -> Decision:
        if self._request in TALK_REQUESTS:
            return Decision(self._request, self._state.day, OVER, How.RESCUE)
        legal = legal_targets(self._state, self._request) or (self._state.me,)
        setup, day = self._setup, self._state.day
        promise = setup.mind.ledger.promise(self._state.me, day) if setup and self._request is Request.VOTE else ""
        name = promise if promise in legal else self._rng.choice(legal)
        return Decision(self._request, day, name, How.RESCUE, choices=legal)

    def own_words(self) -> None:
        """Give the plan its words, unless a model has found better ones, and note what was thought; once is enough."""
        decision, setup, plan = self.decision, self._setup, self.decision.plan
        if self._worded or setup is None or decision.how is How.RESCUE:
            return
        self._worded = True
        if isinstance(plan, TalkPlan) and not plan.over and decision.how in (How.MIND, How.FALLBACK):
            try:
                self._say(setup, plan)
            except Exception:
                self._log.crash(f"preparing {self._request}", decision)
                decision.how = How.RESCUE if self._model is None else decision.how
        mind = setup.mind
        if self._log.kept:
            others = self._state.others
            decision.posterior = self._log.guarded("noting the posterior", lambda: mind.belief.row(others), None)
            decision.heard = self._log.guarded("noting what was said", mind.heard, [])
        self._log.slipped(mind.slips(), decision)

    def _say(self, setup: Setup, plan: TalkPlan) -> None:
        words = setup.words.say(plan, self._request, setup.reviewer.table(self._request).length)
        if not words:  # All would repeat what was said, here or by others: that is no fault, and Over is better.
            self.decision.changes = ("nothing new to say",)
            return
        review = setup.reviewer.own_words(words, self.decision)
        if review.problem is None:
            self.decision.text, self.decision.changes = review.text, review.changes
        else:
            self.decision.problems.append(str(review.problem))

    # --- with a model ------------------------------------------------------------------------------------------

    async def _ask_model(self, model: Model, time: ThinkingTime) -> None:
        """Two attempts within one time; the second is told what was wrong with the first."""
        decision, prompt = self.decision, self.prompt()
        try:
            async with asyncio.timeout(time.until.remaining):
                for how in (How.LLM, How.RETRY):
                    if time.until.passed:
                        self._unanswered("no time was left for the model")
                        return
                    review = await self._attempt(model, prompt, time)
                    if review.problem is None:
                        self._take(review, how)
                        return
                    self._unanswered(str(review.problem), "refused: ")
                    if self._advised is not None:
                        self._mended = self._advised.mended(review, decision, prompt) or self._mended
                    if review.problem.check is Check.LONG and time.soft.passed:
                        return  # what fits of it is good enough, and late
                    prompt = self._retry_prompt(prompt, review.problem)
        except TimeoutError:
            self._unanswered("timeout: the model did not keep to its deadline")
        except LlmError as error:
            self._unanswered(f"{error.kind}: {error}")

    def _unanswered(self, why: str, kind: str = "") -> None:
        self.decision.problems.append(why)
        self.decision.unanswered = kind + why

    def _take(self, review: Review, how: How) -> None:
        decision = self.decision
        decision.text, decision.how, decision.changes = review.text, how, review.changes
        decision.plan = review.plan or decision.plan

    async def _attempt(self, model: Model, prompt: Prompt, time: ThinkingTime) -> Review:
        """One answer of the model, as it would go out."""
        thinking = asyncio.get_running_loop().call_later(_HEAD_START, self._while_model_thinks, prompt)
        try:
            answer = await model.ask(self._question(prompt, time), time.until)
        finally:
            thinking.cancel()
        decision = self.decision
        decision.usage += answer.usage
        decision.raw = answer.raw or answer.text
        decision.problems.extend(answer.notes)
        return self.review(answer.text, prompt)

    def _retry_prompt(self, prompt: Prompt, problem: Problem) -> Prompt:
        """The same question would bring the same answer, so it says what was wrong with it."""
        retry = self.setup.pack.retry_prompt(
            prompt, problem, self._state.me, self.decision.choices, self.decision.style
        )
        self.decision.retry = retry.user.removeprefix(prompt.user).strip()
        return retry

    def _question(self, prompt: Prompt, time: ThinkingTime) -> Question:
        request, me, choices = self._request.value, self._state.me, self.decision.choices
        if self._advised is not None:
            return self._advised.question(self._request, _messages(prompt), choices, time)
        if self._request not in TALK_REQUESTS:
            return Question(_messages(prompt), request, choices=choices, pace=time.pace, seat=me)
        setup, guarded = self.setup, self._log.guarded
        language, table = setup.pack.language, setup.reviewer.table(self._request)
        return Question(
            _messages(prompt),
            request,
            enough=lambda text: guarded("looking for the end", lambda: complete_talk(text, table), False),
            soft=time.soft,
            whole=lambda text: guarded("looking for whole sentences", lambda: whole_sentences(text, language), ""),
            pace=time.pace,
            seat=me,
        )

    def _while_model_thinks(self, prompt: Prompt) -> None:
        """What costs the reply no time when it is done now."""
        self.own_words()
        setup, plan = self.setup, self.decision.plan
        if isinstance(plan, TalkPlan):
            self._log.guarded("reading the prompt", lambda: setup.reviewer.guard.prepare(plan, prompt), None)

    # --- also for looking into a game --------------------------------------------------------------------------

    def prompt(self) -> Prompt:
        """What a model gets for this turn. Raises PackError; LookupError before the character came."""
        setup, decision = self.setup, self.decision
        prompt = setup.conversation.ask(
            self._request,
            plan=decision.plan,
            persona=setup.words.persona,
            choices=decision.choices,
            sheet=setup.sheet,
            news=setup.mind.ledger.news(whispered=self._request is Request.WHISPER),
            style=self.decision.style,
            advice=self.advice(),
            thought=setup.thought,
            judged=setup.style.judgement,
        )
        decision.system, decision.user = prompt.system, prompt.user
        decision.shown = setup.mind.ledger.place()  # all that was said so far; it counts once the decision is out
        return prompt

    def advice(self) -> Advice | None:
        """What a model is told beside the facts, where it is asked in the advised style."""
        return self.setup.mind.advice(self.decision.plan) if self._advised is not None else None

    def review(self, raw: str, prompt: Prompt) -> Review:
        """What would go out of a model's answer ``raw`` to ``prompt``, or why nothing would."""
        if self._advised is not None:
            return self._advised.review(raw, self.decision, prompt)
        return self.setup.reviewer.answer(raw, self.decision, prompt)

    def bound(self, raw: str, text: str) -> TalkPlan | TargetPlan | None:
        """The plan under which ``text``, found in a model's answer ``raw``, went out."""
        if self._advised is None or self._request is not Request.TALK:
            return self.decision.plan
        return self._advised.bound(raw, text, self.decision)

    @property
    def setup(self) -> Setup:
        """What the seat has since its character was dealt. Raises LookupError before."""
        if self._setup is None:
            raise LookupError("no character was dealt yet")
        return self._setup


CATCHING = frozenset((SeatLog.guarded.__code__, Turn._say.__code__))
"""Below these a turn without a model can be broken off at any time: it still ends in a legal answer."""


def _messages(prompt: Prompt) -> tuple[Message, ...]:
    return tuple(starmap(Message, prompt.messages))
