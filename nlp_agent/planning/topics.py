"""What is worth saying beyond duties: the morning, reactions, suspicion, questions, trust. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nlp_agent.belief.assessment import Reason
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.desk import Desk, Topic, pick, trusted_claimant
from nlp_agent.protocol import Role, Species
from nlp_agent.reading.ledger import Result

TOGETHER = 4
"""About so many players say what everybody thinks."""


def topics(desk: Desk) -> Iterator[Topic]:
    """What is worth saying beyond duties, best first; each is said once."""
    if desk.turn == 0:
        yield from _morning(desk)
    if desk.scene.story.role == Role.SEER and not desk.claimed:
        return  # Who is about to claim the role must not greet another seer first, nor give away whom it knows.
    yield from _reactions(desk)
    bold = desk.bold > 0.5 or desk.turn > 1
    yield from _suspect(desk) if bold else _question(desk)
    yield from _question(desk) if bold else _suspect(desk)
    yield from _trust(desk)
    yield from _remarks(desk)


def _morning(desk: Desk) -> Iterator[Topic]:
    state = desk.scene.state
    key = f"morning:{state.day}"
    spoken = {talk.agent for talk in state.today if talk.said}
    # A village does not say good morning thirteen times.
    some = 1.6 if state.day > 1 else 0.8
    if state.day < 1 or not desk.new(key) or (len(spoken) >= 2 and desk.rng.random() > some / len(spoken)):
        return
    victim, dead = state.attacks.get(state.day - 1, ""), state.executions.get(state.day - 1, "")
    claims = desk.scene.ledger.claims
    if state.day == 1:
        known = Role.SEER in claims.values() or desk.scene.story.role == Role.SEER
        topic = "first" if known else "first_open"
    elif victim and claims.get(victim) == desk.claimed == Role.SEER:
        topic = "rival_died"
    elif victim and desk.scene.ledger.claims.get(victim) == Role.SEER:
        topic = "seer_died"
    else:
        topic = "died" if victim else "quiet"
    yield Topic((key,), (SpeechAct("morning", target=victim, topic=topic),), why=f"the morning after {dead or 'talk'}")


def _reactions(desk: Desk) -> Iterator[Topic]:
    """To claims and results of others."""
    yield from _to_claims(desk)
    for name in desk.scene.ledger.claimants(Role.POSSESSED):
        if name in desk.scene.state.others and desk.new(f"confessed:{name}"):
            act = SpeechAct("react", target=name, topic="confession")
            yield Topic((f"confessed:{name}",), (act,), why=f"{name} confessed")
    for claimant, told in desk.scene.ledger.results.items():
        for result in told:
            key = f"result:{claimant}:{result.target}"
            if desk.me in (claimant, result.target) or result.day != desk.day or not desk.new(key):
                continue
            if topic := _reaction(desk, claimant, result):
                keys = (key, f"stood:{desk.day}:{result.target}") if topic == "doubt_WEREWOLF" else (key,)
                yield Topic(keys, (SpeechAct("react", target=result.target, to=claimant, topic=topic),), why=key)


def _to_claims(desk: Desk) -> Iterator[Topic]:
    """To a first seer, to several of them, or, as a seer, to a rival."""
    scene, ledger = desk.scene, desk.scene.ledger
    rivals = [name for name in ledger.claimants(Role.SEER) if name != desk.me]
    if desk.claimed == Role.SEER:
        for name in rivals:
            if desk.new(f"rival:{name}") and name in scene.state.alive:
                act = SpeechAct("rival", target=name, topic=scene.outer.known.get(name, ""))
                yield Topic((f"rival:{name}",), (act,), why=f"{name} claims our role")
        return
    yield from _turned(desk)
    if not any(ledger.claimed_on.get(name) == desk.day for name in rivals):
        return
    if len(rivals) >= 2 and desk.new(f"rivals:{len(rivals)}") and desk.cares(f"rivals:{len(rivals)}", TOGETHER):
        best = trusted_claimant(desk)
        act = SpeechAct("rivals", target=best or rivals[0], topic="lean" if best else "open")
        keys = (f"rivals:{len(rivals)}", "seer:first", f"lean:{best}")
        yield Topic(keys, (act,), why="several claim to be the seer")
    elif len(rivals) == 1 and desk.new("seer:first") and rivals[0] in scene.state.alive:
        if _talked_of(desk, rivals[0]) >= 3:
            return
        yield Topic(("seer:first",), (SpeechAct("heard", target=rivals[0]),), why=f"{rivals[0]} claimed seer")


def _turned(desk: Desk) -> Iterator[Topic]:
    """Says so when another seer is believed than the one leaned to before."""
    best = trusted_claimant(desk)
    before = [name for name in desk.scene.ledger.claimants(Role.SEER) if not desk.new(f"lean:{name}")]
    if best and len(before) == 1 and before[0] != best:
        act = SpeechAct("rivals", target=best, to=before[0], topic="turned")
        yield Topic((f"lean:{best}", f"rivals:{desk.day}"), (act,), why=f"{best} is believed now")


def _reaction(desk: Desk, claimant: str, result: Result) -> str:
    """Which lines take up a result, or ``""`` when it is not worth a word."""
    ledger = desk.scene.ledger
    if _talked_of(desk, result.target) >= (
        5 if result.result == Species.WEREWOLF and ledger.claims.get(claimant) == Role.SEER else 3
    ):
        return ""
    mine = desk.scene.story.outlook(desk.scene.state).results.get(result.target, result.result)
    if mine != result.result and ledger.claims.get(claimant) == Role.MEDIUM:
        return ""  # Who told the opposite does not nod to it.
    if ledger.claims.get(claimant) == Role.MEDIUM:
        return f"medium_{result.result}"
    if result.target not in desk.scene.state.alive or ledger.claims.get(result.target) == Role.SEER:
        return ""
    return _seer_reaction(desk, claimant, result)


def _talked_of(desk: Desk, name: str) -> int:
    """How many others have spoken of ``name`` today."""
    return len({t.agent for t in desk.scene.state.today if name in t.text and t.agent not in (desk.me, name)})


def _seer_reaction(desk: Desk, claimant: str, result: Result) -> str:
    """How to take up a result: as news when the claimant is believed and nothing we know or want speaks against it."""
    outer = desk.scene.outer
    if outer.known.get(result.target) == result.result and not outer.credit.get(claimant):
        return ""
    black = result.result == Species.WEREWOLF
    voted = result.target == pick(desk)
    if claimant == outer.trusted and (black or not voted):
        return f"seer_{result.result}"
    # Who votes for somebody called a wolf, for whatever reason, does not call that doubtful.
    few = desk.cares(f"doubt:{claimant}:{result.target}", TOGETHER if black else TOGETHER // 2)
    return f"doubt_{result.result}" if few and not (black and voted) else ""


def _suspect(desk: Desk) -> Iterator[Topic]:
    target = pick(desk)
    if not target:
        return
    others = [s.who for s in desk.scene.ledger.suspicions if s.target == target and s.day == desk.day]
    friend = next((who for who in reversed(others) if who not in (desk.me, target)), "")
    key = f"suspect:{desk.day}:{target}"
    if target in desk.scene.story.outlook(desk.scene.state).results:
        friend = ""  # Who knows by its own result agrees with nobody.
    if friend and friend in desk.scene.state.alive and desk.new(key, f"agree:{desk.day}"):
        act = SpeechAct("agree", target=target, to=friend)
        yield Topic((f"agree:{desk.day}", key), (act,), why=f"{friend} suspects {target} too")
    if desk.new(key) and desk.scene.outer.reasons(target):
        yield Topic((key,), (SpeechAct("suspect", target=target),), why=f"{target} looks most like a wolf")


def _question(desk: Desk) -> Iterator[Topic]:
    """At most two questions a day, never one that somebody asked the same player today."""
    state, ledger = desk.scene.state, desk.scene.ledger
    asked = sum(key.startswith(f"mine:{desk.day}") for key in desk.done)
    if desk.last or asked >= 2 or state.day < 1:
        return
    taken = {(a.target, a.topic) for a in ledger.asks if a.day == desk.day}
    often = Counter(a.topic for a in ledger.asks if a.day == desk.day)
    busy = {a.target for a in ledger.asks if a.day == desk.day and a.who == desk.me}
    for to, topic, about in _questions(desk):
        done = bool(state.phase) and state.talks_left(to) == 0  # in a group chat nobody answers without talks
        open_to = to in state.others and to not in busy and not done and ledger.claims.get(to) != Role.POSSESSED
        if open_to and (to, topic) not in taken and often[topic] < 2 + (state.day > 1):
            act = SpeechAct("ask", to=to, topic=topic, target=about)
            yield Topic((f"mine:{desk.day}:{to}:{topic}",), (act,), to, f"ask {to} about {topic}")


def _questions(desk: Desk) -> list[tuple[str, str, str]]:
    """(to, topic, about) in the order of interest, a little shuffled by taste."""
    state, ledger = desk.scene.state, desk.scene.ledger
    found: list[tuple[str, str, str]] = []
    for seer in ledger.claimants(Role.SEER):
        if told := [r for r in ledger.results.get(seer, []) if r.day == desk.day]:
            found.append((seer, "why_divine", told[-1].target))
    seers = ledger.claimants(Role.SEER)
    # Wolves do not draw each other out.
    others = [name for name in state.others if name not in state.partners]
    desk.rng.shuffle(others)
    past = state.votes.get(state.day - 1, ())
    mine = next((vote.target for vote in past if vote.agent == desk.me), "")
    for vote in past:
        if vote.agent in others and vote.target not in (desk.me, mine):
            found.append((vote.agent, "why_vote", vote.target))
    for name in others:
        words = ledger.counts.get((state.day, name), 0)
        opinions = any(s.who == name and s.day == state.day for s in ledger.suspicions)
        if sum(seer in state.alive for seer in seers) >= 2 and name not in seers and words:
            found.append((name, "believe", ""))
        # On the first day the claims come first; to ask for suspects before them is idle.
        if not opinions and (words > 1 or desk.turn or (words and state.day > 1)):
            found.append((name, "suspect", ""))
        if (target := ledger.votes.get((state.day, name))) and target != desk.me:
            found.append((name, "why", target))
    desk.rng.shuffle(found)
    top = desk.scene.outer.ranked(state.others)[:2]
    return sorted(found, key=lambda item: item[0] not in top)


def _trust(desk: Desk) -> Iterator[Topic]:
    scene, today = desk.scene, f"trusted:{desk.day}"
    for name in reversed(scene.outer.ranked(scene.state.others)) if desk.new(today) else ():
        key = f"trust:{name}"
        reason = scene.outer.reason(name, against=False) if desk.new(key) else None
        if reason is not None and "claim" not in reason.kind and _may_trust(desk, name, reason):
            keys = (key, today, f"stood:{desk.day}:{name}")
            yield Topic(keys, (SpeechAct("trust", target=name),), why=f"{name} looks human")
            return


def _may_trust(desk: Desk, name: str, reason: Reason) -> bool:
    """A white is repeated by few, and only by who believes its seer; no seer vouches for a rival of its own, and nobody
    for the one it has just said it will vote for.
    """
    claims, trusts = desk.scene.ledger.claims, desk.scene.ledger.trusts
    if name == desk.scene.promise or claims.get(name) == Role.POSSESSED:
        return False
    twice = sum(s.target == name and s.day == desk.day for s in trusts) >= 2
    if twice or desk.scene.outer.known.get(name) == Species.WEREWOLF:
        return False
    if reason.kind != "seer_white" or reason.fact.who == name:
        return True
    return claims.get(name) != Role.SEER and reason.fact.who == trusted_claimant(desk)


def _remarks(desk: Desk) -> Iterator[Topic]:
    """About yesterday's execution, and how many are left."""
    state = desk.scene.state
    dead = state.executions.get(state.day - 1, "")
    if dead and desk.new(f"executed:{dead}") and desk.cares(f"executed:{dead}", TOGETHER):
        mine = any(v.agent == desk.me and v.target == dead for v in state.votes.get(state.day - 1, ()))
        human = desk.scene.outer.known.get(dead) == Species.HUMAN
        topic = ("regret" if human else "unsure") if mine else ("told_you" if human else "unsure")
        yield Topic(
            (f"executed:{dead}",), (SpeechAct("executed", target=dead, topic=topic),), why="yesterday's execution"
        )
    if state.day >= 2 and len(state.alive) <= 4 and desk.new(f"final:{state.day}"):
        yield Topic((f"final:{state.day}",), (SpeechAct("final"),), why="few are left")
