"""What a model says that its words bind it to stands among what binds it, before every later talk and vote."""

from __future__ import annotations

import pytest

from nlp_agent.planning.advice import OwnRule
from nlp_agent.protocol import Info, Packet, Request, Role, Talk
from tests.planning.test_true_reasons import hears, seat
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


@pytest.mark.parametrize(
    ("day", "rule", "left"),
    [
        (1, "I vote for Ben today.", False),
        (1, "I hear Cyd before I settle my vote.", False),
        (1, "I hear the accused before I vote.", True),
        (1, "If Dee is executed I look at Ben.", True),
        (1, "I watch how Dee answers.", False),
        (0, "Tomorrow I ask Ben for a reason.", False),
        (1, "Tomorrow I ask Ben for a reason.", True),
        (2, "I vote for Ben.", False),
        (2, "I hear Cyd before I settle my vote.", False),
        (2, "I doubt whoever waits with a claim.", True),
    ],
)
def test_what_can_apply_no_more_is_not_shown(day: int, rule: str, left: bool) -> None:
    """On day 2, with Dee and Eve dead and a vote for Ben announced on day 2: a vote, what was to be done before it, and
    what is about the dead alone is not told again; the general rule stands until the vote is announced."""
    planner, _ = seat(Role.VILLAGER, day=2, dead=["Dee", "Eve"])
    planner.kept.append(OwnRule(day, rule))
    planner._state.executions[1], planner._state.attacks[1] = "Dee", "Eve"
    if day == 2:
        hears(planner, ("Ann", "I vote for Ben."))
    assert (rule in {one.text for one in planner.advice().bonds.rules}) is left


@pytest.mark.parametrize(("talks", "now"), [(0, "death day "), (2, "death day claims"), (3, "  ")])
def test_what_applies_now_is_pointed_at(talks: int, now: str) -> None:
    """A death, the day that was named, and two seers make a promise or a rule apply, until this seat has talked."""
    rules = ("If Dee is executed I look at Ben.", "Tomorrow I ask Ben.", "Of two seers I ask both for the reason.")
    planner, _ = seat(Role.VILLAGER, day=2, dead=["Dee", "Eve"])
    planner.kept.extend(OwnRule(1, rule) for rule in rules)
    planner._state.executions[1], planner._state.attacks[1] = "Dee", "Eve"
    said = (
        ("Ben", "I am the seer. Ann is human."),
        ("Cyd", "I am the seer. Ben is a werewolf."),
        ("Ann", "Two seers."),
    )
    hears(planner, *said[:talks])
    assert " ".join(one.now for one in planner.advice().bonds.rules) == now


@languages
def test_the_rule_that_applies_stands_apart(language: str) -> None:
    """What was promised for tomorrow is pointed at in the first talk of that day, and is not in the list as well."""
    promise = {"en": "Tomorrow I ask first.", "ja": "明日は先に聞く。", "zh": "明天我先问。"}[language]
    points = {"en": "That day is today", "ja": "今日がその日になった", "zh": "说的就是今天"}[language]
    day = AdvisedDay(language, talk(SAID[language][0], keeps=promise), talk(SAID[language][1]), day=0)
    day.turn(left=2)
    day.seat.hear(Packet(request="DAILY_INITIALIZE", info=Info(agent=day.seat.state.me, day=1)))
    day.day = 1
    day.hear(day.others[0], SAID[language][2])
    day.turn(left=2)
    assert (points in day.asked, day.asked.count(promise)) == (True, 1)
