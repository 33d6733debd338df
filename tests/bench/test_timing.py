"""The timing of group chats, read from logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlp_agent.errors import StudyError
from nlp_agent.records.game_reader import read_game_log
from tests.bench.timing import main, measure_timing

_LOG = """0,status,1,SEER,ALIVE,a1,Ken
0,status,2,WEREWOLF,ALIVE,b1,Kenji
0,status,3,VILLAGER,ALIVE,c1,Ann
0,talk,0,0,1,Good morning.,1778641000
0,talk,1,0,3,@Kenji Are you a wolf?,1778641004
0,talk,2,1,3,Well?,1778641005
0,talk,3,0,2,No, and who are you?,1778641010
0,talk,4,1,2,@Ann Whom do you trust?,1778641020
0,talk,5,2,3,Over,1778641030
1,status,1,SEER,DEAD,a1,Ken
1,status,2,WEREWOLF,ALIVE,b1,Kenji
1,status,3,VILLAGER,ALIVE,c1,Ann
1,talk,0,0,3,One.,1778642000
1,talk,1,1,3,Two.,1778642000
"""


def test_gaps_answers_and_lengths_are_measured() -> None:
    """Every figure of a small log, worked out by hand; Ken is not spoken to where Kenji is."""
    game = read_game_log(_LOG)
    assert game is not None
    timing = measure_timing([game])
    assert (timing.games, timing.phases, timing.said) == (1, 2, 8)
    assert timing.lengths == [30, 0]
    assert timing.gaps == [4, 1, 5, 10, 10, 0]
    assert timing.own_gaps == [1, 10, 25, 0]
    assert timing.firsts == [0, 4, 10, 0]
    assert (timing.addressed, timing.answered, timing.answers) == (2, 1, [6])
    assert timing.overs == [30]
    assert timing.in_a_row == 3
    assert dict(timing.talks) == {1: 1, 2: 3, 0: 1}, "the dead do not count, who says nothing does"


def test_a_game_in_turns_has_no_timing() -> None:
    """Logs without times are passed over."""
    game = read_game_log(_LOG.replace(",1778641000\n", "\n"))
    assert game is not None
    assert measure_timing([game]).phases == 0


def test_the_command_shows_folders_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One table, a column for each folder; a folder without times is a clear mistake."""
    ours, real, turns = (tmp_path / name for name in ("ours", "real", "turns"))
    for folder in (ours, real, turns):
        folder.mkdir()
        text = _LOG if folder is not turns else _LOG.replace(",1778641000\n", "\n")
        (folder / "1.log").write_text(text, encoding="utf-8")
    assert main([str(ours), str(real)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["Measure", "ours", "real"]
    assert next(line for line in lines if line.startswith("answer when")).endswith("6 / 6 / 6 / 6 / 6")
    with pytest.raises(StudyError, match="--talk groupchat"):
        main([str(turns)])
