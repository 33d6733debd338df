"""Who tells what the coming night or a vote would bring tells of no death that has not happened."""

from __future__ import annotations

import pytest

from nlp_agent.seat import How
from tests.seat.advised_day import AdvisedDay, talk

FORECASTS = [
    ("en", "Hang me and {a} is dead tomorrow."),
    ("en", "By morning {a} is dead and you will see that I was right."),
    ("en", "{a} is killed tonight and then you know who spoke the truth."),
    ("en", "The death of {a} would prove nothing about me."),
    ("ja", "今夜{a}さんが襲われる。だから急いで話してほしい。"),
    ("ja", "このままでは{a}さんが殺される。"),
    ("ja", "明日には{a}さんが死んでいる。"),
    ("ja", "今夜{a}さんが襲われて終わりです。"),
    ("zh", "今晚{a}死了，明天你们就知道我没说谎。"),
]
DEATHS = [
    ("en", "{a} was killed last night and nobody mourns."),
    ("en", "We all know it: {a} is dead."),
    ("ja", "昨夜{a}さんが襲われました。"),
    ("ja", "{a}さんが襲われているのに静かですね。"),
    ("zh", "{a}昨晚死了，大家却不难过。"),
]


@pytest.mark.parametrize(("language", "words"), FORECASTS)
def test_a_forecast_of_a_death_goes_out(language: str, words: str) -> None:
    """What will happen tonight, or would happen, is said of somebody alive."""
    a = AdvisedDay(language).others[0]
    decision = AdvisedDay(language, talk(words.format(a=a))).turn()
    assert (decision.how, decision.problems) == (How.LLM, [])


@pytest.mark.parametrize(("language", "words"), DEATHS)
def test_a_death_that_never_happened_is_refused(language: str, words: str) -> None:
    """Who lives has not been killed."""
    a = AdvisedDay(language).others[0]
    decision = AdvisedDay(language, talk(words.format(a=a))).turn()
    assert any(f"{a} is alive" in problem for problem in decision.problems)
