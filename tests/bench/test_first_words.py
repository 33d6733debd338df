"""How long a talk takes that is thought about first is measured, and short enough."""

from __future__ import annotations

import json
from statistics import median

import pytest

from tests.bench import first_words as measured
from tests.bench.first_words import FIRST, LAST, answers, first_words

RATE, DELAY = 60.0, 0.5


def test_talk_with_words_last_takes_five_seconds_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """A talk whose words come last is there in five seconds at 60 tokens a second, among thirteen in Japanese.

    There it takes longest. Counted are the pieces that the model writes, for a clock also counts what else the machine
    does. Words that come first are there sooner. A dozen talks tell as much as the forty of the command.
    """
    monkeypatch.setattr(measured, "ANSWERS", 12)
    written = [len(measured.TOKEN.findall(answer)) for answer in answers("ja", 13, LAST)]
    assert DELAY + median(written) / RATE <= 5.0
    last, first = (first_words("ja", 13, order, RATE, DELAY) for order in (LAST, FIRST))
    assert median(first.words) < median(last.words) <= median(last.plan)


def test_both_orders_tell_the_same() -> None:
    """What is measured differs in nothing but the order."""
    pairs = zip(answers("en", 5, LAST), answers("en", 5, FIRST), strict=True)
    for last, first in pairs:
        assert json.loads(last) == json.loads(first)
        assert (next(reversed(json.loads(last))), next(iter(json.loads(first)))) == ("words", "words")
