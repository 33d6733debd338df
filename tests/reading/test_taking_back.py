"""A denial takes a claim back where there is one, and is nothing but a denial where there is none."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger

PLAYERS = {"en": ("Ken", "Bram"), "ja": ("アカネ", "ゲンゾウ")}


@pytest.mark.parametrize(
    ("language", "claim", "denial"),
    [
        ("en", "I am the seer.", "I never claimed anything. I am a villager."),
        ("ja", "俺が占い師だ。", "俺は村人、名乗ってねえ。"),
    ],
)
def test_only_a_claim_is_taken_back(language: str, claim: str, denial: str) -> None:
    """The same words leave no claim where there was one, and blame nobody for changing where there was none."""
    pack, (who, _) = load_pack(language), PLAYERS[language]
    for first, taken in ((claim, True), ("", False)):
        ledger = Ledger(reader=pack.reading, players=PLAYERS[language])
        words = [text for text in (first, denial) if text]
        ledger.follow([Talk(idx=n, day=1, agent=who, text=text) for n, text in enumerate(words)], [])
        assert (who in ledger.liars) is taken
        assert ledger.claims.get(who, "") in ("", "VILLAGER")
