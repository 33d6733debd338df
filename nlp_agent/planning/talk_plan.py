"""What to say in public: what must be said, what is worth saying, in which order, and for what reason. Pure, without
wording.

A talk says duties first (claims, results, answers, defence), else one thing of interest, and announces the vote in
good time. From top to bottom: what planning a talk looks at; duties; interests; the order of a day's talks; reasons.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice, takewhile
from zlib import crc32

from nlp_agent.belief.assessment import Reason
from nlp_agent.belief.constants import (
    CLOSE_SCORES,
    FINAL,
    GREETINGS,
    GREETINGS_LATER,
    LAST_DAY_ALIVE,
    LIKELIEST,
    LIKELY_EXECUTED,
    LIKELY_TRUE,
    OUTSPOKEN,
    RECONSIDER,
)
from nlp_agent.belief.facts import LASTING_CASES, LEFT_OPEN, NOT_MINE, Fact
from nlp_agent.game import WOLF_SIDE
from nlp_agent.planning.acts import FOUND, SUMMARIES, ActKind, Ground, SpeechAct, said_to_face
from nlp_agent.planning.circumstances import (
    FAINT,
    SLIGHT,
    Mark,
    case_names,
    circumstances,
    explained_later,
    marks_of,
    speaks_of_the_seer,
    voted_with,
    why_looked,
    why_possessed,
    why_seer,
)
from nlp_agent.planning.deduction import (
    FAIR,
    STRONG,
    all_enemies_claim,
    argued_by,
    argued_by_others,
    conclusions,
    known_humans,
    leaned_to,
    own_or_trusted_seer,
    proven_liar,
    proven_liars,
    proven_possessed,
    proven_seer,
    small_village,
    trusted_seer,
    went_by,
    why_believed,
    wolves_left,
)
from nlp_agent.planning.plan import (
    TalkPlan,
    ToldReason,
    case_of,
    keys_once_said,
    reason_key,
    told_case,
    told_reasons,
)
from nlp_agent.planning.situation import (
    Situation,
    allies,
    callers_of_me,
    calls_me_wolf,
    is_found_out,
    wolf_chances,
    wolves_outvote,
)
from nlp_agent.planning.target_plan import ABOUT_TALKING, RARE, believed_seer, gathers, rests_on_something
from nlp_agent.protocol import JUDGES, Judge, Role, Species
from nlp_agent.reading.ledger import ClaimedResult, Remark
from nlp_agent.reading.reader import EXPLAINED
from nlp_agent.reading.statement import TalkRecord, news_of
from nlp_agent.text.anchor import without_anchor
from nlp_agent.text.names import names_of

# --- What planning a talk looks at, and what duties and interests share ----------------------------------------------


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggestion of what could be said now. ``to`` is the player addressed; ``keys`` are kept once the talk is out,
    beside those of its acts.
    """

    acts: tuple[SpeechAct, ...]
    why: str = ""
    to: str = ""
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class TalkContext:
    """The context in which a talk of ``me`` on ``day`` is planned, besides the situation.

    ``done``: keys of what was said in this game; ``voted``: a vote is announced for today; ``told``: whose results this
    seat has told; ``turn``: own talks today; ``waits``: a liar that lets others claim first; ``last``: whether this is
    (or may be) the last talk of the day; ``claimed``: the role claimed in public, or ``""``; ``vote``: whom this seat
    would vote for now, whatever it announced; ``bold``: how soon this character accuses, 0..1.
    """

    situation: Situation
    me: str
    day: int
    done: frozenset[str]
    voted: bool
    told: frozenset[str]
    turn: int
    waits: bool
    last: bool
    claimed: str
    seed: str
    vote: str = ""
    bold: float = 0.5

    @property
    def scene(self) -> Situation:
        """The :attr:`situation`, as strategies written for versions before 2.2 call it."""
        return self.situation

    @cached_property
    def rng(self) -> random.Random:
        """A source of what is left to chance: the same draws whenever this talk is planned."""
        return random.Random(self.seed)

    def new(self, *keys: str) -> bool:
        """Tell whether none of ``keys`` is kept of what was said before."""
        return self.done.isdisjoint(keys)

    def fresh(self, act: SpeechAct) -> bool:
        """Whether ``act`` is not spent yet."""
        return self.done.isdisjoint(act.keys(self.day))

    def offer(self, act: SpeechAct, why: str, *, to: str = "", keys: tuple[str, ...] = ()) -> Iterator[Suggestion]:
        """Yield ``act`` as a suggestion, unless it is spent."""
        if self.fresh(act):
            yield Suggestion((act,), why, to, keys)

    def count(self, kind: ActKind, **fields: str) -> int:
        """Count the acts of a kind that is spent by the day which were said today, with these ``fields``."""
        wanted = {f"{name}={value}" for name, value in fields.items()} | {f"today={self.day}"}
        return len([key for key in self.done if key.startswith(f"{kind}|") and wanted.issubset(key.split("|"))])

    @cached_property
    def accusers(self) -> list[str]:
        """As :func:`_unanswered_accusers`, found once for a talk."""
        return _unanswered_accusers(self)

    @cached_property
    def unmasked(self) -> bool:
        """Whether this seat has openly sided with the wolves."""
        return self.claimed in WOLF_SIDE

    def cares(self, key: str, most: int) -> bool:
        """Whether this seat is one of the about ``most`` of the village that take up ``key``: always the same answer.

        What strikes everybody is not worth a word from everybody.
        """
        return crc32(f"{self.me}|{key}".encode()) / 2**32 < most / max(1, len(self.situation.state.alive))


def suspect_aloud(context: TalkContext) -> str:
    """The player whom this seat suspects aloud: the vote it means, so that words and deed agree."""
    return context.situation.promise or context.vote


def trusted_claimant(context: TalkContext) -> str:
    """The player whom this seat believes to be the seer, the dead included; nobody for who is or will be the seer
    itself.
    """
    return "" if context.situation.story.role == Role.SEER else believed_seer(context.situation)


# --- What must be said -----------------------------------------------------------------------------------------------


_WOLF = Species.WEREWOLF.value
_HIDDEN = (Role.MEDIUM, Role.BODYGUARD)
"""Roles of the village that are better kept secret as long as that goes."""


def duties(context: TalkContext) -> Iterator[Suggestion]:
    """Yield what must be said, most pressing first."""
    if context.unmasked:
        yield from _after_confessing(context)
        return
    confession = next(_confession(context), None)
    if confession is not None:
        yield confession
        return
    yield from _results(context)
    yield from _denials(context)
    yield from _rivals_unmasked(context)
    yield from _last_claim(context)
    first = _answers_first(context)
    yield from _answers(context) if first else ()
    yield from _accusations(context)
    yield from _answers(context) if not first else ()
    yield from _owed_look(context)


def _answers_first(context: TalkContext) -> bool:
    """Whether a question comes before an accusation: who has defended itself once today, or was asked before it was
    accused, owes the answer first."""
    if context.count("defend"):
        return True
    accusers = {*context.accusers}
    heard = [one for one in context.situation.ledger.heard if one.day == context.day and one.who in accusers]
    asked = [ask.idx for ask in _open_questions(context) if ask.who not in accusers]
    return bool(heard and asked) and min(asked) < max(one.idx for one in heard)


def _confession(context: TalkContext) -> Iterator[Suggestion]:
    situation = context.situation
    if wolves_outvote(situation):
        # Whom to vote for is said later where there is time: the wolf may answer, and tells who it is by that. Who
        # cannot tell which of the others that is names nobody before: it might be the wolf itself.
        if not context.last and not situation.promise and not _sure_of_the_wolf(situation):
            yield Suggestion((SpeechAct("confess", role=Role.POSSESSED, topic="open"),), "side openly with the wolf")
            return
        kept = situation.promise if situation.promise not in allies(situation) else ""
        prey = kept or context.vote
        acts: tuple[SpeechAct, ...] = (SpeechAct("confess", target=prey, role=Role.POSSESSED),)
        if context.last or situation.promise not in ("", prey) or _sure_of_the_wolf(situation):
            acts = (*acts, _joint_vote(context, prey))
        yield Suggestion(acts, "side openly with the wolf")
    if situation.state.role == Role.WEREWOLF:
        yield from _alliance(context)
    if is_found_out(situation):
        # Nobody would believe a further result. The possessed, where it lives, knows who this is and sides with it.
        act = SpeechAct("confess", role=Role.POSSESSED, topic="open")
        yield Suggestion((act,), "found out as a false seer: pass for the possessed")


def _joint_vote(context: TalkContext, prey: str) -> SpeechAct:
    """The vote that friends are to follow; what was announced otherwise is taken back in so many words."""
    turned = context.situation.promise not in ("", prey)
    return SpeechAct("retract" if turned else "vote", target=prey, topic="ally")


def _sure_of_the_wolf(situation: Situation) -> bool:
    return max(wolf_chances(situation).values(), default=0.0) > LIKELIEST


def _alliance(context: TalkContext) -> Iterator[Suggestion]:
    """The possessed has sided with us openly: with all our votes together the game is won."""
    situation, state = context.situation, context.situation.state
    for name in situation.ledger.claimants[Role.POSSESSED]:
        pack = [n for n in state.alive if n == state.me or n in state.partners]
        rest = [n for n in state.others if n != name and n not in pack]
        if name in state.alive and 0 < len(rest) <= len(pack):
            prey = context.vote if context.vote in rest else rest[0]
            ally = SpeechAct("ally", target=prey, role=Role.WEREWOLF, to=name)
            yield Suggestion((ally, _joint_vote(context, prey)), "the possessed sides with us", name)


def _after_confessing(context: TalkContext) -> Iterator[Suggestion]:
    """Once sides are open there is the vote left to say, and one thing to whoever still asks."""
    situation = context.situation
    if situation.state.role == Role.WEREWOLF and context.claimed != Role.WEREWOLF:
        yield from _alliance(context)  # it has passed for the possessed until now
    if not context.voted:
        prey = context.vote
        wolves = [name for name in situation.ledger.claimants[Role.WEREWOLF] if name in situation.state.others]
        friend = next((name for name in wolves if name != prey), "")
        wait = SpeechAct("confess", role=Role.POSSESSED, topic="wait")
        if not wolves and not context.last and context.fresh(wait) and not _sure_of_the_wolf(situation):
            yield Suggestion((wait,), "the wolf has not shown itself")
            return
        act = SpeechAct("vote", target=prey, topic="ally")
        yield Suggestion((act,), f"the wolf is not {prey}", friend)
        return
    act = SpeechAct("retract", target=context.vote, topic="ally")
    if situation.promise in allies(situation) and context.vote not in ("", situation.promise) and context.fresh(act):
        yield Suggestion((act,), f"{situation.promise} is the wolf")
    elif (ask := next(_open_questions(context), None)) and ask.who not in allies(situation) and context.new("unmasked"):
        act = SpeechAct("answer", to=ask.who, topic="masked")
        yield Suggestion((act,), "the mask is off", ask.who, ("unmasked",))


def _results(context: TalkContext) -> Iterator[Suggestion]:
    story, state = context.situation.story, context.situation.state
    if state.day < 1 or story.role not in JUDGES:
        return
    fresh = [judge for judge in story.history(state) if judge.target not in context.told]
    rivals = [n for n in context.situation.ledger.claimants[story.role] if n != context.me]
    if not fresh or context.waits:
        return
    acts: list[SpeechAct] = []
    if not context.claimed:
        acts.append(SpeechAct("claim", role=story.role, topic="counter" if rivals else ""))
    acts.extend(_result(story.role, judge) for judge in fresh[-2:])
    look = SpeechAct("looked", target=fresh[0].target)
    # That nothing stood behind a look is told to who asks.
    if story.role == Role.SEER and len(fresh) == 1 and _with_look(look, context.situation).proof[0] != "look_blind":
        acts.append(look)
    yield Suggestion(tuple(acts), "tell what the night showed")


def _owed_look(context: TalkContext) -> Iterator[Suggestion]:
    """Why this seat looked where it did, where the talk of today's result had no room for it and nobody has been told
    since; that nothing stood behind it is told to who asks."""
    ledger, me = context.situation.ledger, context.me
    told = [one for one in ledger.results.get(me, ()) if one.day == context.day]
    masked = not ledger.sides_are_open
    late = context.voted and not _missed(context)  # After the vote it decides nothing any more.
    if context.claimed != Role.SEER or not told or late or not masked or _look_explained(context, me, least=1):
        return
    asked = [one for one in ledger.asks if (one.target, one.topic) == (me, "why_divine")]
    act = SpeechAct("looked", target=told[-1].target, topic="later")
    if not asked and _with_look(act, context.situation).proof[0] != "look_blind":
        yield from context.offer(act, "the result came without its reason")


def _missed(context: TalkContext) -> bool:
    """Whether somebody has asked today why this seat looked where it did, of all who claim or of it alone."""
    ledger = context.situation.ledger
    seers = (context.me, "")
    return any((one.day, one.topic) == (context.day, "why_divine") and one.target in seers for one in ledger.asks)


def _result(role: str, judge: Judge) -> SpeechAct:
    return SpeechAct("result", target=judge.target, result=judge.result, role=role, day=judge.day)


def _denials(context: TalkContext) -> Iterator[Suggestion]:
    """Yield a denial of every result that calls this seat a wolf, each once."""
    for claimant in context.situation.ledger.results:
        act = SpeechAct("deny", target=claimant, to=claimant)
        hit = calls_me_wolf(context.situation, claimant) and not _has_dismissed(context, claimant)
        if hit and claimant in context.situation.state.others and context.fresh(act):
            acts = [act]
            role = context.situation.story.role
            if role in _HIDDEN and not context.claimed:
                # A wrong result against a rare role is the moment to show it.
                acts.insert(0, SpeechAct("claim", role=role))
            yield Suggestion(tuple(acts), "called a wolf by a result", claimant)


def _has_dismissed(context: TalkContext, claimant: str) -> bool:
    """Whether this seat, which has claimed to be the seer, has spoken of ``claimant`` since that one called it a wolf:
    who has called the rival a liar, or voted for it, has denied its result."""
    since = _since_result(context.situation.ledger.heard, claimant, context.me)
    return context.claimed == Role.SEER and any(one.who == context.me and claimant in one.talk.text for one in since)


def _rivals_unmasked(context: TalkContext) -> Iterator[Suggestion]:
    """A seer says at once what its own result makes of a rival: a human who lies is the possessed."""
    for name in context.situation.rivals(Role.SEER) if context.claimed == Role.SEER else ():
        known = _known_of_rival(context.situation, name)
        if not known or name not in context.situation.state.others:
            continue
        one = (f"one possessed: {name}",) if known == "possessed" else ()
        if known == "possessed" and any(key.startswith("one possessed: ") for key in context.done - {*one}):
            continue  # There is only one of them: who has called another so does not find a second.
        yield from context.offer(SpeechAct("rival", target=name, topic=known), f"{name} claims our role", keys=one)


def _known_of_rival(situation: Situation, name: str) -> str:
    """What this seer knows of a rival: its colour by an own result, that it is the possessed, since the only wolf is
    somebody else whom it does not accuse as well, or ``""``."""
    told = {said.target for said in situation.ledger.said(situation.state.me, "result")}
    wolves = {one for one, result in situation.outer.own.items() if result == _WOLF and one in told}
    rivals = situation.rivals(Role.SEER)
    known, agrees = situation.outer.own.get(name, ""), any((one, _WOLF) in _told(situation, name) for one in wolves)
    if len(rivals) > 1 and wolves.isdisjoint(rivals):
        return known  # With one possessed, two rivals beside a wolf that claims nothing cannot both be explained.
    return known or ("possessed" if wolves and not agrees and name in proven_possessed(situation) else "")


def _last_claim(context: TalkContext) -> Iterator[Suggestion]:
    """Yield the claim of a rare role that has so many votes announced against it that hiding serves it no more."""
    state = context.situation.state
    callers = context.situation.announced.get(context.me, [])
    near = len(callers) >= max(2, LIKELY_EXECUTED * len(state.alive))
    role = context.situation.story.role
    if near and role in _HIDDEN and not context.claimed and context.new("last claim"):
        defence = SpeechAct("defend", to=callers[-1])
        acts = (SpeechAct("claim", role=role), *([defence] if context.fresh(defence) else []))
        why = f"{len(callers)} votes are announced against us"
        yield Suggestion(acts, why, callers[-1], ("last claim",))


def _answers(context: TalkContext) -> Iterator[Suggestion]:
    """One per asker, the newest question first."""
    for ask in _open_questions(context):
        keys = tuple(
            _answered_key(a) for a in context.situation.ledger.asks if (a.who, a.target) == (ask.who, context.me)
        )
        act = answer_to(context, ask)
        if act.topic == "why_you":
            # Who has been told why it is suspected hears no more of it that day.
            told = f"told why {context.day} {ask.who}"
            if not context.new(told):
                continue
            keys = (*keys, told)
            if ask.topic == "any" and _reason_given(context.situation, ask.who):
                # Who pleads, after it has heard the reason, hears whether that has changed anything.
                act = _still_doubted(context, ask.who) or _ahead_to(context, ask.who) or _stands(context, ask.who)
                if not context.fresh(act):
                    continue
        yield Suggestion((act,), f"{ask.who} asked about {ask.topic}", ask.who, keys)


def _open_questions(context: TalkContext) -> Iterator[Remark]:
    """Questions of today that this seat has not answered, the newest first."""
    for ask in reversed(context.situation.ledger.asks):
        at_me = ask.day == context.day and ask.target == context.me and ask.who in context.situation.state.alive
        if at_me and context.new(_answered_key(ask)) and not _rhetorical(context, ask):
            yield ask


def _rhetorical(context: TalkContext, ask: Remark) -> bool:
    """Whether ``ask`` wants no answer: a remark of the first evening that is no question, what everybody is asked after
    our claim, or what who claims our role, or whom we have found to be a wolf, throws at us without asking for
    anything."""
    situation = context.situation
    if context.day == 0:
        talk = next((t.text for t in situation.state.today if (t.agent, t.idx) == (ask.who, ask.idx)), "?")
        return "?" not in talk and "？" not in talk
    rival = context.claimed == Role.SEER == situation.ledger.claims.get(ask.who)
    if ask.topic == "any" and not rival and situation.ledger.claimed_on.get(context.me) == context.day:
        # Whether anybody else claims to be the seer is asked of all, and not of the one who has.
        heard = (t.text for t in situation.state.today if (t.agent, t.idx) == (ask.who, ask.idx))
        return not any(text.startswith(f"@{context.me}") for text in heard)
    return ask.topic == "any" and (rival or situation.outer.own.get(ask.who) == Species.WEREWOLF)


def _answered_key(ask: Remark) -> str:
    return f"answered {ask.day}/{ask.idx}"


def answer_to(context: TalkContext, ask: Remark) -> SpeechAct:
    """An act that answers ``ask`` to the point."""
    # Who has claimed to be the seer asks nobody else for a result: it asks what is wrong with its own. Nor does who is
    # accused by it: that one asks what it weighs against another.
    own = context.situation.ledger.claims.get(ask.who) == Role.SEER or _accused_today(context, ask.who)
    own = own and ask.topic == "result"
    act = _ANSWERS[ask.topic](context, ask) if ask.topic in _ANSWERS and not own else None
    if act is not None:
        return act
    if context.day == 0:
        return SpeechAct("answer", to=ask.who, topic="early")
    stands = context.situation.promise in ("", ask.who)
    # Nor does who is about to announce a vote for another argue against this one first.
    stands = stands and (context.voted or context.vote in ("", ask.who) or not _time_to_vote(context))
    if ask.topic in ("why", "any", "result") and stands and _accused_today(context, ask.who):
        return SpeechAct("answer", to=ask.who, topic="why_you", target=ask.who)
    target = suspect_aloud(context)
    if ask.topic in ("suspect", "any") and (unnamed := _nobody_yet(context, ask, target)):
        return unnamed
    kind = "vote" if ask.topic == "vote" else "suspect"
    if target and _no_name_yet(context, SpeechAct("answer", to=ask.who, topic=kind, target=target)):
        target = ""
    return SpeechAct("answer", to=ask.who, topic=kind if target else "undecided", target=target)


def _nobody_yet(context: TalkContext, ask: Remark, target: str) -> SpeechAct | None:
    """The answer to who asks for a suspect, where to name ``target`` would be a guess: who is left by the results, or
    that there are none yet. ``None`` where there is a ground, and where this seat has named somebody already.
    """
    situation, who = context.situation, ask.who
    if situation.promise or situation.suspected or not target:
        return None
    told = _with_reason(SpeechAct("suspect", target=target, to=who if who == target else ""), situation, who)
    early = context.day == 1 and not situation.ledger.claimants[Role.SEER] and ask.topic == "suspect"
    if early and (_says_nothing(told) or told.proof[0].startswith("mark_")):
        return SpeechAct("answer", to=who, topic="waiting")
    seer = own_or_trusted_seer(situation)
    left = wolves_left(situation, seer) if seer != context.me or context.claimed == Role.SEER else ()
    if target not in left or not left[1:] or not (_says_nothing(told) or _is_faint(told)):
        return None
    rest = tuple(one for one in left if one != who)
    return SpeechAct("answer", to=who, topic="between" if rest == left else "between_you", rest=rest)


def _no_name_yet(context: TalkContext, answer: SpeechAct) -> bool:
    """Whether this seat, asked for a suspect, had better say that two claims are still open than give ``answer``:
    nothing sets apart the one whom it would name, and there is time left."""
    situation = context.situation
    claims = [one for one in situation.rivals(Role.SEER) if one in situation.state.alive]
    named = bool(situation.promise or situation.suspected) or context.last
    if named or len(claims) != 2 or situation.story.role == Role.SEER or _time_to_vote(context):
        return False
    return _says_nothing(_with_reason(answer, situation, answer.to))


def _is_faint(act: SpeechAct) -> bool:
    """Whether the reason of ``act`` is little more than that somebody spoke late or little, or asked nothing."""
    told = act.also.wordings if act.also is not None and act.also.woven else act.proof
    return told[:1] in {(f"mark_{kind}",) for kind in SLIGHT}


def _accused_today(context: TalkContext, name: str) -> bool:
    return name == context.situation.promise or name in context.situation.suspected


def _answer_role(context: TalkContext, ask: Remark) -> SpeechAct:
    # Who has not claimed keeps a special role to itself.
    return SpeechAct("answer", to=ask.who, topic="role", role=context.claimed or Role.VILLAGER)


def _answer_result(context: TalkContext, ask: Remark) -> SpeechAct:
    told = [j for j in context.situation.story.history(context.situation.state) if j.target in context.told]
    if not told or not context.claimed:
        return SpeechAct("answer", to=ask.who, topic="no_result")
    return SpeechAct("answer", to=ask.who, topic=ask.topic, target=told[-1].target, result=told[-1].result)


def _answer_believe(context: TalkContext, ask: Remark) -> SpeechAct | None:
    if context.situation.story.role == Role.SEER or context.day == 0:
        return None
    best = trusted_claimant(context)
    best = "" if best and _votes_against(context, best) else best
    if not best and (vote := context.situation.promise):
        return SpeechAct("answer", to=ask.who, topic="vote", target=vote)  # Who has announced a vote is not undecided.
    seers = context.situation.rivals(Role.SEER)
    unexplained = len(seers) > 1 and not any(_look_explained(context, one, least=1) for one in seers)
    topic = "believe" if best else "unexplained" if unexplained else "undecided"
    return SpeechAct("answer", to=ask.who, topic=topic, target=best)


def _answer_why_vote(context: TalkContext, ask: Remark) -> SpeechAct | None:
    past = context.situation.state.cast(context.day - 1).get(context.me, "")
    if not past:
        return None
    if past == ask.who:
        if _had_found(past, context.situation):
            return SpeechAct("answer", to=ask.who, topic="why_you", target=past)
        return SpeechAct("answer", to=ask.who, topic="why_vote_you")
    return SpeechAct("answer", to=ask.who, topic="why_vote", target=past)


_ANSWERS: dict[str, Callable[[TalkContext, Remark], SpeechAct | None]] = {
    "role": _answer_role,
    "result": _answer_result,
    "why_divine": _answer_result,
    "believe": _answer_believe,
    "why_vote": _answer_why_vote,
}


MOST_DEFENCES = 3
"""So often a day at most somebody defends itself: more would sound like nothing else."""


def _accusations(context: TalkContext) -> Iterator[Suggestion]:
    """Yield one answer to all who suspect this seat or have announced a vote for it, told to the last who has spoken
    to it: a fact that speaks for this seat, or the question what the accuser has against it."""
    accusers = context.accusers
    if not accusers or context.count("defend") >= MOST_DEFENCES:
        return
    spoke = [said.who for said in reversed(context.situation.ledger.addresses) if said.target == context.me]
    who, faced = next((name for name in spoke if name in accusers), accusers[0]), tuple(map(_faced_key, accusers))
    if fact := _fresh_defence(context, who):
        # Who argues by the word of a seer has said that it believes it.
        sides = (followed(fact.other or fact.target),) if fact.topic in ("look", "left", "surer") else ()
        yield Suggestion((fact,), f"{who} accuses us", who, (*faced, defended_by(fact.topic), *sides))
    else:
        # Who has heard the reason does not ask for it.
        votes = context.situation.ledger.votes.get((context.day, who)) == context.me and not _said_why(context, who)
        if callers_of_me(context.situation):
            return  # Nobody asks for a reason that everybody has heard.
        tomorrow = len(context.situation.state.alive) > FINAL
        topic = "seer" if context.claimed == Role.SEER and tomorrow else "vote" if votes else ""
        if not topic and _denied_today(context):
            return
        act = SpeechAct("defend", to=who, topic=topic)
        yield from context.offer(act, f"{who} accuses us", to=who, keys=faced)


def _said_why(context: TalkContext, who: str, target: str = "") -> bool:
    """Whether the talk in which ``who`` has announced its vote for ``target``, else for this seat, says more than
    that."""
    ledger, me = context.situation.ledger, target or context.me
    talks = [one.talk for one in reversed(ledger.by(who)) if one.day == context.day]
    accusing = (
        one
        for one in talks
        if ("vote", me)
        in {(s.kind, s.target) for s in ledger.reader.read(one.text, context.situation.state.players).statements}
    )
    last = next(accusing, None)
    return last is not None and not ledger.reader.only_votes(last.text, context.situation.state.players)


def _unanswered_accusers(context: TalkContext) -> list[str]:
    """Who has suspected this seat today or announced a vote for it, and has not been answered; the latest first. To
    whom has called it a wolf by a result, or was found to be one, claims its role or has dropped the mask, other acts
    answer."""
    situation, found = context.situation, list[str]()
    for heard in reversed(situation.ledger.heard):
        who = heard.who
        if heard.talk.day != context.day:
            break
        accuses = any(one.kind in ("suspect", "vote") and one.target == context.me for one in heard.statements)
        if not accuses or who in found or who not in situation.state.others or not context.new(_faced_key(who)):
            continue
        claim = situation.ledger.claims.get(who)
        rival = claim in WOLF_SIDE or situation.story.role == Role.SEER == claim
        rival = rival or situation.outer.own.get(who) == Species.WEREWOLF
        if not rival and context.fresh(SpeechAct("deny", target=who)) and _still_accuses(context, who):
            found.append(who)
    return found


def _still_accuses(context: TalkContext, who: str) -> bool:
    """Whether ``who`` has not announced another vote since."""
    return context.situation.ledger.votes.get((context.day, who), context.me) == context.me


def _faced_key(who: str) -> str:
    return f"faced {who}"


def _fresh_defence(context: TalkContext, accuser: str) -> SpeechAct | None:
    """The strongest fact in this seat's defence that it has not told yet."""
    return next((one for one in _defences(context, accuser) if context.new(defended_by(one.topic))), None)


def defended_by(topic: str) -> str:
    """The key that is kept once this seat has defended itself with a fact of the kind ``topic``."""
    return f"defended by {topic}"


def _defences(context: TalkContext, accuser: str) -> Iterator[SpeechAct]:
    """Yield what speaks for this seat against ``accuser``, the strongest first: facts that everybody can check."""
    situation, state, ledger = context.situation, context.situation.state, context.situation.ledger
    seers = [name for name in situation.rivals(Role.SEER) if name not in proven_liars(situation)]
    believed = trusted_seer(situation)
    lives_as_seer = situation.story.role == Role.SEER
    left = wolves_left(situation, believed) if believed and not lives_as_seer else ()
    # Whoever has to choose hears it of the other suspect.
    for name in sorted(left or state.others, key=lambda one: one == accuser) if len(state.alive) <= FINAL else ():
        if liar := voted_with(situation, name):
            yield SpeechAct("defend", target=name, to=accuser, topic="yesterday", other=liar)
            break
    if len(left) == 1 and suspect_aloud(context) in ("", left[0]):
        yield SpeechAct("defend", target=left[0], to=accuser, topic="left", other=believed)
    for seer in seers if not lives_as_seer else ():
        if seer != (believed or seer) or seer in (situation.promise, context.vote):
            continue  # Nobody calls as a witness whom it takes for a liar, or votes for.
        if ledger.told(seer).get(context.me) == Species.HUMAN and seer != accuser:
            yield SpeechAct("defend", target=seer, to=accuser, topic="white")
    yield from _to_the_point(context, accuser)
    yield from _better_than_a_guess(context, accuser, believed)
    dead = state.executions.get(state.day - 1, "")
    cast = state.cast(state.day - 1)
    guilty = cast.get(accuser) == dead and cast.get(context.me, dead) != dead
    lied = dead in situation.rivals(Role.SEER) and dead != believed
    if dead and guilty and not lied and situation.outer.known.get(dead) == Species.HUMAN:
        yield SpeechAct("defend", target=dead, to=accuser, topic="hanged")
    said = [one.who for one in ledger.suspicions if (one.target, one.day) == (context.me, context.day)]
    black = _callers_to_answer(context)
    if accuser in black and len(ledger.claimants[Role.SEER]) > 1:
        yield SpeechAct("defend", target=accuser, to=accuser, topic="lied")
    elif black and accuser not in black:
        # Only who votes without a word is asked for one; others are told what speaks against that seer.
        bare = situation.ledger.votes.get((context.day, accuser)) == context.me and not _said_why(context, accuser)
        topic = "follows" if bare else "lied"
        yield SpeechAct("defend", target=black[0], to=accuser, topic=topic)
    elif said and said[0] not in (accuser, context.me) and accuser in said:
        yield SpeechAct("defend", target=said[0], to=accuser, topic="follows")
    seen = ledger.told(believed)
    looks = len(state.alive) > FINAL and believed in state.alive and believed not in (situation.promise, context.vote)
    if looks and not lives_as_seer and context.me not in seen and _WOLF not in seen.values():
        yield SpeechAct("defend", target=believed, to=accuser, topic="look")
    yield from _against_the_rival(context, accuser)
    sees = context.claimed == Role.SEER  # Its claim is doubted, and that its rival looks worse is no answer.
    if not sees and situation.promise not in ("", accuser) and _reason_given(situation, situation.promise):
        yield SpeechAct("defend", target=situation.promise, to=accuser, topic="named")


def _against_the_rival(context: TalkContext, accuser: str) -> Iterator[SpeechAct]:
    """What a seer tells who believes its rival, ``accuser``: something of the two claims that it has not told yet."""
    situation = context.situation
    rivals = [one for one in situation.rivals(Role.SEER) if one in situation.state.alive and one != accuser]
    if situation.story.role != Role.SEER or context.claimed != Role.SEER or len(rivals) != 1:
        return
    found = _decisive(_of_own_claim(situation, rivals[0]))
    if not _all_told(found, rivals[0], situation):
        yield SpeechAct("defend", target=rivals[0], to=accuser, topic="rival")


def _callers_to_answer(context: TalkContext) -> list[str]:
    """The seers that call this seat a wolf, whom it compares with another one: with none for whom it votes itself."""
    situation = context.situation
    black = callers_of_me(situation)
    other = _likeliest_seer(situation, black) if situation.story.role != Role.SEER else ""
    return black if other in ("", *black) or other not in (situation.promise, context.vote) else []


def _to_the_point(context: TalkContext, accuser: str) -> Iterator[SpeechAct]:
    """Yield an answer to what ``accuser`` holds against this seat, where it has said that in words that are known."""
    situation, ledger = context.situation, context.situation.ledger
    me, players = context.me, situation.state.players
    text = _accusation(situation, accuser)
    kind = ledger.reader.reproach(text, players) if text else ""
    sees = ledger.claims.get(me) == Role.SEER
    if kind in ("unnamed", "quiet", "hunch"):
        if kind == "hunch" or not (sees or situation.promise):
            yield SpeechAct("defend", to=accuser, topic=kind)
    elif kind == "second" and sees:
        earlier = [name for name in takewhile(lambda one: one != me, ledger.claimants[Role.SEER]) if name != accuser]
        if earlier:
            yield SpeechAct("defend", target=earlier[0], to=accuser, topic="second")
    elif kind == "lucky" and sees:
        found = ledger.called(me, Species.WEREWOLF)
        if found and found[0] != accuser:
            yield SpeechAct("defend", target=found[0], to=accuser, topic="lucky")
    elif kind in ("madman", "count") and not sees:
        yield from _to_the_count(context, accuser, text, kind)


def _accusation(situation: Situation, accuser: str) -> str:
    """The last talk of today in which ``accuser`` has suspected this seat or announced a vote for it, or ``""``."""
    today = (one for one in reversed(situation.ledger.by(accuser)) if one.day == situation.state.day)
    mine = (
        (one.talk.text, {said.kind for said in one.statements if said.target == situation.state.me}) for one in today
    )
    return next((text for text, kinds in mine if not kinds.isdisjoint(_ACCUSE)), "")


def _to_the_count(context: TalkContext, accuser: str, text: str, kind: str) -> Iterator[SpeechAct]:
    """Yield an answer to who has counted who is left: the liar may be the wolf itself, or others are left as well."""
    situation, seers = context.situation, context.situation.rivals(Role.SEER)
    believed, liars = trusted_seer(situation), proven_liars(situation)
    told = {one.wording for one in told_reasons(situation.ledger.keys)}
    # Who counts in that way itself, for one whom it votes or would vote for, does not object to it.
    mine = (situation.promise, situation.meant, context.vote)
    told |= {one.kind for name in situation.state.others if name in mine for one in conclusions(situation, name)}
    if kind == "madman":
        taken = [name for name in seers if name not in ("", believed, accuser) and name in text]
        human = [name for name in taken if situation.outer.known.get(name) == Species.HUMAN]
        if taken and not human and not any(one.startswith("beside_liar") for one in told):
            yield SpeechAct("defend", target=taken[0], to=accuser, topic="madman")
        return
    left = wolves_left(situation, believed) if believed not in liars else ()
    if not left[1:] or (believed not in text and kind == "count" and any(one in text for one in seers)):
        return
    if accuser in left:
        yield SpeechAct("defend", to=accuser, topic="same", other=believed)
    else:
        yield SpeechAct("defend", target=left[0], to=accuser, topic="others", other=believed, rest=left[1:2])


def _better_than_a_guess(context: TalkContext, accuser: str, believed: str) -> Iterator[SpeechAct]:
    """Yield the answer that the one for whom this seat votes lies for certain if the seer ``believed`` does not, while
    ``accuser`` has only a guess."""
    situation = context.situation
    seers = situation.rivals(Role.SEER)
    if situation.story.role == Role.SEER or callers_of_me(situation) or believed in ("", accuser):
        return  # Who goes by a result does not guess.
    liar = suspect_aloud(context)
    if liar in seers and liar not in (accuser, believed) and liar in situation.state.alive:
        yield SpeechAct("defend", target=liar, to=accuser, topic="surer", other=believed)


def _reason_given(situation: Situation, name: str) -> bool:
    """Whether this seat has said what speaks against ``name``."""
    told = told_reasons(situation.ledger.keys)
    return any(one.target == name and one.wording not in (*_NO_REASONS, *FOUND) for one in told)


_NO_REASONS = ("hunch", "why_vote", "let_go", "other_left")
"""Wordings of grounds that are none."""


def replies(context: TalkContext) -> Iterator[Suggestion]:
    """A short word for whoever spoke to us last without asking anything, before the talk goes on."""
    situation, day = context.situation, context.day
    spoke = max((t.idx for t in situation.state.today if t.agent == context.me), default=-1)
    for said in reversed(situation.ledger.addresses):
        if said.day != day or said.idx < spoke or said.target != context.me or said.who not in situation.state.others:
            continue
        if _owes_an_answer(context, said.who) or situation.ledger.claims.get(said.who) in WOLF_SIDE:
            yield Suggestion((), f"{said.who} spoke to us", said.who)
            continue
        act = _reply_to(context, said.who)
        if act.topic == "doubt" and (still := _still_doubted(context, said.who)):
            act = still
        elif act.topic == "doubt" and (other := _pointed_at(context, said.who)):
            act = SpeechAct("reply", target=other, to=said.who, topic="compared")
        if act.topic == "accused" and (fact := _fresh_defence(context, said.who)):
            yield Suggestion((fact,), f"{said.who} accuses us", said.who, (defended_by(fact.topic),))
            continue
        # A second word of acknowledgement to the same player says nothing, and a third sort of it makes a ritual.
        # What comes next is then said to that player without any preface.
        bare = not context.fresh(act) or (act.topic not in ("thanks", "differ") and context.count("reply") >= 2)
        bare = bare or (act.topic == "accused" and _denied_today(context))
        bare = bare or act.topic == "doubt"  # That it is not convinced says nothing without something it has not told.
        bare = bare or (act.topic not in ("thanks", "dodged") and _only_nods(context, said.who))
        keys = (_denied_key(day),) if act.topic == "accused" and not bare else ()
        yield Suggestion(() if bare else (act,), f"{said.who} spoke to us", said.who, keys)


def _still_doubted(context: TalkContext, who: str) -> SpeechAct | None:
    """A word to ``who``, whom this seat suspects still, with something that it has not told of that player yet."""
    act = SpeechAct("reply", target=who, to=who, topic="still")
    told = _with_reason(act, context.situation, who)
    # Another's vote answers nothing, and nor does a white that this seat cannot know to be false.
    weak = (*_NO_REASONS, "voted_by", "suspects_by", "announced_by", "seer_white")
    if not told.proof or told.proof[-1] in weak or _says_nothing(told) or not context.fresh(act):
        return None
    keys = {*keys_once_said(TalkPlan((told,)), context.day)} - {*act.keys(context.day)}
    return act if context.new(*keys) else None


def _stands(context: TalkContext, who: str) -> SpeechAct:
    """A word to ``who``, whom this seat suspects still, with the ground that it stays with, where it has one."""
    act = SpeechAct("reply", target=who, to=who, topic="stands")
    told = _with_reason(act, context.situation, who)
    weak = not told.proof or told.proof[-1] in _NO_REASONS or _says_nothing(told)
    return SpeechAct("reply", to=who, topic="doubt") if weak else act


def _pointed_at(context: TalkContext, who: str) -> str:
    """Whom ``who`` has named in its last talk of today, which is said to this seat, if that is one other living player
    alone."""
    last = context.situation.ledger.last(who, context.day)
    state = context.situation.state
    named = names_of(state.players).players_in(without_anchor(last.talk.text)) if last is not None else ()
    others = {one for one in named if one not in (who, context.me)}
    found = next(iter(others), "")
    return found if len(others) == 1 and found in state.alive else ""


def _denied_today(context: TalkContext) -> bool:
    """Whether this seat has answered an accusation of today, if only by denying it: to deny it again says nothing."""
    ledger = context.situation.ledger
    called = callers_of_me(context.situation)
    denied = any(not context.new(*SpeechAct("deny", target=seer).keys(context.day)) for seer in called)
    today = any(one.day == context.day for seer in called for one in ledger.results.get(seer, ()))
    return (denied and today) or bool(context.count("defend")) or not context.new(_denied_key(context.day))


def _denied_key(day: int) -> str:
    return f"denied on {day}"


def _only_nods(context: TalkContext, who: str) -> bool:
    """Whether the last talk of ``who`` was a word for us that neither named anybody nor said anything: nobody nods to
    a nod."""
    last = context.situation.ledger.last(who, context.day)
    if last is None or context.day == 0 or any(one.kind != "address" for one in last.statements):
        return False
    names = names_of(context.situation.state.players)
    return all(name in (who, context.me) for name in names.players_in(last.talk.text))


def _owes_an_answer(context: TalkContext, who: str) -> bool:
    """Whether ``who`` has asked us something that is still open: a nod would be no answer."""
    return any(ask.who == who for ask in _open_questions(context))


def _reply_to(context: TalkContext, who: str) -> SpeechAct:
    """A word for ``who`` that takes up whom it has named, and does not hide that this seat looks at another."""
    topic, named = _reply_topic(context, who), _named_by(context, who)
    if topic not in ("", "thanks", "alike") or not named:
        return SpeechAct("reply", to=who, topic=topic)
    if topic != "alike" and suspect_aloud(context) not in ("", named):
        return SpeechAct("reply", target=named, to=who, topic="differ")
    return SpeechAct("reply", to=who, topic=topic, other=named)


def _named_by(context: TalkContext, who: str) -> str:
    """Whom ``who`` has called suspicious in its last talk of today, or announced its vote for, this seat apart."""
    last = context.situation.ledger.last(who, context.day)
    told = {(one.kind == "vote", one.target) for one in last.statements if one.kind in _ACCUSE} if last else set()
    seen = context.situation.ledger.told(who)  # A result is no opinion.
    found = sorted(((vote, name) for vote, name in told if name not in seen), reverse=True)
    return next((name for _, name in found if name in context.situation.state.others and name != who), "")


_ACCUSE = ("suspect", "vote", "agree")
"""Kinds of statements that speak against their target."""


def _reply_topic(context: TalkContext, who: str) -> str:
    """How to take up that ``who`` spoke to us: nobody nods to whom it suspects, or to who accuses it."""
    situation = context.situation
    if situation.outer.own.get(who) == Species.WEREWOLF:
        return "known"
    if calls_me_wolf(situation, who):
        return "accused"
    if _accuses_us(who, situation):
        return "accused"
    if _accused_today(context, who) or who == suspect_aloud(context):
        return "doubt"
    if context.count("ask", to=who):
        # Who was asked which seer it believes, or why it did something, was not asked for a name.
        early = _spoke_before_claims(context, who)  # Then there was nothing yet to name anybody by.
        dodged = "dodged" if context.count("ask", to=who, topic="suspect") and not early else ""
        return "thanks" if _has_answered(context, who) else dodged
    vote = situation.ledger.votes.get((context.day, who), "")
    return "alike" if vote and vote == situation.promise else ""


def _spoke_before_claims(context: TalkContext, who: str) -> bool:
    """Whether the last talk of ``who`` today, the first day, came before anybody claimed to be the seer."""
    heard = context.situation.ledger.heard
    claims = (place for place, one in enumerate(heard) if one.role == Role.SEER)
    talks = (place for place, one in enumerate(heard) if (one.who, one.day) == (who, context.day))
    return context.day == 1 and max(talks, default=-1) < next(claims, len(heard))


def _has_answered(context: TalkContext, who: str) -> bool:
    """Whether the last talk of ``who`` tells anything: it names somebody, or gives a reason it was asked for."""
    situation, asked = context.situation, ("why_divine", "why_vote", "why")
    if any(context.count("ask", to=who, topic=topic) for topic in asked):
        return True
    names = names_of(situation.state.players)
    last = next((heard.talk.text for heard in reversed(situation.ledger.by(who)) if heard.talk.day == context.day), "")
    return any(name not in (who, context.me) for name in names.players_in(last))


# --- What is worth saying beyond duties ------------------------------------------------------------------------------


ABOUT_SO_MANY_SAY_IT = 4
"""About so many players say what everybody thinks."""
FEW_CONCLUDE = 2
"""About so many say aloud what everybody could conclude."""


def interests(context: TalkContext) -> Iterator[Suggestion]:
    """Yield what is worth saying beyond duties, best first; each is said once."""
    if context.turn == 0:
        yield from _morning(context)
    if _about_to_claim(context):
        return
    yield from _reactions(context)
    bold = context.bold > OUTSPOKEN or context.turn > 1
    yield from _suspect(context) if bold else _question(context)
    yield from _question(context) if bold else _suspect(context)
    yield from _trust(context)
    yield from _remarks(context)


def news(context: TalkContext) -> Iterator[Suggestion]:
    """Yield those reactions, trusts and remarks that are worth a word even after the vote."""
    # Whom a seer has cleared everybody knows by then: only where somebody is against that player it is told again.
    trust = _trust(context) if context.claimed == Role.SEER else ()
    trust = (one for one in trust if context.situation.announced.get(one.acts[0].target))
    for one in () if _about_to_claim(context) else chain(_reactions(context), trust, _remarks(context)):
        if one.acts[0].row.news:
            yield one


def _about_to_claim(context: TalkContext) -> bool:
    """Who is about to claim to be the seer must not greet another one first, nor give away whom it knows."""
    return context.situation.story.role == Role.SEER and not context.claimed


def _morning(context: TalkContext) -> Iterator[Suggestion]:
    state = context.situation.state
    spoken = {talk.agent for talk in state.today if talk.said}
    # A village does not say good morning thirteen times.
    some = GREETINGS_LATER if state.day > 1 else GREETINGS
    if state.day < 1 or (len(spoken) >= 2 and context.rng.random() > some / len(spoken)):
        return
    if context.situation.ledger.sides_are_open:
        return  # Who hears an enemy say so itself answers that, and does not mourn first.
    victim, dead = state.attacks.get(state.day - 1, ""), state.executions.get(state.day - 1, "")
    claims = context.situation.ledger.claims
    if state.day == 1:
        known = Role.SEER in claims.values() or context.situation.story.role == Role.SEER
        # One asks for results; who comes next joins that, or speaks of the day.
        caller = _asked_for_the_seer(context)
        topic = "first" if known or (spoken and (caller or _somebody_asked_all(context))) else "first_open"
        if topic == "first" and not known and caller and context.cares(f"seer wanted by {caller}", FEW_CONCLUDE):
            topic, victim = "joined", caller
    elif victim and claims.get(victim) == context.claimed == Role.SEER:
        topic = "rival_died"
    elif victim and context.situation.ledger.claims.get(victim) == Role.SEER:
        # Who believes another seer, or has argued by one's word, does not call the dead one's claim as good as proven.
        sided = {trusted_claimant(context), trusted_seer(context.situation), *went_by(context.situation)}
        praised = sided <= {"", victim} and not calls_me_wolf(context.situation, victim)
        topic = "seer_died" if praised else "died"
    else:
        topic = "died" if victim else "quiet"
    named = any(victim in talk.text for talk in state.today if talk.agent != state.me)
    if len(state.alive) <= FINAL and ((topic == "died" and spoken) or (topic == "seer_died" and named)):
        return  # Where so few are left one word on the dead is enough.
    white = context.situation.ledger.called(victim, Species.HUMAN) if topic == "seer_died" else ()
    rest = tuple(one for one in dict.fromkeys(white) if one in state.others)
    act = SpeechAct("morning", target=victim, topic=topic, rest=rest)
    yield from context.offer(act, f"the morning after {dead or 'talk'}")


def _somebody_asked_all(context: TalkContext) -> bool:
    """Whether another has ended a talk of today, which calls nobody first, with a question."""
    ledger = context.situation.ledger
    today = [one.talk.text for one in ledger.heard if one.day == context.day and one.who != context.me]
    return any(text.rstrip().endswith(("?", "？")) and not text.startswith("@") for text in today)


def _asked_for_the_seer(context: TalkContext) -> str:
    """Who has asked for the seer first today, or ``""``."""
    ledger, day = context.situation.ledger, context.day
    others = (one for one in ledger.heard if one.day == day and one.who != context.me)
    asked = (one.who for one in others if speaks_of_the_seer(one, ledger))
    return next(asked, "")


def _reactions(context: TalkContext) -> Iterator[Suggestion]:
    """Yield words on claims and results of others."""
    yield from _disproved(context, context.situation.state.executions.get(context.day - 1, ""))
    yield from _to_confessions(context)
    results = list(_to_results(context))
    # Somebody called a wolf comes before the question whether anybody else claims.
    lone = len(context.situation.ledger.claimants[Role.SEER]) == 1
    first = [one for one in results if lone and one.acts[0].topic.endswith(_WOLF)]
    yield from first
    yield from _to_claims(context)
    yield from _to_bodyguards(context)
    yield from (one for one in results if one not in first)


def _to_confessions(context: TalkContext) -> Iterator[Suggestion]:
    """Yield a word on those who call themselves the possessed, on all at once and on none whom this seat votes for."""
    situation, ledger = context.situation, context.situation.ledger
    confessed = [name for name in ledger.claimants[Role.POSSESSED] if name in situation.state.others]
    argued = {one.other for one in told_reasons(ledger.keys) if one.wording.startswith("only_left")}
    # Once the wolf has shown itself as well there is nothing left to conclude.
    if ledger.claimants[Role.WEREWOLF] or not confessed or argued.union([situation.promise]) & {*confessed}:
        return
    act = SpeechAct("react", target=confessed[-1], topic="confession")
    if len(confessed) > 1:
        act = replace(act, topic="confessions", other=confessed[0])
    yield from context.offer(act, f"{confessed[-1]} confessed")


def _to_results(context: TalkContext) -> Iterator[Suggestion]:
    """Yield words on results that others have told today."""
    for claimant, told in context.situation.ledger.results.items():
        for result in told if context.situation.ledger.claims.get(claimant) not in WOLF_SIDE else ():
            told_now = result.day == context.day and context.me not in (claimant, result.target)
            # Who has announced to vote for that player is past asking what it says to it.
            past = result.target == context.situation.promise
            if told_now and not past and (topic := _reaction(context, claimant, result)):
                left = wolves_left(context.situation, claimant) if topic.endswith(Species.HUMAN) else ()
                # Who claims to be the seer as well is no unknown among those left.
                counts = len(left) in (2, 3) and {*left}.isdisjoint({claimant, *context.situation.rivals(Role.SEER)})
                rest = left if counts else ()
                act = SpeechAct("react", target=result.target, to=claimant, topic=topic, rest=rest)
                # Who counts by a result has taken its seer for the true one.
                believes = topic == f"seer_{Species.HUMAN}"
                keys = (doubted(claimant),) if topic.startswith("doubt") else (followed(claimant),) * believes
                if (now := _as_it_stands(context, act, result.result)) is None:
                    continue
                keys = () if believes and now.topic != topic else keys
                yield from context.offer(now, f"the result of {claimant} on {result.target}", keys=keys)


def _as_it_stands(context: TalkContext, act: SpeechAct, colour: str) -> SpeechAct | None:
    """``act``, a word on a result, with what has come since: another who claims the same gift beside a seer that this
    seat is not sure of, or that who is called a wolf has denied it; ``None`` where it waits for an answer that has
    come."""
    ledger, living = context.situation.ledger, context.situation.state.alive
    seers = [
        one for one in ledger.claimants[Role.SEER] if one in living and one not in (act.to, act.target, context.me)
    ]
    unsure = act.topic == f"seer_{Species.HUMAN}" and not _sides_with(context.situation, act.to)
    unsure = unsure or act.topic.startswith("doubt")
    if unsure and len(seers) == 1 and ledger.claims.get(act.to) == Role.SEER:
        return replace(act, topic=f"split_{colour}", other=seers[0], rest=())
    if act.topic in (f"seer_{_WOLF}", f"doubt_{_WOLF}") and _has_answered_result(context, act.target, act.to):
        return replace(act, topic=f"denied_{_WOLF}") if len(ledger.claimants[Role.SEER]) == 1 else None
    return act


def _has_answered_result(context: TalkContext, name: str, seer: str) -> bool:
    """Whether ``name`` has talked since ``seer`` told its result of it today."""
    heard = [one for one in context.situation.ledger.heard if one.day == context.day]
    return any(one.who == name for one in _since_result(heard, seer, name))


def _since_result(heard: Sequence[TalkRecord], seer: str, name: str) -> Sequence[TalkRecord]:
    """Those of the talks ``heard`` that come after ``seer`` first told a result of ``name``; none if it told none."""
    for place, one in enumerate(heard):
        if one.who == seer and any((said.kind, said.target) == ("result", name) for said in one.statements):
            return heard[place + 1 :]
    return ()


def _to_claims(context: TalkContext) -> Iterator[Suggestion]:
    """Yield a word on the first who claims to be the seer, on several of them, or, as a seer, on a rival."""
    ledger = context.situation.ledger
    rivals = [name for name in ledger.claimants[Role.SEER] if name != context.me]
    if context.claimed == Role.SEER:
        yield from _to_own_rivals(context, rivals)
        return
    yield from _changed_seer(context)
    if not any(ledger.claimed_on.get(name) == context.day for name in rivals):
        return
    if len(rivals) >= 2 and context.cares(f"rivals:{len(rivals)}", ABOUT_SO_MANY_SAY_IT):
        yield from _to_several(context, rivals)
    elif (
        len(rivals) == 1
        and not _no_seer_to_us(context, rivals[0])
        and not _has_argued_by(context, rivals[0])
        and not _taken_up(context, rivals[0])
    ):
        yield from context.offer(
            SpeechAct("heard", target=rivals[0]), f"{rivals[0]} claimed seer", keys=(followed(rivals[0]),)
        )


def _to_own_rivals(context: TalkContext, rivals: Sequence[str]) -> Iterator[Suggestion]:
    """Yield words on rivals of this seat, which lives as the seer."""
    situation, ledger = context.situation, context.situation.ledger
    for name in rivals:
        if name in situation.state.alive:
            # A false seer that calls us human has guessed well: its result is no nonsense.
            kind = ledger.told(name).get(context.me) == Species.HUMAN
            known = _known_of_rival(situation, name)
            if known == "possessed" and any(key.startswith("one possessed: ") for key in context.done):
                known = ""
            known = known or situation.outer.known.get(name, "kind" if kind else "")
            act = SpeechAct("rival", target=name, topic=known)
            if not known and _said_of_rival(context, name):
                continue
            yield from context.offer(act, f"{name} claims our role")


def _to_several(context: TalkContext, rivals: Sequence[str]) -> Iterator[Suggestion]:
    """Yield a word on several who claim to be the seer: whom this seat believes, or what would tell them apart."""
    situation = context.situation
    late = _claimed_since_vote(situation)
    best = trusted_claimant(context) or (next(iter(sorted(_quoted_seers(situation))), "") if late else "")
    act = _to_rivals(context, best)
    if act.topic == "open" and (why := [_look_explained(context, one, least=1) for one in rivals]) and any(why):
        if not all(why):
            return  # Only who has not told why it looked there is asked for it.
        act = replace(act, topic="told")
    best = act.target
    if best and any(one.other == best for one in told_reasons(situation.ledger.keys)):
        return  # Who has argued by the word of that seer has said whom it believes.
    otherwise = best and (_votes_against(context, best) or argued_by_others(situation, best))
    if act.topic == "lean":
        rival, marks = why_seer(situation, best)
        if _all_told(marks, rival, situation):
            return  # Who has said why it believes that seer has said so.
    chosen = act.topic in ("open", "told") or (situation.promise in rivals and not late)
    if act.topic in ("open", "told") and _has_counted_out(situation, rivals):
        return
    if act.topic in ("open", "told") and not context.cares(f"open:{len(rivals)}", FEW_CONCLUDE):
        return  # What nobody can decide yet is not worth a word from everybody.
    if (situation.promise and chosen) or otherwise:
        return  # Who has announced a vote has taken the claims into account.
    keys = SpeechAct("heard").keys(context.day)
    keys = (*keys, leaned_to(best)) if best else keys
    yield from context.offer(act, "several claim to be the seer", keys=keys)


def _has_counted_out(situation: Situation, rivals: Sequence[str]) -> bool:
    """Whether this seat has taken one of ``rivals`` for the possessed in a reason: it does not call them even then."""
    told = told_reasons(situation.ledger.keys)
    return any(one.wording.startswith("beside_liar") and one.other in rivals for one in told)


def _taken_up(context: TalkContext, seer: str) -> bool:
    """Whether another has spoken of ``seer`` since it claimed: who comes next takes up what it has told."""
    heard = context.situation.ledger.heard
    claimed = next((place for place, one in enumerate(heard) if one.who == seer and one.role == Role.SEER), len(heard))
    return any(seer in one.talk.text for one in heard[claimed + 1 :] if one.who not in (seer, context.me))


def _said_of_rival(context: TalkContext, name: str) -> bool:
    """Whether this seat has said all that speaks against the claim of ``name``: the one thing with its vote, or, where
    there is none, that it lies, by claiming against it."""
    found, seers = _of_own_claim(context.situation, name), context.situation.ledger.claimants[Role.SEER]
    voted = name == context.situation.promise and len(found) < MOST_SAID_OF_A_RIVAL
    return voted or (not found and name in takewhile(lambda one: one != context.me, seers))


def _claimed_since_vote(situation: Situation) -> bool:
    """Whether the one for whom this seat has announced its vote has claimed only after that, which is worth a word."""
    since = _since_own_vote(situation) or ()
    return any((one.who, one.kind) == (situation.promise, "claim") for heard in since for one in news_of(heard))


def _has_argued_by(context: TalkContext, seer: str) -> bool:
    """Whether this seat has argued by the word of ``seer`` already, who is no news to it then."""
    told = told_reasons(context.situation.ledger.keys)
    return not context.new(defended_by("white")) or any(one.other == seer for one in told)


def _votes_against(context: TalkContext, seer: str) -> bool:
    """Whether this seat's vote contradicts belief in ``seer``: it is for that seer, or for whom only another calls a
    wolf."""
    vote, ledger = suspect_aloud(context), context.situation.ledger
    callers = [who for who in ledger.results if ledger.told(who).get(vote) == _WOLF]
    return vote == seer or bool(callers and seer not in callers)


def _to_rivals(context: TalkContext, best: str) -> SpeechAct:
    """What to say of several seers: what their claims force, else whom this seat believes, or that all is open."""
    situation = context.situation
    if best and best == proven_seer(situation):
        liar = proven_liar(situation)
        return SpeechAct("rivals", target=best, to=liar, topic="proven")
    if best and not any(one.kind != "alike" for one in why_seer(situation, best)[1]):
        return SpeechAct("rivals", topic="open")  # What nothing speaks for yet is no side to take.
    among = {context.vote, suspect_aloud(context)} <= {"", *situation.rivals(Role.SEER)}
    if among and all_enemies_claim(situation) and context.cares("three claim", FEW_CONCLUDE):
        return SpeechAct("rivals", topic="three")
    return SpeechAct("rivals", target=best, topic="lean" if best else "open")


def _to_bodyguards(context: TalkContext) -> Iterator[Suggestion]:
    """Yield a word on who claims to be the bodyguard today: it is spared aloud by those who believe it, else doubted.
    The bodyguard itself says nothing: it would give itself away."""
    situation = context.situation
    for name in () if situation.story.role == Role.BODYGUARD else situation.ledger.claimants[Role.BODYGUARD]:
        today = situation.ledger.claimed_on.get(name) == context.day and name in situation.state.others
        if today and context.cares(f"bodyguard:{name}", ABOUT_SO_MANY_SAY_IT):
            believed = situation.outer.chance(name, Role.BODYGUARD) >= LIKELY_TRUE
            act = SpeechAct("react", target=name, topic="bodyguard" if believed else "doubt_bodyguard")
            if not believed or name not in (situation.promise, context.vote):
                yield from context.offer(act, f"{name} claims to be the bodyguard")


def _no_seer_to_us(context: TalkContext, seer: str) -> bool:
    """Whether ``seer`` is dead, or lies for certain: nobody takes the seer seriously that calls oneself a werewolf."""
    return calls_me_wolf(context.situation, seer) or seer not in context.situation.state.alive


def _changed_seer(context: TalkContext) -> Iterator[Suggestion]:
    """Says so when another seer is believed than the one leaned to before."""
    best = trusted_claimant(context)
    argued = argued_by(context.situation)
    seers = context.situation.ledger.claimants[Role.SEER]
    before = [name for name in seers if name in argued or not context.new(leaned_to(name))]
    if best and len(before) == 1 and before[0] != best:
        # Of a lie that was found out no more has to be said than that.
        topic = "proven" if before[0] in proven_liars(context.situation) else "turned"
        act = SpeechAct("rivals", target=best, to=before[0], topic=topic)
        yield from context.offer(act, f"{best} is believed now", keys=(leaned_to(best),))


def _reaction(context: TalkContext, claimant: str, result: ClaimedResult) -> str:
    """Which lines take up a result, or ``""`` when it is not worth a word."""
    ledger = context.situation.ledger
    if claimant in (context.situation.promise, suspect_aloud(context)) or _votes_past(context.situation, claimant):
        return ""  # Nobody goes by the result of a player whom it votes for, or against whose word it votes.
    if _talked_of(context, result.target) >= (
        5 if result.result == Species.WEREWOLF and ledger.claims.get(claimant) == Role.SEER else 3
    ):
        return ""
    mine = context.situation.story.viewpoint(context.situation.state).results.get(result.target, result.result)
    if mine != result.result and ledger.claims.get(claimant) == Role.MEDIUM:
        return ""  # Who told the opposite does not nod to it.
    if ledger.claims.get(claimant) == Role.MEDIUM:
        return f"medium_{result.result}"
    if result.target not in context.situation.state.alive or ledger.claims.get(result.target) == Role.SEER:
        return ""
    return _seer_reaction(context, claimant, result)


def _talked_of(context: TalkContext, name: str) -> int:
    """How many others have spoken of ``name`` today."""
    return len({t.agent for t in context.situation.state.today if name in t.text and t.agent not in (context.me, name)})


def _seer_reaction(context: TalkContext, claimant: str, result: ClaimedResult) -> str:
    """How to take up a result: as news when the claimant is believed and nothing we know or want speaks against it."""
    outer = context.situation.outer
    if outer.known.get(result.target) == result.result and not outer.credit.get(claimant):
        return ""
    black = result.result == Species.WEREWOLF
    voted = result.target == suspect_aloud(context)
    if black and claimant in proven_possessed(context.situation) and _WOLF in outer.own.values():
        return ""  # Who has found the wolf speaks of that.
    if black and not voted and claimant in proven_liars(context.situation):
        most = ABOUT_SO_MANY_SAY_IT if context.claimed == Role.SEER else FEW_CONCLUDE
        return f"false_{Species.WEREWOLF}" if context.cares(f"false:{claimant}", most) else ""
    if claimant == outer.trusted and (black or not voted):
        # Who has announced another vote does not call this one settled.
        return "" if context.situation.promise else f"seer_{result.result}"
    if not context.new(followed(claimant)) or context.situation.promise in context.situation.rivals(Role.SEER):
        # Who has taken that seer for the true one has a word on the other claim first, and who votes for a seer has
        # said enough of the claims.
        return ""
    # Who has said why it believes another seer has said what it thinks of this one's results.
    rivals = (one for one in context.situation.rivals(Role.SEER) if one != claimant)
    sided = any(not context.new(leaned_to(one)) for one in rivals)
    # Who votes for somebody called a wolf, for whatever reason, does not call that doubtful.
    few = context.cares(f"doubt:{claimant}:{result.target}", FEW_CONCLUDE)
    # What another has told as well is no matter of whom one believes.
    others = (one for one in context.situation.ledger.claimants[Role.SEER] if one != claimant)
    alike = any((result.target, result.result) in _told(context.situation, one) for one in others)
    return f"doubt_{result.result}" if few and not (alike or sided) and not (black and voted) else ""


def _suspect(context: TalkContext) -> Iterator[Suggestion]:
    target = suspect_aloud(context)
    if not target or target in context.situation.ledger.claimants[Role.WEREWOLF]:
        return  # Who has owned up is no suspect any more.
    others = [s.who for s in context.situation.ledger.suspicions if s.target == target and s.day == context.day]
    unheard = (context.me, target, *(who for who in others if _calls_me_something(context, who, target)))
    friend = next((who for who in reversed(others) if who not in unheard), "")
    suspicion = SpeechAct("suspect", target=target)
    if _suspected_before(context) and _says_nothing(_with_reason(suspicion, context.situation, "")):
        return  # Nobody drops a suspect for another without a word of what has changed.
    if target in context.situation.story.viewpoint(context.situation.state).results:
        friend = ""  # Who knows by its own result agrees with nobody.
    if friend and _says_nothing(_with_reason(replace(suspicion, kind="agree", to=friend), context.situation, "")):
        if len(set(others) - {context.me, target}) >= MANY_ACCUSERS:
            return  # One more nod without a ground tells the village nothing.
        friend = ""
    if friend and friend in context.situation.state.alive and context.fresh(suspicion):
        act, keys = SpeechAct("agree", target=target, to=friend), suspicion.keys(context.day)
        yield from context.offer(act, f"{friend} suspects {target} too", keys=keys)
    final = len(context.situation.state.alive) <= FINAL and not _accuses_us(target, context.situation)
    moved = context.situation.outer.reasons(target) or (final and any(conclusions(context.situation, target)))
    if context.fresh(suspicion) and moved:
        told = _with_reason(suspicion, context.situation, "")
        again = told.proof[-1:] and reason_key(told.proof[-1], target, told.other) in context.situation.ledger.keys
        if again and target in context.situation.suspected:
            return  # Who has said why it suspects that player says it once.
        if _says_nothing(told) or _is_faint(told):
            return  # Nobody is a suspect for nothing: what leaves a choice settles a vote at best.
        yield from context.offer(suspicion, f"{target} looks most like a wolf")


def _calls_me_something(context: TalkContext, who: str, target: str) -> bool:
    """Whether a talk of today in which ``who`` suspects ``target`` names this seat as well: nobody agrees with who has
    called it the madman in one breath."""
    talks = (one for one in context.situation.ledger.by(who) if one.day == context.day)
    accusing = (one for one in talks if any(said.kind in _ACCUSE and said.target == target for said in one.statements))
    return any(context.me in without_anchor(one.talk.text) for one in accusing)


MANY_ACCUSERS = 2
"""So many others suspect a player that one more who has no ground of its own adds nothing."""


def _question(context: TalkContext) -> Iterator[Suggestion]:
    """At most two questions a day, never one that somebody asked the same player today."""
    state, ledger = context.situation.state, context.situation.ledger
    if context.last or context.count("ask") >= 2 or state.day < 1:
        return
    left = wolves_left(context.situation, own_or_trusted_seer(context.situation))
    settled = len(state.alive) <= FINAL and len(left) == 1  # No name that somebody else says changes that count.
    taken = {(a.target, a.topic) for a in ledger.asks if a.day == context.day}
    often = Counter(a.topic for a in ledger.asks if a.day == context.day)
    busy = {a.target for a in ledger.asks if a.day == context.day and a.who == context.me}
    for to, topic, about in _questions(context):
        accuses = calls_me_wolf(context.situation, to) or _accuses_us(to, context.situation)
        if topic == "suspect" and (accuses or settled or to == suspect_aloud(context)):
            continue  # Whom one votes for, or who has called one a wolf, is no longer asked for a name.
        done = bool(state.phase) and state.talks_left(to) == 0  # in a group chat nobody answers without talks
        open_to = to in state.others and to not in busy and not done and ledger.claims.get(to) not in WOLF_SIDE
        if open_to and (to, topic) not in taken and often[topic] < 2 + (state.day > 1):
            act = SpeechAct("ask", to=to, topic=topic, target=about)
            yield Suggestion((act,), f"ask {to} about {topic}", to)


def _questions(context: TalkContext) -> list[tuple[str, str, str]]:
    """(to, topic, about), the most interesting first, shuffled a little by chance."""
    state, ledger = context.situation.state, context.situation.ledger
    found: list[tuple[str, str, str]] = []
    for seer in ledger.claimants[Role.SEER]:
        told = [r for r in ledger.results.get(seer, []) if r.day == context.day]
        if told and not _look_explained(context, seer):
            found.append((seer, "why_divine", told[-1].target))
    seers = ledger.claimants[Role.SEER]
    # Wolves do not draw each other out.
    others = [name for name in state.others if name not in state.partners]
    context.rng.shuffle(others)
    cast = state.cast(state.day - 1)
    for voter, target in cast.items():
        plain = ledger.told(voter).get(target) == _WOLF or ledger.told(target).get(voter) == _WOLF
        plain = plain or {voter, target} <= {*seers}  # Of two who claim one role only one can be true.
        if voter in others and target not in (context.me, cast.get(context.me)) and not plain:
            found.append((voter, "why_vote", target))
    for name in others:
        words = ledger.count(state.day, name)
        opinions = any(s.who == name and s.day == state.day for s in ledger.suspicions)
        opinions = opinions or (state.day, name) in ledger.votes
        sided = _has_sided(context, name) or any(
            said.who == name and said.day == state.day and said.target in seers for said in ledger.trusts
        )
        sided = sided or _spoke_of_seers(context, name)
        if sum(seer in state.alive for seer in seers) >= 2 and name not in seers and words and not sided:
            found.append((name, "believe", ""))
        # On the first day the claims come first; to ask for suspects before them is idle.
        # Who has found a wolf has named its suspect.
        opinions = opinions or any(result == _WOLF for _, result in _told(context.situation, name))
        if not opinions and (words > 1 or context.turn or (words and state.day > 1)):
            found.append((name, "suspect", ""))
        # Nobody asks why another votes as it does itself, why a seer votes for its rival or whom it calls a wolf, or
        # why somebody votes for the seer that has called it one.
        target = ledger.votes.get((state.day, name), "")
        plain = name in seers and (target in seers or (target, _WOLF) in _told(context.situation, name))
        plain = plain or (name, _WOLF) in _told(context.situation, target)
        if (
            target not in ("", context.me, context.situation.promise)
            and not plain
            and not _said_why(context, name, target)
        ):
            found.append((name, "why", target))
    context.rng.shuffle(found)
    top = context.situation.outer.ranked(state.others)[:2]
    return sorted(found, key=lambda item: item[0] not in top)


def _has_sided(context: TalkContext, name: str) -> bool:
    """Whether all have heard today which of several seers ``name`` believes: it has announced a vote, is called a wolf
    by one of them, or has named one of them as it spoke against somebody."""
    ledger, day = context.situation.ledger, context.day
    seers = ledger.claimants[Role.SEER]
    if (day, name) in ledger.votes or any((name, _WOLF) in _told(context.situation, one) for one in seers):
        return True
    accusing = (one for one in ledger.by(name) if one.day == day and any(s.kind in _ACCUSE for s in one.statements))
    return any(seer in one.talk.text for one in accusing for seer in seers)


def _spoke_of_seers(context: TalkContext, name: str) -> bool:
    """Whether ``name`` has spoken of one of several seers today since all of them have claimed: in words that are not
    understood it has told whom it believes."""
    heard, seers = context.situation.ledger.heard, context.situation.ledger.claimants[Role.SEER]
    claims: dict[str, int] = {}
    for place, one in enumerate(heard):
        if one.role == Role.SEER:
            claims.setdefault(one.who, place)
    last = max((claims.get(seer, -1) for seer in seers), default=-1)
    since = [one for one in heard[last + 1 :] if (one.who, one.day) == (name, context.day)]
    return any(seer in without_anchor(one.talk.text) for one in since for seer in seers)


def _look_explained(context: TalkContext, seer: str, least: int = EXPLAINED) -> bool:
    """Whether ``seer`` has told with a result of today why it looked there, in ``least`` bytes or more."""
    ledger, players = context.situation.ledger, context.situation.state.players
    told = [
        one for one in ledger.by(seer) if one.day == context.day and any(s.kind == "result" for s in one.statements)
    ]
    if any(ledger.reader.explains_result(one.talk.text, players, least) for one in told):
        return True
    return any(explained_later(one, ledger) for one in told)


def _trust(context: TalkContext) -> Iterator[Suggestion]:
    situation = context.situation
    for name in reversed(situation.outer.ranked(situation.state.others)) if not context.count("trust") else ():
        act = SpeechAct("trust", target=name)
        if not context.fresh(act) or not _may_be_trusted(context, name):
            continue
        reason = next(iter(_facts_about(name, situation, against=False)), None)
        if reason is not None and _may_be_told(context, name, reason):
            yield Suggestion((act,), f"{name} looks human")
            return


def _may_be_trusted(context: TalkContext, name: str) -> bool:
    """Few say the same of one player, and nobody vouches for the one it has just said it will vote for."""
    situation = context.situation
    claim = situation.ledger.claims.get(name)
    if (
        name in proven_liars(situation)
        or name == situation.promise
        or claim in WOLF_SIDE
        or claim == context.claimed == Role.SEER
    ):
        return False  # A rival may be human, but it lies; who has dropped the mask is no friend.
    if calls_me_wolf(situation, name) or name in context.accusers:
        return False  # Nobody praises who accuses it.
    own = [one for heard in situation.ledger.talks.get((context.day, context.me), ()) for one in heard.statements]
    if any(one.kind in ("suspect", "vote") and one.target == name for one in own):
        return False  # Nor whom it has accused itself today.
    if claim == Role.SEER and any(
        not context.new(leaned_to(one), followed(one)) for one in situation.rivals(Role.SEER) if one != name
    ):
        return False  # Nor a seer while it stands by another in all it has said.
    if claim == Role.SEER and _votes_past(situation, name):
        return False  # Nor the seer against whose word it votes.
    said = [one.who for one in situation.ledger.trusts if (one.target, one.day) == (name, context.day)]
    return len(set(said) - {name}) < MOST_VOUCH and situation.outer.known.get(name) != Species.WEREWOLF


MOST_VOUCH = 1
"""So many others vouch for a player that one more who does repeats them."""


def _votes_past(situation: Situation, seer: str) -> bool:
    """Whether this seat's announced vote is for whom ``seer`` has cleared, or whom only a rival of ``seer`` calls a
    wolf."""
    vote, ledger = situation.promise, situation.ledger
    called = any(ledger.told(one).get(vote) == _WOLF for one in ledger.claimants[Role.SEER] if one != seer)
    own = ledger.told(seer).get(vote) if seer in ledger.claimants[Role.SEER] else None
    return bool(vote) and (own == Species.HUMAN or (called and own != _WOLF))


def _may_be_told(context: TalkContext, name: str, reason: Reason) -> bool:
    """Whether ``reason`` is fit to be said of ``name``: that a seer cleared somebody is repeated only by who believes
    that seer and does not vote for it, and never of another who claims to be one."""
    if "claim" in reason.kind or reason.kind == "announced":
        return False
    if reason.kind != "seer_white" or reason.fact.who == name:
        return True
    if _all_agree(name, Species.HUMAN.value, context.situation):
        return True
    claims = context.situation.ledger.claims
    quoted = reason.fact.who == trusted_claimant(context) != suspect_aloud(context)
    quoted = quoted and not _votes_past(context.situation, reason.fact.who)
    quoted = quoted and not argued_by_others(context.situation, reason.fact.who)
    # Who has counted by that seer's word has counted this player out.
    quoted = quoted and not any(one.other == reason.fact.who for one in told_reasons(context.situation.ledger.keys))
    return claims.get(name) != Role.SEER and quoted


def _remarks(context: TalkContext) -> Iterator[Suggestion]:
    """About yesterday's execution, and how many are left."""
    state = context.situation.state
    dead = state.executions.get(state.day - 1, "")
    if context.situation.ledger.sides_are_open:
        return  # Once sides are open, nobody looks back or warns.
    liar = dead in proven_liars(context.situation)
    if context.situation.ledger.claims.get(dead) == Role.SEER:
        liar = liar or trusted_claimant(context) not in ("", dead)
    dead = "" if liar else dead  # Nobody regrets to have hanged whom it takes for a liar.
    found = any(said.target == dead for said in context.situation.ledger.said(context.me, "result"))
    late = context.voted and len(state.alive) <= FINAL  # Then today's vote is all that counts.
    if dead and not found and not late and context.cares(f"executed:{dead}", ABOUT_SO_MANY_SAY_IT):
        mine = state.cast(state.day - 1).get(context.me) == dead
        human = context.situation.outer.known.get(dead) == Species.HUMAN
        topic = ("regret" if human else "unsure") if mine else ("told_you" if human else "unsure")
        yield from context.offer(SpeechAct("executed", target=dead, topic=topic), "yesterday's execution")
    if state.day >= 2 and len(state.alive) <= 4:
        yield from context.offer(SpeechAct("final"), "few are left")


def _disproved(context: TalkContext, dead: str) -> Iterator[Suggestion]:
    """Yield that a result was false: where one wolf plays its execution ends the game, so who had called the executed a
    wolf has lied."""
    situation, ledger = context.situation, context.situation.ledger
    if situation.outer.known.get(dead) != Species.HUMAN or ledger.claims.get(dead) == Role.WEREWOLF:
        return
    for seer in ledger.claimants[Role.SEER]:
        friend = seer in allies(situation)  # Nobody of the wolves' side shows up its own.
        if (dead, _WOLF) in _told(situation, seer) and seer in situation.state.others and not friend:
            act = SpeechAct("executed", target=dead, to=seer, topic="disproved")
            if context.cares(f"disproved:{seer}", FEW_CONCLUDE) or len(situation.state.alive) <= FINAL:
                yield from context.offer(act, f"the game goes on without {dead}")


# --- The order of a day's talks --------------------------------------------------------------------------------------


def greeting(context: TalkContext) -> list[Suggestion]:
    """Plan a talk of day 0: a greeting, perhaps some small talk that picks up somebody's words, answers, and then
    silence.
    """
    small_talk = context.offer(SpeechAct("chat"), "small talk") if context.turn == 1 else ()
    return list(islice(chain(context.offer(SpeechAct("greet"), "greet the village"), duties(context), small_talk), 1))


def daily(context: TalkContext) -> list[Suggestion]:
    """The suggestions for one talk (an empty list: nothing more today)."""
    if context.unmasked:
        return _most_pressing(context, "")[:1]
    reply = next(replies(context), None)
    near = reply.to if reply else ""
    chosen = _content(context, near)
    if reply is not None and reply.acts and _stands_alone(reply.acts[0], chosen):
        return [reply]
    partner = next((one.to for one in chosen if one.to), "")
    if reply is None or not chosen or partner:
        spoken = [one if one.to else _spoken_to(partner, _unless_old(partner, one, context)) for one in chosen]
        return [t for t in spoken if t.to or not _speaks_of(partner, t) or "vote" in t.acts[0].row.binds]
    if any(_speaks_of(near, _spoken_to(near, one)) for one in chosen):
        return chosen  # Nobody is addressed and spoken of in one breath.
    rest = [one for one in chosen if one.acts[0].kind != "morning" or len(chosen) == 1]
    spoken = [_spoken_to(near, one) for one in rest]
    if any(act.to == act.target == near for one in spoken for act in one.acts):
        # What is said to the face next is reply enough.
        return [replace(spoken[0], to=near), *spoken[1:]]
    # Without a word for who has spoken to us, what is meant for all calls nobody; a nod gives way to a vote's reason.
    nods = reply.acts and reply.acts[0].topic in ("", "alike", "thanks")
    kinds = {act.kind for one in spoken for act in one.acts}
    votes, unmasks = not kinds.isdisjoint(("vote", "retract")), not kinds.isdisjoint(("confess", "ally"))
    # Who drops the mask neither doubts nor nods any more.
    return [reply, *spoken] if reply.acts and not unmasks and not (nods and votes) else spoken


_WAITS_FOR_ANOTHER_TALK = ("listen", "react", "heard", "morning", "trust")
"""Acts that have nothing to do with the defence or doubt that a talk begins with, and would hang in the air behind
it."""


def _stands_alone(reply: SpeechAct, chosen: Sequence[Suggestion]) -> bool:
    """Whether ``reply``, which takes up what was said as a nod does not, is all that the talk says: nothing else is
    ``chosen``, or only what would hang in the air behind it."""
    doubts = reply.topic in ("still", "compared")
    waits = bool(chosen) and chosen[0].acts[0].kind in _WAITS_FOR_ANOTHER_TALK
    return (doubts and not chosen) or (waits and (doubts or reply.kind == "defend"))


def _unless_old(name: str, one: Suggestion, context: TalkContext) -> Suggestion:
    """``one`` without a word on who was suspected before, where that is ``name``, whom the talk calls."""
    if name not in _suspected_before(context):
        return one
    return replace(one, acts=tuple(replace(a, topic="") if a.topic == "rather" else a for a in one.acts))


def _spoken_to(name: str, one: Suggestion) -> Suggestion:
    """``one`` said to ``name``: what concerns that player itself is said to its face."""
    if not name:
        return one
    acts = tuple(_to_the_face(a) if a.target == name and said_to_face(a) else a for a in one.acts)
    return replace(one, acts=acts)


def _to_the_face(act: SpeechAct) -> SpeechAct:
    """``act`` said to its target; to sum up the day is meant for all."""
    if act.topic in (*SUMMARIES, "rather", "turned"):
        return SpeechAct(act.kind, target=act.target, to=act.target)
    return replace(act, to=act.target)


def _speaks_of(name: str, one: Suggestion) -> bool:
    """Whether ``one`` would speak of ``name`` as of somebody else."""
    told = {who for a in one.acts if a.topic in SUMMARIES or a.kind == "ahead" for who in (a.other, a.led, *a.rest)}
    return bool(name) and (name in told or any(name in (a.target, a.to) and a.to != a.target for a in one.acts))


def _content(context: TalkContext, near: str) -> list[Suggestion]:
    """Duties, the vote, or something of interest; ``near`` has spoken to us and is the only one to be addressed."""
    musts = _most_pressing(context, near)
    if any(act.kind in ("vote", "retract") for one in musts for act in one.acts):
        return musts
    claims = not context.last and any(act.kind == "claim" for one in musts for act in one.acts)
    # Who has just claimed lets the others speak first, and argues for its vote by what it has told.
    # An answer that gives a reason leaves no room for another, and the vote can wait.
    explains = bool(musts) and _explains_itself(musts[0].acts[0]) and bool(context.situation.state.talks_after)
    if not claims and not explains and (vote := _vote_to_announce(context)):
        musts = [one for one in musts if one.acts[0].kind != "looked"]  # One talk argues for one thing.
        named = (context.situation.promise, vote.acts[0].target)
        for must in musts[:1]:
            undecided = must.acts[0].topic in ("between", "between_you")
            argues = any(act.target in named and act.target for act in must.acts)
            # Nobody suspects one player and announces its vote for another in one talk.
            named_other = must.acts[0].kind == "answer" and must.acts[0].topic in ("suspect", "vote")
            astray = named_other and must.acts[0].target != vote.acts[0].target
            if undecided or astray or (argues and vote.acts[0].kind == "retract"):
                # The vote answers who asks for a suspect. Who takes a vote back argues for it no more, and once for the
                # new one: that is the answer, too.
                return [replace(vote, to=must.to, keys=must.keys)]
        return [*musts[:1], vote]
    if musts and musts[0].acts[0].kind == "defend" and not context.voted:
        return [musts[0], *_pointing(context, musts[0])]
    if musts:
        return _with_morning(context, musts)
    return _interest(context, near) if not context.voted else _afterword(context, near)


def _explains_itself(act: SpeechAct) -> bool:
    """Whether ``act`` answers a question with a reason of its own."""
    return act.kind == "answer" and act.variant.reasoned and act.topic not in ("vote", "suspect")


def _pointing(context: TalkContext, defence: Suggestion) -> Iterator[Suggestion]:
    """Whom this seat suspects itself, with the reason, where its ``defence`` points at nobody yet."""
    if defence.acts[0].topic in ("left", "lied", "named"):
        return
    for one in _suspect(context):
        act = _with_reason(one.acts[0], context.situation, defence.to)
        if act.kind == "suspect" and not _says_nothing(act) and defence.to not in (act.other, act.led, *act.rest):
            yield one
            return


def _afterword(context: TalkContext, near: str) -> list[Suggestion]:
    """After the vote only news is taken up."""
    # A seer that has told all it knows still wants to hear those who are neither its rival nor its suspect.
    deaf = {suspect_aloud(context), *context.situation.ledger.claimants[Role.SEER]}
    asks = [one for one in _question(context) if one.to not in deaf] if context.claimed == Role.SEER else []
    told = (one for one in chain(_ahead(context), news(context)) if one.to in ("", near))
    return list(islice(chain(told, (one for one in asks if near in ("", one.to))), 1))


LOOK_AHEAD = 2
"""About so many say what follows if their vote does not end the game."""


def _ahead(context: TalkContext) -> Iterator[Suggestion]:
    """What follows where one wolf plays if the village hangs whom this seat votes for and the game goes on: who is left
    to be the wolf, that the seer has lied who called that player one, or, for a seer, that it has lied itself."""
    situation, vote = context.situation, context.situation.promise
    state, seer = situation.state, own_or_trusted_seer(situation)
    if not (vote in state.alive and seer and small_village(situation) and len(state.alive) > FINAL):
        return
    if seer != context.me and argued_by_others(situation, seer):
        return  # Who has given another seer's result as its reason does not count by the word of this one.
    rest = tuple(one for one in wolves_left(situation, seer) if one != vote)
    act = SpeechAct("ahead", target=vote, topic="liar" if vote in situation.rivals(Role.SEER) else "", rest=rest)
    if (vote, _WOLF) in _told(situation, seer):
        mine = seer == context.me
        act = SpeechAct("ahead", target=vote, to="" if mine else seer, topic="mine" if mine else "lied")
    elif not rest or vote not in wolves_left(situation, seer):
        return
    # Who is called by the one it votes for owes it a word on what follows if that one is no wolf.
    called = any(
        (one.who, one.target, one.day) == (vote, context.me, context.day) for one in situation.ledger.addresses
    )
    if rest and act.topic in ("", "liar") and not called and _counted_by_another(context, vote, {*rest}):
        return  # Twice the same sum says nothing more.
    if (called and said_to_face(act)) or context.cares(f"ahead:{context.day}", LOOK_AHEAD):
        yield from context.offer(act, f"what if {vote} is no wolf")


def _counted_by_another(context: TalkContext, vote: str, rest: set[str]) -> bool:
    """Whether another who is none of those left has named them all in one talk of today, or the ``rest`` of them after
    it has announced its vote for ``vote`` as well; or whether one of the ``rest``, who does not name itself, has named
    the others and nobody else but this seat, in a talk that announces no vote."""
    names = names_of(context.situation.state.players)
    today = (one for one in context.situation.ledger.heard if one.day == context.day)
    others = (one for one in today if one.who not in (context.me, vote, *rest) and not news_of(one))
    ledger, day = context.situation.ledger, context.day
    if any(_sums_up(context, one, {vote, *rest}) for one in context.situation.ledger.heard if one.who in rest):
        return True
    return any(
        (rest if rest - {one.who} and ledger.votes.get((day, one.who)) == vote and len(rest) > 1 else rest | {vote})
        <= {*names.players_in(one.talk.text)}
        for one in others
    )


def _sums_up(context: TalkContext, heard: TalkRecord, left: set[str]) -> bool:
    """Whether ``heard``, of one of those ``left``, names the others and at most this seat besides, and is no vote."""
    if heard.day != context.day or news_of(heard) or any(said.kind in ("vote", "retract") for said in heard.statements):
        return False
    named = {*names_of(context.situation.state.players).players_in(heard.talk.text)} - {heard.who}
    return len(named) > 1 and left - {heard.who} <= named <= {*left, context.me}


def _ahead_to(context: TalkContext, who: str) -> SpeechAct | None:
    """What follows if ``who``, for whom this seat votes, is no wolf, said to its face."""
    told = (one.acts[0] for one in _ahead(context))
    return next((_to_the_face(act) for act in told if act.target == who and said_to_face(act)), None)


def _interest(context: TalkContext, near: str) -> list[Suggestion]:
    if found := list(islice((one for one in interests(context) if not near or _suits(near, one)), 2)):
        if found[0].acts[0].kind != "morning":
            return found[:1]
        # A talk has room for one thing: what takes up the claims, or accuses, needs it more than a good morning, and
        # that few are left need not be said beside it.
        found = [one for one in found if one.acts[0].kind != "final"]
        return found[-1:] if found[-1].acts[0].kind in _SAYS_MORE else found
    shown = context.situation.ledger.sides_are_open
    # Once sides are open nobody watches for signs.
    open_minded = context.turn < 2 and not context.situation.suspected and not shown
    listen = context.offer(SpeechAct("listen"), "nothing to go on yet") if open_minded else ()
    return [next(iter(listen), _announcement(context))]


_SAYS_MORE = ("heard", "rivals", "react", "rival", "suspect", "agree")
"""Acts that say more than a good morning."""


def _suits(near: str, one: Suggestion) -> bool:
    """Whoever has just spoken to us is not talked of as if absent."""
    act = one.acts[0]
    if one.to not in ("", near) or _speaks_of(near, _spoken_to(near, one)):
        return False
    # Trust in a third, or a nod to it, is no answer to who has spoken to us.
    return act.kind not in ("agree", "trust")


def _most_pressing(context: TalkContext, near: str) -> list[Suggestion]:
    """The most pressing duty, and a second one when neither is addressed to anybody.

    Who has spoken to us comes before who has only spoken of us.
    """
    # Why this seat looked somewhere is no answer to who has spoken to it.
    found = [one for one in duties(context) if not near or one.acts[0].kind != "looked"]
    first = "" if _answers_first(context) else "defend"
    found.sort(key=lambda one: bool(near) and one.to not in ("", near) and one.acts[0].kind != first)
    second = next((one for one in found[1:] if not one.to), None)
    return [found[0], second] if second and not found[0].to else found[:1]


def _vote_to_announce(context: TalkContext) -> Suggestion | None:
    """The vote to be announced now, or the change of an announced one."""
    situation = context.situation
    if context.unmasked:
        return None
    if not context.voted:
        return _announcement(context) if _time_to_vote(context) else None
    wish = context.vote
    if not situation.promise or wish == situation.promise or not _mind_changed(situation, wish):
        return None
    if _bound_by_results(situation, wish) or not _something_new(situation, wish):
        return None
    act = SpeechAct("retract", target=wish, topic="turned" if wish in _quoted_seers(situation) else "")
    return next(context.offer(act, f"now {wish} instead of {situation.promise}"), None)


def _since_own_vote(situation: Situation) -> list[TalkRecord] | None:
    """What others have said since this seat announced or took back a vote today; ``None`` where it has not."""
    found: list[TalkRecord] = []
    for heard in reversed(situation.ledger.heard):
        if heard.day != situation.state.day:
            break
        if heard.who != situation.state.me:
            found.append(heard)
        elif any(one.kind in ("vote", "retract") for one in heard.statements):
            return found
    return None


def _heard_news(situation: Situation) -> bool:
    """Whether a claim or result has come since this seat announced its vote of today, or it has announced none."""
    since = _since_own_vote(situation)
    return since is None or any(map(news_of, since))


def _something_new(situation: Situation, wish: str) -> bool:
    """Whether the announced vote may be taken back for ``wish``: something has come since it was announced, and that
    is the reason told. It is a claim or result, an announced vote for ``wish``, or what else speaks against it."""
    state, since, votes = situation.state, _since_own_vote(situation), situation.announced
    decides = 2 * (len(votes.get(wish, ())) + 1) > len(state.alive)
    settled = 2 * (len(votes.get(situation.promise, ())) + 1) > len(state.alive)
    wolf = situation.outer.wolf
    if since is not None and settled and wolf.get(wish, 0.0) - wolf.get(situation.promise, 0.0) <= CLOSE_SCORES:
        return False  # A vote that already decides is kept where the others are about as suspicious.
    if since is None or (decides and situation.promise != situation.meant):
        return True
    act = _with_reason(SpeechAct("retract", target=wish), situation, "")
    if act.proof[-1] == "announced_by":
        seers = situation.rivals(Role.SEER)
        if situation.story.role == Role.SEER and situation.promise in seers and wish not in seers:
            return False  # A seer leaves the rival, whom it knows to lie, for no single vote.
        return any(situation.is_new(Fact("announced", who, wish)) for who in (act.other, act.led))
    if _turns_about(situation, wish):
        return True
    news = any(map(news_of, since)) or len(state.alive) <= FINAL
    return news and not _is_faint(act) and not {"let_go", "other_left", "hunch"} & {act.proof[0], act.proof[-1]}


def _news_about(situation: Situation, name: str) -> list[Reason]:
    """What speaks against ``name`` and has come since this seat announced its vote, but for how much is talked."""
    reasons = _facts_about(name, situation, against=True)
    telling = (one for one in reasons if one.kind not in ABOUT_TALKING and not _bandwagon(one, name))
    # Nobody reproaches another with the vote that it has announced itself.
    return [one for one in telling if situation.is_new(one.fact) and one.fact.about != situation.promise]


def _turns_about(situation: Situation, name: str) -> list[Reason]:
    """What of :func:`_news_about` is more than that somebody else suspects ``name`` by now: that alone turns nobody."""
    return [one for one in _news_about(situation, name) if not _is_echo(one, name)]


def _announcement(context: TalkContext) -> Suggestion:
    topic = "rather" if _suspected_before(context) - {context.vote} and context.turn else ""
    topic = "turned" if _stood_by(context.situation, context.vote) else topic
    act = next(_summaries(context), None) or SpeechAct("vote", target=context.vote, topic=topic)
    if topic in ("rather", "turned") and (kept := _suspect_kept(context, act)):
        return Suggestion((SpeechAct("vote", target=kept),), f"announce the vote for {kept}, suspected before")
    if topic == "turned" and (liar := _rival_kept(context)):
        return Suggestion((SpeechAct("vote", target=liar),), f"announce the vote for {liar}, whose rival is believed")
    return Suggestion((act,), f"announce the vote for {context.vote}")


def _stood_by(situation: Situation, name: str) -> bool:
    """Whether the last seer whom this seat has declared to believe is ``name``: who has taken the only claim for true
    and sided with another one since stands by ``name`` no more."""
    keys = situation.ledger.keys
    sided = any(leaned_to(one) in keys for one in situation.rivals(Role.SEER) if one != name)
    return leaned_to(name) in keys or (followed(name) in keys and not sided)


def _rival_kept(context: TalkContext) -> str:
    """The player to vote for in place of a seer whom this seat has declared to believe today, while nothing new speaks
    against that seer: of its living rivals the likeliest wolf. ``""``: none, or the vote may stay."""
    situation, seer = context.situation, context.vote
    if situation.evil or context.new(leaned_to(seer)) or _turned_by_news(situation, seer):
        return ""
    living = [one for one in situation.rivals(Role.SEER) if one in situation.state.alive and one != seer]
    wolf, known = situation.outer.wolf, situation.outer.known
    living = [one for one in living if known.get(one) != Species.HUMAN]
    return max(living, key=lambda one: wolf.get(one, 0.0), default="")


def _suspect_kept(context: TalkContext, act: SpeechAct) -> str:
    """Whom this seat has suspected today and votes for after all, where ``act`` has no fact to tell for the change and
    that player is about as suspicious; else ``""``."""
    situation = context.situation
    spared = {*allies(situation)} if situation.evil else set[str]()
    wolf, known = situation.outer.wolf, situation.outer.known
    old = [
        name
        for name in sorted(_suspected_before(context) - spared, key=lambda one: -wolf.get(one, 0.0))
        if name in situation.state.others and known.get(name) != Species.HUMAN
    ]
    told = told_reasons(situation.ledger.keys)
    if madman := [one for one in told if one.wording.startswith("beside_liar") and one.other == context.vote]:
        # Who has taken that player for the madman looks for the wolf elsewhere.
        return next((one.target for one in madman if one.target in old), "")
    if old and act.topic == "turned" and not _turned_by_news(situation, context.vote):
        return old[0]  # Who turns on the seer it went by tells what has come since.
    if not old or wolf.get(context.vote, 0.0) - wolf.get(old[0], 0.0) > RECONSIDER:
        return ""
    return old[0] if _says_nothing(_with_reason(act, situation, "")) else ""


def _turned_by_news(situation: Situation, seer: str) -> bool:
    """Whether ``seer`` is proven a liar, or something has come since this seat's last word on it that speaks for
    another one."""
    since = _last_word_on(seer, situation)
    others = [one for one in situation.rivals(Role.SEER) if one != seer]
    found = (one for other in others for one in circumstances(situation, other, seer))
    # A liar denies another's claim as fast as the true seer: who came when turns nobody.
    weak = (*_OF_ORDER, *_DOUBTS, "alike")
    return seer in proven_liars(situation) or any(one.at > since for one in found if one.kind not in weak)


def _says_nothing(act: SpeechAct) -> bool:
    """Whether the reason of ``act`` tells nothing that sets its target apart from whoever else may be the wolf."""
    first = act.proof[0] if act.proof else ""
    bare = first.removesuffix("_again") in LEFT_OPEN and not act.also
    return first.endswith("_even") or first in ("", "hunch", "let_go", "other_left") or bare


def _told(situation: Situation, seer: str) -> set[tuple[str, str]]:
    """What ``seer`` has told of whom."""
    return {(target, str(result)) for target, result in situation.ledger.told(seer).items()}


def _suspected_before(context: TalkContext) -> set[str]:
    """Whom this seat has suspected today, if it has not suspected the one it votes for as well."""
    found = context.situation.suspected
    return set() if context.vote in found else found & set(context.situation.state.alive)


SUM_UP = 2
"""About so many sum the day up before they announce their vote."""


def _summaries(context: TalkContext) -> Iterator[SpeechAct]:
    """Yield how the vote can be announced with what the day has brought: who joins two others counts the votes."""
    situation, vote = context.situation, context.vote
    if not context.turn or situation.story.role == Role.SEER or not context.cares(f"sum {context.day}", SUM_UP):
        return
    ledger = situation.ledger
    sided = [name for name in situation.rivals(Role.SEER) if {leaned_to(name), followed(name)} & {*ledger.keys}]
    if vote in sided or any((vote, Species.HUMAN) in _told(situation, name) for name in sided):
        return  # Who has sided with that seer, or with one that clears the player, says first that it does so no more.
    if _suspected_before(context):
        return  # Who has accused another today explains that first.
    near = [one for one in situation.announced.get(vote, ()) if one not in proven_liars(situation)]
    told = _with_reason(SpeechAct("vote", target=vote), situation, "")
    if not _says_nothing(told) and told.proof[-1] not in (*_NO_REASONS, *ABOUT_TALKING, "announced_by"):
        return  # Who has a reason of its own gives that.
    if len(near) == 2 and len(situation.state.alive) in (4, 5):
        yield SpeechAct("vote", target=vote, topic="sum_votes", other=near[0], led=near[1])


def _time_to_vote(context: TalkContext) -> bool:
    """Votes are announced two talks before the last.

    Early words win votes and let the village gather; there is a talk left to take them back. But before a final a vote
    that rests on nothing waits for the last talk: until then a question may still find something.
    """
    left = context.situation.state.talks_after
    if context.last or left == 0:
        return True
    if left is None or left > 2:
        return False
    if context.day > 1 and len(context.situation.state.alive) <= LAST_DAY_ALIVE:
        return True
    return rests_on_something(context.situation, context.vote)


def _mind_changed(situation: Situation, wish: str) -> bool:
    """Whether the mind has changed for good, not by a hair unless the vote announced rests on nothing; or its target
    has shown a rare role since."""
    if (
        situation.ledger.claims.get(situation.promise) in RARE
        and situation.ledger.claimed_on.get(situation.promise) == situation.state.day
    ):
        return True
    if gathers(situation, wish):
        return True
    more = situation.outer.wolf.get(wish, 0.0) - situation.outer.wolf.get(situation.promise, 0.0)
    if not 0.0 < more <= RECONSIDER:
        return more > 0.0
    return rests_on_something(situation, wish) and not rests_on_something(situation, situation.promise)


def _bound_by_results(situation: Situation, wish: str) -> bool:
    """Whether results forbid to change the vote to ``wish``: all seers call the player a wolf that was announced, or
    ``wish`` is the very seer by whose result this seat has argued, no proven liar, and nothing tells it from a rival.
    """
    ledger, promise = situation.ledger, situation.promise
    seers = ledger.claimants[Role.SEER]
    black = [who for who in seers if (promise, _WOLF) in _told(situation, who)]
    if len(seers) > 1 and len(black) == len(seers) and situation.outer.known.get(promise) != Species.HUMAN:
        return True
    if _leaves_rival(situation, wish) or (not _heard_news(situation) and _against_own_words(situation, wish)):
        return True
    if wish not in _quoted_seers(situation):
        return False
    told = _of_itself(SpeechAct("retract", target=wish, topic="turned"), situation)
    return told is None or told.proof[0].startswith("case_alike")


def _leaves_rival(situation: Situation, wish: str) -> bool:
    """Whether who lives as the seer would leave its rival, who lies for certain, for somebody whom it has not found to
    be a wolf and who claims nothing."""
    rivals = situation.rivals(Role.SEER)
    found = situation.story.viewpoint(situation.state).results.get(wish) == _WOLF
    lives = situation.story.role == Role.SEER == situation.ledger.claims.get(situation.state.me)
    return lives and situation.promise in rivals and wish not in rivals and not found


def _against_own_words(situation: Situation, wish: str) -> bool:
    """Whether ``wish`` is called a wolf by the very seer whom this seat votes for, or cleared by one by whose word it
    has argued."""
    seers, keys = situation.rivals(Role.SEER), situation.ledger.keys
    argued = {one.other for one in told_reasons(keys) if one.wording in ("left_with", "of_two_with", "of_three_with")}
    called = (wish, _WOLF) in _told(situation, situation.promise) and situation.promise in seers
    return called or any((wish, Species.HUMAN.value) in _told(situation, seer) for seer in argued)


def _quoted_seers(situation: Situation) -> frozenset[str]:
    """The seers, no proven liars, by whose results this seat has argued against whom it has announced its vote for."""
    told = [one for one in told_reasons(situation.ledger.keys) if one.wording.startswith("seer_black_by")]
    return frozenset(one.other for one in told if one.target == situation.promise) - proven_liars(situation)


def _with_morning(context: TalkContext, musts: list[Suggestion]) -> list[Suggestion]:
    if len(musts) > 1 or context.turn > 0 or musts[0].to or context.day < 2:
        return musts
    if any(act.kind == "looked" for act in musts[0].acts):
        return musts  # One talk has no room for mourning beside a result and why this seat looked there.
    if musts[0].acts[0].kind in ("confess", "ally"):
        return musts  # who drops the mask does not first mourn, or call somebody else the possessed
    first = next(interests(context), None)
    return [first, *musts] if first and first.acts[0].kind == "morning" else musts


# --- Why a seat says what it plans to say ----------------------------------------------------------------------------


_DAYS_AFTER = dict.fromkeys(("voted", "felled", "broke_promise", "attacked", "claimant_attacked"), 1)
"""Facts that a day's vote and night bring, in days that they come later than what was said on it."""


def with_reasons(acts: Sequence[SpeechAct], situation: Situation, address: str = "") -> tuple[SpeechAct, ...]:
    """Add to ``acts`` what stands behind those that want a reason; one talk argues once about each player, and speaks
    of ``address``, whom it calls, as of somebody else only where there is no other reason.
    """
    found: list[SpeechAct] = []
    for act in acts:
        argued = any(earlier.target == act.target and (earlier.reason or earlier.proof) for earlier in found)
        wanted = act.variant.reasoned and not act.reason and not argued
        found.append(_to_hear(_with_reason(act, situation, address), address) if wanted else act)
    return tuple(found)


def _to_hear(act: SpeechAct, address: str) -> SpeechAct:
    """``act`` as it is told: without the premise that speaks of ``address``, whom the talk calls, as of somebody
    else: what sets the target apart is enough, and that the other one left can be looked at, or looks better, is said
    to its face."""
    if act.proof[-1:] == ("let_go",) and act.proof[0].startswith(("case_", "seer_black")):
        act = replace(act, proof=act.proof[:-1])  # What speaks against a claim is told, and no old doubt taken back.
    if not address or not act.proof or address not in (act.other, *act.rest):
        return act
    if act.proof[0].endswith("_apart") and act.also is not None and act.also.other != address:
        return replace(act, proof=act.also.wordings, other=act.also.other, also=None)
    if act.proof[0].endswith("_clear"):
        return replace(act, proof=act.proof[1:], rest=()) if address in act.rest else act
    if act.proof[0].endswith("_plan") and act.rest == (address,):
        return replace(act, proof=("plan_for_you", *act.proof))
    if act.proof[0].endswith("_with_even") and act.rest == (address,):
        return replace(act, proof=("even_for_you", *act.proof))
    return act


def _with_reason(act: SpeechAct, situation: Situation, address: str) -> SpeechAct:
    """``act`` with what stands behind it; who votes for another than its suspect without such a thing says who has
    brought it to that."""
    told = _with_ground(act, situation, address)
    bare = _says_nothing(told) or told.proof[0].endswith("_plan")
    if (act.kind, act.topic) != ("vote", "rather") or not bare:
        return told
    unheard = {address, act.target, *proven_liars(situation), *situation.suspected}
    heard = [one for one in situation.announced.get(act.target, ()) if one not in unheard]
    return replace(act, proof=("announced_by",), other=heard[-1]) if heard else told


def _with_ground(act: SpeechAct, situation: Situation, address: str) -> SpeechAct:
    """``act`` with the ground of this seat for it: of the act itself, of what has moved this seat's belief, or what is
    said where neither is there."""
    if told := _of_itself(act, situation):
        return told
    name, against = act.target, act.kind != "trust" and act.topic != "believe"
    reasons = _reasons_of(act, situation, against=against)
    firm = any(reason.kind in _TURNS for reason in reasons)
    if act.kind == "retract" and not (firm and _heard_news(situation)):
        if not (fresh := _turns_about(situation, name)):
            return _turning(act, reasons, situation)
        reasons = fresh
    quoted = _by_seers(act, reasons, situation, against=against)
    if quoted or not reasons:
        return quoted or _without_facts(act, situation, against=against)
    reason = min(reasons, key=lambda one: _worth_saying(one, name, situation, address))
    if act.topic != "why_vote" and _is_echo(reason, name) and against and (marked := _with_mark(act, situation)):
        return marked  # What a player did says more than that another thought so.
    led = _led(reason, name, situation)
    act = replace(act, other=_other(reason, name), led="" if led == address else led)
    if told := _concluded(act, reason, situation):
        return told
    wordings = _wordings(reason, name, situation)
    if not against and wordings[0] in _PRAISED:
        wordings = (f"{wordings[0]}_trusted", *wordings)
    return replace(
        act,
        proof=(f"{reason.wordings[0]}_again", *wordings) if act.led and wordings == reason.wordings else wordings,
        day=reason.fact.day or None,
        rest=_rest(reason, name, situation),
        also=_beside(reason, reasons, name, situation) if act.topic not in ("why_vote", "believe") else None,
    )


def _all_agree(name: str, result: str, situation: Situation) -> tuple[str, ...]:
    """The two who claim to be the seer where both have told ``result`` of ``name``, and this seat, no seer itself, has
    said no such thing yet: whoever of them lies, it holds."""
    seers = situation.rivals(Role.SEER)
    agree = len(seers) == 2 and all((name, result) in _told(situation, one) for one in seers)
    known = situation.outer.known.get(name, result) != result or situation.story.role == Role.SEER
    told = [one.target for one in told_reasons(situation.ledger.keys) if one.wording.endswith("_all")]
    return tuple(seers) if agree and not known and name not in told else ()


def _of_itself(act: SpeechAct, situation: Situation) -> SpeechAct | None:
    """``act`` where what kind of act it is tells what has to stand behind it."""
    if act.topic == "why_divine" or act.kind == "looked":
        return _with_look(act, situation)
    if act.topic == "why_vote":
        if _had_found(act.target, situation):
            return replace(act, proof=FOUND)
        told = _as_told(act, situation)
        rival = situation.story.role == Role.SEER and act.target in situation.rivals(Role.SEER)
        return replace(act, proof=("our_role", "why_vote")) if rival and told is None else told
    if act.row.accuses and act.target in situation.ledger.claimants[Role.WEREWOLF]:
        return replace(act, proof=("werewolf_claim",))
    against = act.row.accuses or act.kind in ("retract", "rival")
    if against and (opposite := _found_otherwise(act.target, situation)):
        return replace(act, proof=("own_opposite", "our_role"), other=opposite)
    seer = _of_seers(act, situation)
    told = _with_case(act, situation, seer) if seer else None
    return replace(act, proof=("our_role",)) if act.kind == "rival" and told is None else told


def _reasons_of(act: SpeechAct, situation: Situation, *, against: bool) -> list[Reason]:
    """What may be said for ``act``, the strongest first."""
    name = act.target
    reasons = _facts_about(name, situation, against=against)
    if act.kind != "retract" or situation.promise not in wolves_left(situation, situation.trusted):
        # What held for the old vote as well does not explain the change.
        reasons = _concluding(reasons, name, situation, against=against)
    if act.kind not in ("vote", "retract"):
        reasons = [reason for reason in reasons if not _bandwagon(reason, name)]
    if act.topic == "why_vote":
        # What that vote itself and the days since brought to light cannot have been its reason.
        reasons = [reason for reason in reasons if _known_before_vote(reason, situation.state.day)]
    return reasons


def _by_seers(act: SpeechAct, reasons: Sequence[Reason], situation: Situation, *, against: bool) -> SpeechAct | None:
    """``act`` for what both seers have told, or one where nothing else speaks more clearly."""
    both = _all_agree(act.target, _WOLF if against else Species.HUMAN.value, situation)
    if both and (act.kind == "trust" or (against and act.topic != "why_vote")):
        how = "seer_black" if against else "seer_white"
        return replace(act, proof=(f"{how}_all", f"{how}_by"), other=both[0], rest=both[1:])
    caller = _quoted_caller(act, reasons, situation, against=against)
    if not caller:
        return None
    keys = situation.ledger.keys
    sided = any(key.startswith((leaned_to(""), followed(""))) and not key.endswith(f" {caller}") for key in keys)
    against_it = doubted(caller) in keys or _voted_against(caller, situation)
    turned = "seer_black_by_turned" if against_it else "seer_black_by_sided" if sided else ""
    act = replace(act, proof=tuple(filter(None, (turned, "seer_black_by"))), other=caller)
    return _with_case(act, situation, caller) or act


def _is_echo(reason: Reason, name: str) -> bool:
    """Whether all that ``reason`` says of ``name`` is that another suspects it."""
    return reason.kind in _AGAINST and reason.fact.about == name != reason.fact.who


def _quoted_caller(act: SpeechAct, reasons: Sequence[Reason], situation: Situation, *, against: bool) -> str:
    """The seer whose result is the reason where nothing but others' votes and silence is: they are none where a result
    can be one."""
    weak = all(
        _bandwagon(reason, act.target) or reason.kind in (*ABOUT_TALKING, "seer_white", "seer_claim_second")
        for reason in reasons
    )
    caller = _caller(act.target, situation) if weak and against and act.topic != "why_vote" else ""
    return caller if not reasons or caller == (situation.trusted or caller) else ""


def _as_told(act: SpeechAct, situation: Situation) -> SpeechAct | None:
    """``act``, which explains a vote of yesterday, with the reason that this seat gave for it then, where that still
    holds; ``None`` without any."""
    about = [one for one in told_reasons(situation.ledger.keys) if one.target == act.target]
    # Of several circumstances that could have been told only one was.
    about = [one for one in about if not case_of(one.wording)[0] or _was_told(one, situation)] or about
    told = next((one for one in about if one.wording.startswith(_TOLD_ALONE) or one.wording in _LASTING), None)
    if (
        told is not None
        and told.other in proven_liars(situation)
        and (act.target, _WOLF) in _told(situation, told.other)
    ):
        return replace(act, proof=("fooled",), other=told.other)  # What was a lie is no reason any more.
    if told is None and (count := next((one for one in about if one.wording.startswith(_COUNTS) and one.other), None)):
        return replace(act, proof=("count_then", "why_vote"), other=count.other)
    # A pack may word what was so then as something past.
    return replace(act, proof=(f"{told.wording}_then", told.wording), other=told.other) if told else None


def _was_told(reason: ToldReason, situation: Situation) -> bool:
    """Whether the circumstance or mark that words ``reason`` was told, of its target or of whoever it is held
    against."""
    kind = case_of(reason.wording)[0]
    return any(one.startswith(f"told|{kind}|") for one in situation.ledger.keys)


def _without_facts(act: SpeechAct, situation: Situation, *, against: bool) -> SpeechAct:
    """``act`` where nothing that moved the belief can be said."""
    if act.topic == "why_vote":
        return replace(act, proof=("why_vote",))
    if not against:
        return replace(act, proof=("good_feeling",))
    found = _with_mark(act, situation) or _against_a_seer(act, situation)
    told = (one for one in told_reasons(situation.ledger.keys) if one.target == act.target)
    beside = next((one for one in told if one.wording.startswith("beside_liar")), None)
    if beside is not None and (found is None or _is_faint(found)):
        return replace(act, proof=("beside_liar",), other=beside.other)  # That still says more than who spoke last.
    return found or replace(act, proof=("accuses_us",) if _accuses_us(act.target, situation) else ("hunch",))


def _against_a_seer(act: SpeechAct, situation: Situation) -> SpeechAct | None:
    """``act`` against one who claims to be the seer: what tells its claim from another's, else why a kind result from
    it, where it has told one of this seat, wins it no vote."""
    target, white = act.target, (situation.state.me, Species.HUMAN.value)
    rivals = [one for one in situation.rivals(Role.SEER) if one != target]
    other = _likeliest_seer(situation, (target, *proven_liars(situation)))
    if target in situation.rivals(Role.SEER) and other and not calls_me_wolf(situation, target):
        told = _with_case(act, situation, other)
        if told is not None and not told.proof[0].startswith("case_alike"):
            return told
    if white not in _told(situation, target):
        return None
    # What another seer has told as well is nothing to hold against this one.
    if alike := [one for one in rivals if white in _told(situation, one)]:
        return replace(act, proof=("case_alike_rival",), other=alike[0])
    # Who takes both claims for false says which of the two is the wolf.
    if called := [one for one in rivals if calls_me_wolf(situation, one)]:
        return replace(act, proof=("bought_me_torn", "bought_me"), other=called[0])
    return replace(act, proof=("bought_me",))


def _concluded(act: SpeechAct, reason: Reason, situation: Situation) -> SpeechAct | None:
    """``act`` for a ``reason`` that is told with what tells two claims, or those who are left, apart."""
    name, wordings = act.target, _wordings(reason, act.target, situation)
    if wordings[-1] == "seer_black_by":
        act = replace(act, proof=wordings, led="")
        return _with_case(act, situation, act.other) or act
    if reason.kind in LEFT_OPEN:
        return _by_turns(act, reason, situation) or _with_last_step(
            replace(act, rest=_rest(reason, name, situation)), reason, situation
        )
    if reason.kind in ("left_with", "left_own"):
        turned = _with_turn(act, reason, situation) if reason.kind == "left_with" else None
        return turned or _with_cleared(act, reason, situation)
    if reason.kind in _OF_CLAIMS and name in situation.rivals(Role.SEER):
        liars = proven_liars(situation) if situation.story.role != Role.SEER else ()
        return _beside_another(replace(act, led=""), situation) if name not in liars else None
    if reason.kind in ("our_role", "own_black") and name in situation.rivals(Role.SEER):
        return _of_own_role(act, reason, situation)
    return None


def _with_cleared(act: SpeechAct, reason: Reason, situation: Situation) -> SpeechAct | None:
    """``act`` against the only one whom the word of a seer leaves, with who else lives and has been cleared by it, or,
    of three who claim to be the seer, is the possessed; ``None`` where nobody has, and where another has counted so
    before."""
    state, ledger = situation.state, situation.ledger
    mine = reason.kind == "left_own"
    cleared = ledger.called(state.me if mine else reason.fact.who, Species.HUMAN)
    rest = tuple(one for one in cleared if one in state.others and one not in (act.target, act.to))
    claims = mine and not act.led and len(rest) == 1 and all_enemies_claim(situation)
    if claims and {act.target, *rest} <= {*situation.rivals(Role.SEER)}:
        return replace(act, proof=("left_own_claims", "left_own"), rest=rest)
    if act.led or len(rest) != 1 or len(state.alive) > FINAL:
        return None
    return replace(act, proof=(f"{reason.kind}_clear", reason.kind), rest=rest)


def _against_claim(act: SpeechAct) -> bool:
    """Whether ``act`` speaks against its target, so that another claim can be held against it."""
    return act.row.accuses or (act.kind in ("retract", "answer") and act.topic != "believe")


def _beside_another(act: SpeechAct, situation: Situation) -> SpeechAct | None:
    """``act`` about a player who claims to be the seer with what tells its claim from that of the seer whom this seat
    believes, or, of who believes none of them yet, from the likeliest other one; ``None`` where nothing does."""
    name, believed = act.target, own_or_trusted_seer(situation)
    if not (_against_claim(act) or (believed not in ("", name) and act.kind != "trust")):
        return None
    believed = "" if believed == name else believed  # Who speaks against the likelier one holds the other against it.
    seer = believed or _likeliest_seer(situation, (name, *proven_liars(situation)))
    if believed and (told := _with_case(act, situation, seer)):
        return told
    marks = (
        [one for one in circumstances(situation, seer, name) if one.kind != "alike"] if seer and not believed else []
    )
    if marks:
        return replace(act, proof=case_names(_untold(marks, name, situation), "_rival"), other=seer, rest=(name,))
    black = seer not in ("", situation.state.me) and (name, _WOLF) in _told(situation, seer)
    return replace(act, proof=("seer_black_by",), other=seer) if black else None


def _by_turns(act: SpeechAct, reason: Reason, situation: Situation) -> SpeechAct | None:
    """``act`` against the one false seer who is left beside another, for every second who votes so: what tells its
    claim from the seer's, so that not everybody counts the same liars aloud."""
    name, seer = act.target, own_or_trusted_seer(situation)
    false = name in situation.rivals(Role.SEER) and not _rest(reason, name, situation)
    if reason.kind != "beside_liar" or not false or len(situation.announced.get(name, ())) % 2 == 0:
        return None
    told = _with_case(replace(act, led=""), situation, seer)
    return told if told is not None and not told.proof[0].startswith("case_alike") else None


def _of_own_role(act: SpeechAct, reason: Reason, situation: Situation) -> SpeechAct | None:
    """``act`` against a rival of this seat, which lives as the seer: what tells its claim from this seat's."""
    wordings = _wordings(reason, act.target, situation)
    told = _with_case(act, situation, situation.state.me)
    if told is not None and reason.kind == "own_black":
        return replace(act, proof=wordings, also=Ground(told.proof, woven=True))
    return replace(told, proof=(*told.proof, *wordings)) if told else None


def _found_otherwise(rival: str, situation: Situation) -> str:
    """The player of whom ``rival`` has told the opposite of what this seer has found and told, where it has not held
    that against it yet; ``""``: nobody. Nothing shows the seer itself more surely that its rival never looked."""
    me = situation.state.me
    sees = situation.story.role == Role.SEER == situation.ledger.claims.get(me)
    if not sees or rival not in situation.rivals(Role.SEER) or situation.outer.own.get(rival) == _WOLF:
        return ""
    mine = {one.target: str(one.result) for one in situation.ledger.results.get(me, ())}
    others = (name for name, result in _told(situation, rival) if mine.get(name, result) != result)
    found = next((name for name in sorted(others) if name != rival), "")
    return found if found and reason_key("own_opposite", rival, found) not in situation.ledger.keys else ""


_TOLD_ALONE = ("mark_", "accuses_us")
_COUNTS = ("left_with", "of_two_with", "of_three_with")
_LASTING = (
    *("seer_black_by", "beside_liar", "seer_white", "seer_black", "refuted"),
    *(f"case_{kind}_{form}" for kind in LASTING_CASES for form in ("rival", "mine")),
)
"""Reasons that this seat may repeat on the next day as they were: they name nobody else who is left."""
_OF_CLAIMS = (
    *("seer_claim_first", "seer_claim_second", "seer_claim_later", "seer_claim_late", "seer_rivals"),
    *("seer_told_black", "seer_black", "seer_white", "among_seers"),
)
"""Kinds of facts of a seer's claim that say little unless the other claim is held against it."""


def _of_seers(act: SpeechAct, situation: Situation) -> str:
    """The seer by whose claim, against another's, ``act`` is explained, or ``""`` where it is explained otherwise."""
    lives_as_seer, proven = situation.story.role == Role.SEER, proven_seer(situation)
    defends = act.kind == "defend" and act.topic in ("lied", "rival")
    if act.kind == "rival" or (defends and lives_as_seer):
        return situation.state.me if lives_as_seer else ""
    if act.kind == "rivals" or act.topic == "believe":
        return act.target if act.target != proven else ""
    if defends:
        return _likeliest_seer(situation, (act.target,))
    if (act.kind, act.topic) == ("vote", "turned") and not proven and not lives_as_seer:
        others = [name for name in situation.rivals(Role.SEER) if name != act.target]
        trusted = situation.trusted
        return trusted if trusted not in ("", act.target) else next(iter(others), "")
    if (act.kind, act.topic) == ("retract", "turned"):
        return _likeliest_seer(situation, (act.target, *proven_liars(situation)))
    return ""


def _likeliest_seer(situation: Situation, without: Sequence[str]) -> str:
    """Who of those that claim to be the seer is likeliest to be it, ``without`` aside; ``""`` without any."""
    others = [name for name in situation.rivals(Role.SEER) if name not in without]
    return max(others, key=lambda name: situation.outer.credit.get(name, 0.0), default="")


def _with_case(act: SpeechAct, situation: Situation, seer: str) -> SpeechAct | None:
    """``act`` with what tells the claim of ``seer`` from its rival's, the target's where that is one; ``None`` without
    a rival."""
    name = act.target
    rival, form, found = _compared(act, situation, seer)
    quotes = act.proof[-1:] == ("seer_black_by",)  # The reason is what the seer told; the case says why it is believed.
    if form == "_rival" and not found:
        # Where nothing speaks for that seer the rope at least shows whether it has lied.
        shown = _as_test(act, situation, seer) if (name, _WOLF) in _told(situation, seer) else None
        return (shown or replace(act, proof=("seer_black_by",), other=seer)) if act.proof else None
    if quotes and not form and seer == proven_seer(situation) and rival in proven_liars(situation):
        lied = Ground(("rival_lied",), rival, woven=True)
        return replace(act, proof=("seer_black_by_told", "seer_black_by"), other=seer, also=lied)
    if not found or (quotes and not form and found[0].kind == "alike"):
        return _as_test(act, situation, seer) if quotes and not form else None
    if quotes and not form and seer != situation.state.me and _all_told(found, rival, situation):
        # What this seat has told already convinces nobody the second time: it tells what the vote will show.
        test = reason_key("seer_black_by_test", name, seer) not in situation.ledger.keys
        return (_as_test(act, situation, seer) if test else None) or replace(act, proof=("seer_black_by",), other=seer)
    found = _untold(_or_certain(found, act, situation, seer), rival, situation)
    # Who comes later finds what the others have not told.
    first = found[:_TOLD_BY_TURNS]
    shared = [one for one in first if one.kind not in (*_DOUBTS, *_OF_ORDER)]
    shared = shared or [one for one in first if one.kind not in _DOUBTS] or found[:1]
    turn = len(situation.announced.get(act.target, ())) % len(shared)
    turn = 0 if act.topic == "turned" else turn  # Who changes sides tells what weighs most.
    rest = [one for one in found if one not in shared]
    told = case_names([*shared[turn:], *shared[:turn], *rest], form)
    before = tuple(one for one in act.proof if one in _TURNED)
    if quotes and seer != situation.state.me and (before or not form):
        proof = (*(before or ("seer_black_by_told",)), "seer_black_by")
        return replace(act, proof=proof, other=seer, rest=(rival,), also=Ground(told, woven=True))
    keeps = act.proof[-1:] if seer != situation.state.me else ()
    return replace(act, proof=(*told, *keeps), other=seer, rest=(rival,))


def _or_certain(found: list[Mark], act: SpeechAct, situation: Situation, seer: str) -> list[Mark]:
    """``found``, and behind the weightiest of it that the target of ``act``, who claims what ``seer`` does, lies for
    certain if ``seer`` does not, while of the others who can be the wolf one can only guess."""
    name, left = act.target, wolves_left(situation, seer)
    accuses = act.row.accuses or act.kind == "retract" or act.topic in ("vote", "suspect", "why_you")
    # Of three who are left one is the wolf: a liar who may be its madman is no safe choice any more.
    accuses = accuses and len(situation.state.alive) > FINAL
    rivals = situation.rivals(Role.SEER)
    if not accuses or name not in rivals or name not in left or len(left) < LEAST_LEFT:
        return found
    if any(one in rivals for one in left if one != name):
        return found  # Then another lies for certain as well.
    if seer != situation.state.me and not _sides_with(situation, seer):
        return found  # Who has not said yet that it believes that seer says first why it does.
    telling = _decisive(found)
    return [*telling[:1], Mark("certain"), *telling[1:], *(one for one in found if one not in telling)]


LEAST_LEFT = 2
"""Of so many there is a choice."""


def _sides_with(situation: Situation, seer: str) -> bool:
    """Whether this seat has said in this game that it believes ``seer``, or has argued by what speaks for it."""
    said = {leaned_to(seer), followed(seer)} & {*situation.ledger.keys}
    return bool(said) or any(one.other == seer for one in told_reasons(situation.ledger.keys))


def _untold(found: list[Mark], about: str, situation: Situation) -> list[Mark]:
    """``found`` without what this seat has told of ``about`` already, where anything else is left; else what it has
    told last of all."""
    keys = situation.ledger.keys
    fresh = [one for one in found if told_case(one.kind, about) not in keys]
    return fresh or found


def _decisive(found: Iterable[Mark]) -> list[Mark]:
    """Those of ``found`` that speak for one claim and against the other."""
    return [one for one in found if one.kind not in (*_DOUBTS, "alike")]


def _all_told(found: Sequence[Mark], about: str, situation: Situation) -> bool:
    """Whether this seat has told all of ``found`` of ``about``."""
    return all(told_case(one.kind, about) in situation.ledger.keys for one in found)


def _compared(act: SpeechAct, situation: Situation, seer: str) -> tuple[str, str, list[Mark]]:
    """Whose claim is held against that of ``seer``, in which form that is told (see :func:`case_names`), and what tells
    the two apart. Who turns away from another seer tells what has come since its last word on it, if anything has."""
    name, me = act.target, situation.state.me
    about = name if act.kind in ("vote", "retract") else act.to
    since = _last_word_on(about, situation) if act.topic == "turned" else -1
    if seer == me:
        found = _of_own_claim(situation, name)
        said = act.kind == "rival" and name == situation.promise and len(found) >= MOST_SAID_OF_A_RIVAL
        return name, "_mine", [*found[1:], found[0]] if said else found
    if name in situation.ledger.claimants[Role.SEER] and name != seer:
        found = circumstances(situation, seer, name)
        return name, "_rival", [one for one in found if one.at > since] or found
    rival, found = why_seer(situation, seer, since)
    if not found:
        rival, found = why_seer(situation, seer)
    if not found and seer == proven_seer(situation):
        rival = proven_liar(situation)
    if act.proof[-1:] == ("seer_black_by",):
        found = [one for one in found if one.kind != "had_to"]  # That says nothing of whom the result is about.
    return rival, "", found


def _of_own_claim(situation: Situation, rival: str) -> list[Mark]:
    """What a seer may say of its own claim against that of ``rival``."""
    found = circumstances(situation, situation.state.me, rival)
    # A look for no reason is nothing to hold against another one.
    blind = any(
        _with_look(SpeechAct("looked", target=one), situation).proof[0] == "look_blind" for one in _seen(situation)
    )
    return [one for one in found if one.kind not in NOT_MINE and not (blind and one.kind == "unexplained")]


def _seen(situation: Situation) -> list[str]:
    """Whose colour this seat has told."""
    return [said.target for said in situation.ledger.results.get(situation.state.me, ())]


MOST_SAID_OF_A_RIVAL = 2
"""Of so many things one is said with the vote, and another beside it."""


def _as_test(act: SpeechAct, situation: Situation, seer: str) -> SpeechAct | None:
    """``act`` where nothing tells ``seer`` from its rival: with one wolf the vote itself shows whether it has lied."""
    lone = situation.state.wolves == 1
    tests = lone and len(situation.state.alive) > FINAL and len(situation.ledger.claimants[Role.SEER]) > 1
    return replace(act, proof=("seer_black_by_test", "seer_black_by"), other=seer) if tests else None


_TOLD_BY_TURNS = 3
"""Among so many circumstances, the weightiest, those who vote alike share what they tell."""
_OF_ORDER = ("first", "at_once", "had_to", "held_back")
"""Circumstances that tell no more than when somebody claimed: told where nothing else is left."""
_DOUBTS = ("lucky",)
"""Circumstances that may hold of a true seer as well: told where nothing else is left."""
_TURNED = tuple(f"seer_black_by_{how}" for how in ("turned", "sided", "rather"))
"""Wordings that say what was thought before, and have a place for what has changed that."""


def _last_word_on(name: str, situation: Situation) -> int:
    """The place of this seat's last talk of today that names ``name``, -1 without."""
    ledger, state = situation.ledger, situation.state
    own = [place for place, one in enumerate(ledger.heard) if (one.who, one.day) == (state.me, state.day)]
    return next((place for place in reversed(own) if name and name in ledger.heard[place].talk.text), -1)


def _beside_the_possessed(act: SpeechAct, kind: str, situation: Situation) -> SpeechAct:
    """``act`` against the only one who is left where :attr:`~SpeechAct.other` is the possessed: with why it is that,
    else with why it lies."""
    if kind == "beside_liar" and (signs := why_possessed(situation, act.other, own_or_trusted_seer(situation))):
        return replace(act, proof=(*(f"beside_liar_{how}" for how in signs), kind))
    seer = trusted_seer(situation)
    known = kind != "beside_liar" or not seer or act.other in situation.outer.liars
    told = [] if known else circumstances(situation, seer, act.other)
    told = _untold(told, act.other, situation)
    if told := [one for one in told if one.kind not in _OF_THE_SEER]:
        case = Ground(case_names(told), woven=True)
        return replace(act, proof=("beside_liar_told", kind), rest=(act.other,), also=case)
    return replace(act, proof=(kind,))


def _with_last_step(act: SpeechAct, reason: Reason, situation: Situation) -> SpeechAct:
    """``act`` for ``reason``, which leaves a choice, with why it is this one, or that nothing tells yet."""
    kind = reason.kind
    if not act.rest:
        return _beside_the_possessed(act, kind, situation)
    again = (f"{kind}_again", kind) if act.led and kind in _SHARED else (kind,)
    if turned := _with_turn(act, reason, situation):
        return turned
    # What a vote and a night's look settle together is a reason to vote, and none to suspect anybody.
    explains = act.kind == "answer" and act.target == situation.promise
    votes = act.row.binds == ("vote",) or (explains and act.target not in situation.rivals(Role.SEER))
    keys = situation.ledger.keys
    plan = votes and _looks_again(reason, situation)
    plan = plan and reason_key(f"{kind}_plan", act.target, act.other) not in keys
    # Of three it tells nothing of this one: it is told where that has been said, and by the seer itself, who looks.
    even = reason_key(f"{kind}_even", act.target, act.other) in keys
    plan = plan and (kind != "of_three_with" or even)
    if (mark := _last_mark(act, situation, plan=plan)) is None:
        if kind.endswith("_with") and (
            told := _called_besides(act, reason, situation) or _with_belief(act, reason, situation)
        ):
            return told
        return replace(act, proof=(f"{kind}_{'plan' if plan else 'even'}", *again))
    return replace(act, proof=(f"{kind}_apart", *again), also=mark)


def _called_besides(act: SpeechAct, reason: Reason, situation: Situation) -> SpeechAct | None:
    """``act`` against one of few whom the word of a seer leaves, where a rival that may be true calls that player a
    wolf: it stays suspect whoever of the two is the seer."""
    caller = _caller(act.target, situation)
    claims = {act.target, reason.fact.who} & {caller, *situation.rivals(Role.SEER)} - {reason.fact.who}
    if not caller or caller == reason.fact.who or claims or caller not in situation.state.alive:
        return None
    return replace(act, proof=(f"{reason.kind}_both", reason.kind), rest=(caller,), led="")


def _with_belief(act: SpeechAct, reason: Reason, situation: Situation) -> SpeechAct | None:
    """``act`` for ``reason``, by which the word of a seer leaves few, with why this seat believes that seer, where it
    has not said so yet; ``None`` where nothing tells the claims apart."""
    seer, name = reason.fact.who, act.target
    if _sides_with(situation, seer) or not act.row.accuses:
        return None
    if name in situation.rivals(Role.SEER):
        told = _decisive(circumstances(situation, seer, name))
        return _with_case(replace(act, proof=(), rest=(), led=""), situation, seer) if told else None
    rival, found = why_seer(situation, seer)
    told = _untold(_decisive(found), rival, situation)
    if not told or rival not in situation.state.alive:
        return None
    case = Ground(case_names(told), seer, woven=True)
    return replace(act, proof=(f"{reason.kind}_because", reason.kind), rest=(rival,), led="", also=case)


def _looks_again(reason: Reason, situation: Situation) -> bool:
    """Whether the seer by whose word few are left can look at another of them tonight."""
    state = situation.state
    seer = state.me if reason.kind.endswith("_own") else own_or_trusted_seer(situation)
    return len(state.alive) > FINAL and seer in state.alive


def _with_turn(act: SpeechAct, reason: Reason, situation: Situation) -> SpeechAct | None:
    """``act`` where this seat has called the results of that seer doubtful before, has taken it for the possessed, or
    voted against its word yesterday: what has changed its mind."""
    keys, seer = situation.ledger.keys, reason.fact.who
    kinds = ("word_turned", "word_turned_night", "word_turned_hanged")
    told = {reason_key(kind, act.target, seer) for kind in kinds}
    if told & set(keys) or seer == act.target:
        return None
    called_possessed = any(one.other == seer and one.wording.startswith("beside_liar") for one in told_reasons(keys))
    if doubted(seer) not in keys and not called_possessed and not _voted_against(seer, situation):
        return None
    if reason.kind == "left_with" and seer in situation.state.attacks.values():
        return replace(act, proof=("word_turned_night", reason.kind), other=seer, led="")  # That is what has changed.
    if reason.kind == "left_with" and _cleared_by_the_rope(seer, situation):
        return replace(act, proof=("word_turned_hanged", reason.kind), other=seer, led="")
    rival, marks = why_seer(situation, seer)
    found = [one for one in marks if one.kind != "alike"] if reason.kind.endswith("_with") else []
    found = _untold(found, rival, situation)
    if not found:
        return None
    case = Ground(case_names(found), seer, woven=True)
    # The rival is nobody who is left: what counts those has no place beside it.
    bare = (reason.kind,) if reason.kind == "left_with" else ()
    return replace(act, proof=("word_turned", *bare), other=seer, rest=(rival,), led="", also=case)


def _cleared_by_the_rope(seer: str, situation: Situation) -> bool:
    """Whether ``seer`` was hanged after a rival had called it a wolf, and the game goes on, where one wolf plays."""
    callers = [one for one in situation.rivals(Role.SEER) if one != seer and (seer, _WOLF) in _told(situation, one)]
    return bool(callers) and small_village(situation) and seer in situation.state.executions.values()


def _telling(marks: Sequence[Mark]) -> list[Mark]:
    return [one for one in marks if one.kind not in FAINT]


def _last_mark(act: SpeechAct, situation: Situation, *, plan: bool) -> Ground | None:
    """What tells the target of ``act`` from the :attr:`~SpeechAct.rest`: of a seer who is not believed how it came to
    claim, of others what they did; ``plan``: something better can be said than that others vote so."""
    name = act.target
    if name in situation.rivals(Role.SEER):
        seer = own_or_trusted_seer(situation)
        form = "_mine" if seer == situation.state.me else "_rival"
        found = _of_own_claim(situation, name) if form == "_mine" else circumstances(situation, seer, name)
        others = [one for one in act.rest if one in situation.rivals(Role.SEER)]
        shared = {one.kind for other in others for one in circumstances(situation, seer, other)}
        # What speaks for the seer alone, or against every other claim, does not choose between those who are left.
        told = [one for one in found if one.kind not in (*shared, *_OF_THE_SEER)]
        told = _untold(_or_certain(told, act, situation, seer), name, situation)
        return Ground(case_names(told, form), seer, woven=True) if told and seer else None
    marks = _untold(_telling(marks_of(situation, name, act.rest)), name, situation)
    if not marks and not plan and act.row.binds and (friends := _voters_before(situation, name, act.rest)):
        return Ground(("mark_joined",), friends[0], woven=True)
    if not marks:
        return None
    # Who comes later tells another one of them where the first has been told.
    told = [one for one in marks if one.other in ("", marks[0].other)]
    return Ground(tuple(f"mark_{one.kind}" for one in told), marks[0].other, woven=True)


def _voters_before(situation: Situation, name: str, rest: Sequence[str]) -> list[str]:
    """Who has announced a vote for ``name``, where more have than for any of ``rest``: no proven liar, none of
    ``rest``, and no seer that this seat does not believe."""
    announced, unheard = situation.announced, {*rest, *proven_liars(situation)}
    found = [who for who in announced.get(name, ()) if who not in unheard and not _disbelieved(situation, who)]
    return found if all(len(found) > len(announced.get(one, ())) for one in rest) else []


_OF_THE_SEER = ("bitten", "right_on_me", "head_on", "at_once", "had_to", "lucky", "alike")
"""Circumstances that tell nothing of what the rival has done, or that may hold of a true seer as well."""
_EVERYDAY = ("least", "on_me", "asks_none")
"""Marks that tell nothing where many are left."""


def _with_mark(act: SpeechAct, situation: Situation) -> SpeechAct | None:
    """``act`` with what its target alone did of all who may be the wolf, where there is such a thing."""
    human = known_humans(situation)
    rest = [name for name in situation.state.others if name != act.target and name not in human]
    borrowed = _accused_by_others(situation, act.target)
    found = [one for one in marks_of(situation, act.target, rest) if one.kind not in _EVERYDAY]
    found = [one for one in found if not borrowed or one.kind not in FAINT]
    return replace(act, proof=(f"mark_{found[0].kind}",), other=found[0].other) if found else None


def _accused_by_others(situation: Situation, name: str) -> bool:
    """Whether another has suspected ``name`` today, or announced a vote for it: a faint ground is borrowed then."""
    ledger, day, me = situation.ledger, situation.state.day, situation.state.me
    suspects = any((said.target, said.day) == (name, day) and said.who != me for said in ledger.suspicions)
    return suspects or any(who != me for who in situation.announced.get(name, ()))


def _with_look(act: SpeechAct, situation: Situation) -> SpeechAct:
    """``act`` with why its target was looked at: what stood on the day before that night."""
    nights = [one.day for one in situation.story.history(situation.state) if one.target == act.target]
    looks = why_looked(situation, act.target, nights[-1] if nights else max(0, situation.state.day - 1))
    return replace(act, proof=(f"look_{looks[0].kind}", "look_blind"), other=looks[0].other)


_PRAISED = ("suspects", "voted", "announced")
"""Wordings that sound like a reproach where they speak for a player: trust puts them another way."""
_SHARED = ("of_two_with", "of_three_with", "left_with", "seer_black")
"""Kinds of reasons that everybody can find: who comes second says so, and adds what it knows besides."""
_DEEDS = (
    *("suspects", "trusts", "announced", "voted", "felled", "broke_promise", "silent", "no_opinion", "talks_little"),
    *("two_roles", "changed_result"),
)
"""Kinds of facts that are something a player did."""


def _led(reason: Reason, name: str, situation: Situation) -> str:
    """Who has said today, before this seat said anything like it, that the word of the same seer speaks against
    ``name``: it names both, and no other seer."""
    source = reason.fact.who
    if reason.kind not in _SHARED or source == name:
        return ""
    rivals = [one for one in situation.ledger.claimants[Role.SEER] if one not in (source, name)]
    for talk in situation.state.today:
        if talk.agent in (name, source, *rivals) or name not in talk.text or source not in talk.text:
            continue
        if any(one in talk.text for one in rivals):
            continue
        if reason.kind == "left_with" and _counts_another(talk.text, (name, source), situation):
            continue
        if talk.agent == situation.state.me:
            return ""
        if talk.agent in situation.suspected:
            continue  # Nobody follows the count of whom it suspects itself.
        ledger, day = situation.ledger, situation.state.day
        accused = {said.target for said in ledger.suspicions if said.who == talk.agent and said.day == day}
        if name in accused or ledger.votes.get((day, talk.agent)) == name:
            return talk.agent
    return ""


def _counts_another(text: str, named: Sequence[str], situation: Situation) -> bool:
    """Whether ``text`` names anybody besides those ``named``, whom it calls aside: it has not counted to one."""
    names = names_of(situation.state.players)
    return any(one not in named for one in names.players_in(without_anchor(text)))


def _rest(reason: Reason, name: str, situation: Situation) -> tuple[str, ...]:
    """The others who can be the wolf as well where ``reason`` leaves a choice."""
    if reason.kind == "beside_liar":
        left = wolves_left(situation, own_or_trusted_seer(situation))
        return tuple(one for one in left if one not in (name, reason.fact.who))
    if reason.kind not in LEFT_OPEN:
        return ()
    seer = situation.state.me if reason.kind.endswith("_own") else reason.fact.who
    return tuple(one for one in wolves_left(situation, seer) if one != name)


def _beside(reason: Reason, reasons: Sequence[Reason], name: str, situation: Situation) -> Ground | None:
    """A second fact that speaks against ``name``: what is new where the first fact has been told by another."""
    return _deed(reasons, name, situation) if _led(reason, name, situation) else None


def _deed(reasons: Sequence[Reason], name: str, situation: Situation) -> Ground | None:
    """Something that ``name`` did and that this seat has not reproached it with yet."""
    for one in reasons:
        said = reason_key(one.wordings[-1], name, _other(one, name)) in situation.ledger.keys
        if one.kind in _DEEDS and one.fact.who == name and not said:
            return Ground(one.wordings, _other(one, name), one.fact.day or None)
    return None


def _caller(name: str, situation: Situation) -> str:
    """A seer that calls ``name`` a wolf and may be true for all that this seat knows, or ``""``."""
    seers, liars = situation.rivals(Role.SEER), proven_liars(situation)
    return next((who for who in seers if (name, _WOLF) in _told(situation, who) and who not in liars), "")


_FIRM = ("own_black", "seer_black", "own_white", "only_left", "rival_lied")
"""Kinds of reasons that come before what is only concluded from several facts."""


def _concluding(reasons: list[Reason], name: str, situation: Situation, *, against: bool) -> list[Reason]:
    """``reasons`` with what the claims and results force: behind a result, before all that only somebody else thinks,
    and the weakest of it behind everything but bandwagons and how much somebody talks."""
    found = list(conclusions(situation, name) if against else why_believed(situation, name))
    strong, weak = [one for one in found if abs(one.push) >= FAIR], [one for one in found if abs(one.push) < FAIR]
    firm, talk = [r for r in reasons if r.kind in _FIRM], [r for r in reasons if r.kind in ABOUT_TALKING]
    return [*firm, *strong, *(r for r in reasons if r not in firm and r not in talk), *weak, *talk]


def _facts_about(name: str, situation: Situation, *, against: bool) -> list[Reason]:
    """Facts that speak against ``name``, or for it, as far as they may be said; that somebody says little, or no
    name, is no ground for trust."""
    found = [reason for reason in situation.outer.reasons(name, against=against) if _holds(reason, name, situation)]
    # Own results come first: whoever has one of ``name`` tells that.
    sure = name in situation.outer.known
    if against and not sure and calls_me_wolf(situation, name) and situation.outer.colour == Species.HUMAN:
        found = _with_false_result(found, name, situation)
    praise = [
        one for one in found if one.kind not in _NO_PRAISE and not (one.kind in _AGAINST and one.fact.who != name)
    ]
    # Nobody is believed for a result of its own; those who doubt it say so.
    praise = [one for one in praise if one.fact.who != name or one.kind not in ("seer_black", "seer_white")]
    praise = [one for one in praise if not _hollow_vote(one, name, situation)]
    return found if against else [one for one in praise if one.kind != "trusts" or one.fact.about != name]


def _with_false_result(found: list[Reason], name: str, situation: Situation) -> list[Reason]:
    """``found`` with the result of ``name`` on this seat, which is false, in place of whatever else its results say:
    who was called a wolf holds that against the seer."""
    false = [one for one in found if one.wordings[0] == "refuted"]
    if not false:
        fact = Fact("seer_black", name, situation.state.me, day=situation.state.day)
        false = [Reason(fact, STRONG, ("refuted", "seer_black"))]
    rest = [one for one in found if one not in false and one.kind not in ("seer_told_black", "seer_white")]
    return [*false, *rest]


def _hollow_vote(reason: Reason, name: str, situation: Situation) -> bool:
    """Whether ``reason`` is a vote or a suspicion of ``name`` that is no ground for trust in it: against a human, or a
    vote that a player whom this seat looks at has cast as well."""
    fact = reason.fact
    if reason.kind not in _AGAINST or fact.who != name:
        return False
    cast = situation.state.cast(fact.day) if reason.kind in ("voted", "felled") else {}
    alike = any(cast.get(one) == fact.about for one in (situation.promise, situation.meant, *situation.suspected))
    return alike or situation.outer.known.get(fact.about) == Species.HUMAN


_AGAINST = ("suspects", "announced", "voted", "felled")
"""Kinds of facts by which others speak against a player: no ground for trust in it, and about a suspect no more than
that another suspects it."""
_NO_PRAISE = (
    *ABOUT_TALKING,
    *("seer_claim_second", "seer_claim_later", "seer_claim_late", "medium_claim_second", "medium_claim_later"),
    *("medium_claim_late", "seer_told_black", "seer_told_more_blacks", "two_roles", "changed_result", "broke_promise"),
    "seer_rivals",
)
"""Kinds of facts that are no ground for trust, whatever the odds make of them."""


def _turning(act: SpeechAct, reasons: Sequence[Reason], situation: Situation) -> SpeechAct:
    """A change of vote without a result behind it: the votes gather there, or it is rather another of those left, or
    the old vote rested on nothing; with something that the new target did, where there is such a thing."""
    unheard = {situation.promise, *proven_liars(situation)}
    believed = (situation.trusted, proven_seer(situation))
    seers = situation.ledger.claimants[Role.SEER]
    near = [one for one in situation.announced.get(act.target, ()) if one not in unheard]
    others = [one for one in near if one in believed or one not in seers]
    if others and len(near) > len(situation.announced.get(situation.promise, ())):
        three = len(others) == 2 == len(situation.announced[act.target])
        proof = ("announced_by_two", "announced_by") if three else ("announced_by",)
        fact = _besides(act.target, reasons, situation)
        return replace(act, proof=proof, other=others[-1], led=others[0] if three else "", also=fact)
    if act.target in seers and (told := _beside_another(act, situation)):
        # Who turns on one who claims to be the seer tells what speaks for another one; that it is nothing new stays so.
        return replace(told, proof=(*told.proof, "let_go"))
    left = wolves_left(situation, situation.trusted) if situation.trusted else ()
    marks = _telling(marks_of(situation, act.target, [situation.promise]))
    if marks and act.target != situation.promise:
        return replace(act, proof=(f"mark_{marks[0].kind}",), other=marks[0].other)
    kind = "other_left" if {act.target, situation.promise} == set(left) else "let_go"
    return replace(act, proof=(kind,), other=situation.promise, also=_deed(reasons, act.target, situation))


def _besides(name: str, reasons: Sequence[Reason], situation: Situation) -> Ground | None:
    """What speaks against ``name`` besides the votes that gather there: what it alone did, else what is certain."""
    rival, mine = name in situation.rivals(Role.SEER), situation.story.role == Role.SEER
    seer = own_or_trusted_seer(situation)
    if rival and seer not in ("", name):
        # Of a claim it tells what tells it from the one believed, and not how much its player talks.
        told = _of_own_claim(situation, name) if mine else circumstances(situation, seer, name)
        told = [one for one in told if one.kind != "alike"]
        return Ground(case_names(told, "_mine" if mine else "_rival"), seer) if told else None
    if marks := _telling(marks_of(situation, name, [situation.promise])):
        return Ground((f"mark_{marks[0].kind}",), marks[0].other)
    firm = next((one for one in reasons if one.kind in _TURNS and one.kind not in LEFT_OPEN), None)
    if firm is not None:
        return Ground(firm.wordings, _other(firm, name), firm.fact.day or None)
    return _deed(reasons, name, situation)


_TURNS = (*_FIRM, "left_own", "left_with", "werewolf_claim", "bodyguard_claim", "two_roles", "changed_result")
"""Kinds of reasons for which a vote is changed even where nobody else votes so."""


def _accuses_us(name: str, situation: Situation) -> bool:
    """Whether ``name`` has suspected this seat today, or announced a vote for it."""
    me, day = situation.state.me, situation.state.day
    suspects = any((said.who, said.target, said.day) == (name, me, day) for said in situation.ledger.suspicions)
    return suspects or situation.ledger.votes.get((day, name)) == me


def _other(reason: Reason, name: str) -> str:
    """Who else a reason about ``name`` is about."""
    return reason.fact.who if reason.fact.about == name else reason.fact.about


def _bandwagon(reason: Reason, name: str) -> bool:
    """Whether all that it says is that somebody else votes for ``name``."""
    return reason.kind == "announced" and reason.fact.about == name


def _worth_saying(reason: Reason, name: str, situation: Situation, address: str) -> tuple[bool, bool, int, int]:
    """For sorting, lowest first; equal ones keep their order, the strongest first. What others have concluded aloud
    comes later, then what is only their opinion, what this seat has said already, and last of all that somebody else
    votes so: that convinces nobody.
    """
    other = _other(reason, name)
    said = reason_key(reason.wordings[-1], name, other) in situation.ledger.keys
    echo = reason.kind in (*_ECHOED, *_AGAINST) and reason.fact.about == name != reason.fact.who
    sees = situation.story.role == Role.SEER  # Who sees for itself goes by the opinion of others last.
    told = 2 if echo else int(reason.kind not in _FIRM and bool(_led(reason, name, situation)))
    return _bandwagon(reason, name), bool(address) and other == address != name, 2 if echo and sees else int(said), told


def _wordings(reason: Reason, name: str, situation: Situation) -> tuple[str, ...]:
    """Names under which a pack words ``reason``. Who believes a seer that it called doubtful before, or believes it
    after having followed another one, says so."""
    seer, keys = reason.fact.who, situation.ledger.keys
    if reason.kind == "announced" and reason.fact.who == name and reason.fact.about == situation.state.me:
        claimed = situation.ledger.claim(situation.state.me) == Role.SEER
        return ("announced_seer" if claimed else "announced_me", *reason.wordings)
    quoted = reason.kind.startswith("seer_") and reason.fact.about == name != seer
    sided = any(leaned_to(one) in keys for one in situation.rivals(Role.SEER) if one != seer)
    black = quoted and reason.kind == "seer_black"
    if black and sided and doubted(seer) not in keys:
        return (f"{reason.wordings[0]}_sided", *reason.wordings)
    if black and (doubted(seer) in keys or _voted_against(seer, situation)):
        return (f"{reason.wordings[0]}_turned", *reason.wordings)
    left = any(followed(one) in keys for one in situation.rivals(Role.SEER) if one != seer)
    if black and left:
        return (f"{reason.wordings[0]}_rather", *reason.wordings)
    return reason.wordings


def followed(seer: str) -> str:
    """The key that is kept once this seat has taken the claim of ``seer``, then the only one, for true."""
    return f"followed {seer}"


def _voted_against(seer: str, situation: Situation) -> bool:
    """Whether this seat voted yesterday for ``seer``, or for somebody whom ``seer`` had called human."""
    state = situation.state
    cast = state.cast(state.day - 1)
    return cast.get(state.me, "") in (seer, *situation.ledger.called(seer, Species.HUMAN))


def doubted(seer: str) -> str:
    """The key that is kept once this seat has called a result of ``seer``, or all seers, doubtful."""
    return f"doubted {seer}"


def _had_found(name: str, situation: Situation) -> bool:
    """Whether an own result had called ``name`` a werewolf before yesterday's vote."""
    told = situation.story.history(situation.state)
    return any(
        (one.target, one.result) == (name, Species.WEREWOLF) and one.day < situation.state.day - 1 for one in told
    )


def _holds(reason: Reason, name: str, situation: Situation) -> bool:
    """Whether it may be said of ``name`` aloud: nobody who has named a player in whatever words is told to have named
    none, a friendly word of the first evening is no opinion, and nobody is convinced by a liar, by its own follower or
    by whom it votes for."""
    kind, who = reason.kind, reason.fact.who
    if (kind in ("suspects", "trusts") and reason.fact.day == 0) or _blameless(reason, name, situation):
        return False
    unheard = (
        who == situation.promise
        or who in proven_liars(situation)
        or _leads(situation, who, name)
        or _voted(situation, who)
        or who in situation.suspected  # Nobody joins whom it takes for a wolf.
        or _disbelieved(situation, who)
    )
    if kind in ("voted", "felled") and who == name and _voted(situation, reason.fact.about, reason.fact.day):
        return False  # Nobody reproaches another with its own vote.
    if not _fits_belief(reason, name, situation) or (kind in _ECHOED and reason.fact.about == name and unheard):
        return False
    if kind != "no_opinion":
        return True
    if not _could_have_named(situation, who):
        return False
    names = names_of(situation.state.players)
    said = (heard.talk.text for heard in situation.ledger.by(who) if heard.day > 0)
    return not any(name != who for text in said for name in names.players_in(text))


def _blameless(reason: Reason, name: str, situation: Situation) -> bool:
    """Whether ``reason`` is no reproach: a kind word for somebody cleared, to be the first to claim, a result
    that another seer has told as well, or a vote of a seer that this seat does not believe."""
    kind, who, about = reason.kind, reason.fact.who, reason.fact.about
    if kind in ("voted", "felled") and about == name and _disbelieved(situation, who):
        return True
    seers = [one for one in situation.rivals(Role.SEER) if one != who]
    same = kind == "seer_white" and who == name
    if same and any((about, Species.HUMAN.value) in _told(situation, one) for one in seers):
        return True
    cleared = (about, Species.HUMAN.value) in _told(situation, situation.trusted)
    kind_word = kind == "trusts" and (cleared or situation.outer.known.get(about) == Species.HUMAN)
    return who == name and reason.push > 0 and (kind_word or kind == "seer_claim_first")


def _disbelieved(situation: Situation, who: str) -> bool:
    """Whether ``who`` claims to be the seer, the dead included, while this seat believes another one."""
    believed = trusted_seer(situation)
    return who in situation.rivals(Role.SEER) and believed not in ("", who)


def _could_have_named(situation: Situation, who: str) -> bool:
    """Whether ``who`` could have named somebody by now: it has talked twice today, or on an earlier day, and somebody
    else has named one."""
    ledger, state = situation.ledger, situation.state
    days = [one.day for one in ledger.by(who) if one.day > 0]
    named = {one.who for one in ledger.suspicions if one.day > 0} | {voter for _, voter in ledger.votes}
    return (len(days) > 1 or any(day < state.day for day in days)) and bool(named - {who, state.me})


def _fits_belief(reason: Reason, name: str, situation: Situation) -> bool:
    """Nobody joins the vote of a seer while believing another, or defends a seer it does not believe; and that two
    seers contradict each other speaks only for the one believed."""
    kind, (who, about) = reason.kind, (reason.fact.who, reason.fact.about)
    claims, believed = situation.ledger.claims, (situation.trusted, proven_seer(situation))
    if kind == "seer_rivals":
        return _other(reason, name) in believed
    if kind in ("announced", "suspects") and who == name and claims.get(about) == Role.SEER != situation.story.role:
        return about in believed and not argued_by_others(situation, about)
    return kind != "announced" or claims.get(who) != Role.SEER or situation.trusted in ("", who)


def _voted(situation: Situation, name: str, on: int = 0) -> bool:
    """Whether this seat has voted for ``name`` on an earlier day, or on the day ``on``."""
    cast = (vote for day, votes in situation.state.votes.items() if on in (0, day) for vote in votes)
    return any((vote.agent, vote.target) == (situation.state.me, name) for vote in cast)


_ECHOED = ("suspects", "announced", "trusts")
"""What others think of a player, which may only repeat what this seat has said."""


def _leads(situation: Situation, other: str, name: str) -> bool:
    """Whether this seat has accused ``name`` before ``other`` did."""
    for said in situation.ledger.heard:
        accuses = any(one.kind in ("suspect", "vote") and one.target == name for one in said.statements)
        if accuses and said.who in (situation.state.me, other):
            return said.who == situation.state.me
    return False


def _known_before_vote(reason: Reason, day: int) -> bool:
    """Whether it was known when the vote of the day before ``day`` was cast."""
    return 0 < reason.fact.day < day - _DAYS_AFTER.get(reason.kind, 0)
