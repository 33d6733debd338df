"""``python -m tests.bench.classic_sets``: sets at a classic table, with `nlp-agent run` in a process of its own.

The table waits 100 ms for an answer, as the Protocol Division's does, and the first that is late ends its set. By
default these are milliseconds of CPU of the process that answers, so that the figures are of our code, whatever else
this machine does; ``--clock wall`` takes the clock on the wall. Exit code 1 where a set was broken off.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from nlp_agent.arena.classic_game import Json, classic_village
from nlp_agent.arena.classic_server import ClassicGuest, ClassicTable
from nlp_agent.arena.events import Silence
from nlp_agent.arena.table import Match
from nlp_agent.protocol.classic import ROLE
from nlp_agent.records.summary import percentile
from tests.bench.quick_games import DIVISION

LIMIT = 100
_HANGS = 60.0
"""Seconds on the wall after which nobody is waited for, whichever clock counts."""
_CONFIG = """
web_socket: {{url: "{url}"}}
agent: {{num: {seats}, team: {team}}}
records: {{dir: "{records}", keep: {keep}}}
log: {{console_output: false}}
"""


@dataclass(slots=True)
class Figures:
    """Milliseconds of our own seats: ``between`` FINISH and the answer to ROLE, ``answers`` of all else, by request.

    ``slowest`` is the longest of the answers, with its request, set, game and day.
    """

    between: list[float] = field(default_factory=list)
    answers: dict[str, list[float]] = field(default_factory=dict)
    slowest: tuple[float, str] = (0.0, "none")
    games: int = 0
    sets: int = 0
    broken: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """In lines of text."""
        every = [ms for found in self.answers.values() for ms in found]
        return "\n".join(
            [
                f"{self.sets} sets, {self.games} games, broken off: {len(self.broken)}",
                _shares("FINISH to ROLE", self.between),
                _shares("an answer", every),
                *(_shares(f"  {request}", found) for request, found in sorted(self.answers.items())),
                f"slowest: {self.slowest[1]}",
                *self.broken,
            ]
        )

    def add(self, ms: float, packet: Json, game: int) -> None:
        """Count an answer to ``packet`` in this game of the running set."""
        request = str(packet["request"])
        self.answers.setdefault(request, []).append(ms)
        day = (packet.get("gameInfo") or {}).get("day", 0)
        self.slowest = max(self.slowest, (ms, f"{request} on day {day}, game {game} of set {self.sets + 1}"))


def _shares(what: str, found: Sequence[float]) -> str:
    parts = (f"{name} {percentile(found, share):.1f}" for name, share in (("p50", 0.5), ("p99", 0.99), ("max", 1.0)))
    return f"{what}, ms: {' '.join(parts)} (n {len(found)})"


def cpu_of(pid: int) -> float:
    """Seconds of CPU that the process ``pid`` has taken so far; Linux knows them to the microsecond."""
    return time.clock_gettime((~pid << 3) | 2)


def timed_guest(figures: Figures, clock: Callable[[str], float]) -> type[ClassicGuest]:
    """A guest that has :data:`LIMIT` milliseconds by ``clock``, which tells seconds for its name."""
    finished: dict[str, float] = {}
    games: Counter[str] = Counter()

    class TimedGuest(ClassicGuest):
        def say(self, packet: Json) -> bool:
            if packet["request"] == "FINISH":
                # All seats of a process hear of the end one after the other: its work begins with the first.
                finished.setdefault(team_of(self.name), clock(self.name))
            return super().say(packet)

        async def ask(self, packet: Json, patience: float) -> str | Silence:
            if not self.name:
                return await super().ask(packet, patience)
            began = clock(self.name)
            answer = await super().ask(packet, _HANGS)
            now = clock(self.name)
            ours = team_of(self.name) == "ours"
            if packet["request"] == ROLE:
                games[self.name] += 1
                if ours and "ours" in finished:
                    figures.between.append((now - finished["ours"]) * 1000)
            else:
                finished.clear()
                if ours:
                    figures.add((now - began) * 1000, packet, games[self.name])
            if isinstance(answer, str) and now - began > patience:
                self._late = True
                return Silence.TIMEOUT
            return answer

    return TimedGuest


def team_of(name: str) -> str:
    """The name of a connection without its number."""
    return name.rstrip("0123456789")


async def play_set(figures: Figures, players: int, seats: int, games: int, *, keep: bool, wall: bool) -> None:
    """One set: ``seats`` of ours in one process, the others in another."""
    pids: dict[str, int] = {}

    def clock(name: str) -> float:
        return time.perf_counter() if wall else cpu_of(pids[team_of(name)])

    village = classic_village(players, DIVISION, LIMIT)
    guest = timed_guest(figures, clock)
    with tempfile.TemporaryDirectory() as folder:
        table = ClassicTable(village, DIVISION, seed=figures.sets, games=games, guest=guest)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(table)
            processes = []
            for team, count in (("ours", seats), ("theirs", players - seats)):
                if not count:
                    continue
                file, told = Path(folder) / f"{team}.yml", Path(folder) / f"{team}.txt"
                # A team of one is called without a number, and the others' names tell their process.
                file.write_text(
                    _CONFIG.format(
                        url=table.url, seats=count, team=team, records=Path(folder) / team, keep=str(keep).lower()
                    ),
                    encoding="utf-8",
                )
                with told.open("wb") as output:
                    process = await asyncio.create_subprocess_exec(
                        *(sys.executable, "-m", "nlp_agent", "run", "-c", str(file)), stdout=output, stderr=output
                    )
                pids[team] = process.pid
                processes.append((process, told))
            played = 0
            ended = [asyncio.create_task(process.wait()) for process, _ in processes]
            while played < games:
                match = await _next_match(table, ended)
                if match is None:
                    figures.broken.append(f"set {figures.sets + 1}: a process ended after {played} games")
                    break
                played += 1
                if match.report.aborted:
                    figures.broken.append(f"set {figures.sets + 1}, game {played}: {'; '.join(match.report.warnings)}")
                    break
            for (_, told), end in zip(processes, ended, strict=True):
                if code := await end:
                    figures.broken.append(f"exit code {code}: {told.read_text(encoding='utf-8')[-500:]}")
        figures.games += played
        figures.sets += 1


async def _next_match(table: ClassicTable, ended: Sequence[asyncio.Task[int]]) -> Match | None:
    """The next game that is over; ``None`` where a process has left and none is."""
    waiting = asyncio.ensure_future(table.next_match())
    await asyncio.wait({waiting, *ended}, return_when=asyncio.FIRST_COMPLETED)
    if not waiting.done():  # what the last process saw of its game comes within moments
        await asyncio.wait({waiting}, timeout=1)
    return waiting.result() if waiting.done() else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the sets, then print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.classic_sets", description=__doc__)
    parser.add_argument("--players", type=int, default=5, choices=(5, 15))
    parser.add_argument("--seats", type=int, help="how many of them are ours, in one process (default: all)")
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument("--games", type=int, default=20, help="games of a set")
    parser.add_argument("--clock", choices=("cpu", "wall"), default="cpu")
    parser.add_argument("--no-records", action="store_true", help="play without journals, as the division wants it")
    args = parser.parse_args(arguments)
    figures = Figures()
    for _ in range(args.sets):
        asyncio.run(
            play_set(
                figures,
                args.players,
                args.seats or args.players,
                args.games,
                keep=not args.no_records,
                wall=args.clock == "wall",
            )
        )
        sys.stdout.write(f"{figures.text}\n\n")
        sys.stdout.flush()
    return 1 if figures.broken else 0


if __name__ == "__main__":
    sys.exit(main())
