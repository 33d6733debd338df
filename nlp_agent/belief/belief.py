"""What a mind thought at the moment of a decision: in numbers small enough for a journal, and why, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from nlp_agent.belief.assessment import Assessment
from nlp_agent.belief.facts import Fact
from nlp_agent.text.words import Why

MOST = 2
"""Facts told of a player."""


@dataclass(frozen=True, slots=True)
class Belief:
    """``inner`` follows from what the seat knows, ``outer`` from the world it lives in public; ``words`` tell why."""

    inner: Assessment = field(default_factory=Assessment)
    outer: Assessment = field(default_factory=Assessment)
    words: Why = field(default_factory=Why)

    def why(self, alive: tuple[str, ...]) -> str:
        """What speaks against the most suspected, and for the least suspected, in the pack's language; ``""`` when
        nothing does."""
        seen, words = self.inner, self.words
        ranked = seen.ranked([name for name in alive if name in seen.wolf])
        if len(ranked) < 2:
            return ""
        against, clears = _because(seen, ranked[0], words), _because(seen, ranked[-1], words, against=False)
        told = ((words.against, ranked[0], against), (words.clears, ranked[-1], clears))
        return "".join(_filled(frame, name=name, facts=facts) for frame, name, facts in told if facts).strip()

    def against(self, name: str) -> str:
        """What speaks against ``name`` by all that the seat knows; ``""`` when nothing does."""
        return _because(self.inner, name, self.words)

    def row(self, alive: tuple[str, ...]) -> dict[str, Any]:
        """``wolf``: the posterior P(wolf) of the living, most suspicious first; ``leaning``: the same with the
        character's taste, by which it acts, where that differs; ``shown``: the posterior as the seat pretends to see
        it, where that differs; ``roles``: P(role), of which P(WEREWOLF) is ``wolf``; ``trusted``: the seer believed;
        ``why``: the facts that moved ``wolf`` most.
        """
        wolf, shown = _shares(self.inner.exact, alive), _shares(self.outer.exact, alive)
        roles = self.inner.roles
        row: dict[str, Any] = {"wolf": wolf}
        if (leaning := _shares(self.inner.wolf, alive)) != wolf:
            row["leaning"] = leaning
        if shown != wolf:
            row["shown"] = shown
        if found := {name: _shares(roles[name], tuple(roles[name])) for name in wolf if name in roles}:
            row["roles"] = {name: {role: p for role, p in shares.items() if p} for name, shares in found.items()}
        if self.outer.trusted:
            row["trusted"] = self.outer.trusted
        if told := self.why(alive):
            row["why"] = told
        return row


def _shares(values: Mapping[str, float], names: tuple[str, ...]) -> dict[str, float]:
    """Two digits, the greatest first."""
    found = {name: round(float(values[name]), 2) for name in names if name in values}
    return dict(sorted(found.items(), key=itemgetter(1), reverse=True))


def _because(seen: Assessment, name: str, words: Why, *, against: bool = True) -> str:
    told = [told_of(reason.fact, words) for reason in seen.reasons(name, against=against)]
    return words.join.join(list(dict.fromkeys(filter(None, told)))[:MOST])


def told_of(fact: Fact, words: Why) -> str:
    """``fact`` in the pack's words, ``""`` where it has none."""
    return _filled(words.facts.get(fact.wording, ""), who=fact.who, about=fact.about, day=str(fact.day))


def _filled(text: str, **slots: str) -> str:
    """Names may hold braces, so each slot is replaced once, in one go."""
    parts = text.split("{")
    for number, part in enumerate(parts[1:], 1):
        slot, closed, rest = part.partition("}")
        parts[number] = slots[slot] + rest if closed and slot in slots else "{" + part
    return "".join(parts)
