"""What others wrote is shown, and does nothing."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from nlp_agent.app.cli.common import printable
from nlp_agent.app.cli.screen import Screen, wrapped

NASTY = "\x1b[2J\x1b]0;PWN\x07Bob\r\0\x9b31m\u202edesrever\u2066\u200f\ud800"


def _shown(screen: Screen) -> str:
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def test_printable_text_is_one_harmless_line() -> None:
    """A printable text is one line that steers nothing.

    Sequences, marks of direction, halves of characters and line ends are replaced; words stay.
    """
    told = printable(f"a\n{NASTY}\u2028b\x85c")
    assert told.isprintable()
    assert "Bob" in told
    assert printable("Ōkami 狼 👩🏽 é") == "Ōkami 狼 👩🏽 é"


@pytest.mark.parametrize("terminal", [True, False])
def test_no_output_lets_a_control_sequence_through(terminal: bool) -> None:
    """No way onto the screen lets a control sequence through.

    Plain, styled, in a table or in its title: only rich's own styles reach the terminal.
    """
    screen = Screen(file=io.StringIO(), force_terminal=terminal, color_system=None, width=200, markup=False)
    table = Table(NASTY, title=NASTY)
    table.add_row(NASTY, Text(NASTY, style="bold"))
    for thing in (NASTY, Text(NASTY), table):
        screen.print(thing)
    shown = _shown(screen)
    assert "Bob" in shown
    for sign in ("\x1b[2J", "\x1b]", "\x07", "\0", "\x9b", "\u202e", "\u2066", "\u200f", "\r"):
        assert sign not in shown


def test_what_happened_is_told_on_one_line() -> None:
    """A name with a line end cannot tell something else."""
    screen = Screen(file=io.StringIO(), width=200, soft_wrap=True)
    screen.tell("Bob\nGame 1: WEREWOLF: waiting\x1b[2J")
    assert _shown(screen).count("\n") == 1


def test_lines_break_by_width_and_keep_bullets() -> None:
    """Wide letters count two cells and may part, words of narrow ones stay whole, no line begins with a full stop."""
    lines = wrapped("- 占い師は0日目から毎晩、一人が人狼かどうかを知る。wolf は確率。", 20).split("\n")
    assert lines[0].startswith("- 占い師")
    assert all(line.startswith("  ") for line in lines[1:])
    assert all(cell_len(line) <= 20 for line in lines)
    assert any("wolf" in line for line in lines)
    assert not any(line.lstrip().startswith(("。", "、")) for line in lines)
    assert wrapped("abcdefghijkl", 5) == "abcde\nfghij\nkl"
    assert wrapped("short", 5) == "short"
    assert wrapped("one two", 5) == "one\ntwo"
