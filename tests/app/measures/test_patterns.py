"""What talks plainly say, read by patterns that no talk is filtered by."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from nlp_agent.app.measures import patterns
from nlp_agent.app.measures.patterns import Letters, PlainStatement, read_statements

EN, JA, ZH = ("Anna", "Ben", "Cora"), ("アズサ", "ハヤテ", "サヨリ"), ("小梅", "阿福", "老周")


@pytest.mark.parametrize(
    ("text", "players", "said"),
    [
        ("I'm the seer. I divined Ben last night and he is not a werewolf.", EN, ["claim SEER", "result Ben HUMAN"]),
        ("Ben turned out to be a wolf!", EN, ["result Ben WEREWOLF"]),
        ("If I am the seer then Ben is human. Are you the medium? Perhaps Cora is a wolf.", EN, []),
        ("@Ben My vote goes to Cora. We executed Anna.", EN, ["vote Cora ", "death Anna "]),
        ("I vote for Roderick.", EN, ["stranger Roderick "]),
        ("私が占い師です。ハヤテさんを占った結果、人狼ではなかった。", JA, ["claim SEER", "result ハヤテ HUMAN"]),
        ("サヨリさんに投票します。ハヤテは人狼かもしれない。", JA, ["vote サヨリ "]),
        ("サヨリは昨夜処刑されました。", JA, ["death サヨリ "]),
        ("我就是预言家。我昨晚查了阿福，他是好人。", ZH, ["claim SEER", "result 阿福 HUMAN"]),
        ("我投老周。如果阿福是狼人呢？", ZH, ["vote 老周 "]),
    ],
)
def test_plain_statements_are_read_and_guesses_are_not(text: str, players: tuple[str, ...], said: list[str]) -> None:
    """Claims, results, votes, deaths and unknown names, in three languages."""

    def told(each: PlainStatement) -> str:
        return f"claim {each.value}" if each.kind == "claim" else f"{each.kind} {each.name} {each.value}"

    assert [told(each) for each in read_statements(text, players)] == said


def test_a_repetition_has_most_of_its_letters_in_common() -> None:
    """One word more or less is the same talk; another name in a long one too, another thought is not."""
    line = "I would like to hear what Ben has to say about the vote of yesterday."
    assert Letters(line).repeats(Letters(line.replace("yesterday", "today")))
    assert Letters("I agree.").repeats(Letters("i agree"))
    assert not Letters("I agree.").repeats(Letters("I disagree."))
    assert not Letters(line).repeats(Letters("I would like to hear who of you trusts the seer and why."))


def test_the_measures_share_no_pattern_with_what_filters() -> None:
    """Nothing of the rooms that read, write or check talk is imported here."""
    tree = ast.parse(Path(patterns.__file__).read_text(encoding="utf-8"))
    own = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert {module for module in own if module.startswith("nlp_agent")} == {"nlp_agent.protocol"}
