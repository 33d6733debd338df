"""What is worth saying now: topics found in the facts, the duties among them first. Pure.

A topic is a list of aims that belong into one talk, with the key under which it is remembered as said.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from nlp_agent.mind.claims import Said
from nlp_agent.mind.decide import Scene, power_play, vote_choice
from nlp_agent.mind.persona import Persona
from nlp_agent.mind.plan import Aim
from nlp_agent.mind.suspicion import Evidence
from nlp_agent.protocol import Judge, Role, Species


@dataclass(frozen=True, slots=True)
class Topic:
    """``keys`` are remembered once the talk is out; ``to`` is the player addressed."""

    keys: tuple[str, ...]
    aims: tuple[Aim, ...]
    to: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """What planning a talk looks at besides the scene.

    ``done``: keys of topics said in this game; ``told``: own results said in public; ``turn``: own talks today;
    ``last``: whether this is (or may be) the last talk of the day; ``claimed``: the role claimed in public, or ``""``.
    """

    scene: Scene
    persona: Persona
    done: frozenset[str]
    told: frozenset[str]
    turn: int
    last: bool
    claimed: str
    rng: random.Random

    def new(self, *keys: str) -> bool:
        return not any(key in self.done for key in keys)

    @property
    def me(self) -> str:
        return self.scene.state.me

    @property
    def day(self) -> int:
        return self.scene.state.day


def duties(desk: Desk) -> Iterator[Topic]:
    """What must be said, most pressing first."""
    yield from _confession(desk)
    yield from _results(desk)
    yield from _black_on_me(desk)
    yield from _answers(desk)
    yield from _accusations(desk)


def _confession(desk: Desk) -> Iterator[Topic]:
    scene = desk.scene
    if power_play(scene) and desk.new("confess"):
        prey = vote_choice(scene, scene.state.others)
        aims = (Aim("confess", target=prey, role=Role.POSSESSED), Aim("vote", target=prey))
        yield Topic(("confess", f"vote:{desk.day}"), aims, why="side openly with the wolf")
    if desk.scene.state.role == Role.WEREWOLF and desk.new("ally"):
        for name in scene.ledger.claimants(Role.POSSESSED):
            left = [n for n in scene.state.others if n != name]
            if name in scene.state.alive and len(left) == 1:
                aims = (Aim("ally", target=left[0], to=name), Aim("vote", target=left[0]))
                yield Topic(("ally", f"vote:{desk.day}"), aims, name, "the possessed sides with us")


def _results(desk: Desk) -> Iterator[Topic]:
    story, state = desk.scene.story, desk.scene.state
    if state.day < 1 or story.role not in (Role.SEER, Role.MEDIUM) or not desk.new("confess"):
        return
    fresh = [judge for judge in story.history(state) if judge.target not in desk.told]
    if not fresh or (story.lies and state.day == 1 and desk.turn < story.turn and not desk.last):
        return
    aims: list[Aim] = []
    if not desk.claimed:
        rivals = [n for n in desk.scene.ledger.claimants(story.role) if n != desk.me]
        aims.append(Aim("claim", role=story.role, topic="counter" if rivals else ""))
    aims.extend(_result(story.role, judge) for judge in fresh[-2:])
    yield Topic((f"results:{state.day}",), tuple(aims), why="tell what the night showed")


def _result(role: str, judge: Judge) -> Aim:
    return Aim("result", target=judge.target, result=judge.result, role=role, day=judge.day)


def _black_on_me(desk: Desk) -> Iterator[Topic]:
    for claimant, results in desk.scene.ledger.results.items():
        hit = any(r.target == desk.me and r.result == Species.WEREWOLF for r in results)
        key = f"defend_black:{claimant}"
        if hit and claimant in desk.scene.state.alive and claimant != desk.me and desk.new(key):
            yield Topic((key,), (Aim("defend", to=claimant, topic="black"),), claimant, "called a wolf by a result")


def _answers(desk: Desk) -> Iterator[Topic]:
    """One per asker, the newest question first."""
    for ask in reversed(desk.scene.ledger.asks):
        key = f"ask:{ask.day}:{ask.idx}"
        if ask.day == desk.day and ask.target == desk.me and ask.who in desk.scene.state.alive and desk.new(key):
            keys = tuple(
                f"ask:{a.day}:{a.idx}" for a in desk.scene.ledger.asks if a.who == ask.who and a.target == desk.me
            )
            yield Topic(keys, (answer_to(desk, ask),), ask.who, f"{ask.who} asked about {ask.topic}")


def answer_to(desk: Desk, ask: Said) -> Aim:
    """An aim that answers ``ask`` to the point."""
    topic, to = ask.topic, ask.who
    scene, state = desk.scene, desk.scene.state
    if topic == "role":
        role = desk.claimed or (Role.VILLAGER if scene.story.role != Role.VILLAGER else scene.story.role)
        return Aim("answer", to=to, topic="role", role=role)
    if topic in ("result", "why_divine"):
        told = [j for j in scene.story.history(state) if j.target in desk.told]
        if not told or not desk.claimed:
            return Aim("answer", to=to, topic="no_result")
        return Aim("answer", to=to, topic=topic, target=told[-1].target, result=told[-1].result)
    accused = any(s.who == desk.me and s.target == to and s.day == desk.day for s in scene.ledger.suspicions)
    if topic in ("why", "any") and accused:
        return Aim("answer", to=to, topic="why_you", target=to)
    if topic == "believe":
        best = _trusted_claimant(desk)
        return Aim("answer", to=to, topic="believe" if best else "undecided", target=best)
    if topic == "why_vote":
        past = next((v.target for v in state.votes.get(state.day - 1, ()) if v.agent == desk.me), "")
        if past and past != to:
            return Aim("answer", to=to, topic="why_vote", target=past)
        if past:
            return Aim("answer", to=to, topic="why_vote_you", target="")
    if state.day == 0:
        return Aim("answer", to=to, topic="early")
    target = _pick(desk)
    kind = "vote" if topic == "vote" else "suspect"
    return Aim("answer", to=to, topic=kind, target=target) if target else Aim("answer", to=to, topic="undecided")


def _accusations(desk: Desk) -> Iterator[Topic]:
    for said in reversed(desk.scene.ledger.suspicions):
        key = f"defend:{said.day}:{said.who}"
        if said.day == desk.day and said.target == desk.me and said.who != desk.me and desk.new(key):
            if said.who in desk.scene.state.alive and desk.new(f"defend_black:{said.who}"):
                yield Topic((key,), (Aim("defend", to=said.who),), said.who, f"{said.who} suspects us")


def _pick(desk: Desk) -> str:
    """Whom this seat suspects aloud: the vote it means, so that words and deed agree."""
    scene = desk.scene
    return scene.promise or vote_choice(scene, scene.state.others)


def _trusted_claimant(desk: Desk) -> str:
    scene = desk.scene
    if desk.claimed == Role.SEER:
        return ""
    living = {name: c for name, c in scene.outer.credit.items() if scene.ledger.claims.get(name) == Role.SEER}
    if not living:
        return ""
    best = max(living, key=lambda name: living[name] + 0.12 * _lean(desk, name))
    return best if living[best] > 0.3 else ""


def _lean(desk: Desk, name: str) -> float:
    """A steady leaning of this character towards ``name``, 0..1."""
    return random.Random(f"{desk.me}|{name}|{desk.persona.bold}").random()


def topics(desk: Desk) -> Iterator[Topic]:
    """What is worth saying beyond duties, best first; each is said once."""
    if desk.turn == 0:
        yield from _morning(desk)
    yield from _reactions(desk)
    steps = [_suspect, _question, _trust] if desk.persona.bold > 0.5 or desk.turn > 1 else [_question, _suspect, _trust]
    for step in steps:
        yield from step(desk)
    yield from _remarks(desk)


def _morning(desk: Desk) -> Iterator[Topic]:
    state = desk.scene.state
    key = f"morning:{state.day}"
    if state.day < 1 or not desk.new(key):
        return
    victim, dead = state.attacks.get(state.day - 1, ""), state.executions.get(state.day - 1, "")
    claims = desk.scene.ledger.claims
    if state.day == 1:
        topic = "first" if Role.SEER in claims.values() else "first_open"
    elif victim and claims.get(victim) == desk.claimed == Role.SEER:
        topic = "rival_died"
    elif victim and desk.scene.ledger.claims.get(victim) == Role.SEER:
        topic = "seer_died"
    else:
        topic = "died" if victim else "quiet"
    yield Topic((key,), (Aim("morning", target=victim, topic=topic),), why=f"the morning after {dead or 'talk'}")


def _reactions(desk: Desk) -> Iterator[Topic]:
    """To claims and results of others."""
    scene, ledger = desk.scene, desk.scene.ledger
    rivals = [name for name in ledger.claimants(Role.SEER) if name != desk.me]
    if desk.claimed == Role.SEER:
        for name in rivals:
            key = f"rival:{name}"
            if desk.new(key) and name in scene.state.alive and desk.new("confess"):
                colour = scene.outer.known.get(name, "")
                yield Topic((key,), (Aim("rival", target=name, topic=colour),), why=f"{name} claims our role")
    elif len(rivals) >= 2 and desk.new(f"rivals:{len(rivals)}"):
        best = _trusted_claimant(desk)
        topic = "lean" if best else "open"
        aim = Aim("rivals", target=best or rivals[0], to="", topic=topic)
        yield Topic((f"rivals:{len(rivals)}", "seer:first"), (aim,), why="several claim to be the seer")
    elif len(rivals) == 1 and desk.new("seer:first") and rivals[0] in scene.state.alive:
        yield Topic(("seer:first",), (Aim("heard", target=rivals[0]),), why=f"{rivals[0]} claimed seer")
    for claimant, told in ledger.results.items():
        for result in told:
            key = f"result:{claimant}:{result.target}"
            if claimant == desk.me or result.target == desk.me or not desk.new(key) or result.day != desk.day:
                continue
            if ledger.claims.get(claimant) == Role.MEDIUM:
                topic = f"medium_{result.result}"
            elif result.target not in scene.state.alive or ledger.claims.get(result.target) == Role.SEER:
                continue
            else:
                topic = f"seer_{result.result}"
            yield Topic((key,), (Aim("react", target=result.target, to=claimant, topic=topic),), why=key)


def _suspect(desk: Desk) -> Iterator[Topic]:
    target = _pick(desk)
    if not target:
        return
    others = [s.who for s in desk.scene.ledger.suspicions if s.target == target and s.day == desk.day]
    friend = next((who for who in reversed(others) if who not in (desk.me, target)), "")
    key = f"suspect:{desk.day}:{target}"
    if friend and friend in desk.scene.state.alive and desk.new(key, f"agree:{desk.day}"):
        aim = Aim("agree", target=target, to=friend)
        yield Topic((f"agree:{desk.day}", key), (aim,), why=f"{friend} suspects {target} too")
    if desk.new(key) and speakable(desk.scene.outer.reason(target)) is not None:
        yield Topic((key,), (Aim("suspect", target=target),), why=f"{target} looks most like a wolf")


def speakable(evidence: Evidence | None) -> Evidence | None:
    """Only reasons of some weight are worth a talk."""
    return evidence if evidence is not None and abs(evidence.weight) >= 0.15 else None


def _question(desk: Desk) -> Iterator[Topic]:
    """At most two questions a day, never one that somebody asked the same player today."""
    scene, state, ledger = desk.scene, desk.scene.state, desk.scene.ledger
    asked = sum(key.startswith(f"mine:{desk.day}") for key in desk.done)
    if desk.last or asked >= 2 or state.day < 1:
        return
    taken = {(a.target, a.topic) for a in ledger.asks if a.day == desk.day}
    busy = {a.target for a in ledger.asks if a.day == desk.day and a.who == desk.me}
    for to, topic, about in _questions(desk):
        if to != desk.me and to in state.alive and (to, topic) not in taken and to not in busy:
            aim = Aim("ask", to=to, topic=topic, target=about)
            yield Topic((f"mine:{desk.day}:{to}:{topic}",), (aim,), to, f"ask {to} about {topic}")


def _questions(desk: Desk) -> list[tuple[str, str, str]]:
    """(to, topic, about) in the order of interest, a little shuffled by taste."""
    state, ledger = desk.scene.state, desk.scene.ledger
    found: list[tuple[str, str, str]] = []
    for seer in ledger.claimants(Role.SEER):
        if told := [r for r in ledger.results.get(seer, []) if r.day == desk.day]:
            found.append((seer, "why_divine", told[-1].target))
    seers = ledger.claimants(Role.SEER)
    others = list(state.others)
    desk.rng.shuffle(others)
    for vote in state.votes.get(state.day - 1, ()):
        if vote.agent in others and vote.target not in (desk.me, ""):
            found.append((vote.agent, "why_vote", vote.target))
    for name in others:
        words = ledger.counts.get((state.day, name), 0)
        opinions = any(s.who == name and s.day == state.day for s in ledger.suspicions)
        if len(seers) >= 2 and name not in seers and words:
            found.append((name, "believe", ""))
        if not opinions and (words or desk.turn):
            found.append((name, "suspect", ""))
        if (target := ledger.votes.get((state.day, name))) and target != desk.me:
            found.append((name, "why", target))
    desk.rng.shuffle(found)
    top = desk.scene.outer.ranked(state.others)[:2]
    return sorted(found, key=lambda item: item[0] not in top)


def _trust(desk: Desk) -> Iterator[Topic]:
    scene = desk.scene
    for name in reversed(scene.outer.ranked(scene.state.others)):
        reason = speakable(scene.outer.reason(name, against=False))
        key = f"trust:{name}"
        if reason is not None and reason.key not in _SILENT_TRUST and desk.new(key, f"trusted:{desk.day}"):
            yield Topic((key, f"trusted:{desk.day}"), (Aim("trust", target=name),), why=f"{name} looks human")
            return


_SILENT_TRUST = frozenset({"seer_claim", "medium_claim"})


def _remarks(desk: Desk) -> Iterator[Topic]:
    """About yesterday's execution, and how many are left."""
    state = desk.scene.state
    dead = state.executions.get(state.day - 1, "")
    if dead and desk.new(f"executed:{dead}"):
        mine = any(v.agent == desk.me and v.target == dead for v in state.votes.get(state.day - 1, ()))
        human = desk.scene.outer.known.get(dead) == Species.HUMAN
        topic = ("regret" if human else "unsure") if mine else ("told_you" if human else "unsure")
        yield Topic((f"executed:{dead}",), (Aim("executed", target=dead, topic=topic),), why="yesterday's execution")
    if state.day >= 2 and len(state.alive) <= 4 and desk.new(f"final:{state.day}"):
        yield Topic((f"final:{state.day}",), (Aim("final"),), why="few are left")
