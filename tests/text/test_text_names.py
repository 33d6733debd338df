"""Finding players in a text, and the one an answer means."""

from __future__ import annotations

import pytest

from nlp_agent.text import NameMatch, find_names, resolve_name
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
    assert resolve_name(raw, EN, ENGLISH, EN_ALL) == NameMatch(name, step)


@pytest.mark.parametrize(
    "raw", ["", "K", "Ke", "Kenj", "Kenneth", "Ken or Rufus", "nobody", "Bram", "Brm", "I vote for Bram as Ken said"]
)
def test_doubtful_english_answers_are_refused(raw: str) -> None:
    """Ties, undecided sentences and players who are no choice give nothing."""
    assert resolve_name(raw, EN, ENGLISH, EN_ALL) is None


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
    match = resolve_name(raw, JA, JAPANESE, JA_ALL)
    assert match is not None
    assert match.name == name


@pytest.mark.parametrize("raw", ["ミナ", "ミナトかハルト", "サクラ", "ケンジ"])
def test_doubtful_japanese_answers_are_refused(raw: str) -> None:
    """ミナ stands for ミナト as well as for ミナコ, and a player who is no choice is not bent to one."""
    assert resolve_name(raw, JA, JAPANESE, JA_ALL) is None


def test_names_are_found_longest_first_and_never_inside_words() -> None:
    """Ken is not in Kenji nor in token; ハル is not in ハルト; a mention is told."""
    found = find_names("@Kenji and Ken, a token of Kens", ("Ken", "Kenji"))
    assert [(span.name, span.mention) for span in found] == [("Kenji", True), ("Ken", False)]
    assert [span.name for span in find_names("ハルトとハルとハルカ", ("ハル", "ハルト"))] == ["ハルト", "ハル"]
    assert [span.name for span in find_names("agent[01]?", ("Agent[01]",), ignore_case=True)] == ["Agent[01]"]
