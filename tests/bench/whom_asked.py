"""Whether reminders are true: ``python -m tests.bench.whom_asked DIR [--wrong]``.

``DIR`` holds the logs of public contests, as in ``nlp-agent evaluate``. ``tests/data/questions.jsonl`` says of talks in
those logs whom they ask something, by hand: ``asked`` are the players who are asked directly, ``perhaps`` those of whom
two readers may disagree, and which count neither way. Rows with ``rows: fresh`` were labelled when the patterns were
written. Rows with a text of their own need no log. Printed is the share of reminders that are false and of direct
questions without one; ``--wrong`` prints the talks.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlp_agent.prompting import load_pack
from nlp_agent.prompting.detect_language import detect_language
from nlp_agent.study.logs import read_game_logs

LABELS = Path(__file__).parents[1] / "data" / "questions.jsonl"


@dataclass(frozen=True)
class Labelled:
    """A talk and whom it asks by hand."""

    who: str
    text: str
    players: tuple[str, ...]
    alive: frozenset[str]
    asked: frozenset[str]
    perhaps: frozenset[str]
    fresh: bool

    @property
    def reminded(self) -> frozenset[str]:
        """Who is reminded by the patterns of the pack of its language."""
        pack = load_pack(detect_language("", [self.text]))
        living = sorted(self.alive | {self.who})
        return (pack.reading.asked_in(self.text, self.players, self.who, living=living) & self.alive) - {self.who}


@dataclass(slots=True)
class Score:
    """Counts of players reminded and of players asked."""

    reminded: int = 0
    false: int = 0
    asked: int = 0
    missed: int = 0

    def add(self, row: Labelled) -> bool:
        """Count one talk; whether it was read as by hand."""
        got, asked = row.reminded, row.asked & row.alive
        false, missed = got - asked - row.perhaps, asked - got
        self.reminded += len(got - row.perhaps)
        self.false += len(false)
        self.asked += len(asked)
        self.missed += len(missed)
        return not false and not missed


def labelled(rows: Iterable[dict[str, Any]], logs: Path | None = None) -> Iterator[Labelled]:
    """The rows whose talk is known: from their own text, or from the ``logs``."""
    games = {f"{game.contest}/{game.name}": game for game in read_game_logs(logs)} if logs else {}
    for row in rows:
        marks = frozenset(row["asked"]), frozenset(row["perhaps"]), row["rows"] == "fresh"
        if "text" in row:
            yield Labelled(row["who"], row["text"], tuple(row["players"]), frozenset(row["alive"]), *marks)
        elif game := games.get(row["game"]):
            day = next(one for one in game.days if one.day == row["day"])
            talk = next(one for one in day.talks if one.idx == row["idx"])
            yield Labelled(talk.agent, talk.text, tuple(game.names), frozenset(day.alive), *marks)


def read_labels() -> list[dict[str, Any]]:
    """All rows of the file."""
    return [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both shares for rows that the patterns were made on and for fresh ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", type=Path, metavar="DIR")
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args(arguments)
    scores = {False: Score(), True: Score()}
    for row in labelled(read_labels(), options.logs):
        if not scores[row.fresh].add(row) and options.wrong:
            told = f"  by hand {sorted(row.asked)}, reminded {sorted(row.reminded)}"
            sys.stdout.write(f"{row.who}: {row.text}\n{told}\n")
    for fresh, score in scores.items():
        sys.stdout.write(
            f"{'fresh' if fresh else 'made on'}: {score.false} of {score.reminded} reminders are false,"
            f" {score.missed} of {score.asked} direct questions have none\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
