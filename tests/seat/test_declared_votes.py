"""Votes that a model declares in the form: what its words say is announced, what only the form says is its own."""

from __future__ import annotations

import pytest

from nlp_agent.protocol import Request, Role
from nlp_agent.seat import How
from tests.packs import PACKS
from tests.seat.advised_day import AdvisedDay, talk

every_language = pytest.mark.parametrize("language", list(PACKS))
MUSED = {
    "en": "{a} spoke first this morning. I would like more of that.",
    "ja": "{a}さんが最初に話しましたね。もっと聞きたいです。",
    "zh": "{a}早上第一个发言。我想多听一点。",
}
UNREAD = {
    "en": "{a} spoke first this morning. My vote stays.",
    "ja": "{a}さんが最初に話しましたね。私の票は変わりません。",
    "zh": "{a}早上第一个发言。我的票不变。",
}
ANNOUNCED = {"en": "announced a vote for {a}", "ja": "{a}に投票すると言った", "zh": "你宣布了要投{a}"}
PRIVATE = {
    "en": "When you last answered, you wrote {a} into vote, but you have not announced that vote aloud.",
    "ja": "前に答えたとき、vote に{a}と書いたが、投票するとはまだ言っていない。",
    "zh": "上次回答时，你在 vote 里写了{a}，但还没有宣布这一票。",
}
MORNING = {
    "en": "Good to hear from all of you.",
    "ja": "みなさんの話を聞けてよかったです。",
    "zh": "很高兴听到大家说话。",
}


@every_language
def test_vote_only_in_the_form_is_not_announced(language: str) -> None:
    """A vote that only the form names is known to nobody else.

    Its owner reads that it meant it and that nobody heard it, and nothing of an announcement.
    """
    a = AdvisedDay(language).others[0]
    day = AdvisedDay(language, talk(MUSED[language].format(a=a), a), talk(""))
    day.turn()
    day.hear(day.others[-1], MORNING[language])
    day.turn(left=1)
    assert PRIVATE[language].format(a=a) in day.asked
    assert ANNOUNCED[language].format(a=a) not in day.asked


@every_language
def test_a_vote_left_open_takes_back_the_one_before(language: str) -> None:
    """Who leaves vote empty in its next answer means to vote for nobody yet, and is not told that it does."""
    quiet = {"en": "Let us hear the others first.", "ja": "まず皆の話を聞こう。", "zh": "先听听大家怎么说。"}[language]
    a = AdvisedDay(language).others[0]
    day = AdvisedDay(language, talk(MUSED[language].format(a=a), a), talk(quiet), talk(""))
    day.turn(left=3)
    day.hear(day.others[-1], MORNING[language])
    day.turn()
    assert PRIVATE[language].format(a=a) in day.asked
    day.hear(day.others[-1], MORNING[language])
    day.turn(left=1)
    assert PRIVATE[language].format(a=a) not in day.asked


@every_language
def test_vote_without_pattern_binds_by_words(language: str) -> None:
    """A vote that no pattern reads binds where the words speak of it.

    Words that name the player and tell of one's own vote have announced the vote that stands in the form.
    """
    a = AdvisedDay(language).others[0]
    day = AdvisedDay(language, talk(UNREAD[language].format(a=a), a), talk(""))
    day.turn()
    day.hear(day.others[-1], MORNING[language])
    day.turn(left=1)
    assert ANNOUNCED[language].format(a=a) in day.asked
    assert PRIVATE[language].format(a=a) not in day.asked
    asked = len(day.model.asks)
    assert day.turn(Request.VOTE).text == a
    assert len(day.model.asks) == asked  # an announced vote is cast without a question


@every_language
def test_model_confirms_a_vote_nobody_heard(language: str) -> None:
    """The model is asked whether it still means a vote that nobody has heard of.

    What it chooses is cast; where no answer comes, what it meant.
    """
    a, b = AdvisedDay(language).others[:2]
    words = MUSED[language].format(a=a)
    chosen = AdvisedDay(language, talk(words, a), {"thought": "", "wolf": {}, "choice": b})
    chosen.turn()
    assert chosen.turn(Request.VOTE).text == b
    assert PRIVATE[language].format(a=a) in chosen.asked
    for name in (a, b):
        silent = AdvisedDay(language, talk(words, name))
        silent.turn()
        cast = silent.turn(Request.VOTE)
        assert (cast.text, cast.how) == (name, How.FALLBACK)


@every_language
@pytest.mark.parametrize("left", [0, 3])
def test_vote_only_in_the_form_binds_nobody(language: str, left: int) -> None:
    """A vote that only the form of a talk named is asked for, also where that talk was the last of the day."""
    a, b = AdvisedDay(language).others[:2]
    day = AdvisedDay(language, talk(MUSED[language].format(a=a), a), {"thought": "", "wolf": {}, "choice": b})
    day.turn(left=left)
    cast = day.turn(Request.VOTE)
    assert (len(day.model.asks), cast.text, cast.how) == (2, b, How.LLM)


@every_language
def test_what_was_said_aloud_is_cast(language: str) -> None:
    """The vote announced aloud is cast, whatever the form of a later talk named that said nothing of it."""
    a, b = AdvisedDay(language).others[:2]
    day = AdvisedDay(language, talk(BARE[language].format(a=a), a), talk(MORNING[language], b))
    day.turn()
    day.hear(b, QUESTION[language].format(a=a))
    day.turn(left=0)
    cast = day.turn(Request.VOTE)
    assert (len(day.model.asks), cast.text, cast.how) == (2, a, How.SETTLED)


QUESTION = {
    "en": "{a} why did you wait so long? My hand is open until I hear it.",
    "ja": "{a}さんの話を聞きたい。今日の処刑は一人だけです。",
    "zh": "{a}，票很重要。你为什么等到现在？",
}


@every_language
@pytest.mark.parametrize("to", [False, True])
def test_a_question_announces_no_vote(language: str, *, to: bool) -> None:
    """A talk that only asks somebody something announces no vote for that one, though it speaks of voting and the form
    names one: its owner is not told that it has said so, and is asked for its vote."""
    a, b = AdvisedDay(language).others[:2]
    asks = talk(QUESTION[language].format(a=a), a, to=a if to else "")
    day = AdvisedDay(language, asks, talk(MORNING[language]), {"thought": "", "wolf": {}, "choice": b})
    day.turn()
    day.hear(b, BARE[language].format(a=day.others[-1]))
    day.turn(left=1)
    assert PRIVATE[language].format(a=a) in day.asked
    assert ANNOUNCED[language].format(a=a) not in day.asked
    assert day.turn(Request.VOTE).text == b


@every_language
def test_an_announcement_is_forgotten_once_it_is_cast(language: str) -> None:
    """At night neither a bond nor a tally of announced votes is shown any more."""
    a, b = AdvisedDay(language, role=Role.SEER).others[:2]
    choice = {"thought": "", "wolf": {}, "choice": b}
    day = AdvisedDay(language, talk(UNREAD[language].format(a=a), a), choice, role=Role.SEER)
    day.turn()
    assert day.turn(Request.VOTE).text == a
    day.turn(Request.DIVINE)
    assert ANNOUNCED[language].format(a=a) not in day.asked
    tally = {"en": "Votes announced", "ja": "予告された今日", "zh": "今天宣布的票"}
    assert tally[language] not in day.asked


ALLOWED = {
    "en": "{b} spoke first. Wolf, say plainly who you are and I vote with you.",
    "ja": "{b}さん、二人並んだら私は、占われた人の顔を見ます。",
    "zh": "{b}，我跟你一起投，先听大家怎么说。",
}


@every_language
def test_words_resembling_votes_or_claims_pass(language: str) -> None:
    """What only sounds like a vote or a claim goes out as written.

    Voting with somebody is no vote against, and who speaks of those divined claims nothing.
    """
    b = AdvisedDay(language).others[1]
    day = AdvisedDay(language, talk(ALLOWED[language].format(b=b)))
    decision = day.turn()
    assert (decision.how, decision.problems) == (How.LLM, [])


BARE = {"en": "I vote for {a}.", "ja": "{a}さんに投票します。", "zh": "我投给{a}。"}
WHY = {
    "en": "{a} never said where that number came from. I vote for {a}.",
    "ja": "{a}さんは数の出どころを最後まで言いませんでした。{a}さんに投票します。",
    "zh": "{a}始终没说那个数字是哪来的。我投给{a}。",
}


@every_language
def test_a_changed_mind_says_why(language: str) -> None:
    """Another vote than the one announced is asked for once more without a reason, and goes out with one."""
    a, b = AdvisedDay(language).others[:2]
    first = talk(BARE[language].format(a=a), a)
    bare, told = talk(BARE[language].format(a=b), b), talk(WHY[language].format(a=b), b)
    day = AdvisedDay(language, first, bare, told)
    assert day.turn().how is How.LLM
    day.hear(a, MORNING[language])
    decision = day.turn(left=1)
    assert decision.how is How.RETRY
    assert len(decision.problems) == 1
    assert "turns from" in decision.problems[0]
    assert decision.text == told["words"]
    assert day.turn(Request.VOTE).text == b


@every_language
def test_agreed_vote_without_alternative_is_not_questioned(language: str) -> None:
    """A vote that was agreed on is not questioned where another could not win.

    Two others vote for A and one for the seat, and one is for D: moving the vote to C would only make a tie.
    """
    a, b, c, d = AdvisedDay(language).others
    me = AdvisedDay(language).seat.state.me
    wolf = {a: 0.02, b: 0.02, c: 0.98, d: 0.02}
    day = AdvisedDay(language, *[{"thought": "", "wolf": wolf, "choice": a}] * 2)
    for who, target in ((b, a), (c, a), (a, me), (d, me)):
        day.hear(who, BARE[language].format(a=target))
    assert day.turn(Request.VOTE).text == a
    assert len(day.model.asks) == 1


@every_language
def test_questioned_vote_shows_the_vote_counts(language: str) -> None:
    """A questioned vote is asked for with what the announced votes come to.

    Both counts stand there: with the vote that was chosen, and with one for whom the odds prefer.
    """
    a, b, c, d = AdvisedDay(language).others
    wolf = {a: 0.02, b: 0.02, c: 0.98, d: 0.02}
    day = AdvisedDay(language, *[{"thought": "", "wolf": wolf, "choice": a}] * 2)
    day.hear(b, BARE[language].format(a=a))
    assert day.turn(Request.VOTE).text == a
    counts = {
        "en": (f"With your vote for {a}, the announced votes come to 2 for {a};", f"instead, to 1 for {a}, 1 for {c}."),
        "ja": (f"あなたが{a}に入れれば{a}に2票。", f"{a}に1票、{c}に1票。"),
        "zh": (f"你投{a}的话是{a}2票；", f"{a}1票、{c}1票。"),
    }
    assert all(count in day.asked for count in counts[language])


@every_language
def test_changed_vote_without_pattern_is_announced(language: str) -> None:
    """A vote that is changed in words that no pattern reads is announced.

    The old vote is taken back plainly, and the words speak of the vote that the form names.
    """
    a, b = AdvisedDay(language).others[:2]
    turned = {
        "en": f"{a} spoke first. I take back my vote for {b}. My vote moves there because we must not split.",
        "ja": f"{a}に投票する、{b}への票は取り消すぞ。票が割れれば村は詰む。続きは明日でござる。",
        "zh": f"我收回投{b}的票。{a}第一个发言，我的票跟过去，免得分票。",
    }[language]
    day = AdvisedDay(language, talk(BARE[language].format(a=b), b), talk(turned, a), talk(""))
    day.turn()
    day.hear(day.others[-1], MORNING[language])
    assert day.turn().how is How.LLM
    ledger = day.seat.begin(Request.TALK).setup.planner.ledger
    assert ledger.promise(day.seat.state.me, 1) == a
