"""Who plays here: a field as in public games, or players like ours, whose liars know these odds too.

Each kind of players has odds of its own (a component). How likely each is follows from what happens at the table, and
what is believed is what both believe, weighed by that: P(world) = sum of P(component) * P(world by its odds), exactly.
So a table of our own players is not judged as if it were a contest, nor a contest as if it were ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from nlp_agent.belief.constants import SIZES
from nlp_agent.belief.facts import OWN_LINES, Fact
from nlp_agent.belief.fitted_own import OWN, SIGNS
from nlp_agent.belief.odds import SHIPPED_ODDS, Odds
from nlp_agent.belief.posterior import WorldTable
from nlp_agent.belief.seat_posterior import Knowledge, SeatPosterior, log_odds, look_by_each

FIELD_FIRST = 3.0
"""Log-odds that a table is a field before anything has happened: guests of a contest must not be taken for ours."""
SHARED_BY_CHANCE = 0.1
"""The share of others' words that may be lines of players without a model before it says that they are such players.
Public games have 0.00 to 0.10 of them over a first day, our own at least 0.3 (:mod:`nlp_agent.reading.own_lines`)."""
SAME_WORDS = 30.0
"""Log-odds that the players are like ours for each unit of that share beyond it. Sense: where half of a table
are ours, it is about as likely taken for one of ours as for a field."""
MOST_OURS = {"one_wolf": 0.85, "more_wolves": 0.5}
"""The greatest weight of the odds of players like ours, for some liars know these odds and act otherwise. With 1,
villages of nine among our own players win 74 % of 120 games, with 0.75 64 % and with 0.5 57 % of 100; those of five win
55, 53 and 45 % of 1,000 (``python -m tests.bench.village_strength``).
"""
LEAST_SHARE = 0.02
"""A component less likely than that is left out: it could not move any P(wolf) by more."""


def shown(fact: Fact) -> float:
    """The amount by which a fact shows who plays: each announced vote counts 1, whether it follows others or not, any
    other fact its ``amount``.
    """
    return 1.0 if fact.kind == "announced" else abs(fact.amount)


@dataclass(frozen=True, eq=False)
class Mixture:
    """The odds for two kinds of players, and the signs by which the kinds are told apart.

    ``field`` and ``own``: the odds of both components; ``signs``: kind of fact -> log-odds that the players are like
    ours, for each unit of its amount a player.
    """

    field: Odds
    own: Odds
    signs: Mapping[str, float]

    def share(self, facts: Iterable[Fact], me: str, players: int) -> float:
        """The probability that the others play like ours, 0..1; where nothing has happened a field is likelier. What
        ``me`` does tells nothing.
        """
        facts = [fact for fact in facts if fact.who != me]
        told = sum(self.signs.get(fact.kind, 0.0) * shown(fact) for fact in facts) / max(1, players)
        shares = [fact.amount for fact in facts if fact.kind == OWN_LINES]
        ours = max(0.0, sum(shares) / max(1, len(shares)) - SHARED_BY_CHANCE)
        return 1 / (1 + math.exp(FIELD_FIRST - told - SAME_WORDS * ours))


AnyOdds = Mixture | Odds
SHIPPED = Mixture(SHIPPED_ODDS, Odds(OWN), SIGNS)
"""The odds of this package."""


@dataclass(frozen=True, eq=False)
class MixedPosterior:
    """The belief of one seat by several odds at once: ``parts`` (at least one), each with its probability.

    It answers as :class:`~nlp_agent.belief.seat_posterior.SeatPosterior` does.
    """

    parts: tuple[tuple[float, SeatPosterior], ...]

    @property
    def knowledge(self) -> Knowledge:
        """The facts that are certain, which are the same for all parts."""
        return self.parts[0][1].knowledge

    @cached_property
    def wolf(self) -> dict[str, float]:
        """The probability of each player to be a werewolf, by name."""
        return {name: sum(share * one.wolf[name] for share, one in self.parts) for name in self.parts[0][1].wolf}

    @cached_property
    def roles(self) -> dict[str, dict[str, float]]:
        """The probability of each role for each player, as player -> role -> probability; the roles of a player add up
        to 1.
        """
        return {
            name: {role: sum(share * one.roles[name][role] for share, one in self.parts) for role in shares}
            for name, shares in self.parts[0][1].roles.items()
        }

    def chance(self, player: str, role: str) -> float:
        """The probability that ``player`` has ``role``."""
        return sum(share * one.chance(player, role) for share, one in self.parts)

    def push(self, fact: Fact, player: str) -> float:
        """The log-odds that ``fact`` adds to ``player`` being a wolf, whoever these players are."""
        without = [log_odds(one.wolf[player]) - one.push(fact, player) for _, one in self.parts]
        less = sum(share / (1 + math.exp(-value)) for (share, _), value in zip(self.parts, without, strict=True))
        return log_odds(self.wolf[player]) - log_odds(less)

    def given(self, roles: Mapping[str, str]) -> MixedPosterior | None:
        """The same if it were certain that these players have these ``roles``; ``None`` when that cannot be."""
        return self.each(lambda one: one.given(roles))

    def each(self, change: Callable[[SeatPosterior], SeatPosterior | None]) -> MixedPosterior | None:
        """Change every part by ``change``; ``None`` when that leaves no part."""
        found = [(share, new) for share, one in self.parts if (new := change(one)) is not None]
        return mixed(found) if found else None


def mixed(parts: Sequence[tuple[float, SeatPosterior]]) -> MixedPosterior:
    """Scale the shares of ``parts`` so that they add up to 1."""
    total = sum(share for share, _ in parts)
    return MixedPosterior(tuple((share / total, one) for share, one in parts))


def look_mixed(
    knowledge: Knowledge,
    facts: Sequence[Fact],
    odds: AnyOdds,
    tables: dict[WorldTable, WorldTable] | None = None,
) -> MixedPosterior | None:
    """The posterior of one seat by a mixture, or by ``odds`` alone; ``None`` as for
    :func:`~nlp_agent.belief.seat_posterior.look`."""
    if isinstance(odds, Odds):
        components = [(1.0, odds)]
    else:
        own = MOST_OURS[SIZES[knowledge.wolves > 1]]
        own *= odds.share(facts, knowledge.me, len(knowledge.alive or knowledge.players))
        components = [(1.0 - own, odds.field), (own, odds.own)]
    components = [(share, one) for share, one in components if share >= LEAST_SHARE]
    views = look_by_each(knowledge, facts, [one for _, one in components], tables)
    found = [(share, view) for (share, _), view in zip(components, views, strict=True) if view is not None]
    return mixed(found) if found else None
