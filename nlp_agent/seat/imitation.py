"""Words that are somebody else's: another player's talk once more, another name, a case against oneself. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import chain

from rapidfuzz import fuzz, process

from nlp_agent.prompting import Check, Problem
from nlp_agent.seat.knowledge import Draft
from nlp_agent.text.guard import OVERLAP, GuardPatterns, asked, units
from nlp_agent.text.names import NAME

_SAME = 90
"""RapidFuzz ratio from which two sentences count as the same."""
_MOST = 0.5
"""Share of a talk from which it adds too little to what it repeats."""
_ANCHOR = re.compile(f"@{NAME}\\s*")
_SENTENCE_END = re.compile(r"[.!?;。！？；]+")


def sentences_in(form: str, *, spaced: bool) -> list[str]:
    """The sentences of a talk in its plain form, for comparing: without anchor and marks."""
    parts = _SENTENCE_END.split(_ANCHOR.sub("", form).casefold())
    glue = " " if spaced else ""
    return [said for part in parts if (said := glue.join(units(part, spaced=spaced)))]


def copies(draft: Draft, heard: Collection[str]) -> Problem | None:
    """Most of the talk stands among the sentences of others (``heard``, see :func:`sentences_in`). A few words in
    common are agreement, or manners."""
    language, length, whole = draft.village.language, 0, 0
    copied: list[str] = []
    for part in language.sentences.split(draft.text) if heard else ():
        said = sentences_in(draft.village.plain(part), spaced=language.spaced)
        size = sum(len(units(one, spaced=language.spaced)) for one in said)
        whole += size
        if said and all(process.extractOne(one, heard, scorer=fuzz.ratio, score_cutoff=_SAME) for one in said):
            copied.append(part)
            length += size
    if length < OVERLAP[language.spaced] or length < whole * _MOST:
        return None
    return Problem(Check.COPY, "others have said so", said=language.sentences.join(copied))


def mistakes_itself(draft: Draft, patterns: GuardPatterns, me: str) -> Problem | None:
    """The speaker ``me`` takes another player's name, or speaks of itself as of somebody else."""
    for found in patterns.introduces.finditer(draft.form):
        name = draft.village.names.name(found["who"])
        if name != me and not asked(draft.form, found.end()):
            return Problem(Check.SELF, f"introduces itself as {name}: {found[0]}", name=name)
    for found in chain(patterns.condemns.finditer(draft.form), patterns.divined.finditer(draft.form)):
        who = found.groupdict().get("who")
        if who and draft.village.names.name(who) == me and not asked(draft.form, found.end()):
            return Problem(Check.SELF, f"speaks of itself as of another: {found[0]}", name=me)
    return None
