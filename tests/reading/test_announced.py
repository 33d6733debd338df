"""Votes, claims and results in the words of a strong model, which speaks more freely than any of our own lines."""

from __future__ import annotations

import pytest

from nlp_agent.reading.statement import Statement
from tests.selfplay import pack

VILLAGES = {
    "en": ("Agnes", "Elowen", "Hugo", "Lorcan", "Rosalind", "Barnaby", "Greta", "Nikolai", "Dmitri", "Jasper"),
    "ja": ("サヨリ", "ウララ", "ケイスケ", "イワオ", "ノドカ"),
}


def _vote(name: str) -> Statement:
    return Statement("vote", name)


def _result(name: str, result: str, role: str = "") -> Statement:
    return Statement("result", name, role, result)


SAID = [
    ("en", "@Hugo Sorry dear it's Agnes I suspect and I'll vote for Agnes.", _vote("Agnes")),
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
    ("ja", "黒出しに触れないサヨリさんに、今日は投票します。", _vote("サヨリ")),
    ("ja", "候補を絞らせたのはケイスケさん。今日は彼に投票します。", _vote("ケイスケ")),
    ("ja", "イワオさんを信じ、今日はウララさんに投票します。", _vote("ウララ")),
    ("ja", "わしが占い師だ。ケイスケを占った、人狼ではない。", _result("ケイスケ", "HUMAN", "SEER")),
]


@pytest.mark.parametrize(("language", "text", "said"), SAID)
def test_what_is_announced_is_read(language: str, text: str, said: Statement) -> None:
    """However freely it is put: the vote, or the result, that a talk announces."""
    assert said in pack(language).reading.read(text, VILLAGES[language]).statements


NOT_SAID = [
    ("en", "One called Elowen a wolf. No seer called me a wolf.", "result"),
    ("en", "No seer has called Agnes a wolf, I'm waiting.", "result"),
    ("en", "Barnaby is right about the bite, I withdraw the next check.", "retract"),
    ("en", "Yesterday I said I'd vote Agnes; today I ask you.", "vote"),
    ("en", "@Hugo Agnes still has friends. Who has my trust? You do.", "vote"),
    ("ja", "サヨリさんに、今日は何を聞きましょうか。", "vote"),
    ("ja", "わしはサヨリだ。海で働いている。", "vote"),
]


@pytest.mark.parametrize(("language", "text", "kind"), NOT_SAID)
def test_what_only_sounds_like_it_is_not(language: str, text: str, kind: str) -> None:
    """Somebody else's result, another thing taken back, and talk about voting bind nobody."""
    assert not pack(language).reading.read(text, VILLAGES[language]).of(kind)
