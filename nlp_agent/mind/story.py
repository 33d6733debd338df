"""The world a seat lives in before the others: for the honest the truth, for a liar one invented world kept to the end.

Invented results are written down once, night by night, and never change.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from nlp_agent.game import SeatState
from nlp_agent.mind.claims import Ledger
from nlp_agent.mind.suspicion import Outlook, wolves_in
from nlp_agent.protocol import Judge, Role, Species

# How often each liar claims, by simulation with known claim rates: a possessed that nearly always counter-claims
# costs the village most, a wolf usually hides.
POSSESSED_CLAIMS = 0.95
WOLF_CLAIMS_ALONE = 0.06
WOLF_CLAIMS_IN_PACK = 0.2
BLACK_AT_FIRST = 0.35
BLACK_LATER = 0.45


@dataclass(slots=True)
class Story:
    """``role`` is what this seat lives as; ``results`` the invented results by night (liars only)."""

    role: str
    lies: bool
    turn: int = 0
    """On which of its talks of day 1 a liar claims."""
    results: dict[int, Judge] = field(default_factory=dict)

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
    role, roll, turn = state.role, rng.random(), int(rng.random() < 0.35)
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
        for name in state.players:
            known = Species.WEREWOLF if name in state.partners else Species.HUMAN
            results.setdefault(name, known)
        results.pop(state.me, None)
    return Outlook(state.me, state.role, results)


def invent(story: Story, state: SeatState, ledger: Ledger, allies: set[str], rng: random.Random) -> None:
    """Fill in every past night a lying seer has no result for yet."""
    if not story.lies or story.role != Role.SEER:
        return
    for night in range(state.day):
        if night not in story.results:
            made = _one_night(story, state, ledger, allies, rng, night)
            if made is not None:
                story.results[night] = made


def alive_at_night(state: SeatState, night: int) -> list[str]:
    """Who could be divined in the night after day ``night``: its execution is over, its attack still to come."""
    gone = {name for day, name in state.executions.items() if day <= night}
    gone |= {name for day, name in state.attacks.items() if day < night}
    return [name for name in state.players if name not in gone]


def _one_night(
    story: Story, state: SeatState, ledger: Ledger, allies: set[str], rng: random.Random, night: int
) -> Judge | None:
    used = {judge.target for judge in story.results.values()}
    pool = [name for name in alive_at_night(state, night) if name != state.me and name not in used]
    living = [name for name in pool if name in state.alive]
    if not pool:
        return None
    rivals = [name for name in ledger.claimants(Role.SEER) if name != state.me]
    blacks = sum(judge.result == Species.WEREWOLF for judge in story.results.values())
    chance = BLACK_AT_FIRST if night == 0 else BLACK_LATER
    prey = [name for name in living if name not in allies and name not in ledger.claimants(Role.MEDIUM)]
    if blacks < wolves_in(state) and prey and rng.random() < chance:
        cleared = [r.target for c in rivals for r in ledger.results.get(c, []) if r.result == Species.HUMAN]
        best = [name for name in prey if name in cleared] or [n for n in prey if n not in rivals] or prey
        return Judge(day=night, agent=state.me, target=rng.choice(best), result=Species.WEREWOLF)
    accused = [r.target for c in rivals for r in ledger.results.get(c, []) if r.result == Species.WEREWOLF]
    kind = [name for name in living if name in accused] or [n for n in living if n not in rivals] or pool
    return Judge(day=night, agent=state.me, target=rng.choice(kind), result=Species.HUMAN)
