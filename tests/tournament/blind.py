"""A contestant that is known to be worse."""

from __future__ import annotations

from nlp_agent.planning.plan import TargetPlan
from nlp_agent.planning.situation import Situation
from nlp_agent.planning.strategy import Standard
from nlp_agent.protocol import Request


class Blind(Standard):
    """Talks as all do, and names whoever comes first by name, whatever was said."""

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        return TargetPlan(min(legal))
