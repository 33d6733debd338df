"""What is made once is made before the game, so that a first talk is no slower than any other."""

from __future__ import annotations

import pytest

from nlp_agent.app.wiring.rehearsal import rehearse
from nlp_agent.prompting import load_pack
from nlp_agent.reading import finder
from nlp_agent.seat import Turn
from nlp_agent.seat.log import SeatLog


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_a_rehearsal_speaks_without_a_slip_and_leaves_nothing_to_compile(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The made-up seat finds words, its code does not fail, and its second time compiles no pattern that reads talk."""
    talks: list[str] = []
    crashes: list[str] = []
    own_words, crash = Turn.own_words, SeatLog.crash
    monkeypatch.setattr(Turn, "own_words", lambda turn: (own_words(turn), talks.append(turn.decision.text)))
    monkeypatch.setattr(SeatLog, "crash", lambda log, doing, *more: (crashes.append(doing), crash(log, doing, *more)))
    pack = load_pack(language)
    rehearse(pack)
    compiled: list[str] = []
    monkeypatch.setattr(finder, "needles", compiled.append)
    rehearse(pack)
    assert compiled == []
    assert all(talks)
    assert crashes == []
