"""Figures and verdicts on games whose truth is planted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from nlp_agent.report import charts, measures
from nlp_agent.report.charts import draw_svg
from nlp_agent.report.conclusion import conclude, format_percent
from nlp_agent.report.evidence import UNNAMED, Evidence, GameDetail, Highlight, VoteBelief, order_of
from nlp_agent.report.measures import ratings
from nlp_agent.report.page import games_to_open, make_report
from nlp_agent.study.statistics import Figure, average_of, share_of
from nlp_agent.tournament.deals import Tables
from nlp_agent.tournament.rows import GameRow, SeatRow
from nlp_agent.tournament.scoreboard import seat_table
from nlp_agent.tournament.standings import Standings
from tests.report.tournaments import rows


def evidence(found: Sequence[GameRow], details: dict[str, GameDetail] | None = None) -> Evidence:
    who = tuple(dict.fromkeys(seat.contestant for row in found for seat in row.seats))
    return Evidence("planted", found, who, details or {}, {})


def verdict(found: Sequence[GameRow]) -> tuple[str, str]:
    told = evidence(found)
    costs = [point for point in measures.spending(told) if point.group == "money"]
    made = conclude(told.who, measures.paired(told), measures.above_role(told), measures.win_rates(told), costs)
    return made.state, made.head


def test_better_contestant_is_found_and_equal_not() -> None:
    """The verdict names who wins more once the interval leaves 0 out, and says undecided while it does not."""
    assert verdict(rows(200, 0.4)) == ("decided", "calm is better")
    state, head = verdict(rows(60, 0.0))
    assert state == "undecided"
    assert head.startswith("Undecided so far between ")
    assert verdict(rows(150, 0.5, who=("calm", "bold", "dull"))) == ("decided", "calm is the best")
    assert verdict(rows(20, 0.0, who=("calm", "bold", "dull")))[0] == "undecided"


@pytest.mark.statistics
def test_an_equal_pair_is_seldom_called_decided() -> None:
    """Of 60 tournaments between equals at most a tenth are called decided: the interval holds what it says."""
    decided = sum(verdict(rows(60, 0.0, seed=seed))[0] == "decided" for seed in range(60))
    assert decided <= 6


def test_undecided_verdict_says_what_would_decide() -> None:
    """An undecided verdict says what it would take and which contestant is cheaper.

    The advice is a number of deals, and the contestant that costs less.
    """
    told = evidence(rows(60, 0.0))
    costs = [point for point in measures.spending(told) if point.group == "money"]
    advice = conclude(told.who, measures.paired(told), [], measures.win_rates(told), costs).advice
    assert "deals would tell it to ± 3 games of 100" in advice
    assert "calm is the cheaper one" in advice


def test_progress_tells_how_the_difference_stood_by_deal() -> None:
    """The last look is the verdict, intervals become narrower, and whoever was over first does not change the way."""
    found = rows(200, 0.4)
    (pair,) = measures.paired(evidence(found))
    looks = measures.progress(pair)
    assert looks[-1] == pair.difference
    assert [look.deals for look in looks] == [5 * number for number in range(1, 41)]
    assert looks[-1].half < looks[19].half < looks[4].half
    decided = [look.decided for look in looks]
    assert not decided[0]
    assert decided[-1]
    (shuffled,) = measures.paired(evidence(Random(3).sample(found, len(found))))
    assert measures.progress(shuffled) == looks
    assert "deals" in draw_svg(charts.progress(looks))
    assert len(measures.progress(measures.paired(evidence(rows(3, 0.0)))[0])) == 3


def test_spending_of_foreign_agents_is_unknown() -> None:
    """What foreign agents spent is unknown, and not nothing.

    They are left out of the averages, named in the note and in the table on top; others keep their figures.
    """
    found = [
        replace(
            row,
            seats=tuple(
                seat
                if seat.contestant == "calm"
                else replace(seat, prompt_tokens=0, completion_tokens=0, cached_tokens=0, money=None)
                for seat in row.seats
            ),
        )
        for row in rows(20, 0.0)
    ]
    made = make_report(evidence(found))
    assert measures.unknown_spending(evidence(found)) == ("bold",)
    (spent,) = [part for part in made.sections if part.name == "spending"]
    assert {row[0] for row in spent.table[1:]} == {"calm"}
    assert "What bold spent is unknown" in spent.note
    column = made.glance[0].index("cost")
    assert {str(row[0]): row[column] for row in made.glance[1:]}["bold"] == "unknown"


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


def test_ratings_rank_players_apart_from_sides() -> None:
    """Ratings put the better one first, and the effect of the side aside.

    The planted order comes out; contestants who never meet get none.
    """
    rated = ratings(rows(150, 0.6, who=("calm", "bold", "dull")), ("bold", "calm", "dull"))
    assert rated[0].who == "calm"
    assert rated[0].low > rated[1].mu
    alone = rows(5, 0.0, who=("a", "a2"))
    same = [_with(row, seats=tuple(_with(seat, contestant="a") for seat in row.seats)) for row in alone]
    assert ratings(same, ("a",)) == []


def votes(number: int) -> tuple[VoteBelief, ...]:
    """Two votes: one hits the wolf that is believed to be one, one is thrown away."""
    p = {"w": 0.7, "x": 0.2, "y": 0.1}
    wolves = frozenset({"w"})
    return VoteBelief(1, 0, p, wolves, "w"), VoteBelief(1, 1, p, wolves, "x" if number % 2 else "")


def test_votes_stand_beside_chance_and_belief() -> None:
    """Hits are shares of votes cast; the most suspected is the wolf; chance is one in three; bins are calibrated."""
    found = rows(10, 0.0)
    told = evidence(found, {row.game: GameDetail(votes(n)) for n, row in enumerate(found)})
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
        row.game: GameDetail(swing=Highlight(n, 1, f"swing {n}"), lie=Highlight(n, 2, f"lie {n}") if n % 2 else None)
        for n, row in enumerate(found)
    }
    worth = games_to_open(evidence(found, details))
    assert [(each.why, each.what) for each in worth] == [
        ("Largest swing", "swing 7"),
        ("Largest swing", "swing 3"),
        ("Best lie", "lie 5"),
        ("Best lie", "lie 1"),
    ]


def test_figures_are_written_with_their_intervals() -> None:
    """Small shares get a decimal; a sign only where it is asked for; nothing is invented where there is no interval."""
    assert format_percent(Figure(0.5, 0.4, 0.6, 100, 100)) == "50 % (40–60)"
    assert format_percent(Figure(0.012, 0.01, 0.014, 100, 100)) == "1.2 % (1.0–1.4)"
    assert format_percent(Figure(-0.2, -0.3, 0.1, 9, 9), sign=True) == "-20 % (-30 to +10)"
    assert format_percent(Figure(0.5, None, None, 1, 1)) == "50 %"
    assert format_percent(Figure(None, None, None, 0, 0)) == "-"


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


def test_seats_of_nobody_are_no_team() -> None:
    """Players whose connection the records do not name are no contestant, and few games are said to be few."""
    found = [_with(row, deal="", seats=tuple(_nobody(seat) for seat in row.seats)) for row in rows(2, 0.0)]
    assert order_of(found) == ("calm",)
    told = Evidence("planted", found, ("calm",), {}, {})
    rates = measures.win_rates(told)
    made = conclude(told.who, [], measures.above_role(told), rates, nameless=bool(told.nameless))
    assert made.head == "4 games of calm"
    assert "It won" in made.text
    assert {point.who for point in rates} == {"calm"}


def _nobody(seat: SeatRow) -> SeatRow:
    return replace(seat, contestant=UNNAMED if seat.contestant == "bold" else seat.contestant)


def test_a_handful_of_games_decides_nothing() -> None:
    """Seats of one game are one trial; below eight games nobody is called ahead, whatever an interval says."""
    found = [_with(row, deal="") for row in rows(6, 2.0, who=("new", "old")) if row.turn == 0]
    (new, old) = measures.above_role(evidence(found))
    assert (new.figure.count, old.figure.count) == (6, 6)
    made = conclude(("new", "old"), [], [new, old], measures.win_rates(evidence(found)))
    assert (made.state, made.head) == ("undecided", "Undecided: too few games")
    assert "more than 6 games" in made.text
    assert not Figure(1.0, 1.0, 1.0, 50, 50).decided


def test_few_games_never_make_an_interval_narrow() -> None:
    """All won: the fewer games, the wider; two games of many alike cases are wider than twenty."""
    widths = [
        figure.high - figure.low
        for n in (2, 5, 9, 20, 50)
        if (figure := share_of((f"g{k}", 1, 1) for k in range(n))).low is not None and figure.high is not None
    ]
    assert widths == sorted(widths, reverse=True)
    two, many = (share_of((f"g{k}", 40 + k % 2, 50) for k in range(n)) for n in (2, 20))
    assert two.low is not None
    assert many.low is not None
    assert two.low < many.low
    assert average_of([("g", 1.0), ("h", 9.0)], 0.0).low == 0.0


def test_equal_deals_are_counted_and_nothing_is_promised() -> None:
    """Ten draws: the verdict says so and projects no number of deals."""
    drawn = [_with(row, winner="VILLAGER", seats=tuple(_drawn(seat) for seat in row.seats)) for row in rows(10, 0.0)]
    told = evidence(drawn)
    made = conclude(told.who, measures.paired(told), [], measures.win_rates(told))
    assert "10 of 10 deals equal" in made.text
    assert "±" not in made.text + made.advice


def _drawn(seat: SeatRow) -> SeatRow:
    return replace(seat, won=seat.side == "VILLAGER")


def test_terminal_and_report_tell_the_same_share() -> None:
    """Both count a game once for each contestant, and deals for the trials."""
    found = rows(10, 0.3)
    standings = Standings(("calm", "bold"), Tables.SIDES)
    for row in found:
        standings.take(row)
    half = standings.rates()
    for deal in dict.fromkeys(row.deal for row in found):
        standings.expect(deal)
    assert standings.rates() == half, "whether a deal is closed makes no difference"
    shown = {(point.who, point.group): point.figure for point in measures.win_rates(evidence(found))}
    for who in ("calm", "bold"):
        assert standings.rates()[who, ""] == shown[who, measures.BOTH]
        assert shown[who, measures.BOTH].count == 20
        assert shown[who, measures.BOTH].games == 10
    table = {row[0]: row for row in seat_table(standings)}
    assert table["calm"][1] == "20"


def test_axes_have_plain_numbers_and_narrow_bars() -> None:
    """Axes have plain numbers, and a single bar does not fill the picture.

    Ratings are never told as powers of ten, labels keep apart, and a lone bar of the histogram stays narrow.
    """
    skill = charts.skill(ratings(rows(20, 0.3), ("calm", "bold"))).to_dict()
    assert skill["layer"][0]["encoding"]["x"]["axis"]["format"] == "~r"
    svg = draw_svg(charts.skill(ratings(rows(20, 0.3), ("calm", "bold"))))
    assert "e+" not in svg
    drawn = [_with(row, winner="VILLAGER", seats=tuple(_drawn(s) for s in row.seats)) for row in rows(10, 0.0)]
    (only,) = measures.paired(evidence(drawn))
    assert charts.deals(only).to_dict()["mark"]["size"] <= 36


def test_terms_are_explained_where_they_stand() -> None:
    """Who knows no statistics reads what a deal, p90 and a rating are, and why roles of a side have equal rows."""
    made = make_report(evidence(rows(12, 0.3)))
    notes = {part.name: part.note for part in made.sections}
    assert "A deal fixes who has which role" in notes["differences"]
    assert "(tables: sides)" in notes["win_rates"]
    assert "nine of ten at most p90" in notes["times"]
    assert "A win against a higher rating" in notes["ratings"]


def test_times_stand_in_seconds_in_their_table() -> None:
    """The table of times names its unit, which is that of the picture."""
    made = make_report(evidence(rows(12, 0.3)))
    (times,) = [part.table for part in made.sections if part.name == "times"]
    seconds = {row[1]: row[2] for row in times[1:] if row[0] == "calm"}
    assert set(seconds) >= {"p50, s", "p90, s", "max, s"}
    assert 0 < float(str(seconds["p50, s"])) < 60
