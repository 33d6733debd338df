"""Two players whose names are called one after the other are both spoken to."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack

CALLS = {
    "en": (
        "{0}, {1}: who do you vote for?",
        "{0}, {1}, what is your vote?",
        "{0} {1}: who do you suspect?",
        "{0}, {1}, tell me your vote.",
        "{0}, {1}: I have a test. What would you check?",
    ),
    "ja": (
        "{0}、{1}、誰に投票する？",
        "{0}さん、{1}さん、昨日の票の訳を聞かせて。",
        "{0}、{1}、二人の考えを聞かせて。",
    ),
    "zh": ("{0}、{1}，你们投谁？", "{0}，{1}：怀疑谁？"),
}
NAMES = {"en": ("Ann", "Ben", "Cleo"), "ja": ("ハヤテ", "シンヤ", "サヨリ"), "zh": ("张伟", "李娜", "王芳")}
SPOKEN_OF = {
    "en": ("{0}, {1} is quiet, who else?", "{0}, {1}'s vote was late. Do you agree?"),
    "ja": ("{0}、{1}は怪しいと思う？", "{0}、{1}の票をどう見る？"),
    "zh": ("{0}，{1}可疑吗？",),
}


@pytest.mark.parametrize(("language", "text"), [(key, text) for key, rows in CALLS.items() for text in rows])
def test_both_who_are_called_are_asked(language: str, text: str) -> None:
    """The question is put to each of the two, whatever stands between their names."""
    reader, players = load_pack(language).reading, NAMES[language]
    said = text.format(*players)
    assert [one.target for one in reader.read(said, players).of("ask")] == list(players[:2])
    assert reader.asked_in(said, players) == set(players[:2])


@pytest.mark.parametrize(("language", "text"), [(key, text) for key, rows in SPOKEN_OF.items() for text in rows])
def test_who_is_spoken_of_is_not_asked(language: str, text: str) -> None:
    """A name behind the one that is called may be what the question is about."""
    reader, players = load_pack(language).reading, NAMES[language]
    said = text.format(*players)
    assert players[1] not in [one.target for one in reader.read(said, players).of("ask")]
    assert reader.asked_in(said, players) == {players[0]}


SEER_OF_FIVE = ("クニエ", "サヨリ", "スズネ", "タダシ", "テツオ")


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "スズネさん、私が訳を認めたのはあなたの結果を聞く前。新しい話が出れば問います。次は誰を占いますかな。",
            "スズネ",
        ),
        ("@テツオ 駄菓子屋のクニエだよ。点検なら頼もしいねえ。最初はどこから調べるんだい。", "テツオ"),
        ("@サヨリ スズネは三度目に見方を出したよな。夜にはもう出た後だ。それでも占った訳は？", "サヨリ"),
        ("@サヨリ スズネは何を見たのか話して。", "サヨリ"),
        ("@タダシ 真正面から来たね!なら聞くよ、なんで昨夜はテツオを襲った?", "タダシ"),
        ("@タダシ クニエの票もテツオの票も、あたしの答えのことは言ってないよ。固まったってどこの言葉だい?", "タダシ"),
        ("急かす訳を見たかった。クニエ、三度テツオを突いてなぜ私だ。", "クニエ"),
    ],
)
def test_questions_that_hanged_a_seer_are_seen(text: str, asked: str) -> None:
    """A true seer was executed for a question of which its prompt had said nothing, and was told of one that was put to
    somebody else."""
    reader = load_pack("ja").reading
    assert asked in reader.asked_in(text, SEER_OF_FIVE)
    told = {"スズネ"} if "三度目" in text else set()
    assert not told & reader.asked_in(text, SEER_OF_FIVE)


def test_who_did_something_is_not_called() -> None:
    """A name before "did" is called only where "you" stands behind it."""
    reader, players = load_pack("en").reading, ("Jasper", "Celeste")
    for text, asked in (
        ("@Jasper Celeste did bring a doubt. You took my charge: which is your own?", "Jasper"),
        ("Celeste did you look at Jasper?", "Celeste"),
        ("Celeste, did Jasper lie?", "Celeste"),
        ("Celeste will answer first. Jasper, do you agree?", "Jasper"),
    ):
        assert reader.asked_in(text, players) == {asked}


def test_what_the_votes_of_others_did_not_say_takes_none_back() -> None:
    """That somebody's vote does not speak of an answer is no word about one's own vote."""
    text = "@タダシ クニエの票もテツオの票も、あたしの答えのことは言ってないよ。"
    assert not load_pack("ja").reading.read(text, SEER_OF_FIVE).of("retract")
