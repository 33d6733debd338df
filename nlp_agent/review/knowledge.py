"""What could be known at each moment of a recorded game: by an onlooker who hears everything, and by each seat.

All of it is the exact posterior (:mod:`nlp_agent.belief`) over facts that anybody could see, with a seat's own role and
results as hard facts. "By the rules alone" leaves out all that was said. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nlp_agent.app.wiring.replay_insight import OnlookerOpinion
from nlp_agent.belief.mixture import SHIPPED, look_mixed
from nlp_agent.belief.seat_posterior import look
from nlp_agent.game.roles import Side, role_spec
from nlp_agent.records.game_reader import RecordedGame
from nlp_agent.study.logs import VoteMoment

CERTAIN = 0.95
"""P(wolf) of every wolf from which on an onlooker could as good as know them."""


SURE = 1e-9
"""A probability below which something is excluded, by rules and what was shown: what is said never excludes."""


@dataclass(frozen=True)
class VoteKnowledge:
    """The knowledge of ``voter`` at the vote of ``day``: what it could believe.

    ``wolf``: P(wolf) of every other living player from all it knew and heard; ``certain``: whether the rules and what
    it had been shown left a single set of wolves. ``village``: P(of the village's side) that an onlooker gives the
    voter itself. ``confessed``: the living werewolves that had said so in public; all P take that for a claim like any
    other, so they are not told where there is one.
    """

    day: int
    voter: str
    wolf: Mapping[str, float]
    certain: bool
    village: float
    confessed: tuple[str, ...] = ()

    def likeliest(self, without: str = "") -> str:
        """The likeliest wolf, ``without`` one player; the first by name of equals. A confession outweighs all else."""
        said = [name for name in self.confessed if name not in (without, self.voter)]
        names = said or [name for name in sorted(self.wolf) if name != without]
        return max(names, key=lambda name: round(self.wolf[name], 6), default="")


def vote_knowledge(moments: Sequence[VoteMoment]) -> Iterator[VoteKnowledge]:
    """Yield what every voter could believe, vote by vote."""
    for moment in moments:
        onlooker = look_mixed(moment.knowledge(""), moment.facts, SHIPPED)
        shares = onlooker.roles if onlooker is not None else {}
        for voter in moment.voters:
            knowledge = moment.knowledge(voter)
            seen = look_mixed(knowledge, moment.facts, SHIPPED)
            bare = look(knowledge, (), SHIPPED.field)  # without facts all odds give the same
            wolf = seen.wolf if seen is not None else {}
            roles = shares.get(voter, {})
            yield VoteKnowledge(
                moment.day,
                voter,
                {name: float(wolf.get(name, 0.0)) for name in moment.voters if name != voter},
                bare is not None and all(p < SURE or p > 1 - SURE for p in bare.wolf.values()),
                sum(p for role, p in roles.items() if role_spec(role).side is Side.VILLAGER),
            )


def known_since(game: RecordedGame, opinions: Sequence[OnlookerOpinion]) -> int | None:
    """The step from which on an onlooker could as good as know every wolf, to the end; ``None`` if never."""
    since: int | None = None
    for opinion in opinions:
        sure = all(opinion.wolf.get(wolf, 0.0) >= CERTAIN for wolf in game.wolves)
        since = (opinion.step if since is None else since) if sure else None
    return since
