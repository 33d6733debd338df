"""What every decision looks at; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nlp_agent.belief.assessment import Assessment
from nlp_agent.game import SeatState, Side
from nlp_agent.protocol import Request
from nlp_agent.reading.ledger import Ledger

if TYPE_CHECKING:
    from nlp_agent.planning.story import Story


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a decision looks at. ``outer`` follows from the world lived in public, ``inner`` from the truth.

    ``promise`` is the vote announced today, ``prey`` what the wolves agreed on tonight, ``""`` without. ``stood_up``:
    whom this seat has defended or trusted aloud today. ``opinion``: what a model thinks, player -> P(wolf), where one
    was asked for it.
    """

    state: SeatState
    ledger: Ledger
    story: Story
    outer: Assessment
    inner: Assessment
    promise: str = ""
    prey: str = ""
    stood_up: frozenset[str] = frozenset()
    opinion: Mapping[str, float] = field(default_factory=dict)

    @property
    def announced(self) -> dict[str, list[str]]:
        """Who else announced today a vote for each player."""
        found: dict[str, list[str]] = {}
        for (day, who), target in self.ledger.votes.items():
            if day == self.state.day and who != self.state.me:
                found.setdefault(target, []).append(who)
        return found

    @property
    def evil(self) -> bool:
        return self.state.spec.side is Side.WEREWOLF

    @property
    def voted(self) -> bool:
        """Whether this seat's vote of today is cast."""
        return (self.state.day, Request.VOTE) in self.state.chosen

    def rivals(self, role: str) -> list[str]:
        """Other players who claim ``role``, the dead included, in the order of their claims."""
        return [name for name in self.ledger.claimants[role] if name != self.state.me]
