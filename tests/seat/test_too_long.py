"""Words of a model at the limit of the table: what they tell is said, or said again, and never cut off silently."""

from __future__ import annotations

from collections.abc import Hashable

import pytest

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import LengthRule
from nlp_agent.seat import How
from nlp_agent.text import Allowance, length_of, make_utterance, overrun
from tests.packs import PACKS
from tests.seat.advised_day import AdvisedDay, talk

LIMIT = {"en": 125, "ja": 50, "zh": 50}
PLAYERS = {
    "en": ("Dmitri", "Imogen", "Ottilie", "Percival", "Silas"),
    "ja": ("エイキチ", "カエデ", "スズネ", "テツオ", "ハヤテ"),
    "zh": ("小明", "阿芳", "老陈", "秋月", "大山"),
}


def said(language: str, words: str) -> str:
    """What goes out of ``words`` where what they tell is to be kept."""
    pack, players = PACKS[language], PLAYERS[language]
    table = Allowance(
        players[0], players, players, LengthRule(base_length=LIMIT[language], mention_length=LIMIT[language])
    )

    def tells(text: str) -> dict[Hashable, int]:
        kinds = ("vote", "claim", "result", "ask")
        return {one: 2 for one in pack.reading.read(text, players).statements if one.kind in kinds}

    made = make_utterance(words, table, pack.language, tells)
    assert made is not None
    assert overrun(made.text, table) == 0
    return made.text


SAID = [
    # Recorded: one or two characters over, and the vote or the question was lost.
    (
        "ja",
        "言った通り、俺に占いはできねえ。カエデ、俺がせっついてから後出しの黒じゃ、つゆが薄い。カエデに投票だ。",
        "言った通り、俺に占いはできねえ。カエデ、俺がせっついてから後出しの黒じゃつゆが薄い。カエデに投票だ。",
    ),
    (
        "ja",
        "借り物のつゆでも、俺はスズネを一度も疑っちゃいねえ。白はあんただけだ、耳で決めてくれ。テツオに投票だ。",
        "借り物のつゆでも俺はスズネを一度も疑っちゃいねえ。白はあんただけだ、耳で決めてくれ。テツオに投票だ。",
    ),
    (
        "ja",
        "俺も対抗はない。ハヤテ、早さと訳は合格だ。だが次の占い先が抜けてるな。カエデとエイキチ、どっちを開ける？",
        "ハヤテ、早さと訳は合格だ。だが次の占い先が抜けてるな。カエデとエイキチ、どっちを開ける？",
    ),
    # Neither the question nor the title goes, where a plain sentence can.
    (
        "ja",
        "@ハヤテ 順番、理由、票の三点で測ります。先に出る人は相手に話を合わせられません。"
        "ハヤテさんは順番を何割見ますか？",
        "@ハヤテ 先に出る人は相手に話を合わせられません。ハヤテさんは順番を何割見ますか？",
    ),
    (
        "ja",
        "@ハヤテ ええ、定刻に始め、定刻には終わりませんでした。"
        "訳を聞くテツオさん、順を見るスズネさん、両方が要りますよね。",
        "@ハヤテ ええ、定刻に始め、定刻には終わりませんでした。",
    ),
    # The pause that is missed least goes, and no more of them than need be.
    (
        "ja",
        "今夜は冷えますから、皆さんは早めに戻って、温かくして休んでください。明日の朝は井戸の前で話しましょう。",
        "今夜は冷えますから、皆さんは早めに戻って温かくして休んでください。明日の朝は井戸の前で話しましょう。",
    ),
    (
        "ja",
        "ですから、もし占い師がいるなら、今日のうちに名乗ってください。明日の朝は井戸の前で話しましょうね、皆。",
        "ですからもし占い師がいるなら、今日のうちに名乗ってください。明日の朝は井戸の前で話しましょうね、皆。",
    ),
    (
        "ja",
        "いびきは診察のうちですから、聞かないことにしますね。夜は冷えますから、皆さんお大事になさってください。",
        "いびきは診察のうちですから、聞かないことにしますね。夜は冷えますから皆さんお大事になさってください。",
    ),
    (
        "ja",
        "早く寝なって子ども扱いはやめてよ！テツオが訳を言わず引いたのは穴ひとつだね。朝一番、答え合わせするよ。",
        "早く寝なって子ども扱いはやめてよ！テツオが訳を言わず引いたのは穴ひとつだね。朝一番答え合わせするよ。",
    ),
    (
        "ja",
        "俺が見てきた限り残っている穴はひとつだ。テツオの訳が先に崩れたのは皆が聞いたろう。ハヤテに投票するぞ。",
        "俺が見てきた限り残っている穴は一つだ。テツオの訳が先に崩れたのは皆が聞いたろう。ハヤテに投票するぞ。",
    ),
    (
        "ja",
        "それに反対はしないが残っている穴はまだある。テツオが訳を言わず引いたのは皆が聞いたはずだ。また明日だな。",
        "それに反対はしないが残っている穴はまだある。テツオが訳を言わず引いたのは皆が聞いたはずだ。",
    ),
    (
        "en",
        "Well Dmitri your count of three really was sound but you named Imogen only after she turned upon you and gave"
        " us no reason whatever for it. I vote for Silas.",
        "Well Dmitri your count of three was sound but you named Imogen only after she turned upon you and gave"
        " us no reason whatever for it. I vote for Silas.",
    ),
    (
        "en",
        "I have been a gravedigger for forty long years and have heard better tales told by the drunk. Mornings are"
        " cold up there. Imogen is a werewolf and I vote for Imogen.",
        "I have been a gravedigger for forty long years and have heard better tales told by the drunk."
        " Imogen is a werewolf and I vote for Imogen.",
    ),
    # Recorded: one character over, and the talk was asked for once more. A filler goes before a name too.
    (
        "en",
        "Imogen had asked Percival so I tested the untested claim. Now Imogen says I put nothing to Percival yet"
        " Percival has just answered it. Who struck it out?",
        "Imogen had asked Percival so I tested the untested claim. Now Imogen says I put nothing to Percival yet"
        " Percival has answered it. Who struck it out?",
    ),
    (
        "en",
        "The record says who confessed first. Silas needed three talks and my own sentence to copy. Whoever sees"
        " through you now must say the same to live on here.",
        "The record says who confessed first. Silas needed three talks and my own sentence to copy. Whoever sees"
        " through you must say the same to live on here.",
    ),
    (
        "zh",
        "其实，昨天的事情大家都记得很清楚，小明第一个说话也第一个改口，阿芳一直跟着他走，谁都明白。我投给小明。",
        "昨天的事情大家都记得很清楚，小明第一个说话也第一个改口，阿芳一直跟着他走，谁都明白。我投给小明。",
    ),
]


@pytest.mark.parametrize(("language", "words", "kept"), SAID)
def test_what_a_talk_tells_is_spared(language: str, words: str, kept: str) -> None:
    """A filler, a comma or the sentence that tells least goes, whatever stands last."""
    assert said(language, words) == kept


FILL = {"en": "Hm. ", "ja": "ふむ。", "zh": "嗯。"}
VOTE = {"en": "I vote for {a}.", "ja": "{a}に投票する。", "zh": "我投给{a}。"}
LETTER = {"en": "Bee{x} keepers saw it all. ", "ja": "蜂{x}が見ていた。", "zh": "蜜蜂{x}都看见了。"}


@pytest.mark.parametrize("language", list(LIMIT))
@pytest.mark.parametrize("over", [-1, 0, 1, 2, 3, 9])
def test_the_last_word_is_kept_around_the_limit(language: str, over: int) -> None:
    """Up to the limit all is said; a few characters beyond it something else goes, and the vote is said."""
    vote = VOTE[language].format(a=PLAYERS[language][1])
    frame = FILL[language] + LETTER[language] + vote
    missing = LIMIT[language] + over - length_of(frame.format(x=""), LengthRule())
    words = frame.format(x={"en": "e", "ja": "の群れ", "zh": "们"}[language][0] * missing)
    made = said(language, words)
    assert made.rstrip("。").endswith(vote.rstrip("。"))
    assert (made == words) == (over <= 0)


TOLD = {
    "en": "I am a villager and saw {a} and {b} whisper by the well before the bell had rung three times over."
    " {b}, what did {a} want of you there at that hour? I vote for {a} today.",
    "ja": "私はただの村人で、鐘の鳴る前に井戸のそばで{a}さんと{b}さんを見かけました。"
    "{b}さん、あの時何を話していたんですか？{a}さんに投票します。",
    "zh": "我是普通村民，今天敲钟之前在井边看见{a}和{b}两个人站在一起。{b}，那时候他到底想让你做什么？我今天投给{a}。",
}


@pytest.mark.parametrize("language", list(LIMIT))
def test_overlong_talk_is_asked_again_once(language: str) -> None:
    """Who has too much to tell is asked once more, and told by how much.

    What it then says goes out; where no second answer comes, what fits of the first.
    """
    a, b = AdvisedDay(language).others[:2]
    long, short = TOLD[language].format(a=a, b=b), VOTE[language].format(a=a)
    again = AdvisedDay(language, talk(long, a), talk(short, a))
    decision = again.turn()
    assert (decision.text, decision.how) == (short, How.RETRY)
    assert long[:20] in again.asked.split("#")[-1]
    once = AdvisedDay(language, talk(long, a))
    cut = once.turn()
    assert cut.how is How.LLM
    assert 0 < len(cut.text) < len(long)


SHORTENED = [
    (
        "ja",
        "あたしは違うよ！同じ計算なら、こっちから見える狼は{a}のほうだよ。もう明日の相手選びをするの？今日は{a}に投票するよ。",
    ),
    (
        "ja",
        "公平だと思います。{b}さんの言う通り、訳は一言で。明日の一言目、忘れずに待っていますね。おやすみなさい。",
    ),
    (
        "ja",
        "お待ち、あの夜のことなら皆が知っているはずよ。{a}は黒のはずのあんたにすり寄る騙りの村人、吊ってちょうだい。",
    ),
    (
        "ja",
        "急ぐ奴が偽者だと？その一言、明日までおぼえとくぜ。みんな、許すのは訳がある遅れだけだ。みんな、よく寝ろよ。",
    ),
    (
        "en",
        "No I never said that about {b}. By the very count you gave us I see only {a} from where I stand now and it"
        " is far too early to pick for tomorrow. I vote for {a}.",
    ),
    # A word too long, and by its ending one hears who speaks.
    (
        "ja",
        "ただの癖だよ、たぶんってあたしが言うなだよね。占い師が明日すぐ名乗るのは賛成かな？{a}だけまだ聞いてないよ。",
    ),
    (
        "ja",
        "人狼は{a}か{b}だよ。誰にも頼まれずに代わりに答えて、二人とも同じ葉の色だね。狂人でも明日もう一人吊れるよ。",
    ),
    # A sentence about somebody is no filler, nor is the end of a sentence.
    (
        "en",
        "@{a} Not landed yet but blast it. I am a villager. {b}'s reason is thin as tin. But yours is his line and last"
        " night you called slow dough the best. Why look at old {b} then?",
    ),
    (
        "ja",
        "ええ、定刻に始めて、定刻には終わりませんでしたからね。訳を聞く{a}さん、順を見る{b}さん、両方が要りますよ。",
    ),
]


@pytest.mark.parametrize(("language", "words"), SHORTENED)
def test_an_answer_is_not_silently_cut_off(language: str, words: str) -> None:
    """Words that are too long are put more briefly by whoever said them, be it by one sign or by a greeting.

    The name in front is not counted, nor is it quoted.
    """
    a, b = AdvisedDay(language).others[:2]
    short = VOTE[language].format(a=a)
    day = AdvisedDay(language, talk(words.format(a=a, b=b).removeprefix(f"@{a} "), a, to=a), talk(short, a))
    decision = day.turn()
    assert (decision.how, decision.text) == (How.RETRY, short)
    assert f"@{a}" not in day.asked.split("\n# ")[-1]


PAUSES = [
    ("ja", "今夜は冷えますから、皆さんは早めに戻って、温かくして休んでください。明日の朝は井戸の前で話しましょう。"),
    (
        "en",
        "You counted three of us yesterday and it is really quite a pity that nobody but you was standing by the well"
        " when the old bell had rung its three times over the roofs.",
    ),
    ("zh", "昨天敲钟之前我在井边站了很久，后来有个人慢慢走了过来，然后就看着我，我没有去问他，就这样回去睡了一觉。"),
]


@pytest.mark.parametrize(("language", "words"), PAUSES)
def test_only_a_pause_goes_without_a_word(language: str, words: str) -> None:
    """What is the same when it is heard is sent as it fits, and nobody is told."""
    day = AdvisedDay(language, talk(words), talk(FILL[language]))
    first = day.turn()
    assert (first.how, first.text != words) == (How.LLM, True)
    day.hear(day.others[0], QUESTION[language].format(me=day.seat.state.me))
    day.turn()
    assert SHORT[language] not in day.asked


QUESTION = {"en": "{me}, what do you say?", "ja": "{me}さん、どう思いますか？", "zh": "{me}，你怎么看？"}
SHORT = {"en": "The others heard only this", "ja": "ほかの人が聞いたのはこれだけ", "zh": "别人听到的只有"}


@pytest.mark.parametrize("language", list(LIMIT))
def test_what_was_left_out_is_told(language: str) -> None:
    """Who was too long a second time hears with its next talk what the others have heard of it, and only then."""
    a, b = AdvisedDay(language).others[:2]
    long, short = TOLD[language].format(a=a, b=b), VOTE[language].format(a=b)
    day = AdvisedDay(language, talk(long, a), talk(long, a), talk(short, b), talk(FILL[language], b))
    cut = day.turn()
    assert 0 < len(cut.text) < len(long)
    told = []
    for _ in range(2):
        day.hear(a, QUESTION[language].format(me=day.seat.state.me))
        told.append(SHORT[language] in day.turn().user)
    assert told == [True, False]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "ja",
            "私を白と思うなら、あの人を疑うはずですね。一度も疑わないのは、答えをもうご存じだからなのでは？票は変えません。",
        ),
        (
            "zh",
            "要是真觉得我是好人，那你就该去怀疑那一位才对。可你一次也没有怀疑过，难道你心里早就有了答案吗？我的票不变。",
        ),
        (
            "en",
            "If you took me for a good soul you would look hard at the other one of us. You never did so today. "
            "Did you have the answer all along and hoped for silence? My vote stays.",
        ),
    ],
)
def test_keeping_a_vote_is_not_left_out_silently(language: str, words: str) -> None:
    """That a vote stays is not dropped without asking.

    It names nobody, and is what the others wait for all the same.
    """
    short = {"ja": "答えをご存じなのですね。", "zh": "你早就有了答案。", "en": "You had the answer all along."}[
        language
    ]
    day = AdvisedDay(language, talk(words), talk(short))
    decision = day.turn()
    assert (decision.how, decision.text) == (How.RETRY, short)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "ja",
            "お気持ちは分かります。でも、命が惜しくて票を動かすのは村人も同じです。私は変えずハヤテさんに投票します。",
        ),
        (
            "zh",
            "我明白你的心情，昨天的事我也看在眼里。不过，惜命改票村民也一样，这算不上什么证据。我还是投给大山不变。",
        ),
    ],
)
def test_but_is_no_filler(language: str, words: str) -> None:
    """Without it what comes next would seem to follow from what it contradicts."""
    but = {"ja": "でも", "zh": "不过"}[language]
    text = said(language, words)
    assert but in text or {"ja": "命", "zh": "惜命"}[language] not in text


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_shortening_replaces_no_thought(language: str) -> None:
    """What the model thought of the game is shown to it again, not what it thought of the length."""
    a, b = AdvisedDay(language).others[:2]
    long, short = TOLD[language].format(a=a, b=b), VOTE[language].format(a=a)
    day = AdvisedDay(
        language,
        talk(long, a, thought="The silent one gains most."),
        talk(short, a, thought="Shorter."),
        talk(short, a),
    )
    assert day.turn().how is How.RETRY
    day.hear(a, {"en": "Why me?", "ja": "なぜ私なの？", "zh": "为什么是我？"}[language])
    shown = day.turn().user
    assert "The silent one gains most." in shown
    assert "Shorter." not in shown


@pytest.mark.parametrize(
    ("language", "words", "gone"),
    [
        (
            "en",
            "My look was at {a} and it told me nothing at all. {b}: I half doubt {c} who cleared you.",
            "half doubt",
        ),
        ("ja", "昨夜のことは何も覚えていません。{b}：私は{c}さんを少し疑っています。", "少し疑って"),
    ],
)
def test_words_that_were_taken_for_another_speaker_are_told(language: str, words: str, gone: str) -> None:
    """Recorded: a call with a colon was read as the line of the player who was called, and left out; its speaker hears
    what the others have heard."""
    a, b, c = AdvisedDay(language).others[:3]
    day = AdvisedDay(language, talk(words.format(a=a, b=b, c=c)), talk(FILL[language]))
    assert gone not in day.turn().text
    day.hear(a, QUESTION[language].format(me=day.seat.state.me))
    assert SHORT[language] in day.turn().user


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "昨日あの人が一人だけ追うのは嫌だと直したのにあなたがその直した後の言葉を占いの訳に入れていないのが引っかかる。",
            "昨日あの人が一人だけ追うのは嫌だと直した。",
        ),
        (
            "わしの窯で焼いた炭のように黒か白かはっきりせん話を聞かされても困るからもう一度あの人に昨日の返事を聞かせてもらいたい。",
            "わしの窯で焼いた炭のように黒か白かはっきりせん話を聞かされても困る。",
        ),
    ],
)
def test_a_long_japanese_sentence_ends_with_a_clause(words: str, said: str) -> None:
    """A sentence without marks is cut where a clause ends, before what joins the next to it."""
    assert load_pack("ja").language.fitter.fit(words, lambda made: len(made) <= 50) == said


def test_no_japanese_word_is_cut_in_two() -> None:
    """「信じていて」 leaves no 「信じてい。」, however little room there is."""
    words = "私はあの人のことを昨日からずっと信じていて今日も票の入れ方を見てその気持ちが強くなった。"
    cut = load_pack("ja").language.fitter.fit(words, lambda made: len(made) <= 22)
    assert "信じてい。" not in str(cut)
