"""One turn of a seat, from the request to the decision what to send; read :meth:`Turn.answer` first.

The order of a turn:

1. *Plan.* What the player without a model would say or choose (:meth:`Turn._plan`, by ``planning/planner.py``). From
   then on ``decision`` holds a legal answer (of a talk at first only ``Over``); a model can only improve on it. A model
   cannot end a day's talk: its bare Over or Skip counts as no words (``text/clean.py:is_control``). Over goes out where
   the plan ends the talk, and where there are no words: the own ones would all repeat, or none could be made.
2. *Prompt.* What the model is shown (:meth:`Turn.prompt`, by ``prompting/conversation.py``). With ``llm.advice: after``
   it is first asked for its own reading of the game, before any advice, with its first and its last talk of a day, from
   day 1 on (``advised.py:AdvisedStyle.reads_first``, then :meth:`Turn._read_first`).
3. *Ask.* The question goes to the model (``style.question``). While it thinks, the plan's own words are written
   (:meth:`Turn.own_words`), so that they are there if nothing usable comes in time.
4. *Read.* What the answer says (``style.read``): JSON in the advised and the guided style (the latter hands on words
   or a name alone), plain text in the directed one.
5. *Check.* It is made legal and looked at for what must not be said (``style.check``, by ``word_check.py``).
6. *Repair or ask again.* In the advised style what is usable of a refused answer is kept (``style.repair``). The model
   is asked once more and told what was wrong (:meth:`Turn._retry_prompt`), unless no time is left or the words were
   only too long and it is late. What is usable of the second answer takes the place of what was kept of the first.
7. *Decide.* The model's answer, else the repaired one, else the plan's own words or choice (:meth:`Turn.answer`), also
   where the second answer came too late or not at all.
8. *Send.* By ``net/session.py``. Then :meth:`Turn.take_notes` works out what only the journal wants, and
   ``Setup.remember`` makes the words binding.

Where things are decided:

* *time*: the arrival is stamped by ``net/connection.py:FrameReader``, the deadline made of it by
  ``timing.py:Timing.last_moment`` and divided in ``timing.py:Timing.thinking`` (in group chat by
  ``groupchat.py:GroupChat._deadline`` and ``ThinkingTime.in_group_chat``); ``llm/failover.py:Failover`` takes what is
  there a hundredth before the end, and in :meth:`Turn.answer` the model is given up; a strategy of the user's own is
  stopped in ``own_strategy.py:TimedStrategy``;
* *lateness*: ``net/session.py:Session._send`` compares the true time before an answer goes out;
* *legality*: of names in :meth:`Turn._plan` (by ``game.legal_targets``), of a strategy's wish in
  ``planning/strategy.py:CheckedStrategy``, of a model's answer in ``word_check.py:WordChecker.name``; of words in
  ``word_check.py:WordChecker.talk``, whose rules (length, commas, signs, anchor) are in
  ``text/utterance.py:make_utterance``; a player named by anchor and words alike in ``text/anchor.py:named_once``, which
  the styles call before that;
* *repetition*: of packets in ``net/session.py:RepeatDetector``; of a model's words in
  ``word_check.py:WordChecker._repeats`` (what this seat said) and ``OthersTalks.problem`` (what others said); the
  seat's own lines are drawn so that they repeat as little as the choice allows, and never an own talk
  (``voice/own_words.py:OwnWords.say``); in group chat also what
  is said meanwhile (``groupchat.py:GroupChat._echoes``);
* *commitments*: words are compared with what the seat has said before in ``word_check.py:Guardrails``, an announced
  vote in ``advised.py:AdvisedStyle._check_change_of_mind``; ``commitments.py:CommitmentReader`` reads what new words
  commit to, which is asked only for public talk in the advised style (in the others the plan was made before the
  words); ``setup.py:Setup.remember`` makes it binding once they went out, by ``Planner.sent`` and ``Ledger.sent``;
  ``Planner.plan_target`` keeps the announced vote, in a vote that is held again ``CheckedStrategy.choose``;
* *retries*: a refused answer is asked for once more in :meth:`Turn._ask`; calls that fail on the way to an endpoint are
  repeated in ``llm/retrying.py``, and slow ones are asked at the next endpoint too in ``llm/failover.py``;
* *the journal*: ``seat.py:Seat.delivered`` writes the turn's row after sending (``decision.py:SeatLog.sent``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Protocol

from nlp_agent.errors import LlmError
from nlp_agent.game import SeatState, legal_targets
from nlp_agent.llm.model import Answer, Model, Question
from nlp_agent.planning.advice import Advice
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting import Check, Problem, Prompt, PromptRequest, Style
from nlp_agent.protocol import OVER, SKIP, TALK_REQUESTS, Request
from nlp_agent.seat.advised import AdvisedStyle
from nlp_agent.seat.decision import Decision, How, SeatLog
from nlp_agent.seat.directed import DirectedStyle, plain_question
from nlp_agent.seat.guided import GuidedStyle
from nlp_agent.seat.model_answer import thought_in
from nlp_agent.seat.setup import OwnReading, Setup
from nlp_agent.seat.timing import ThinkingTime
from nlp_agent.seat.word_check import CheckContext, CheckedWords
from nlp_agent.text.clean import answer_words

_HEAD_START = 0.002
"""Seconds after a question was sent to the model when this seat's own words are made: by then the request is on its
way, so making them delays nobody."""
_DRAWS = 3
"""So often own words are drawn until some may go out: no line that is refused is to make a seat fall silent."""
_ANSWERS_IN_RESERVE = 4
"""A model is asked for its own reading only if so many answers, each as slow as the slowest of this game, fit into the
time that is left. Two are needed: the own reading and the talk. Both may take twice as long as the slowest so far."""


class AskingStyle(Protocol):
    """A way of asking a model for one turn; there are three: ``directed.py``, ``guided.py``, ``advised.py``."""

    @property
    def name(self) -> Style:
        """The style's name, which the journal keeps."""

    def choices(self, legal: tuple[str, ...], wish: TargetPlan) -> tuple[str, ...]:
        """The ``legal`` players whom the model may name, where the plan is ``wish``."""

    def is_settled(self, name: str, choices: tuple[str, ...]) -> bool:
        """Whether the plan's choice ``name`` goes out without asking the model."""

    def advice(self, *, bare: bool = False) -> Advice | None:
        """The advice that the prompt shows beside the facts; None for none. ``bare``: the model's own reading is asked
        for, before any advice.
        """

    def reads_first(self) -> bool:
        """Whether the model writes down its own reading of the game before it is shown any advice."""

    def question(self, prompt: Prompt, time: ThinkingTime) -> Question:
        """Make the question for the model: the prompt, the form of the answer, and when a stream is complete."""

    def read(self, raw: str) -> Any:
        """Read what a model's answer says, in the form that :meth:`check` takes."""

    def check(self, answer: Any, prompt: Prompt) -> CheckedWords:
        """Check what would go out of an answer, made legal, or the problem that forbids it."""

    def repair(self, refused: CheckedWords, prompt: Prompt) -> CheckedWords | None:
        """Find what may go out of a refused answer if no better one comes; ``None`` for nothing."""

    def plan_behind(self, raw: str, text: str) -> TalkPlan | TargetPlan | None:
        """The plan under which ``text``, found in a model's answer ``raw``, went out."""

    def judgement(self) -> dict[str, Any] | None:
        """The estimates for the journal: what arithmetic and model think of everybody; ``None`` where no model was
        asked that.
        """


@dataclass(frozen=True, slots=True)
class RepairedAnswer:
    """The part of a refused answer that can be used.

    Attributes:
        checked: the words or the name, legal and without a problem.
        how: whether it was the first answer or the second.
        raw: the whole answer: what goes out of it is remembered and journalled with its thought, not with another's.
    """

    checked: CheckedWords
    how: How
    raw: str


class Turn:
    """A turn: everything that belongs to one request, what is known, how the model is asked, and the decision as it
    grows.

    Args:
        state: the game as this seat knows it.
        setup: what the seat has since it was set up, its role and language being known; ``None`` before.
        log: the way to the journal, which also catches faults of our own.
        request: what is asked for.
        rng: for a choice where nothing else can make one.
        model: who is asked to improve on the plan; ``None`` for a player without a model.
        closing: whether the phase of a group chat is about to end.
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
        self.state, self.log, self.request = state, log, request
        self._setup, self._rng, self._model, self._closing = setup, rng, model, closing
        style = setup.style_of(request) if setup is not None else Style.DIRECTED
        self.style: AskingStyle = _STYLES[style](self)
        self._repaired: RepairedAnswer | None = None
        self._wrote_own_words = False
        self.decision = log.catching(f"preparing {request}", self._plan, None) or self._without_plan()
        self.decision.style = self.style.name
        self.decision.take_notes = self.take_notes

    # --- the whole turn ----------------------------------------------------------------------------------------

    async def answer(self, time: ThinkingTime) -> Decision:
        """Decide what to send, with the model's help as far as it comes in ``time``.

        Never raises except when cancelled: what the model or our own code fails at costs the answer its quality.
        """
        decision = self.decision  # 1. The plan: it is there since the turn began.
        if self._model is not None and decision.unimproved:
            try:
                async with asyncio.timeout(time.until.remaining):
                    await self._ask(self._model, time)
            except TimeoutError:
                self._stop_waiting("timeout: the model did not keep to its deadline")
            except LlmError as error:
                self._stop_waiting(f"{error.kind}: {error}", out_of_time=error.kind == "timeout")
            except Exception:
                self.log.crash("asking the model", decision)
                decision.unanswered = "a fault of our own: the journal tells more"
        # 7. Decide: the model's answer was taken if it was good; what was repaired is better than no words of its own.
        if decision.unimproved and self._repaired is not None:
            self._take(self._repaired.checked, self._repaired.how)
            decision.raw = self._repaired.raw
        self.own_words()
        if decision.given_up and decision.unimproved and decision.text == OVER:
            # The model might have gone on talking: that time ran out is no reason to end the talk.
            decision.text = self._keep_talking()
        return decision

    async def _ask(self, model: Model, time: ThinkingTime) -> None:
        """Ask the model for the answer at most twice; take it if it may go out, and keep what is usable if not.

        Its own reading before that, and calls that are repeated in ``llm/``, are not counted.
        Raises TimeoutError or LlmError when no answer comes, PackError when no prompt can be made.
        """
        if self.style.reads_first() and _ANSWERS_IN_RESERVE * self.setup.slowest_answer <= time.until.remaining:
            await self._read_first(model, time)
        prompt = self.prompt()  # 2. the prompt
        questioned = thought = ""
        for how in (How.LLM, How.RETRY):
            if time.until.passed:
                self._stop_waiting("no time was left for the model")
                return
            answer = await self._ask_once(model, prompt, time)  # 3. ask
            answered = self.style.read(answer.text)  # 4. read
            checked = self.style.check(answered, prompt)  # 5. check
            if checked.problem is None:
                if questioned and checked.text == questioned:
                    self.decision.thought = thought
                self._take(checked, how)
                return
            self.decision.problems.append(str(checked.problem))
            self.decision.unanswered = f"refused: {checked.problem}"
            if usable := self.style.repair(checked, prompt):  # 6. repair
                self._repaired = RepairedAnswer(usable, how, self.decision.raw)
            if checked.problem.check is Check.LONG and time.soft.passed:
                return  # What fits of it is good enough, and it is late.
            if how is How.LLM:
                if checked.problem.check is Check.LONG:
                    self.decision.thought = thought_in(self.decision.raw)
                elif checked.problem.check is Check.ORDER and self.request not in TALK_REQUESTS:
                    questioned, thought = checked.text, thought_in(self.decision.raw)
                prompt = self._retry_prompt(prompt, checked.problem)  # 6. or ask again

    async def _read_first(self, model: Model, time: ThinkingTime) -> None:
        """Ask the model for its own reading of the game, in plain words and without advice; it is shown to it again.

        It has half of the time that is left. Without an answer the turn goes on as if it had not been asked. A model
        that has been so slow in this game that time could get short is not asked.
        """
        setup, until = self.setup, time.until.capped(time.until.spent + time.until.remaining / 2)
        prompt = self.prompt(reads_first=True)
        question, before = replace(plain_question(self, prompt, time), purpose="OWN_READING"), time.until.spent
        try:
            async with asyncio.timeout(until.remaining):
                answer = await model.ask(question, until)
        except (TimeoutError, LlmError) as error:
            self.decision.problems.append(f"no own reading: {str(error) or 'timeout'}")
            return
        finally:
            setup.took(time.until.spent - before)
        self.decision.usage += answer.usage
        self.decision.own_reading = answer_words(answer.text).strip()
        setup.own_reading = OwnReading(self.state.day, self.decision.own_reading)

    # --- 1. the plan -------------------------------------------------------------------------------------------

    def _plan(self) -> Decision:
        """What this seat does without any model, as a decision; ``How.FALLBACK`` marks what a model may improve."""
        how = How.STRATEGY if self._model is None else How.FALLBACK
        return self._plan_talk(how) if self.request in TALK_REQUESTS else self._plan_choice(how)

    def _plan_talk(self, how: How) -> Decision:
        # Over stands in for the plan's words until they are written, a few milliseconds later.
        setup = self.setup
        plan = setup.words.with_reasons(setup.planner.plan_talk(self.request, closing=self._closing))
        if self._model is not None and plan.over and not self._others_have_news():
            how = How.SETTLED
        return Decision(self.request, self.state.day, OVER, how, plan)

    def _others_have_news(self) -> bool:
        """Whether others said something new: Over ends the day for this seat, so with a model the talk goes on then."""
        return any(talk.agent != self.state.me for talk in self.setup.planner.ledger.not_yet_shown())

    def _plan_choice(self, how: How) -> Decision:
        legal = legal_targets(self.state, self.request) or (self.state.me,)
        wish = self.setup.planner.plan_target(self.request, legal)
        if wish.name not in legal:
            # A net that nothing should reach: for an illegal wish CheckedStrategy.choose lets the built-in one choose.
            wish = TargetPlan(self._rng.choice(legal), legal, f"{wish.name or 'nobody'} cannot be chosen", False)
        choices = self.style.choices(legal, wish)
        if self._model is not None and (wish.firm or len(choices) == 1 or self.style.is_settled(wish.name, choices)):
            how = How.SETTLED
        return Decision(self.request, self.state.day, wish.name, how, wish, choices)

    def _without_plan(self) -> Decision:
        """A plain legal answer where planning failed: to go on talking, the announced vote, or any legal player."""
        day = self.state.day
        if self.request in TALK_REQUESTS:
            return Decision(self.request, day, self._keep_talking(), How.RESCUE)
        legal = legal_targets(self.state, self.request) or (self.state.me,)
        announced = ""
        if self._setup is not None and self.request is Request.VOTE:
            announced = self._setup.planner.ledger.promise(self.state.me, day)
        name = announced if announced in legal else self._rng.choice(legal)
        return Decision(self.request, day, name, How.RESCUE, choices=legal)

    def _keep_talking(self) -> str:
        """Skip where skips are left, else Over: a seat that says Over is silent for the rest of the day.

        In a group chat it is always Over. There nobody waits for a word, so :meth:`GroupChat.next` does not send the
        Over of a turn: the seat says nothing and stays. The Over with which it leaves the phase is made there.
        """
        return SKIP if (self.state.remain_skip or 0) > 0 and not self.state.phase else OVER

    # --- 2. the prompt -----------------------------------------------------------------------------------------

    def prompt(self, *, reads_first: bool = False) -> Prompt:
        """Make the prompt that a model is shown for this turn. Raises PackError; LookupError before the character came.

        ``reads_first``: it is the question for the model's own reading, before any advice.
        """
        setup, decision = self.setup, self.decision
        prompt = setup.conversation.prompt(
            PromptRequest(
                self.request,
                plan=decision.plan,
                persona=setup.words.persona,
                choices=decision.choices,
                sheet=setup.sheet,
                news=setup.planner.ledger.not_yet_shown(whispered=self.request is Request.WHISPER),
                style=self.style.name,
                advice=self.style.advice(bare=reads_first),
                thought=setup.thought,
                later=setup.later,
                shortened=setup.shortened,
                judged=setup.asking.judgement == "on",
                estimate=setup.asking.judgement == "votes" and setup.estimates(self.request),
                unjudged=setup.asking.judgement == "on" and not setup.estimates(self.request),
                reads_first=reads_first,
                own_reading=setup.own_reading.text if setup.own_reading.day == self.state.day else "",
            )
        )
        decision.system, decision.user = prompt.system, prompt.user
        # All that was said so far; it counts once the decision is out.
        decision.talks_shown = setup.planner.ledger.counts()
        return prompt

    def _retry_prompt(self, prompt: Prompt, problem: Problem) -> Prompt:
        """``prompt`` with what was wrong with the first answer: the same question would bring the same answer."""
        pack, decision = self.setup.pack, self.decision
        retry = pack.retry_prompt(prompt, problem, self.state.me, decision.choices, decision.style)
        decision.retry = retry.user.removeprefix(prompt.user).strip()
        return retry

    # --- 3. to ask, and what is done meanwhile -----------------------------------------------------------------

    async def _ask_once(self, model: Model, prompt: Prompt, time: ThinkingTime) -> Answer:
        """The model's answer to ``prompt``; what it cost is added to the decision. Raises TimeoutError or LlmError."""
        loop, question = asyncio.get_running_loop(), self.style.question(prompt, time)
        meanwhile = loop.call_later(_HEAD_START, self._while_model_thinks, prompt)
        before = time.until.spent
        try:
            answer = await model.ask(question, time.until)
        finally:
            meanwhile.cancel()
            self.setup.took(time.until.spent - before)
        decision = self.decision
        decision.usage += answer.usage
        decision.raw = answer.raw or answer.text
        decision.problems.extend(answer.notes)
        return answer

    def _while_model_thinks(self, prompt: Prompt) -> None:
        """Do what costs the reply no time when it is done now: the own words, and what checking will need."""
        self.own_words()
        guardrails, plan = self.setup.checker.guardrails, self.decision.plan
        if isinstance(plan, TalkPlan):
            self.log.catching("reading the prompt", lambda: guardrails.prepare(plan, prompt), None)

    def own_words(self) -> None:
        """Give the plan of a talk its own words, unless a model has found better ones. Once is enough; never raises."""
        decision, plan = self.decision, self.decision.plan
        if self._wrote_own_words or self._setup is None:
            return
        if not isinstance(plan, TalkPlan) or plan.over or decision.how not in (How.STRATEGY, How.FALLBACK):
            return
        self._wrote_own_words = True
        try:
            self._write_own_words(self._setup, plan)
        except Exception:
            self.log.crash(f"preparing {self.request}", decision)
            if self._model is None:
                decision.how, decision.text = How.RESCUE, self._keep_talking()

    def _write_own_words(self, setup: Setup, plan: TalkPlan) -> None:
        decision = self.decision
        for draw in range(_DRAWS):
            words = setup.words.say(plan, self.request, setup.checker.table(self.request).length, draw)
            if not words:  # None fits, or all would repeat what was said: that is no fault, and Over is better.
                decision.changes = ("nothing new to say",)
                return
            checked = setup.checker.talk(words, CheckContext(self.request, plan))
            if checked.problem is None:
                decision.text, decision.changes = checked.text, checked.changes
                return
            decision.problems.append(str(checked.problem))

    # --- 4. and 5. to read and to check: in the style; also for looking into a game -------------------------------

    def check(self, raw: str, prompt: Prompt) -> CheckedWords:
        """Check a model's answer ``raw`` to ``prompt``: what would go out of it, or why nothing would."""
        return self.style.check(self.style.read(raw), prompt)

    # --- 7. the decision ---------------------------------------------------------------------------------------

    def _take(self, checked: CheckedWords, how: How) -> None:
        """Let ``checked`` go out."""
        decision = self.decision
        decision.text, decision.how, decision.changes = checked.text, how, checked.changes
        decision.plan, decision.given_up = checked.plan or decision.plan, False

    def _stop_waiting(self, why: str, *, out_of_time: bool = True) -> None:
        """Wait for no answer of the model any more, and note ``why``.

        Only where time has run out is the decision ``given_up``, and a talk without words of its own becomes Skip in
        place of Over.
        """
        self.decision.problems.append(why)
        self.decision.unanswered = why
        self.decision.given_up = out_of_time

    # --- 8. after the reply is out -----------------------------------------------------------------------------

    def take_notes(self, decision: Decision) -> None:
        """Work out what only the journal and the summary want of ``decision``, once its reply is out. Never raises.

        What a strategy of the user's own got wrong, what was thought of everybody, what was said since the last
        decision, and in the advised style what arithmetic and model each make of it.
        """
        if self._setup is None:
            return
        planner, catching, others = self._setup.planner, self.log.catching, self.state.others
        self.log.note_strategy_faults(planner.strategy_faults(), decision)
        if not self.log.kept or self.decision.plan is None:
            return
        decision.posterior = catching("noting the posterior", lambda: planner.belief.row(others), None)
        decision.heard = catching("noting what was said", planner.heard, [])
        if self._model is not None and (judged := catching("noting the judgement", self.style.judgement, None)):
            decision.judgement = {**judged, "decided": str(decision.how)}

    @property
    def setup(self) -> Setup:
        """The parts that the seat has since it was set up. Raises LookupError before."""
        if self._setup is None:
            raise LookupError("the seat is not set up yet")
        return self._setup


_STYLES: dict[Style, Callable[[Turn], AskingStyle]] = {
    Style.ADVISED: AdvisedStyle,
    Style.GUIDED: GuidedStyle,
    Style.DIRECTED: DirectedStyle,
}
