"""A seat at the table for one game.

The legal answer exists before a model is asked; a model can only improve on it. For a talk that is the plan and, for
the few milliseconds until the question is on its way, Over: the plan's own words are made while the model thinks.
Whatever fails inside costs an answer its quality, never the answer.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Protocol, TypeVar

from rapidfuzz import fuzz

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.game import SeatState, legal_targets
from nlp_agent.llm.model import Answer, Ask, Message, Model
from nlp_agent.planning.mind import Mind
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.planning.strategy import Standard, Strategy
from nlp_agent.prompting import Conversation, Kind, Pack, Prompt, build_view
from nlp_agent.protocol import OVER, TALK_REQUESTS, Packet, Request, Talk
from nlp_agent.reading.ledger import read_talk
from nlp_agent.reading.stir import Stir, stir
from nlp_agent.seat.actor import TEMPLATE, Actor
from nlp_agent.seat.chat import Chat
from nlp_agent.seat.decision import Decision, How, Review, SeatStats
from nlp_agent.seat.pacing import Pace
from nlp_agent.seat.reader import Reader
from nlp_agent.seat.review import Reviewer
from nlp_agent.seat.timing import Timing
from nlp_agent.text import complete_talk, whole_sentences
from nlp_agent.voice.lines import HEARD_REPEAT, sentences
from nlp_agent.voice.sheet import Sheet, make_sheet

T = TypeVar("T")

_SOFT = 0.25
"""From this share of a chat talk's time on, the first complete talk of a stream is taken."""
_HEAD_START = 0.002
"""Seconds after which a question is on its way to the model and this seat's own words are made, in nobody's way."""
_LONGEST = 50.0
"""Seconds that the model has for a talk in turns; what endpoints wait for is scaled down from there."""


class Recorder(Protocol):
    """Where a seat writes what happens, such as a journal."""

    def write(self, event: str, row: Mapping[str, Any]) -> None: ...


class Seat:
    """Packets of one game in, replies out. ``choose_pack`` is asked once, when the first packet with a character came.

    ``hear`` every packet in order of arrival; where ``packet.needs_reply``, await ``answer``; then tell what became
    of the decision with ``delivered`` or ``dropped``.
    """

    def __init__(
        self,
        *,
        choose_pack: Callable[[SeatState], Pack],
        model: Model | None,
        timing: Timing,
        seed: int,
        record: Recorder,
        strategy: Callable[[], Strategy] = Standard,
        read_talks: bool = False,
        complete_sheet: bool = False,
    ) -> None:
        self.state = SeatState()
        self.stats = SeatStats()
        self._choose_pack = choose_pack
        self._model = model
        self._timing = timing
        self._seed = seed
        self._random = Random(seed)
        self._record = record
        self._strategy = strategy
        self._pack: Pack | None = None
        self._mind: Mind | None = None
        self._reviewer: Reviewer | None = None
        self._conversation: Conversation | None = None
        self._chat: Chat | None = None
        self._shown = (0, 0)
        self._packets = 0
        self._wordless: Decision | None = None
        """What is being answered, while nothing but its plan was made of it."""
        self._read_talks = read_talks
        self._reader: Reader | None = None
        self._complete_sheet = complete_sheet
        self._sheet: Sheet | None = None
        self._actor: Actor | None = None

    @property
    def timing(self) -> Timing:
        return self._timing

    @property
    def pack(self) -> Pack | None:
        """The language pack in use, once a character was dealt."""
        return self._pack

    @property
    def improvises(self) -> bool:
        """Whether there is a model, which finds words even where the plan has nothing to say."""
        return self._model is not None

    # --- packets -----------------------------------------------------------------------------------------------

    def hear(self, packet: Packet) -> None:
        """Take in a packet. Never raises."""
        self._packets += 1
        self.state.apply(packet)
        if self._mind is None and self.state.me and self.state.role:
            self._guarded("sitting down", self._sit_down, None)
        if self._mind is not None:
            self._guarded("reading", self._mind.observe, None)
        talked = self._conversation
        if talked is not None:
            self._guarded("telling the model", lambda: talked.hear(packet), None)
        if self._chat is not None:
            self._guarded("listening", self._chat.heard, None)
        if self.state.finished or packet.needs_reply:
            self.leave()
        else:
            self._read_on()
        if self.state.finished:
            self._reader = self._actor = None  # they hold this seat, which would outlive its game by ten others

    def leave(self) -> None:
        """Nothing goes on in the background any more. Safe to call at any time."""
        for helper in (self._reader, self._actor):
            if helper is not None:
                helper.stop()

    def _read_on(self) -> None:
        """Let the model get into character, and then read the new talks, while this seat has nothing to answer."""
        reader, actor, state = self._reader, self._actor, self.state
        if actor is not None and not state.finished:
            self._guarded("getting into character", lambda: actor.go(self._scale()), None)
            if actor.busy:
                return
        if reader is not None and self._chat is None and not state.finished:
            self._guarded("reading on", lambda: reader.go(state.talks, state.me, state.players, self._scale()), None)

    def _sit_down(self) -> None:
        self._pack = self._choose_pack(self.state)
        self._reviewer = Reviewer(self.state, self._pack)
        guard = self._reviewer.guard
        if self._pack.chat is not None:
            self._conversation = Conversation(self._pack.chat, self.state)
        # All that is needed, beside the packets, to play this seat's part once more.
        about: dict[str, Any] = {"seed": self._seed, "pack": str(self._pack.folder)}
        if self._strategy is not Standard and isinstance(self._strategy, type):
            about["strategy"] = f"{self._strategy.__module__}:{self._strategy.__qualname__}"
        self._record.write("seat", about)
        strategy = self._guarded("making the strategy", self._strategy, None)
        self._mind = Mind(self.state, self._pack.playbook, self._seed, strategy)
        # A conversation in the sample's manner is all that its endpoint is asked for.
        reads = self._read_talks and self._conversation is None and self._pack.has("reading.jinja")
        if self._model is not None and reads:
            self._reader = Reader(
                model=self._model,
                mind=self._mind,
                pack=self._pack,
                trusted=guard.trusts,
                write=self._record.write,
                spent=self.stats.spend,
                crashed=self._crash,
            )
        if self._model is None:
            return  # nobody reads the sheet
        self._sheet = sheet = make_sheet(self._pack.playbook, self._mind.persona, self.state.me)
        # A conversation in the sample's manner shows no sheet. A profile with orders for models is shown to none.
        wanted = self._complete_sheet and self._conversation is None and guard.trusts(self.state.profile)
        if wanted and self._pack.has(TEMPLATE):
            self._actor = Actor(
                model=self._model,
                pack=self._pack,
                state=self.state,
                persona=self._mind.persona,
                sheet=sheet,
                wear=self.wear,
                write=self._record.write,
                spent=self.stats.spend,
                crashed=self._crash,
            )

    def wear(self, sheet: Sheet) -> None:
        """Prompts show ``sheet`` from now on."""
        self._sheet = sheet

    # --- answers -----------------------------------------------------------------------------------------------

    async def answer(self, packet: Packet, last: Deadline) -> Decision:
        """The reply to ``packet``, ready before ``last``. Never raises except when cancelled."""
        request = Request(packet.request)
        until = self._timing.model_until(last, self.state.setting.timeout.action)
        ready = self._ready(request, wordless=self._model is not None)
        if self._model is None or ready.how is not How.FALLBACK:
            return self._finished(ready)
        try:
            if request in TALK_REQUESTS:
                action = self.state.setting.timeout.action
                await self._speak(request, ready, until, self._timing.soft_until(last, action))
            else:
                await self._choose(request, ready, until)
        except Exception:
            self._crash("asking the model", ready)
        return self._finished(ready)

    # --- group chat --------------------------------------------------------------------------------------------

    def join(self, request: Request, closes: Deadline, pace: Pace) -> Chat:
        """Take part in the phase of group chat that has just begun; what is heard goes to it from now on."""
        rng = Random(f"{self._seed}|{self.state.phase_no}")
        self._chat = Chat(self, request, pace, closes, rng)
        return self._chat

    def stir(self, talk: Talk) -> Stir:
        """What a talk of somebody else means to this seat."""

        def read() -> Stir:
            pack = self._table()[0]
            return stir(talk, read_talk(pack.reading, talk.text, self.state.players), self.state.me)

        return self._guarded("reading a talk", read, Stir.NONE)

    def unsaid(self, decision: Decision, why: str) -> None:
        """Note a talk of a group chat that was thought and thrown away; what it cost counts."""
        self.stats.usage = self.stats.usage + decision.usage
        self._record.write("unsaid", {**decision.row(), "why": why})

    def echoes(self, text: str, talk: Talk) -> bool:
        """Whether ``talk`` has just said what ``text`` was about to say, or a sentence of it."""
        ours, theirs = sentences(text, self.state.players), sentences(talk.text, self.state.players)
        return any(fuzz.ratio(our, their) >= HEARD_REPEAT for our in ours for their in theirs)

    def intend(self, request: Request, left: int, *, closing: bool) -> TalkPlan:
        """What this seat would say now, with ``left`` talks left. Never raises."""
        self.state.talks_after = left - 1
        plan = self._guarded("planning", lambda: self._table()[1].plan_talk(request, closing=closing), None)
        return plan or TalkPlan(over=True, why="no plan could be made")

    async def compose(self, request: Request, left: int, *, closing: bool, until: Deadline) -> Decision:
        """A talk, ready before ``until``; Over when there are no words. Never raises except when cancelled."""
        ready = self.begin_talk(request, left, closing=closing)
        if self._model is None or ready.how is not How.FALLBACK:
            return ready
        if self._actor is not None:
            self._actor.stop()
        try:
            return await self._speak(request, ready, until, until.capped(until.total * _SOFT), until.total / _LONGEST)
        except asyncio.CancelledError:
            self.unsaid(ready, "something was said, or the phase ended, while the model thought")
            raise
        except Exception:
            self._crash("asking the model", ready)
            return ready

    def begin_talk(self, request: Request, left: int, *, closing: bool) -> Decision:
        """What :meth:`compose` starts from; with ``left`` talks left, this one counted."""
        self.state.talks_after = left - 1
        ready = self._ready(request, closing=closing)
        ready.chat = {"packets": self._packets, "left": left, "closing": int(closing)}
        return ready

    # --- the ready answer --------------------------------------------------------------------------------------

    def _ready(self, request: Request, *, closing: bool = False, wordless: bool = False) -> Decision:
        """The answer without any model. How.FALLBACK marks one that a model may improve.

        ``wordless``: only what has to be known before a model is asked; :meth:`_finished` makes the rest.
        """
        how = How.MIND if self._model is None else How.FALLBACK
        self._shown = (0, 0)

        def work() -> Decision:
            if request in TALK_REQUESTS:
                return self._ready_talk(request, how, closing=closing)
            return self._ready_target(request, how)

        self._wordless = ready = self._guarded(f"preparing {request}", work, None) or self._rescue(request)
        return ready if wordless else self._finished(ready)

    def _finished(self, ready: Decision) -> Decision:
        """``ready`` with its words, unless a model has found better ones, and with what was thought; once is enough."""
        if self._wordless is not ready:
            return ready
        self._wordless, mind, others = None, self._mind, self.state.others
        plan = ready.plan
        if isinstance(plan, TalkPlan) and not plan.over and ready.how in (How.MIND, How.FALLBACK):
            try:
                self._word(ready, plan)
            except Exception:
                self._crash(f"preparing {ready.request}", ready)
                ready.how = How.RESCUE if self._model is None else ready.how
        if ready.how is not How.RESCUE and mind is not None:
            ready.posterior = self._guarded("noting the posterior", lambda: mind.belief.row(others), None)
            ready.heard = self._guarded("noting what was said", mind.heard, [])
            ready.problems.extend(mind.troubles())
        return ready

    def _rescue(self, request: Request) -> Decision:
        if request in TALK_REQUESTS:
            return Decision(request, self.state.day, OVER, How.RESCUE)
        legal = legal_targets(self.state, request) or (self.state.me,)
        return Decision(request, self.state.day, self._random.choice(legal), How.RESCUE, choices=legal)

    def _ready_talk(self, request: Request, how: How, *, closing: bool) -> Decision:
        plan = self._table()[1].plan_talk(request, closing=closing)
        # Where the mind has nothing to add, the model may go on.
        settled = self._model is not None and self._nothing_to_say(plan)
        return Decision(request, self.state.day, OVER, How.SETTLED if settled else how, plan)

    def _word(self, ready: Decision, plan: TalkPlan) -> None:
        """Give ``ready`` this seat's own words, if they may go out."""
        _, mind, reviewer = self._table()
        request = Request(ready.request)
        utterance = reviewer.legal(mind.say(plan, request, reviewer.room(request)), request)
        if utterance is None:
            ready.problems.append("no words for this plan")
        elif why := reviewer.refusal(utterance.text, request, plan):
            ready.problems.append(f"refused: {why}: {utterance.text}")
        else:
            ready.text, ready.changes = utterance.text, utterance.changes

    def _nothing_to_say(self, plan: TalkPlan) -> bool:
        """Over ends the day for this seat, so with a model the talk goes on while others have news for it."""
        return plan.over and not any(t.said and t.agent != self.state.me for t in self.state.new_talks)

    def _ready_target(self, request: Request, how: How) -> Decision:
        _, mind, reviewer = self._table()
        legal = legal_targets(self.state, request) or (self.state.me,)
        plan = mind.plan_target(request, legal)
        if plan.name not in legal:
            plan = TargetPlan(self._random.choice(legal), legal, f"{plan.name or 'nobody'} cannot be chosen", False)
        # Code decides, the model speaks: it may break a tie of the plan, never overrule it.
        choices = tuple(name for name in legal if name == plan.name or name in plan.close)
        # While somebody at the table talks to models instead of players, ties are not broken by one either.
        ordered = self._model is not None and reviewer.guard.orders() is not None
        settled = self._model is not None and (plan.firm or len(choices) == 1 or ordered)
        return Decision(request, self.state.day, plan.name, How.SETTLED if settled else how, plan, choices)

    # --- with a model ------------------------------------------------------------------------------------------

    async def _speak(
        self, request: Request, ready: Decision, until: Deadline, soft: Deadline, scale: float | None = None
    ) -> Decision:
        pack, _, reviewer = self._table()
        floor = reviewer.floor(request)

        def enough(text: str) -> bool:
            doing = "looking for the end of a talk"
            return self._guarded(doing, lambda: complete_talk(text, pack.speech, floor), False)

        def whole(text: str) -> str:
            return self._guarded("looking for whole sentences", lambda: whole_sentences(text, pack.speech), "")

        prompt = self._prompt(request, ready)
        self._shown = (len(self.state.new_talks), len(self.state.new_whispers))
        ask = Ask(_messages(prompt), request.value, enough=enough, soft=soft, whole=whole, pace=scale or self._scale())
        meanwhile = asyncio.get_running_loop().call_later(_HEAD_START, self._meanwhile, ready, prompt)
        try:
            return await self._improved(ready, ask, prompt, until)
        finally:
            meanwhile.cancel()

    def _meanwhile(self, ready: Decision, prompt: Prompt) -> None:
        """What can be done while the model thinks: it costs the reply no time."""
        reviewer = self._reviewer
        self._finished(ready)
        if reviewer is not None and isinstance(ready.plan, TalkPlan):
            plan = ready.plan
            self._guarded("reading the prompt", lambda: reviewer.guard.foresee(plan, prompt), None)

    async def _choose(self, request: Request, ready: Decision, until: Deadline) -> Decision:
        prompt = self._prompt(request, ready)
        ask = Ask(_messages(prompt), request.value, choices=ready.choices, pace=self._scale())
        return await self._improved(ready, ask, prompt, until)

    async def _improved(self, ready: Decision, ask: Ask, prompt: Prompt, until: Deadline) -> Decision:
        """``ready`` with a model's words, which has two attempts at some that may go out; else as it was."""
        for how in (How.LLM, How.RETRY):
            answer = await self._ask(ask, until, ready)
            if answer is None:
                break
            review = self.review(answer.text, ready, prompt)
            if not review.problem:
                ready.text, ready.how, ready.changes = review.text, how, review.changes
                break
            ready.problems.append(review.problem)
        return ready

    def prepare(self, packet: Packet) -> Decision:
        """What :meth:`answer` starts from; for looking into a game, since nothing is asked or sent."""
        return self._ready(Request(packet.request))

    def prompt(self, ready: Decision) -> Prompt:
        """What a model gets for the request of ``ready``. Raises PackError; LookupError before the character came."""
        return self._prompt(Request(ready.request), ready)

    def review(self, raw: str, ready: Decision, prompt: Prompt | None = None) -> Review:
        """What would go out of a model's answer ``raw`` to the request of ``ready``, or why nothing would."""
        return self._table()[2].review(raw, ready, prompt)

    async def _ask(self, ask: Ask, until: Deadline, ready: Decision) -> Answer | None:
        """One answer, or None when there is none in time; the reason goes to ``ready.problems``."""
        assert self._model is not None
        if until.passed:
            ready.problems.append("no time was left for the model")
            return None
        try:
            async with asyncio.timeout(until.remaining):
                answer = await self._model.ask(replace(ask, seat=self.state.me), until)
        except TimeoutError:
            ready.problems.append("timeout: the model did not keep to its deadline")
            return None
        except LlmError as error:
            ready.problems.append(f"{error.kind}: {error}")
            return None
        ready.usage = ready.usage + answer.usage
        ready.raw = answer.raw or answer.text
        ready.problems.extend(answer.notes)
        return answer

    def _prompt(self, request: Request, ready: Decision) -> Prompt:
        pack, mind, _ = self._table()
        view = build_view(
            self.state,
            request,
            plan=ready.plan,
            persona=mind.persona,
            choices=ready.choices,
            pack=pack,
            sheet=self._sheet,
            why=mind.belief.why(self.state.others, public=request is Request.TALK),
        )
        prompt = pack.render(request, view)
        if self._conversation is not None:
            # Their words first, ours last: what the plan wants, how long it may be, which names are legal.
            task = "\n\n".join(part.text for part in prompt.sections if part.kind is Kind.TASK)
            prompt = self._conversation.ask(request, task, view.variables())
        ready.system, ready.user = prompt.system, prompt.user
        return prompt

    # --- afterwards --------------------------------------------------------------------------------------------

    def delivered(self, decision: Decision, deadline: Deadline) -> None:
        """The decision's text went out, exactly as it is."""
        # Told before anything else is done with it: the journal is to hold it, at its very moment, whatever comes.
        self._record.write("decision", {**decision.row(), **_times(deadline)})
        talk = decision.request in TALK_REQUESTS
        self.stats.count(decision, deadline.spent * 1000, talk=talk and decision.text != OVER)
        if talk:
            self.state.mark_read(*self._shown)
        else:
            self.state.chose(decision.request, decision.text)
        mind, talked = self._mind, self._conversation
        if talked is not None:
            self._guarded("remembering", lambda: talked.said(decision.request, decision.text), None)
        if mind is not None:
            self._guarded("remembering", lambda: mind.sent(Request(decision.request), decision.text), None)
        self._read_on()

    def dropped(self, decision: Decision | None, request: str, why: str, deadline: Deadline) -> None:
        """Nothing went out for ``request``."""
        self.stats.dropped += 1
        row = decision.row() if decision else {"request": request}
        self._record.write("dropped", {**row, "why": why, **_times(deadline)})

    # --- small things ------------------------------------------------------------------------------------------

    def _table(self) -> tuple[Pack, Mind, Reviewer]:
        if self._pack is None or self._mind is None or self._reviewer is None:
            raise LookupError("no character was dealt yet")
        return self._pack, self._mind, self._reviewer

    def _scale(self) -> float:
        return self._timing.scale(self.state.setting.timeout.action)

    def _guarded(self, doing: str, work: Callable[[], T], otherwise: T) -> T:
        try:
            return work()
        except Exception:
            self._crash(doing)
            return otherwise

    def _crash(self, doing: str, decision: Decision | None = None) -> None:
        self.stats.crashes += 1
        if decision is not None:
            decision.problems.append(f"failed while {doing}")
        self._record.write("crash", {"doing": doing, "day": self.state.day, "traceback": traceback.format_exc()})


def _messages(prompt: Prompt) -> tuple[Message, ...]:
    return tuple(Message(by, text) for by, text in prompt.messages)


def _times(deadline: Deadline) -> dict[str, float]:
    return {"ms": round(deadline.spent * 1000, 2), "left_s": round(deadline.remaining, 3)}
