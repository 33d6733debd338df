"""Claims and results in the words of players that thought about them, as their games showed."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack
from nlp_agent.reading.statement import Statement

PLAYERS = ("タダシ", "ハヤテ")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("ハヤテさんは人狼ではないんです。", "HUMAN"),
        ("ハヤテさんは人狼ではないのです。", "HUMAN"),
        ("ハヤテさんは人狼じゃなかったんですよ。", "HUMAN"),
        ("ハヤテさんは人狼なんだぜ。", "WEREWOLF"),
        ("占い師だよ。自分を薄い藍と言うハヤテを夜に占ったら人狼だったんだ。", "WEREWOLF"),
        ("ハヤテを昨夜占うと人狼だった。", "WEREWOLF"),
        ("ハヤテを占ってみたら人間だった。", "HUMAN"),
        ("もしハヤテを占ったら人狼だったりして。", ""),
        ("ハヤテさんは人狼ではないんですか？", ""),
        ("ハヤテさんは人狼ではないんだろう。", ""),
        ("ハヤテさんは人狼ではないのではないか。", ""),
    ],
)
def test_a_result_is_heard_however_its_sentence_ends(text: str, result: str) -> None:
    """An explaining end of the sentence tells the same; a question or a guess tells nothing."""
    said = load_pack("ja").reading.read(text, PLAYERS).statements
    assert [one.result for one in said if one.kind == "result"] == ([result] if result else [])


def test_claim_and_result_together_are_heard() -> None:
    """A claim and a result in one breath are both heard.

    Claimer and accused share a sentence; the role is the speaker's, whoever is named behind it.
    """
    reading, text = load_pack("ja").reading, "拙者が占い師、タダシは人狼でござる。"
    said = {
        (one.kind, one.target, one.role if one.kind == "claim" else one.result)
        for one in reading.read(text, PLAYERS).statements
    }
    assert said == {("claim", "", "SEER"), ("result", "タダシ", "WEREWOLF")}
    assert reading.supports(text, PLAYERS, Statement("claim", role="SEER"))
    assert not reading.supports("タダシが占い師、拙者は村人。", PLAYERS, Statement("claim", role="SEER"))


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("占い師はわしじゃ。", "SEER"),
        ("占い師はあたしだよ。", "SEER"),
        ("占い師は拙者でござる。", "SEER"),
        ("本物の占い師はこの俺だ。", "SEER"),
        ("実はボクも占い師なんだ。", "SEER"),
        ("占い師だよ、あたし。", "SEER"),
        ("霊媒師はうちやで。", "MEDIUM"),
        ("占い師はわしじゃない。", ""),
        ("占い師は俺だと言いたいのか？", ""),
        ("占い師は私ではありません。", ""),
        ("占い師は俺だと思うのか。", ""),
    ],
)
def test_claim_with_speaker_at_end_is_heard(text: str, role: str) -> None:
    """A claim is heard also where its speaker stands at the end.

    In every voice; who denies it, or asks about it, claims nothing.
    """
    said = load_pack("ja").reading.read(text, PLAYERS).statements
    assert [one.role for one in said if one.kind == "claim"] == ([role] if role else [])


RAILWAY = ("Elowen", "Hugo", "Lorcan", "Nikolai", "Percival")
LEAVES = "@Nikolai I am a villager and that leaves two suspects if Percival is true: you or Elowen!"


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("en", LEAVES, {("claim", "VILLAGER")}),
        ("en", "I am a villager and if Percival is true the wolf is Hugo.", {("claim", "VILLAGER")}),
        ("en", "I am a villager so if Hugo is true the wolf is Lorcan.", {("claim", "VILLAGER")}),
        ("en", "I am the seer: if you doubt it hang me last.", {("claim", "SEER")}),
        ("en", "Hugo is a werewolf by my divination and if you doubt it hang me after.", {("result", "WEREWOLF")}),
        ("en", "If Hugo is true and I am the seer then we lose.", set()),
        ("en", "If I am a villager and Hugo is the wolf we hang him.", set()),
        ("en", "I am the wolf and Hugo is the seer if Percival is true.", set()),
        ("en", "Imagine I am the wolf and if you hang me it ends.", set()),
        ("en", "Say Hugo is a werewolf by my divination and if you doubt it what then.", set()),
        ("en", "I am a villager if you must know and the wolf if Hugo is the seer.", set()),
        ("ja", "僕は村人で、もしタダシさんが真なら狼は二人のどちらかです。", {("claim", "VILLAGER")}),
        ("ja", "僕は村人です、もしタダシさんが真なら狼は二人のどちらかです。", {("claim", "VILLAGER")}),
        ("ja", "僕は村人だし、タダシさんが真なら狼は二人のどちらかです。", {("claim", "VILLAGER")}),
        ("ja", "ぼくは村人だから、もしタダシが真なら狼は二人のどちらかだ。", {("claim", "VILLAGER")}),
        ("ja", "もし僕は村人で、もしタダシが真なら終わりです。", set()),
        ("ja", "もし僕が村人で、タダシが真なら終わりです。", set()),
        ("ja", "僕は村人で、タダシが狼なら勝ちだ。", set()),
        ("ja", "僕が占い師で、タダシが狼なら勝ちだ。", set()),
        ("ja", "僕は村人だ、と言うなら信じるか。", set()),
    ],
)
def test_claim_before_another_clauses_condition_is_heard(language: str, text: str, told: set[tuple[str, str]]) -> None:
    """A condition undoes what stands in its own clause, and what is joined to that without a mark of its own."""
    said = load_pack(language).reading.read(text, (*RAILWAY, *PLAYERS)).statements
    found = {(one.kind, one.role if one.kind == "claim" else one.result) for one in said}
    assert {one for one in found if one[0] in ("claim", "result")} == told


def test_model_read_claim_may_precede_a_condition() -> None:
    """A claim that only a model has read may stand before a condition.

    The words bear it out all the same.
    """
    claim = Statement("claim", role="VILLAGER")
    assert load_pack("en").reading.supports(LEAVES, RAILWAY, claim)
    assert not load_pack("en").reading.supports("If I am a villager we lose.", RAILWAY, claim)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("ハヤテを占って、白と出た。", "HUMAN"),
        ("ハヤテさんを占って、人狼と出ました。", "WEREWOLF"),
        ("昨夜ハヤテを占って、結果は白でした。", "HUMAN"),
        ("ハヤテを占って白が出たから、残りはタダシだ。", "HUMAN"),
        ("ハヤテを占って、人狼を見つけました。", "WEREWOLF"),
        ("ハヤテを占ったので、人間だと言える。", "HUMAN"),
        # public games: jsai2026_5_groupchat, jsai2026_9, nlp2025
        ("昨夜はハヤテを占って白。", "HUMAN"),
        ("結果なしっておかしいよ。私はちゃんと@ハヤテを占って白だったよ！", "HUMAN"),
        ("@ハヤテ を占って白でした。", "HUMAN"),
        ("私は昨夜すぐに @ハヤテ を占って白を出したよ。", "HUMAN"),
        ("私が占い師であり、0日目にはハヤテを占って人間であることが確認されました。", "HUMAN"),
        ("ワイはハヤテを占ったところ、黒判定が出ました。", "WEREWOLF"),
        # told of somebody else, asked, or only supposed
        ("ハヤテを占って白を出したタダシは怪しい。", ""),
        ("タダシがハヤテを占ってくれたんだ。", ""),
        ("ハヤテを占って確かめた。", ""),
        ("もしハヤテを占って、黒と出たら吊る。", ""),
    ],
)
def test_result_behind_te_form_is_no_request(text: str, result: str) -> None:
    """A result behind a te-form is no request.

    「占って、白と出た」 tells a result; it asks nobody to divine.
    """
    said = load_pack("ja").reading.read(text, PLAYERS).statements
    assert [one.result for one in said if one.kind == "result"] == ([result] if result else [])
    assert not [one for one in said if one.kind == "demand"]


@pytest.mark.parametrize(
    "text",
    [
        "今夜はハヤテを占ってくれ。",
        "ハヤテを占ってほしい。",
        "占い師はハヤテを占って、タダシは守って。",
        "ハヤテを占って、白黒をつけて。",
        "ハヤテを占って白かどうか確かめてほしい。",
        "ハヤテを占って人狼を見つけてほしい。",
    ],
)
def test_a_request_to_divine_is_still_one(text: str) -> None:
    """What is wanted of a seer stays a request, also where it speaks of a colour."""
    said = load_pack("ja").reading.read(text, PLAYERS).statements
    assert [(one.target, one.topic) for one in said if one.kind == "demand"][:1] == [("ハヤテ", "divine")]
    assert not [one for one in said if one.kind == "result"]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Having checked Ken and found him human I trust him.", "HUMAN"),
        ("@Ann having checked Ken and found a wolf I vote Ken.", "WEREWOLF"),
        ("Having divined Ken as a werewolf I vote for him.", "WEREWOLF"),
        ("After checking Ken last night I found a werewolf.", "WEREWOLF"),
        ("After divining Ken I know he is human.", "HUMAN"),
        ("Ann having checked Ken and found a wolf is lying.", ""),
        ("After checking Ken you found a wolf.", ""),
        ("If I had checked Ken and found him human I would say so.", ""),
    ],
)
def test_result_in_subordinate_clause_is_the_speakers(text: str, result: str) -> None:
    """A seer tells its result by "having checked Ken and found …" as well as by "I checked Ken and found …"."""
    said = load_pack("en").reading.read(text, ("Ken", "Ann")).statements
    found = [(one.target, one.role, one.result) for one in said if one.kind == "result"]
    assert found == ([("Ken", "SEER", result)] if result else [])


@pytest.mark.parametrize(
    "text",
    [
        "ハヤテの霊媒結果でタダシが人間判定された。",
        "ハヤテはタダシを人狼と見た。",
        "@ハヤテ 黒判定だけでタダシ吊りは危ないよ！",
        "ハヤテさん視点で私白、私視点でもハヤテさんは現状矛盾がない。",
        "@ハヤテ 白だったし、私はタダシを見てるよ。",
        "@ハヤテ 占われて白の人と占い師を外せば残り三人だ。",
    ],
)
def test_what_others_saw_is_no_own_result(text: str) -> None:
    """What somebody else has seen is no result of the speaker.

    An echo of another's result, and what somebody's view makes of the speaker.
    """
    said = load_pack("ja").reading.read(text, PLAYERS).statements
    assert [one for one in said if one.kind in ("claim", "result")] == []


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("いきなりそんなこと言われても困るな私は人狼だよ、みんなを騙さなくちゃだからね！", "WEREWOLF"),
        ("私は70歳男性の占い師だ。皆さんご挨拶を。", "SEER"),
        ("そうだよね私は村人だよ、みんなも信じて。", ""),
        ("私はあなたが選んだ本命の占い師だ。", ""),
    ],
)
def test_a_role_behind_other_words_is_claimed(text: str, role: str) -> None:
    """Without a comma before it, or with the speaker described."""
    said = load_pack("ja").reading.read(text, PLAYERS).statements
    assert [one.role for one in said if one.kind == "claim" and one.role != "VILLAGER"] == ([role] if role else [])


@pytest.mark.parametrize(
    "text",
    [
        "I checked Agnes too, for fitting both sides of Lorcan: she is human.",
        "I looked at Agnes, who spoke against Lorcan. She is human.",
    ],
)
def test_a_pronoun_behind_a_check_means_who_was_checked(text: str) -> None:
    """Whoever is named last in the reason for the look is not who was seen."""
    said = load_pack("en").reading.read(text, ("Agnes", "Lorcan")).statements
    assert [(one.target, one.result) for one in said if one.kind == "result"] == [("Agnes", "HUMAN")]


def test_a_false_claim_is_taken_back_with_the_true_role() -> None:
    """「占い師は嘘だった」 takes back the own claim only."""
    reading = load_pack("ja").reading
    assert "unclaim" in {one.kind for one in reading.read("占い師は嘘だった、私は村人だよ", PLAYERS).statements}
    other = reading.read("ハヤテの占い師は嘘だった、私は村人だよ", PLAYERS).statements
    assert "unclaim" not in {one.kind for one in other}


def test_villager_that_clears_somebody_tells_no_result() -> None:
    """Who says in the same talk that it is a villager clears by its judgement, not by a look."""
    players = ("Agnes", "Barnaby", "Greta", "Lorcan", "Mirabel")
    text = "Barnaby, neither yet. I am a villager. Agnes took it back and I cleared Lorcan. Why still them?"
    said = load_pack("en").reading.read(text, players).statements
    assert {(one.kind, one.role) for one in said if one.kind in ("claim", "result")} == {("claim", "VILLAGER")}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ja", "俺は村人だぜ。票はハヤテに傾いてるが、約束通り弁明を聞いてから決める。"),
        ("en", "My vote is leaning to ハヤテ and I want to hear both of you before I decide."),
    ],
)
def test_leaning_vote_is_not_announced(language: str, text: str) -> None:
    """A vote that only leans, or waits for an answer, binds nobody, also where a form names it."""
    reading = load_pack(language).reading
    assert not reading.votes_for(text, PLAYERS, "ハヤテ")
    assert "vote" not in {one.kind for one in reading.read(text, PLAYERS).statements}


LOOKS = [
    ("en", "Elowen is a werewolf. I checked her", "SEER"),
    ("en", "Elowen is a werewolf. I checked her because she would hang neither seer. That shelters a wolf.", "SEER"),
    ("en", "I looked at Elowen last night. Werewolf.", "SEER"),
    ("en", "Elowen is a werewolf. I looked at her last night.", "SEER"),
    ("en", "Elowen is a werewolf. I checked last night.", "SEER"),
    ("en", "@Elowen You are a werewolf. I checked you.", "SEER"),
    ("en", "If I checked her and she is black we win. Elowen is a werewolf.", ""),
    ("en", "Elowen is a werewolf. Suppose I checked her.", ""),
    ("en", "Elowen is a werewolf. Hugo says I checked her.", ""),
    ("en", "Elowen is a werewolf. Hugo checked her.", ""),
    ("en", "Elowen is a werewolf. I guarded her.", ""),
    ("en", "Elowen is a werewolf. I checked her words.", ""),
    ("en", "Elowen is a werewolf. I checked Elowen's words twice.", ""),
    ("en", "Elowen is a werewolf. I checked her against your list.", ""),
    ("en", "I am the bodyguard. Elowen is a werewolf. I checked her.", ""),
    ("ja", "昨夜エロウェンさんを見たら人狼だった。", "SEER"),
    ("ja", "エロウェンは人狼だ。昨夜見た。", "SEER"),
    ("ja", "エロウェンさんは人狼です。私が占いました。", "SEER"),
    ("ja", "エロウェンは人狼だ。占った訳は、どちらの占い師も吊ろうとしなかったからだ。", "SEER"),
    ("ja", "エロウェンは人狼だ。ハヤテが占った。", ""),
    ("ja", "エロウェンは人狼だ。昨夜守った。", ""),
    ("ja", "エロウェンは人狼だ。昨日の発言を見た。", ""),
    ("ja", "私は騎士です。エロウェンは人狼だ。昨夜見た。", ""),
    ("zh", "小红是狼人。我昨晚验了她。", "SEER"),
    ("zh", "小红是狼人。老王验了她。", ""),
]


@pytest.mark.parametrize(("language", "text", "role"), LOOKS)
def test_who_says_to_have_looked_tells_its_own_result(language: str, text: str, role: str) -> None:
    """A colour and "I checked her", in either order, are a seer's result, and claim the gift.

    Not where the look is supposed, another's, a guard, or one at words.
    """
    players = {"en": RAILWAY, "ja": ("エロウェン", *PLAYERS), "zh": ("小红", "老王")}[language]
    results = load_pack(language).reading.read(text, players).of("result")
    assert [one.role for one in results] == [role]


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("Dmitri, Jasper is human: your vote is safe but cannot win today.", ["Jasper"]),
        ("Dmitri, Jasper was a werewolf.", ["Jasper"]),
        ("Dmitri, Jasper are human.", ["Dmitri", "Jasper"]),
        ("Dmitri and Jasper are human.", ["Dmitri", "Jasper"]),
    ],
)
def test_a_player_called_before_a_result_is_not_in_it(text: str, of: list[str]) -> None:
    """Whoever is only called before a result of one player has none told of itself."""
    said = load_pack("en").reading.read(text, ("Dmitri", "Jasper")).statements
    assert [one.target for one in said if one.kind == "result"] == of


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ja", "占い師の結果から、タダシが人間で、他は判定がついていません。"),
        ("ja", "ハヤテは占い師を名乗り、タダシを人間と判定した。"),
        ("ja", "ハヤテが示した占い結果に基づき、タダシが村人であるとの報告を信じる。"),
        ("ja", "タダシを調べた結果が人間だったってことは、君が占い師だってことだね！"),
        ("ja", "ハヤテよ、なぜタダシを黒と見たのか詳しく頼む。"),
        ("ja", "タダシ黒と見立てた根拠、順に語ってほしいのだ。"),
        ("ja", "占結果はタダシ白ハヤテ、ハヤテ白タダシ。"),
        ("ja", "霊結果から即タダシ狼固定は飛躍に見える。"),
        ("en", "Going by the seer's result タダシ is human."),
        ("en", "From the medium's result タダシ was a werewolf."),
        ("zh", "根据预言家的结果，タダシ是好人。"),
        ("zh", "为什么你查了タダシ是狼人。"),
        ("zh", "你查タダシ是好人，也就是说你是预言家。"),
    ],
)
def test_hearsay_is_nobodys_own_result(language: str, text: str) -> None:
    """Who repeats, asks for or doubts what another has found tells no result of its own."""
    assert not [one for one in load_pack(language).reading.read(text, PLAYERS).statements if one.kind == "result"]


@pytest.mark.parametrize(
    ("language", "text", "role", "result"),
    [
        ("ja", "占いの結果、ハヤテは、生ける魂を持つ人間であったと判明した。", "SEER", "HUMAN"),
        ("ja", "私はハヤテさんを占い、人間と判定しました。", "SEER", "HUMAN"),
        ("ja", "昨日ハヤテをしっかり調べてみたんだ。結果は人間だったよ！", "SEER", "HUMAN"),
        ("ja", "ハヤテさんは今朝の占いで人狼判定。", "SEER", "WEREWOLF"),
        ("ja", "ぼくの霊媒の結果、ハヤテは人間でしたよぅ！", "MEDIUM", "HUMAN"),
        ("ja", "霊結果、ハヤテ狼。", "MEDIUM", "WEREWOLF"),
        ("en", "I am claiming Seer and checked ハヤテ as human on night 0.", "SEER", "HUMAN"),
        ("en", "ハヤテ is a confirmed werewolf by my divination last night.", "SEER", "WEREWOLF"),
        ("en", "My analysis last night targeted ハヤテ. The result was WEREWOLF.", "SEER", "WEREWOLF"),
        ("en", "@ハヤテ my divine result confirms you're human.", "SEER", "HUMAN"),
    ],
)
def test_results_in_more_words_are_heard(language: str, text: str, role: str, result: str) -> None:
    """Words of public games in which a seer or a medium tells what it found."""
    said = load_pack(language).reading.read(text, PLAYERS).statements
    assert [(one.target, one.role, one.result) for one in said if one.kind == "result"] == [("ハヤテ", role, result)]


@pytest.mark.parametrize(
    "text",
    [
        "まずは占いCO、霊媒COが他にいないか整理したいね。",
        "タダシの騎士COは占霊整合が最優先だね",
        "私は1CO占いの黒先、タダシさん投票で考える。",
        "占4CO、霊は明日COでいいわ。",
    ],
)
def test_counted_claims_are_nobodys_claim(text: str) -> None:
    """Who counts or orders claims ("4 seers, mediums tomorrow") makes none."""
    assert not [one for one in load_pack("ja").reading.read(text, PLAYERS).statements if one.kind == "claim"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("タダシさんを責めたハヤテさんは狼っぽくない。", "trust"),
        ("ハヤテは黒っぽくありません。", "trust"),
        ("ハヤテさんは狼っぽい。", "suspect"),
        ("ハヤテさんは黒っぽくないか。", "suspect"),
    ],
)
def test_who_looks_unlike_a_wolf_is_trusted(text: str, kind: str) -> None:
    """A denial of the wolf's looks speaks for a player; a denial that asks for assent speaks against it."""
    said = load_pack("ja").reading.read(text, PLAYERS).statements
    assert [(one.kind, one.target) for one in said] == [(kind, "ハヤテ")]


def test_claim_without_a_subject_behind_an_anchor() -> None:
    """「@ツムギ 占い師だよ」 claims the role for the speaker; who is meant to have it would be named."""
    players = ("ノドカ", "ツムギ", "イワオ")
    heard = load_pack("ja").reading.read("@ツムギ 占い師だよ。あなたは人狼だった。返事は？", players).statements
    assert [(s.kind, s.role or s.target) for s in heard if s.kind in ("claim", "result")] == [
        ("claim", "SEER"),
        ("result", "ツムギ"),
    ]
    asked = load_pack("ja").reading.read("@ツムギ 占い師だよね？", players).statements
    assert "claim" not in {s.kind for s in asked}
