"""How much of our code one talk takes: ``python -m tests.bench.trace_turn [--players 5] [--seed 1]``.

A game is played, once without a model and once with one that answers at once. For every TALK are counted, from its
packet to the reply: calls of our own functions, distinct functions, files, and how often a call leads from one room
into another. Medians over all talks of the game are printed; nothing in them depends on the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import nlp_agent
from nlp_agent.arena.village import contest_village
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Packet, Request
from tests.bench.quick_games import our_seats, play_quickly, scripted_model

ROOT = str(Path(nlp_agent.__file__).parent) + "/"
OTHERS = ("arena/", "llm/scripted.py")
"""The table and the model's double: not what is counted."""


@dataclass
class Trace:
    """The calls of our own functions while it is on, in order."""

    codes: list[CodeType] = field(default_factory=list)

    def __enter__(self) -> Trace:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(ROOT) and not file.startswith(OTHERS, len(ROOT)):
            self.codes.append(frame.f_code)

    def counts(self) -> dict[str, int]:
        files = [code.co_filename for code in self.codes]
        rooms = [file.removeprefix(ROOT).partition("/")[0] for file in files]
        return {
            "calls": len(files),
            "functions": len(set(self.codes)),
            "files": len(set(files)),
            "changes of room": sum(one != other for one, other in pairwise(rooms)),
        }


async def traced_game(players: int, seed: int, *, model: bool) -> list[Trace]:
    """A trace of every TALK of one game in which all seats are ours."""
    traces: list[Trace] = []

    def around(packet: Packet) -> AbstractContextManager[Any]:
        if packet.kind is not Request.TALK:
            return nullcontext()
        traces.append(Trace())
        return traces[-1]

    seats = our_seats(load_pack("en"), players, seed, model=scripted_model if model else None)
    await play_quickly(contest_village(players, "en"), seats, seed, around)
    return traces


def medians(traces: Sequence[Trace]) -> dict[str, float]:
    counted = [trace.counts() for trace in traces]
    return {key: statistics.median(counts[key] for counts in counted) for key in counted[0]}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.trace_turn", description=__doc__)
    parser.add_argument("--players", type=int, default=5, choices=(5, 9, 13))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    for model in (False, True):
        asyncio.run(traced_game(options.players, options.seed + 1, model=model))
        traces = asyncio.run(traced_game(options.players, options.seed, model=model))
        told = ", ".join(f"{key} {value:g}" for key, value in medians(traces).items())
        sys.stdout.write(f"{'with' if model else 'without'} a model, {len(traces)} talks, median of one: {told}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
