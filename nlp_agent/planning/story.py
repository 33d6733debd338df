"""The world a seat lives in before the others: for the honest the truth, for a liar one invented world kept to the end.

Invented results (:mod:`nlp_agent.planning.lies`) are written down once, night by night, and never change.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from nlp_agent.belief.assessment import Outlook
from nlp_agent.belief.constants import POSSESSED_CLAIMS, POSSESSED_WAITS, WOLF_CLAIMS_ALONE, WOLF_CLAIMS_IN_PACK
from nlp_agent.game import SeatState
from nlp_agent.protocol import Judge, Role, Species


@dataclass(frozen=True, slots=True)
class Story:
    """``role`` is what this seat lives as; ``results`` the invented results by night (liars only)."""

    role: str
    lies: bool
    turn: int = 0
    """On which of its talks of day 1 a liar claims."""
    results: Mapping[int, Judge] = field(default_factory=dict)

    def history(self, state: SeatState) -> list[Judge]:
        """Results to be told, oldest first."""
        if self.lies:
            return [self.results[night] for night in sorted(self.results)]
        return list(state.divinations if self.role == Role.SEER else state.medium_results)

    def outlook(self, state: SeatState) -> Outlook:
        """The pretended world, from which public words are chosen."""
        return Outlook(state.me, self.role, {judge.target: judge.result for judge in self.history(state)})


def begin_story(state: SeatState, rng: random.Random) -> Story:
    """Decide at the first packet what to live as."""
    role, roll, turn = state.role, rng.random(), int(rng.random() < POSSESSED_WAITS)
    if role == Role.POSSESSED:
        claims = roll < POSSESSED_CLAIMS
        return Story(Role.SEER if claims else Role.VILLAGER, True, turn)
    if role == Role.WEREWOLF:
        pack = (state.me, *state.partners)
        leads = state.me == min(pack, key=state.players.index)
        chance = WOLF_CLAIMS_IN_PACK if len(pack) > 1 else WOLF_CLAIMS_ALONE
        return Story(Role.SEER if leads and roll < chance else Role.VILLAGER, True, 1)
    return Story(role, False)


def truth(state: SeatState) -> Outlook:
    """What this seat really knows, from which deeds are chosen."""
    results = {j.target: j.result for j in (*state.divinations, *state.medium_results)}
    if state.role == Role.WEREWOLF:
        partners = state.partners
        for name in state.players:
            results.setdefault(name, Species.WEREWOLF if name in partners else Species.HUMAN)
        results.pop(state.me, None)
    return Outlook(state.me, state.role, results)
