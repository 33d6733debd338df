"""Scoring judgements against the truth: one row a viewer and vote, from the seat of everyone alive who is no wolf."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nlp_agent.belief.assessment import known_species, undead
from nlp_agent.belief.odds import Odds
from nlp_agent.belief.view import Knowledge, look
from nlp_agent.lab.study.moments import VoteMoment
from nlp_agent.planning.story import truth
from nlp_agent.protocol import Role

LEAST = 1e-3
"""Probabilities are clipped here before a logarithm is taken."""


@dataclass(frozen=True, slots=True)
class Row:
    """One viewer's judgement at one vote.

    ``p``: P(wolf) of each other living player, ``wolves`` those that are. ``voted`` is the viewer's real vote,
    ``""`` for none. ``sound``: the true world was among the possible ones. ``claims``: how many claimed to be the seer;
    ``claimed``: those of the living others that did.
    """

    contest: str
    game: str
    size: int
    day: int
    viewer: str
    role: str
    p: Mapping[str, float]
    wolves: frozenset[str]
    voted: str
    sound: bool
    claims: int
    claimed: frozenset[str]

    @property
    def one_wolf(self) -> bool:
        return one_wolf(self.wolves, self.size)


def one_wolf(wolves: frozenset[str], size: int) -> bool:
    """Whether the question is who the wolf is, and not who is a wolf."""
    return len(wolves) == 1 and size < 9


def knowledge_of(moment: VoteMoment, viewer: str) -> Knowledge:
    """What is certain for ``viewer`` at the vote."""
    state = moment.state(viewer)
    counts = tuple(moment.game.role_num_map.items())
    return Knowledge(state.players, counts, viewer, state.role, known_species(state, truth(state)), undead(state))


def rows(moment: VoteMoment, odds: Odds) -> list[Row]:
    """Of all viewers of ``moment``; everything a row says comes from what its viewer could know, but for the truth."""
    found = []
    game = moment.game
    claimants = frozenset(moment.seers)
    for viewer in moment.voters:
        if game.roles[viewer] == Role.WEREWOLF:
            continue
        knowledge = knowledge_of(moment, viewer)
        view, bare = look(knowledge, moment.facts, odds), look(knowledge, (), odds)
        chances = view.wolf if view else {}
        others = [name for name in moment.voters if name != viewer]
        found.append(
            Row(
                contest=game.contest,
                game=game.name,
                size=len(game.names),
                day=moment.day,
                viewer=viewer,
                role=knowledge.role,
                p={n: chances.get(n, 0.0) for n in others},
                wolves=frozenset(n for n in others if n in game.wolves),
                voted=moment.votes.get(viewer, ""),
                sound=bare is not None and bare.given(game.roles) is not None,
                claims=len(claimants),
                claimed=claimants & frozenset(others),
            )
        )
    return found


# --- measures --------------------------------------------------------------------------------------------------


def log_loss(p: Mapping[str, float], wolves: frozenset[str], *, one_wolf: bool) -> float:
    """One wolf: -ln P(it), P being a share among the living others. Several: the mean binary log-loss over them."""
    if one_wolf:
        total = sum(p.values()) or 1.0
        return -math.log(max(LEAST, next(p[n] for n in wolves) / total))
    clipped = {name: min(1 - LEAST, max(LEAST, value)) for name, value in p.items()}
    return -sum(math.log(v if n in wolves else 1 - v) for n, v in clipped.items()) / len(p)


def hit(p: Mapping[str, float], wolves: frozenset[str]) -> float:
    """Whether the most suspected is a wolf; of several equally suspected, the share that is."""
    top = max(p.values())
    best = [name for name, value in p.items() if value >= top - 1e-9]
    return sum(name in wolves for name in best) / len(best)


def recall(p: Mapping[str, float], wolves: frozenset[str]) -> float:
    """The share of the wolves among as many most suspected."""
    ranked = sorted(p, key=lambda name: -p[name])
    return len(wolves.intersection(ranked[: len(wolves)])) / len(wolves)


def brier(p: Mapping[str, float], wolves: frozenset[str]) -> float:
    """The mean squared error of P(wolf) over the living others."""
    return sum((value - (name in wolves)) ** 2 for name, value in p.items()) / len(p)


def mean(values: Iterable[float]) -> float:
    """``nan`` without values."""
    found = list(values)
    return sum(found) / len(found) if found else math.nan
