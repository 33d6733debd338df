"""What the review says a voter could believe."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlp_agent.app.cli.app import main
from nlp_agent.records.game_files import find_games
from nlp_agent.review.knowledge import vote_knowledge
from nlp_agent.study.logs import vote_moments


def test_a_voter_could_believe_what_its_journal_says(tmp_path: Path) -> None:
    """``review`` and ``ask`` tell the same chances of the same vote."""
    with pytest.raises(SystemExit):
        main(["play", "--seed", "5", "--out", str(tmp_path)])
    (files,) = find_games([tmp_path])
    game = files.read()
    assert game is not None
    known = list(vote_knowledge(tuple(vote_moments(game))))
    compared = 0
    for seat in files.journals:
        for row in files.rows(seat):
            if row.get("event") == "decision" and row["request"] == "VOTE":
                believed = row["posterior"]["wolf"]
                (voter,) = (one for one in known if one.day == row["day"] and one.voter not in believed)
                for name, chance in voter.wolf.items():
                    assert chance == pytest.approx(believed[name], abs=0.02)
                    compared += 1
    assert compared > 4
