"""What must be said: confessions, results, defence, and answers to whoever asked. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nlp_agent.belief.constants import DOOMED
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.desk import Desk, Topic, pick, trusted_claimant
from nlp_agent.planning.scene import Scene
from nlp_agent.planning.sides import allies, power_play, wolfish
from nlp_agent.protocol import Judge, Role, Species
from nlp_agent.reading.ledger import Said

_HIDDEN = (Role.MEDIUM, Role.BODYGUARD)
"""Roles of the village that are better kept secret as long as that goes."""


def duties(desk: Desk) -> Iterator[Topic]:
    """What must be said, most pressing first."""
    if not desk.new("confess", "ally"):
        yield from _after_the_mask(desk)
        return
    confession = next(_confession(desk), None)
    if confession is not None:
        yield confession
        return
    yield from _results(desk)
    yield from _black_on_me(desk)
    yield from _rope(desk)
    yield from _answers(desk)
    yield from _accusations(desk)


def _confession(desk: Desk) -> Iterator[Topic]:
    scene = desk.scene
    if power_play(scene) and desk.new("confess"):
        # Whom to vote for is said later where there is time: the wolf may answer, and tells who it is by that.
        prey = desk.vote
        acts: tuple[SpeechAct, ...] = (SpeechAct("confess", target=prey, role=Role.POSSESSED),)
        keys: tuple[str, ...] = ("confess",)
        if desk.last or _sure_of_the_wolf(scene):
            acts, keys = (*acts, SpeechAct("vote", target=prey, topic="ally")), (*keys, f"vote:{desk.day}")
        yield Topic(keys, acts, why="side openly with the wolf")
    if scene.state.role == Role.WEREWOLF and desk.new("ally"):
        yield from _alliance(desk)


def _sure_of_the_wolf(scene: Scene) -> bool:
    return max(wolfish(scene).values(), default=0.0) > 0.9


def _alliance(desk: Desk) -> Iterator[Topic]:
    """The possessed has sided with us openly: with all our votes together the game is won."""
    scene, state = desk.scene, desk.scene.state
    for name in scene.ledger.claimants(Role.POSSESSED):
        pack = [n for n in state.alive if n == state.me or n in state.partners]
        rest = [n for n in state.others if n != name and n not in pack]
        if name in state.alive and 0 < len(rest) <= len(pack):
            prey = desk.vote if desk.vote in rest else rest[0]
            ally = SpeechAct("ally", target=prey, role=Role.WEREWOLF, to=name)
            vote = SpeechAct("vote", target=prey, topic="ally")
            yield Topic(("ally", f"vote:{desk.day}"), (ally, vote), name, "the possessed sides with us")


def _after_the_mask(desk: Desk) -> Iterator[Topic]:
    """Once sides are open there is the vote left to say, and one thing to whoever still asks."""
    scene = desk.scene
    if desk.new(f"vote:{desk.day}"):
        prey = desk.vote
        friend = next((n for n in scene.ledger.claimants(Role.WEREWOLF) if n in scene.state.others and n != prey), "")
        act = SpeechAct("vote", target=prey, topic="ally")
        yield Topic((f"vote:{desk.day}",), (act,), friend, f"the wolf is not {prey}")
        return
    if scene.promise in allies(scene) and desk.vote not in ("", scene.promise) and desk.new(f"retract:{desk.day}"):
        act = SpeechAct("retract", target=desk.vote, topic="ally")
        yield Topic((f"retract:{desk.day}",), (act,), why=f"{scene.promise} is the wolf")
        return
    for ask in reversed(desk.scene.ledger.asks):
        if ask.day == desk.day and ask.target == desk.me and desk.new("masked") and ask.who in desk.scene.state.alive:
            yield Topic(("masked",), (SpeechAct("answer", to=ask.who, topic="masked"),), ask.who, "the mask is off")
            return


def _results(desk: Desk) -> Iterator[Topic]:
    story, state = desk.scene.story, desk.scene.state
    if state.day < 1 or story.role not in (Role.SEER, Role.MEDIUM) or not desk.new("confess"):
        return
    fresh = [judge for judge in story.history(state) if judge.target not in desk.told]
    rivals = [n for n in desk.scene.ledger.claimants(story.role) if n != desk.me]
    if not fresh or desk.waits:
        return
    acts: list[SpeechAct] = []
    if not desk.claimed:
        acts.append(SpeechAct("claim", role=story.role, topic="counter" if rivals else ""))
    acts.extend(_result(story.role, judge) for judge in fresh[-2:])
    yield Topic((f"results:{state.day}",), tuple(acts), why="tell what the night showed")


def _result(role: str, judge: Judge) -> SpeechAct:
    return SpeechAct("result", target=judge.target, result=judge.result, role=role, day=judge.day)


def _black_on_me(desk: Desk) -> Iterator[Topic]:
    for claimant, results in desk.scene.ledger.results.items():
        hit = any(r.target == desk.me and r.result == Species.WEREWOLF for r in results)
        key = f"defend_black:{claimant}"
        if hit and claimant in desk.scene.state.alive and claimant != desk.me and desk.new(key):
            acts = [SpeechAct("deny", target=claimant, to=claimant)]
            role = desk.scene.state.role
            if role in _HIDDEN and not desk.claimed:
                # A wrong result against a rare role is the moment to show it.
                acts.insert(0, SpeechAct("claim", role=role))
            yield Topic((key,), tuple(acts), claimant, "called a wolf by a result")


def _rope(desk: Desk) -> Iterator[Topic]:
    """With so many votes announced against it a rare role has nothing left to hide for."""
    state = desk.scene.state
    callers = desk.scene.announced.get(desk.me, [])
    near = len(callers) >= max(2, DOOMED * len(state.alive))
    if near and state.role in _HIDDEN and not desk.claimed and desk.new("rope"):
        acts = (SpeechAct("claim", role=state.role), SpeechAct("defend", to=callers[-1]))
        yield Topic(("rope",), acts, callers[-1], f"{len(callers)} votes are announced against us")


def _answers(desk: Desk) -> Iterator[Topic]:
    """One per asker, the newest question first."""
    for ask in reversed(desk.scene.ledger.asks):
        key = f"ask:{ask.day}:{ask.idx}"
        if ask.day == desk.day and ask.target == desk.me and ask.who in desk.scene.state.alive and desk.new(key):
            keys = tuple(
                f"ask:{a.day}:{a.idx}" for a in desk.scene.ledger.asks if a.who == ask.who and a.target == desk.me
            )
            yield Topic(keys, (answer_to(desk, ask),), ask.who, f"{ask.who} asked about {ask.topic}")


def answer_to(desk: Desk, ask: Said) -> SpeechAct:
    """An act that answers ``ask`` to the point."""
    act = _ANSWERS[ask.topic](desk, ask) if ask.topic in _ANSWERS else None
    if act is not None:
        return act
    if desk.day == 0:
        return SpeechAct("answer", to=ask.who, topic="early")
    if ask.topic in ("why", "any") and _accused_today(desk, ask.who):
        return SpeechAct("answer", to=ask.who, topic="why_you", target=ask.who)
    target = pick(desk)
    kind = "vote" if ask.topic == "vote" else "suspect"
    return SpeechAct("answer", to=ask.who, topic=kind if target else "undecided", target=target)


def _accused_today(desk: Desk, name: str) -> bool:
    said = desk.scene.ledger.suspicions
    return any(s.who == desk.me and s.target == name and s.day == desk.day for s in said)


def _answer_role(desk: Desk, ask: Said) -> SpeechAct:
    # Who has not claimed keeps a special role to itself.
    return SpeechAct("answer", to=ask.who, topic="role", role=desk.claimed or Role.VILLAGER)


def _answer_result(desk: Desk, ask: Said) -> SpeechAct:
    told = [j for j in desk.scene.story.history(desk.scene.state) if j.target in desk.told]
    if not told or not desk.claimed:
        return SpeechAct("answer", to=ask.who, topic="no_result")
    return SpeechAct("answer", to=ask.who, topic=ask.topic, target=told[-1].target, result=told[-1].result)


def _answer_believe(desk: Desk, ask: Said) -> SpeechAct | None:
    if desk.scene.story.role == Role.SEER or desk.day == 0:
        return None
    best = trusted_claimant(desk)
    return SpeechAct("answer", to=ask.who, topic="believe" if best else "undecided", target=best)


def _answer_why_vote(desk: Desk, ask: Said) -> SpeechAct | None:
    votes = desk.scene.state.votes.get(desk.day - 1, ())
    past = next((vote.target for vote in votes if vote.agent == desk.me), "")
    if not past:
        return None
    if past == ask.who:
        return SpeechAct("answer", to=ask.who, topic="why_vote_you")
    return SpeechAct("answer", to=ask.who, topic="why_vote", target=past)


_ANSWERS: dict[str, Callable[[Desk, Said], SpeechAct | None]] = {
    "role": _answer_role,
    "result": _answer_result,
    "why_divine": _answer_result,
    "believe": _answer_believe,
    "why_vote": _answer_why_vote,
}


def _accusations(desk: Desk) -> Iterator[Topic]:
    """At most two defences a day: more would sound like nothing else."""
    if sum(key.startswith(f"defend:{desk.day}:") for key in desk.done) >= 2:
        return
    for said in reversed(desk.scene.ledger.suspicions):
        key = f"defend:{said.day}:{said.who}"
        at_me = said.day == desk.day and said.target == desk.me and said.who in desk.scene.state.others
        if at_me and desk.new(key, f"defend_black:{said.who}"):
            yield Topic((key,), (SpeechAct("defend", to=said.who),), said.who, f"{said.who} suspects us")


def replies(desk: Desk) -> Iterator[Topic]:
    """A short word for whoever spoke to us last without asking anything, before the talk goes on."""
    scene, day = desk.scene, desk.day
    spoke = max((t.idx for t in scene.state.today if t.agent == desk.me), default=-1)
    for said in reversed(scene.ledger.addresses):
        if said.day != day or said.idx < spoke or said.target != desk.me or said.who not in scene.state.others:
            continue
        if _accused_today(desk, said.who) or said.who == pick(desk):
            topic = "doubt"
        else:
            asked = any(key.startswith(f"mine:{day}:{said.who}:") for key in desk.done)
            topic = "thanks" if asked else ""
        once = f"replied:{day}:{said.who}"
        # A second word of acknowledgement to the same player says nothing, and a third sort of it makes a ritual.
        # What comes next is then said to that player without any preface.
        bare = topic != "thanks" and (not desk.new(once) or _replied(desk) >= 2)
        acts = () if bare else (SpeechAct("reply", to=said.who, topic=topic),)
        yield Topic((f"reply:{day}:{said.idx}", once), acts, said.who, f"{said.who} spoke to us")


def _replied(desk: Desk) -> int:
    return sum(key.startswith(f"replied:{desk.day}:") for key in desk.done)
