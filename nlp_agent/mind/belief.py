"""What a mind thought at the moment of a decision, in numbers small enough for a journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nlp_agent.mind.suspicion import Judgement


@dataclass(frozen=True, slots=True)
class Belief:
    """``inner`` is judged from what the seat knows, ``outer`` from the world it lives in public."""

    inner: Judgement = field(default_factory=Judgement)
    outer: Judgement = field(default_factory=Judgement)

    def row(self, alive: tuple[str, ...]) -> dict[str, Any]:
        """``wolf``: P(wolf) of the living, most suspicious first; ``shown``: the same as the seat pretends to see it,
        where that differs; ``roles``: P(role) likewise, where the judgement tells it; ``trusted``: the seer believed.
        """
        wolf, shown = _shares(self.inner.wolf, alive), _shares(self.outer.wolf, alive)
        # Judgements of another maker than ours may know no roles.
        roles: Mapping[str, Mapping[str, float]] = getattr(self.inner, "roles", None) or {}
        row: dict[str, Any] = {"wolf": wolf}
        if shown != wolf:
            row["shown"] = shown
        if told := {name: _shares(roles[name], tuple(roles[name])) for name in wolf if name in roles}:
            row["roles"] = {name: {role: p for role, p in shares.items() if p} for name, shares in told.items()}
        if self.outer.trusted:
            row["trusted"] = self.outer.trusted
        if why := getattr(self.inner, "why", ""):
            row["why"] = why
        return row


def _shares(values: Mapping[str, float], names: tuple[str, ...]) -> dict[str, float]:
    """Two digits, the greatest first."""
    found = {name: round(float(values[name]), 2) for name in names if name in values}
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))
