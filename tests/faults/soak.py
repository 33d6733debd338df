"""Many games in a row, with a fault drawn at random for every request, in one process."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from shutil import rmtree

from nlp_agent.app.wiring.running import run_seats
from nlp_agent.arena.report import TableReport
from nlp_agent.arena.server import Table
from nlp_agent.arena.table import Match
from nlp_agent.llm.loopback import Loopback, talkative
from nlp_agent.net import Stop
from tests.faults.checking import count_slips, read_journals
from tests.faults.endpoint import FaultyEndpoint, Overheard, any_of, wrong_replies
from tests.faults.own_code import SharingTeam, shared_cast, warm_up
from tests.faults.table import AnyOf, harmless
from tests.faults.trial import config_for, village_for

LANES = 4
"""Tables at once; each has its own seats and its own endpoint, which stay from game to game."""
WARM = 20
"""Games after which memory is measured first."""
_ACTION = 60_000
"""Milliseconds, as at the contests: under a clock that jumps nobody waits for them."""
_ILL = 0.25
"""Share of requests to the endpoint that go wrong, and of packets that the table meddles with."""
_HEAVY = frozenset({"two-megabytes", "two-megabytes-one-word", "drip", "401", "404", "429-wait-120", "429-wait-5"})
"""Wrong replies that would only make every later request of a game go without the endpoint, or the machine slow."""


@dataclass
class SoakReport:
    """Sums over all games. ``early_mb`` and ``late_mb`` are resident megabytes after :data:`WARM` games and at the
    end; 0 where the system does not tell.
    """

    games: int = 0
    replies: int = 0
    struck: int = 0
    late: int = 0
    illegal: int = 0
    extra: int = 0
    lost: int = 0
    untrue: int = 0
    early_mb: float = 0.0
    late_mb: float = 0.0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)

    @property
    def growth(self) -> float:
        """Resident size at the end as a multiple of that after :data:`WARM` games; 1 where it is not known."""
        return round(self.late_mb / self.early_mb, 3) if self.early_mb else 1.0

    @property
    def good(self) -> bool:
        return not self.wrong and self.growth <= 1.1


async def soak(games: int, seed: int, on_game: Callable[[SoakReport], None]) -> SoakReport:
    """Play ``games`` games; ``on_game`` sees the sums so far after each."""
    warm_up()
    report, started = SoakReport(), time.monotonic()
    left = iter(range(games))

    def take(match: Match, lane: _Lane) -> None:
        lane.count(match, report)
        if report.games == min(WARM, games):
            report.early_mb = resident_megabytes()
        report.seconds = round(time.monotonic() - started, 1)
        on_game(report)

    with tempfile.TemporaryDirectory(prefix="nlp-agent-soak-") as folder:
        lanes = [_Lane(number, seed, Path(folder) / str(number)) for number in range(min(LANES, games))]
        await asyncio.gather(*(lane.run(left, take) for lane in lanes))
    report.late_mb = resident_megabytes()
    return report


class _Lane:
    """One table with its endpoint and its seats, game after game."""

    def __init__(self, number: int, seed: int, records: Path) -> None:
        self.language = ("en", "ja")[number % 2]
        self.seed = f"{seed}/{number}"
        self.records = records
        self.random = Random(self.seed)
        kinds = [reply for name, reply in wrong_replies(Overheard()).items() if name not in _HEAVY]
        self.endpoint = FaultyEndpoint(talkative(number), any_of(kinds, self.random, _ILL))
        self.disturbance: AnyOf = harmless(self.random, _ILL)
        self._left_by: list[str] = []

    async def run(self, left: Iterator[int], take: Callable[[Match, _Lane], None]) -> None:
        stop = Stop()
        table = Table(
            village_for(5, self.language, _ACTION),
            cast=shared_cast(self.language),
            seed=self.seed,
            admits=self.disturbance.admits,
            guest=self.disturbance.guest,
        )
        async with Loopback(self.endpoint) as endpoint, table:
            config = config_for(table.url, endpoint.base_url, 5, self.records, stays=True)
            seats = asyncio.create_task(run_seats([config], self._left_by.append, stop, SharingTeam))
            try:
                for _ in left:
                    take(await table.next_match(), self)
                    endpoint.requests.clear()
            finally:
                stop.request()
                await seats

    def count(self, match: Match, report: SoakReport) -> None:
        """Add a game to the sums, and forget it."""
        late, illegal, extra, lost = count_slips(match, self.disturbance)
        reading = read_journals(self.records, match)
        report.games += 1
        report.replies += len(reading.decisions)
        report.struck += len(self.endpoint.struck) + self.disturbance.done
        report.late, report.illegal = report.late + late, report.illegal + illegal
        report.extra, report.lost = report.extra + extra, report.lost + lost + match.report.aborted
        report.untrue += len(reading.untrue)
        report.wrong += [*reading.untrue, *self.disturbance.wrong]
        if late + illegal + extra + lost:
            report.wrong += _warnings(match.report)
        self.endpoint.struck.clear()
        self.disturbance.wrong.clear()
        self.disturbance.done = 0
        for folder in self.records.glob(f"*{match.report.game_id}"):
            rmtree(folder, ignore_errors=True)


def _warnings(report: TableReport) -> list[str]:
    counted = Counter(report.warnings)
    return [f"{report.game_id}: {warning}" for warning in counted]


def resident_megabytes() -> float:
    """What this process holds in memory now; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return 0.0
    for line in status.read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("VmRSS:"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0
