"""Journals played again: the same code gives the same game, and a choice that differs is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.tables import TableOptions, play_games
from nlp_agent.net import Stop
from tests.bench.replay_journal import main


def test_recorded_game_is_replayed_and_differences_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A recorded game is played again and another choice is named.

    Every target of every seat; a journal in which another vote stands is found out, with day, seat and why.
    """
    options = TableOptions(5, "en", 3, 1, tmp_path)
    asyncio.run(play_games(Config(), options, lambda _: None, lambda _: None, Stop()))
    assert main([str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "VOTE" in told
    assert " then, " not in told
    (journal,) = tmp_path.rglob("nlp-agent2.jsonl")
    rows = journal.read_text(encoding="utf-8").splitlines()
    at = next(at for at, row in enumerate(rows) if '"decision"' in row and '"VOTE"' in row)
    sent = rows[at].partition('"sent": "')[2].partition('"')[0]
    rows[at] = rows[at].replace(f'"sent": "{sent}"', '"sent": "Nobody"')
    journal.write_text("\n".join(rows), encoding="utf-8")
    assert main([str(tmp_path)]) == 1
    assert f"nlp-agent2 day 1 VOTE: Nobody then, {sent} now" in capsys.readouterr().out


def test_a_folder_without_targets_is_no_proof(tmp_path: Path) -> None:
    """Nothing compared is not the same as nothing changed."""
    assert main([str(tmp_path)]) == 2
