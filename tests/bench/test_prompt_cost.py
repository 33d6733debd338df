"""What of a prompt is paid for is counted."""

from __future__ import annotations

import pytest

from nlp_agent.llm.model import Message, Question
from tests.bench.prompt_cost import PER_TOKEN, PRICES, Cost, common_beginning, dollars, prompt_cost


def _ask(*texts: str, purpose: str = "TALK") -> Question:
    return Question(tuple(Message("user", text) for text in texts), purpose)


def test_what_two_texts_begin_with() -> None:
    """Nothing, a part, or one of them whole."""
    assert [common_beginning("abcd", other) for other in ("", "x", "abx", "abcde", "abcd")] == [0, 0, 2, 4, 4]


def test_repeated_prompt_beginning_is_not_charged_again() -> None:
    """A beginning of a prompt that was sent before is not paid for again.

    Also when other questions came between, of this seat or another; targets are calls but no talks.
    """
    cost = Cost()
    between = [_ask(letter * 95, purpose="VOTE") for letter in "ayzb"]
    cost.add([_ask("x" * 95), *between, _ask("x" * 95, "z" * 94)])
    assert (cost.calls, cost.talks, cost.longest) == (6, 2, 200)
    assert (cost.characters, cost.unchanged) == (300, 100)


def test_what_is_cached_costs_its_own_price() -> None:
    """A talk of a token, three quarters of it cached: what a thousand of them cost."""
    model, (anew, cached) = next(iter(PRICES.items()))
    cost = Cost(talks=1, characters=int(PER_TOKEN["en"]), unchanged=3)
    assert dollars(cost, "en", model) == pytest.approx((0.75 * cached + 0.25 * anew) * 1000 / 1e6)


def test_a_game_is_measured_without_any_endpoint() -> None:
    """Some of every prompt is new, most of it is not."""
    cost = prompt_cost(5, 1)
    assert cost.talks > 5
    assert cost.calls > cost.talks
    assert 0.3 < cost.share < 1
