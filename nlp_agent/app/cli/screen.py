"""Standard output and standard error: colours for people, plain whole lines for programs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from nlp_agent.app.cli.common import printable
from nlp_agent.app.cli.terminal_language import in_terminal_language
from nlp_agent.known_secrets import without_secrets_in


class Screen(Console):
    """A console whose texts cannot steer the terminal, whoever wrote them, and that leaves a closed pipe to its caller,
    instead of ending the process inside a callback.
    """

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render for the terminal: styles and movements are rich's own; in a text only line ends are left to do
        anything.
        """
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else without_secrets_in(segment.text)
            clean = text if segment.control or text.isprintable() else "\n".join(map(printable, text.split("\n")))
            yield segment if clean == segment.text else Segment(clean, segment.style)

    def tell(self, text: str) -> None:
        """Print one thing that happened, on one line, whatever names are in it."""
        self.print(printable(without_secrets_in(in_terminal_language(text))))

    def on_broken_pipe(self) -> None:
        """Leave the end of the output to the caller: a closed pipe raises BrokenPipeError."""
        self.quiet = True
        raise BrokenPipeError


def stdout() -> Screen:
    """The screen for what the command is asked for. Not a terminal: no colours, no wrapping, no width."""
    return _screen(stderr=False)


def stderr() -> Screen:
    """The screen for progress, hints and errors."""
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
        # A console that knows no escape sequences is written to in the way of old Windows.
        legacy_windows=None if terminal else False,
    )


_BULLET = re.compile(r"\s*(?:[-*>・•]\s+)?")
_PIECE = re.compile(r"\s+|[!-~\u00a1-\u02af\u2010-\u2027]+|.", re.DOTALL)
"""A run of blanks, a word of narrow letters, or a sign of a script without blanks between its words."""
_NEVER_FIRST = frozenset("、。，．！？」』）］】〉》”ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ・：；…々")
_NEVER_LAST = frozenset("「『（［【〈《“")


def wrapped(text: str, width: int) -> str:
    """Break ``text``, one line, into lines of at most ``width`` cells, where its script allows: words stay whole as far
    as they fit, a bullet keeps its text, and no line begins with a closing mark.
    """
    if (found := _BULLET.match(text)) is None or cell_len(text) <= width:
        return text
    indent = " " * min(cell_len(found[0]), width // 2)
    lines, line = list[str](), found[0]
    for piece in _pieces(text[found.end() :], width - len(indent)):
        if cell_len(line) + cell_len(piece.rstrip()) > width and line.strip():
            lines.append(line.rstrip())
            line = indent + piece.lstrip()
        else:
            line += piece
    return "\n".join([*lines, line.rstrip()])


def _pieces(text: str, width: int) -> Iterator[str]:
    """``text`` in parts that stay on one line; none is wider than ``width``."""
    held = ""
    for piece in (found[0] for found in _PIECE.finditer(text)):
        joined = held and (piece[0] in _NEVER_FIRST or held[-1] in _NEVER_LAST)
        if joined and cell_len(held + piece) <= width:
            held += piece
            continue
        if held:
            yield held
        held = piece
        while cell_len(held) > width:
            cut = next(n for n in range(len(held), 0, -1) if cell_len(held[:n]) <= width or n == 1)
            yield held[:cut]
            held = held[cut:]
    if held:
        yield held


def one_line(text: object) -> str:
    """Put a text on one line as :func:`printable` does, with single blanks."""
    return " ".join(printable(str(text)).split())


def print_json(value: object) -> None:
    """Print ``value`` as one line of JSON."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def counted(count: int, what: str) -> str:
    """Count things in words: ``1 game``, ``2,000 games``."""
    return f"{count:,} {what}{'s' * (count != 1)}"
