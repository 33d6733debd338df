"""What a pack calls things: section ``words`` of ``pack.yml``."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlp_agent.text.rules import Strict


@dataclass(frozen=True, eq=False)
class Why(Strict):
    """How reasons are told outside of character. ``against`` and ``clears``: whole sentences with ``{name}`` and
    ``{facts}``; ``facts``: kind of fact (:mod:`nlp_agent.belief.facts`, and ``known``) -> what happened, with
    ``{who}`` and ``{about}``; ``join`` stands between two of them."""

    against: str = ""
    clears: str = ""
    join: str = " "
    facts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Words(Strict):
    """Names of things. ``roles``: wire name -> spoken name; ``results``: HUMAN and WEREWOLF -> spoken name.
    ``why`` words what moved the posterior.
    """

    roles: dict[str, str] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)
    why: Why = field(default_factory=Why)

    def role(self, role: str) -> str:
        return self.roles.get(role, role.lower())

    def result(self, result: str) -> str:
        return self.results.get(result, result.lower())
