"""What a model is told of the questions that it has put to others."""

from __future__ import annotations

import pytest

from tests.seat.advised_day import AdvisedDay, talk


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_every_language_tells_of_a_question_passed_over(language: str) -> None:
    """A model reads that the one whom it asked has spoken to others alone, and that there is no answer yet."""
    asks = {"en": "{} whom do you suspect?", "ja": "{}さんは誰を疑っていますか？", "zh": "{}，你怀疑谁？"}[language]
    away = {"en": "@{} I like warm bread.", "ja": "@{} パンが好きです。", "zh": "@{} 我喜欢面包。"}[language]
    calm = {"en": "Good morning.", "ja": "おはようございます。", "zh": "早上好。"}[language]
    told = {"en": "no answer yet", "ja": "まだ答えがない", "zh": "还没有得到回答"}[language]
    a, b = AdvisedDay(language).others[:2]
    day = AdvisedDay(language, talk(asks.format(a)), talk(calm), talk(""))
    day.turn(left=3)
    day.hear(a, away.format(b))
    day.turn(left=2)
    day.hear(b, calm)
    day.turn(left=1)
    assert told in day.asked
