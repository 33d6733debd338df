"""What is worth saying beyond duties: the morning, reactions, suspicion, questions, trust. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from nlp_agent.belief.assessment import Reason
from nlp_agent.belief.constants import GREETINGS, GREETINGS_LATER, OUTSPOKEN
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.context import Suggestion, TalkContext, suspect_aloud, trusted_claimant
from nlp_agent.protocol import Role, Species
from nlp_agent.reading.record import Result

TOGETHER = 4
"""About so many players say what everybody thinks."""


def interests(context: TalkContext) -> Iterator[Suggestion]:
    """What is worth saying beyond duties, best first; each is said once."""
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
    """What of it is worth a word even after the vote."""
    for one in () if _about_to_claim(context) else chain(_reactions(context), _trust(context), _remarks(context)):
        if one.acts[0].row.news:
            yield one


def _about_to_claim(context: TalkContext) -> bool:
    """Who is about to claim to be the seer must not greet another one first, nor give away whom it knows."""
    return context.scene.story.role == Role.SEER and not context.claimed


def _morning(context: TalkContext) -> Iterator[Suggestion]:
    state = context.scene.state
    spoken = {talk.agent for talk in state.today if talk.said}
    # A village does not say good morning thirteen times.
    some = GREETINGS_LATER if state.day > 1 else GREETINGS
    if state.day < 1 or (len(spoken) >= 2 and context.rng.random() > some / len(spoken)):
        return
    victim, dead = state.attacks.get(state.day - 1, ""), state.executions.get(state.day - 1, "")
    claims = context.scene.ledger.claims
    if state.day == 1:
        known = Role.SEER in claims.values() or context.scene.story.role == Role.SEER
        topic = "first" if known else "first_open"
    elif victim and claims.get(victim) == context.claimed == Role.SEER:
        topic = "rival_died"
    elif victim and context.scene.ledger.claims.get(victim) == Role.SEER:
        topic = "seer_died"
    else:
        topic = "died" if victim else "quiet"
    yield from context.offer(SpeechAct("morning", target=victim, topic=topic), f"the morning after {dead or 'talk'}")


def _reactions(context: TalkContext) -> Iterator[Suggestion]:
    """To claims and results of others."""
    yield from _to_claims(context)
    for name in context.scene.ledger.claimants[Role.POSSESSED]:
        if name in context.scene.state.others:
            yield from context.offer(SpeechAct("react", target=name, topic="confession"), f"{name} confessed")
    for claimant, told in context.scene.ledger.results.items():
        for result in told:
            told_now = result.day == context.day and context.me not in (claimant, result.target)
            if told_now and (topic := _reaction(context, claimant, result)):
                act = SpeechAct("react", target=result.target, to=claimant, topic=topic)
                yield from context.offer(act, f"the result of {claimant} on {result.target}")


def _to_claims(context: TalkContext) -> Iterator[Suggestion]:
    """To a first seer, to several of them, or, as a seer, to a rival."""
    scene, ledger = context.scene, context.scene.ledger
    rivals = [name for name in ledger.claimants[Role.SEER] if name != context.me]
    if context.claimed == Role.SEER:
        for name in rivals:
            if name in scene.state.alive:
                act = SpeechAct("rival", target=name, topic=scene.outer.known.get(name, ""))
                yield from context.offer(act, f"{name} claims our role")
        return
    yield from _turned(context)
    if not any(ledger.claimed_on.get(name) == context.day for name in rivals):
        return
    if len(rivals) >= 2 and context.cares(f"rivals:{len(rivals)}", TOGETHER):
        best = trusted_claimant(context)
        act, keys = (
            SpeechAct("rivals", target=best, topic="lean" if best else "open"),
            SpeechAct("heard").keys(context.day),
        )
        yield from context.offer(act, "several claim to be the seer", keys=(*keys, f"leaned to {best}"))
    elif len(rivals) == 1 and not _no_seer_to_us(context, rivals[0]) and _talked_of(context, rivals[0]) < 3:
        yield from context.offer(SpeechAct("heard", target=rivals[0]), f"{rivals[0]} claimed seer")


def _no_seer_to_us(context: TalkContext, seer: str) -> bool:
    """Whether ``seer`` is dead, or lies for certain: nobody takes the seer seriously that calls oneself a werewolf."""
    told = context.scene.ledger.results.get(seer, ())
    black = any(one.target == context.me and one.result == Species.WEREWOLF for one in told)
    return black or seer not in context.scene.state.alive


def _turned(context: TalkContext) -> Iterator[Suggestion]:
    """Says so when another seer is believed than the one leaned to before."""
    best = trusted_claimant(context)
    before = [name for name in context.scene.ledger.claimants[Role.SEER] if not context.new(f"leaned to {name}")]
    if best and len(before) == 1 and before[0] != best:
        act = SpeechAct("rivals", target=best, to=before[0], topic="turned")
        yield from context.offer(act, f"{best} is believed now", keys=(f"leaned to {best}",))


def _reaction(context: TalkContext, claimant: str, result: Result) -> str:
    """Which lines take up a result, or ``""`` when it is not worth a word."""
    ledger = context.scene.ledger
    if _talked_of(context, result.target) >= (
        5 if result.result == Species.WEREWOLF and ledger.claims.get(claimant) == Role.SEER else 3
    ):
        return ""
    mine = context.scene.story.outlook(context.scene.state).results.get(result.target, result.result)
    if mine != result.result and ledger.claims.get(claimant) == Role.MEDIUM:
        return ""  # Who told the opposite does not nod to it.
    if ledger.claims.get(claimant) == Role.MEDIUM:
        return f"medium_{result.result}"
    if result.target not in context.scene.state.alive or ledger.claims.get(result.target) == Role.SEER:
        return ""
    return _seer_reaction(context, claimant, result)


def _talked_of(context: TalkContext, name: str) -> int:
    """How many others have spoken of ``name`` today."""
    return len({t.agent for t in context.scene.state.today if name in t.text and t.agent not in (context.me, name)})


def _seer_reaction(context: TalkContext, claimant: str, result: Result) -> str:
    """How to take up a result: as news when the claimant is believed and nothing we know or want speaks against it."""
    outer = context.scene.outer
    if outer.known.get(result.target) == result.result and not outer.credit.get(claimant):
        return ""
    black = result.result == Species.WEREWOLF
    voted = result.target == suspect_aloud(context)
    if claimant == outer.trusted and (black or not voted):
        return f"seer_{result.result}"
    # Who votes for somebody called a wolf, for whatever reason, does not call that doubtful.
    few = context.cares(f"doubt:{claimant}:{result.target}", TOGETHER if black else TOGETHER // 2)
    return f"doubt_{result.result}" if few and not (black and voted) else ""


def _suspect(context: TalkContext) -> Iterator[Suggestion]:
    target = suspect_aloud(context)
    if not target:
        return
    others = [s.who for s in context.scene.ledger.suspicions if s.target == target and s.day == context.day]
    friend = next((who for who in reversed(others) if who not in (context.me, target)), "")
    suspicion = SpeechAct("suspect", target=target)
    if target in context.scene.story.outlook(context.scene.state).results:
        friend = ""  # Who knows by its own result agrees with nobody.
    if friend and friend in context.scene.state.alive and context.fresh(suspicion):
        act, keys = SpeechAct("agree", target=target, to=friend), suspicion.keys(context.day)
        yield from context.offer(act, f"{friend} suspects {target} too", keys=keys)
    if context.fresh(suspicion) and context.scene.outer.reasons(target):
        yield from context.offer(suspicion, f"{target} looks most like a wolf")


def _question(context: TalkContext) -> Iterator[Suggestion]:
    """At most two questions a day, never one that somebody asked the same player today."""
    state, ledger = context.scene.state, context.scene.ledger
    if context.last or context.count("ask") >= 2 or state.day < 1:
        return
    taken = {(a.target, a.topic) for a in ledger.asks if a.day == context.day}
    often = Counter(a.topic for a in ledger.asks if a.day == context.day)
    busy = {a.target for a in ledger.asks if a.day == context.day and a.who == context.me}
    for to, topic, about in _questions(context):
        done = bool(state.phase) and state.talks_left(to) == 0  # in a group chat nobody answers without talks
        open_to = to in state.others and to not in busy and not done and ledger.claims.get(to) != Role.POSSESSED
        if open_to and (to, topic) not in taken and often[topic] < 2 + (state.day > 1):
            act = SpeechAct("ask", to=to, topic=topic, target=about)
            yield Suggestion((act,), f"ask {to} about {topic}", to)


def _questions(context: TalkContext) -> list[tuple[str, str, str]]:
    """(to, topic, about) in the order of interest, a little shuffled by taste."""
    state, ledger = context.scene.state, context.scene.ledger
    found: list[tuple[str, str, str]] = []
    for seer in ledger.claimants[Role.SEER]:
        if told := [r for r in ledger.results.get(seer, []) if r.day == context.day]:
            found.append((seer, "why_divine", told[-1].target))
    seers = ledger.claimants[Role.SEER]
    # Wolves do not draw each other out.
    others = [name for name in state.others if name not in state.partners]
    context.rng.shuffle(others)
    past = state.votes.get(state.day - 1, ())
    mine = next((vote.target for vote in past if vote.agent == context.me), "")
    for vote in past:
        if vote.agent in others and vote.target not in (context.me, mine):
            found.append((vote.agent, "why_vote", vote.target))
    for name in others:
        words = ledger.count(state.day, name)
        opinions = any(s.who == name and s.day == state.day for s in ledger.suspicions)
        if sum(seer in state.alive for seer in seers) >= 2 and name not in seers and words:
            found.append((name, "believe", ""))
        # On the first day the claims come first; to ask for suspects before them is idle.
        if not opinions and (words > 1 or context.turn or (words and state.day > 1)):
            found.append((name, "suspect", ""))
        if (target := ledger.votes.get((state.day, name))) and target != context.me:
            found.append((name, "why", target))
    context.rng.shuffle(found)
    top = context.scene.outer.ranked(state.others)[:2]
    return sorted(found, key=lambda item: item[0] not in top)


def _trust(context: TalkContext) -> Iterator[Suggestion]:
    scene = context.scene
    for name in reversed(scene.outer.ranked(scene.state.others)) if not context.count("trust") else ():
        act = SpeechAct("trust", target=name)
        if not context.fresh(act) or not _may_be_trusted(context, name):
            continue
        reason = scene.outer.reason(name, against=False)
        if reason is not None and _may_be_told(context, name, reason):
            yield Suggestion((act,), f"{name} looks human")
            return


def _may_be_trusted(context: TalkContext, name: str) -> bool:
    """Few say the same of one player, and nobody vouches for the one it has just said it will vote for."""
    scene = context.scene
    if name == scene.promise or scene.ledger.claims.get(name) == Role.POSSESSED:
        return False
    twice = sum(said.target == name and said.day == context.day for said in scene.ledger.trusts) >= 2
    return not twice and scene.outer.known.get(name) != Species.WEREWOLF


def _may_be_told(context: TalkContext, name: str, reason: Reason) -> bool:
    """Whether ``reason`` is fit to be said of ``name``: that a seer cleared somebody is repeated only by who believes
    that seer, and never of another who claims to be one."""
    if "claim" in reason.kind or reason.kind == "announced":
        return False
    if reason.kind != "seer_white" or reason.fact.who == name:
        return True
    claims = context.scene.ledger.claims
    return claims.get(name) != Role.SEER and reason.fact.who == trusted_claimant(context)


def _remarks(context: TalkContext) -> Iterator[Suggestion]:
    """About yesterday's execution, and how many are left."""
    state = context.scene.state
    dead = state.executions.get(state.day - 1, "")
    if dead and context.cares(f"executed:{dead}", TOGETHER):
        mine = any(v.agent == context.me and v.target == dead for v in state.votes.get(state.day - 1, ()))
        human = context.scene.outer.known.get(dead) == Species.HUMAN
        topic = ("regret" if human else "unsure") if mine else ("told_you" if human else "unsure")
        yield from context.offer(SpeechAct("executed", target=dead, topic=topic), "yesterday's execution")
    if state.day >= 2 and len(state.alive) <= 4:
        yield from context.offer(SpeechAct("final"), "few are left")
