"""``make bench``: what our own code costs beside a bare ``openai`` client, measured on this machine in one run.

Both play the same deals at the same table with the same pretend endpoint, each in a process of its own, game by game in
turn, so that whatever else the machine does falls on both. The endpoint thinks for a moment (any model takes longer):
these are figures of our own overhead, not of any model's speed or strength. Times of one run are compared with each
other only.
"""

from __future__ import annotations

import argparse
import asyncio
import compileall
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

import nlp_agent
from nlp_agent.arena.cast import load_cast
from nlp_agent.arena.events import Answered, Asked, Event
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.prompting import load_pack
from nlp_agent.protocol import Request
from tests.bench.classic_times import make_ready, timed_game
from tests.bench.onlookers import watch_cost
from tests.bench.prompt_cost import prompt_cost
from tests.bench.quick_games import our_seats, play_quickly

# One question a talk, as the bare client asks: what a seat does between question and answer is measured, and the second
# question for an own reading (advice: after) would be counted as its time.
CONFIG = """
web_socket: {{url: "{url}"}}
agent: {{num: {players}, team: bench}}
llm: {{base_url: "{llm}", model: loopback, advice: full}}
records: {{dir: "{records}"}}
log: {{console_output: false}}
"""
THINKING = 0.05
"""Seconds before the endpoint's first word."""
GAMES = {5: 3, 9: 1, 13: 1}
"""Village -> games of each player."""
QUICK = {5: 40, 13: 4}
"""Village -> games without sockets and model."""


CLASSIC = {5: 20, 15: 2}
"""Village -> games in the protocol's language, line by line."""


@dataclass(slots=True)
class PlayerRun:
    """One game of one player. ``talks``: milliseconds from each request to its reply, without the endpoint's own for
    the questions that it took; ``again``: of how many talks the first answer was refused and asked for again.
    ``answered``: seconds from the start to the first talk, and ``answered_cpu`` the processor time until then."""

    named: float = 0.0
    talks: list[float] = field(default_factory=list)
    cpu: float = 0.0
    megabytes: float = 0.0
    calls: int = 0
    again: int = 0
    answered: float = 0.0
    answered_cpu: float = 0.0


Command = Callable[[str, str, int], list[str]]
"""From the table's address, the endpoint's, and the number of seats to what is started."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of figures."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[5, 9, 13], help="villages to measure")
    villages = parser.parse_args(arguments).players
    # As any installer does; without, each process would first translate our source, and none of the libraries'.
    compileall.compile_dir(Path(nlp_agent.__file__).parent, quiet=2)
    print(f"{'measure':<52} {'ours':>9} {'bare':>9}   goal")
    for players in villages:
        with tempfile.TemporaryDirectory() as folder:
            ours, bare = asyncio.run(side_by_side(players, Path(folder)))
        compare(players, ours, bare)
    for players in villages:
        cost = prompt_cost(players, talks=4)
        show(f"{players} seats: characters of a talk's prompt", f"{cost.per_talk:,.0f}", "", "")
        show(f"{players} seats: share of it that is an old beginning", f"{cost.share:.2f}", "", ">= .90")
    for players in (players for players in villages if players in QUICK):
        goal = {5: ">= 40 /s", 13: ">= 6 /s"}[players]
        show(f"{players} seats: games a second and core, no model", f"{quick_games(players):.2f}", "", goal)
    for players, goal in ((5, "<= 10 and 100"), (15, "<= 30 and 100 (one core)")):
        times, games = classic_times(players)
        figures = f"{times[len(times) // 2]:.1f} {times[int(len(times) * 0.99)]:.1f} {times[-1]:.1f}"
        show(f"{players} seats, classic protocol: p50, p99, max of an action, ms", figures, "", f"p99, max {goal}")
        show(f"{players} seats, classic protocol: games a second and core", f"{games:.2f}", "", "")
    watched = watch_cost()
    worst = f"{watched.added_worst_ms:+.3f} for the slowest of a hundred"
    show("run --watch costs a reply, median, ms", f"{watched.added_ms:.3f}", "", f"< 0.3 ({worst})")
    onlookers()
    return 0


def onlookers() -> None:
    """Thirteen players with and without fifty onlookers, the same deal."""
    from tests.bench.onlookers import READERS, watched_game

    alone, seen = (asyncio.run(watched_game(readers)) for readers in (0, READERS))
    goal = f"{seen.reply / alone.reply:.2f} x without them (1.0)"
    show("13 seats: reply, 50 onlookers and none, ms", f"{seen.reply:.1f}", f"{alone.reply:.1f}", goal)
    slow = f"p95 {seen.update(0.95):.0f} (<= 100)"
    show("13 seats, 50 onlookers: a line on the last page, ms", f"{seen.update(0.5):.0f}", "", slow)


def show(what: str, ours: str, bare: str, goal: str) -> None:
    print(f"{what:<52} {ours:>9} {bare:>9}   {goal}", flush=True)


def compare(players: int, ours: Sequence[PlayerRun], bare: Sequence[PlayerRun]) -> None:
    """The rows of one village; of several games the median, of the worst talk the worst."""

    def row(what: str, figure: Callable[[PlayerRun], float], form: str, goal: Callable[[float, float], str]) -> None:
        one, other = (statistics.median(map(figure, runs)) for runs in (ours, bare))
        show(f"{players} seats: {what}", format(one, form), format(other, form), goal(one, other))

    def times(most: float) -> Callable[[float, float], str]:
        return lambda one, other: f"{one / other:.2f} x bare (<= {most})"

    row("start to first NAME, s", lambda run: run.named, ".2f", times(1.3))
    # All languages are made ready before that, which a bare client has none of: told, and no goal.
    told = "{:.2f} x bare".format
    row("start to first talk, s", lambda run: run.answered, ".2f", lambda one, other: told(one / other))
    row("CPU until then, s", lambda run: run.answered_cpu, ".2f", lambda one, other: told(one / max(other, 0.01)))
    beyond = 3 if players == 5 else 5
    row(
        "talk beyond the endpoint, median, ms",
        lambda run: statistics.median(run.talks),
        ".1f",
        lambda one, other: f"{one - other:+.1f} ms over bare (<= {beyond})",
    )
    worst = [max(max(run.talks) for run in runs) for runs in (ours, bare)]
    show(f"{players} seats: the same, worst, ms", f"{worst[0]:.0f}", f"{worst[1]:.0f}", "<= 50")
    row("CPU a game, start included, s", lambda run: run.cpu, ".1f", times(1.3))
    most = 90 if players == 5 else 100
    row("memory, peak, MB", lambda run: run.megabytes, ".0f", lambda *_: f"<= {most}")
    again = f"<= one a talk or target ({sum(run.again for run in ours)} of ours asked again)"
    row("calls a game", lambda run: run.calls, ".0f", lambda *_: again)


# --- games with an endpoint ------------------------------------------------------------------------------------


async def side_by_side(players: int, folder: Path) -> tuple[list[PlayerRun], list[PlayerRun]]:
    """Games of ours and of the bare client, in turn."""

    def ours(url: str, llm: str, seats: int) -> list[str]:
        file = folder / "bench.yml"
        text = CONFIG.format(url=url, llm=llm, players=seats, records=folder / "records")
        file.write_text(text, encoding="utf-8")
        return ["nlp_agent", "run", "-c", str(file)]

    def bare(url: str, llm: str, seats: int) -> list[str]:
        return ["tests.bench.bare", url, llm, str(seats)]

    runs: tuple[list[PlayerRun], list[PlayerRun]] = ([], [])
    async with _endpoint(folder / "count") as llm:
        for seed in range(GAMES.get(players, 1)):
            for found, command in zip(runs, (ours, bare), strict=True):
                found.append(await _game(command, llm, players, seed, folder / "count"))
    return runs


@asynccontextmanager
async def _endpoint(count: Path) -> AsyncIterator[str]:
    """The scripted model in a process of its own; its ``base_url``."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.counted_model", str(count), str(THINKING)),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        yield (await process.stdout.readline()).decode().strip()
    finally:
        process.terminate()
        await process.wait()


async def _game(command: Command, llm: str, players: int, seed: int, count: Path) -> PlayerRun:
    """One game at a table of this process; the player has one of its own."""
    run, asked, before, started = PlayerRun(), 0.0, 0, 0.0

    def watch(_: str, event: Event) -> None:
        nonlocal asked, before
        if isinstance(event, Asked) and event.request is Request.TALK:
            before, asked = count.stat().st_size, time.perf_counter()
        elif isinstance(event, Answered) and event.request is Request.TALK:
            spent = time.perf_counter() - asked
            # One seat at a time is asked to talk, and what nobody waits for is not streamed.
            questions = max(1, count.read_bytes()[before:].count(b"|"))
            run.talks.append((spent - questions * THINKING) * 1000)
            run.again += questions > 1
            if not run.answered:
                run.answered, run.answered_cpu = time.perf_counter() - started, run.cpu

    count.write_bytes(b"")
    village = contest_village(players, "en")
    async with Table(village, cast=load_cast("en"), seed=seed, on_event=watch) as table:
        started = time.perf_counter()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", *command(table.url, llm, players)),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "OPENAI_API_KEY": "none"},
        )
        watching = asyncio.create_task(_watch_process(process.pid, run))
        while not table.waiting and not table.running:
            await asyncio.sleep(0.002)
        run.named = time.perf_counter() - started
        await table.next_match()
        await process.wait()
        await watching
    run.calls = len(count.read_bytes())
    return run


async def _watch_process(pid: int, run: PlayerRun) -> None:
    """Note CPU time and the largest resident size until the process ends."""
    try:
        process = psutil.Process(pid)
        while True:
            with process.oneshot():
                times = process.cpu_times()
                run.megabytes = max(run.megabytes, process.memory_info().rss / 1e6)
            if times.user:  # all figures of a process that has just ended are 0
                run.cpu = times.user + times.system
            await asyncio.sleep(0.05)
    except psutil.Error:
        return


# --- games without ---------------------------------------------------------------------------------------------


def classic_times(players: int) -> tuple[list[float], float]:
    """Sorted milliseconds of CPU for every answer in the protocol's language, and games a second; start left out."""
    make_ready()
    games = [timed_game(players, seed) for seed in range(CLASSIC[players])]
    return sorted(ms for game in games for ms in game.ms), len(games) / sum(game.seconds for game in games)


def quick_games(players: int) -> float:
    """Games without a model a second of CPU: engine, minds, lines and cleaning included."""
    pack, village = load_pack("en"), contest_village(players, "en")
    started = time.process_time()
    for seed in range(QUICK[players]):
        asyncio.run(play_quickly(village, our_seats(pack, players, seed), seed))
    return QUICK[players] / (time.process_time() - started)


if __name__ == "__main__":
    sys.exit(main())
