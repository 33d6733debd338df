"""One game, one folder: whoever takes part in it, whenever it heard of it."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from nlp_agent.records.game_files import GAME_LOG, RecordFolders


def test_configs_of_one_process_share_a_folder(tmp_path: Path) -> None:
    """Also where the second hears of the game in the next second, before the first has written anything."""
    seconds, known = count(1), dict[tuple[Path, str], Path]()
    mine, rest = (RecordFolders(tmp_path, lambda: str(next(seconds)), known) for _ in range(2))
    assert mine.joined("ABC", "me1.jsonl") == rest.joined("ABC", "rest1.jsonl") == tmp_path / "1_ABC"


def test_processes_share_a_folder(tmp_path: Path) -> None:
    """The second finds what the first has written."""
    first = RecordFolders(tmp_path, lambda: "1").joined("ABC", "a1.jsonl")
    first.mkdir()
    (first / "a1.jsonl").touch()
    assert RecordFolders(tmp_path, lambda: "2").joined("ABC", "b1.jsonl") == first


def test_game_with_old_id_gets_its_own_folder(tmp_path: Path) -> None:
    """A game with an old id gets a folder of its own.

    A game is over where its log is, and another game where this seat's journal is: nothing is overwritten.
    """
    for old, file in (("1_ABC", "a1.jsonl"), ("2_ABC", GAME_LOG)):
        (tmp_path / old).mkdir()
        (tmp_path / old / file).touch()
    assert RecordFolders(tmp_path, lambda: "3").joined("ABC", "a1.jsonl") == tmp_path / "3_ABC"
