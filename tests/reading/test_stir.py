"""What a talk in a group chat means to whoever is thinking about the next one of its own."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import read_talk
from nlp_agent.reading.stir import Stir, stir

PLAYERS = ("Mia", "Leo", "Ida", "Sam", "Eva")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@Mia Whom do you suspect?", Stir.AT_US),
        ("Tell us. @Mia what about you?", Stir.AT_US),
        ("I suspect Mia.", Stir.AT_US),
        ("I am the seer. Mia is a werewolf.", Stir.AT_US),
        ("I will vote for Mia.", Stir.AT_US),
        ("I am the seer. Ida is human.", Stir.CHANGES),
        ("I am the medium.", Stir.CHANGES),
        ("Good morning everyone.", Stir.NONE),
        ("I suspect Ida.", Stir.NONE),
        ("Over", Stir.NONE),
    ],
)
def test_only_what_concerns_us_or_the_facts_disturbs(text: str, expected: Stir) -> None:
    """Words to us or against us, claims and results; small talk and quarrels of others do not."""
    statements = read_talk(load_pack("en").reading, text, PLAYERS)
    assert stir(Talk(agent="Leo", text=text), statements, "Mia") is expected
    assert stir(Talk(agent="Mia", text=text), statements, "Mia") is Stir.NONE
