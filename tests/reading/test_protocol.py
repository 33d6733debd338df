"""Talk in the protocol's own language, read into statements of its speaker."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.protocol_language import ProtocolReader
from nlp_agent.reading.statement import Statement

S = Statement
PLAYERS = tuple(f"Agent[{number:02}]" for number in range(1, 16))
ONE, TWO, THREE, FOUR = PLAYERS[:4]


def _ledger(*talks: tuple[str, str]) -> Ledger:
    ledger = Ledger(ProtocolReader(), players=PLAYERS)
    for idx, (who, text) in enumerate(talks):
        ledger.observe(Talk(day=1, idx=idx, agent=who, text=text))
    return ledger


def _said(text: str, who: str = ONE) -> tuple[S, ...]:
    heard = _ledger((who, text)).heard
    return heard[0].statements


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("COMINGOUT Agent[01] SEER", [S("claim", role="SEER")]),
        ("Agent[01] COMINGOUT Agent[01] MEDIUM", [S("claim", role="MEDIUM")]),
        ("NOT (COMINGOUT Agent[01] SEER)", [S("unclaim", role="SEER")]),
        ("COMINGOUT Agent[02] WEREWOLF", [S("suspect", TWO)]),
        ("DIVINED Agent[02] WEREWOLF", [S("result", TWO, "SEER", "WEREWOLF")]),
        ("DAY 1 (DIVINED Agent[02] HUMAN)", [S("result", TWO, "SEER", "HUMAN")]),
        ("IDENTIFIED Agent[03] HUMAN", [S("result", THREE, "MEDIUM", "HUMAN")]),
        ("ESTIMATE Agent[02] WEREWOLF", [S("suspect", TWO)]),
        ("ESTIMATE Agent[02] VILLAGER", [S("trust", TWO)]),
        ("ESTIMATE Agent[02] POSSESSED", []),
        ("NOT (ESTIMATE Agent[02] WEREWOLF)", [S("trust", TWO)]),
        ("NOT (ESTIMATE Agent[02] SEER)", [S("suspect", TWO)]),
        ("NOT (NOT (ESTIMATE Agent[02] WEREWOLF))", [S("suspect", TWO)]),
        ("ESTIMATE Agent[01] VILLAGER", []),
        ("VOTE Agent[02]", [S("vote", TWO)]),
        ("NOT (VOTE Agent[02])", [S("retract")]),
        ("DAY 1 (VOTED Agent[02])", [S("voted", TWO)]),
        ("GUARDED Agent[02]", [S("guarded", TWO)]),
        ("GUARD Agent[02]", [S("night", TWO, topic="guard")]),
        ("DIVINATION Agent[02]", [S("night", TWO, topic="divine")]),
        ("ATTACK Agent[02]", [S("attack", TWO)]),
        ("VOTE ANY", []),
        ("AND (VOTE Agent[02]) (REQUEST ANY (VOTE Agent[02]))", [S("vote", TWO), S("demand", TWO, topic="vote")]),
        ("REQUEST Agent[03] (VOTE Agent[02])", [S("demand", TWO, topic="vote", to=THREE)]),
        ("REQUEST Agent[03] (GUARD Agent[02])", [S("demand", TWO, topic="guard", to=THREE)]),
        ("REQUEST Agent[03] (DIVINATION Agent[02])", [S("demand", TWO, topic="divine", to=THREE)]),
        ("REQUEST ANY (ATTACK Agent[02])", [S("attack", TWO)]),
        ("REQUEST ANY (ESTIMATE Agent[02] WEREWOLF)", [S("suspect", TWO)]),
        ("REQUEST Agent[03] (COMINGOUT Agent[03] ANY)", [S("ask", THREE, topic="role")]),
        (
            "REQUEST ANY (OR (VOTE Agent[02]) (VOTE Agent[03]))",
            [S("demand", TWO, topic="vote"), S("demand", THREE, topic="vote")],
        ),
        ("INQUIRE Agent[03] (ESTIMATE ANY WEREWOLF)", [S("ask", THREE, topic="suspect")]),
        ("INQUIRE Agent[03] (ESTIMATE ANY SEER)", [S("ask", THREE, topic="believe")]),
        ("INQUIRE Agent[03] (COMINGOUT Agent[03] ANY)", [S("ask", THREE, topic="role")]),
        ("INQUIRE ANY (VOTE ANY)", [S("ask", "", topic="vote")]),
        ("INQUIRE Agent[03] (VOTED ANY)", [S("ask", THREE, topic="why_vote")]),
        ("INQUIRE Agent[03] (DIVINED Agent[02] ANY)", [S("ask", THREE, topic="result")]),
        (
            "BECAUSE (DAY 1 (DIVINED Agent[02] WEREWOLF)) (REQUEST ANY (VOTE Agent[02]))",
            [S("result", TWO, "SEER", "WEREWOLF"), S("demand", TWO, topic="vote")],
        ),
        ("BECAUSE (Agent[04] VOTED Agent[01]) (VOTE Agent[04])", [S("vote", FOUR)]),
        (
            "BECAUSE (AND (COMINGOUT Agent[01] SEER) (Agent[02] COMINGOUT Agent[02] SEER)) "
            "(XOR (ESTIMATE Agent[02] WEREWOLF) (ESTIMATE Agent[02] POSSESSED))",
            [S("claim", role="SEER"), S("suspect", TWO)],
        ),
        ("XOR (ESTIMATE Agent[02] WEREWOLF) (ESTIMATE Agent[03] WEREWOLF)", [S("either", TWO, to=THREE)]),
        ("OR (VOTE Agent[02]) (VOTE Agent[03])", []),
        ("NOT (AND (VOTE Agent[02]) (VOTE Agent[03]))", []),
        ("Agent[02] VOTE Agent[03]", []),
        ("ANY VOTE Agent[03]", []),
        ("I think it is Agent[02].", []),
        ("VOTE Agent[99]", []),
    ],
)
def test_a_sentence_says_what_its_speaker_states(text: str, statements: list[S]) -> None:
    """What it reports of others, supposes or denies in part is no statement of its own."""
    assert list(_said(text)) == statements


def test_meaning_of_words_depends_on_the_speaker() -> None:
    """The same words say different things of different speakers.

    Whose claim it is follows from who speaks.
    """
    assert _said("COMINGOUT Agent[02] SEER", TWO) == (S("claim", role="SEER"),)
    assert _said("COMINGOUT Agent[02] SEER", THREE) == (S("trust", TWO),)


def test_agreement_says_what_it_agrees_with() -> None:
    """An opinion or a vote becomes the speaker's own; a claim or a result does not."""
    ledger = _ledger(
        (ONE, "AND (COMINGOUT Agent[01] SEER) (DIVINED Agent[02] WEREWOLF) (ESTIMATE Agent[03] WEREWOLF)"),
        (FOUR, "AGREE TALK day1 ID:0"),
        (THREE, "AGREE TALK day1 ID:0"),
        (TWO, "DISAGREE TALK day1 ID:0"),
        (TWO, "AGREE TALK day7 ID:0"),
        (ONE, "AGREE TALK day1 ID:0"),
    )
    assert ledger.heard[1].statements == (S("agree", ONE), S("suspect", THREE))
    assert ledger.heard[2].statements == (S("agree", ONE),)
    assert ledger.heard[3].statements == (S("disagree", ONE),)
    assert ledger.heard[4].statements == ledger.heard[5].statements == ()
    assert ledger.claims == {ONE: "SEER"}


def test_the_ledger_keeps_claims_results_votes_and_opinions() -> None:
    """A day of a real game, as its sample players spoke."""
    ledger = _ledger(
        (TWO, "COMINGOUT Agent[02] SEER"),
        (THREE, "COMINGOUT Agent[03] SEER"),
        (TWO, "DAY 1 (DIVINED Agent[01] HUMAN)"),
        (THREE, "DAY 1 (DIVINED Agent[02] WEREWOLF)"),
        (ONE, "AND (VOTE Agent[02]) (REQUEST ANY (VOTE Agent[02]))"),
        (ONE, "AND (VOTE Agent[03]) (REQUEST ANY (VOTE Agent[03]))"),
        (FOUR, "INQUIRE Agent[01] (VOTE ANY)"),
    )
    assert ledger.claims == {TWO: "SEER", THREE: "SEER"}
    assert [(r.target, r.result) for r in ledger.results[THREE]] == [(TWO, "WEREWOLF")]
    assert ledger.votes == {(1, ONE): THREE}
    assert [(ask.who, ask.target, ask.topic) for ask in ledger.asks] == [(FOUR, ONE, "vote")]


def test_no_reference_text_breaks_the_reader() -> None:
    """Nothing that the Java reference accepts or refuses breaks the reader.

    All texts of the reference vectors, legal or not, from every seat.
    """
    file = Path(__file__).parent.parent / "data" / "protocol_language.jsonl.gz"
    with gzip.open(file, "rt", encoding="utf-8") as rows:
        texts = [row["text"] for line in rows if "text" in (row := json.loads(line)) and row["text"]]
    reader = ProtocolReader()
    for who in (ONE, PLAYERS[-1], "nobody"):
        ledger = Ledger(reader, players=PLAYERS)
        for idx, text in enumerate(texts):
            ledger.observe(Talk(day=1, idx=idx, agent=who, text=text))
    assert len(texts) > 500
