"""The posterior and a model's judgement made one: certain things stay certain, and no opinion changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlp_agent.belief.facts import Fact
from nlp_agent.belief.fusion import Fusion, fuse, fusion_for
from nlp_agent.belief.mixture import MixedPosterior, look_mixed
from nlp_agent.belief.odds import SHIPPED_ODDS
from nlp_agent.belief.seat_posterior import Knowledge
from nlp_agent.protocol import Species
from tests.effort import examples

PLAYERS = ("Ann", "Ben", "Cleo", "Dan", "Eve")
COUNTS = (("WEREWOLF", 1), ("POSSESSED", 1), ("SEER", 1), ("VILLAGER", 2))
FACTS = (Fact("seer_claim_first", "Ben"), Fact("seer_black", "Ben", "Cleo"), Fact("seer_claim_second", "Dan"))


def _view(**known: str) -> MixedPosterior:
    found = look_mixed(Knowledge(PLAYERS, COUNTS, "Ann", "VILLAGER", known, PLAYERS), FACTS, SHIPPED_ODDS)
    assert found is not None
    return found


def _fused(view: MixedPosterior, opinion: dict[str, float], fusion: Fusion) -> dict[str, float]:
    fused = fuse(view, opinion, fusion)
    assert fused is not None
    return fused.wolf


def test_equal_suspicion_of_everybody_changes_nothing() -> None:
    """An opinion that suspects everybody alike changes nothing.

    Only differences count: a model that suspects all alike has said nothing.
    """
    view = _view()
    same = _fused(view, dict.fromkeys(PLAYERS[1:], 0.4), Fusion(1.0, 1.5))
    assert same == pytest.approx(view.wolf)


def test_suspicion_moves_its_target_and_then_the_others() -> None:
    """A suspicion moves whom it names, and the others by what is left.

    One wolf lives: what one player gains the others lose.
    """
    view = _view()
    moved = _fused(view, {"Ben": 0.1, "Cleo": 0.1, "Dan": 0.7, "Eve": 0.1}, Fusion(1.0, 1.0))
    assert moved["Dan"] > view.wolf["Dan"]
    assert moved["Cleo"] < view.wolf["Cleo"]
    assert sum(moved.values()) == pytest.approx(1.0)


@examples(50)
@given(st.lists(st.floats(0.0, 1.0), min_size=4, max_size=4), st.floats(0.0, 1.0), st.floats(0.0, 2.0))
def test_certain_facts_stay_certain_against_a_model(p: list[float], core: float, model: float) -> None:
    """What is certain stays certain whatever a model thinks.

    No estimate outweighs a constraint, and chances remain chances.
    """
    view = _view(Cleo=Species.HUMAN)
    fused = _fused(view, dict(zip(PLAYERS[1:], p, strict=True)), Fusion(core, model))
    assert fused["Ann"] == fused["Cleo"] == 0.0
    assert sum(fused.values()) == pytest.approx(1.0)
    sure = _view(Cleo=Species.WEREWOLF)
    assert _fused(sure, dict(zip(PLAYERS[1:], p, strict=True)), Fusion(core, model))["Cleo"] == pytest.approx(1.0)


def test_untrusted_model_leaves_the_posterior_unchanged() -> None:
    """Trust scales both sides: without any of it the facts count in full."""
    view, opinion = _view(), {"Ben": 0.9, "Cleo": 0.1, "Dan": 0.1, "Eve": 0.1}
    assert _fused(view, opinion, fusion_for(3).trusting(0.0)) == pytest.approx(view.wolf)
    half, whole = (_fused(view, opinion, fusion_for(1).trusting(share))["Ben"] for share in (0.5, 1.0))
    assert view.wolf["Ben"] < half < whole
