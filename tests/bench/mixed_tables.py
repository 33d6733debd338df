"""How prompts were marked at mixed tables: ``python -m tests.bench.mixed_tables``.

``tests/data/strong_model/mixed_tables.jsonl`` has the marks of 36 games of five (18 in each language) in which one
strong language model sat behind every seat: some seats were asked with our prompts of the advised style, the others
with those of the official sample. Two jurors read each game, strong language models too, and did not know which seat
was which. ``A`` to ``E`` are the contest's criteria (expression, context, no contradiction, deeds, character), ``R``
the quality of the reasoning; 1 to 10, where 5 was to be an average contest player. Printed are means over seats, each
the mean of its two jurors, with Student's 95 % interval over seats. They say nothing of games won, nor of other models.
The prompts changed from game to game; those of :data:`NEWEST` were all played with the prompts of 2.5.0.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nlp_agent.study.statistics import average_of, grouped

MARKS = Path(__file__).parents[1] / "data" / "strong_model" / "mixed_tables.jsonl"
NEWEST = ("H", "I")
"""How the names of the newest eight games begin."""
_WORDS = "ABCDE"

Row = Mapping[str, Any]


def read_marks() -> list[Row]:
    """The marks, a row for each player and juror."""
    return [json.loads(line) for line in MARKS.read_text(encoding="utf-8").splitlines()]


def seats(rows: Iterable[Row]) -> list[tuple[str, float, float]]:
    """The seat, its mean over ``A`` to ``E`` and its ``R``, each the mean of its jurors."""
    found = grouped((f"{row['game']}/{row['player']}", row) for row in rows)
    return [
        (
            seat,
            statistics.mean(row[mark] for row in marks for mark in _WORDS),
            statistics.mean(row["R"] for row in marks),
        )
        for seat, marks in found.items()
    ]


def line(name: str, rows: Sequence[Row]) -> str:
    """The two means of ``rows`` with their intervals."""
    marked = seats(rows)
    told = []
    for mark, values in (("A-E", [(seat, words) for seat, words, _ in marked]), ("R", [(s, r) for s, _, r in marked])):
        figure = average_of(values)
        told.append(f"{mark} {figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})")
    return f"{name:<28} {len(marked):>3} seats  {'  '.join(told)}\n"


def main() -> None:
    """Print the figures."""
    rows = read_marks()
    sys.stdout.write(f"{len({row['game'] for row in rows})} games, {len(rows)} marks\n")
    sys.stdout.write(line("the official sample", [row for row in rows if row["prompts"] == "sample"]))
    for advice, ours in grouped((row["advice"], row) for row in rows if row["prompts"] == "ours").items():
        sys.stdout.write(line(f"ours, llm.advice: {advice}", ours))
    newest = [row for row in rows if row["game"].startswith(NEWEST)]
    sys.stdout.write(f"of these {len({row['game'] for row in newest})} games with the prompts of 2.5.0\n")
    for prompts, name in (("sample", "the official sample"), ("ours", "ours")):
        told = [row for row in newest if row["prompts"] == prompts]
        sys.stdout.write(line(name, told))
        for language in ("en", "ja"):
            sys.stdout.write(line(f"  {language}", [row for row in told if row["language"] == language]))


if __name__ == "__main__":
    main()
