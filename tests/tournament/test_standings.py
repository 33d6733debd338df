"""Differences and their intervals, and when a tournament has seen enough."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from nlp_agent.study.statistics import student95
from nlp_agent.tournament.deals import Tables
from nlp_agent.tournament.limits import RATE_GAMES, RATE_SECONDS, Costs, RecentRate, TournamentLimits
from nlp_agent.tournament.rows import GameRow, SeatRow
from nlp_agent.tournament.scoreboard import as_data, difference_line, seat_table, verdict_line
from nlp_agent.tournament.standings import Difference, DifferenceSums, Standings, elo, mean_interval


def _game(deal: int, turn: int, winner: str, village: str = "a", wolves: str = "b", money: float = 0.0) -> GameRow:
    """A game in which ``village`` has the village's four seats."""
    seats = [("VILLAGER", village)] * 4 + [("WEREWOLF", wolves)]
    rows = tuple(
        SeatRow(f"P{n}", f"{who}{n}", role, contestant=who, side=role, won=role == winner, money=money / 5)
        for n, (role, who) in enumerate(seats)
    )
    return GameRow("g", winner, 3, 1, {}, "en", rows, 2.0, game=f"v-{deal}-{turn}", deal=f"v-{deal}", turn=turn)


def _standings(*games: GameRow) -> Standings:
    standings = Standings(("a", "b"), Tables.SIDES)
    for number in range(10):
        standings.expect(f"v-{number}")
    for game in games:
        standings.take(game)
    return standings


def _one(standings: Standings) -> Difference:
    (only,) = standings.differences()
    return only


def test_deal_is_scored_by_the_winning_seats() -> None:
    """a wins as the village and as the wolves: one whole point; the same side winning twice is no difference."""
    both = _standings(_game(0, 0, "VILLAGER"), _game(0, 1, "WEREWOLF", "b", "a"))
    assert (_one(both).deals, _one(both).mean) == (1, 1.0)
    alike = _standings(_game(0, 0, "VILLAGER"), _game(0, 1, "VILLAGER", "b", "a"))
    assert _one(alike).mean == 0.0
    assert both.tallies["a"].roles["VILLAGER"].wins == 4
    assert both.tallies["b"].seats.wins == 0


def test_sole_contestant_scores_by_village_wins() -> None:
    """Where all seats are one contestant's, the wins of its village count.

    The share of seats that won would only tell how many seats each side has.
    """
    standings = Standings(("a", "b"), Tables.SAME)
    standings.expect("v-0")
    standings.take(_game(0, 0, "VILLAGER", "a", "a"))
    standings.take(_game(0, 1, "WEREWOLF", "b", "b"))
    assert _one(standings).mean == 1.0


def test_only_whole_deals_count_in_order() -> None:
    """A later deal that was quicker waits for the earlier one; one that cannot be played is passed over."""
    standings = _standings(_game(1, 0, "VILLAGER"), _game(1, 1, "WEREWOLF", "b", "a"), _game(0, 0, "VILLAGER"))
    assert _one(standings).deals == 0
    standings.take(_game(0, 1, "VILLAGER", "b", "a"))
    assert (_one(standings).deals, _one(standings).mean) == (2, 0.5)
    later = _standings(_game(1, 0, "VILLAGER"), _game(1, 1, "WEREWOLF", "b", "a"), _game(0, 0, "VILLAGER"))
    later.give_up("v-0")
    assert (_one(later).deals, _one(later).mean) == (1, 1.0)


def test_few_deals_decide_nothing() -> None:
    """No interval is a single point, and few deals decide nothing.

    Deals that are all alike leave the chance of another; nothing at all leaves every difference open.
    """
    low, high = mean_interval(DifferenceSums([0.0] * 100))
    assert low == -high
    assert 0.01 < high < 0.03
    assert mean_interval(DifferenceSums()) == (-1.0, 1.0)
    assert not Difference.of("a", "b", DifferenceSums([1.0] * 3)).decided
    sure = Difference.of("a", "b", DifferenceSums([-1.0] * 90 + [0.0] * 80 + [1.0] * 30))
    assert (sure.decided, sure.better) == (True, "b")


@pytest.mark.parametrize("true", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("deals", [25, 100])
def test_intervals_hold_the_truth_as_often_as_promised(true: float, deals: int) -> None:
    """Of 2,000 made-up tournaments of three outcomes a deal, 93 % or more hold the true difference."""
    random, held = Random(deals), 0
    for _ in range(2000):
        values = random.choices((-1.0, 0.0, 1.0), (0.3 - true / 2, 0.4, 0.3 + true / 2), k=deals)
        low, high = mean_interval(DifferenceSums(values))
        held += low <= true <= high
    assert held >= 0.93 * 2000


def test_the_quantile_is_students() -> None:
    """Against printed tables."""
    assert student95(4) == pytest.approx(2.776, rel=0.01)
    assert student95(30) == pytest.approx(2.042, rel=0.001)
    assert student95(10**6) == pytest.approx(1.960, rel=0.001)


def test_a_width_is_reached_by_every_difference() -> None:
    """A clear lead does not end it, a narrow interval does."""
    limits = TournamentLimits(1000, until=0.03)
    assert limits.enough([Difference("a", "b", 400, 0.0, -0.02, 0.02)])
    assert not limits.enough([Difference("a", "b", 400, 0.5, 0.4, 0.6)])
    assert not limits.enough([Difference("a", "b", 99, 0, -0.02, 0.02), Difference("a", "c", 99, 0, -0.2, 0.2)])
    assert not TournamentLimits(1000).enough([Difference("a", "b", 400, 0.0, -0.02, 0.02)])


def test_decided_means_a_lead_or_negligible_difference() -> None:
    """A pair is decided by a lead, or by a difference that does not matter.

    Either ends it for a pair, and all pairs must have ended.
    """
    limits = TournamentLimits(until="decided", margin=0.03)
    lead, equal = Difference("a", "b", 99, 0.5, 0.4, 0.6), Difference("a", "c", 400, 0.0, -0.02, 0.02)
    wide = Difference("b", "c", 99, 0.1, -0.1, 0.3)
    assert limits.enough([lead, equal])
    assert not limits.enough([lead, equal, wide])
    assert limits.deals_needed([lead, wide]) == 396
    assert TournamentLimits(until="decided", margin=0.01).deals_needed([equal]) == 1600


def test_difference_is_told_with_elo_and_chance() -> None:
    """A difference is told with its Elo and its chance.

    Ten wins for each loss are 400; equals are even.
    """
    assert elo(9 / 11) == pytest.approx(400)
    assert elo(-9 / 11) == pytest.approx(-400)
    assert Difference.of("a", "b", DifferenceSums([-1.0, 1.0])).chance == pytest.approx(0.5)
    assert Difference.of("a", "b", DifferenceSums([-1.0] * 10 + [1.0] * 20)).chance == pytest.approx(0.96, abs=0.01)


def test_fixed_interval_alone_names_no_leader() -> None:
    """Nobody is ahead where only the fixed interval says so.

    27 of 38 deals: enough where 38 were fixed before, and not for whoever looked after each of them.
    """
    one = Difference.of("a", "b", DifferenceSums([-1.0] * 11 + [1.0] * 27))
    assert one.fixed[0] > 0
    assert (one.decided, one.better) == (False, "")
    assert "undecided so far" in difference_line(one)
    assert "undecided so far" in verdict_line(one, Tables.SIDES, fixed=True)
    assert "which was fixed before" in verdict_line(one, Tables.SIDES, fixed=True)
    assert "which was fixed before" not in verdict_line(one, Tables.SIDES)
    worse = Difference.of("a", "b", DifferenceSums([-1.0] * 27 + [1.0] * 11))
    for open_yet in (one, worse):
        told = verdict_line(open_yet, Tables.SIDES)
        assert "deals in all would tell it to ± 3" in told
        assert "the better one" not in told


def test_decided_difference_names_the_better_one() -> None:
    """Whoever is ahead for sure is called the better one, with the difference on the scale of chess."""
    ahead, behind = (Difference.of("a", "b", DifferenceSums([won] * 60)) for won in (1.0, -1.0))
    assert "a is the better one with 100 %" in verdict_line(ahead, Tables.SIDES)
    assert "b is the better one with 100 %" in verdict_line(behind, Tables.SIDES)


def test_two_deals_name_nobody_the_better_one() -> None:
    """One of two equals wins two deals in a row as often as not."""
    few, more = (Difference.of("a", "b", DifferenceSums([1.0] * deals)) for deals in (2, 3))
    assert "so few deals tell nothing" in verdict_line(few, Tables.SIDES)
    assert "the better one" not in verdict_line(few, Tables.SIDES)
    assert "deals in all would tell it" in verdict_line(more, Tables.SIDES)


def test_negligible_difference_is_called_so() -> None:
    """A difference that does not matter is called so where a margin was asked for."""
    one = Difference("a", "b", 4000, 0.001, -0.015, 0.017)
    assert "no difference that matters (± 2.0)" in difference_line(one, 0.02)
    assert "undecided so far" in difference_line(one)


def test_budget_includes_running_games() -> None:
    """The budget is kept with the games that are running.

    What runs is paid for before another one begins.
    """
    limits = TournamentLimits(1000, budget=5.0)
    assert not limits.spent(3.0, running=1, each=1.0)
    assert limits.spent(3.0, running=2, each=1.0)
    assert not TournamentLimits(1000).spent(1e9, running=2, each=1.0)


def test_remaining_cost_follows_games_so_far() -> None:
    """Seconds are shared among workers; the interval of the money holds what games differ by."""
    costs = Costs()
    for money in (0.9, 1.0, 1.1, 1.0):
        costs.take(_game(0, 0, "VILLAGER", money=money))
    told = costs.project(100, workers=4)
    assert told.seconds == pytest.approx(50.0)
    assert told.money == pytest.approx(100.0)
    assert 85.0 < told.low < 95.0
    assert told.high == pytest.approx(200.0 - told.low)
    assert told.priced


def test_spending_of_foreign_agents_is_unknown() -> None:
    """What foreign agents spend is unknown, and not nothing.

    Their tokens are not seen here; a player without a model spends none for sure.
    """
    standings = Standings(("a", "b"), Tables.SIDES)
    game = _game(0, 0, "VILLAGER")
    standings.take(
        replace(game, seats=tuple(replace(s, money=None if s.contestant == "b" else 0.0) for s in game.seats))
    )
    a, b = seat_table(standings)
    assert a[-2:] == ("0", "")
    assert b[-2:] == ("unknown", "unknown")
    assert as_data(standings, [])["contestants"]["b"]["prompt_tokens"] is None


def test_time_left_follows_the_last_minutes() -> None:
    """The time left is told by the last minutes.

    An endpoint that became ten times slower is known as that after a few minutes; slow games count all the same.
    """
    rate, now = RecentRate(0.0), 0.0
    assert rate.per_second(0.0) == 0.0
    for _ in range(1000):
        now += 1.0
        rate.finish(now)
    assert rate.per_second(now) == pytest.approx(1.0)
    for _ in range(35):
        now += 10.0
        rate.finish(now)
    assert rate.per_second(now) == pytest.approx(0.1, rel=0.05)
    assert rate.per_second(now + RATE_SECONDS) < 0.06
    slow = RecentRate(0.0)
    for game in range(1, 60):
        slow.finish(600.0 * game)
    assert slow.per_second(600.0 * 59) == pytest.approx(1 / 600, rel=1 / RATE_GAMES)
