"""One moment for one answer, on a clock that is passed in."""

from nlp_agent.deadline import Arrival, Deadline
from nlp_agent.seat.timing import Timing


def test_deadline_tells_left_and_spent_time() -> None:
    """Remaining time never goes below zero."""
    now = [10.0]
    deadline = Deadline.after(5.0, lambda: now[0])
    now[0] = 12.0
    assert (deadline.remaining, deadline.spent, deadline.total, deadline.passed) == (3.0, 2.0, 5.0, False)
    now[0] = 15.0
    assert (deadline.remaining, deadline.passed) == (0.0, True)
    assert deadline.minus(2.0).at == 13.0
    assert deadline.capped(1.0).at == 11.0
    assert deadline.capped(9.0).at == 15.0


def test_the_usual_minute_is_divided_as_configured() -> None:
    """50 s for the model, 55 s until nothing is sent any more."""
    arrived = Arrival.now(lambda: 100.0)
    timing = Timing(soft=5, give_up=50, ceiling=55)
    last = timing.last_moment(arrived, 60_000)
    assert last.at == 155.0
    assert timing.thinking(last, 60_000).until.at == 150.0
    assert timing.thinking(last, 60_000).soft.at == 105.0


def test_another_time_limit_scales_everything_in_proportion() -> None:
    """A table that gives two seconds still leaves a reserve; one that gives ten minutes lets a slow mind think."""
    arrived = Arrival.now(lambda: 0.0)
    timing = Timing(soft=5, give_up=50, ceiling=55)
    last = timing.last_moment(arrived, 2_000)
    assert round(last.at, 3) == 1.833
    assert round(timing.thinking(last, 2_000).until.at, 3) == 1.667
    assert timing.last_moment(arrived, 600_000).at == 550.0
