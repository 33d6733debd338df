"""A possessed that hears a seer before it has claimed anything reads what a claim of its own does for its werewolf."""

from __future__ import annotations

import pytest

from nlp_agent.protocol import Role
from tests.seat.advised_day import CALLS_A_WOLF, AdvisedDay, talk

HUMAN = {
    "en": "I am the seer. I divined {} and {} is human.",
    "ja": "私は占い師です。{}を占ったら{}は人間でした。",
    "zh": "我是预言家。我查验了{}，{}是好人。",
}
ADVICE = {
    "en": "If {} is the true seer, a claim of yours",
    "ja": "{}が本物の占い師なら、あなたが占い師を名乗って対抗すれば",
    "zh": "如果{}是真预言家，你站出来自称预言家",
}
DOOMED = {"en": "{}, who is then a werewolf", "ja": "味方の人狼である{}は", "zh": "而{}就是你这一边的狼人"}
VILLAGER = {"en": "I am a villager.", "ja": "私は村人です。", "zh": "我是村民。"}
every_language = pytest.mark.parametrize("language", ADVICE)


def asked(
    language: str, *said: tuple[int, str], role: str = Role.POSSESSED, before: str = ""
) -> tuple[AdvisedDay, str]:
    """What the seat is asked once the others have ``said`` something, each text about the second of them; ``before``
    is what the seat itself has said before that."""
    day = AdvisedDay(language, *(talk(one) for one in ((before,) if before else ()) + ("Good morning.",)), role=role)
    if before:
        day.turn(left=3)
    for number, text in said:
        day.hear(day.others[number], text.replace("{}", day.others[1]))
    day.turn()
    return day, day.asked


@every_language
def test_a_possessed_reads_what_a_second_claim_does(language: str) -> None:
    """It names the seer that spoke, and where that seer has called a player a werewolf, what this player then is."""
    day, clears = asked(language, (0, HUMAN[language]))
    accuses = asked(language, (0, CALLS_A_WOLF[language]))[1]
    doomed = DOOMED[language].format(day.others[1])
    assert [ADVICE[language].format(day.others[0]) in one for one in (clears, accuses)] == [True, True]
    assert [doomed in one for one in (clears, accuses)] == [False, True]


@every_language
def test_it_reads_that_only_where_it_is_true(language: str) -> None:
    """Neither where nobody or two have claimed, nor a villager, nor who has called itself a villager, nor whom that
    seer calls a werewolf, which shows to a possessed that it is none."""
    two = asked(language, (0, CALLS_A_WOLF[language]), (2, HUMAN[language]))[1]
    villager = asked(language, (0, CALLS_A_WOLF[language]), role=Role.VILLAGER)[1]
    settled = asked(language, (0, CALLS_A_WOLF[language]), before=VILLAGER[language])[1]
    day = AdvisedDay(language, talk("Good morning."), role=Role.POSSESSED)
    day.hear(day.others[0], CALLS_A_WOLF[language].replace("{}", day.seat.state.me))
    day.turn()
    prompts = [asked(language)[1], two, villager, settled, day.asked]
    assert not [prompt for prompt in prompts if ADVICE[language].format(day.others[0]) in prompt]


PRICE = {"en": "If you stay a quiet villager", "ja": "黙って村人でいれば", "zh": "安静地当村民"}


@every_language
def test_it_reads_what_speaks_against_a_second_claim_too(language: str) -> None:
    """The first claimant is often believed all the same, and a quiet villager keeps its vote."""
    assert PRICE[language] in asked(language, (0, HUMAN[language]))[1]


@every_language
def test_it_reads_that_once_it_could_answer_and_no_more(language: str) -> None:
    """Whoever has let two turns pass since the seer spoke reads no more what a claim of its own would do."""
    quiet = {"en": "{} is on my mind.", "ja": "{}さんが気になります。", "zh": "我在想{}。"}[language]
    others = AdvisedDay(language, role=Role.POSSESSED).others
    day = AdvisedDay(language, *(talk(quiet.format(name)) for name in others[1:]), role=Role.POSSESSED)
    day.hear(others[0], HUMAN[language].replace("{}", others[1]))
    told = []
    for left in (3, 2, 1):
        day.turn(left=left)
        told.append(ADVICE[language].format(others[0]) in day.asked)
    assert told == [True, True, False]


@pytest.mark.parametrize("words", ["占い師だよ。あなたは人狼だった。", "占いをしたのはこの私。あなたは人狼だった。"])
def test_who_claimed_first_is_not_advised_to_claim(words: str) -> None:
    """A possessed that has claimed in words of its own reads nothing of what a claim against its rival would bring."""
    target = AdvisedDay("ja", role=Role.POSSESSED).others[1]
    told = [{"target": target, "result": "WEREWOLF"}]
    first, second = talk(words, to=target, claim="SEER", results=told), talk("みんなの話を聞きたいな。")
    day = AdvisedDay("ja", first, second, role=Role.POSSESSED)
    day.turn(left=2)
    day.hear(day.others[0], f"わしが占い師だ。{target}は人間だった。")
    day.turn(left=1)
    assert ("対抗すれば" in day.asked, "まずそのことを話す" in day.asked) == (False, True)
