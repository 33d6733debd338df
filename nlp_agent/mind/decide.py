"""Choosing targets: whom to vote, divine, guard and attack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nlp_agent.game import SeatState, Side
from nlp_agent.mind.claims import Ledger
from nlp_agent.mind.plan import TargetPlan
from nlp_agent.mind.story import Story
from nlp_agent.mind.suspicion import Judgement, wolves_in
from nlp_agent.protocol import Request, Role, Species

CLOSE = 0.1
"""Scores that differ by no more than this (a tenth of a certainty) are a tie that words may break."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a decision looks at. ``outer`` is judged from the world lived in public, ``inner`` from the truth.

    ``promise`` is the vote announced today, ``prey`` what the wolves agreed on tonight, ``""`` without. ``stood_up``:
    whom this seat has defended or trusted aloud today.
    """

    state: SeatState
    ledger: Ledger
    story: Story
    outer: Judgement
    inner: Judgement
    promise: str = ""
    prey: str = ""
    stood_up: frozenset[str] = frozenset()

    @property
    def announced(self) -> dict[str, int]:
        """How many others announced today that they vote for each player."""
        count: dict[str, int] = {}
        for (day, who), target in self.ledger.votes.items():
            if day == self.state.day and who != self.state.me:
                count[target] = count.get(target, 0) + 1
        return count

    @property
    def evil(self) -> bool:
        return self.state.spec.side is Side.WEREWOLF


def allies(scene: Scene) -> set[str]:
    """Living or dead players a seat of the wolves' side must not harm, as far as it can infer them."""
    if not scene.evil:
        return set()
    state, ledger = scene.state, scene.ledger
    found = set(state.partners)
    if state.role == Role.POSSESSED:
        found |= {n for n, species in scene.inner.known.items() if species == Species.WEREWOLF}
        for claimant, results in ledger.results.items():
            if claimant != state.me and scene.inner.credit.get(claimant, 0.0) > 0.5:
                found |= {r.target for r in results if r.result == Species.WEREWOLF}
        ranked = scene.inner.ranked(state.others)
        if len(state.others) == 2 and ranked:
            found.add(ranked[0])
        return found
    found |= set(ledger.claimants(Role.POSSESSED))
    # To a wolf every colour is known: a seer whose result is false is the possessed.
    for claimant in ledger.claimants(Role.SEER):
        if claimant != state.me and scene.inner.credit.get(claimant, 1.0) == 0.0:
            found.add(claimant)
    return found


def power_play(scene: Scene) -> bool:
    """Whether the wolves' side can already outvote the village, if everybody of it lives."""
    state = scene.state
    if state.role != Role.POSSESSED or state.day < 2:
        return False
    wolves = wolves_in(state)
    dead_wolves = sum(scene.inner.known.get(name) == Species.WEREWOLF for name in state.dead)
    living = max(1, wolves - dead_wolves)
    return wolves == 1 and len(state.alive) <= 2 * living + 1


def choose_target(scene: Scene, request: Request, legal: tuple[str, ...]) -> TargetPlan:
    """Rank ``legal`` for ``request``; the first is chosen."""
    if not legal:
        return TargetPlan("", (), "nobody can be chosen")
    if request is Request.VOTE and scene.promise in legal:
        rest = tuple(name for name in legal if name != scene.promise)
        why = f"announced a vote for {scene.promise} today"
        return TargetPlan(scene.promise, (scene.promise, *rest), why, firm=True)
    score = _SCORES.get(request, _vote)(scene)
    ranked = tuple(sorted(legal, key=lambda name: -score(name)))
    best = ranked[0]
    shown = scene.outer if request is Request.VOTE else scene.inner
    known = scene.inner.known.get(best) == Species.WEREWOLF and not scene.evil
    why = f"{request.lower()} {best}: score {score(best):.2f}, P(wolf) {shown.wolf.get(best, 0.0):.2f}"
    close = tuple(name for name in ranked if score(best) - score(name) <= CLOSE)
    return TargetPlan(best, ranked, why, known and request is Request.VOTE, close)


def vote_choice(scene: Scene, legal: tuple[str, ...]) -> str:
    """The vote meant at this moment, promise or not."""
    score = _vote(scene)
    return max(legal, key=score, default="")


def _vote(scene: Scene) -> Callable[[str], float]:
    announced, friends = scene.announced, allies(scene)
    # Joining a vote that others announced makes it count; wolves like to hide in a crowd even more.
    pull = 0.1 if scene.evil else 0.08
    contested = len(scene.ledger.claimants(Role.SEER)) > 1
    me, day = scene.state.me, scene.state.day
    accused = {said.target for said in scene.ledger.suspicions if said.who == me and said.day == day}

    word = _believed_word(scene)

    def score(name: str) -> float:
        value = scene.outer.wolf.get(name, 0.0) + word.get(name, 0.0) + pull * min(3, announced.get(name, 0))
        value += 0.12 * (name in accused) - 0.3 * (name in scene.stood_up)
        if scene.evil:
            # A seer nobody contests is not to be touched openly: no villager would.
            value += 0.25 * scene.inner.credit.get(name, 0.0) * (name in scene.ledger.claims and contested)
            value -= 5.0 * (name in friends)
        return value

    return score


def _believed_word(scene: Scene) -> dict[str, float]:
    """What results add to the vote beyond P(wolf): who says aloud which seer to believe votes accordingly."""
    trusted, ledger = scene.outer.trusted, scene.ledger
    found: dict[str, float] = {}
    for claimant, results in ledger.results.items():
        for told in results:
            black = told.result == Species.WEREWOLF
            if trusted and claimant == trusted:
                found[told.target] = 0.15 if black else -0.3
            elif trusted and black and ledger.claims.get(claimant) == Role.SEER:
                found.setdefault(told.target, -0.15)
    if trusted:
        found[trusted] = -0.3
    return found


def _divine(scene: Scene) -> Callable[[str], float]:
    def score(name: str) -> float:
        claimed = scene.ledger.claims.get(name)
        return scene.inner.wolf.get(name, 0.0) - 0.6 * (claimed == Role.SEER) - 0.3 * (claimed == Role.MEDIUM)

    return score


def _guard(scene: Scene) -> Callable[[str], float]:
    worth = {Role.SEER.value: 2.0, Role.MEDIUM.value: 1.2}

    def score(name: str) -> float:
        value = worth.get(scene.ledger.claims.get(name, ""), 0.0) * scene.inner.credit.get(name, 0.0)
        return value + 0.4 * (1 - scene.inner.wolf.get(name, 0.0))

    return score


def _attack(scene: Scene) -> Callable[[str], float]:
    friends, ledger = allies(scene), scene.ledger
    seers = [name for name in ledger.claimants(Role.SEER) if name != scene.state.me]
    alive = [name for name in seers if name in scene.state.alive and name not in friends]
    sure = len(alive) == 1 and (len(seers) == 1 or len(seers) > len(alive))

    def score(name: str) -> float:
        credit = scene.inner.credit.get(name, 0.0)
        value = 0.5 * (1 - scene.outer.wolf.get(name, 0.0))
        if name in seers:
            # Of two seers that look alike one is on our side: rather take somebody else.
            value += 1.6 * credit if sure else -1.0
        if ledger.claims.get(name) in (Role.MEDIUM, Role.BODYGUARD):
            value += 0.8
        cleared = (r for c, told in ledger.results.items() for r in told if c not in friends)
        value += 0.3 * any(r.target == name and r.result == Species.HUMAN for r in cleared)
        return value + 5.0 * (name == scene.prey) - 5.0 * (name in friends)

    return score


_SCORES: dict[Request, Callable[[Scene], Callable[[str], float]]] = {
    Request.VOTE: _vote,
    Request.DIVINE: _divine,
    Request.GUARD: _guard,
    Request.ATTACK: _attack,
}
