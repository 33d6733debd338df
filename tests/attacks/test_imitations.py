"""Words of models that are somebody else's, as a table: the sentence at fault goes, the rest of the talk stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from nlp_agent.planning.plan import TalkPlan
from nlp_agent.protocol import Request
from nlp_agent.seat.review import ReviewContext
from tests.attacks.test_answers import turn

ROWS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "imitations.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=[f"{n}-{row['raw'][:30]!r}" for n, row in enumerate(ROWS)])
def test_words_of_somebody_else_are_left_out(row: dict[str, Any]) -> None:
    """Copies of others, other names, cases against oneself and the prompt go; agreement and good talk do not."""
    asked, prompt = turn(row.get("lang", "en"), row.get("role", "VILLAGER"), 1)
    review = asked.review(row["raw"], prompt)
    assert (review.problem.check.value if review.problem else "") == row.get("check", ""), review.problem
    if review.problem:
        plan = asked.decision.plan
        assert isinstance(plan, TalkPlan)
        context = ReviewContext(Request.TALK, plan, prompt, lambda _: TalkPlan())
        repaired = asked.setup.reviewer.repair(review, context)
        assert (repaired.text if repaired.problem is None else "") == row.get("left", "")
