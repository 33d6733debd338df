"""What blind jurors held against seats of the advised style: each situation played once more."""

from __future__ import annotations

import json

import pytest

from nlp_agent.planning.advice import Advice, Commitments, ToldResult, WolfChance
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import PromptRequest, Style, build_view
from nlp_agent.prompting.sample_village import sample_persona, sample_state
from nlp_agent.protocol import Request, Role
from nlp_agent.seat.decision import How
from tests.packs import PACKS
from tests.scripted_model import ScriptedModel
from tests.seat.advised_day import AdvisedDay, talk

every_language = pytest.mark.parametrize("language", list(PACKS))
I_AM_SEER = {
    "en": "I am the seer. {} is a werewolf.",
    "ja": "私が占い師だ。{}は人狼だった。",
    "zh": "我是预言家。{}是狼人。",
}
SMALL_TALK = {
    "en": ("The well is cold today.", "I slept badly.", "Rain is coming.", "The bread smells good."),
    "ja": ("井戸が冷たい。", "眠れなかったよ。", "雨になりそうだ。", "パンの匂いがする。"),
    "zh": ("井水真凉。", "昨晚没睡好。", "要下雨了。", "面包真香。"),
}


def _talks(language: str, *words: str) -> AdvisedDay:
    """A day on which this seat has said ``words``, each after a talk of somebody else, and is asked once more."""
    quiet = {"en": "Let us go on.", "ja": "続けましょう。", "zh": "接着说吧。"}[language]
    day = AdvisedDay(language, *map(talk, words), talk(quiet))
    for number in range(len(words) + 1):
        day.hear(day.others[0], SMALL_TALK[language][number % 4])
        day.turn(left=6 - number)
    return day


DEAR = ("Bram, dear, who saw you?", "A cold night, dears.", "That is no answer, dear.", "My dear, we still wait.")
MAYBE = ("それはたぶん違うね。", "たぶん夜のことだよ。", "誰もたぶん見ていない。", "たぶん雨のせいだね。")


@pytest.mark.parametrize(("language", "words", "worn"), [("en", DEAR, "“dear”"), ("ja", MAYBE, "「たぶん」")])
def test_a_word_in_every_talk_is_told_to_who_says_it(language: str, words: tuple[str, ...], worn: str) -> None:
    """A favourite word in each of the last four talks is told; after three talks, or where others say it too, not."""
    assert worn in _talks(language, *words).asked
    assert worn not in _talks(language, *words[:3]).asked
    day = AdvisedDay(language, *map(talk, words), talk("...."))
    for number in range(5):
        day.hear(day.others[0], words[number % 4])
        day.turn(left=6 - number)
    assert worn not in day.asked


def test_short_remarks_in_front_are_told_to_who_makes_them() -> None:
    """Three talks that begin with a word of pity are shown to their speaker; plain beginnings are not."""
    pity = (
        "苦しい立場だねえ。夜に何を見たんだい。",
        "必死なのは分かるよ。でも訳がないねえ。",
        "つらいねえ。誰を疑うんだい。",
    )
    plain = (
        "夜に何を見たのか、まだ誰も言っていないねえ。",
        "訳のない話には誰も乗らないと思うよ。",
        "疑う人を一人ずつ言おうかねえ。",
    )
    shown = [text.split("。", maxsplit=1)[0] for text in pity]
    assert f"「{shown[0]}。」「{shown[1]}。」「{shown[2]}。」" in _talks("ja", *pity).asked
    assert "短い一言で始まって" not in _talks("ja", *plain).asked


@every_language
def test_claims_are_told_with_the_talk_in_which_they_came(language: str) -> None:
    """Whoever claims with its first talk has not waited: in which talk of the day each claimed, and after whom."""
    day = AdvisedDay(language, talk("..."))
    first, second, third = day.others[:3]
    day.hear(second, SMALL_TALK[language][0])
    day.hear(first, I_AM_SEER[language].format(third))
    day.hear(second, I_AM_SEER[language].format(first))
    day.turn()
    told = {
        "en": (
            f"{first} claimed on day 1, in its first talk today, to be",
            f"in its second talk today and after {first},",
        ),
        "ja": (f"{first}は1日目の1回目の発言で占い師を", f"{second}は1日目の2回目の発言で、{first}のあとに占い師を"),
        "zh": (f"{first}在第1天第1次发言时自称", f"{second}在第1天第2次发言时，在{first}之后自称"),
    }[language]
    assert [one in day.asked for one in told] == [True, True]


@every_language
def test_a_claim_that_was_taken_back_is_told_as_such(language: str) -> None:
    """The result of a withdrawn claim does not stand there as if it still counted."""
    back = {
        "en": "I lied, I am not the seer.",
        "ja": "占い師は嘘だった、私は村人だよ。",
        "zh": "我收回预言家的身份。",
    }[language]
    gone = {"en": "has taken that claim back", "ja": "名乗りを取り消した", "zh": "后来收回了身份"}[language]
    day = AdvisedDay(language, talk("..."), talk("..."))
    who, accused = day.others[:2]
    day.hear(who, I_AM_SEER[language].format(accused))
    day.turn()
    assert gone not in day.asked
    day.hear(who, back)
    day.turn()
    assert gone in day.asked


@every_language
def test_the_village_always_reads_what_a_wrong_execution_leads_to(language: str) -> None:
    """In the middle of a day too: with five, a villager's death leaves the werewolf and the possessed two of three."""
    two = {"en": "two of them are the werewolf and the possessed", "ja": "2人は人狼と狂人", "zh": "两人是狼人和狂人"}
    quiet = [talk(words) for words in SMALL_TALK[language]]
    for role, shown in ((Role.VILLAGER, [True, True, True]), (Role.WEREWOLF, [False, False, False])):
        day, seen = AdvisedDay(language, *quiet, role=role), list[bool]()
        for left in (2, 1, 0):
            day.hear(day.others[0], I_AM_SEER[language].format(day.others[1]))
            day.turn(left=left)
            seen.append(two[language] in day.asked)
        assert seen == shown


@every_language
def test_a_vote_announced_needs_no_second_time(language: str) -> None:
    """Who has announced a vote reads that everybody knows it, and in how many talks where they are several."""
    day = AdvisedDay(language)
    whom = day.others[0]
    votes = {
        "en": ("I vote for {}.", "My vote stays on {}.", "I still vote for {}."),
        "ja": ("{}に投票する。", "私の票は{}のままだ。", "やはり{}に投票します。"),
        "zh": ("我投{}。", "我还是投{}。", "我的票投{}。"),
    }[language]
    once = {"en": "said so today and everybody", "ja": "今日もう言った", "zh": "今天你已经说过，"}[language]
    twice = {"en": "in 2 talks today", "ja": "今日もう2回言った", "zh": "已经说过2次"}[language]
    words = [f"{vote.format(whom)} {text}" for vote, text in zip(votes, SMALL_TALK[language], strict=False)]
    day.model = ScriptedModel([json.dumps(talk(text, vote=whom)) for text in words])
    day.seat._model = day.model
    seen = []
    for left in (2, 1, 0):
        day.hear(day.others[1], f"{SMALL_TALK[language][left]} {day.seat.state.me}?")
        day.turn(left=left)
        seen.append((once in day.asked, twice in day.asked))
    assert seen == [(False, False), (True, False), (False, True)]


@every_language
def test_a_liar_reads_where_a_lie_leads_before_it_tells_it(language: str) -> None:
    """Which vote a lie binds to and what will be asked first stands in a liar's rules from the start, and in nobody
    else's."""
    asked_first = {"en": "“Why did you divine that player?”", "ja": "「なぜその人を占ったのか」", "zh": "“为什么查他”"}
    for role in (Role.WEREWOLF, Role.POSSESSED, Role.SEER, Role.VILLAGER):
        day = AdvisedDay(language, talk("..."), role=role, day=0)
        day.turn()
        assert (asked_first[language] in day.asked) == (role in (Role.WEREWOLF, Role.POSSESSED))


@every_language
def test_a_possessed_reads_what_taking_back_costs_only_where_it_may_have_to(language: str) -> None:
    """Its wolf may be the one it has accused: told from an even chance on, with what a withdrawn claim leads to."""
    pack = PACKS[language]
    state = sample_state(pack, 5, Role.POSSESSED, 1, Request.TALK)
    wolf, other = state.others[:2]
    clears = {"en": f"clears {wolf}", "ja": f"{wolf}の疑いは晴れ", "zh": f"{wolf}就洗清了"}[language]
    bonds = Commitments("SEER", told=(ToldResult(wolf, "WEREWOLF", 0),))
    for p, told in ((0.36, False), (0.6, True)):
        asked = PromptRequest(
            Request.TALK,
            plan=TalkPlan(pretend=Role.SEER),
            persona=sample_persona(pack, state),
            style=Style.ADVISED,
            advice=Advice(odds=(WolfChance(wolf, p), WolfChance(other, 0.2)), bonds=bonds),
        )
        user = pack.render(Request.TALK, build_view(state, asked, pack=pack)).user
        assert (clears in user) == told


def test_a_bluff_may_be_taken_back_in_ones_own_words() -> None:
    """「私は村人で黒は釣り餌さ」 says plainly enough that the claim was a lie."""
    words = "白状するよ、私は村人で黒は釣り餌さ。"
    day = AdvisedDay("ja", role=Role.POSSESSED)
    who = day.others[0]
    claim = I_AM_SEER["ja"].format(who)
    told = talk(claim, claim="SEER", results=[{"target": who, "result": "WEREWOLF"}])
    day.model = ScriptedModel([json.dumps(one) for one in (told, talk(words, claim="VILLAGER"))])
    day.seat._model = day.model
    day.turn()
    decision = day.turn()
    assert (decision.how, decision.text) == (How.LLM, words)


@pytest.mark.parametrize(
    ("language", "words", "profile"),
    [
        ("en", DEAR, "personality: She speaks in short plain sentences and calls everyone dear."),
        ("ja", MAYBE, "性格: 口癖は「たぶん」。"),
    ],
)
def test_a_word_that_the_profile_asks_for_is_kept(language: str, words: tuple[str, ...], profile: str) -> None:
    """Who calls everyone dear by its profile is not told to do without it, as others are."""
    quiet = {"en": "Let us go on.", "ja": "続けましょう。"}[language]
    asked = {}
    for told in ("", profile):
        day = AdvisedDay(language, *map(talk, words), talk(quiet))
        day.seat.state.profile = told
        for number in range(len(words) + 1):
            day.hear(day.others[0], SMALL_TALK[language][number % 4])
            day.turn(left=6 - number)
        asked[told] = day.asked
    shown = {"en": "“dear” in each", "ja": "「たぶん」が入って"}[language]
    assert [shown in asked[told] for told in ("", profile)] == [True, False]
