"""Words for a terminal that somebody else may have written, without any colours: no seat waits for those to load."""

from __future__ import annotations

import sys


def tell(text: str, *, aside: bool = False) -> None:
    """One thing that happened, on one line of standard output, or error, whatever names are in it."""
    print(printable(text), file=sys.stderr if aside else sys.stdout, flush=True)


def printable(text: str) -> str:
    """``text`` on one line without control characters, escape sequences and marks that turn its direction: what
    somebody else wrote must neither steer a terminal nor write lines of its own.
    """
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char.isspace() else "\N{REPLACEMENT CHARACTER}"
