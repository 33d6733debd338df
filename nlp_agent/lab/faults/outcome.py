"""What came of a trial."""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.arena.events import GuestFault
from nlp_agent.arena.matches import Match
from nlp_agent.lab.faults.guests import STRANGER
from nlp_agent.lab.faults.kinds import Fault
from nlp_agent.lab.faults.table import Disturbance


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a trial showed. ``late``, ``illegal`` and ``extra`` count what the seats did wrong, ``lost`` seats that
    left by themselves; ``wrong`` tells all that speaks against the seats, or against the trial itself.
    """

    fault: Fault
    happened: str = ""
    games: int = 0
    late: int = 0
    illegal: int = 0
    extra: int = 0
    lost: int = 0
    seconds: float = 0.0
    wrong: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        return not self.wrong


def count_slips(match: Match, disturbance: Disturbance) -> tuple[int, int, int, int]:
    """Late, illegal, extra and lost of all our seats, without what the table itself gave up or dropped."""
    late = illegal = extra = lost = 0
    unheard = dict(disturbance.unheard)
    for seat in match.report.seats:
        slips = seat.faults
        guest = seat.seat.guest
        if guest == STRANGER:
            continue
        late += max(0, slips.get(GuestFault.TIMEOUT, 0) - unheard.get(guest, 0)) + slips.get(GuestFault.LATE, 0)
        late += 0 if disturbance.slow else slips.get(GuestFault.AFTER_PHASE, 0)
        illegal += seat.illegal
        extra += slips.get(GuestFault.UNASKED, 0) + slips.get(GuestFault.PING, 0) + slips.get(GuestFault.DROPPED, 0)
        lost += slips.get(GuestFault.LOST, 0) if guest not in disturbance.dropped else 0
    return late, illegal, extra, lost
