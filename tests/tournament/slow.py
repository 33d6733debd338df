"""A contestant in no hurry."""

from __future__ import annotations

import time

from nlp_agent.planning.examples.crowd import Crowd
from nlp_agent.planning.plan import TargetPlan
from nlp_agent.planning.situation import Situation
from nlp_agent.protocol import Request


class Slow(Crowd):
    """Its games take half a second, and little work: whoever is killed meanwhile is in the middle of one."""

    def choose(self, situation: Situation, request: Request, legal: tuple[str, ...]) -> TargetPlan:
        time.sleep(0.02)
        return super().choose(situation, request, legal)
