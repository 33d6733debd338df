"""P(wolf) as it is shown to a model: the posterior, drawn towards what who can count makes of the claims. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from nlp_agent.belief.constants import CLAIMANT, COUNTED, COUNTED_AMONG_MANY, DOUBT
from nlp_agent.planning.worlds import World


def shown_odds(p: Mapping[str, float], worlds: Sequence[World]) -> dict[str, float]:
    """Player -> P(wolf) ``p``, drawn towards what the count of claims leaves: ``worlds``."""
    packs = list(dict.fromkeys(pack for world in worlds for pack in world.packs))
    if not packs:
        return dict(p)
    likely = {name: min(max(share, 1e-6), 1 - 1e-6) for name, share in p.items()}
    against = {name: share / (1 - share) for name, share in likely.items()}
    weights = [prod([against.get(name, 1.0) for name in pack]) for pack in packs]
    follow, total = COUNTED if len(packs[0]) == 1 else COUNTED_AMONG_MANY, sum(weights)
    inside = dict.fromkeys(p, 0.0)
    for weight, pack in zip(weights, packs, strict=True):
        for name in pack:
            if name in inside:
                inside[name] += weight
    odds = {name: (1 - follow) * share + follow * (inside[name] / total) for name, share in p.items()}
    # Rivals are no werewolves to who goes by public games; strong players dare it.
    rivals = [world for world in worlds if world.seer]
    least = {one.seer: CLAIMANT * _share(one.seer, rivals) for one in rivals if len(rivals) > 1}
    raised = {name: share for name, share in least.items() if 0 < odds.get(name, 0.0) < share}
    rest = sum(share for name, share in odds.items() if name not in raised)
    scale = 1 - sum(share - odds[name] for name, share in raised.items()) / rest if rest else 1.0
    shown = {name: raised.get(name, share * scale) for name, share in odds.items()}
    # Only what the worlds leave no choice about is certain, however little past games speak for the others.
    undecided = {name for name in p if len({name in pack for pack in packs}) > 1}
    return {name: min(max(share, DOUBT), 1 - DOUBT) if name in undecided else share for name, share in shown.items()}


def _share(name: str, worlds: Sequence[World]) -> float:
    """P(``name`` is a werewolf) where all ``worlds`` are equally likely, and so are the packs within each."""
    shares = [sum(name in pack for pack in world.packs) / len(world.packs) for world in worlds if world.packs]
    return sum(shares) / len(shares) if shares else 0.0
