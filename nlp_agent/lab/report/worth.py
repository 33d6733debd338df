"""Games worth opening: those that turned most, failed worst, and were lied best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nlp_agent.lab.report.evidence import Detail, Evidence, GamePlace, Highlight, cluster

MOST = 5


@dataclass(frozen=True, slots=True)
class Worth:
    """``why`` is the kind of moment, ``what`` happened. ``key``: of the game in the addresses of ``nlp-agent replay``,
    which opens ``path``; both ``""`` where the game was not kept.
    """

    game: str
    why: str
    what: str
    day: int
    path: str
    key: str


_KINDS: tuple[tuple[str, Callable[[Detail], Highlight | None]], ...] = (
    ("Largest swing", lambda detail: detail.swing),
    ("Worst fallback", lambda detail: detail.fallback),
    ("Best lie", lambda detail: detail.lie),
)


def worth_opening(evidence: Evidence) -> list[Worth]:
    """The largest of each kind in turn; of a deal, whose games are much alike, one."""
    lists = []
    for why, moment_of in _KINDS:
        moments = [(game, moment) for game, detail in evidence.details.items() if (moment := moment_of(detail))]
        lists.append([(why, *pair) for pair in sorted(moments, key=lambda pair: (-pair[1].size, pair[0]))])
    shared = {row.game: cluster(row) for row in evidence.rows if row.game in evidence.details}
    found: dict[str, Worth] = {}
    while any(lists) and len(found) < MOST:
        for candidates in lists:
            while candidates:
                why, game, moment = candidates.pop(0)
                if shared[game] not in found and len(found) < MOST:
                    place = evidence.places.get(game, GamePlace("", ""))
                    found[shared[game]] = Worth(game, why, moment.what, moment.day, place.path, place.key)
                    break
    order = [why for why, _ in _KINDS]
    return sorted(found.values(), key=lambda worth: order.index(worth.why))
