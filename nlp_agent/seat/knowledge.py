"""Words that tell more than a seat would: what it alone was told, or that it lies; and claims told by halves."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Check, Pack, Problem, Prompt
from nlp_agent.protocol import JUDGES, POWER, Role
from nlp_agent.reading.statement import Reading
from nlp_agent.text import AnalysedText, VillageLanguage
from nlp_agent.text.finder import LazyFinder, Phrase
from nlp_agent.text.guard import GuardPatterns, in_question

_TOLD = frozenset({Role.WEREWOLF, *JUDGES})
"""Whoever is told what others are."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Words under review, as they are ``seen``, in the plain ``form`` that counts, and as they are read, with what they
    were made from. ``plan`` is what they may say and ``shown`` the plan that ``prompt`` tells, which is the same unless
    a model makes its own."""

    seen: AnalysedText
    village: VillageLanguage
    form: Phrase
    reading: Reading
    plan: TalkPlan
    prompt: Prompt | None
    shown: TalkPlan


def knows_too_much(draft: Draft, patterns: GuardPatterns, role: str, says: Collection[str]) -> Problem | None:
    """What only somebody of ``role`` knows, unless it is one of the roles that the seat ``says`` it has."""
    looks = [] if Role.POSSESSED in says else [patterns.unmasks]
    if Role.BODYGUARD not in says:
        looks.append(patterns.guarded)
    if role in _TOLD and _TOLD.isdisjoint(says):
        looks.append(patterns.certain)
    for look in looks:
        if found := next((m for m in look.finditer(draft.form) if not in_question(draft.form, m.end())), None):
            return Problem(Check.KNOWLEDGE, f"tells what this seat keeps to itself: {found[0]}")
    return None


def not_recanted(draft: Draft, pack: Pack, claim: str) -> Draft:
    """The words but the sentences in which the plan takes a false ``claim`` back: to own up to that is no slip."""
    if claim not in POWER or draft.plan.pretend != Role.VILLAGER:
        return draft
    sentences, village = pack.language.sentences, draft.village
    parts = sentences.split(draft.seen.text)
    kept = [part for part in parts if not pack.reading.read(part, village.players).of("unclaim")]
    return replace(draft, form=village.look(sentences.join(kept)).plain)


def claims_role(
    draft: Draft, pack: Pack, anybody: LazyFinder, speakable: Callable[[], Collection[str]]
) -> Problem | None:
    """A statement of a role that is not ``speakable`` for the seat; ``anybody`` finds one of any role."""
    claimed = draft.reading.of("claim")
    # Hardly any talk says who its speaker is; only then is it worth asking for each role that it names.
    named = pack.reading.roles_in(draft.form) if anybody.search(draft.form) else ()
    may = speakable() if claimed or named else ()
    for said in claimed:
        if said.role not in may:
            return Problem(Check.ROLE, f"claims to be {said.role}, which the plan does not", role=said.role)
    for role in (role for role in named if role not in may):
        for found in pack.language.guard.says_role(pack.reading.rules.roles[role]).finditer(draft.form):
            supposed = pack.reading.supposes(draft.form, found.start(), found.end())
            if not supposed and not in_question(draft.form, found.end()):
                return Problem(Check.ROLE, f"says it is {role}, which the plan does not", role=role)
    return None


def withholds_result(draft: Draft) -> Problem | None:
    """A claim that was meant to come with results names at least one player they are about."""
    results = [act for act in draft.plan.acts if act.result and act.target]
    if not results:
        return None
    claimed = {said.role for said in draft.reading.of("claim")}
    wanted = any(act.kind == "claim" and act.role in claimed for act in draft.plan.acts)
    named = draft.village.names.named(draft.form)
    if not wanted or any(act.target in named for act in results):
        return None
    first = results[0]
    why = f"claims without the result: {first.target} {first.result}"
    return Problem(Check.WITHHELD, why, name=first.target, result=first.result)
