"""What a model says that its words bind it to stands among what binds it, before every later talk and vote."""

from __future__ import annotations

import pytest

from nlp_agent.protocol import Info, Packet, Request, Talk
from tests.seat.advised_day import AdvisedDay, talk

RULE = {"en": "I doubt whoever waits with a claim.", "ja": "名乗りを待つ人を疑う。", "zh": "我怀疑迟迟不报身份的人。"}
SAID = {
    "en": ("Whoever waits is suspect to me.", "Rain is coming.", "I slept badly."),
    "ja": ("待つ人は怪しいと思うよ。", "雨になりそうだ。", "眠れなかったよ。"),
    "zh": ("谁拖着不说，我就怀疑谁。", "要下雨了。", "昨晚没睡好。"),
}
BOUND = {"en": "You bound yourself to this", "ja": "自分で決めたことや約束", "zh": "给自己定的规矩"}
languages = pytest.mark.parametrize("language", list(RULE))


@languages
def test_what_a_model_is_bound_to_is_shown_again(language: str) -> None:
    """Its own rule is shown before its later talks and its vote, once, and not before the talk that names it."""
    first, *more = SAID[language]
    vote = {"thought": "", "choice": AdvisedDay(language).others[0]}
    rule = RULE[language]
    day = AdvisedDay(language, talk(first, keeps=rule), talk(more[0], keeps=rule), talk(more[1]), vote)
    seen = []
    for left in (3, 2, 1):
        day.hear(day.others[0], first[:4] + str(left))
        day.turn(left=left)
        seen.append(day.asked.count(rule))
    day.turn(Request.VOTE)
    assert [*seen, day.asked.count(rule)] == [0, 1, 1, 1]


@languages
def test_a_rule_of_an_earlier_day_still_binds(language: str) -> None:
    """What was said on day 0 stands there on day 1 with its day."""
    day = AdvisedDay(language, talk(SAID[language][0], keeps=RULE[language]), talk(SAID[language][1]), day=0)
    day.turn(left=2)
    day.seat.hear(Packet(request="DAILY_INITIALIZE", info=Info(agent=day.seat.state.me, day=1)))
    day.day = 1
    day.hear(day.others[0], SAID[language][2])
    day.turn(left=2)
    assert RULE[language] in day.asked
    assert BOUND[language] in day.asked


@languages
def test_what_nobody_heard_binds_nobody(language: str) -> None:
    """A promise is not kept where the words that make it did not go out."""
    day = AdvisedDay(language, talk("", keeps=RULE[language]), talk("", keeps=RULE[language]), talk(SAID[language][1]))
    day.turn(left=3)
    day.seat.hear(Packet(request="TALK", talk_history=(Talk(idx=9, day=1, agent=day.others[0], text="..."),)))
    day.turn(left=2)
    assert BOUND[language] not in day.asked


@languages
def test_a_villager_is_led_to_compare_two_stories(language: str) -> None:
    """A villager reads that what fits one story alone decides, and that whether others keep to a rule does not."""
    decides = {"en": "only one of the two stories", "ja": "片方の筋書きにしか", "zh": "只符合其中一种说法"}
    little = {"en": "does not keep to it proves", "ja": "たいした証拠にはならない", "zh": "没有照做，说明不了"}
    day = AdvisedDay(language, talk(SAID[language][0], keeps=RULE[language]), talk(SAID[language][1]))
    day.turn(left=2)
    assert (decides[language] in day.asked, little[language] in day.asked) == (True, False)
    day.hear(day.others[0], SAID[language][2])
    day.turn(left=1)
    assert (decides[language] in day.asked, little[language] in day.asked) == (True, True)
