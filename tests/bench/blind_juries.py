"""How games were marked beside games of the contest: ``python -m tests.bench.blind_juries``.

``tests/data/strong_model/blind_juries.jsonl`` has the marks that strong language models gave as blind jurors to games
of five. ``contest 2026``: games between teams; ``ours, no model`` and ``2baa654, no model``: players without a model of
the jury's version and of that commit; ``ours, model`` and ``official sample, model``: the same strong model in each
seat, asked with our prompts (``llm.advice: after``) or the sample's, mixed at the same tables. Each juror read all
games of its jury in mixed order and knew of none where it came from. ``A`` to ``E`` are the contest's criteria
(expression, context, no contradiction, deeds, character), ``R`` the quality of the reasoning; 1 to 10, where 5 was to
be an average contest player. Printed are means over players, each the mean of its jurors, with Student's 95 % interval
over players. Jurors differ in strictness: compare only within one jury. They say nothing of who won.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nlp_agent.study.statistics import grouped
from tests.bench.mixed_tables import line

MARKS = Path(__file__).parents[1] / "data" / "strong_model" / "blind_juries.jsonl"

Row = Mapping[str, Any]


def read_marks() -> list[Row]:
    """The marks, a row for each player and juror."""
    return [json.loads(row) for row in MARKS.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Print the figures of each jury."""
    for jury, rows in grouped((row["jury"], row) for row in read_marks()).items():
        jurors = len({row["juror"] for row in rows})
        sys.stdout.write(f"jury {jury}: {len({row['game'] for row in rows})} games, {jurors} jurors\n")
        for source, told in sorted(grouped((row["source"], row) for row in rows).items()):
            sys.stdout.write(line(f"  {source}", told))
            for language, spoken in sorted(grouped((row["language"], row) for row in told).items()):
                if len({row["language"] for row in told}) > 1:
                    sys.stdout.write(line(f"    {language}", spoken))


if __name__ == "__main__":
    main()
