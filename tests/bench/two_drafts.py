"""Whether a talk gets better when a strong model writes two drafts: ``python -m tests.bench.two_drafts``.

``tests/data/strong_model/two_drafts.jsonl`` has 60 talks of 12 seats, played by strong models in the advised style. A
second strong model that had not read the answer of the first wrote a second draft from the same prompt. Each seat is
played again from its packets (``two_drafts_seats.jsonl.gz``), so that both drafts are looked at by the seat as it was
then. :func:`choose` takes the draft that is better by what can be checked without a model, and the first one where
neither is. Jurors who knew neither the choice nor whose draft was whose said which one is better
(``two_drafts_marks.jsonl``: ``{"id": "01", "juror": "a", "better": "1"}``, or ``"2"``, or ``"same"``; which draft stood
first is told by ``shown`` of the pair).

Printed is how often the chosen draft is better and worse than the first one, and what two drafts cost. ``--drafts``
prints what was found in each draft; ``--marks FILE`` reads other marks.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz, process

from nlp_agent.app.wiring.journal_replay import pack_of_journal, replay_answers, seat_again
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Pack, Prompt, load_pack
from nlp_agent.protocol import TALK_REQUESTS
from nlp_agent.seat import Turn
from nlp_agent.study.statistics import resampled, wilson
from nlp_agent.text.count import length_of
from nlp_agent.text.names import names_of

DATA = Path(__file__).parents[1] / "data" / "strong_model"
PAIRS, SEATS, MARKS = (
    DATA / name for name in ("two_drafts.jsonl", "two_drafts_seats.jsonl.gz", "two_drafts_marks.jsonl")
)

CLEARLY = 0.25
"""By how many points a draft has to be ahead to be chosen."""
_SAMPLE = 80
"""RapidFuzz ratio from which a sentence is one of those that show the character's tone and are not to be repeated."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Draft:
    """What can be told of a draft without a model.

    Attributes:
        text: what would be sent.
        refused: why it must not be sent, ``""`` when it may.
        answered: the share of those waiting for an answer to whom it speaks or whom it names; 1 where nobody waits.
        reasoned: whether it announces a vote, or names the player of the vote announced before, and gives a reason.
        new: how unlike its sentences are to what this seat and the others have said, 0 to 1.
        in_character: whether it keeps the first person and repeats no sample of the character's tone.
        whole: whether nothing had to be left out of it to make it fit.
        room: the share of the allowed length that it uses.
    """

    text: str
    refused: str = ""
    answered: float = 1.0
    reasoned: bool = False
    new: float = 1.0
    in_character: bool = True
    whole: bool = True
    room: float = 0.0

    @property
    def points(self) -> float:
        """How good it is by all this; a draft that may not be sent has none."""
        if self.refused:
            return -1.0
        kept = self.in_character + self.whole
        return self.answered + 0.5 * self.reasoned + self.new + 0.5 * kept + 0.25 * min(self.room, 1.0)


def choose(first: Draft, second: Draft) -> int:
    """The better draft, 1 or 2; 0 where neither is clearly ahead."""
    ahead = second.points - first.points
    return 0 if abs(ahead) < CLEARLY else 2 if ahead > 0 else 1


# --- What is found in a draft ----------------------------------------------------------------------------------------


def looked_at(turn: Turn, prompt: Prompt, raw: str) -> Draft:
    """Look at the model's answer ``raw`` as the seat of ``turn`` would."""
    state, setup = turn.state, turn.setup
    checked = turn.check(raw, prompt)
    if checked.problem is not None:
        return Draft(checked.text, str(checked.problem.check))
    text, pack = checked.text, setup.pack
    advice = turn.style.advice()
    waiting = {charge.who for charge in advice.charges} if advice else set()
    there = set(names_of(state.players).players_in(text))
    length = state.setting.talk.max_length
    most = length.base_length or length.mention_length or 0
    return Draft(
        text,
        answered=len(waiting & there) / len(waiting) if waiting else 1.0,
        reasoned=_gives_reason(turn, text, checked.plan),
        new=_newness(turn, text),
        in_character=_in_character(turn, pack, text),
        whole=not {"cut", "left out"}.intersection(checked.changes),
        room=length_of(text, length) / most if most else 0.0,
    )


def _gives_reason(turn: Turn, text: str, plan: TalkPlan | None) -> bool:
    state, reader = turn.state, turn.setup.pack.reading
    announced = [act.target for act in plan.acts if "vote" in act.row.binds] if plan else []
    stands = turn.setup.planner.ledger.promise(state.me, state.day)
    meant = announced or ([stands] if stands in names_of(state.players).players_in(text) else [])
    return bool(meant) and not reader.only_votes(text, state.players)


def _newness(turn: Turn, text: str) -> float:
    split = turn.setup.pack.language.sentences.split
    said = list(chain.from_iterable(split(talk.text) for talk in turn.state.talks if talk.said))
    if not said:
        return 1.0
    parts = [(len(part), process.extractOne(part, said, scorer=fuzz.ratio)[1]) for part in split(text)]
    return 1 - sum(size * like for size, like in parts) / 100 / max(1, sum(size for size, _ in parts))


def _in_character(turn: Turn, pack: Pack, text: str) -> bool:
    persona, sheet = turn.setup.words.persona, turn.setup.sheet
    others = {first for voice in pack.lines.voices.values() for firsts in voice.me.values() for first in firsts}
    others = {first for first in others if first and first not in persona.me and persona.me not in first}
    parts = pack.language.sentences.split(text)
    samples = sheet.samples if sheet else ()
    if any(process.extractOne(part, samples, scorer=fuzz.ratio, score_cutoff=_SAMPLE) for part in parts):
        return False
    return pack.language.spaced or not any(first in text for first in others)


# --- The recorded seats ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """Two drafts for one talk, and the characters that asking for one of them sends and brings."""

    row: Row
    first: Draft
    second: Draft
    sent: int
    received: int

    @property
    def choice(self) -> int:
        """The better draft, 1 or 2; 0 where neither is clearly ahead."""
        return choose(self.first, self.second)


def pairs(rows: Sequence[Row], seats: Mapping[str, Sequence[Row]]) -> Iterator[Pair]:
    """The drafts of ``rows``, each looked at by its seat, which is played again from its packets."""
    for name, journal in seats.items():
        wanted = {row["moment"]: row for row in rows if row["seat"] == name}
        decisions = [row for row in journal if row["event"] == "decision"]
        seat = seat_again(list(journal), _pack(pack_of_journal(list(journal))))
        for number, turn in enumerate(replay_answers(list(journal), seat), 1):
            if turn is None or turn.decision.request not in TALK_REQUESTS:
                continue
            prompt = turn.prompt()
            if (row := wanted.get(number)) is not None:
                first = decisions[number - 1]["raw"]
                second = looked_at(turn, prompt, row["second"])
                sent = sum(len(text) for _, text in prompt.messages)
                yield Pair(row, looked_at(turn, prompt, first), second, sent, len(first))


_pack = cache(load_pack)


def recorded_seats() -> dict[str, list[Row]]:
    """The journals of the seats, by their names."""
    with gzip.open(SEATS, "rt", encoding="utf-8") as file:
        return {row["seat"]: row["rows"] for row in map(json.loads, file)}


def read_rows(file: Path) -> list[Row]:
    """The rows of a JSON-lines file, none where it is missing."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


# --- What the jurors say ---------------------------------------------------------------------------------------------


def verdict(pair: Row, mark: Row) -> int:
    """The draft that a juror found better, 1 or 2; 0 for none."""
    place = {"1": 0, "2": 1}.get(str(mark["better"]))
    return 0 if place is None else int(pair["shown"][place])


def gain(choice: int, better: int) -> int:
    """What is gained by sending the chosen draft in place of the first: 1, 0 or -1."""
    return 0 if choice != 2 or not better else 1 if better == 2 else -1


def _share(name: str, hits: int, count: int) -> str:
    low, high = wilson(hits, count)
    return f"{name} {hits} ({100 * hits / max(1, count):.0f} %, {100 * low:.0f} to {100 * high:.0f})"


def report(found: Sequence[Pair], marks: Sequence[Row]) -> Iterator[str]:
    """The lines that are printed."""
    games = len({pair.row["game"] for pair in found})
    yield f"{len(found)} talks of {len({pair.row['seat'] for pair in found})} seats in {games} games"
    chosen = Counter(pair.choice for pair in found)
    yield f"the chooser takes the second draft {chosen[2]}, the first {chosen[1]}, has no opinion {chosen[0]}"
    refused = [
        sum(bool(draft.refused) for draft in drafts)
        for drafts in zip(*((p.first, p.second) for p in found), strict=True)
    ]
    yield f"drafts that may not be sent: first {refused[0]}, second {refused[1]}"
    known = {pair.row["id"]: pair for pair in found}
    judged = [(known[mark["id"]], verdict(known[mark["id"]].row, mark)) for mark in marks if mark["id"] in known]
    if judged:
        yield from _judged(judged)
    else:
        yield f"no marks yet: {MARKS.name} is not there, or names no talk of these"
    count = max(1, len(found))
    sent, received = (sum(getattr(pair, name) for pair in found) / count for name in ("sent", "received"))
    yield (
        f"cost of the second draft: one request more a talk; {sent:.0f} characters sent, just as for the first, "
        f"{received:.0f} received"
    )


def _judged(judged: Sequence[tuple[Pair, int]]) -> Iterator[str]:
    count = len(judged)
    votes = Counter(better for _, better in judged)
    yield f"{count} marks: " + ", ".join(
        _share(name, votes[key], count)
        for key, name in ((1, "the first is better"), (2, "the second"), (0, "the same"))
    )
    for name, kept in (("where the chooser has an opinion", (1, 2)), ("where it takes the second", (2,))):
        some = [(pair, better) for pair, better in judged if pair.choice in kept]
        right = sum(better == pair.choice for pair, better in some)
        wrong = sum(better not in (0, pair.choice) for pair, better in some)
        low, high = wilson(right, right + wrong)
        yield (
            f"{name}: {len(some)} marks, its draft better {right}, same {len(some) - right - wrong}, worse {wrong}; "
            f"of those that decide {100 * right / max(1, right + wrong):.0f} % ({100 * low:.0f} to {100 * high:.0f})"
        )
    gains = [(pair.row["game"], float(gain(pair.choice, better))) for pair, better in judged]
    counts = Counter(int(value) for _, value in gains)
    low, high = resampled(gains)
    mean = sum(value for _, value in gains) / count
    yield "what is sent against the first draft: " + ", ".join(
        _share(name, counts[key], count) for key, name in ((1, "better"), (0, "same"), (-1, "worse"))
    )
    yield f"better less worse: {mean:+.3f} ({low:+.3f} to {high:+.3f})"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.two_drafts")
    parser.add_argument("--marks", type=Path, default=MARKS, help="the marks of jurors")
    parser.add_argument("--drafts", action="store_true", help="print what was found in each draft")
    options = parser.parse_args(arguments)
    found = list(pairs(read_rows(PAIRS), recorded_seats()))
    for pair in found if options.drafts else ():
        sys.stdout.write(f"{pair.row['id']} takes {pair.choice}\n  {pair.first}\n  {pair.second}\n")
    for line in report(found, read_rows(options.marks)):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
