"""Words that are somebody else's: another player's talk once more, another name, a case against oneself. Pure."""

from __future__ import annotations

from itertools import chain

from nlp_agent.prompting import Check, Problem
from nlp_agent.reading.reader import TalkReader
from nlp_agent.seat.knowledge import Draft
from nlp_agent.text import AnalysedText, VillageLanguage
from nlp_agent.text.guard import OVERLAP, UNITS, GuardPatterns, in_question

_ACTS = frozenset({"claim", "result", "vote"})
_MOST = 0.5
"""Share of a talk from which it adds too little to what it repeats."""


class SaidByOthers:
    """The public talks of others, to know one of them when it is said once more."""

    def __init__(self, reading: TalkReader) -> None:
        self._reading = reading
        self._talks: dict[frozenset[str], None] = {}
        self._sentences: set[str] = set()

    def hear(self, talk: AnalysedText) -> None:
        """Another player has said ``talk``."""
        self._talks[talk.said] = None
        self._sentences |= talk.said

    def problem(self, text: str, village: VillageLanguage) -> Problem | None:
        """What is wrong with ``text``, most of which stands in one talk of another player. A few words in common are
        agreement, or manners, and a talk that asks or binds has its point."""
        language, spaced = village.language, village.language.spaced
        parts = {part: village.look(part).said for part in language.sentences.split(text)}
        if self._sentences.isdisjoint(chain.from_iterable(parts.values())):
            return None
        size = {part: sum(len(UNITS[spaced](one)) for one in said) for part, said in parts.items()}
        least = max(OVERLAP[spaced], _MOST * sum(size.values()))
        for talk in self._talks:
            copied = [part for part, said in parts.items() if said and talk.issuperset(said)]
            if sum(size[part] for part in copied) < least:
                continue
            if any(self._acts(part, village) for part in parts):
                return None
            return Problem(Check.COPY, "another player has said so", text, language.sentences.join(copied))
        return None

    def _acts(self, sentence: str, village: VillageLanguage) -> bool:
        """Whether a sentence asks, claims, tells a result or announces a vote: the plainest words are the best then."""
        said = self._reading.read(sentence, village.players).statements
        return sentence[-1:] in "?？" or any(one.kind in _ACTS for one in said)


def mistakes_itself(draft: Draft, patterns: GuardPatterns, me: str) -> Problem | None:
    """The speaker ``me`` takes another player's name, or speaks of itself as of somebody else."""
    for found in patterns.introduces.finditer(draft.form):
        name = draft.village.names.name(found["who"])
        if name != me and not in_question(draft.form, found.end()):
            return Problem(Check.SELF, f"introduces itself as {name}: {found[0]}", name=name)
    for found in chain(patterns.condemns.finditer(draft.form), patterns.divined.finditer(draft.form)):
        who = found.groupdict().get("who")
        if who and draft.village.names.name(who) == me and not in_question(draft.form, found.end()):
            return Problem(Check.SELF, f"speaks of itself as of another: {found[0]}", name=me)
    return None
