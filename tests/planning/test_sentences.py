"""What a plan says in the AIWolf Protocol."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nlp_agent.game import SeatState
from nlp_agent.planning.acts import FOUND, SpeechAct, forms_of, sample_acts_of_all_kinds
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.planning.protocol_sentences import SentenceWriter, sayable
from nlp_agent.protocol import Talk, Vote
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.protocol_language import ProtocolReader, is_legal, write
from nlp_agent.voice.own_words import ProtocolLines

PLAYERS = tuple(f"Agent[{number:02}]" for number in range(1, 6))
ME, TWO, THREE = PLAYERS[:3]


def _seat() -> tuple[SeatState, Ledger]:
    state = SeatState(me=ME, role="SEER", day=2, players=PLAYERS, alive=PLAYERS)
    state.votes[1] = (Vote(day=1, agent=ME, target=THREE),)
    ledger = Ledger(ProtocolReader(), players=PLAYERS)
    said = (
        (TWO, "AND (COMINGOUT Agent[02] SEER) (DIVINED Agent[03] WEREWOLF)"),
        (TWO, "ESTIMATE Agent[01] WEREWOLF"),
        (THREE, "REQUEST Agent[01] (VOTE Agent[02])"),
        (ME, "AND (COMINGOUT Agent[01] SEER) (VOTE Agent[03])"),
    )
    for idx, (who, text) in enumerate(said):
        ledger.observe(Talk(day=2, idx=idx, agent=who, text=text))
    return state, ledger


def _text(*acts: SpeechAct) -> str:
    return ProtocolLines(*_seat()).say(TalkPlan(acts))


@pytest.mark.parametrize(
    ("act", "text"),
    [
        (SpeechAct("claim", role="SEER"), "COMINGOUT Agent[01] SEER"),
        (
            SpeechAct("result", THREE, role="SEER", result="WEREWOLF", day=0),
            "DAY 1 (DIVINED Agent[03] WEREWOLF)",
        ),
        (SpeechAct("result", THREE, role="MEDIUM", result="HUMAN"), "IDENTIFIED Agent[03] HUMAN"),
        (SpeechAct("vote", THREE), "AND (VOTE Agent[03]) (REQUEST ANY (VOTE Agent[03]))"),
        (SpeechAct("retract", TWO), "AND (NOT (VOTE Agent[03])) (VOTE Agent[02])"),
        (
            SpeechAct("suspect", THREE, proof=FOUND),
            "BECAUSE (DIVINED Agent[03] WEREWOLF) (ESTIMATE Agent[03] WEREWOLF)",
        ),
        (
            SpeechAct("suspect", THREE, proof=("seer_black_by",), other=TWO),
            "BECAUSE (Agent[02] DIVINED Agent[03] WEREWOLF) (ESTIMATE Agent[03] WEREWOLF)",
        ),
        (
            SpeechAct("vote", THREE, proof=("voted_HUMAN", "voted"), other=TWO, day=1),
            "BECAUSE (DAY 1 (Agent[03] VOTED Agent[02])) (AND (VOTE Agent[03]) (REQUEST ANY (VOTE Agent[03])))",
        ),
        (
            SpeechAct("trust", TWO, proof=("seer_claim_first",)),
            "BECAUSE (Agent[02] COMINGOUT Agent[02] SEER) (ESTIMATE Agent[02] SEER)",
        ),
        (SpeechAct("suspect", THREE, proof=("hunch",)), "ESTIMATE Agent[03] WEREWOLF"),
        (SpeechAct("react", THREE, to=TWO, topic="seer_WEREWOLF"), "AGREE TALK day2 ID:0"),
        (SpeechAct("react", THREE, to=TWO, topic="doubt_WEREWOLF"), "DISAGREE TALK day2 ID:0"),
        (SpeechAct("reply", to=THREE, topic="doubt"), "DISAGREE TALK day2 ID:2"),
        (SpeechAct("defend", to=TWO), "AND (DISAGREE TALK day2 ID:1) (NOT (ESTIMATE Agent[01] WEREWOLF))"),
        (SpeechAct("ask", THREE, to=TWO, topic="why"), "INQUIRE Agent[02] (ESTIMATE Agent[03] WEREWOLF)"),
        (SpeechAct("ask", to=TWO, topic="believe"), "INQUIRE Agent[02] (ESTIMATE ANY SEER)"),
        (SpeechAct("answer", THREE, to=TWO, topic="why_vote"), "DAY 1 (VOTED Agent[03])"),
        (SpeechAct("answer", THREE, to=TWO, topic="vote"), "VOTE Agent[03]"),
        (
            SpeechAct("confess", THREE, role="POSSESSED"),
            "AND (COMINGOUT Agent[01] POSSESSED) (VOTE Agent[03])",
        ),
        (SpeechAct("attack", TWO, topic="seer"), "ATTACK Agent[02]"),
        (SpeechAct("executed", THREE, topic="unsure"), "DAY 1 (VOTED Agent[03])"),
        (SpeechAct("morning", topic="quiet"), "Skip"),
    ],
)
def test_an_act_is_one_legal_sentence(act: SpeechAct, text: str) -> None:
    """With its reason in front where it has one, and the talk named that it answers."""
    assert _text(act) == text


def test_what_belongs_together_is_said_in_one_sentence() -> None:
    """A claim comes with its results, and nothing is nested that need not be."""
    claim = SpeechAct("claim", role="SEER")
    result = SpeechAct("result", THREE, role="SEER", result="WEREWOLF", day=0)
    text = "AND (COMINGOUT Agent[01] SEER) (DAY 1 (DIVINED Agent[03] WEREWOLF))"
    assert _text(claim, result) == _text(claim, result, result) == text
    assert ProtocolLines(*_seat()).say(TalkPlan(over=True)) == "Over"


def test_every_act_is_legal_or_skipped() -> None:
    """Every act in every form is legal or skipped.

    The whole table of acts, with and without reasons: what has a word is legal, what has none says nothing.
    """
    sentences, lines = SentenceWriter(*_seat()), ProtocolLines(*_seat())
    for sample in sample_acts_of_all_kinds(THREE, TWO, 1, ""):
        for act in forms_of(sample):
            for proof in ((), ("voted_by",), ("seer_rivals",), ("attacked",), ("medium_black",), ("suspects_by",)):
                reasoned = replace(act, proof=proof, other=TWO) if proof and act.variant.reasoned else act
                found = sentences.of(reasoned)
                assert found is None or is_legal(write(found)), act
                assert found is None or sayable(act), act
                assert is_legal(lines.say(TalkPlan((reasoned,))))
