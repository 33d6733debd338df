"""Finding players in a text, and the one an answer means."""

from __future__ import annotations

import pytest

from nlp_agent.text.answer import NameMatch
from nlp_agent.text.names import names_of
from tests.text.speech import ENGLISH, JAPANESE

EN, EN_ALL = ("Odette", "Kenji", "Ken", "Rufus"), ("Odette", "Kenji", "Ken", "Rufus", "Bram", "Tilda")
JA, JA_ALL = ("ミナト", "ミナコ", "ハル", "ハルト"), ("ミナト", "ミナコ", "ハル", "ハルト", "さくら", "ケンジ")


@pytest.mark.parametrize(
    ("raw", "name", "step"),
    [
        ("Ken", "Ken", "exact"),
        (" ken.", "Ken", "normalised"),
        ("@Kenji", "Kenji", "normalised"),
        ("Mr. Ken", "Ken", "normalised"),
        ("ＫＥＮ", "Ken", "normalised"),
        ("Ken\u200bji", "Kenji", "normalised"),
        ('{"target": "Odette"}', "Odette", "normalised"),
        ('```json\n{"vote": "ken", "reason": "Rufus is nice"}\n```', "Ken", "normalised"),
        ("<think>Ken? no</think>Rufus", "Rufus", "normalised"),
        ("I vote for Rufus.", "Rufus", "sentence"),
        ("not Ken but Rufus", "Rufus", "sentence"),
        ("I won't vote for Ken. Odette it is", "Odette", "sentence"),
        ("My vote is for Kenji because Ken said so", "Kenji", "sentence"),
        ("Odete", "Odette", "fuzzy"),
    ],
)
def test_english_answers_find_their_player(raw: str, name: str, step: str) -> None:
    """Exact, then normalised, then as a sentence, then fuzzy; the step is told."""
    assert ENGLISH.answers.read(raw, EN, EN_ALL) == NameMatch(name, step)


@pytest.mark.parametrize(
    "raw", ["", "K", "Ke", "Kenj", "Kenneth", "Ken or Rufus", "nobody", "Bram", "Brm", "I vote for Bram as Ken said"]
)
def test_doubtful_english_answers_are_refused(raw: str) -> None:
    """Ties, undecided sentences and players who are no choice give nothing."""
    assert ENGLISH.answers.read(raw, EN, EN_ALL) is None


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("ミナトさん", "ミナト"),
        ("みなと", "ミナト"),
        ("ﾐﾅﾄ", "ミナト"),
        ("「ハル」", "ハル"),
        ("@ハル", "ハル"),
        ("ハルに投票します。", "ハル"),
        ("ハルトに投票します", "ハルト"),
        ("みなとに投票します", "ミナト"),
        ("ハルトではなくミナトさんに投票します", "ミナト"),
        ("ハルさんが言うのでミナコに投票します", "ミナコ"),
        ("ミナトは白なのでハルト", "ハルト"),
        ("投票先：ハルトくん", "ハルト"),
    ],
)
def test_japanese_answers_find_their_player(raw: str, name: str) -> None:
    """Honorifics, kana of either kind or width, quotes and whole sentences."""
    match = JAPANESE.answers.read(raw, JA, JA_ALL)
    assert match is not None
    assert match.name == name


@pytest.mark.parametrize("raw", ["ミナ", "ミナトかハルト", "サクラ", "ケンジ"])
def test_doubtful_japanese_answers_are_refused(raw: str) -> None:
    """ミナ stands for ミナト as well as for ミナコ, and a player who is no choice is not bent to one."""
    assert JAPANESE.answers.read(raw, JA, JA_ALL) is None


LATIN = ("Ken", "Kenji", "Anna Lee", "Anna", "O'Neil", "Will", "Agent[01]", "Agent[02]", "Zoë", "Dr. No")
KANA = ("ハル", "ハルト", "ミナト", "アリ", "アリス", "マリ", "レイ", "さくら", "はな", "ミナト2", "Ken")
KANJI = ("林", "林田", "沈墨", "美咲", "ジョン・スミス")


@pytest.mark.parametrize(
    ("players", "text", "found"),
    [
        # a name that begins or holds another
        (LATIN, "Kenji and Ken", ["Kenji", "Ken"]),
        (LATIN, "Anna Lee asked Anna", ["Anna Lee", "Anna"]),
        (KANA, "ハルトとハルとハルカ", ["ハルト", "ハル"]),
        (KANA, "ミナト2とミナト", ["ミナト2", "ミナト"]),
        (KANJI, "林田さんと林さん", ["林田", "林"]),
        # inside other words
        (LATIN, "a token of Kens, unaKen, Kenneth, Ken2", []),
        (KANA, "プレイヤーのアリバイはアリの巣", ["アリ"]),
        (KANA, "ハルトマンもシンハルトも別人", []),
        (KANA, "そうではない。はなしが長い", []),
        (KANJI, "沈墨说林今天很安静", ["沈墨", "林"]),
        # possessives, marks and particles
        (LATIN, "Ken's vote, (Kenji) and “Will”: O'Neil's.", ["Ken", "Kenji", "Will", "O'Neil"]),
        (KANA, "ハルは「ミナト」を、レイがさくらへ。はなとも", ["ハル", "ミナト", "レイ", "さくら", "はな"]),
        # titles, and what the table says of players
        (KANA, "ハルさん、ミナトクン、アリスちゃん、はなさん", ["ハル", "ミナト", "アリス", "はな"]),
        (KANA, "ハルグレ、レイロラ、ミナトライン", ["ハル", "レイ", "ミナト"]),
        (LATIN, "Mr. Ken and Dr. No", ["Ken", "Dr. No"]),
        # said twice over, or side by side
        (KANA, "@マリマリ", ["マリ", "マリ"]),
        (KANA, "ミナトレイ", ["ミナト", "レイ"]),
        (LATIN, "KenKen", ["Ken", "Ken"]),
        # calls
        (LATIN, "@Ken, ＠Kenji @ Anna me@Ken", ["Ken", "Kenji", "Anna", "Ken"]),
        (LATIN, ">>Agent[01] Agent[02]? Agent[01]2", ["Agent[01]", "Agent[02]", "Agent[01]"]),
        # width
        (LATIN, "Ｋｅｎ and Ａｇｅｎｔ［０１］", ["Ken", "Agent[01]"]),
        (KANA, "Ｋｅｎさんとミナト２", ["Ken", "ミナト2"]),
        # case: will is a word
        (LATIN, "Will will vote, KEN and ken", ["Will"]),
        # other scripts beside a name, and letters that belong to it
        (KANA, "Kenさんは白", ["Ken"]),
        (LATIN, "Zoë, not Zoe nor Zoë\u0301", ["Zoë"]),
        (KANJI, "ジョン・スミスさん", ["ジョン・スミス"]),
        (LATIN, "", []),
        ((), "Ken", []),
        (("", "Ken"), "Ken", ["Ken"]),
    ],
)
def test_names_are_found_where_they_are_meant(players: tuple[str, ...], text: str, found: list[str]) -> None:
    """The longest name wins, never a part of another word; titles, marks and width hide none."""
    names = names_of(players)
    spans = names.find(text)
    assert [span.name for span in spans] == found
    assert names.named(names.mask(text)) == found
    assert all(span.mention == (text[: span.start][-1:] in ("@", "＠") and span.start > 0) for span in spans)


def test_masked_text_gets_its_names_back() -> None:
    """A masked text comes back with every name as the server spells it.

    Signs go in and names come out; signs somebody else wrote are dropped.
    """
    names = names_of(("Ken", "ハル"))
    assert names.unmask(names.mask("Ken\ue001とハル、Ｋｅｎ")) == "Kenとハル、Ken"
    assert names.shape("ハルとKenと春") == names.shape("KenとKenと春")
