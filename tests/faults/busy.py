"""``python -m tests.faults.busy``: are all answers in time where this machine has little time for us?

Table and seats live in one process, on a clock that counts the processor time of this process alone, and that
:data:`LOAD` times: so much longer does work take on two cores beside eight busy processes. What else this machine does
changes little.
"""

from __future__ import annotations

import asyncio
import selectors
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from nlp_agent.app.config import Config
from nlp_agent.app.wiring.casts import table_cast
from nlp_agent.app.wiring.running import run_seats
from nlp_agent.arena.in_process import HurriedLoop, _JumpingSelector
from nlp_agent.arena.report import SeatReport
from nlp_agent.arena.server import Table
from nlp_agent.arena.village import contest_village
from nlp_agent.errors import AlertMessage, SessionError
from nlp_agent.net import EntryLock, Session, Stop
from nlp_agent.protocol import Timeout
from tests.net.test_session import Notes, Puppet

LOAD = 5.0
"""Ten processes on two cores."""


class _OftenLooking(_JumpingSelector):
    """Looks at the clock often while threads work, which makes it run faster than the one on the wall."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(min(timeout, 0.001) if self.busy and timeout else timeout)


class BusyLoop(HurriedLoop):
    """Waits for nothing; what is computed takes :data:`LOAD` times its processor time."""

    def __init__(self) -> None:
        self._impatient = _OftenLooking()
        asyncio.SelectorEventLoop.__init__(self, self._impatient)

    def time(self) -> float:
        """Seconds that were waited for, and those of the work."""
        return time.process_time() * LOAD + self._impatient.skipped


@dataclass(frozen=True, slots=True)
class BusyGame:
    """A game of ``players``, of whom ``seats`` are ours, in one process.

    Attributes:
        limit: seconds that the server waits for an answer.
        delay: seconds between our first seat's name and the other players'.
    """

    limit: float
    language: str
    players: int
    seats: int
    delay: float = 0.0

    def __str__(self) -> str:
        when = f", begun {self.delay:g} s after" if self.seats < self.players else ""
        return f"{self.limit:g} s, {self.language}, {self.seats} of {self.players}{when}"


LIMITS = (60.0, 2.0, 0.5)
LATER = (0.0, 0.5, 5.0)
GAMES = (
    *(BusyGame(limit, language, 5, 5) for limit, language in zip(LIMITS, ("zh", "en", "ja"), strict=True)),
    *(BusyGame(limit, language, 13, 13) for limit, language in zip(LIMITS, ("ja", "zh", "en"), strict=True)),
    *(BusyGame(2.0, "ja", 5, 1, delay) for delay in LATER),
    *(BusyGame(0.5, language, 5, 1, delay) for language, delay in zip(("zh", "en", "ja"), LATER, strict=True)),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of our seats.

    Attributes:
        late: answers that did not come in time, a lost seat's included.
        mute: seats that said nothing in the whole game.
        warned: whether the terminal said before the first question that this machine can hardly keep the limit.
    """

    late: int
    mute: int
    warned: bool

    @property
    def good(self) -> bool:
        """Whether nobody was mute and all was in time, or was told to be in danger."""
        return not self.mute and (not self.late or self.warned)


async def play_busy(game: BusyGame) -> Outcome:
    """Play it. Raises SessionError where one of our seats gets no game."""
    limit = int(game.limit * 1000)
    village = replace(contest_village(game.players, game.language, timeout=Timeout(action=limit)), grace=0, max_day=3)
    told: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        async with Table(village, cast=table_cast(game.language).cast, seed=1) as table:
            config = Config.model_validate(
                {
                    "web_socket": {"url": table.url},
                    "agent": {"num": game.seats, "team": "ours"},
                    "records": {"dir": folder},
                }
            )
            named = asyncio.Event()

            def heard(status: str) -> None:
                told.append(status)
                named.set()

            ours = asyncio.create_task(run_seats([config], heard, Stop()))
            await named.wait()
            others: list[asyncio.Task[object]] = []
            if game.seats < game.players:
                await asyncio.sleep(game.delay)
                others = [_guest(table.url, f"guest{number}") for number in range(game.players - game.seats)]
            match = await table.next_match()
            for ending in await asyncio.gather(ours, *others, return_exceptions=True):
                if isinstance(ending, Exception) and not isinstance(ending, SessionError):
                    raise ending
    seats = [seat for seat in match.report.seats if seat.seat.team.startswith("ours")]
    return Outcome(sum(seat.late for seat in seats), _mute(seats), _warned(told))


def _guest(url: str, name: str) -> asyncio.Task[object]:
    clock = asyncio.get_running_loop().time
    return asyncio.create_task(Session(url, name, Puppet(), Notes(), clock=clock, entry=EntryLock()).play())


def _mute(seats: Iterable[SeatReport]) -> int:
    return sum(not seat.talks for seat in seats)


def _warned(told: Sequence[str]) -> bool:
    return any(isinstance(text, AlertMessage) and "some may come too late" in text for text in told)


def run_busy(game: BusyGame) -> Outcome:
    """The game on such a clock."""
    with asyncio.Runner(loop_factory=BusyLoop) as runner:
        return runner.run(play_busy(game))


def main() -> int:
    """Play all, and print a row for each; 1 where one is not good."""
    bad = 0
    sys.stdout.write(f"{'limit, language, our seats':<46} {'late':>5} {'mute':>5}  told before\n")
    for game in GAMES:
        outcome = run_busy(game)
        bad += not outcome.good
        told = "yes" if outcome.warned else "no"
        sys.stdout.write(f"{game!s:<46} {outcome.late:>5} {outcome.mute:>5}  {told}\n")
        sys.stdout.flush()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
