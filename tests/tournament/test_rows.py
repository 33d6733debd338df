"""The rows of a tournament: what is written is read again, and a crash costs at most the line it tore."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nlp_agent.records.row_files import RowFile
from nlp_agent.records.summary import WordCounts
from nlp_agent.tournament.rows import ROWS_FILE, GameRow, SeatRow, read_rows


def _row(game: str) -> GameRow:
    seat = SeatRow("Aria", "a1", "WEREWOLF", contestant="bold", side="WEREWOLF", won=True, votes=((1, 2), (2, 0)))
    quiet = SeatRow("ケイ", "b1", "SEER", contestant="plain", money=None, words=WordCounts(talks=3, slips=["x"]))
    return GameRow("id", "WEREWOLF", 3, 7, {"SEER": 1}, "en", (seat, quiet), game=game, deal=game[:-2], tables="sides")


def test_a_row_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Seats, votes and words of any language come back equal."""
    with RowFile(tmp_path / ROWS_FILE) as file:
        file.append(_row("v-1-0").line())
        file.append(replace(_row("v-1-1"), sentences=frozenset({"X is a wolf."})).line())
    assert list(read_rows(tmp_path)) == [_row("v-1-0"), _row("v-1-1")], "sentences of a game are not kept"


def test_a_torn_line_is_passed_over(tmp_path: Path) -> None:
    """Half a line, as a crash leaves it, hides no row before or after it."""
    half = _row("v-1-1").line()[:80]
    (tmp_path / ROWS_FILE).write_text(
        f"{_row('v-1-0').line()}\n{half}\n{_row('v-2-0').line()}\n{half}", encoding="utf-8"
    )
    assert [row.game for row in read_rows(tmp_path)] == ["v-1-0", "v-2-0"]
    assert list(read_rows(tmp_path / "nowhere")) == []
    with RowFile(tmp_path / ROWS_FILE) as file:
        file.append(_row("v-3-0").line())
    assert [row.game for row in read_rows(tmp_path)] == ["v-1-0", "v-2-0", "v-3-0"]


def test_game_cost_is_unknown_if_a_seats_is() -> None:
    """A game costs what its seats cost, and that is unknown when one of them is.

    No price is taken for nothing.
    """
    assert _row("v-1-0").money is None
    free = GameRow("id", "NONE", 1, 1, {}, "en", (SeatRow("A", "a", "SEER", money=0.5), SeatRow("B", "b", "SEER")))
    assert free.money == 0.5
