"""A player whom others call by a title alone is known by it, once it has been shown whose title that is."""

from __future__ import annotations

import pytest

from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.statement import Statement
from tests.selfplay import pack

VILLAGE = ("サヨリ", "ウララ", "ケイスケ", "イワオ", "ノドカ")
SHOWN = [
    ("ケイスケ", "サヨリ先生、おはようございます。"),
    ("ケイスケ", "@サヨリ 先生、おはよう。"),
    ("サヨリ", "先生はね、みんなの話を聞きたいよ。"),
]
MEANT = [
    ("先生に投票します。", Statement("vote", "サヨリ")),
    ("先生は人狼です。", Statement("result", "サヨリ", "", "WEREWOLF")),
    ("先生も怪しい。", Statement("suspect", "サヨリ")),
    ("先生、誰が怪しいですか？", Statement("ask", "サヨリ", topic="suspect", to="サヨリ")),
]


def _said(*talks: tuple[str, str]) -> tuple[Statement, ...]:
    """What the last of ``talks`` says to whoever has heard the others."""
    ledger = Ledger(reader=pack("ja").reading, players=VILLAGE)
    ledger.follow([Talk(idx=n, day=1, agent=who, text=text) for n, (who, text) in enumerate(talks)], [])
    return ledger.heard[-1].statements


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize(("text", "meant"), MEANT)
def test_a_title_alone_is_the_name_of_one_player(shown: tuple[str, str], text: str, meant: Statement) -> None:
    """By a name before the title, by an anchor, or by the player itself it is shown whose it is."""
    assert meant in _said(shown, ("イワオ", text))


@pytest.mark.parametrize(
    "before",
    [
        (),
        (("ケイスケ", "サヨリ先生、ウララ先生、おはようございます。"),),
        (("ケイスケ", "先生になりたかった。"),),
    ],
)
@pytest.mark.parametrize(("text", "meant"), MEANT)
def test_a_title_that_may_be_anybodys_names_nobody(
    before: tuple[tuple[str, str], ...], text: str, meant: Statement
) -> None:
    """Where nobody or more than one is called so, it is read as before."""
    assert all(said.target != "サヨリ" for said in _said(*before, ("イワオ", text)))


@pytest.mark.parametrize("text", ["学校の先生はサイコロを振らない。", "私は先生だ。", "先生のように静かに話す。"])
def test_a_title_as_a_mere_word_names_nobody(text: str) -> None:
    """A teacher of a school, what somebody is, and how somebody talks are no player."""
    assert all(said.target != "サヨリ" for said in _said(SHOWN[0], ("イワオ", text)))


def test_a_title_behind_a_name_is_taken_away() -> None:
    """ "サヨリ先生" is サヨリ, whoever has said it first."""
    assert Statement("vote", "サヨリ") in _said(("イワオ", "サヨリ先生に投票します。"))


@pytest.mark.parametrize("text", ["先生の票は？", "先生、答えてください。", "先生は誰を疑いますか？"])
def test_a_question_to_a_title_alone_asks_its_owner(text: str) -> None:
    """Once it has been shown of one player; before, and where two are called so, it asks nobody."""
    two = ("ケイスケ", "サヨリ先生、ウララ先生、おはようございます。")
    asked = {}
    for name, talks in (("shown", SHOWN[:1]), ("unknown", []), ("two", [two])):
        ledger = Ledger(reader=pack("ja").reading, players=VILLAGE)
        ledger.follow([Talk(idx=n, day=1, agent=who, text=said) for n, (who, said) in enumerate(talks)], [])
        asked[name] = ledger.reader.asked_in(text, VILLAGE, "イワオ", ledger.heard)
    assert asked == {"shown": {"サヨリ"}, "unknown": set(), "two": set()}
