"""Real deals between two players without a model, each with luck of its own: as much as two models are told apart by
chance. ``python -m tests.tournament.real_deals --deals 200`` plays them and prints

* how many of 200 comparisons of equals claim a difference when they are looked at after each of these deals, who is
  called which being thrown anew for each deal and comparison;
* what is left of the variance of a deal when luck is subtracted: lots at the table after a tied vote, the order in
  which the first speakers speak, whether the seer's first look finds a wolf, how much more often executions hit a wolf
  than the village's beliefs say, and the review's P(the village wins) after the first look and on the second morning.
  The first three have a mean that is known, so that they cannot bias a difference. The others have none: where their
  mean is not 0, some of the difference itself would be taken for luck.

``--against nlp_agent.planning.examples.crowd:Crowd`` lets two strategies play, ``--append FILE`` adds to deals of
before, so that many can be played in parts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import count
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlp_agent.app.config import Config
from nlp_agent.arena.chance import SeededChance
from nlp_agent.arena.engine import Game
from nlp_agent.arena.events import Attacked, Divined, Ended, Executed, PollOpened, Talked
from nlp_agent.arena.logs import game_log
from nlp_agent.belief.odds import SHIPPED_ODDS
from nlp_agent.game import Side, role_spec
from nlp_agent.protocol import Request, Species
from nlp_agent.records.game_reader import StepKind, read_game_log
from nlp_agent.review.review import Task, play_round, prepare
from nlp_agent.study.evaluate import score_viewers
from nlp_agent.study.logs import vote_moments
from nlp_agent.tournament.contestant_files import pack_contestant, unpack_contestant
from nlp_agent.tournament.deals import Fixture, Tables, deals, fixtures_of
from nlp_agent.tournament.plan import Contestant, VillageSpec
from nlp_agent.tournament.playing import cast_of, make_team, names_of, play_seats, village_of
from tests.tournament.null_comparisons import refuses_zero

FIRST, SECOND = "first", "second"


@dataclass(frozen=True)
class PlayedDeal:
    """``value``: the first's score less the second's, from -1 to 1. ``lots``: what the lots gave the first beyond their
    mean. ``order``: the places of seer, werewolf and possessed among the first speakers. ``hits``: executed wolves of
    the first's village beyond what was believed, less those of the second's. ``looks``: whether the first look found a
    wolf in the first's village, less the same of the second's. ``chances``: P(win) of the first's village less that of
    the second's after the first look and on the second morning; no figures where none were asked for.
    """

    number: int
    value: float
    lots: float
    order: tuple[int, ...]
    hits: float
    looks: float = 0.0
    chances: tuple[float, ...] = ()


class _Lots(SeededChance):
    """Chance of a deal that keeps an account of the lots after tied votes: what a lot gave the village beyond the mean
    of those it might have fallen on."""

    def __init__(self, fixture: Fixture) -> None:
        super().__init__(f"{fixture.deal.seed}/1")
        self.gain, self._roles = 0.0, fixture.deal.roles
        self.game: Game | None = None

    def tie(self, seats: Sequence[int]) -> int:
        drawn = super().tie(seats)
        assert self.game is not None
        events = self.game.events
        polls = [event.request for event in events if isinstance(event, PollOpened)]
        if polls[-1] is Request.VOTE:
            gone = {event.target for event in events if isinstance(event, Executed)}
            gone |= {event.target for event in events if isinstance(event, Attacked) and event.killed}
            worth = {seat: self._worth({*gone, seat}) for seat in seats}
            self.gain += worth[drawn] - float(np.mean(list(worth.values())))
        return drawn

    def _worth(self, gone: set[int | None]) -> float:
        left = [role for seat, role in enumerate(self._roles) if seat not in gone]
        wolves = sum(role_spec(role).species is Species.WEREWOLF for role in left)
        return village_wins_at_night(len(left) - wolves, wolves)


@cache
def village_wins_at_night(humans: int, wolves: int) -> float:
    """P(the village wins) after an execution if wolves attack and all others are executed by lot."""
    if wolves == 0 or wolves >= humans:
        return float(wolves == 0)
    humans -= 1
    if wolves >= humans:
        return 0.0
    hit = wolves / (humans + wolves)
    return hit * village_wins_at_night(humans, wolves - 1) + (1 - hit) * village_wins_at_night(humans - 1, wolves)


def play_deals(
    against: str = "", begin: int = 0, players: int = 5, seed: int = 1, chance_games: int = 0
) -> Iterator[PlayedDeal]:
    """The built-in strategy and ``against``, by default the same, on one deal after another, without end.

    ``chance_games``: how many games are played on from each moment for :attr:`PlayedDeal.chances`; 0: none.
    """
    spec = VillageSpec(players)
    told = (Contestant(FIRST, Config()), Contestant(SECOND, Config(strategy=against)))
    invited = {one.name: unpack_contestant(pack_contestant(one)) for one in told}

    def play(fixture: Fixture) -> _PlayedGame:
        teams = {name: make_team(invited[name], fixture.seats.count(name), Path()) for name in set(fixture.seats)}
        names = names_of(fixture, invited)
        seats = [
            teams[who].unrecorded_seat(name, f"{who}/{fixture.deal.seed}", f"seat{number}")
            for number, (who, name) in enumerate(zip(fixture.seats, names, strict=True), 1)
        ]
        lots = _Lots(fixture)
        game = Game(village_of(spec), names, lots, cast=cast_of(spec.language).cast, game_id=fixture.game)
        lots.game = game
        asyncio.run(play_seats(game, seats))
        (end,) = [event for event in game.events if isinstance(event, Ended)]
        speakers = [event.seat for event in game.events if isinstance(event, Talked)][:players]
        look = next((event for event in game.events if isinstance(event, Divined)), None)
        found = look is not None and role_spec(fixture.deal.roles[look.target]).species is Species.WEREWOLF
        log = game_log(game.events)
        chances = chances_of(log, chance_games) if chance_games else ()
        return _PlayedGame(
            end.winner == Side.VILLAGER, lots.gain, speakers, hits_beyond_belief(log), float(found), chances
        )

    for deal in deals(seed, {"village": spec.village()}):
        if deal.number < begin:
            continue
        first, second = (play(one) for one in fixtures_of(deal, (FIRST, SECOND), Tables.SIDES))
        roles = [deal.roles[seat] for seat in first.speakers]
        yield PlayedDeal(
            deal.number,
            float(first.won) - float(second.won),
            first.lots - second.lots,
            tuple(roles.index(role) for role in ("SEER", "WEREWOLF", "POSSESSED") if role in roles),
            first.hits - second.hits,
            first.looks - second.looks,
            tuple(one - other for one, other in zip(first.chances, second.chances, strict=True)),
        )


class _PlayedGame(NamedTuple):
    won: bool
    lots: float
    speakers: list[int]
    hits: float
    looks: float
    chances: tuple[float, ...]


def chances_of(log: str, games: int) -> tuple[float, float]:
    """P(the village wins) as the review of this game has it after the first look and after the first attack, in
    ``games`` games each; 0 or 1 where the game was over by then."""
    game = read_game_log(log, "", "")
    assert game is not None
    prepared = prepare(game)
    won = float(game.winner == Side.VILLAGER)
    found = []
    for kind in (StepKind.DIVINE, StepKind.ATTACK):
        line = next(
            (moment.line for moment in prepared.moments if prepared.course.steps[moment.step].kind is kind), None
        )
        if line is None:
            found.append(won)
            continue
        _, _, outcomes = play_round(Task(prepared.language, 0, (line,), tuple(range(games))))
        found.append(fmean(one.winner == Side.VILLAGER for one in outcomes))
    first, second = found
    return first, second


def hits_beyond_belief(log: str) -> float:
    """Executed wolves of a game, less what those who are no wolves could believe of whoever was executed."""
    game = read_game_log(log, "", "")
    assert game is not None
    executed, beyond = {day.day: day.executed for day in game.days}, 0.0
    for moment in vote_moments(game):
        name = executed.get(moment.day)
        believed = [view.p[name] for view in score_viewers(moment, SHIPPED_ODDS) if name and name in view.p]
        if believed:
            beyond += (name in game.wolves) - fmean(believed)
    return beyond


def null_claims(values: NDArray[np.float64], comparisons: int, seed: int = 1) -> int:
    """How many of so many comparisons of equals claim a difference at any of their looks, one after each deal."""
    kinds = np.array(sorted({*values, *-values}))
    rng, claimed = np.random.default_rng(seed), 0
    for _ in range(comparisons):
        named = rng.permutation(values) * rng.choice((-1.0, 1.0), size=len(values))
        counts = np.cumsum(named[:, None] == kinds, axis=0).astype(np.float64)
        claimed += bool(refuses_zero(kinds, counts).any())
    return claimed


def variance_left(values: NDArray[np.float64], controls: NDArray[np.float64], folds: int = 10) -> float:
    """The share of the variance that is left when ``controls`` are subtracted by weights fitted on other deals."""
    left, part = np.empty_like(values), np.arange(len(values)) % folds
    centred = np.column_stack([np.ones(len(values)), controls])
    for fold in range(folds):
        weights = np.linalg.lstsq(centred[part != fold], values[part != fold], rcond=None)[0]
        left[part == fold] = values[part == fold] - (centred[part == fold] - centred.mean(axis=0)) @ weights
    return float(left.var() / values.var())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--against", default="", metavar="STRATEGY")
    parser.add_argument("--chances", type=int, default=0, metavar="N", help="games for each P(win); 0: none")
    parser.add_argument("--append", type=Path, metavar="FILE")
    told = parser.parse_args()
    found = []
    if told.append and told.append.exists():
        rows = [json.loads(line) for line in told.append.read_text(encoding="utf-8").splitlines()]
        found = [PlayedDeal(**{**row, "order": tuple(row["order"]), "chances": tuple(row["chances"])}) for row in rows]
    played = play_deals(told.against, 1 + max((one.number for one in found), default=-1), chance_games=told.chances)
    for done, deal in zip(count(1), played):
        found.append(deal)
        if told.append:
            with told.append.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(deal)) + "\n")
        if done >= told.deals:
            break
    print("\n".join(describe(found)))  # noqa: T201


def describe(found: Sequence[PlayedDeal]) -> Iterator[str]:
    """What there is to say of these deals, in lines."""
    values = np.array([one.value for one in found])
    yield (
        f"{len(found)} deals, {100 * np.mean(values == 0):.0f} % equal, mean {100 * values.mean():+.1f} points, "
        f"standard deviation of a deal {100 * values.std():.0f} points"
    )
    yield f"200 comparisons of equals, a look after each of them: {null_claims(values, 200)} claim a difference"
    controls = {
        "lots after ties": np.array([one.lots for one in found]),
        "the first look": np.array([one.looks for one in found]),
        "hits beyond belief": np.array([one.hits for one in found]),
    }
    if all(one.chances for one in found):
        for place, moment in enumerate(("after the first look", "on the second morning")):
            controls[f"P(win) {moment}"] = np.array([one.chances[place] for one in found])
    order = np.array([one.order for one in found], dtype=np.float64)
    yield f"the order of speakers: {100 * variance_left(values, order):.1f} % of the variance left"
    for name, control in controls.items():
        yield (
            f"{name}: {100 * variance_left(values, control[:, None]):.1f} % of the variance left, not 0 in "
            f"{100 * np.mean(control != 0):.0f} % of deals, mean {control.mean():+.3f}, "
            f"standard error {control.std() / np.sqrt(len(control)):.3f}"
        )


if __name__ == "__main__":
    main()
