"""Who is asked: the player spoken to, not whoever is named on the way."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack

PLAYERS = {
    "en": ("Dmitri", "Imogen", "Ottilie", "Percival", "Silas"),
    "ja": ("エイキチ", "カエデ", "スズネ", "テツオ", "ハヤテ"),
    "zh": ("小明", "阿芳", "老陈", "秋月", "大山"),
}


@pytest.mark.parametrize(
    ("language", "talk", "target"),
    [
        (
            "en",
            "Fair Dmitri. I am sorry. Silas forgive me; you named a hole. Ottilie named hers. Where is yours?",
            "Silas",
        ),
        ("en", "Nobody Dmitri since the oven goes cold with him. Will Silas offer you the same?", "Dmitri"),
        ("en", "Percival you called that sound. Why hang him?", "Percival"),
        ("en", "Imogen I spoke at my first turn. Who is next?", "Imogen"),
        ("ja", "スズネ、カエデを最初に疑ったのは俺だぜ。テツオを占えと頼んだ俺がなぜ消す？", "スズネ"),
        ("ja", "テツオ、次はエイキチとは気が早いわね。どの音が外れたの？", "テツオ"),
        ("zh", "@老陈 我同意。小明，你怎么看？", "小明"),
        ("zh", "小明你怎么看阿芳？", "小明"),
        ("zh", "我不信，小明你说说看？", "小明"),
        ("zh", "@老陈 阿芳昨天投了秋月。你为什么也跟着投？", "老陈"),
        ("zh", "@老陈 小明，你昨天为什么投阿芳？", "小明"),
    ],
)
def test_the_player_spoken_to_is_asked(language: str, talk: str, target: str) -> None:
    """Calls without a comma are heard, and names in the third person take no question over."""
    asks = load_pack(language).reading.read(talk, PLAYERS[language]).of("ask")
    assert [(ask.target, ask.to) for ask in asks] == [(target, target)]


RAILWAY = ("Barnaby", "Jasper", "Nikolai", "Ottilie", "Silas")
TERRACE = ("ノドカ", "ハヤテ", "タダシ", "ムネノリ", "カエデ")
TURNED = [
    (
        "@Silas silence on the line never wrecked a train; a false signal did. Jasper; by what mark do you know a "
        "forgery from the true piece?",
        ["Jasper"],
    ),
    (
        "A splendid question! The forgery is too shiny and arrives late Nikolai. I pay for first offers. Silas would "
        "you bury a liar at a discount?",
        ["Silas"],
    ),
    (
        "@Jasper your rule said the forgery arrives late; you came second. If Silas is true the wolf is Barnaby or "
        "Ottilie. Barnaby first: whom do you believe?",
        ["Barnaby"],
    ),
    (
        "with respect no; Silas would not live to look. Barnaby; first you doubted Ottilie last; then charged me; "
        "now her. What turned your signal?",
        ["Barnaby"],
    ),
    ("@Silas Jasper; by what mark do you know a forgery?", ["Jasper"]),
    ("@Silas Jasper: do you agree?", ["Jasper"]),
    ("Jasper; one gap remains: why did you check Barnaby?", ["Jasper"]),
    ("@Silas good day. Jasper and Nikolai what do you two say?", ["Jasper", "Nikolai"]),
    ("Jasper yesterday you wanted us to hold back; today nobody may. What changed overnight?", ["Jasper"]),
    ("@Silas Vote out Jasper. Barnaby and Nikolai; would you agree or whom instead?", ["Barnaby", "Nikolai"]),
    ("@Silas Jasper lied; do you agree?", ["Silas"]),
    ("@Jasper good day. What did Barnaby do?", ["Jasper"]),
    ("@Jasper good day. Would Silas bury a liar?", ["Jasper"]),
    ("@Jasper it was late. Silas would not look. Would you?", ["Jasper"]),
    ("@Jasper I heard two: Silas; Barnaby. Whom do you believe?", ["Jasper"]),
    ("@Jasper Barnaby first accused me. Whom do you believe?", ["Jasper"]),
]
TURNED_JA = [
    (
        "@ノドカ 僕は朝礼の癖で早寝早起きですね。元教頭のタダシです。ムネノリさんの眠りも、順に聞かせてください。",
        ["ムネノリ"],
    ),
    (
        "@ノドカ では明朝は号令をかけますね。えへん、話を戻しまして、ムネノリさんは人の嘘を何で見分けるんですか？",
        ["ムネノリ"],
    ),
    ("では明朝は号令をかけますね。えへん、話を戻しまして、ムネノリさんは人の嘘を何で見分けるんですか？", ["ムネノリ"]),
    ("@ハヤテ かたじけない、首がつながったでござる。", []),
    ("@ハヤテ タダシさん、まだご自分の答えがないですね？", ["タダシ"]),
    ("@ハヤテ タダシはどう思っていると見る？", ["ハヤテ"]),
    ("@ハヤテ 急ぐ羊ほど崖に落ちるよ。…見分け方をまだ言ってないのはタダシだけだよ？", ["タダシ"]),
    ("急ぐ羊ほど崖に落ちるよ。…見分け方をまだ言ってないのはタダシだけだよ？", ["タダシ"]),
    ("@ノドカ おはよう。ムネノリさんの印象も聞かせてください。", ["ノドカ"]),
    ("@ノドカ おはよう。ムネノリはまだ役職を明かしてないけど、どう思う？", ["ノドカ"]),
    ("@ノドカ おはよう。ムネノリは昨日何をしたんですか？", ["ノドカ"]),
]
LIBRARY = ("Elowen", "Hugo", "Lorcan", "Nikolai", "Percival")
SHARED = [
    (
        "@Hugo I change mine every chapter! Yes Nikolai seer first with a reason; in books the second will is the "
        "forged one. Percival fair rule or too bold?",
        ["Percival"],
    ),
    (
        "@Percival Once: a milk train and I have checked twice since. Elowen I read lamps better than faces. Lorcan "
        "and Hugo shall we hear the seer first tomorrow?",
        ["Lorcan", "Hugo"],
    ),
    (
        "@Percival Good evening. I am Nikolai and forty years of night signals cured me of sleep. Elowen then Hugo "
        "then Lorcan: how do you sleep?",
        ["Elowen", "Hugo", "Lorcan"],
    ),
    ("@Hugo Ha guilty... Elowen what sank Nikolai since?", ["Elowen"]),
    ("@Hugo good day. Percival true or too bold?", [""]),
    ("@Hugo good day. Percival last or first?", [""]),
    ("@Hugo first or last?", ["Hugo"]),
    ("@Hugo I doubt Elowen and Lorcan. Is either of you the seer?", ["Elowen", "Lorcan"]),
    ("@Hugo I have no reading. Elowen and Lorcan is either of you another seer?", ["Elowen", "Lorcan"]),
    ("@Hugo He could flatter me too so Elowen and Lorcan: rival seer or not?", ["Elowen", "Lorcan"]),
    ("@Hugo You are my third suspect. Elowen or Lorcan which is warped and why?", ["Hugo"]),
    ("@Hugo I have two left so Elowen and Lorcan: true or not?", ["Hugo"]),
]
TAVERN = ("キイチ", "ツムギ", "ヒサコ", "タダシ", "テツオ")
SHARED_JA = [
    (
        "@キイチ 僕も賛成です、結果が先なら意見が比べやすいんです。ゴホン、ツムギさんは何番目に話したいですか。",
        ["ツムギ"],
    ),
    (
        "@ツムギ 今夜の言葉から選んだ訳なら納得だよ。急ぐだけじゃ証拠にならないね。ヒサコなら誰を占ってほしい？",
        ["ヒサコ"],
    ),
    ("@ツムギ 納得だよ。ヒサコは誰を占ってほしい？", ["ヒサコ"]),
    ("@ツムギ おはよう。ヒサコなら黒だと思う？", ["ツムギ"]),
    ("@キイチ 怪しいのはタダシとツムギだ。二人は占い師？", ["タダシ", "ツムギ"]),
    ("@キイチ 怪しいのはタダシだ。二人は占い師？", ["キイチ"]),
    ("@キイチ おはよう。タダシとツムギは占い師か？", ["タダシ", "ツムギ"]),
    ("@キイチ おはよう。タダシさんとツムギさん、対抗はありますか？", ["タダシ", "ツムギ"]),
    ("@キイチ おはよう。タダシとツムギは人狼か？", ["キイチ"]),
    ("@キイチ おはよう。タダシとツムギ、どちらが怪しい？", ["キイチ"]),
    ("@タダシ そこは首を振るな。…キイチの訳と穴の点検の方が筋だな。違うか？", ["タダシ"]),
]

STREET = ("小明", "小红", "阿强", "老王", "丽丽")
SHARED_ZH = [
    ("@小明 早。小红和阿强：有对跳吗？", ["小红", "阿强"]),
    ("@小明 早。小红、阿强，你们有结果吗？", ["小红", "阿强"]),
    ("@小明 早。小红和阿强是狼吗？", ["小明"]),
    ("@小明 早。你们有结果吗？", [""]),
    ("@小明 早。小红，你们都有结果吗？", [""]),
]


@pytest.mark.parametrize(
    ("language", "players", "talk", "asked"),
    [("en", RAILWAY, *row) for row in TURNED]
    + [("ja", TERRACE, *row) for row in TURNED_JA]
    + [("en", LIBRARY, *row) for row in SHARED]
    + [("ja", TAVERN, *row) for row in SHARED_JA]
    + [("zh", STREET, *row) for row in SHARED_ZH],
)
def test_a_question_is_whose_name_it_calls(
    language: str, players: tuple[str, ...], talk: str, asked: list[str]
) -> None:
    """A question put to others in mid-talk leaves the anchored player; one that only speaks of another stays."""
    asks = load_pack(language).reading.read(talk, players).of("ask")
    assert [ask.target for ask in asks] == asked


@pytest.mark.parametrize(
    ("language", "text", "explained"),
    [
        ("en", "I'm the seer. Ben is human. I looked there because Ben had been the last to speak up.", True),
        ("en", "I'm the seer. I divined Ben and saw a human. Quiet corners worry me more than loud ones.", True),
        ("en", "I have to tell you that I'm the seer. My result says Ben is human.", False),
        ("en", "I'm the seer. Ben is human. Does anyone else claim to be the seer?", False),
        ("en", "I looked around because somebody had to.", False),
        ("ja", "占い師COします。ベンは白です。見た訳は、最後に口を開いたからです。", True),
        ("ja", "私が占い師です。ベンは人狼です。間違いないです。", False),
        ("en", "I'm the seer. I peeked at Ben because he hid in the corner and he's the werewolf!", True),
        ("en", "I'm the seer. My vote is on Ben because I saw that Ben is a werewolf.", False),
        ("ja", "占い師です。黙っていて気になったからベンを占い、白でした。", True),
    ],
)
def test_reason_of_a_look_is_found_behind_the_result(language: str, text: str, explained: bool) -> None:
    """Who gives a reason with a result, or goes on behind it without asking, claiming or voting, says why it looked."""
    players = ("アン", "ベン", "シド") if language == "ja" else ("Ann", "Ben", "Cyd")
    assert load_pack(language).reading.explains_result(text, players) is explained


@pytest.mark.parametrize(
    ("language", "text", "held"),
    [
        ("ja", "アンが怪しい。今日は一番遅く話し始めたからだよ。", "quiet"),
        ("ja", "ベンが本物なら残るシドと見比べた。アンに投票する。誰の名前も挙げていないからだ。", "unnamed"),
        ("ja", "アンに入れます。ベンの台詞を聞いてから現れたからです。", "second"),
        ("ja", "いきなり狼を当てたという話はできすぎているから、アンに投票する。", "lucky"),
        ("ja", "ベンが狂人なら残りは一人になるから、アンに投票するよ。", "madman"),
        ("ja", "ベンの話で三人残ります。アンに投票します。", "count"),
        ("ja", "アンに投票します。安心できる言葉がまだないからです。", "hunch"),
        ("ja", "アンに投票します。昨日ベンに票を入れたからです。", ""),
        ("en", "I vote for Ann. Ann has used the fewest words today.", "quiet"),
        ("en", "I vote for Ann. Ann has talked and named nobody.", "unnamed"),
        ("en", "If Ben is the seer it's Ann or Cyd. I vote for Ann.", "count"),
        ("en", "I vote for Ann. Ann voted for Ben yesterday.", ""),
        ("en", "I vote for Ann. Ben waited to hear another claim first and Cyd says wolf.", "second"),
    ],
)
def test_what_is_held_against_a_player_is_heard(language: str, text: str, held: str) -> None:
    """A talk that accuses somebody says of what kind its reason is, where it says so in known words."""
    players = ("アン", "ベン", "シド") if language == "ja" else ("Ann", "Ben", "Cyd")
    assert load_pack(language).reading.reproach(text, players) == held


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("en", "Silas, I hear you. And Dmitri, you're the wolf.", "Dmitri"),
        ("ja", "カエデ、そうだね。それとテツオ、あなたが怪しい。", "テツオ"),
        ("zh", "小明，你说得对。还有老陈，我怀疑你。", "老陈"),
        ("zh", "小明，你说得对。还有老陈，你是狼人。", "老陈"),
    ],
)
def test_you_means_who_was_called_last(language: str, text: str, meant: str) -> None:
    """A talk that turns from one player to another speaks of the other as "you"."""
    said = load_pack(language).reading.read(text, PLAYERS[language]).statements
    assert {one.target for one in said if one.kind in ("suspect", "result")} - {meant} == set()
    assert not meant or meant in {one.target for one in said}
