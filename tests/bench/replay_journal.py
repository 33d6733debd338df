"""Journals played again: would today's seat still name the same targets?

``python -m tests.bench.replay_journal RECORDS`` takes a folder of games played without a model. Every seat hears its
packets again and is told what it sent then, so that one other choice does not change all that follow it. Each VOTE,
DIVINE, GUARD and ATTACK is compared with the recorded one; of talks those are counted that are the same word for word.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nlp_agent.app.wiring.journal_replay import (
    answered_requests,
    journal_rows,
    pack_of_journal,
    replay_answers,
    seat_again,
)
from nlp_agent.errors import ConfigError
from nlp_agent.prompting import load_pack


@dataclass(frozen=True, slots=True)
class Comparison:
    """One answer, ``then`` and ``now``, and ``why`` it would be given now."""

    request: str
    day: int
    then: str
    now: str
    why: str


def compared(file: Path) -> Iterator[Comparison]:
    """Every answer of a seat's journal, with today's pack of the same name."""
    rows = journal_rows(file)
    seat = seat_again(rows, _pack(Path(pack_of_journal(rows)).name))
    for moment, turn in zip(answered_requests(rows), replay_answers(rows, seat), strict=False):
        if turn is not None:
            ready = turn.decision
            yield Comparison(moment.request, moment.day, moment.sent, ready.text, ready.plan.why if ready.plan else "")


_pack = cache(load_pack)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; exit code 1 when a target is another, 2 when there is nothing to compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.replay_journal", description=__doc__)
    parser.add_argument("records", type=Path, nargs="+", help="folders in which games were recorded")
    folders = parser.parse_args(arguments).records
    files = sorted(file for folder in folders for file in folder.rglob("*.jsonl"))
    asked: Counter[str] = Counter()
    same: Counter[str] = Counter()
    for file in files:
        try:
            for answer in compared(file):
                asked[answer.request] += 1
                same[answer.request] += answer.now == answer.then
                if answer.now != answer.then and answer.request not in ("TALK", "WHISPER"):
                    sys.stdout.write(
                        f"{file.parent.name[-6:]} {file.stem} day {answer.day} {answer.request}: "
                        f"{answer.then} then, {answer.now} now ({answer.why})\n"
                    )
        except ConfigError as error:
            sys.stderr.write(f"{error}\n")
    for request, count in sorted(asked.items()):
        sys.stdout.write(f"{request:<8} {same[request]} of {count} the same\n")
    targets = [request for request in asked if request not in ("TALK", "WHISPER")]
    return 2 if not targets else int(any(same[request] != asked[request] for request in targets))


if __name__ == "__main__":
    sys.exit(main())
