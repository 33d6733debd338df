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
        ("ハヤテさんは人狼ではないんですか？", ""),
        ("ハヤテさんは人狼ではないんだろう。", ""),
        ("ハヤテさんは人狼ではないのではないか。", ""),
    ],
)
def test_a_result_is_heard_however_its_sentence_ends(text: str, result: str) -> None:
    """An explaining end of the sentence tells the same; a question or a guess tells nothing."""
    said = load_pack("ja").reading.read(text, PLAYERS).statements
    assert [one.result for one in said if one.kind == "result"] == ([result] if result else [])


def test_a_claim_and_a_result_in_one_breath_are_both_heard() -> None:
    """Claimer and accused share a sentence; the role is the speaker's, whoever is named behind it."""
    reading, text = load_pack("ja").reading, "拙者が占い師、タダシは人狼でござる。"
    said = {
        (one.kind, one.target, one.role if one.kind == "claim" else one.result)
        for one in reading.read(text, PLAYERS).statements
    }
    assert said == {("claim", "", "SEER"), ("result", "タダシ", "WEREWOLF")}
    assert reading.bears_out(text, PLAYERS, Statement("claim", role="SEER"))
    assert not reading.bears_out("タダシが占い師、拙者は村人。", PLAYERS, Statement("claim", role="SEER"))


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("占い師はわしじゃ。", "SEER"),
        ("占い師はあたしだよ。", "SEER"),
        ("占い師は拙者でござる。", "SEER"),
        ("本物の占い師はこの俺だ。", "SEER"),
        ("占い師だよ、あたし。", "SEER"),
        ("霊媒師はうちやで。", "MEDIUM"),
        ("占い師はわしじゃない。", ""),
        ("占い師は俺だと言いたいのか？", ""),
        ("占い師は私ではありません。", ""),
        ("占い師は俺だと思うのか。", ""),
    ],
)
def test_a_claim_is_heard_with_its_speaker_at_the_end(text: str, role: str) -> None:
    """In every voice; who denies it, or asks about it, claims nothing."""
    said = load_pack("ja").reading.read(text, PLAYERS).statements
    assert [one.role for one in said if one.kind == "claim"] == ([role] if role else [])
