"""What came of a trial."""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.lab.faults.catalogue import Fault


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
