"""What a seat reads when the votes of the others would execute it, and whose vote it is told to win."""

from __future__ import annotations

import pytest

from nlp_agent.protocol import Role
from tests.seat.advised_day import CALLS_A_WOLF, AdvisedDay, talk

VOTES = {"en": "I vote for {}.", "ja": "{}さんに投票します。", "zh": "我投{}。"}
DOUBTS = {"en": "I suspect {}.", "ja": "{}さんが怪しい。", "zh": "我怀疑{}。"}
TURN = {
    "en": ("one voter who turns to", "2 voters who turn to"),
    "ja": ("うち1人を", "うち2人を"),
    "zh": ("有1个转去", "有2个转去"),
}
ASK = {"en": " by name to vote with you", "ja": "に、一緒に投票してほしいと名指しで頼む", "zh": "和你一起投"}
SEEN = {"en": "the chance that you are a werewolf is", "ja": "あなたが人狼である確率は", "zh": "你是狼人的概率"}


def _day(language: str, *said: tuple[int, str]) -> AdvisedDay:
    """A possessed has called the second of the others a werewolf; then the others have ``said`` something of it."""
    day = AdvisedDay(language, role=Role.POSSESSED)
    accused = day.others[1]
    claim = CALLS_A_WOLF[language].replace("{}", accused)
    told = [{"target": accused, "result": "WEREWOLF"}]
    day = AdvisedDay(
        language, talk(claim, claim="SEER", results=told), talk("Hm.", vote=accused), talk("Hm."), role=Role.POSSESSED
    )
    day.turn(left=2)
    for number, text in said:
        day.hear(day.others[number], text.format(day.seat.state.me))
    day.turn(left=1)
    return day


@pytest.mark.parametrize("language", VOTES)
@pytest.mark.parametrize(("voters", "turn"), [((0, 2), 0), ((0, 2, 3), 1)])
def test_as_many_must_turn_as_it_takes(language: str, voters: tuple[int, ...], turn: int) -> None:
    """With its own vote on another, two votes take one voter that turns, and three take two; whom the seat itself calls
    a werewolf is not one to ask."""
    day = _day(language, *((number, VOTES[language]) for number in voters))
    (line,) = (line for line in day.asked.splitlines() if TURN[language][turn] in line)
    assert day.others[1] not in line
    assert ASK[language] in line
    assert day.others[0] in line


@pytest.mark.parametrize("language", VOTES)
def test_who_is_doubted_by_several_reads_no_low_chance(language: str) -> None:
    """One vote and two suspicions of four others say more about how a seat looks than past games do."""
    day = _day(language, (0, VOTES[language]), (2, DOUBTS[language]), (3, DOUBTS[language]))
    (line,) = (line for line in day.asked.splitlines() if SEEN[language] in line)
    share = int("".join(filter(str.isdigit, line.rpartition(SEEN[language])[2])))
    assert share >= 50


RIVAL = {
    "en": "I am the seer. I divined {} and {} is human.",
    "ja": "占い師は私です。{}を占ったら{}は人間でした。",
    "zh": "我才是预言家。我查验了{}，{}是好人。",
}
FIRST = {
    "en": "the answer to {} now. The vote of {} can still turn.",
    "ja": "{}への答えを言う。{}の票は、まだ動かせる。",
    "zh": "对{}的回应。{}的票还能改变。",
}
BY_NAME = {
    "en": "ask {} or {} by name to vote with you",
    "ja": "{}か{}に、一緒に投票してほしいと名指しで頼む",
    "zh": "再点名请{}或{}和你一起投",
}


@pytest.mark.parametrize("language", VOTES)
def test_votes_that_can_move_come_first(language: str) -> None:
    """A seer that would be executed on its last talk reads to speak to the one voter who may still turn, and not to
    for whom it votes or whom it knows to be the false seer, who voted first."""
    wolf, rival, voter, free = AdvisedDay(language, role=Role.SEER).others
    first = talk(VOTES[language].format(wolf), vote=wolf)
    day = AdvisedDay(language, first, talk(""), talk(""), role=Role.SEER)
    day.turn(left=1)
    day.hear(rival, RIVAL[language].replace("{}", wolf))
    for who in (wolf, rival, voter):
        day.hear(who, VOTES[language].format(day.seat.state.me))
    day.turn(left=0)
    assert FIRST[language].format(voter, voter) in day.asked
    assert BY_NAME[language].format(free, voter) in day.asked


NEAR = {
    "en": "If one of these voters turns to {}, {} is executed instead.",
    "ja": "そのうち一人が{}に移れば、処刑されるのは{}になる。",
    "zh": "其中只要有一人改投{}，被放逐的就是{}。",
}


@pytest.mark.parametrize("language", VOTES)
def test_what_one_turning_voter_changes_is_told(language: str) -> None:
    """Beside whom the announced votes execute a seat reads before a talk what one voter that turns would
    change."""
    day = AdvisedDay(language, talk("Hm."), talk("Hm."))
    one, two, three, four = day.others
    for who, target in ((one, two), (three, two), (four, one)):
        day.hear(who, VOTES[language].format(target))
    day.turn(left=1)
    assert NEAR[language].format(one, one) in day.asked


@pytest.mark.parametrize("language", VOTES)
def test_nobody_is_said_to_turn_on_itself(language: str) -> None:
    """Where the only voters are the next in line and the seat itself, nothing is told of one that turns."""
    one, two = AdvisedDay(language).others[:2]
    day = AdvisedDay(language, talk(VOTES[language].format(one), vote=one), talk("Hm."))
    day.turn(left=2)
    day.hear(two, VOTES[language].format(one))
    day.hear(one, VOTES[language].format(two))
    day.turn(left=1)
    assert NEAR[language].format(two, two) not in day.asked
