"""What strong players state and what of it is read: ``python -m tests.bench.stated [--wrong]``.

``tests/data/strong_model/stated.jsonl`` and ``talks.jsonl`` say of talks of strong models, by hand, what their speakers
state: claims (also to be a villager, a werewolf or the possessed), claims taken back, results of their own, announced
votes and withdrawn ones. ``perhaps`` is what two careful readers may disagree about, and counts neither way. Printed is
by language and kind how much is stated, how much of it is missed, and how much is read that nobody stated; ``--wrong``
prints the talks.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlp_agent.prompting import load_pack
from nlp_agent.prompting.detect_language import detect_language
from nlp_agent.reading.statement import Statement

DATA = Path(__file__).parents[1] / "data/strong_model"
KINDS = ("claim", "unclaim", "result", "vote", "retract")
Said = tuple[str, str, str]


@dataclass(frozen=True)
class LabelledTalk:
    """A talk with what it states by hand."""

    text: str
    players: tuple[str, ...]
    who: str
    said: frozenset[Said]
    perhaps: frozenset[Said]

    @property
    def language(self) -> str:
        """The language it is read in: that of its village."""
        return detect_language("", [*self.players, self.text])

    @property
    def read(self) -> frozenset[Said]:
        """What the patterns of the pack of its language find."""
        found = load_pack(self.language).reading.read(self.text, self.players).statements
        return frozenset(_point(one) for one in found if one.kind in KINDS)

    @property
    def missed(self) -> frozenset[Said]:
        """What is stated and not read."""
        return self.said - self.read

    @property
    def false(self) -> frozenset[Said]:
        """What is read and not stated."""
        return self.read - self.said - self.perhaps


def _point(said: Statement) -> Said:
    """Whom and what ``said`` is about; of a claim taken back it does not matter which."""
    return said.kind, said.target, {"claim": said.role, "result": said.result}.get(said.kind, "")


def labelled() -> Iterator[LabelledTalk]:
    """All labelled talks."""
    for name in ("stated.jsonl", "talks.jsonl"):
        for line in (DATA / name).read_text(encoding="utf-8").splitlines():
            row: dict[str, Any] = json.loads(line)
            said, perhaps = (frozenset(map(tuple, row.get(key, ()))) for key in ("said", "perhaps"))
            yield LabelledTalk(row["text"], tuple(row["players"]), row["who"], said, perhaps)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is stated, missed and falsely read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args(arguments)
    stated, missed, false = (Counter[tuple[str, str]]() for _ in range(3))
    for talk in labelled():
        for count, found in ((stated, talk.said), (missed, talk.missed), (false, talk.false)):
            count.update((talk.language, kind) for kind, _, _ in found)
        if options.wrong and (talk.missed or talk.false):
            told = f"  missed {sorted(talk.missed)}, false {sorted(talk.false)}"
            sys.stdout.write(f"{talk.who}: {talk.text}\n{told}\n")
    for language in ("en", "ja"):
        for kind in KINDS:
            key = language, kind
            sys.stdout.write(
                f"{language} {kind:8} stated {stated[key]:3}, missed {missed[key]:2}, false {false[key]:2}\n"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
