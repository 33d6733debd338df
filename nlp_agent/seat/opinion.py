"""What a model thinks of everybody, how far to trust it, and whether the odds speak against its choice. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nlp_agent.belief.assessment import Assessment
from nlp_agent.belief.constants import REFUTED_BY_HUMAN, REFUTED_BY_WOLF, TRUST_LEFT
from nlp_agent.belief.fusion import fuse, fusion_for
from nlp_agent.protocol import Species
from nlp_agent.seat.declaration import Declaration


class Opinion:
    """The model's latest P(werewolf) by player, for one seat in one game. ``trust``: 1 until it is found at fault."""

    def __init__(self) -> None:
        self.wolf: dict[str, float] = {}
        self.trust = 1.0
        self._refuted: set[str] = set()

    def take(self, told: Declaration) -> None:
        """A new answer; one that breaks the form or weighs the dead costs trust."""
        if not told.formed or told.buried:
            self.trust *= TRUST_LEFT
        self.wolf = {**self.wolf, **told.wolf}

    def hold_against(self, known: Mapping[str, str]) -> None:
        """Estimates that certain knowledge (player -> HUMAN or WEREWOLF) refutes cost trust, each player once."""
        for name, species in known.items():
            share = self.wolf.get(name)
            if share is None or name in self._refuted:
                continue
            if share > REFUTED_BY_HUMAN if species == Species.HUMAN else share < REFUTED_BY_WOLF:
                self._refuted.add(name)
                self.trust *= TRUST_LEFT

    def fused(self, seen: Assessment, alive: Sequence[str]) -> Mapping[str, float]:
        """P(werewolf) by arithmetic and model together; what arithmetic alone says where there is no opinion."""
        opinion = {name: share for name, share in self.wolf.items() if name in alive and name not in seen.known}
        if seen.view is None or not opinion:
            return seen.wolf
        both = fuse(seen.view, opinion, fusion_for(seen.view.knowledge.wolves).trusting(self.trust))
        return both.wolf if both is not None else seen.wolf

    def row(self, seen: Assessment, names: Sequence[str]) -> dict[str, dict[str, float]]:
        """For the journal: what arithmetic, the model, and both together think of ``names``."""
        both = self.fused(seen, names)
        judgements = {"core": seen.exact, "model": self.wolf, "both": seen.exact if both is seen.wolf else both}
        return {
            by: {name: round(float(wolf[name]), 2) for name in names if name in wolf} for by, wolf in judgements.items()
        }


def spoken_against(choice: str, legal: Sequence[str], odds: Mapping[str, float], margin: float) -> str:
    """The name that ``odds`` put before ``choice`` by more than ``margin``, or ``""``."""
    best = max(legal, key=lambda name: odds.get(name, 0.0), default=choice)
    return best if odds.get(best, 0.0) - odds.get(choice, 0.0) > margin else ""
