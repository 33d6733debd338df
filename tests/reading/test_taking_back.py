"""A denial takes a claim back where there is one, and is nothing but a denial where there is none."""

from __future__ import annotations

import pytest

from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Talk
from nlp_agent.reading.ledger import Ledger

THREE = {"en": ("Agnes", "Hugo", "Mirabel"), "ja": ("サヨリ", "ハヤテ", "ウララ")}
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


@pytest.mark.parametrize(
    ("language", "players", "text"),
    [
        ("en", THREE["en"], "@Mirabel I confess. My whole seer claim was a lie. I vote for Agnes."),
        ("en", THREE["en"], "My claim to be the seer was a lie."),
        ("en", THREE["en"], "I only pretended to be the seer."),
        ("en", THREE["en"], "@Mirabel Forgive me: I'm no seer. Execute me if I'm the wolf."),
        ("ja", THREE["ja"], "占い師を騙っていました。"),
        ("ja", THREE["ja"], "さっきのCOは嘘だ。"),
        ("ja", THREE["ja"], "白状するよ、私は村人で黒は釣り餌さ。"),
    ],
)
def test_a_confessed_lie_takes_the_claim_back(language: str, players: tuple[str, ...], text: str) -> None:
    """Minds that played said it so, and the case of the withdrawn claim stayed in every prompt."""
    said = load_pack(language).reading.read(text, players)
    assert [statement.kind for statement in said.of("unclaim")] == ["unclaim"]


@pytest.mark.parametrize(
    ("language", "players", "text"),
    [
        ("en", THREE["en"], "Hugo's seer claim was a lie."),
        ("en", THREE["en"], "Hugo only pretended to be the seer."),
        ("ja", THREE["ja"], "ハヤテは占い師を騙っていました。"),
        ("ja", THREE["ja"], "ハヤテのCOは嘘だ。"),
    ],
)
def test_what_is_said_of_another_takes_nothing_back(language: str, players: tuple[str, ...], text: str) -> None:
    """Only one's own claim can be taken back."""
    assert not list(load_pack(language).reading.read(text, players).of("unclaim"))
