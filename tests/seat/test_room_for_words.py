"""Where a talk holds little: no name is said twice, and what did not fit is shown again for the next talk."""

from __future__ import annotations

import pytest

from nlp_agent.protocol import Request
from tests.seat.advised_day import AdvisedDay, talk


@pytest.mark.parametrize(
    ("language", "words", "anchored"),
    [
        ("en", "You asked {to}. I dispute it.", False),
        ("en", "{to} why did you look at me?", False),
        ("en", "I looked because you were loud.", True),
        ("ja", "ねえ{to}さん、なぜ占ったの？", False),
        ("ja", "なぜ占ったの？", True),
    ],
)
def test_who_is_spoken_to_is_named_once(language: str, words: str, anchored: bool) -> None:
    """The name goes in front of the words, unless the words have it already."""
    day = AdvisedDay(language)
    to = day.others[0]
    said = words.format(to=to)
    day = AdvisedDay(language, talk(said, to=to))
    sent = day.turn().text
    assert (sent.startswith(f"@{to} "), sent.count(to)) == (anchored, 1)


def test_what_was_left_for_the_next_talk_is_shown_once() -> None:
    """It stands in the next talk's prompt, not in that of a vote, and is gone when that talk leaves nothing."""
    left = "Ask what Bram saw in the second night"
    day = AdvisedDay("en", talk("I heard you all.", later=left), talk("And now this."), talk("Well then."))
    day.turn()
    shown = [left in day.turn().user, left in day.turn().user]
    assert shown == [True, False]
    day = AdvisedDay("en", talk("I heard you all.", later=left), {"thought": "", "choice": "Bram"})
    day.turn()
    assert left not in day.turn(Request.VOTE).user
