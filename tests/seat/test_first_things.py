"""What a seat reads that it has to speak of first, whose answer may wait, and what it leaves to the village."""

from __future__ import annotations

import pytest

from nlp_agent.protocol import Role
from tests.seat.advised_day import CALLS_A_WOLF, AdvisedDay, talk

VOTES = {"en": "I vote for {}.", "ja": "{}さんに投票します。", "zh": "我投{}。"}
CLEARS = {
    "en": "I am the seer. I divined {} and {} is human.",
    "ja": "占い師は私です。{}を占ったら{}は人間でした。",
    "zh": "我才是预言家。我查验了{}，{}是好人。",
}
ASKS = {"en": "{} whom do you suspect?", "ja": "{}さんは誰を疑っていますか？", "zh": "{}，你怀疑谁？"}
SMALL = {"en": "The bread is warm.", "ja": "パンが温かい。", "zh": "面包还热着。"}
MORE = {
    "en": ("The well is cold today.", "I slept badly.", "Rain is coming."),
    "ja": ("井戸が冷たい。", "眠れなかったよ。", "雨になりそうだ。"),
    "zh": ("井水真凉。", "昨晚没睡好。", "要下雨了。"),
}
languages = pytest.mark.parametrize("language", list(VOTES))
AGAINST = {
    "en": "{} has claimed to be the seer against you since you last spoke. Speak of that first",
    "ja": "前にあなたが話したあと、{}も占い師だと名乗った。まずそのことを話す",
    "zh": "你上次发言之后，{}也自称预言家。先说这件事",
}


def _seer(language: str) -> AdvisedDay:
    """A seer has claimed in its first talk of the day, and has answers for three more talks."""
    day = AdvisedDay(language, role=Role.SEER)
    target = next(iter(day.seat.state.divinations)).target
    told: list[dict[str, str]] = [{"target": target, "result": next(iter(day.seat.state.divinations)).result}]
    words = CALLS_A_WOLF if told[0]["result"] == "WEREWOLF" else CLEARS
    claim = talk(words[language].replace("{}", target), claim="SEER", results=told)
    more = map(talk, MORE[language])
    day = AdvisedDay(language, claim, *more, role=Role.SEER)
    day.turn(left=3)
    return day


@languages
def test_who_claims_against_a_seat_comes_first(language: str) -> None:
    """The first talk after a counter-claim is told to speak of the rival first; the next one is not told so again."""
    day = _seer(language)
    rival, accused = day.others[:2]
    told = list[bool]()
    for said in (SMALL[language], CALLS_A_WOLF[language].replace("{}", accused), SMALL[language]):
        day.hear(rival, said)
        day.turn(left=2 - len(told))
        told.append(AGAINST[language].format(rival) in day.asked)
    assert told == [False, True, False]


LIES = {
    "en": "who you are and the result, then that {} lies",
    "ja": "名乗りと結果、次に{}は嘘だということ",
    "zh": "身份和结果，再说{}在说谎",
}


@languages
def test_a_silent_seer_contradicts_as_it_claims(language: str) -> None:
    """A seer that has not claimed yet is told to say who it is, and then that the other one lies."""
    day = AdvisedDay(language, talk(SMALL[language]), role=Role.SEER)
    rival, accused = day.others[:2]
    day.hear(rival, CALLS_A_WOLF[language].replace("{}", accused))
    day.turn(left=2)
    assert LIES[language].format(rival) in day.asked


KEEP = {"en": "say now what it is to keep", "ja": "を、今言い残す", "zh": "要大家记住什么"}


@languages
def test_last_talk_of_a_seer_is_for_tomorrow(language: str) -> None:
    """A seer that has claimed reads with its last talk of the day, and only then, to leave the village what it needs
    if it is dead in the morning; not where it is the one to be executed."""
    day = _seer(language)
    told = []
    for left in (2, 0):
        day.hear(day.others[0], SMALL[language])
        day.turn(left=left)
        told.append(KEEP[language] in day.asked)
    assert told == [False, True]
    day = _seer(language)
    for voter in day.others[:3]:
        day.hear(voter, VOTES[language].format(day.seat.state.me))
    day.turn(left=0)
    assert KEEP[language] not in day.asked


WAIT = {
    "en": ("{} can wait", "{} can be left"),
    "ja": ("{}への答えは、次", "{}への答えは、なくて"),
    "zh": ("{}可以下次", "{}可以不"),
}


@languages
def test_whose_vote_is_open_cannot_wait(language: str) -> None:
    """Two have asked a seat something and have announced no vote while another has: the answer of neither may wait.

    Where nobody has announced any vote yet, one of them may.
    """
    waits = []
    for voted in (True, False):
        day = AdvisedDay(language, talk(SMALL[language]))
        one, two, three, four = day.others
        for who in (one, two):
            day.hear(who, ASKS[language].format(day.seat.state.me))
        if voted:
            day.hear(three, VOTES[language].format(four))
        day.turn(left=2)
        waits.append(any(wait.format(who) in day.asked for who in (one, two) for wait in WAIT[language]))
    assert waits == [False, True]


@languages
@pytest.mark.parametrize("left", [2, 0])
def test_who_is_named_most_lets_nobody_wait(language: str, left: int) -> None:
    """Who would be executed by the votes announced is not told that anybody's answer may wait."""
    day = AdvisedDay(language, talk(SMALL[language]), role=Role.WEREWOLF)
    one, two, three = day.others[:3]
    for who in (one, two, three):
        day.hear(who, VOTES[language].format(day.seat.state.me))
    day.turn(left=left)
    assert not any(wait.format(who) in day.asked for who in (one, two, three) for wait in WAIT[language])


FIRST = {"en": "the answer to {} now", "ja": "{}への答えを言う", "zh": "现在先说对{}的回应"}


@languages
def test_rival_and_leader_are_answered_before_others(language: str) -> None:
    """A seer is told to answer first its rival, who asked last, and then, if there is room, who leads the votes."""
    day = _seer(language)
    rival, leader, other = day.others[:3]
    day.hear(rival, CLEARS[language].replace("{}", leader))
    day.turn(left=3)
    for who in (other, leader, rival):
        day.hear(who, ASKS[language].format(day.seat.state.me))
    for who, target in ((other, leader), (leader, other), (rival, leader), (day.others[3], leader)):
        day.hear(who, VOTES[language].format(target))
    day.turn(left=1)
    assert FIRST[language].format(rival) in day.asked
    assert not any(wait.format(leader) in day.asked for wait in WAIT[language])
    assert any(wait.format(other) in day.asked for wait in WAIT[language])


SAVED = {
    "en": "What saves you is the vote of {}",
    "ja": "助かるには、まだ票を予告していない{}",
    "zh": "就得让还没有宣布投票的{}",
}


@languages
def test_one_vote_of_three_is_answered_at_once(language: str) -> None:
    """Of three the first vote announced decides with the next one: whom it is for reads at once whose vote saves it."""
    day = AdvisedDay(language, talk(SMALL[language]), talk("..."), role=Role.WEREWOLF, day=2)
    one, two, *dead = day.others
    for who in dead:
        day.seat.state.status[who] = "DEAD"
    day.turn(left=3)
    day.hear(one, VOTES[language].format(day.seat.state.me))
    day.turn(left=2)
    assert SAVED[language].format(two) in day.asked
