"""When to speak in a group chat, by a clock that is only a number."""

from __future__ import annotations

from random import Random
from statistics import median

import pytest

from nlp_agent.planning.acts import ActKind, SpeechAct
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.seat.groupchat import Pace, Rhythm, Urgency, urgency

SEEDS = range(200)


def rhythms(pace: Pace | None = None) -> list[Rhythm]:
    return [Rhythm(pace or Pace(), Random(seed)) for seed in SEEDS]


def moments(wish: Urgency, *, left: int = 4) -> list[float]:
    found = [rhythm.moment(wish, left) for rhythm in rhythms()]
    return [at for at in found if at is not None]


@pytest.mark.parametrize(
    ("kinds", "addressed", "expected"),
    [
        ((), False, Urgency.NOTHING),
        (("morning", "claim", "result"), False, Urgency.PRESSING),
        (("defend",), False, Urgency.PRESSING),
        (("suspect",), False, Urgency.TOPIC),
        (("suspect",), True, Urgency.PRESSING),
        (("trust", "vote"), False, Urgency.LAST_WORD),
        (("answer", "vote"), False, Urgency.PRESSING),
    ],
)
def test_plan_tells_how_urgent_talk_is(kinds: tuple[ActKind, ...], addressed: bool, expected: Urgency) -> None:
    """The plan tells how much it wants to be said.

    Claims, results, defences and answers press; a vote waits for the end unless somebody waits for us.
    """
    plan = TalkPlan(tuple(SpeechAct(kind) for kind in kinds), over=not kinds)
    assert urgency(plan, addressed=addressed) is expected


def test_seats_begin_staggered_with_results_first() -> None:
    """Seats begin one after another, and those with results first.

    Staggered as in the real games: half within a few seconds, some much later; no two at the very same moment.
    """
    usual, eager = moments(Urgency.TOPIC), moments(Urgency.PRESSING)
    assert 2 < median(usual) < 6
    assert max(usual) > 10
    assert median(eager) < median(usual)
    assert len(set(usual)) == len(SEEDS)


def test_whoever_speaks_to_us_is_answered_soon() -> None:
    """Writing begins a few seconds after the address, also when nothing else would be due for half a minute."""
    waits = []
    for rhythm in rhythms():
        rhythm.spoke(10.0)
        rhythm.heard(20.0, addressed=True)
        at = rhythm.moment(Urgency.PRESSING, 3)
        assert at is not None
        waits.append(at - 20.0)
    typing = Pace().typing_time("x" * 100)
    assert median(waits) + typing <= 8.5
    assert sorted(waits)[180] + typing <= 20
    assert min(waits) >= 1


def test_seat_that_just_spoke_awaits_news() -> None:
    """A seat that has just spoken waits for news.

    Two own talks never follow each other unless somebody has spoken between them or the end is near.
    """
    for rhythm in rhythms():
        rhythm.spoke(5.0)
        assert rhythm.moment(Urgency.TOPIC, 3) is None
        rhythm.heard(6.0, addressed=False)
        at = rhythm.moment(Urgency.TOPIC, 3)
        assert at is not None
        assert at > 6.0 + Pace().lull


def test_the_talks_left_are_spread_over_the_phase() -> None:
    """With one voice in the room now and then, four talks reach to the end; the last is kept for an answer."""
    for rhythm in rhythms():
        now, said = 0.0, []
        rhythm.supplied(0.0, talks=16, others=4)
        for left in (4, 3, 2):
            at = rhythm.moment(Urgency.TOPIC, left)
            assert at is not None
            assert at >= now
            now = at
            said.append(at)
            rhythm.spoke(now)
            rhythm.heard(now + 1.0, addressed=False)
        assert rhythm.moment(Urgency.TOPIC, 1) is None
        assert said[1] - said[0] > Pace().gap
        last = rhythm.moment(Urgency.LAST_WORD, 1)
        assert last is not None
        assert last > said[-1]


def test_lively_room_allows_one_talk_a_round() -> None:
    """In a lively room a seat speaks once a round.

    When all others have spoken since, it need not wait for its ration.
    """
    for rhythm in rhythms():
        rhythm.supplied(0.0, talks=16, others=4)
        rhythm.spoke(5.0)
        for second in range(6, 10):
            rhythm.heard(float(second), addressed=False)
        at = rhythm.moment(Urgency.TOPIC, 3)
        assert at is not None
        assert at < 5.0 + 3 * Pace().gap


def test_flood_delays_a_seat_without_silencing_it() -> None:
    """Nobody is talked over for long: a talk every second moves ours by a few seconds at most."""
    for rhythm in rhythms():
        rhythm.spoke(5.0)
        at = 1e9
        now = 5.0
        while now < at and now < 60:
            now += 1.0
            rhythm.heard(now, addressed=False)
            at = rhythm.moment(Urgency.TOPIC, 3) or at
        assert now < 5.0 + 3 * Pace().gap + 4 * Pace().lull


def test_the_last_word_comes_before_the_expected_end() -> None:
    """Late in the phase, while those who listen are still there."""
    for rhythm in rhythms():
        for second in range(0, 110, 10):
            rhythm.heard(float(second), addressed=False)
        at = rhythm.moment(Urgency.LAST_WORD, 1)
        assert at is not None
        assert 60 < at < 118 * 1.1


def test_last_word_comes_when_others_are_nearly_done() -> None:
    """The last word comes at once when the others are nearly done.

    Who waits for the expected end would speak to nobody.
    """
    for rhythm in rhythms():
        rhythm.spoke(10.0)
        rhythm.heard(20.0, addressed=False)
        rhythm.supplied(20.0, talks=1, others=4)
        at = rhythm.moment(Urgency.LAST_WORD, 1)
        assert at is not None
        assert 20.0 < at < 30.0


def test_a_silent_village_is_left_soon() -> None:
    """Nothing to say and nobody who speaks: gone within a minute instead of ten; at once when all others are."""
    for rhythm in rhythms():
        rhythm.spoke(5.0)
        assert 30.0 < rhythm.quit_at() < 55.0
        rhythm.heard(30.0, addressed=False)
        assert rhythm.quit_at() > 55.0
        rhythm.supplied(31.0, talks=0, others=4)
        assert rhythm.quit_at() == 31.0


def test_a_pace_fits_into_a_short_phase() -> None:
    """Half a minute in all: everything is quicker in proportion, and the last word still comes in time."""
    pace = Pace().fitted(30.0)
    assert pace.expected == pytest.approx(24.0)
    assert pace.opening[1] == pytest.approx(14.0 * 24 / 118)
    assert pace.patience <= 7.5
    assert pace.typing_time("x" * 1000) == pytest.approx(5.0 * 24 / 118)
    assert Pace().fitted(600.0) == Pace()
    assert Pace(speed=10.0).fitted(600.0).expected == pytest.approx(11.8)
    assert Pace().fitted(None) == Pace()
