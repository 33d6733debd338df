"""Games worth opening: those that turned most, failed worst, and were lied best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nlp_agent.lab.report.evidence import Detail, Evidence, Moment

MOST = 5


@dataclass(frozen=True, slots=True)
class Worth:
    """``why`` is the kind of moment, ``what`` happened; ``place``: what ``nlp-agent replay`` opens."""

    game: str
    why: str
    what: str
    day: int
    place: str


_KINDS: tuple[tuple[str, Callable[[Detail], Moment | None]], ...] = (
    ("Largest swing", lambda detail: detail.swing),
    ("Worst fallback", lambda detail: detail.fallback),
    ("Best lie", lambda detail: detail.lie),
)


def worth_opening(evidence: Evidence) -> list[Worth]:
    """The largest of each kind in turn, each game once."""
    lists = []
    for why, moment_of in _KINDS:
        moments = [(game, moment) for game, detail in evidence.details.items() if (moment := moment_of(detail))]
        lists.append([(why, *pair) for pair in sorted(moments, key=lambda pair: (-pair[1].size, pair[0]))])
    found: dict[str, Worth] = {}
    while any(lists) and len(found) < MOST:
        for candidates in lists:
            while candidates:
                why, game, moment = candidates.pop(0)
                if game not in found and len(found) < MOST:
                    found[game] = Worth(game, why, moment.what, moment.day, evidence.places.get(game, ""))
                    break
    order = [why for why, _ in _KINDS]
    return sorted(found.values(), key=lambda worth: order.index(worth.why))
