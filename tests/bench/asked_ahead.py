"""What a vote loses that is asked for ahead, while others still talk: ``python -m tests.bench.asked_ahead``.

``tests/data/strong_model/asked_ahead.jsonl`` has the votes of the strong models in 16 games of five at mixed tables.
Each row tells for every talk of the voter that day which vote stood announced after it (``told``, as the patterns read
it), and for seats of ours what the form of the answer said that nobody heard (``form``: the vote, and whoever was
likeliest the werewolf). Its first line has the seconds of each request of our seats in these games. The models answered
through a queue of files and had fifteen minutes, so the seconds are at the long end of what an endpoint takes.

Printed is how often a vote that was named before the voter's last talk of the day, or with it, is the vote that was
cast; how often each hits the werewolf; how long a request for a vote takes; and how long it is. The vote before the
last talk is what would be cast if the vote were asked for while the voter waits for its last turn.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlp_agent.app.wiring.journal_replay import pack_of_journal, replay_answers, seat_again
from nlp_agent.game import Side
from nlp_agent.game.roles import role_spec
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Request
from nlp_agent.study.statistics import resampled
from tests.bench.two_drafts import recorded_seats

VOTES = Path(__file__).parents[1] / "data" / "strong_model" / "asked_ahead.jsonl"
CONTEST = 60.0
"""Seconds for an answer at the contest."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ahead:
    """A way to know a vote ahead: its name and how it is found in a row, ``""`` where it is not known."""

    name: str
    of: Callable[[Row], str]


def told_with(talk: int) -> Callable[[Row], str]:
    """The vote that stood announced after the voter's talk number ``talk``; -1 is the last."""
    return lambda row: str(row["told"][talk]) if -len(row["told"]) <= talk < len(row["told"]) else ""


def meant_with(talk: int, part: int = 0) -> Callable[[Row], str]:
    """The vote that the form of that talk named; ``part`` 1: whoever was likeliest in it."""
    return lambda row: (
        str(row["form"][talk][part]) if -len(row.get("form", ())) <= talk < len(row.get("form", ())) else ""
    )


WAYS = (
    Ahead("announced before the last talk", told_with(-2)),
    Ahead("announced with the last talk", told_with(-1)),
    Ahead("in the form of the first talk", meant_with(0)),
    Ahead("in the form of the talk before the last", meant_with(-2)),
    Ahead("likeliest in that form", meant_with(-2, 1)),
    Ahead("in the form of the last talk", meant_with(-1)),
    Ahead("likeliest in the form of the last talk", meant_with(-1, 1)),
)


def is_village(row: Row) -> bool:
    """Whether the voter wants the werewolf executed."""
    return role_spec(row["role"]).side is Side.VILLAGER


def measured(way: Ahead, rows: Sequence[Row]) -> str:
    """One line: of how many votes this is known, how many are cast so, and what the village's side loses by it."""
    known = [(row, ahead) for row in rows if (ahead := way.of(row))]
    if not known:
        return f"{way.name:<40} of no vote"
    same = [(row["game"], float(ahead == row["cast"])) for row, ahead in known]
    village = [(row, ahead) for row, ahead in known if is_village(row)]
    early = [(row["game"], float(ahead == row["wolf"])) for row, ahead in village]
    cast = [(row["game"], float(row["cast"] == row["wolf"])) for row, _ in village]
    lost = [(game, then - now) for (game, then), (_, now) in zip(early, cast, strict=True)]
    low, high = resampled(same)
    told = f"{way.name:<40} {len(known):3} of {len(rows)}; cast so {_mean(same):.1%} ({low:.1%} to {high:.1%})"
    if not village:
        return told
    down, up = resampled(lost)
    return (
        f"{told}; village's side {len(village)}: hits {_mean(early):.1%} ahead, {_mean(cast):.1%} cast, "
        f"difference {100 * _mean(lost):+.1f} points ({100 * down:+.1f} to {100 * up:+.1f})"
    )


def _mean(values: Sequence[tuple[str, float]]) -> float:
    return sum(value for _, value in values) / len(values)


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` of the sorted ``values`` lie."""
    return values[min(len(values) - 1, round(share * (len(values) - 1)))]


def vote_prompts() -> Iterator[tuple[int, int]]:
    """For each vote of the recorded seats: the characters of the request that would ask for it, and how many of them
    are its own and in no request before."""
    for journal in recorded_seats().values():
        rows = list(journal)
        seat = seat_again(rows, load_pack(pack_of_journal(rows)))
        for turn in replay_answers(rows, seat):
            if turn is not None and turn.decision.request == Request.VOTE:
                messages = turn.prompt().messages
                yield sum(len(text) for _, text in messages), len(messages[-1][1])


def report(seconds: Sequence[float], rows: Sequence[Row], prompts: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The lines that are printed."""
    yield f"{len(rows)} votes in {len({row['game'] for row in rows})} games of five"
    for prompts_of, name in (("ours", "our prompts"), ("sample", "the sample's prompts, asked for each vote")):
        some = [row for row in rows if row["prompts"] == prompts_of]
        asked = sum(bool(row["asked_for_vote"]) for row in some)
        yield f"\n{name}: {len(some)} votes, {asked} of them asked for in a request of their own"
        yield from (measured(way, some) for way in WAYS if any(map(way.of, some)))
        last = [row for row in some if row["after"]]
        yield f"after the last talk of {len(last)} of these voters others still talked:"
        yield from (measured(way, last) for way in (WAYS[1], WAYS[5]) if any(map(way.of, last)))
    ordered = sorted(seconds)
    shares = ", ".join(f"p{100 * share:.0f} {quantile(ordered, share):.1f}" for share in (0.5, 0.9, 0.99))
    slow = sum(one > CONTEST for one in ordered)
    yield f"\na request of our seats took, in seconds: {shares}; {slow} of {len(ordered)} more than {CONTEST:.0f}"
    if prompts:
        whole, new = (sum(part) / len(prompts) for part in zip(*prompts, strict=True))
        yield f"a request for a vote sends {whole:.0f} characters, {new:.0f} of them anew (mean of {len(prompts)})"


def main() -> None:
    """Print the figures."""
    first, *rest = VOTES.read_text(encoding="utf-8").splitlines()
    for line in report(json.loads(first)["seconds"], list(map(json.loads, rest)), list(vote_prompts())):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
