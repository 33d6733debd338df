"""Figures and verdicts on games whose truth is planted."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from nlp_agent.lab.report import measures
from nlp_agent.lab.report.evidence import Detail, Evidence, Moment, Vote
from nlp_agent.lab.report.ratings import ratings
from nlp_agent.lab.report.verdict import percent, verdict_of
from nlp_agent.lab.report.worth import worth_opening
from nlp_agent.lab.study.statistics import Figure, average_of, share_of
from nlp_agent.lab.tournament.rows import GameRow
from tests.lab.report.tournaments import rows


def evidence(found: Sequence[GameRow], details: dict[str, Detail] | None = None) -> Evidence:
    who = tuple(dict.fromkeys(seat.contestant for row in found for seat in row.seats))
    return Evidence("planted", found, who, details or {}, {})


def verdict(found: Sequence[GameRow]) -> tuple[str, str]:
    told = evidence(found)
    costs = [point for point in measures.spending(told) if point.group == "money"]
    made = verdict_of(told.who, measures.paired(told), measures.above_role(told), measures.win_rates(told), costs)
    return made.state, made.head


def test_a_better_contestant_is_found_and_an_equal_one_is_not() -> None:
    """The verdict names who wins more once the interval leaves 0 out, and says undecided while it does not."""
    assert verdict(rows(200, 0.4)) == ("decided", "calm is better")
    state, head = verdict(rows(60, 0.0))
    assert state == "undecided"
    assert head.startswith("Undecided between ")
    assert verdict(rows(150, 0.5, who=("calm", "bold", "dull"))) == ("decided", "calm is the best")
    assert verdict(rows(20, 0.0, who=("calm", "bold", "dull")))[0] == "undecided"


def test_an_equal_pair_is_seldom_called_decided() -> None:
    """Of 60 tournaments between equals at most a tenth are called decided: the interval holds what it says."""
    decided = sum(verdict(rows(60, 0.0, seed=seed))[0] == "decided" for seed in range(60))
    assert decided <= 6


def test_undecided_says_what_it_would_take_and_which_is_cheaper() -> None:
    """The advice is a number of deals, and the contestant that costs less."""
    told = evidence(rows(60, 0.0))
    costs = [point for point in measures.spending(told) if point.group == "money"]
    advice = verdict_of(told.who, measures.paired(told), [], measures.win_rates(told), costs).advice
    assert "deals would tell it to ± 3 games of 100" in advice
    assert "calm is the cheaper one" in advice


def test_shares_count_clusters_not_cases() -> None:
    """Cases that always go together are worth one each; independent ones give Wilson's interval; of none there is
    none."""
    rng = Random(1)
    games = [(f"g{number}", 5.0 * (rng.random() < 0.5), 5.0) for number in range(100)]
    alike = share_of(games)
    single = share_of([(name, hits / 5, 1) for name, hits, _ in games])
    assert alike.low == pytest.approx(single.low, abs=0.01)
    assert alike.count == 500
    assert alike.games == single.games == 100
    never = share_of([(f"g{number}", 0, 5) for number in range(20)])
    assert never.value == 0
    assert never.high is not None
    assert 0 < never.high < 0.1
    assert share_of([]) == Figure(None, None, None, 0, 0)
    assert average_of([("g", 2.0), ("g", 4.0)]) == Figure(3.0, None, None, 2, 1)
    two = average_of([("g", 2.0), ("h", 4.0)])
    assert two.high == pytest.approx(3 + 12.706), "two games tell next to nothing"


def test_wins_are_compared_within_roles() -> None:
    """Whoever was dealt the side that always wins is not ahead for it."""
    found = []
    for row in rows(40, 0.0, who=("lucky", "other")):
        if row.turn == 0:
            seats = tuple(_with(seat, won=seat.side == "VILLAGER") for seat in row.seats)
            found.append(_with(row, winner="VILLAGER", seats=seats, deal=""))
    told = evidence(found)
    rates = {(p.who, p.group): p.figure.value for p in measures.win_rates(told)}
    assert rates["lucky", measures.BOTH] == 1
    assert [point.figure.value for point in measures.above_role(told)] == [0, 0]


def _with(thing: object, **changes: object):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    return replace(thing, **changes)  # type: ignore[type-var]


def test_ratings_put_the_better_one_first_and_the_side_aside() -> None:
    """The planted order comes out; contestants who never meet get none."""
    rated = ratings(rows(150, 0.6, who=("calm", "bold", "dull")), ("bold", "calm", "dull"))
    assert rated[0].who == "calm"
    assert rated[0].low > rated[1].mu
    alone = rows(5, 0.0, who=("a", "a2"))
    same = [_with(row, seats=tuple(_with(seat, contestant="a") for seat in row.seats)) for row in alone]
    assert ratings(same, ("a",)) == []


def votes(number: int) -> tuple[Vote, ...]:
    """Two votes: one hits the wolf that is believed to be one, one is thrown away."""
    p = {"w": 0.7, "x": 0.2, "y": 0.1}
    wolves = frozenset({"w"})
    return Vote(1, 0, p, wolves, "w"), Vote(1, 1, p, wolves, "x" if number % 2 else "")


def test_votes_stand_beside_chance_and_belief() -> None:
    """Hits are shares of votes cast; the most suspected is the wolf; chance is one in three; bins are calibrated."""
    found = rows(10, 0.0)
    told = evidence(found, {row.game: Detail(votes(n)) for n, row in enumerate(found)})
    points = {point.who: point.figure for point in measures.votes_on_wolves(told, apart=False)}
    assert points["voted"].value == pytest.approx(20 / 30)
    assert points["voted"].count == 30
    assert points[measures.BELIEVED].value == 1
    assert points[measures.CHANCE].value == pytest.approx(1 / 3)
    bins = {round(p, 2): figure.value for p, figure in measures.calibration(told)}
    assert bins == {0.1: 0.0, 0.2: 0.0, 0.7: 1.0}


def test_the_largest_of_each_kind_is_worth_opening() -> None:
    """Five games at most, of each deal one, the kinds in turn."""
    found = rows(4, 0.0)
    details = {
        row.game: Detail(swing=Moment(n, 1, f"swing {n}"), lie=Moment(n, 2, f"lie {n}") if n % 2 else None)
        for n, row in enumerate(found)
    }
    worth = worth_opening(evidence(found, details))
    assert [(each.why, each.what) for each in worth] == [
        ("Largest swing", "swing 7"),
        ("Largest swing", "swing 3"),
        ("Best lie", "lie 5"),
        ("Best lie", "lie 1"),
    ]


def test_figures_are_written_with_their_intervals() -> None:
    """Small shares get a decimal; a sign only where it is asked for; nothing is invented where there is no interval."""
    assert percent(Figure(0.5, 0.4, 0.6, 100, 100)) == "50 % (40–60)"
    assert percent(Figure(0.012, 0.01, 0.014, 100, 100)) == "1.2 % (1.0–1.4)"
    assert percent(Figure(-0.2, -0.3, 0.1, 9, 9), sign=True) == "-20 % (-30 to +10)"
    assert percent(Figure(0.5, None, None, 1, 1)) == "50 %"
    assert percent(Figure(None, None, None, 0, 0)) == "-"


def test_a_few_wins_are_no_proof() -> None:
    """Who won all of its four games, and nobody else any, is ahead by no more than four games tell."""
    games = [row for row in rows(4, 0.0, who=("new", "old")) if row.turn == 0]
    won = [
        _with(row, deal="", winner="VILLAGER", seats=tuple(_with(s, won=s.side == "VILLAGER") for s in row.seats))
        for row in games
    ]
    more = [
        _with(row, game=f"{row.game}-{n}", seats=tuple(_old(s) for s in row.seats)) for row in won for n in range(20)
    ]
    (new,) = [point.figure for point in measures.above_role(evidence([*won, *more])) if point.who == "new"]
    assert new.low is not None
    assert new.high is not None
    assert new.high - new.low > 0.2


def _old(seat: object) -> object:
    return _with(seat, contestant="old")
