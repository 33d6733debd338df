"""The order of a day's talks: duties first, then one thing of interest, and the vote in good time. Pure."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice

from nlp_agent.belief.constants import BOLD, FINAL, RECONSIDER
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.context import Suggestion, TalkContext
from nlp_agent.planning.duties import duties, replies
from nlp_agent.planning.interests import interests, news
from nlp_agent.planning.scene import Scene
from nlp_agent.planning.target_plan import RARE, rests_on_something


def greeting(context: TalkContext) -> list[Suggestion]:
    """Day 0: a greeting, perhaps some small talk that picks up somebody's words, answers, and then silence."""
    small_talk = context.offer(SpeechAct("chat"), "small talk") if context.turn == 1 else ()
    return list(islice(chain(context.offer(SpeechAct("greet"), "greet the village"), duties(context), small_talk), 1))


def daily(context: TalkContext) -> list[Suggestion]:
    """The suggestions for one talk (an empty list: nothing more today)."""
    if context.unmasked:
        return _musts(context, "")[:1]
    reply = next(replies(context), None)
    near = reply.to if reply else ""
    chosen = _content(context, near)
    if reply is not None:
        chosen = [_told_to(near, one) for one in chosen]
    partner = next((one.to for one in chosen if one.to), "")
    if reply is None or not chosen or partner:
        spoken = [one if one.to else _spoken_to(partner, one) for one in chosen]
        return [t for t in spoken if t.to or not _speaks_of(partner, t) or "vote" in t.acts[0].row.binds]
    if any(_speaks_of(near, _spoken_to(near, one)) for one in chosen):
        return chosen  # Nobody is addressed and spoken of in one breath.
    rest = [one for one in chosen if one.acts[0].kind != "morning" or len(chosen) == 1]
    spoken = [_spoken_to(near, one) for one in rest]
    if any(act.to == act.target == near for one in spoken for act in one.acts):
        # What is said to the face next is reply enough.
        return [replace(spoken[0], to=near), *spoken[1:]]
    return [reply, *spoken]


def _told_to(near: str, one: Suggestion) -> Suggestion:
    """A defence against a result, told to who has just spoken to us rather than to its seer."""
    act = one.acts[-1]
    if act.kind != "deny" or act.to == near:
        return one
    return replace(one, acts=(*one.acts[:-1], replace(act, to=near)), to=near)


def _spoken_to(name: str, one: Suggestion) -> Suggestion:
    """``one`` said to ``name``: what concerns that player itself is said to its face."""
    if not name:
        return one
    acts = tuple(replace(a, to=name) if a.target == name and a.row.face else a for a in one.acts)
    return replace(one, acts=acts)


def _speaks_of(name: str, one: Suggestion) -> bool:
    """Whether ``one`` would speak of ``name`` as of somebody else."""
    return bool(name) and any(name in (a.target, a.to) and a.to != a.target for a in one.acts)


def _content(context: TalkContext, near: str) -> list[Suggestion]:
    """Duties, the vote, or something of interest; ``near`` has spoken to us and is the only one to be addressed."""
    musts = _musts(context, near)
    if any(act.kind in ("vote", "retract") for one in musts for act in one.acts):
        return musts
    if vote := _vote(context):
        old = [one for one in musts[:1] if any(act.target == context.scene.promise != "" for act in one.acts)]
        if old and vote.acts[0].kind == "retract":
            # Who takes a vote back argues for it no more: that is the answer, too.
            return [replace(vote, to=old[0].to, keys=old[0].keys)]
        return [*musts[:1], vote]
    if musts:
        return _with_morning(context, musts)
    return _interest(context, near) if not context.voted else _afterword(context, near)


def _afterword(context: TalkContext, near: str) -> list[Suggestion]:
    """After the vote only news is taken up."""
    return list(islice((one for one in news(context) if one.to in ("", near)), 1))


def _interest(context: TalkContext, near: str) -> list[Suggestion]:
    if found := list(islice((one for one in interests(context) if not near or _suits(near, one)), 2)):
        return found[:2] if found[0].acts[0].kind == "morning" else found[:1]
    listen = context.offer(SpeechAct("listen"), "nothing to go on yet") if context.turn < 2 else ()
    return [next(iter(listen), _announcement(context))]


def _suits(near: str, one: Suggestion) -> bool:
    """Whoever has just spoken to us is not talked of as if absent."""
    act = one.acts[0]
    if one.to not in ("", near) or _speaks_of(near, _spoken_to(near, one)):
        return False
    return act.kind not in ("agree", "trust") or act.target != near


def _musts(context: TalkContext, near: str) -> list[Suggestion]:
    """The most pressing duty, and a second one when neither is addressed to anybody.

    Who has spoken to us comes before who has only spoken of us.
    """
    found = [one for one in duties(context) if not near or one.to in ("", near) or not _can_wait(one)]
    found.sort(key=lambda one: bool(near) and one.to not in ("", near))
    second = next((one for one in found[1:] if not one.to), None)
    return [found[0], second] if second and not found[0].to else found[:1]


def _can_wait(one: Suggestion) -> bool:
    return one.acts[0].kind == "defend"


def _vote(context: TalkContext) -> Suggestion | None:
    """The vote to be announced now, or the change of an announced one."""
    scene = context.scene
    if context.unmasked:
        return None
    if not context.voted:
        return _announcement(context) if _time_to_vote(context) else None
    wish = context.vote
    if not scene.promise or wish == scene.promise or not _changed(scene, wish):
        return None
    why = f"now {wish} instead of {scene.promise}"
    return next(context.offer(SpeechAct("retract", target=wish), why), None)


def _announcement(context: TalkContext) -> Suggestion:
    return Suggestion((SpeechAct("vote", target=context.vote),), f"announce the vote for {context.vote}")


def _time_to_vote(context: TalkContext) -> bool:
    """The bold announce two talks before their last, and so does everybody in a final; the others one talk before it.

    Early words win votes and let the village gather; there is a talk left to take them back. But before a final a vote
    that rests on nothing waits for the last talk: until then a question may still find something.
    """
    left = context.scene.state.talks_after
    if context.last or left == 0:
        return True
    if left is None or left > 2:
        return False
    if context.day > 1 and len(context.scene.state.alive) <= FINAL:
        return True
    return (left == 1 or context.bold >= BOLD) and rests_on_something(context.scene, context.vote)


def _changed(scene: Scene, wish: str) -> bool:
    """Whether the mind has changed for good, not by a hair unless the vote announced rests on nothing; or its target
    has shown a rare role since."""
    if scene.ledger.claims.get(scene.promise) in RARE and scene.ledger.claimed_on.get(scene.promise) == scene.state.day:
        return True
    more = scene.outer.wolf.get(wish, 0.0) - scene.outer.wolf.get(scene.promise, 0.0)
    if not 0.0 < more <= RECONSIDER:
        return more > 0.0
    return rests_on_something(scene, wish) and not rests_on_something(scene, scene.promise)


def _with_morning(context: TalkContext, musts: list[Suggestion]) -> list[Suggestion]:
    if len(musts) > 1 or context.turn > 0 or musts[0].to or context.day < 2:
        return musts
    if musts[0].acts[0].kind in ("confess", "ally"):
        return musts  # who drops the mask does not first mourn, or call somebody else the possessed
    first = next(interests(context), None)
    return [first, *musts] if first and first.acts[0].kind == "morning" else musts
