"""The order of a day's talks: duties first, then one thing of interest, and the vote in good time. Pure."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from nlp_agent.belief.constants import FINAL, RECONSIDER
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.decide import RARE, rests_on_something
from nlp_agent.planning.desk import Desk, Topic
from nlp_agent.planning.duties import duties, replies
from nlp_agent.planning.scene import Scene
from nlp_agent.planning.topics import topics

__all__ = ["Desk", "Topic", "daily", "greeting"]


def greeting(desk: Desk) -> list[Topic]:
    """Day 0: a greeting, perhaps some small talk that picks up somebody's words, answers, and then silence."""
    if desk.new("greet"):
        return [Topic(("greet",), (SpeechAct("greet"),), why="greet the village")]
    for topic in duties(desk):
        return [topic]
    if desk.turn == 1 and desk.new("chat"):
        return [Topic(("chat",), (SpeechAct("chat"),), why="small talk")]
    return []


def daily(desk: Desk) -> list[Topic]:
    """The topics of one talk (an empty list: nothing more today)."""
    if not desk.new("confess", "ally"):
        return _musts(desk, "")[:1]
    reply = next(replies(desk), None)
    near = reply.to if reply else ""
    chosen = _content(desk, near)
    if reply is not None:
        chosen = [_told_to(near, topic) for topic in chosen]
    partner = next((topic.to for topic in chosen if topic.to), "")
    if reply is None or not chosen or partner:
        spoken = [topic if topic.to else _spoken_to(partner, topic) for topic in chosen]
        return [t for t in spoken if t.to or not _speaks_of(partner, t) or t.acts[0].kind in ("vote", "retract")]
    if any(_speaks_of(near, _spoken_to(near, topic)) for topic in chosen):
        return chosen  # Nobody is addressed and spoken of in one breath.
    rest = [topic for topic in chosen if topic.acts[0].kind != "morning" or len(chosen) == 1]
    spoken = [_spoken_to(near, topic) for topic in rest]
    if any(act.to == act.target == near for topic in spoken for act in topic.acts):
        # What is said to the face next is reply enough.
        return [replace(spoken[0], to=near), *spoken[1:]]
    return [reply, *spoken]


def _told_to(near: str, topic: Topic) -> Topic:
    """A defence against a result, told to who has just spoken to us rather than to its seer."""
    act = topic.acts[-1]
    if act.kind != "deny" or act.to == near:
        return topic
    return replace(topic, acts=(*topic.acts[:-1], replace(act, to=near)), to=near)


def _spoken_to(name: str, topic: Topic) -> Topic:
    """``topic`` said to ``name``: what concerns that player itself is said to its face."""
    if not name:
        return topic
    acts = tuple(replace(a, to=name) if a.target == name and a.row.face else a for a in topic.acts)
    return replace(topic, acts=acts)


def _speaks_of(name: str, topic: Topic) -> bool:
    """Whether ``topic`` would speak of ``name`` as of somebody else."""
    return bool(name) and any(name in (a.target, a.to) and a.to != a.target for a in topic.acts)


def _content(desk: Desk, near: str) -> list[Topic]:
    """Duties, the vote, or something of interest; ``near`` has spoken to us and is the only one to be addressed."""
    musts = _musts(desk, near)
    if any(act.kind == "vote" for topic in musts for act in topic.acts):
        return musts
    if vote := _vote(desk):
        return [*musts[:1], vote]
    if musts:
        return _with_morning(desk, musts)
    return _interest(desk, near) if desk.new(f"vote:{desk.day}") else _afterword(desk, near)


def _afterword(desk: Desk, near: str) -> list[Topic]:
    """After the vote only news is taken up."""
    return list(islice((t for t in topics(desk) if t.acts[0].row.news and t.to in ("", near)), 1))


def _interest(desk: Desk, near: str) -> list[Topic]:
    if found := list(islice((topic for topic in topics(desk) if not near or _suits(near, topic)), 2)):
        return found[:2] if found[0].acts[0].kind == "morning" else found[:1]
    if desk.turn < 2 and desk.new(f"listen:{desk.day}"):
        return [Topic((f"listen:{desk.day}",), (SpeechAct("listen"),), why="nothing to go on yet")]
    return [_announcement(desk)]


def _suits(near: str, topic: Topic) -> bool:
    """Whoever has just spoken to us is not talked of as if absent."""
    act = topic.acts[0]
    if topic.to not in ("", near) or _speaks_of(near, _spoken_to(near, topic)):
        return False
    return act.kind not in ("agree", "trust") or act.target != near


def _musts(desk: Desk, near: str) -> list[Topic]:
    """The most pressing duty, and a second one when neither is addressed to anybody.

    Who has spoken to us comes before who has only spoken of us.
    """
    found = [topic for topic in duties(desk) if not near or topic.to in ("", near) or not _can_wait(topic)]
    found.sort(key=lambda topic: bool(near) and topic.to not in ("", near))
    second = next((topic for topic in found[1:] if not topic.to), None)
    return [found[0], second] if second and not found[0].to else found[:1]


def _can_wait(topic: Topic) -> bool:
    return topic.acts[0].kind == "defend"


def _vote(desk: Desk) -> Topic | None:
    """The vote to be announced now, or the change of an announced one."""
    scene = desk.scene
    if not desk.new("confess", "ally"):
        return None
    if desk.new(f"vote:{desk.day}"):
        return _announcement(desk) if _time_to_vote(desk) else None
    wish = desk.vote
    if not scene.promise or wish == scene.promise or not _changed(scene, wish):
        return None
    why = f"now {wish} instead of {scene.promise}"
    return Topic((f"retract:{desk.day}",), (SpeechAct("retract", target=wish),), why=why)


def _announcement(desk: Desk) -> Topic:
    act = SpeechAct("vote", target=desk.vote)
    return Topic((f"vote:{desk.day}",), (act,), why=f"announce the vote for {desk.vote}")


def _time_to_vote(desk: Desk) -> bool:
    """The bold announce two talks before their last, and so does everybody in a final; the others one talk before it.

    Early words win votes and let the village gather; there is a talk left to take them back. But before a final a vote
    that rests on nothing is no early word.
    """
    left = desk.scene.state.talks_after
    final = desk.day > 1 and len(desk.scene.state.alive) <= FINAL
    early = final or (desk.bold >= 0.6 and rests_on_something(desk.scene, desk.vote))
    return desk.last or (left is not None and left <= (2 if early else 1))


def _changed(scene: Scene, wish: str) -> bool:
    """Whether the mind has changed for good, not by a hair unless the vote announced rests on nothing; or its target
    has shown a rare role since."""
    if scene.ledger.claims.get(scene.promise) in RARE and scene.ledger.claimed_on.get(scene.promise) == scene.state.day:
        return True
    more = scene.outer.wolf.get(wish, 0.0) - scene.outer.wolf.get(scene.promise, 0.0)
    better = rests_on_something(scene, wish) and not rests_on_something(scene, scene.promise)
    return more > (0.0 if better else RECONSIDER)


def _with_morning(desk: Desk, musts: list[Topic]) -> list[Topic]:
    if len(musts) > 1 or desk.turn > 0 or musts[0].to or desk.day < 2:
        return musts
    if musts[0].acts[0].kind in ("confess", "ally"):
        return musts  # who drops the mask does not first mourn, or call somebody else the possessed
    first = next(topics(desk), None)
    return [first, *musts] if first and first.acts[0].kind == "morning" else musts
