"""Two opinions made one: the posterior, and what a model that reads the talk thinks of everybody.

A geometric pool over the worlds: facts read from talk keep the share ``core`` of their log-odds, and a model's log-odds
join them with the weight ``model``. Constraints are no odds and keep all of theirs, so what is certain stays certain.
The two err in different places; how much each is worth was fitted (:data:`FUSIONS`), not chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nlp_agent.belief.constants import MODEL_SUREST, SIZES
from nlp_agent.belief.fitted_fusion import FUSIONS

if TYPE_CHECKING:
    from nlp_agent.belief.mixture import MixedPosterior
    from nlp_agent.belief.seat_posterior import SeatPosterior


@dataclass(frozen=True, slots=True)
class Fusion:
    """The weights by which two opinions are combined. ``core``: what a fact read from talk keeps of its weight;
    ``model``: what a model's log-odds count.
    """

    core: float = 1.0
    model: float = 0.0

    def trusting(self, share: float) -> Fusion:
        """The same weights for a model that is worth only ``share`` (0 to 1) of the usual."""
        return Fusion(1.0 - share * (1.0 - self.core), share * self.model)


def fusion_for(wolves: int) -> Fusion:
    """The weights fitted for villages that began with as many ``wolves``."""
    return Fusion(*FUSIONS[SIZES[wolves > 1]])


def fuse(view: MixedPosterior, opinion: Mapping[str, float], fusion: Fusion) -> MixedPosterior | None:
    """Combine ``view`` with a model's ``opinion``, player -> P(werewolf), for the players it speaks of. ``None`` when
    no world is left, which only happens where ``view`` had none.
    """
    from nlp_agent.belief.seat_posterior import look  # noqa: PLC0415 - no name is to wait for numpy

    leaning = leanings(opinion, fusion.model)

    def fused(one: SeatPosterior) -> SeatPosterior | None:
        facts = [fact._replace(amount=fact.amount * fusion.core) for fact in one.facts]
        return look(one.knowledge, facts, one.odds, one.tables, leaning)

    return view.each(fused)


def leanings(opinion: Mapping[str, float], weight: float) -> dict[str, float]:
    """A model's opinion, player -> P(wolf), as log-odds (natural) to add: relative to its own mean, times ``weight``.

    So a player whom the model holds for as likely as the average is not moved.
    """
    if not opinion:
        return {}
    base = _log_odds(sum(opinion.values()) / len(opinion))
    return {name: weight * (_log_odds(p) - base) for name, p in opinion.items()}


def _log_odds(p: float) -> float:
    p = min(MODEL_SUREST, max(1.0 - MODEL_SUREST, p))
    return math.log(p / (1.0 - p))
