"""Why a seat says what it plans to say: the fact that moved its posterior most. Pure, and free of wording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nlp_agent.belief.assessment import Reason
from nlp_agent.planning.acts import SpeechAct
from nlp_agent.planning.scene import Scene
from nlp_agent.text.names import names_of

_AFTER = dict.fromkeys(("voted", "felled", "broke_promise", "attacked", "claimant_attacked"), 1)
"""Facts that a day's vote and night bring, in days that they come later than what was said on it."""


def with_reasons(acts: Sequence[SpeechAct], scene: Scene) -> tuple[SpeechAct, ...]:
    """``acts`` with what stands behind those that want a reason; one talk argues once about each player."""
    found: list[SpeechAct] = []
    for act in acts:
        argued = any(earlier.target == act.target and (earlier.reason or earlier.proof) for earlier in found)
        wanted = act.variant.reasoned and not act.reason and not argued
        found.append(_argued(act, scene) if wanted else act)
    return tuple(found)


def _argued(act: SpeechAct, scene: Scene) -> SpeechAct:
    name, against = act.target, act.kind != "trust" and act.topic != "believe"
    reasons = [reason for reason in scene.outer.reasons(name, against=against) if _holds(reason, scene)]
    otherwise = "hunch" if against else "good_feeling"
    if act.topic == "why_divine":
        reasons, otherwise = [], "why_divine"
    elif act.topic == "why_vote":
        # What that vote itself and the days since brought to light cannot have been its reason.
        reasons, otherwise = [reason for reason in reasons if _before(reason, scene.state.day)], "why_vote"
    if not reasons:
        return replace(act, proof=(otherwise,))
    fact = reasons[0].fact
    other = fact.who if fact.about == name else fact.about
    return replace(act, proof=reasons[0].wordings, other=other, day=fact.day or None)


def _holds(reason: Reason, scene: Scene) -> bool:
    """Whether it may be said aloud: nobody who has named a player in whatever words is told to have named none."""
    if reason.kind != "no_opinion":
        return True
    names, who = names_of(scene.state.players), reason.fact.who
    said = (heard.talk.text for heard in scene.ledger.by(who) if heard.day > 0)
    return not any(name != who for text in said for name in names.players_in(text))


def _before(reason: Reason, day: int) -> bool:
    """Whether it was known when the vote of the day before ``day`` was cast."""
    return 0 < reason.fact.day < day - _AFTER.get(reason.kind, 0)
