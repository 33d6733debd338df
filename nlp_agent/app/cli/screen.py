"""Standard output and standard error: colours for people, plain whole lines for programs."""

from __future__ import annotations

import sys

from rich.console import Console


class Screen(Console):
    """A console that leaves a closed pipe to its caller, instead of ending the process inside a callback."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        raise BrokenPipeError


def stdout() -> Screen:
    """For what the command is asked for. Not a terminal: no colours, no wrapping, no width."""
    return _screen(stderr=False)


def stderr() -> Screen:
    """For progress, hints and errors."""
    return _screen(stderr=True)


def _screen(*, stderr: bool) -> Screen:
    stream = sys.stderr if stderr else sys.stdout
    terminal = stream.isatty()
    return Screen(
        stderr=stderr,
        force_terminal=terminal,
        force_interactive=terminal,
        soft_wrap=not terminal,
        highlight=False,
        markup=False,
        emoji=False,
        width=None if terminal else 100_000,
        legacy_windows=False,
    )


def printable(text: str) -> str:
    """``text`` on one line without control characters: what a guest says must not steer the terminal."""
    return "".join(map(_printable, text))


def _printable(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char.isspace() else "\N{REPLACEMENT CHARACTER}"
