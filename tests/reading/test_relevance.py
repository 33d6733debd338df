"""What a talk in a group chat means to whoever is thinking about the next one of its own."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Talk
from nlp_agent.reading.statement import Relevance, relevance

PLAYERS = ("Mia", "Leo", "Ida", "Sam", "Eva")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@Mia Whom do you suspect?", Relevance.DIRECT),
        ("Tell us. @Mia what about you?", Relevance.DIRECT),
        ("I suspect Mia.", Relevance.DIRECT),
        ("I am the seer. Mia is a werewolf.", Relevance.DIRECT),
        ("I will vote for Mia.", Relevance.DIRECT),
        ("I am the seer. Ida is human.", Relevance.FACTS),
        ("I am the medium.", Relevance.FACTS),
        ("Good morning everyone.", Relevance.NONE),
        ("I suspect Ida.", Relevance.NONE),
        ("Over", Relevance.NONE),
    ],
)
def test_only_what_concerns_us_or_the_facts_disturbs(text: str, expected: Relevance) -> None:
    """Words to us or against us, claims and results; small talk and quarrels of others do not."""
    reading = load_pack("en").reading.read(text, PLAYERS)
    assert relevance(Talk(agent="Leo", text=text), reading, "Mia") is expected
    assert relevance(Talk(agent="Mia", text=text), reading, "Mia") is Relevance.NONE
