"""Whom a talk asks something, in talks of the shapes that were misread in public games; the words are made up."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack

LIBRARY = ("Barnaby", "Keziah", "Lorcan", "Percival", "Silas")
TAVERN = ("キイチ", "タダシ", "ツムギ", "テツオ", "ヒサコ")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Keziah dear. Why were you so quick to accuse Silas? I wonder.", "Keziah"),
        ("Lorcan your word is needed now. What do you make of it?", "Lorcan"),
        (
            "Silas which night was that? I'm not sure @Percival  you said villager and why should we trust that?",
            "Percival Silas",
        ),
        ("When exactly was that? I'm lost @Barnaby  do you still stand by your word on Silas?", "Barnaby"),
        ("Why trust you over Silas? Show us something.", ""),
        ("Maybe Lorcan is a bit too quiet? Let's hear more today.", ""),
        ("Keziah's sudden claim seems planned. Is this not how liars talk? @Keziah Silas was quick to deny it.", ""),
        ("Percival and Silas: rival seers or not?", "Percival Silas"),
        ("@Barnaby I have heard you. Who wants to claim?", ""),
        ("What do you think Corin?", ""),
        ("@Lorcan @Silas your votes look alike. Can you explain them?", "Lorcan Silas"),
        ("What do you think Keziah?", "Keziah"),
        ("@Barnaby please tell us your result now. Others: one read each.", "Barnaby"),
        ("I vote @Keziah . She has explained nothing and who is with me?", ""),
        ("@Silas Lorcan says you are a werewolf. Can you respond?", "Silas"),
        ("I doubt @Lorcan — Lorcan are you claiming anything? Explain it.", "Lorcan"),
        ("@Barnaby would a wolf open first? I vote for Silas.", ""),
        ("Keziah. I wonder about your vote. Your thoughts?", "Keziah"),
        ("Are you ready to vote with me @Percival ?", "Percival"),
        ("Any thoughts Lorcan or Silas?", "Lorcan Silas"),
        ("I trust @Silas ! Percival please tell us your result.", "Percival"),
        ("Silas? Then I vote for Silas.", ""),
        ("@Percival Silas? Then I vote for Silas.", ""),
        ("Silas? We wait.", "Silas"),
        ("Silas?", "Silas"),
        ("@Percival Two lamps? Then see which was lit first.", ""),
        ("@Percival Two lamps? Nobody has seen even one. I trust Silas.", ""),
        ("@Percival Two lamps? Then which was lit first?", "Percival"),
        ("@Percival Two lamps? Where do you stand?", "Percival"),
        ("No tea, Percival? Join the club.", ""),
        ("@Percival The true lamp? I need it in one word.", "Percival"),
        ("@Percival Your lamp? Too dim.", "Percival"),
        ("@Barnaby Two and my lean, fair! Why her? Silas said he let your answer go, then checked you for it.", ""),
        ("I am the seer. I checked Keziah: a werewolf. Why her? Last night she argued both sides.", ""),
        ("@Barnaby Lorcan is gone. Why him? He knew too much.", ""),
        ("@Barnaby Lorcan was bitten. Why him?", ""),
        ("@Barnaby Why bite Lorcan? Because he knew.", ""),
        ("@Barnaby You voted Lorcan. Why him? He was only quiet.", "Barnaby"),
        ("@Barnaby Why Lorcan? I trust him.", "Barnaby"),
        ("@Barnaby Why him? Tell us.", "Barnaby"),
        ("@Barnaby Why did you vote Lorcan? Because he asked?", "Barnaby"),
        ("@Silas your results differ; provide the night and the exact target.", "Silas"),
        ("Keziah clarify what about me seemed odd.", "Keziah"),
        ("@Silas I like that. If you accuse somebody say why.", ""),
        ("@Silas I like that. If a rival appears she must answer next turn.", ""),
        ("@Silas I like that. If you doubt me say exactly why.", "Silas"),
        ("@Silas If you accuse somebody say why.", "Silas"),
        ("@Silas My vote goes to Keziah: she kept her word. You promised us a name, so who?", "Silas"),
        ("Keziah: what did you see?", "Keziah"),
        (
            "@Percival I am torn. Keziah was out and you swung to Silas. Her vote is old so what is new?",
            "Percival",
        ),
        ("@Percival You call Silas a wolf but he spoke before anyone. Why would he take that risk?", "Percival"),
        ("@Percival Silas settled his vote before I answered. Join my vote?", "Percival"),
        ("@Percival Keziah asked me to press you both, so your turn. What made you so sure?", "Percival"),
        ("Keziah, you own it. Percival, Silas first said so: why is her echo guilt and his not?", "Percival"),
        ("@Silas your silence is worrying if you're innocent give reasons now.", "Silas"),
        ("Well argued, Keziah, thanks! Liars argue too. What would convince you?", "Keziah"),
        ("Silas, that's wise: name a witness and keep to it!", ""),
        ("I count two stories. One gap is left: why guard the door, Perciv", "Percival"),
        ("Keziah passes my test. Lorcan, why hide", "Lorcan"),
        ("Keziah kept her word. Silas, why would a wolf save a man it could drown?", "Silas"),
        ("@Silas Keziah minds that the lamp was lit: I lit it for you. What do you make of her story?", "Silas"),
        ("@Keziah Well said! A plan grows overnight. So the seer should name a target first.", ""),
        ("@Percival Silas said it before me. My fault. Before I vote: why me and not Lorcan?", "Percival"),
        ("@Silas Your promise was: wait. Lorcan broke it. What holds your vote?", "Silas"),
        ("@Silas No. Lorcan asked for a count but does he want one himself?", "Lorcan"),
        (
            "I trust neither. The story leaves Silas and Lorcan open. Which of the seers does each trust?",
            "Lorcan Silas",
        ),
        ("@Keziah Silas boasts and we clap. Who pays for that show?", ""),
        ("Lorcan, your test fails. Two of us saw the lamp. Who would lie like that?", ""),
        ("@Keziah I stood in the rain. His word could clear me: why would I silence him?", ""),
        ("@Keziah Silas boasts. Who told you that?", "Keziah"),
        ("@Keziah A tie may cost us Silas. So I vote for you: you still answer first.", ""),
        ("@Silas A fine start. What would you give for a seer who speaks at dawn?", "Silas"),
        ("@Silas Mind the order: a seer with a white must tell us who is left.", ""),
        ("@Silas Your offer is heard. Were you the wolf, it would end the day; so you are not. I stay.", ""),
    ],
)
def test_whom_an_english_talk_asks(text: str, asked: str) -> None:
    """Who is called, not whom the question is about; each anchor begins a part of its own."""
    assert load_pack("en").reading.asked_in(text, LIBRARY) == set(asked.split())


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("@タダシ、テツオも何か気になることはあるかな？", "タダシ テツオ"),
        ("@タダシ、@テツオ、それぞれ引っかかるところはありましたか？", "タダシ テツオ"),
        ("おはよう。@キイチ君、結果が出たね。でも@ヒサコさん、もっと詳しく聞かせてもらえるかな？", "ヒサコ"),
        ("キイチとヒサコ、それぞれの占い先を確認させてもらえないか？", "キイチ ヒサコ"),
        ("意見も聞きたいな。キイチとヒサコはどう思ってるのかな？", "キイチ ヒサコ"),
        ("ツムギ、信じきれないんだけど。テツオもすぐ乗ったよね、どうしてそんなに早いの？", "テツオ"),
        ("ヒサコさんの質問？うーん、内緒なの！", ""),
        ("今日はヒサコさんがいいかな？", ""),
        ("キイチ、ヒサコの話をどう思う？", "キイチ"),
        ("早すぎる。@ヒサコは本当に怪しかったか？", ""),
        ("ヒサコって、なんで昨日から曖昧なの？", "ヒサコ"),
        ("@キイチ: どう思う？@テツオ: テツオさん、占った理由を教えてほしいな！", "キイチ テツオ"),
        ("@キイチ そうだね。怪しいのはタダシとツムギだ。二人は占い師？", "タダシ ツムギ"),
        ("テツオは昨日も @ヒサコ さんを占っていたよ。", ""),
        ("@キイチ さん以外に占い師はいませんか？", ""),
        ("@ヒサコ 君は人間！他にも占った人はいる？名乗り出てね！", ""),
        ("@ツムギ 結果に矛盾を感じます。詳細を説明して欲しい。", "ツムギ"),
        ("@タダシ 君の同調は遅いね。便乗か独自理由か出して。", "タダシ"),
        ("@ヒサコ 昨日の票について説明を。", "ヒサコ"),
        ("@テツオ 俺が狼なら、白をもらった朝に対抗を呼ぶか？黙っていれば得だろ。", ""),
        ("テツオさんヒサコさん、今の状況どう思う？", "テツオ ヒサコ"),
        ("@タダシ昨日の@ツムギ票、訳を聞かせてくれ", "タダシ"),
        ("@タダシ そうですか。", ""),
        ("@タダシ あら、そうでしたか。私は別の見方です。", ""),
        ("@タダシ 昨日はテツオを占ったのですか。なるほど、筋は通ります。", ""),
        ("@タダシ テツオが人狼とのことですか。票はテツオに入れます。", ""),
        ("@タダシ なぜテツオを占ったのですか。なるほどと思える訳をください。", "タダシ"),
        ("@タダシ 対抗は出ますか。私は村人です。", "タダシ"),
        ("テツオさん、そうですか。ではヒサコさんはどう思いますか？", "ヒサコ"),
        ("@タダシ テツオ？それなら私はテツオに投票します。", ""),
        ("@タダシ 空耳？って責めてはいないよ。", ""),
        ("@タダシ 私はツムギに投票する。なぜ彼女か？昨日黙っていたからです。", ""),
        ("@タダシ ヒサコは襲われた。なぜ彼女が？鋭かったからだ。", ""),
        ("@タダシ なぜツムギを？", "タダシ"),
        ("@タダシ その結論は早い。根拠は何だ", "タダシ"),
        ("@タダシ なぜツムギを占ったのですか。気になるからです。", "タダシ"),
        ("@タダシ なぜあなたはツムギを占った？黙っていたからですか？", "タダシ"),
        ("テツオ、どうして僕に聞くのかな？皆を見たかったからだよ。", "テツオ"),
        ("@テツオ わしは煙より火元を見る。疑うなら訳を言え。", ""),
        ("@テツオ 賛成だ。人を疑う者は訳を言え。", ""),
        ("@テツオ 賛成です。占い師が出たら結果を教えてほしい。", ""),
        ("@テツオ わしは火元を見る。お前が疑うなら訳を言え。", "テツオ"),
        ("@テツオ 疑うなら訳を教えてください。", "テツオ"),
        ("@テツオ 賛成だ。占い師は結果だけでなく、その訳も言え。", ""),
        ("@テツオ ヒサコが人狼か狂人かも言え。", "テツオ"),
        ("@テツオ 私は占い師ではありません。キイチさんの名乗りは早かった。結果が人間なら何と告げましたか。", "テツオ"),
        ("@テツオ 控えでは、二度褒めています。なぜ一言だけ残りましたか。", "テツオ"),
        ("@テツオ キイチさんと同じ問いです。ヒサコさんが人狼と出ていたら、今朝どうしましたか。", "テツオ"),
        ("@テツオ 昨日はキイチさんの訳を問い、今朝のヒサコさんの訳は問わないんですね。なぜですか。", "テツオ"),
        ("@テツオ 二人に同じ問いと言うたな。わしが人狼なら今朝どう言うた。", "テツオ"),
        ("@テツオ 俺は村人。昨日の言い直し、突かれて改めたか、元からの考えか。", "テツオ"),
        ("@テツオ キイチの訳は合うわ。狼役はあなたかヒサコよ。言い分は？", "テツオ"),
        ("返事は届いた！テツオさんは狼が誰か言ってくれ。", "テツオ"),
        ("テツオさん、真ならヒサコさんは何者か、弁明を。", "テツオ"),
        ("@テツオ ヒサコさんはそう言ってくれました。", ""),
        ("@テツオ ヒサコさんが何も言ってくれないなら、私は待ちます。", ""),
        ("ヒサコさんの票は？", "ヒサコ"),
        ("ヒサコさんの票はどう見ますか？", ""),
        ("なら今聞くね。ツムギ、テツオは狼か狂人か、狂人なら狼は誰？", "ツムギ"),
        ("@ヒサコ あなたが本物なら、狼は残る三人の誰だい。訳も頼むよ。", "ヒサコ"),
        ("@ヒサコ 昨日は合わせる人を疑うと言ったねえ。なぜだい。", "ヒサコ"),
        ("@ヒサコ 最初に言ったのは私、あなたは次だよ。テツオさんは狼と狂人のどっち？", "ヒサコ"),
        (
            "@テツオ 投票はあなたに集まっています。ヒサコさんの話に触れませんね。あなたの話では彼女は何者ですか？",
            "テツオ",
        ),
        ("テツオさんの分だけ空いてるよ。あなたはどっち？", "テツオ"),
        ("私は数を見ます。タダシさんご自身は？", "タダシ"),
        ("@タダシ 何も見ない、と言う人はどうでしょう。私は気にしますよ。", "タダシ"),
        ("@タダシ キイチさん、番は一度でしたよ。皆も黙っていました。なぜキイチさんなんですか。", "タダシ"),
        ("@ツムギ おはよう。その決まり、なぜ昨日言わなかったのか、お聞かせください。", "ツムギ"),
        ("@ツムギ 白の訳は問いません。あなたの票を伺います。", "ツムギ"),
        ("ツムギとタダシの声も聞きたいな。", "タダシ ツムギ"),
        ("テツオが本物なら話は別だ。ヒサコ、昨夜の結果を教えとくれ。", "ヒサコ"),
        ("ヒサコさん、答えを待ってるよ！テツオさんも見方を教えて。", "テツオ ヒサコ"),
        ("ヒサコさん、急ぐのも待つのも言ったね。二つは合わない。どっちを選ぶ？", "ヒサコ"),
        ("@キイチ テツオを疑う訳は分かるよ。だけどツムギが嘘つきなら、狼は誰になるんだい？", "キイチ"),
        ("キイチの話は派手だ。誰が得をする？", ""),
        ("@キイチ テツオは狼を当てたと言うよ。夜のうちに考えた話だ。誰がそんな嘘をつく？", ""),
        ("ヒサコさんの答えはまだ聞いてないわ。明日でいいから聞かせてちょうだい", "ヒサコ"),
        ("@ツムギ 二人は訳が合うわ。あなた、責めるだけで彼には問わないの", "ツムギ"),
        ("昨夜は静かだったね。タダシもテツオに入れた訳を教えて。", "タダシ"),
        ("@ヒサコ 配達は俺の役だな。明日は占い師から先に結果を出してくれ。", ""),
        ("@ヒサコ 嘘なら近くの言葉を拾う。皆が知る楽な道だろ？私は変えません。", ""),
        ("元船頭のキイチです。ではテツオさん、まずヒサコさんの問いに答えを。", "テツオ"),
    ],
)
def test_whom_a_japanese_talk_asks(text: str, asked: str) -> None:
    """The same, by the particle or the mark behind a name."""
    assert load_pack("ja").reading.asked_in(text, TAVERN) == set(asked.split())


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("@小明 你为什么投老陈？", "小明"),
        ("小明，你怎么看老陈？", "小明"),
        ("小明和阿芳，你们两个怎么看？", "小明 阿芳"),
        ("今天我投@小明 ，大家有意见吗？", ""),
        ("@阿芳 难道狼人会先跳吗？", ""),
        ("老陈说自己是预言家。有人要跳吗？", ""),
        ("@老陈 请说说查验的理由。", "老陈"),
        ("小明的说法可信吗？", ""),
        ("小明？那我投小明。", ""),
        ("@小明 你验了老陈吗？原来如此，我信了。", ""),
        ("@小明 你是预言家吗？那我等你的结果。", "小明"),
        ("小明，我听了你的话。阿芳很急。先投哪一个？", "小明"),
        ("小明还没说他的票。你投谁？", "小明"),
        ("@小明 阿芳说得热闹。谁会这样撒谎？", ""),
    ],
)
def test_whom_a_chinese_talk_asks(text: str, asked: str) -> None:
    """The same by the words of the Chinese pack."""
    assert load_pack("zh").reading.asked_in(text, ("小明", "阿芳", "老陈", "秋月", "大山")) == set(asked.split())


def test_a_question_about_his_words_is_for_the_anchor() -> None:
    """ "Which of his words raised that?" behind an anchor and the name of another asks who is anchored."""
    reader, players = load_pack("en").reading, ("Keziah", "Percival", "Jasper", "Silas")
    said = "@Percival You trust the scales of Jasper and yet they unsettle you. Which of his words raised that?"
    assert reader.asked_in(said, players, "Keziah") == {"Percival"}


@pytest.mark.parametrize(
    ("language", "text", "asked"),
    [
        ("en", "@Silas Lorcan, rest well. Keziah doubted too. Is it the same today?", "Silas"),
        ("ja", "@ツムギ キイチさん、残念です。ヒサコさんを責めた人は潔白、今もそうですか。", "ツムギ"),
        ("ja", "キイチさんの黒は嘘でした。お二人から順に、言い分を伺いましょう。", "ツムギ テツオ"),
        ("zh", "@老陈 小明，安息吧。阿芳昨天投了你，今天还一样吗？", "老陈"),
    ],
)
def test_the_dead_are_not_asked(language: str, text: str, asked: str) -> None:
    """A call to one of the dead takes no question away from the living; "both of you" are the two who are left."""
    players, living = {
        "en": (LIBRARY, ["Barnaby", "Keziah", "Silas"]),
        "ja": (TAVERN, ["タダシ", "ツムギ", "テツオ"]),
        "zh": (("小明", "阿芳", "老陈", "秋月", "大山"), ["阿芳", "老陈", "秋月"]),
    }[language]
    speaker = {"en": "Barnaby", "ja": "タダシ", "zh": "秋月"}[language]
    assert load_pack(language).reading.asked_in(text, players, speaker, living=living) == set(asked.split())
