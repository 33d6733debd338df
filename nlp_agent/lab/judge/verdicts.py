"""The verdicts of one model: a file that is only appended to, so that a run goes on where another was stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter

from nlp_agent.errors import StudyError, os_errors_as
from nlp_agent.lab.row_files import RowFile, rows_of

FILE = "verdicts.jsonl"
LOST = "lost.jsonl"
"""Questions that cost something and brought no verdict."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One ranking of all players of ``game`` by ``criterion``.

    ``key`` is that of the question, see :func:`nlp_agent.lab.judge.panel.questions`. ``reading`` counts from 0.
    ``order``: the players as they were listed; ``masks``: player -> the name shown; ``ranks`` by player, in
    competition style. ``tries``: answers until one could be used. ``money`` in the currency of the prices, None when
    there are none.
    """

    key: str
    game: str
    criterion: str
    reading: int
    order: tuple[str, ...]
    masks: dict[str, str]
    ranks: dict[str, int]
    reasons: dict[str, str]
    tries: int = 1
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    money: float | None = None

    @property
    def places(self) -> dict[str, float]:
        """Player -> 0 for the best to 1 for the last, players of equal rank in the middle of the places they share."""
        ranks = list(self.ranks.values())
        most = max(1, len(ranks) - 1)
        return {name: (rank - 1 + (ranks.count(rank) - 1) / 2) / most for name, rank in self.ranks.items()}


@dataclass(frozen=True, slots=True)
class Lost:
    """A question given up after so many ``tries``, and what they cost all the same; fields as in :class:`Verdict`."""

    key: str
    tries: int
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    money: float | None = None


_VERDICT, _LOST = TypeAdapter(Verdict), TypeAdapter(Lost)


def read_verdicts(folder: Path) -> Iterator[Verdict]:
    """The verdicts kept in ``folder``."""
    return rows_of(folder / FILE, _VERDICT)


def read_lost(folder: Path) -> Iterator[Lost]:
    """What is kept in ``folder`` of questions that brought no verdict."""
    return rows_of(folder / LOST, _LOST)


def opened(folder: Path) -> tuple[RowFile, RowFile]:
    """The files of verdicts and of what was lost, in ``folder``. Raises StudyError where they cannot be written."""
    with os_errors_as(StudyError, f"cannot write to {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        return RowFile(folder / FILE), RowFile(folder / LOST)


def line(row: Verdict | Lost) -> str:
    """``row`` as it stands in its file."""
    return json.dumps(asdict(row), ensure_ascii=False)
