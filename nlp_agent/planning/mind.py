"""The mind of one seat: reads what happens, plans, chooses targets, and speaks without any model."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from nlp_agent.belief.assessment import Assessment, Outlook, Reason, assess
from nlp_agent.belief.belief import Belief
from nlp_agent.belief.constants import TASTE
from nlp_agent.belief.facts import Fact, public_facts
from nlp_agent.game import SeatState, legal_targets
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.desk import Desk
from nlp_agent.planning.lies import adapt, invent
from nlp_agent.planning.plan import TalkPlan, TargetPlan, bound_by
from nlp_agent.planning.scene import Scene
from nlp_agent.planning.story import begin_story, truth
from nlp_agent.planning.strategy import Referee, Standard, Strategy
from nlp_agent.planning.whispers import agreed_prey, lying_partners, plan_whisper
from nlp_agent.protocol import Request, Role, Talk
from nlp_agent.reading.ledger import Heard, Ledger, Statement
from nlp_agent.reading.sentence import write
from nlp_agent.voice.lines import Memory, Speaker
from nlp_agent.voice.persona import make_persona
from nlp_agent.voice.playbook import Playbook


class Mind:
    """One per seat and game. Everything follows from ``state``, the calls made, and ``seed``.

    ``observe`` after every packet; then ``plan_talk`` and ``say``, or ``plan_target``; ``sent`` tells what really went
    out, which alone creates commitments.
    """

    def __init__(self, state: SeatState, playbook: Playbook, seed: int, strategy: Strategy | None = None) -> None:
        self._state = state
        self._playbook = playbook
        self._seed = f"{seed}|{state.me}"
        self._referee = Referee(strategy or Standard(), state)
        self.persona = make_persona(playbook.lines, state.profile, state.me)
        self._speaker = Speaker(playbook, self.persona)
        self._story = begin_story(state, self._rng("story"))
        self._taste = {name: self._rng("taste", name).gauss(0.0, TASTE) for name in state.players}
        self.ledger = Ledger(playbook.reading, state.players)
        """What everybody has said."""
        self._assessed: dict[str, tuple[object, Assessment]] = {}
        self.belief = Belief()
        """What was thought of everybody when the last plan was made."""

    def _rng(self, *parts: object) -> random.Random:
        return random.Random("|".join([self._seed, *map(str, parts)]))

    # --- reading -----------------------------------------------------------------------------------------------

    def observe(self) -> list[Heard]:
        """Take in what the state has learnt since the last call; returns the new talks and whispers of others."""
        self.ledger.players = self._state.players
        return self.ledger.follow(self._state.talks, self._state.whispers)

    def amend(self, found: Mapping[tuple[int, int], tuple[Statement, ...]]) -> list[str]:
        """Add what a model read in talks, by (day, idx); returns what was new, for the journal."""
        added = [(key, self.ledger.amend(*key, statements)) for key, statements in found.items()]
        return [f"day {day}, {idx}: {said}" for (day, idx), new in added for said in new]

    def heard(self) -> list[str]:
        """What was said since the last call, as sentences of the AIWolf Protocol behind their speakers' names.

        ``Agent[01]`` is the first player of the server's list.
        """
        return [f"{talk.who}: {'; '.join(map(write, said))}" for talk, said in self.ledger.note()]

    def sent(self, request: Request, text: str, plan: TalkPlan | None = None) -> None:
        """What this seat really said (its own lines or a model's, under ``plan``) or chose; its words bind it."""
        if request not in (Request.TALK, Request.WHISPER) or text in ("Over", "Skip", ""):
            return
        talk = Talk(day=self._state.day, agent=self._state.me, text=text)
        plan = plan or TalkPlan()
        meant = bound_by(plan) if request is Request.TALK else ()
        self.ledger.sent(talk, whispered=request is Request.WHISPER, keys=plan.keys, meant=meant)

    @property
    def _claimed(self) -> str:
        return self.ledger.claim(self._state.me)

    @property
    def _promise(self) -> str:
        return self.ledger.promise(self._state.me, self._state.day)

    def _done(self) -> frozenset[str]:
        """Keys of what was said. A model may have left something out: then it is still to be said."""
        left_out = {topic for topic, role in _OPENLY.items() if self._claimed != role}
        if not self._promise:
            left_out.add(f"vote:{self._state.day}")
        return frozenset(self.ledger.keys - left_out)

    def _turn(self, request: Request) -> int:
        """Own talks, or whispers, of today."""
        return sum(
            said.day == self._state.day and said.whispered == (request is Request.WHISPER) for said in self._own()
        )

    def _own(self) -> list[Heard]:
        """All that this seat has said and whispered."""
        book = (*self.ledger.whispers, *self.ledger.heard, *self.ledger.sending)
        return [said for said in book if said.who == self._state.me]

    def _memory(self) -> Memory:
        """What would be a repetition: own words, today's talk of others, and all that wolves whispered."""
        me, own = self._state.me, self._own()
        heard = [said for said in (*self.ledger.whispers, *self.ledger.heard) if said.who != me]
        heard = [said for said in heard if said.whispered or said.day == self._state.day]
        return Memory(
            [shape for said in own for shape in said.reading.shapes],
            [shape for said in heard for shape in said.reading.shapes],
            [said.reading.text for said in own],
        )

    # --- deciding ----------------------------------------------------------------------------------------------

    def _scene(self) -> Scene:
        state, story = self._state, self._story
        facts = tuple(public_facts(state, self.ledger))
        outer = self._assess(story.outlook(state), facts)
        honest = state.role == story.role and not story.lies
        inner = outer if honest else self._assess(truth(state), facts)
        promise = self._promise if self._promise in state.alive else ""
        prey, mark = agreed_prey(state, self.ledger), f"stood:{state.day}:"
        stood_up = frozenset(key.removeprefix(mark) for key in self.ledger.keys if key.startswith(mark))
        self.belief = Belief(inner, outer, self._playbook.language.words.why)
        return Scene(state, self.ledger, story, outer, inner, promise, prey, stood_up)

    def _assess(self, outlook: Outlook, facts: tuple[Fact, ...]) -> Assessment:
        """What was thought last from this world, unless something has been said or learnt since."""
        state = self._state
        key = (state.day, state.alive, state.finished, outlook, facts)
        before = self._assessed.get(outlook.role)
        if before is None or before[0] != key:
            last = before[1] if before is not None else None
            before = key, assess(state, self.ledger, outlook, self._taste, facts=facts, last=last)
            self._assessed[outlook.role] = before
        return before[1]

    def _settle_story(self, *, told_now: bool) -> Scene:
        """The scene, with the lies in it that are due; ``told_now``: a result could be told in the talk planned."""
        scene = self._scene()
        story = self._story
        if not story.lies:
            return scene
        before = (story.role, len(story.results))
        adapt(scene, self._claimed, lying_partners(self._state, self.ledger))
        if self._state.day > 0 and (self._claimed or told_now):
            invent(scene, self._rng("lie", self._state.day))
        return scene if before == (story.role, len(story.results)) else self._scene()

    def _waits(self, turn: int, *, last: bool) -> bool:
        """Whether a liar still lets others claim first."""
        rivals = [name for name in self.ledger.claimants(self._story.role) if name != self._state.me]
        return self._story.lies and self._state.day == 1 and turn < self._story.turn and not last and not rivals

    def plan_target(self, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        """Whom to name. A VOTE follows the vote announced last today while that is legal."""
        return self._referee.choose(self._settle_story(told_now=False), request, legal)

    def plan_talk(self, request: Request, *, closing: bool = False) -> TalkPlan:
        """What to say now. Changes nothing that a later call would see, apart from lies that had to be invented.

        ``closing``: the phase is about to end, so this may be the last talk of the day, however many are left.
        """
        last = closing or self._state.talks_after == 0
        turn = self._turn(request)
        waits = self._waits(turn, last=last)
        scene = self._settle_story(told_now=request is Request.TALK and not waits)
        if request is Request.WHISPER:
            prey = self._referee.choose(scene, Request.ATTACK, legal_targets(self._state, Request.ATTACK)).name
            plan = plan_whisper(scene, self._done(), prey)
        else:
            plan = self._referee.plan_talk(self._desk(scene, turn, waits=waits, last=last))
            plan = replace(plan, acts=self._with_reasons(plan.acts, scene))
        return plan

    def troubles(self) -> list[str]:
        """What a strategy of somebody else's got wrong since the last call."""
        found, self._referee.troubles = self._referee.troubles, []
        return found

    def _desk(self, scene: Scene, turn: int, *, waits: bool, last: bool) -> Desk:
        state = self._state
        wish = self._referee.choose(replace(scene, promise=""), Request.VOTE, state.others).name if state.others else ""
        return Desk(
            scene=scene,
            done=self._done(),
            told=frozenset(said.target for said in self.ledger.said(state.me, "result")),
            turn=turn,
            waits=waits,
            last=last,
            claimed=self._claimed,
            rng=self._rng("desk", state.day, turn),
            vote=wish,
            bold=random.Random(f"{state.me}|bold").random(),
        )

    # --- words -------------------------------------------------------------------------------------------------

    def say(self, plan: TalkPlan, request: Request, room: int) -> str:
        """Raw words for ``plan``: at most ``room`` characters without white space, the anchor not counted."""
        if plan.over:
            return "Over"
        rng = self._rng("say", request, self._state.day, self._turn(request))
        pairs = [(act, self._slots(act, rng)) for act in plan.acts]
        text = self._speaker.say(pairs, room, self._memory(), self._state.players, rng, address=plan.address)
        return f"@{plan.address} {text}" if plan.address and text else text

    def _with_reasons(self, acts: Sequence[SpeechAct], scene: Scene) -> tuple[SpeechAct, ...]:
        """Reasons are found here, so that prompts get them as well as lines; one talk gives each reason once."""
        found: list[SpeechAct] = []
        for act in acts:
            argued = any(earlier.target == act.target and earlier.reason for earlier in found)
            found.append(act if argued else self._with_reason(act, scene))
        return tuple(found)

    def _with_reason(self, act: SpeechAct, scene: Scene) -> SpeechAct:
        if act.reason or not act.variant.reasoned:
            return act
        name, against = act.target, act.kind != "trust" and act.topic != "believe"
        found = scene.outer.reasons(name, against=against) if name else []
        other = ""
        if act.topic == "why_divine":
            found, other = [], "why_divine"
        elif act.topic == "why_vote":
            # What that vote itself and the days since brought to light cannot have been its reason.
            found = [reason for reason in found if 0 < reason.fact.day < self._state.day - _AFTER.get(reason.kind, 0)]
            other = "why_vote"
        wordings = found[0].wordings if found else (other or ("hunch" if against else "good_feeling"),)
        direct = bool(act.to) and act.to == name
        rng = self._rng("why", self._state.day, name, act.kind)
        text = self._phrase(wordings, self._reason_slots(found[0] if found else None, name), direct, rng)
        return replace(act, reason=text, proof=wordings[-1])

    def _reason_slots(self, reason: Reason | None, name: str) -> Mapping[str, str]:
        fact = reason.fact if reason is not None else Fact("", "")
        other = fact.who if fact.about == name else fact.about
        return {
            "name": self._call(name),
            "other": self._other(other),
            "me": self._state.me,
            "day": str(fact.day) if fact.day else "",
        }

    def _phrase(self, wordings: Sequence[str], slots: Mapping[str, str], direct: bool, rng: random.Random) -> str:
        for wording in (*wordings, "hunch"):
            for key in (f"{wording}_you", wording) if direct else (wording,):
                if text := self._speaker.reason(key, slots, rng):
                    return text
        return ""

    def _slots(self, act: SpeechAct, rng: random.Random) -> Mapping[str, str]:
        state = self._state
        others = [name for name in self.ledger.claimants(Role.SEER) if name not in (act.target, state.me)]
        greeted = [t.agent for t in state.today if t.said and t.agent != state.me and t.agent in state.alive]
        return {
            "name": self._other(act.target),
            "to": self._call(act.to),
            "reason": act.reason,
            "deed": act.reason if act.proof in _DEEDS else "",
            "role_result": self._playbook.language.words.result(act.result) if act.result else "",
            "role": self._playbook.language.words.role(act.role) if act.role else "",
            "old": self._call(self._promise),
            "rival": self._call(others[-1]) if others else "",
            "me": state.me,
            "dead": self._call(state.executions.get(state.day - 1, "")),
            "count": str(len(state.alive)),
            "greeter": self._call(rng.choice(greeted[-4:])) if greeted else "",
            "partner": self._call(next((n for n in state.partners if n in state.alive), "")),
        }

    def _other(self, name: str) -> str:
        if name == self._state.me:
            return self._playbook.lines.oneself or self.persona.me
        return self._call(name)

    def _call(self, name: str) -> str:
        """A player's name as this voice calls it."""
        voice = self._playbook.lines.voices.get(self.persona.voice)
        return name + voice.honorific if name and voice else name


_DEEDS = frozenset(
    {
        *("two_roles", "changed_result", "voted", "felled", "broke_promise", "announced", "suspects", "trusts"),
        *("silent", "talks_much", "talks_little", "no_opinion", "good_feeling"),
    }
)
"""Reasons that are something their player did, which a line may call strange or pleasing; a result is not."""
_AFTER = dict.fromkeys(("voted", "felled", "broke_promise", "attacked", "claimant_attacked"), 1)
"""Facts that a day's vote and night bring, in days that they come later than what was said on it."""
_OPENLY = {"confess": Role.POSSESSED, "ally": Role.WEREWOLF}
"""Topics in which a side is taken openly, and the role that must have been claimed by it."""
