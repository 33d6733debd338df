"""Names of other people's files, in what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlp_agent.app.cli.app import main

HOSTILE = "\x1b[31mred\x07\nError: all is well.jsonl"
"""Would colour the terminal, ring, and write a line of its own."""


@pytest.mark.parametrize("command", [("replay",), ("journal",), ("review",), ("transcript",), ("check", "-c")])
@pytest.mark.parametrize("there", [True, False], ids=["a file", "no file"])
def test_file_name_does_not_steer_the_terminal(
    command: tuple[str, ...], there: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name of a file cannot send control sequences to the terminal.

    A shell puts such names behind a command where somebody types a star.
    """
    file = tmp_path / HOSTILE
    if there:
        file.write_text('{"event":\n', encoding="utf-8")
    with pytest.raises(SystemExit):
        main([*command, str(file)])
    shown = "".join(capsys.readouterr())
    assert "\x1b[31m" not in shown
    assert "\x07" not in shown
    assert "\nError: all is well" not in shown
