"""What is made once is made before the game, so that a first talk is no slower than any other."""

from __future__ import annotations

from typing import Any

import pytest

from nlp_agent.app.wiring.rehearsal import rehearse
from nlp_agent.prompting import load_pack
from nlp_agent.reading import patterns
from nlp_agent.seat import Seat


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_a_rehearsal_speaks_without_a_slip_and_leaves_nothing_to_compile(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The made-up seat finds words, its code does not fail, and its second time compiles no pattern that reads talk."""
    talks: list[str] = []
    crashes: list[str] = []
    prepare, crash = Seat.prepare, Seat._crash
    monkeypatch.setattr(Seat, "prepare", lambda seat, packet: _kept(talks, prepare(seat, packet)))
    monkeypatch.setattr(Seat, "_crash", lambda seat, doing, *more: (crashes.append(doing), crash(seat, doing, *more)))
    pack = load_pack(language)
    rehearse(pack)
    compiled = patterns.compiled.cache_info().misses
    rehearse(pack)
    assert patterns.compiled.cache_info().misses == compiled
    assert all(talks)
    assert crashes == []


def _kept(talks: list[str], decision: Any) -> Any:
    talks.append(decision.text)
    return decision
