"""What a mind thought at the moment of a decision, in numbers small enough for a journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.belief.judgement import Judgement
from nlp_agent.belief.why import why
from nlp_agent.text.words import Why


@dataclass(frozen=True, slots=True)
class Belief:
    """``inner`` is judged from what the seat knows, ``outer`` from the world it lives in public; ``words`` tell why."""

    inner: Judgement = field(default_factory=Judgement)
    outer: Judgement = field(default_factory=Judgement)
    words: Why = field(default_factory=Why)

    def why(self, alive: tuple[str, ...], *, public: bool = False) -> str:
        """Which facts moved the judgement most, in the pack's language; ``public``: the one shown to others."""
        return why(self.outer if public else self.inner, alive, self.words)

    def row(self, alive: tuple[str, ...]) -> dict[str, Any]:
        """``wolf``: P(wolf) of the living, most suspicious first; ``shown``: the same as the seat pretends to see it,
        where that differs; ``roles``: P(role) likewise, where the judgement tells it; ``trusted``: the seer believed;
        ``why``: the facts that moved ``wolf`` most.
        """
        wolf, shown = _shares(self.inner.wolf, alive), _shares(self.outer.wolf, alive)
        # Judgements of another maker than ours may know no roles.
        roles: Mapping[str, Mapping[str, float]] = getattr(self.inner, "roles", None) or {}
        row: dict[str, Any] = {"wolf": wolf}
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
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))
