"""The rules of which endpoint is asked when, without any endpoint."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.llm.failover import Attempt, CircuitBreaker, best_unfinished, next_to_ask
from tests.effort import examples


def attempt(
    name: str, *, running: bool = True, asked_to_wait: bool = False, text: str = "", sure: bool = True
) -> Attempt:
    return Attempt(name, lambda: None, text=text, sure=sure, running=running, asked_to_wait=asked_to_wait)


def test_one_endpoint_is_asked_until_the_hedge() -> None:
    """One endpoint at a time is asked until the moment for a second request.

    The first is asked, and while it works nobody else.
    """
    assert next_to_ask(["a", "b"], [], late=False) == "a"
    assert next_to_ask(["a", "b"], [attempt("a")], late=False) is None


def test_the_next_one_follows_a_failure_at_once() -> None:
    """Nobody is asked a second time after a failure: its own retries are behind it."""
    failed = attempt("a", running=False)
    assert next_to_ask(["a", "b"], [failed], late=False) == "b"
    assert next_to_ask(["a"], [failed], late=True) is None


def test_late_second_request_goes_to_next_endpoint() -> None:
    """Late, a second request goes to the next endpoint or, where there is one only, to the same.

    At most two are open, and to one endpoint alone the question is sent twice, not more often.
    """
    assert next_to_ask(["a", "b"], [attempt("a")], late=True) == "b"
    assert next_to_ask(["a"], [attempt("a")], late=True) == "a"
    assert next_to_ask(["a", "b", "c"], [attempt("a"), attempt("b")], late=True) is None
    assert next_to_ask(["a", "b"], [attempt("a"), attempt("b", running=False)], late=True) is None


def test_endpoint_that_said_wait_is_not_asked_twice() -> None:
    """An endpoint that has asked for a wait is not asked twice; another one is."""
    assert next_to_ask(["a"], [attempt("a", asked_to_wait=True)], late=True) is None
    assert next_to_ask(["a", "b"], [attempt("a", asked_to_wait=True)], late=True) == "b"


def test_longest_text_surely_not_thought_is_best() -> None:
    """The longest text that is surely no thought is the best.

    A thought that is closed later may look like a talk.
    """
    attempts = [attempt("a", text="One. Two"), attempt("b", text="Hm. Let me think. Well.", sure=False), attempt("c")]
    found = best_unfinished(attempts, lambda text: text[: text.rfind(".") + 1])
    assert found == (attempts[0], "One.")
    assert best_unfinished([attempt("a", text="No end")], lambda _: "") is None


def test_failing_endpoint_is_tried_after_its_rest() -> None:
    """An endpoint that keeps failing rests and is tried by one question.

    After its rest one question goes there; its outcome decides for all.
    """
    breaker = CircuitBreaker(2)
    breaker.failed(0.0, 30.0)
    assert not breaker.resting(0.0)
    breaker.failed(1.0, 30.0)
    assert breaker.resting(1.0) == 30.0
    assert not breaker.resting(31.0)
    breaker.asked()
    assert breaker.resting(31.0)
    breaker.failed(32.0, 30.0)
    assert breaker.resting(40.0)
    breaker.asked()
    breaker.answered()
    assert not breaker.resting(40.0)


def test_next_question_tries_again_after_cancelled_trial() -> None:
    """A trial that is called off leaves the next question to try the endpoint.

    A question dropped by the server says nothing about the endpoint.
    """
    breaker = CircuitBreaker(1)
    breaker.failed(0.0, 5.0)
    breaker.asked()
    breaker.let_go()
    assert not breaker.resting(6.0)


def test_endpoint_rests_as_long_as_it_asks() -> None:
    """An endpoint is left alone for as long as it asks; one Retry-After is enough."""
    breaker = CircuitBreaker(3)
    breaker.failed(0.0, 30.0, 90.0)
    assert breaker.resting(0.0) == 90.0


@examples(50)
@given(st.lists(st.sampled_from("abc"), unique=True), st.lists(st.tuples(st.booleans(), st.booleans())), st.booleans())
def test_a_race_ends(order: list[str], ends: list[tuple[bool, bool]], late: bool) -> None:
    """Whatever fails when: never more than two are open, and no endpoint is asked more than twice."""
    attempts: list[Attempt] = []
    for fails, asked_to_wait in [*ends, *[(True, False)] * 8]:
        if (name := next_to_ask(order, attempts, late=late)) is not None:
            attempts.append(attempt(name, asked_to_wait=asked_to_wait))
        assert sum(each.running for each in attempts) <= 2
        if fails and (running := next((each for each in attempts if each.running), None)):
            running.running = False
    assert len(attempts) <= len(order) + 1
    assert next_to_ask(order, attempts, late=late) is None
