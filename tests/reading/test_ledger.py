"""Reading talk and keeping it in the ledger."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger, Statement, read_talk
from nlp_agent.reading.sentence import is_legal, write
from tests.selfplay import pack

EN = ("May", "Rin", "Hugo", "Imogen")
JA = ("レイ", "はな", "アリス", "ハル")


def ledger_of(language: str, players: tuple[str, ...], *talks: tuple[str, str]) -> Ledger:
    ledger = Ledger(players=players)
    for idx, (who, text) in enumerate(talks):
        said = read_talk(pack(language).reading, text, players)
        ledger.add(Talk(day=1, idx=idx, turn=0, agent=who, text=text), said)
    return ledger


def test_a_result_in_the_first_person_claims_the_gift() -> None:
    """Who has divined somebody is a seer without having said so."""
    ledger = ledger_of("en", EN, ("May", "I divined Hugo last night. He is a werewolf."))
    assert ledger.claims == {"May": "SEER"}
    assert [(r.target, r.result) for r in ledger.results["May"]] == [("Hugo", "WEREWOLF")]


def test_a_name_that_ends_a_sentence_is_not_spoken_to() -> None:
    """Whoever a talk is anchored to stays addressed while others are spoken of, unless a comma calls them."""
    rules = pack("en").reading
    told = read_talk(rules, "@Rin There was one seer and to me it was Hugo. So I'll vote for you.", EN)
    assert [s.target for s in told if s.kind == "vote"] == ["Rin"]
    asked = read_talk(rules, "@Rin I would like to understand. What led you to check Hugo?", EN)
    assert [s.target for s in asked if s.kind == "ask"] == ["Rin"]
    called = read_talk(rules, "@Rin I see. Then let us hear, Hugo. I'll vote for you.", EN)
    assert [s.target for s in called if s.kind == "vote"] == ["Hugo"]


def test_a_claim_taken_back_is_remembered_as_such() -> None:
    """A retracted claim no longer stands, and its player has contradicted itself."""
    ledger = ledger_of("ja", JA, ("レイ", "占い師COします。"), ("レイ", "占い師COを撤回します。"))
    assert not ledger.claims
    assert ledger.unclaimed == {"レイ": "SEER"}
    assert "レイ" in ledger.liars


def test_the_ledger_tells_talks_as_sentences() -> None:
    """Every talk that says something is there in the language of the protocol, numbered by the village's order."""
    ledger = ledger_of(
        "en",
        EN,
        ("Rin", "I'm the medium. Hugo was a werewolf."),
        ("May", "I vote Imogen. I guarded Rin last night."),
        ("May", "I take back my vote for Imogen."),
        ("Imogen", "Nice weather."),
        ("Imogen", "@May why did you vote for me?"),
        ("Hugo", "I agree with May. Either Rin or Imogen is the wolf."),
    )
    told = [(heard.who, [write(sentence) for sentence in found]) for heard, found in ledger.sentences()]
    assert told == [
        ("Rin", ["COMINGOUT Agent[02] MEDIUM", "IDENTIFIED Agent[03] WEREWOLF"]),
        ("May", ["VOTE Agent[04]", "GUARDED Agent[02]"]),
        ("May", ["NOT (VOTE Agent[04])"]),
        ("Imogen", ["INQUIRE Agent[01] (VOTED ANY)"]),
        (
            "Hugo",
            ["AGREE TALK day1 ID:2", "XOR (ESTIMATE Agent[02] WEREWOLF) (ESTIMATE Agent[04] WEREWOLF)"],
        ),
    ]
    assert [write(sentence) for sentence in ledger.said_by("Rin")] == told[0][1]


def test_other_peoples_words_are_not_the_speakers() -> None:
    """A quoted or reported claim belongs to nobody who only repeats it."""
    for text in ('"I am the seer" says Hugo.', "Hugo says he is the seer.", "If I were the seer I would say so."):
        assert not any(s.kind in ("claim", "result") for s in read_talk(pack("en").reading, text, EN)), text


WORDS = st.sampled_from(
    ["I am the seer", "占い師", "@May", "レイ", "is a werewolf", "黒", "?", "。", "「", '"', "\ue001", " "]
)


@pytest.mark.parametrize(("language", "players"), [("en", EN), ("ja", JA)])
@given(text=st.text(max_size=200) | st.lists(WORDS, max_size=20).map("".join))
def test_any_text_can_be_read(language: str, players: tuple[str, ...], text: str) -> None:
    """Whatever is said, reading never fails, names only players, and gives legal sentences."""
    ledger = ledger_of(language, players, (players[0], text))
    for heard in ledger.heard:
        assert all({said.target, said.to} <= {*players, ""} for said in heard.statements)
    assert all(is_legal(write(sentence)) for _, found in ledger.sentences() for sentence in found)


def test_statements_compare_by_what_they_say() -> None:
    """Two readings of the same words are equal, so that readings can be kept."""
    rules = pack("en").reading
    assert (
        read_talk(rules, "I vote Rin.", EN)
        == (Statement("vote", target="Rin"),)
        == read_talk(rules, "I vote  Rin.", EN)
    )
