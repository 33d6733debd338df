"""For tests of commands that check packs."""

from __future__ import annotations

from functools import partial

import pytest

from nlp_agent.prompting import check


@pytest.fixture
def one_village(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packs are rendered for a village of five only: that shipped ones are sound in all of them is tested once, where
    packs are (``tests/prompting``), and takes seconds for each."""
    monkeypatch.setattr(check, "check_folder", partial(check.check_folder, villages=(5,)))
