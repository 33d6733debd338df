"""Standard output and standard error: colours for people, plain whole lines for programs."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment


class Screen(Console):
    """A console whose texts cannot steer the terminal, whoever wrote them, and that leaves a closed pipe to its caller,
    instead of ending the process inside a callback.
    """

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Styles and movements are rich's own; in a text only line ends are left to do anything."""
        for segment in super().render(renderable, options):
            text = segment.text
            clean = text if segment.control or text.isprintable() else "\n".join(map(printable, text.split("\n")))
            yield segment if clean == text else Segment(clean, segment.style)

    def tell(self, text: str) -> None:
        """One thing that happened, on one line, whatever names are in it."""
        self.print(printable(text))

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
    """``text`` on one line without control characters, escape sequences and marks that turn its direction: what
    somebody else wrote must neither steer a terminal nor write lines of its own.
    """
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char.isspace() else "\N{REPLACEMENT CHARACTER}"
