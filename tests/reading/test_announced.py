"""Votes, claims and results in the words of a strong model, which speaks more freely than any of our own lines."""

from __future__ import annotations

import pytest

from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.statement import Statement
from tests.selfplay import pack

VILLAGES = {
    "en": ("Agnes", "Elowen", "Hugo", "Lorcan", "Rosalind", "Barnaby", "Greta", "Nikolai", "Dmitri", "Jasper"),
    "ja": ("サヨリ", "ウララ", "ケイスケ", "イワオ", "ノドカ"),
    "zh": ("小明", "阿芳", "老陈", "秋月", "大山"),
}


def _vote(name: str) -> Statement:
    return Statement("vote", name)


def _result(name: str, result: str, role: str = "") -> Statement:
    return Statement("result", name, role, result)


SAID = [
    ("en", "@Hugo Sorry dear it's Agnes I suspect and I'll vote for Agnes.", _vote("Agnes")),
    ("en", "@Agnes I'll be plain. Elowen could copy that claim. I'm voting for you.", _vote("Agnes")),
    ("en", "@Hugo Agnes asked her. Barnaby, Jasper and you laid out tests too. I vote for you, sadly.", _vote("Hugo")),
    ("en", "@Hugo I join you and vote for Agnes: her reason came after.", _vote("Agnes")),
    ("en", "Rosalind's claim is a lie likely the possessed so I'd vote Agnes!", _vote("Agnes")),
    ("en", "@Rosalind Agnes never even imagined me as the wolf so Agnes has my vote.", _vote("Agnes")),
    ("en", "@Dmitri Your count left you off. I can't read you so you get my vote.", _vote("Dmitri")),
    ("en", "I am the seer and Jasper sings false. Barnaby is a werewolf and gets my vote.", _vote("Barnaby")),
    ("en", "Tell me what Agnes has done. I'm on Elowen, come with Agnes and me.", _vote("Elowen")),
    ("en", "I can't read you at all so I'm voting Elowen!", _vote("Elowen")),
    (
        "en",
        "@Barnaby I waited to hear who would sing false and you are still a werewolf.",
        _result("Barnaby", "WEREWOLF"),
    ),
    (
        "en",
        "Hugo, nobody listened. Last night I checked you and you're human, and Elowen is a werewolf.",
        _result("Hugo", "HUMAN", "SEER"),
    ),
    ("en", "My hand goes to Agnes.", _vote("Agnes")),
    ("en", "I'm sorry Agnes. You gave no reason. It must be you today.", _vote("Agnes")),
    ("en", "So it must be Hugo today.", _vote("Hugo")),
    ("en", "Today it is Hugo.", _vote("Hugo")),
    ("en", "Hang Elowen with me and we win.", _vote("Elowen")),
    ("en", "My reason came first and Elowen copied it. Hang her with me.", _vote("Elowen")),
    ("en", "@Agnes The rope goes to you.", _vote("Agnes")),
    ("en", "My choice today is Hugo.", _vote("Hugo")),
    ("en", "Lorcan must go today.", _vote("Lorcan")),
    ("en", "He took the same loaf. I still vote for Lorcan. I am a villager.", _vote("Lorcan")),
    ("ja", "だから迷うな。俺もウララに", _vote("ウララ")),
    ("ja", "狼がそんな頼みをするかよ。ウララに投票す", _vote("ウララ")),
    ("ja", "重い方を採り、投票はイワオさんのままです。", _vote("イワオ")),
    ("ja", "@イワオ 占い師ではない、村人よ。昨日は感謝したのに。", Statement("claim", role="VILLAGER")),
    ("ja", "@イワオ おはよ、私は占い師ではないわ、ただの村人よ。", Statement("claim", role="VILLAGER")),
    ("ja", "私も占い師ではなく村人です。名乗りは三人。", Statement("claim", role="VILLAGER")),
    ("zh", "我不是预言家，只是村民。", Statement("claim", role="VILLAGER")),
    ("ja", "俺の手はイワオだ。", _vote("イワオ")),
    ("ja", "理由は聞いた、イワオ。今日はあんただ。", _vote("イワオ")),
    ("ja", "@イワオ 今日はお前だよ。", _vote("イワオ")),
    ("ja", "吊るのはウララだ。", _vote("ウララ")),
    ("ja", "縄はウララにかける。", _vote("ウララ")),
    ("ja", "今日はウララさんにします。", _vote("ウララ")),
    ("ja", "サヨリに手を挙げるよ。", _vote("サヨリ")),
    ("zh", "我的手指向小明。", _vote("小明")),
    ("zh", "@小明 今天就是你。", _vote("小明")),
    ("zh", "小明，今天只能是你了。", _vote("小明")),
    ("zh", "绳子给老陈。", _vote("老陈")),
    ("zh", "今天推老陈。", _vote("老陈")),
    ("ja", "黒出しに触れないサヨリさんに、今日は投票します。", _vote("サヨリ")),
    ("ja", "候補を絞らせたのはケイスケさん。今日は彼に投票します。", _vote("ケイスケ")),
    ("ja", "イワオさんを信じ、今日はウララさんに投票します。", _vote("ウララ")),
    ("ja", "わしが占い師だ。ケイスケを占った、人狼ではない。", _result("ケイスケ", "HUMAN", "SEER")),
    ("ja", "@イワオ 投票は貴方です。訳のない疑いは味見もしないのでしょう？", _vote("イワオ")),
    ("ja", "@イワオ 私は村人です。黒は偽りですから投票は貴方です。", _vote("イワオ")),
    ("ja", "@イワオ 今日の投票はあなたにします。", _vote("イワオ")),
    ("en", "Your story changed: my vote goes to Agnes.", _vote("Agnes")),
    ("en", "As I said: I vote for Agnes.", _vote("Agnes")),
    ("en", "Your words are thin: I vote for Agnes.", _vote("Agnes")),
    ("en", "You said you'd wait: I vote for Agnes.", _vote("Agnes")),
    ("en", "The players' talk is thin. I vote Agnes 'cause of it.", _vote("Agnes")),
    ("ja", "ウララさんは保留、票はイワオさん。", _vote("イワオ")),
    ("ja", "ウララさんを信じ、票はイワオさんです。", _vote("イワオ")),
    ("ja", "俺はウララを信じつつ、票はイワオだ。", _vote("イワオ")),
    ("ja", "迷ったけど票はイワオさんでお願いします。", _vote("イワオ")),
    ("ja", "サヨリは「人狼」です。", _result("サヨリ", "WEREWOLF")),
    ("en", "@Hugo I vote for you: your vote on Agnes followed mine.", _vote("Hugo")),
    ("en", "@Hugo I vote for you: what speaks against it?", _vote("Hugo")),
    ("en", "@Hugo So it doesn't hold. I vote you.", _vote("Hugo")),
    ("en", "@Hugo I lift my vote on Agnes as she met its condition.", Statement("retract")),
    ("en", "I am the wolf. Vote Nikolai with me and we win.", _vote("Nikolai")),
    ("en", "Wait for nobody and vote Nikolai with me.", _vote("Nikolai")),
    ("en", "That is the new fact: I leave Elowen and vote Nikolai.", _vote("Nikolai")),
    ("en", "@Elowen I ride with you and vote for Nikolai!", _vote("Nikolai")),
    ("en", "I suspect Agnes and now vote for Nikolai.", _vote("Nikolai")),
    ("en", "So the wolf is Elowen. She was the first.", Statement("suspect", "Elowen")),
    ("en", "You're human, so it's Nikolai: he left me.", Statement("suspect", "Nikolai")),
    ("en", "@Hugo I am human so you lie.", Statement("suspect", "Hugo")),
    ("en", "Elowen lies: wolf or possessed.", Statement("suspect", "Elowen")),
    ("en", "@Jasper I am a villager and I doubt you mildly.", Statement("suspect", "Jasper")),
    ("en", "My guess is Rosalind because she tests only me.", Statement("suspect", "Rosalind")),
    ("ja", "@ノドカ 狼はイワオさんと見ます。", Statement("suspect", "イワオ")),
    ("ja", "残る狼はイワオさん、あんたに投票する。", Statement("suspect", "イワオ")),
    ("ja", "サヨリさんは人狼と見ています。", Statement("suspect", "サヨリ")),
    ("ja", "今はサヨリさんを信じかけています。", Statement("trust", "サヨリ")),
    ("ja", "あなたが狂人なら、一緒にウララさんに投票してください。", _vote("ウララ")),
    ("ja", "もっと良い理由が出なければ、今日はウララさんに投票します。", _vote("ウララ")),
    ("en", "Unless something changes I'm going to vote for Nikolai.", _vote("Nikolai")),
    ("en", "My vote stays with Jasper and waits for nobody.", _vote("Jasper")),
    ("en", "Right or wrong, I vote for Jasper.", _vote("Jasper")),
    ("en", "No answer came, I vote Jasper.", _vote("Jasper")),
    ("en", "Jasper gave no answer and I vote Jasper.", _vote("Jasper")),
    ("en", "Keep to the count and I vote Jasper.", _vote("Jasper")),
    ("en", "Give me a reason for it. I keep my vote on Jasper, for his answer was thin.", _vote("Jasper")),
    ("ja", "返事がなかったので、ウララに投票します。", _vote("ウララ")),
    ("ja", "私はウララさんに投票すると告げました。", _vote("ウララ")),
    ("ja", "@ウララ 人狼と出ました。", _result("ウララ", "WEREWOLF")),
    ("zh", "小明没有回答，我投小明。", _vote("小明")),
    ("en", "@Jasper I only waited for Agnes and have not voted yet.", Statement("retract")),
    ("en", "I haven't settled on anyone.", Statement("retract")),
    ("en", "I have not decided my vote.", Statement("retract")),
    ("en", "My vote is still open.", Statement("retract")),
    ("en", "I never said I would vote for Jasper.", Statement("retract")),
    ("ja", "まだ誰にも入れると言っていない。", Statement("retract")),
    ("ja", "ウララに入れるとは言っていない。", Statement("retract")),
    ("ja", "投票先はまだ決めていません。", Statement("retract")),
    ("ja", "今、票は白紙です。", Statement("retract")),
    ("zh", "我还没决定投谁。", Statement("retract")),
    ("zh", "我没说过要投小明。", Statement("retract")),
]


@pytest.mark.parametrize(("language", "text", "said"), SAID)
def test_what_is_announced_is_read(language: str, text: str, said: Statement) -> None:
    """However freely it is put: the vote, or the result, that a talk announces."""
    assert said in pack(language).reading.read(text, VILLAGES[language]).statements


NOT_SAID = [
    ("ja", "@イワオ 疑いを晴らした礼は言うぜ。", "suspect"),
    ("ja", "狼なら待って、イワオを吊る目を残すよ。", "vote"),
    ("ja", "イワオを吊る余地はあった。", "vote"),
    ("en", "One called Elowen a wolf. No seer called me a wolf.", "result"),
    ("en", "No seer has called Agnes a wolf, I'm waiting.", "result"),
    ("en", "Then you simply painted my Agnes black.", "result"),
    ("en", "Barnaby is right about the bite, I withdraw the next check.", "retract"),
    ("en", "Lorcan may still answer Jasper's why and change my mind.", "retract"),
    ("en", "Nothing you say will change my mind.", "retract"),
    ("en", "Fair hit, I'd have trusted that less. I withdraw the sneer.", "retract"),
    ("zh", "小明可能还会回答，让我改变主意。", "retract"),
    ("ja", "よく決めた！票は動かさず行こ", "vote"),
    ("ja", "@イワオ 占い師ではない、村人よ。", "result"),
    ("ja", "イワオは占い師ではない、村人だ。", "claim"),
    ("ja", "占い師ではない、村人なら誰でも言う。", "claim"),
    ("en", "Yesterday I said I'd vote Agnes; today I ask you.", "vote"),
    ("en", "@Hugo Agnes still has friends. Who has my trust? You do.", "vote"),
    ("en", "It must be hard for you today Agnes.", "vote"),
    ("en", "It is you today who must answer, Agnes.", "vote"),
    ("en", "My hand goes with Agnes on the count.", "vote"),
    ("en", "If it must be Agnes today, tell me why.", "vote"),
    ("en", "Agnes should go first today.", "vote"),
    ("en", "I pick Agnes for the check.", "vote"),
    ("en", "Poor Agnes. Werewolf say plainly who you are and I vote with you. Hugo?", "vote"),
    ("en", "@Agnes I vote with you.", "vote"),
    ("en", "I lean to Agnes here. Late is soil and not yet a grave.", "suspect"),
    ("ja", "@ウララ あんたと一緒に投票するよ。", "vote"),
    ("ja", "ウララさんの言う人に投票します。", "vote"),
    ("zh", "@小明 我跟你一起投。", "vote"),
    ("en", "Agnes my vote stays.", "retract"),
    ("ja", "明日、自分も占い師だって人は、必ず最初の番で言うんだよ。", "claim"),
    ("ja", "その理屈なら俺が狂人だ、狼じゃねえ。", "claim"),
    ("ja", "今日はウララだけが静かだ。", "vote"),
    ("ja", "今日はあんたが一番静かだ、ウララ。", "vote"),
    ("ja", "ウララ、今日はあんたか。", "vote"),
    ("ja", "俺の手はイワオに聞いてくれ。", "vote"),
    ("ja", "今夜はウララにする。", "vote"),
    ("ja", "票は変えない、ウララ。", "retract"),
    ("zh", "今天是小明先说的。", "vote"),
    ("zh", "我的选择是等一等。", "vote"),
    ("zh", "小明，我的票不变。", "retract"),
    ("ja", "サヨリさんに、今日は何を聞きましょうか。", "vote"),
    ("ja", "わしはサヨリだ。海で働いている。", "vote"),
    ("ja", "@イワオ 人狼だからです。ウララさんに投票します。", "result"),
    ("en", "Her own: I vote for Agnes.", "vote"),
    ("en", "Hugo said: I vote for Agnes.", "vote"),
    ("en", "@Hugo Your own words: I vote for Agnes. Why?", "vote"),
    ("en", "Elowen yesterday: I vote Agnes.", "vote"),
    ("en", "Hugo said 'I vote for Agnes' and then fell silent.", "vote"),
    ("en", "You said it yourself: my vote goes to Agnes.", "vote"),
    ("en", "Hugo wrote I vote for Agnes and gave no reason.", "vote"),
    ("en", "Her own words were I vote for Agnes.", "vote"),
    ("en", "In her own words: I am the seer.", "claim"),
    ("zh", "她的原话：我投小明。", "vote"),
    ("zh", "@老陈 你自己说：我投小明。", "vote"),
    ("ja", "本人の言葉：サヨリに投票します。", "vote"),
    ("ja", "ケイスケさん曰く、サヨリに投票する。", "vote"),
    ("ja", "イワオさんの「サヨリに投票」が気になる。", "vote"),
    ("ja", "「サヨリに入れる」、これがイワオさんの昨日の言葉。", "vote"),
    ("ja", "ウララさんは私を信じると言い、票はイワオさん。", "vote"),
    ("ja", "ウララさんは占いを信じ、票はイワオさんです。", "vote"),
    ("ja", "サヨリさんは票はイワオさん。私は違う。", "vote"),
    ("ja", "ノドカさんも票はイワオさん、おかしいです。", "vote"),
    ("ja", "@ウララ あなたは、票はイワオさん。", "vote"),
    ("ja", "あなたは信じると言いながら票はイワオさんでした。", "vote"),
    ("ja", "@ウララ 票はイワオさんでしたね。", "vote"),
    ("en", "@Hugo I checked nobody else so you are the wolf or the possessed.", "result"),
    ("en", "@Hugo I know you are the wolf, or the possessed.", "result"),
    ("en", "Why then did it make him your pick? My vote waits for Jasper.", "vote"),
    ("en", "My vote hangs on Jasper.", "vote"),
    ("en", "My vote turns on Jasper's next word.", "vote"),
    ("en", "I hold my vote for Jasper's answer.", "vote"),
    ("ja", "票はウララさんを待ちます。", "vote"),
    ("ja", "票はウララさんの返事次第です。", "vote"),
    ("ja", "票はウララさんに答えを聞いてから。", "vote"),
    ("zh", "我的票等小明回答。", "vote"),
    ("en", "@Nikolai You told two stories. Square that or I vote for you.", "vote"),
    ("en", "@Nikolai Square that or you get my vote.", "vote"),
    ("en", "@Nikolai Stay silent and you get my vote.", "vote"),
    ("en", "@Nikolai No answer and I vote for you.", "vote"),
    ("en", "@Nikolai Unless you answer I vote for you.", "vote"),
    ("ja", "@イワオ 答えないなら、あなたに投票する。", "vote"),
    ("ja", "@イワオ 返事がなければ、あなたに投票します。", "vote"),
    ("ja", "@イワオ 黙ったままなら、票はイワオだ。", "vote"),
    ("ja", "もし答えないなら、イワオに投票する。", "vote"),
    ("ja", "イワオに入れるとは言っていない。", "vote"),
    ("zh", "小明，不回答我就投你。", "vote"),
    ("zh", "小明，说清楚，不然我投你。", "vote"),
    ("en", "Nobody would vote Jasper with me.", "vote"),
    ("en", "I could join Elowen and vote Nikolai.", "vote"),
    ("en", "I trust Elowen and vote with her.", "vote"),
    ("en", "The wolf is Elowen or Nikolai.", "suspect"),
    ("en", "The wolf is Elowen, Hugo or Nikolai.", "suspect"),
    ("en", "If Elowen lies it is Hugo.", "suspect"),
    ("en", "@Jasper I doubt you would do it.", "suspect"),
    ("en", "@Hugo You asked Agnes to look at Greta and she died before telling.", "suspect"),
    ("ja", "狼はイワオさんかあなただけ。", "suspect"),
    ("ja", "ケイスケさんが本物なら、狼はイワオさんだ。", "suspect"),
    ("ja", "@イワオ もっともな御懸念。", "suspect"),
    ("ja", "ウララさん、サヨリさんが嘘つく訳も聞きたい。", "suspect"),
    ("ja", "ケイスケが疑われたのは、サヨリさんを疑って下げたからです。", "suspect"),
    ("ja", "@ウララ 最初にイワオさんへ投票すると告げたのはあなたでした。", "vote"),
    ("ja", "イワオさんに投票すると言い出したのはウララさんだ。", "vote"),
    ("ja", "イワオさんへ投票すると告げたウララさんを疑います。", "vote"),
    ("ja", "@ウララ あなたはイワオさんへ投票すると告げました。", "vote"),
    ("ja", "@ウララ 人狼と出ても朝一に告げました。", "result"),
    ("ja", "ウララさんが人間と出ても、朝一に告げました。", "result"),
    ("ja", "ウララは人狼と出るでしょう。", "result"),
    ("ja", "ウララが人狼でも人間でも、朝一に告げました。", "result"),
    ("en", "You have not voted yet.", "retract"),
    ("en", "Hugo has not voted yet.", "retract"),
    ("ja", "イワオさんはまだ誰にも入れると言っていない。", "retract"),
    ("ja", "あなたは誰に入れるか言っていない。", "retract"),
    ("zh", "小明还没投票。", "retract"),
]


@pytest.mark.parametrize(("language", "text", "kind"), NOT_SAID)
def test_what_only_sounds_like_it_is_not(language: str, text: str, kind: str) -> None:
    """Somebody else's result, another thing taken back, and talk about voting bind nobody."""
    assert not pack(language).reading.read(text, VILLAGES[language]).of(kind)


@pytest.mark.parametrize(
    ("language", "text", "who", "told"),
    [
        ("en", "A white buys a friend; a black buys a rope. Nikolai bent the order.", "Nikolai", False),
        ("en", "Nikolai doubted her once and got a rope. Why?", "Nikolai", False),
        ("en", "Nikolai bent the order. My rope is ready.", "Nikolai", True),
        ("en", "Nikolai bent the order. Hang Nikolai.", "Nikolai", True),
        ("en", "It is Nikolai or me. Nikolai had my rope cut before Hugo even hung.", "Nikolai", False),
        ("en", "Nikolai would hang me for a word.", "Nikolai", False),
        ("en", "Nikolai gets my rope.", "Nikolai", True),
        ("en", "You are human. I hear Nikolai before I vote.", "Nikolai", False),
        ("en", "@Nikolai That reason was ours first. I vote for nobody until you answer.", "Nikolai", False),
        (
            "en",
            "I am the seer. I tested him because he said both stand. The wolf is Hugo or Nikolai.",
            "Nikolai",
            False,
        ),
        ("en", "Nikolai bent the order. Mine stays there.", "Nikolai", True),
        ("en", "@Nikolai Hugo leaned to the seer before my vote and you had picked nobody.", "Nikolai", False),
        ("en", "@Nikolai You had picked nobody. My vote is yours.", "Nikolai", True),
        ("ja", "イワオの話を、票を入れる前に聞く。", "イワオ", False),
        ("ja", "イワオは逃げた。今日の処刑は決まりだ。", "イワオ", True),
        ("ja", "イワオがもう私の縄を用意した。", "イワオ", False),
        ("ja", "イワオは逃げた。私の縄は決まった。", "イワオ", True),
        ("zh", "小明早就把我的绳子准备好了。", "小明", False),
        ("zh", "小明逃了。我的绳子给他留着。", "小明", True),
        ("en", "@Nikolai Why did you vote for Hugo? My hand is open.", "Nikolai", False),
        ("en", "@Nikolai You would hang Hugo for a word. Why?", "Nikolai", False),
        ("ja", "@イワオ 名を書く前に訊く。なぜ黙っていた？", "イワオ", False),
        ("ja", "イワオさんの話を聞きたい。今日の処刑は一人だけです。", "イワオ", False),
        ("ja", "@イワオ 票の流れが見たいですね。", "イワオ", False),
        ("ja", "@イワオ 私の縄は決まった。", "イワオ", True),
        ("zh", "@小明 投票前我想听你的理由。", "小明", False),
        ("zh", "小明，票很重要。你投谁？", "小明", False),
        ("zh", "@小明 投票前我说清楚：我投小明。", "小明", True),
    ],
)
def test_intended_vote_is_announced_by_own_words(language: str, text: str, who: str, told: bool) -> None:
    """A vote that a model means is announced by words about its own vote.

    Other people's ropes announce nothing.
    """
    names = tuple(dict.fromkeys((*VILLAGES[language], who)))
    assert pack(language).reading.votes_for(text, names, who) is told


@pytest.mark.parametrize(
    ("language", "before", "text", "vote"),
    [
        ("en", "I vote Hugo.", "@Agnes Hugo too! If we still play tomorrow, it's Lorcan.", "Hugo"),
        ("en", "My vote is on Hugo.", "Hugo for me as well.", "Hugo"),
        ("en", "I vote Hugo.", "Yes. Same here: Hugo.", "Hugo"),
        ("en", "I vote Hugo.", "Hugo too?", ""),
        ("en", "I vote Hugo.", "Hugo too is a worry.", ""),
        ("en", "I vote Hugo.", "I fear Lorcan. Hugo too.", ""),
        ("en", "I vote Hugo.", "If he lies Hugo too.", ""),
        ("en", "I suspect Hugo.", "Hugo too!", ""),
        ("en", "I vote Lorcan.", "Hugo too!", ""),
        ("ja", "ウララに投票する。", "私もウララさん。", "ウララ"),
        ("ja", "ウララに投票する。", "うん、同じくウララだ。", "ウララ"),
        ("ja", "ウララに投票する。", "@ケイスケ ウララに賛成。", "ウララ"),
        ("ja", "ウララに投票する。", "私もウララさん？", ""),
        ("ja", "ウララに投票する。", "私もウララさんが心配です。", ""),
        ("ja", "ウララが怪しい。", "私もウララさん。", ""),
        ("zh", "我投小明。", "同投小明。", "小明"),
        ("zh", "我怀疑小明。", "我也是小明。", ""),
    ],
)
def test_joining_an_announced_vote_announces_one(language: str, before: str, text: str, vote: str) -> None:
    """ "Hugo too!" is a vote right behind somebody's vote for Hugo, and nothing behind anything else."""
    players = VILLAGES[language]
    ledger = Ledger(reader=pack(language).reading, players=players)
    last = players[-1]
    ledger.follow([Talk(idx=0, day=1, agent=players[0], text=before), Talk(idx=1, day=1, agent=last, text=text)], [])
    assert ledger.votes.get((1, last), "") == vote
    assert not pack(language).reading.read("Hugo too! ウララも小明也", players).of("vote")


@pytest.mark.parametrize(
    ("text", "suspected"),
    [
        ("サヨリも黒い点を一つ足せ。", False),
        ("サヨリさんも怪しい点を挙げてください。", False),
        ("サヨリも黒いところを一つ挙げて。", False),
        ("サヨリは黒い点が多い。", True),
        ("サヨリにも怪しい点がある。", True),
    ],
)
def test_who_is_told_to_name_a_dark_point_is_not_suspected(text: str, *, suspected: bool) -> None:
    """To be told to point at somebody is no suspicion."""
    assert bool(pack("ja").reading.read(text, VILLAGES["ja"]).of("suspect")) is suspected


def test_who_trusts_the_speaker_is_not_trusted_for_it() -> None:
    """What another thinks of the speaker is not what the speaker thinks of the other."""
    read = pack("ja").reading.read
    assert not read("イワオは私のことを白寄りだと言うけれど、少し不安ね。", VILLAGES["ja"]).of("trust")
    assert read("イワオは白寄りだと思う。", VILLAGES["ja"]).of("trust")


def test_who_warns_of_a_doubt_doubts_nobody() -> None:
    """To point at the contradiction of doubting somebody is no doubt of that one."""
    read = pack("ja").reading.read
    assert not read("@ウララ サヨリさんを疑う矛盾に注意を。", VILLAGES["ja"]).of("suspect")
    assert read("サヨリさんを疑う。", VILLAGES["ja"]).of("suspect")


@pytest.mark.parametrize(
    ("language", "vote", "denial"),
    [
        ("en", "I vote Hugo.", "@Agnes I only waited for Hugo and have not voted yet."),
        ("ja", "イワオさんに投票します。", "まだ誰にも入れると言っていません。"),
        ("zh", "我投小明。", "我还没决定投谁。"),
    ],
)
def test_a_denial_takes_the_vote_back(language: str, vote: str, denial: str) -> None:
    """Who says later that nothing has been announced has no announced vote any more."""
    *_, who = players = VILLAGES[language]
    ledger = Ledger(reader=pack(language).reading, players=players)
    ledger.follow([Talk(idx=0, day=1, agent=who, text=vote)], [])
    assert ledger.promise(who, 1)
    ledger.follow([Talk(idx=n, day=1, agent=who, text=text) for n, text in enumerate((vote, denial))], [])
    assert not ledger.promise(who, 1)


@pytest.mark.parametrize(
    ("text", "vote"),
    [
        ("I vote for Agnes. Vote Elowen.", ["Agnes"]),
        ("Vote Elowen. I vote for Agnes.", ["Agnes"]),
        ("I vote for Elowen. Vote Elowen.", ["Elowen"]),
        ("Vote Elowen with me.", ["Elowen"]),
        ("Vote Elowen.", ["Elowen"]),
    ],
)
def test_an_order_is_no_vote_beside_ones_own(text: str, vote: list[str]) -> None:
    """Whoever says for whom it votes has told others to vote, and has not announced a second vote."""
    said = pack("en").reading.read(text, ("Agnes", "Elowen", "Hugo"))
    assert [one.target for one in said.of("vote")] == vote
