"""What a journal has in the AIWolf Protocol is told in plain words."""

from __future__ import annotations

import re

import pytest

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger
from nlp_agent.reading.protocol_language import write
from nlp_agent.records.decisions import _SHAPES, heard_in_words
from nlp_agent.web.rendering import load_texts, translate_journal

PLAYERS = ("Agnes", "Celeste", "Jasper")
TOLD = {
    "Agnes: COMINGOUT Agent[01] SEER; DIVINED Agent[03] WEREWOLF": (
        "Agnes: claims to be SEER; tells of a look that Jasper is WEREWOLF",
        "Agnes：占い師を名乗る；占いの結果、Jasperは人狼と言う",
    ),
    "Jasper: INQUIRE ANY (ESTIMATE ANY ANY)": ("Jasper: asks everybody something", "Jasper：みんなに何かを聞く"),
    "Jasper: INQUIRE Agent[02] (VOTED ANY)": (
        "Jasper: asks Celeste about a vote",
        "Jasper：Celesteに投票について聞く",
    ),
    "Jasper: INQUIRE Agent[02] (ESTIMATE ANY WEREWOLF)": (
        "Jasper: asks Celeste about suspects",
        "Jasper：Celesteに疑う相手を聞く",
    ),
    "Celeste: REQUEST ANY (VOTE Agent[01])": (
        "Celeste: wants everybody to vote for Agnes",
        "Celeste：みんなに、Agnesへの投票を求める",
    ),
    "Celeste: XOR (ESTIMATE Agent[01] WEREWOLF) (ESTIMATE Agent[03] WEREWOLF)": (
        "Celeste: says that Agnes or Jasper is a werewolf",
        "Celeste：AgnesとJasperのどちらかが人狼だと言う",
    ),
    "Celeste: NOT (VOTE Agent[09])": (
        "Celeste: takes back the vote for somebody",
        "Celeste：だれかへの投票の予告を取り消す",
    ),
    "Celeste: SOMETHING": ("Celeste: SOMETHING", "Celeste: SOMETHING"),
}


@pytest.mark.parametrize(("line", "told"), TOLD.items(), ids=list(TOLD))
def test_sentence_of_the_protocol_is_told_in_words(line: str, told: tuple[str, str]) -> None:
    """Numbers become names, and both languages have a phrase; what is not known stays as it is."""
    english = heard_in_words(line, PLAYERS)
    assert english == told[0]
    assert translate_journal(english, load_texts()["ja"]["journal"]) == told[1]


def test_line_without_players_stays() -> None:
    """A journal whose beginning is lost does not tell who is meant by a number."""
    assert heard_in_words("Agnes: VOTE Agent[01]", ()) == "Agnes: VOTE Agent[01]"


SAID = (
    "I am the seer and Jasper is a werewolf.",
    "I vote for Jasper.",
    "I suspect Jasper.",
    "I trust Celeste.",
    "I voted for Jasper.",
    "Whom do you suspect?",
    "Celeste what is your result?",
    "Please vote for Jasper everyone.",
)


@pytest.mark.parametrize("said", SAID)
def test_what_readers_write_has_a_phrase(said: str) -> None:
    """Whatever the reader of talk writes of real sentences is told without a word of the protocol."""
    ledger = Ledger(load_pack("en").reading, players=PLAYERS)
    ledger.follow([Talk(idx=0, day=1, turn=0, agent="Agnes", text=said)], [])
    for talk, sentences in ledger.sentences():
        told = heard_in_words(f"{talk.who}: {'; '.join(map(write, sentences))}", PLAYERS)
        assert not re.search(r"Agent\[|ANY|INQUIRE|ESTIMATE|REQUEST|VOTE\b|DIVINED", told), told


@pytest.mark.parametrize("phrase", _SHAPES.values())
def test_each_phrase_is_translated(phrase: str) -> None:
    """Every phrase of what was heard stands among those of the journal, so that it is told in Japanese too."""
    assert phrase in load_texts()["ja"]["journal"]
