"""Where a talk holds little: no name is said twice, and what did not fit is shown again for the next talk."""

from __future__ import annotations

import pytest

from nlp_agent.protocol import Request, Role
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


@pytest.mark.parametrize(
    ("language", "words", "sent"),
    [
        ("en", "@{to} {to} why did you look at me?", "{to} why did you look at me?"),
        ("en", "@{to} You asked {to}. I dispute it.", "You asked {to}. I dispute it."),
        ("en", "@{to} I dispute it.", "@{to} I dispute it."),
        ("ja", "@{to} {to}さん、なぜ占ったの？", "{to}さん、なぜ占ったの？"),
        ("zh", "@{to} {to}，你为什么查我？", "{to}，你为什么查我？"),
    ],
)
def test_an_anchor_of_the_model_doubles_no_name(language: str, words: str, sent: str) -> None:
    """What it writes in front itself goes where its words name the same player."""
    day = AdvisedDay(language)
    to = day.others[0]
    day = AdvisedDay(language, talk(words.format(to=to), to=to))
    assert day.turn().text == sent.format(to=to)


def test_leftover_words_survive_a_failing_model() -> None:
    """What waits to be said is not lost when the model fails.

    Of a talk that went out without the model nothing was taken up: what was left is shown again.
    """
    left = "Ask what Bram saw in the second night"
    day = AdvisedDay("en", talk("I heard you all.", later=left))
    shown = []
    for _ in range(3):  # after the first the model has no answer any more
        day.turn()
        shown.append(left in day.asked)
    assert shown == [False, True, True]


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_where_little_fits_it_says_what_can_wait(language: str) -> None:
    """A seer with an untold result says it first; the reasons wait as long as a talk is left, and on the last nothing
    can."""
    now = {"en": "There is little room", "ja": "字数が少ないので", "zh": "字数很少，现在"}[language]
    wait = {"en": "Other reasons can wait", "ja": "ほかの理由はあとでよい", "zh": "别的理由可以等等"}[language]
    last = {"en": "Nothing can wait", "ja": "もうあとはない", "zh": "没有机会了"}[language]
    answer = talk({"en": "I slept well.", "ja": "よく眠れた。", "zh": "我睡得很好。"}[language])
    for left, shown in ((2, (True, True, False)), (0, (True, False, True))):
        day = AdvisedDay(language, answer, role=Role.SEER)
        day.turn(left=left)
        assert tuple(piece in day.asked for piece in (now, wait, last)) == shown


def test_leftover_words_are_shown_once() -> None:
    """What was left for the next talk is shown once.

    It stands in the next talk's prompt, not in that of a vote, and is gone when that talk leaves nothing.
    """
    left = "Ask what Bram saw in the second night"
    day = AdvisedDay("en", talk("I heard you all.", later=left), talk("And now this."), talk("Well then."))
    day.turn()
    shown = [left in day.turn().user, left in day.turn().user]
    assert shown == [True, False]
    day = AdvisedDay("en", talk("I heard you all.", later=left), {"thought": "", "choice": "Bram"})
    day.turn()
    assert left not in day.turn(Request.VOTE).user


@pytest.mark.parametrize(
    ("language", "left", "words"),
    [
        ("en", "Say again that I vote for Bram", "Once again I say it plainly: I vote for Bram."),
        ("ja", "{to}に投票すると念を押す。", "{to}の昨日の話は合わない。私は{to}に投票する。"),
    ],
)
def test_what_was_said_after_all_is_not_left_over(language: str, left: str, words: str) -> None:
    """A note for the next talk is dropped when this one has said it."""
    to = AdvisedDay(language).others[0]
    left = left.format(to=to)
    said = AdvisedDay(language, talk(words.format(to=to), later=left), talk("..."))
    said.turn()
    said.turn()
    assert left not in said.asked
