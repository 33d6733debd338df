"""``python -m tests.bench.classic_times FILE``: CPU time of every answer in the AIWolf Protocol, over many games.

Each game is appended to FILE as it ends, so the same command goes on where an earlier one was stopped, and tells all
that FILE holds. Ctrl-C ends early.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter

from nlp_agent.app.wiring.warm_up import warm_up_protocol
from nlp_agent.arena.events import Faulted
from nlp_agent.prompting import load_pack
from nlp_agent.records.row_files import RowFile, rows_of
from tests.bench.quick_games import ClassicSeat, play_lines

TOO_SLOW = 30.0, 100.0
"""Milliseconds that 99 of 100 answers, and all answers, are to take at most."""


@dataclass(frozen=True, slots=True)
class GameTimes:
    """``ms``: of every answer, start left out; ``faults``: what the table had to put right; ``seconds``: the whole."""

    players: int
    seed: int
    winner: str
    faults: int
    seconds: float
    ms: tuple[float, ...]


def make_ready() -> None:
    """What the command does before any game, so that no answer pays for it."""
    warm_up_protocol(load_pack("en"))
    gc.set_threshold(10_000, 20, 20)
    gc.freeze()


def timed_game(players: int, seed: int) -> GameTimes:
    """One game of that many of our seats; call :func:`make_ready` before."""
    times: list[float] = []
    began = time.process_time()
    game = play_lines([ClassicSeat(seed * 100 + number, times) for number in range(players)], seed)
    spent = time.process_time() - began
    faults = sum(isinstance(event, Faulted) for event in game.events)
    return GameTimes(players, seed, game.winner, faults, round(spent, 3), tuple(round(s * 1000, 2) for s in times))


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what is missing, then print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.classic_times", description=__doc__)
    parser.add_argument("file", type=Path, help="where games are kept, a line each")
    parser.add_argument("--players", type=int, default=15, choices=(5, 15))
    parser.add_argument("--games", type=int, default=1000, help="how many FILE is to hold in the end")
    parser.add_argument("--minutes", type=float, default=60.0, help="end after so long, whatever is missing")
    args = parser.parse_args(arguments)
    games = [game for game in kept(args.file) if game.players == args.players]
    missing = sorted(set(range(args.games)) - {game.seed for game in games})
    until = time.monotonic() + args.minutes * 60
    make_ready()
    with suppress(KeyboardInterrupt), RowFile(args.file) as file:
        for seed in missing:
            if time.monotonic() >= until:
                break
            games.append(timed_game(args.players, seed))
            file.append(json.dumps(asdict(games[-1])))
    sys.stdout.write(f"{figures(games)}\n")
    return 0


def kept(file: Path) -> Iterator[GameTimes]:
    """The games of a file."""
    return rows_of(file, TypeAdapter(GameTimes))


def figures(games: Iterable[GameTimes]) -> str:
    """In lines of text."""
    games = list(games)
    times = sorted(ms for game in games for ms in game.ms)
    if not times:
        return "no games yet"
    shares = " ".join(f"p{share:g} {times[int((len(times) - 1) * share / 100)]:.1f}" for share in (50, 90, 99, 99.9))
    slow = ", ".join(f"over {most:.0f} ms: {sum(ms > most for ms in times)}" for most in TOO_SLOW)
    speed = len(games) / sum(game.seconds for game in games)
    won = sum(game.winner == "VILLAGER" for game in games)
    return "\n".join(
        [
            f"{len(games)} games of {games[0].players}, {len(times)} answers, faults {sum(g.faults for g in games)}, "
            f"won by the village {won}",
            f"ms of CPU an answer: {shares} max {times[-1]:.1f}; {slow}",
            f"{speed:.2f} games a second of CPU",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
