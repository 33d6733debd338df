"""What must be said: confessions, results, defence, and answers to whoever asked. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nlp_agent.belief.constants import DOOMED, LIKELIEST
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.context import Suggestion, TalkContext, suspect_aloud, trusted_claimant
from nlp_agent.planning.scene import Scene
from nlp_agent.planning.sides import allies, power_play, wolfish
from nlp_agent.protocol import JUDGES, Judge, Role, Species
from nlp_agent.reading.record import Said

_HIDDEN = (Role.MEDIUM, Role.BODYGUARD)
"""Roles of the village that are better kept secret as long as that goes."""


def duties(context: TalkContext) -> Iterator[Suggestion]:
    """What must be said, most pressing first."""
    if context.unmasked:
        yield from _after_the_mask(context)
        return
    confession = next(_confession(context), None)
    if confession is not None:
        yield confession
        return
    yield from _results(context)
    yield from _denials(context)
    yield from _last_claim(context)
    yield from _answers(context)
    yield from _accusations(context)


def _confession(context: TalkContext) -> Iterator[Suggestion]:
    scene = context.scene
    if power_play(scene):
        # Whom to vote for is said later where there is time: the wolf may answer, and tells who it is by that.
        kept = scene.promise if scene.promise not in allies(scene) else ""
        prey = kept or context.vote
        acts: tuple[SpeechAct, ...] = (SpeechAct("confess", target=prey, role=Role.POSSESSED),)
        if context.last or scene.promise not in ("", prey) or _sure_of_the_wolf(scene):
            acts = (*acts, _joint_vote(context, prey))
        yield Suggestion(acts, "side openly with the wolf")
    if scene.state.role == Role.WEREWOLF:
        yield from _alliance(context)


def _joint_vote(context: TalkContext, prey: str) -> SpeechAct:
    """The vote that friends are to follow; what was announced otherwise is taken back in so many words."""
    turned = context.scene.promise not in ("", prey)
    return SpeechAct("retract" if turned else "vote", target=prey, topic="ally")


def _sure_of_the_wolf(scene: Scene) -> bool:
    return max(wolfish(scene).values(), default=0.0) > LIKELIEST


def _alliance(context: TalkContext) -> Iterator[Suggestion]:
    """The possessed has sided with us openly: with all our votes together the game is won."""
    scene, state = context.scene, context.scene.state
    for name in scene.ledger.claimants[Role.POSSESSED]:
        pack = [n for n in state.alive if n == state.me or n in state.partners]
        rest = [n for n in state.others if n != name and n not in pack]
        if name in state.alive and 0 < len(rest) <= len(pack):
            prey = context.vote if context.vote in rest else rest[0]
            ally = SpeechAct("ally", target=prey, role=Role.WEREWOLF, to=name)
            yield Suggestion((ally, _joint_vote(context, prey)), "the possessed sides with us", name)


def _after_the_mask(context: TalkContext) -> Iterator[Suggestion]:
    """Once sides are open there is the vote left to say, and one thing to whoever still asks."""
    scene = context.scene
    if not context.voted:
        prey = context.vote
        friend = next((n for n in scene.ledger.claimants[Role.WEREWOLF] if n in scene.state.others and n != prey), "")
        act = SpeechAct("vote", target=prey, topic="ally")
        yield Suggestion((act,), f"the wolf is not {prey}", friend)
        return
    act = SpeechAct("retract", target=context.vote, topic="ally")
    if scene.promise in allies(scene) and context.vote not in ("", scene.promise) and context.fresh(act):
        yield Suggestion((act,), f"{scene.promise} is the wolf")
    elif (ask := next(_open_questions(context), None)) and context.new("unmasked"):
        act = SpeechAct("answer", to=ask.who, topic="masked")
        yield Suggestion((act,), "the mask is off", ask.who, ("unmasked",))


def _results(context: TalkContext) -> Iterator[Suggestion]:
    story, state = context.scene.story, context.scene.state
    if state.day < 1 or story.role not in JUDGES:
        return
    fresh = [judge for judge in story.history(state) if judge.target not in context.told]
    rivals = [n for n in context.scene.ledger.claimants[story.role] if n != context.me]
    if not fresh or context.waits:
        return
    acts: list[SpeechAct] = []
    if not context.claimed:
        acts.append(SpeechAct("claim", role=story.role, topic="counter" if rivals else ""))
    acts.extend(_result(story.role, judge) for judge in fresh[-2:])
    yield Suggestion(tuple(acts), "tell what the night showed")


def _result(role: str, judge: Judge) -> SpeechAct:
    return SpeechAct("result", target=judge.target, result=judge.result, role=role, day=judge.day)


def _denials(context: TalkContext) -> Iterator[Suggestion]:
    """Of every result that calls this seat a wolf, once."""
    for claimant, results in context.scene.ledger.results.items():
        hit = any(r.target == context.me and r.result == Species.WEREWOLF for r in results)
        act = SpeechAct("deny", target=claimant, to=claimant)
        if hit and claimant in context.scene.state.others and context.fresh(act):
            acts = [act]
            role = context.scene.state.role
            if role in _HIDDEN and not context.claimed:
                # A wrong result against a rare role is the moment to show it.
                acts.insert(0, SpeechAct("claim", role=role))
            yield Suggestion(tuple(acts), "called a wolf by a result", claimant)


def _last_claim(context: TalkContext) -> Iterator[Suggestion]:
    """With so many votes announced against it a rare role has nothing left to hide for."""
    state = context.scene.state
    callers = context.scene.announced.get(context.me, [])
    near = len(callers) >= max(2, DOOMED * len(state.alive))
    if near and state.role in _HIDDEN and not context.claimed and context.new("last claim"):
        acts = (SpeechAct("claim", role=state.role), SpeechAct("defend", to=callers[-1]))
        why = f"{len(callers)} votes are announced against us"
        yield Suggestion(acts, why, callers[-1], ("last claim",))


def _answers(context: TalkContext) -> Iterator[Suggestion]:
    """One per asker, the newest question first."""
    for ask in _open_questions(context):
        keys = tuple(_answered(a) for a in context.scene.ledger.asks if (a.who, a.target) == (ask.who, context.me))
        yield Suggestion((answer_to(context, ask),), f"{ask.who} asked about {ask.topic}", ask.who, keys)


def _open_questions(context: TalkContext) -> Iterator[Said]:
    """Questions of today that this seat has not answered, the newest first."""
    for ask in reversed(context.scene.ledger.asks):
        at_me = ask.day == context.day and ask.target == context.me and ask.who in context.scene.state.alive
        if at_me and context.new(_answered(ask)):
            yield ask


def _answered(ask: Said) -> str:
    return f"answered {ask.day}/{ask.idx}"


def answer_to(context: TalkContext, ask: Said) -> SpeechAct:
    """An act that answers ``ask`` to the point."""
    act = _ANSWERS[ask.topic](context, ask) if ask.topic in _ANSWERS else None
    if act is not None:
        return act
    if context.day == 0:
        return SpeechAct("answer", to=ask.who, topic="early")
    if ask.topic in ("why", "any") and _accused_today(context, ask.who):
        return SpeechAct("answer", to=ask.who, topic="why_you", target=ask.who)
    target = suspect_aloud(context)
    kind = "vote" if ask.topic == "vote" else "suspect"
    return SpeechAct("answer", to=ask.who, topic=kind if target else "undecided", target=target)


def _accused_today(context: TalkContext, name: str) -> bool:
    said = context.scene.ledger.suspicions
    return any(s.who == context.me and s.target == name and s.day == context.day for s in said)


def _answer_role(context: TalkContext, ask: Said) -> SpeechAct:
    # Who has not claimed keeps a special role to itself.
    return SpeechAct("answer", to=ask.who, topic="role", role=context.claimed or Role.VILLAGER)


def _answer_result(context: TalkContext, ask: Said) -> SpeechAct:
    told = [j for j in context.scene.story.history(context.scene.state) if j.target in context.told]
    if not told or not context.claimed:
        return SpeechAct("answer", to=ask.who, topic="no_result")
    return SpeechAct("answer", to=ask.who, topic=ask.topic, target=told[-1].target, result=told[-1].result)


def _answer_believe(context: TalkContext, ask: Said) -> SpeechAct | None:
    if context.scene.story.role == Role.SEER or context.day == 0:
        return None
    best = trusted_claimant(context)
    return SpeechAct("answer", to=ask.who, topic="believe" if best else "undecided", target=best)


def _answer_why_vote(context: TalkContext, ask: Said) -> SpeechAct | None:
    votes = context.scene.state.votes.get(context.day - 1, ())
    past = next((vote.target for vote in votes if vote.agent == context.me), "")
    if not past:
        return None
    if past == ask.who:
        return SpeechAct("answer", to=ask.who, topic="why_vote_you")
    return SpeechAct("answer", to=ask.who, topic="why_vote", target=past)


_ANSWERS: dict[str, Callable[[TalkContext, Said], SpeechAct | None]] = {
    "role": _answer_role,
    "result": _answer_result,
    "why_divine": _answer_result,
    "believe": _answer_believe,
    "why_vote": _answer_why_vote,
}


def _accusations(context: TalkContext) -> Iterator[Suggestion]:
    """At most two defences a day: more would sound like nothing else."""
    for said in reversed(context.scene.ledger.suspicions) if context.count("defend") < 2 else ():
        at_me = said.day == context.day and said.target == context.me and said.who in context.scene.state.others
        if at_me and context.fresh(SpeechAct("deny", target=said.who)):
            yield from context.offer(SpeechAct("defend", to=said.who), f"{said.who} suspects us", to=said.who)


def replies(context: TalkContext) -> Iterator[Suggestion]:
    """A short word for whoever spoke to us last without asking anything, before the talk goes on."""
    scene, day = context.scene, context.day
    spoke = max((t.idx for t in scene.state.today if t.agent == context.me), default=-1)
    for said in reversed(scene.ledger.addresses):
        if said.day != day or said.idx < spoke or said.target != context.me or said.who not in scene.state.others:
            continue
        if _accused_today(context, said.who) or said.who == suspect_aloud(context):
            topic = "doubt"
        else:
            topic = "thanks" if context.count("ask", to=said.who) else ""
        act = SpeechAct("reply", to=said.who, topic=topic)
        # A second word of acknowledgement to the same player says nothing, and a third sort of it makes a ritual.
        # What comes next is then said to that player without any preface.
        bare = topic != "thanks" and (not context.fresh(act) or context.count("reply") >= 2)
        yield Suggestion(() if bare else (act,), f"{said.who} spoke to us", said.who)
