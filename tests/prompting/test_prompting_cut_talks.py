"""A talk of somebody else that the server has cut is marked as cut in the log, and no whole one is."""

from __future__ import annotations

import pytest

from nlp_agent.prompting.sample_village import sample_packets
from nlp_agent.protocol import Info, LengthRule, Packet, Request, Talk
from nlp_agent.text.count import fills_its_room, server_keeps
from tests.packs import PACKS
from tests.seat.advised_day import AdvisedDay, talk

MARK = {"en": "(cut)", "ja": "（途中で切れた）", "zh": "（被截断）"}
LONG = {
    "en": "Good evening and good stars. I asked before anybody else and then Elowen answered and I still side with her "
    "as a seer who speaks early will hardly be believed by those who wait",
    "ja": "町内の世話役をやってる者だよ、よろしくね。夜警明けなら無理はしなさんな、"
    "でも聞くだけじゃ困るから一言くださいな",
    "zh": "各位晚上好，我是村里管账的人，今天先把话说清楚，明天谁报查验谁就要说明理由，"
    "不然我不会把票投给任何人，请记住",
}
ME, PLAYERS = "Ann", ("Ann", "Ben")


@pytest.mark.parametrize("language", PACKS)
@pytest.mark.parametrize("mention", [False, True])
@pytest.mark.parametrize("whole", [False, True])
def test_a_talk_cut_by_the_server_is_marked(language: str, *, mention: bool, whole: bool) -> None:
    """With an anchor and without one; a talk that is as long but ends its sentence is whole, and one's own is known."""
    cap = 125 if language == "en" else 50
    day = AdvisedDay(language, talk(LONG[language]))
    state = day.seat.state
    rule = LengthRule(base_length=cap, mention_length=cap)
    limits = state.setting.model_copy(update={"talk": state.setting.talk.model_copy(update={"max_length": rule})})
    day.seat.hear(Packet(request=Request.TALK, setting=limits, info=Info(agent=state.me, day=1, remain_count=2)))
    who, other = day.others[:2]
    text = server_keeps(f"@{other} " * mention + LONG[language], who, state.players, rule).text
    assert len(text) < len(LONG[language]) + 20
    day.hear(who, f"{text[:-1]}." if whole else text)
    day.turn()
    log = "\n".join(one.content for one in day.model.asks[-1].messages if one.role != "system")
    assert (MARK[language] in log) is not whole
    assert MARK[language] in day.model.asks[-1].messages[0].content


@pytest.mark.parametrize(
    ("rule", "text", "cut"),
    [
        (LengthRule(base_length=6, mention_length=4), "abc def", True),
        (LengthRule(base_length=7, mention_length=4), "abc def", False),
        (LengthRule(base_length=6, mention_length=4), "abc de.", False),
        (LengthRule(base_length=6, mention_length=4), " @Ben ab cd", True),
        (LengthRule(base_length=4, mention_length=6), " @Ben ab cd", False),
        (LengthRule(base_length=2, count_in_word=True), "abc def", True),
        (LengthRule(base_length=7, count_spaces=True), "abc def", True),
        (LengthRule(base_length=6, per_agent=20), "abc def", False),  # the rest may have come out of the store
        (LengthRule(base_length=60, per_talk=6), "abc def", True),
        (LengthRule(), "abc def", False),
    ],
)
def test_room_is_counted_as_the_server_counts(rule: LengthRule, text: str, *, cut: bool) -> None:
    """Words behind an anchor have room of their own."""
    assert fills_its_room(text, ME, PLAYERS, rule) is cut


def test_no_sample_talk_is_marked() -> None:
    """The talks of the sample village are whole."""
    for pack in PACKS.values():
        talks: list[Talk] = [
            one for packet in sample_packets(pack, 5, "VILLAGER", 1) for one in packet.talk_history or ()
        ]
        assert not any(
            fills_its_room(one.text, one.agent, PLAYERS, LengthRule(base_length=125, mention_length=125))
            for one in talks
        )
