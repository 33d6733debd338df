"""The planner of one seat: what it believes of everybody, the story it lives in, and so what it plans to say and
whom to name.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from nlp_agent.belief.assessment import Assessment, Belief, Viewpoint, assess, draw_tie_breaks
from nlp_agent.belief.facts import Fact, public_facts
from nlp_agent.game import SeatState, legal_targets
from nlp_agent.planning.advice import (
    Advice,
    Hint,
    OwnRule,
    ShownChances,
    advise,
    counted_viewpoint,
    own_worlds,
    shown_chances,
)
from nlp_agent.planning.lies import (
    Story,
    adapted_story,
    agreed_attack_target,
    begin_story,
    plan_whisper,
    true_viewpoint,
    with_invented_results,
)
from nlp_agent.planning.plan import TalkPlan, TargetPlan, acts_in, commitments_of, keys_once_said, side_of
from nlp_agent.planning.situation import FactKey, Situation, fact_key
from nlp_agent.planning.strategy import CheckedStrategy, Standard, Strategy, StrategyFault
from nlp_agent.planning.talk_plan import TalkContext, with_reasons
from nlp_agent.planning.target_plan import announced_vote
from nlp_agent.planning.worlds import WorldCounter
from nlp_agent.protocol import TALK_REQUESTS, Request, Role, Species, Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.protocol_language import write
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import News, Statement, TalkRecord, news_of
from nlp_agent.text.rules import ReasonTexts

if TYPE_CHECKING:
    from nlp_agent.belief.posterior import WorldTable


class Planner:
    """The planner of one seat in one game. Everything follows from ``state``, the calls made, and ``seed``.

    ``observe`` after every packet; then ``plan_talk`` or ``plan_target``, which change nothing for a later plan (but
    ``belief`` is that of the last one); ``sent`` tells what really went out, which alone creates commitments. ``why``
    words what moved a posterior.
    """

    def __init__(
        self,
        state: SeatState,
        reader: TalkReader,
        seed: int,
        strategy: Strategy | None = None,
        why: ReasonTexts | None = None,
    ) -> None:
        self._state, self._why = state, why or ReasonTexts()
        self._seed = f"{seed}|{state.me}"
        self._strategy = CheckedStrategy(strategy or Standard(), state)
        self._bold = self._rng("bold").random()
        self._tie_breaks = draw_tie_breaks({name: self._rng("taste", name) for name in state.players})
        self.story: Story = begin_story(state, self._rng("story"))
        """The world lived in so far; a plan carries the one it needs."""
        self.ledger = Ledger(reader, players=state.players)
        """What everybody has said."""
        self.opinion: Mapping[str, float] = {}
        """What a model thinks, player -> P(wolf); for strategies that want to know."""
        self._assessed: list[tuple[Viewpoint, Assessment]] = []
        self._known: object = None
        """What had been said and learnt when these worlds were assessed."""
        self._facts: tuple[Fact, ...] = ()
        """What everybody could see, once it was asked for and until more is heard."""
        self._tables: dict[WorldTable, WorldTable] = {}
        self._count = WorldCounter()
        self._private_vote = (0, "")
        """(day, player) of the vote that a model declared last beside its words, where nobody hears it."""
        self._defended: dict[int, frozenset[str]] = {}
        """Day -> whom this seat has defended or trusted aloud."""
        self._sided: tuple[str, int, int] = ("", 0, 0)
        """The seer whom this seat has declared to believe, on which day, and how many claims and results it knew."""
        self._before: tuple[int, frozenset[FactKey]] = (0, frozenset())
        """The day on which this seat announced a vote last, and what everybody could see then."""
        self._grounds: dict[str, str | Belief] = {}
        self.kept: list[OwnRule] = []
        """Why this seat divined a player, noted when it did: a model's reason, or what was thought then."""
        self._hinted: set[Hint] = set()
        self._hinting: tuple[Hint, ...] = ()
        """Hints given before earlier talks, and before the one to come: none is given twice."""
        self._shown: ShownChances | None = None
        self._showing: ShownChances | None = None
        """The chances shown with the last answer, and with the prompt to come."""
        self._belief: Belief | None = Belief()
        """``None`` where nothing had to be thought for the last plan."""

    def _seed_of(self, *parts: object) -> str:
        return "|".join([self._seed, *map(str, parts)])

    def _rng(self, *parts: object) -> random.Random:
        return random.Random(self._seed_of(*parts))

    # --- what is said ------------------------------------------------------------------------------------------

    def observe(self) -> list[TalkRecord]:
        """Take in what the state has learnt since the last call; returns the new talks and whispers of others."""
        self._facts = ()
        self.ledger.players = self._state.players
        self.ledger.died_on = self._state.died_on
        return self.ledger.follow(self._state.talks, self._state.whispers)

    def add_model_reading(self, found: Mapping[tuple[int, int], tuple[Statement, ...]]) -> list[str]:
        """Add what a model read in talks, by (day, idx); returns what was new, for the journal."""
        self._facts = ()
        added = [(key, self.ledger.add_model_reading(*key, statements)) for key, statements in found.items()]
        return [f"day {day}, {idx}: {said}" for (day, idx), new in added for said in new]

    def heard(self) -> list[str]:
        """The talks since the last call, as sentences of the AIWolf Protocol behind their speakers' names.

        ``Agent[01]`` is the first player of the server's list.
        """
        return [f"{talk.who}: {'; '.join(map(write, said))}" for talk, said in self.ledger.new_sentences()]

    def keep(self, text: str) -> None:
        """Note in the words of ``text`` what a model says that the talk it now gave binds this seat to."""
        if text:
            self.kept.append(OwnRule(self._state.day, text))

    def sent(self, request: Request, text: str, plan: TalkPlan | None = None, why: str = "") -> None:
        """Note what this seat really said (its own lines or a model's, under ``plan``) or chose; it binds. ``why``: the
        model's reason for a divination, which it may be asked for.
        """
        plan = plan or TalkPlan()
        if request is Request.DIVINE:
            self._grounds[text] = why or self.belief
        seen = self._facts
        # Freed here: weighed worlds take more memory than all else of a seat, and the next plan weighs others.
        self._assessed, self._belief, self._facts = [], None, ()
        self.story = plan.story or self.story
        self._shown, self._showing = self._showing or self._shown, None
        if request is Request.TALK:
            self._hinted.update(self._hinting)
            if plan.meant is not None:
                self._private_vote = (self._state.day, plan.meant)
        if request not in TALK_REQUESTS or text in ("Over", "Skip", ""):
            return
        talk = Talk(day=self._state.day, agent=self._state.me, text=text)
        aloud = commitments_of(plan) if request is Request.TALK else ()
        spoken = replace(plan, acts=acts_in(text, plan.acts))
        vouched = [act.target for act in spoken.acts if act.variant.vouches]
        self._defended[talk.day] = self._defended.get(talk.day, frozenset()).union(vouched)
        if side := side_of(spoken):
            self._sided = (side, talk.day, self._told())
        vote = self.ledger.promise(talk.agent, talk.day)
        self.ledger.sent(
            talk, whispered=request is Request.WHISPER, keys=keys_once_said(spoken, self._state.day), meant=aloud
        )
        self._add_what_was_meant(plan, aloud)
        if self.ledger.promise(talk.agent, talk.day) not in ("", vote):
            seen = seen or tuple(public_facts(self._state, self.ledger))
            self._before = (talk.day, frozenset(map(fact_key, seen)))

    def _told(self) -> int:
        """How many claims and results others have told; one that is only told again is nothing new."""
        return len(set[News]().union(*(news_of(one) for one in self.ledger.heard if one.who != self._state.me)))

    def _side(self, outer: Assessment) -> str:
        """The seer of :attr:`Situation.side`."""
        seer, day, told = self._sided
        holds = day == self._state.day and seer not in outer.liars and self.ledger.claims.get(seer) == Role.SEER
        if not holds or told != self._told():
            return ""
        return seer if outer.credit.get(seer, 0.0) >= outer.exact.get(seer, 0.0) else ""

    def _add_what_was_meant(self, plan: TalkPlan, aloud: tuple[Statement, ...]) -> None:
        """Add to the talk just sent what its plan meant, where no pattern finds it in the words.

        That is: the claim is taken back, where the plan does so; and the new vote, where the words take the old one
        back. ``aloud``: what the plan wanted to be said.
        """
        sent = self.ledger.sending[-1]
        if plan.recants and not sent.reading.of("unclaim"):
            back = Statement("unclaim", role=self.ledger.claims.get(self._state.me, ""))
            sent.reading = replace(sent.reading, statements=(back, *sent.reading.statements))
            sent.statements = (back, *sent.statements)
        if sent.reading.of("retract") and not any(said.kind == "vote" for said in sent.statements):
            sent.statements += tuple(said for said in aloud if said.kind == "vote")

    def strategy_faults(self) -> list[StrategyFault]:
        """The faults of a strategy of somebody else's since the last call."""
        found, self._strategy.faults = self._strategy.faults, []
        return found

    # --- what is thought ---------------------------------------------------------------------------------------

    @property
    def belief(self) -> Belief:
        """The belief about everybody when the last plan was made."""
        if self._belief is None:
            situation = self._situation_with_lies(told_now=False)
            return Belief(situation.inner, situation.outer, self._why)
        return self._belief

    def _situation(self, story: Story, viewpoint: Viewpoint | None = None) -> Situation:
        """What a decision looks at, as seen by who lives in ``story``, or by ``viewpoint`` where one is given."""
        state, ledger = self._state, self.ledger
        facts = self._facts = self._facts or tuple(public_facts(state, ledger))
        outer = self._assess(viewpoint or story.viewpoint(state), facts)
        honest = state.role == story.role and not story.lies
        inner = outer if honest else self._assess(true_viewpoint(state), facts)
        promise = ledger.promise(state.me, state.day)
        promise = promise if promise in state.alive else ""
        defended_today = self._defended.get(state.day, frozenset())
        return Situation(
            state,
            ledger,
            story,
            outer,
            inner,
            promise,
            agreed_attack_target(state, ledger),
            defended_today,
            self.opinion,
            self.intention(),
            self._side(outer),
            self._before[1] if self._before[0] == state.day else None,
        )

    def _assess(self, viewpoint: Viewpoint, facts: tuple[Fact, ...]) -> Assessment:
        """What was thought last from this world, unless something has been said or learnt since."""
        state = self._state
        known = (state.day, state.alive, state.finished, facts)
        if known != self._known:
            self._known, self._assessed = known, []
        for world, seen in self._assessed:
            if world == viewpoint:
                return seen
        found = assess(state, self.ledger, viewpoint, self._tie_breaks, facts=facts, tables=self._tables)
        self._assessed.append((viewpoint, found))
        return found

    def _situation_with_lies(self, *, told_now: bool) -> Situation:
        """The situation, with the lies in it that are due; ``told_now``: a result could be told in the talk planned."""
        situation, claimed = self._situation(self.story), self.ledger.claim(self._state.me)
        if self.story.lies:
            story = adapted_story(situation, claimed)
            if self._state.day > 0 and (claimed or told_now):
                story = with_invented_results(replace(situation, story=story), self._seed_of("lie", self._state.day))
            situation = situation if story == self.story else self._situation(story)
        self._belief = Belief(situation.inner, situation.outer, self._why)
        return situation

    def advice(self, plan: TalkPlan | TargetPlan | None = None) -> Advice:
        """The facts, counts and advice for a model that is to decide itself; ``plan`` is the one just made."""
        story = plan.story if isinstance(plan, TalkPlan) and plan.story else self.story
        noted = self._grounds.items()
        grounds = {name: why.against(name) if isinstance(why, Belief) else why for name, why in noted}
        # A model that lies is told what a villager in its place would think, whatever the story says.
        seen = Viewpoint(self._state.me, Role.VILLAGER) if story.lies else None
        situation = self._situation(story, seen)
        facts = tuple(situation.outer.facts)
        onlooker = self._assess(Viewpoint("", ""), facts) if story.lies or self._state.day > 0 else None
        if self._state.role == Role.POSSESSED:
            own = own_worlds(situation, self._count)
            situation = replace(situation, inner=self._assess(counted_viewpoint(self._state, own), facts))
        advice = advise(
            situation,
            self._count,
            self._why,
            grounds,
            self._hinted,
            self.intention(),
            onlooker,
            self._shown,
            self.kept,
        )
        self._hinting = advice.hints
        if self._state.day > 0 and advice.odds:
            self._showing = shown_chances(advice, facts)
        return advice

    # --- what is planned ---------------------------------------------------------------------------------------

    def plan_target(self, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        """Plan whom to name.

        A VOTE follows the vote announced last today while that is legal; in a re-vote only while that player is among
        those who lead and is not spared (:meth:`CheckedStrategy.choose`). A vote that a model has only declared in
        private (:meth:`intention`) binds nobody: the plan names that player but is not firm, so the model is still
        asked at the request VOTE. The declared vote goes out only if no usable answer comes.
        """
        promise = self.ledger.promise(self._state.me, self._state.day)
        if request is Request.VOTE and promise in legal and not self._state.votes.get(self._state.day):
            self._belief = None
            return announced_vote(promise, legal)
        plan = self._strategy.choose(self._situation_with_lies(told_now=False), request, legal)
        meant = self.intention()
        if request is not Request.VOTE or plan.firm or meant not in legal:
            return plan
        ranking = (meant, *(name for name in plan.ranking if name != meant))
        return TargetPlan(meant, ranking, f"has meant to vote for {meant} today", close=plan.close)

    def intention(self) -> str:
        """The player for whom a model has declared today, aloud or not, that it would vote, or ``""``."""
        day, meant = self._private_vote
        return meant if day == self._state.day and meant in self._state.others else ""

    def plan_talk(self, request: Request, *, closing: bool = False) -> TalkPlan:
        """Plan what to say now. ``closing``: the phase is about to end, so this may be the last talk of the day,
        however many are left.
        """
        state, whispered = self._state, request is Request.WHISPER
        last = closing or state.talks_after == 0
        turn = self.ledger.spoken(state.me, state.day, whispered=whispered)
        waits = self._waits(turn, last=last)
        situation = self._situation_with_lies(told_now=not whispered and not waits)
        if whispered:
            prey = self._strategy.choose(situation, Request.ATTACK, legal_targets(state, Request.ATTACK)).name
            plan = plan_whisper(situation, self.ledger.keys, prey)
        else:
            plan = self._strategy.plan_talk(self._context(situation, turn, waits=waits, last=last))
        return replace(plan, acts=with_reasons(plan.acts, situation, plan.address), story=situation.story)

    def _waits(self, turn: int, *, last: bool) -> bool:
        """Whether a seer, true or false, still lets others claim first; who has found a wolf waits for nobody."""
        story, rivals = self.story, set(self.ledger.claimants[self.story.role]) - {self._state.me}
        if any(judge.result == Species.WEREWOLF for judge in story.history(self._state)):
            return False
        return self._state.day == 1 and turn < story.turn and not last and not rivals

    def _context(self, situation: Situation, turn: int, *, waits: bool, last: bool) -> TalkContext:
        state, others = self._state, self._state.others
        free = replace(situation, promise="") if situation.promise else situation
        # Nobody is hanged on day 0.
        wish = self._strategy.choose(free, Request.VOTE, others).name if others and state.day > 0 else ""
        return TalkContext(
            situation=situation,
            me=state.me,
            day=state.day,
            done=frozenset(self.ledger.keys),
            voted=bool(self.ledger.promise(state.me, state.day)),
            told=frozenset(said.target for said in self.ledger.said(state.me, "result")),
            turn=turn,
            waits=waits,
            last=last,
            claimed=self.ledger.claim(state.me),
            seed=self._seed_of("context", state.day, turn),
            vote=wish,
            bold=self._bold,
        )
