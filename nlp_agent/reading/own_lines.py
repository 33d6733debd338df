"""How far somebody else's talk is made of the lines with which our players without a model speak: who uses these lines
plays as they do. (What this seat says itself without a model is made in ``voice/own_words.py``.)

A line is cut where it leaves a choice or a place for a name; what remains is compared in runs of a few words. Over the
first two days of 84 public games, which others than ours have played, the share of such runs is 0.00 to 0.10; among our
own players it is at least 0.3 (``tests/reading/test_own_lines.py`` holds the distance).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from nlp_agent.text.guardrails import runs

_LENGTH = {True: 4, False: 6}
"""Words in a row, or characters where words are not spaced, of which a run is made."""
_UNSAID = 10
"""Unknown runs that are added for everybody, about as many as a short talk has, so that little said tells little."""
_CUTS = re.compile(r"\{[^{}]*\}|[()\[\]/|]")
"""What parts a line: slots, and the marks of a choice."""


class Familiar(NamedTuple):
    """How many runs of a text stand in the lines (``known``), of how many (``runs``)."""

    known: int = 0
    runs: int = 0

    @property
    def share(self) -> float:
        """The share of the runs that are known, 0..1, as if ``_UNSAID`` unknown ones came on top: "I am the seer" and
        other plain words are anybody's."""
        return self.known / (self.runs + _UNSAID)

    def and_also(self, other: Familiar) -> Familiar:
        """The counts of both texts together."""
        return Familiar(self.known + other.known, self.runs + other.runs)


class OwnLines:
    """The lines of a pack, to be recognised in what others say; they are taken apart when the first talk comes.

    ``lines``: as ``lines.yml`` has them, slots and choices included; ``spaced``: whether the language spaces its words.
    """

    def __init__(self, lines: Iterable[str] = (), *, spaced: bool = True) -> None:
        self.lines, self.spaced = tuple(lines), spaced

    def familiar(self, sentences: Sequence[str]) -> Familiar:
        """Count the runs of the masked ``sentences`` of a talk."""
        found = [self._taken_apart(sentence) for sentence in sentences] if self.lines else []
        return Familiar(sum(len(one & self._runs) for one in found), sum(map(len, found)))

    @cached_property
    def _runs(self) -> frozenset[str]:
        parts = {part for line in self.lines for part in _CUTS.split(line)}
        return frozenset(run for part in parts for run in self._taken_apart(part))

    def _taken_apart(self, text: str) -> frozenset[str]:
        return runs(text, _LENGTH[self.spaced], spaced=self.spaced)


NO_LINES = OwnLines()
"""For talk that no pack's lines are known for: nothing is familiar."""
