"""What judges say of two contestants, in a line. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nlp_agent.lab.tournament.differences import Difference, points


def compared(won: Difference, summary: Mapping[str, Any], costs: Mapping[str, float | None]) -> str:
    """Which of two wins more, which is ranked higher, and what each costs.

    ``summary`` is that of :func:`nlp_agent.lab.judge.run.write_results`; ``costs``: contestant -> money for a seat over
    a game, None when nobody said.
    """
    ranked = "; ".join(ranked_higher(summary, won.first, won.second)) or "nobody was ranked"
    return f"{_wins(won)}; {ranked}; {_cost(costs, won.first, won.second)}"


def _wins(won: Difference) -> str:
    sign = -1 if won.better == won.second else 1
    low, high = sorted((sign * won.low, sign * won.high))
    ends = f"{points(low)} to {points(high)}, {won.deals} deals"
    if won.all_equal:
        ends = f"{won.equal} of {won.deals} deals equal"
    told = f"{points(sign * won.mean)} of 100 games, {ends}"
    return f"{won.better} wins more ({told})" if won.decided else f"who wins more is undecided ({won.first} {told})"


def ranked_higher(summary: Mapping[str, Any], first: str, second: str) -> list[str]:
    """What each judge says: whom it ranks higher, over games in which both sat."""
    return [_higher(row) for row in summary.get("pairs", ()) if {row["first"], row["second"]} == {first, second}]


def _higher(row: Mapping[str, Any]) -> str:
    """A place is a share of the way from best to last: whoever has the smaller one is ranked higher."""
    sign = 1 if row["value"] > 0 else -1
    ahead, behind = (row["second"], row["first"]) if sign > 0 else (row["first"], row["second"])
    by = f"by {abs(row['value']):.2f} of the way from best to last"
    if row["low"] is None:
        return f"{row['judge']} ranks {ahead} higher in the few games it judged ({by})"
    low, high = sorted((sign * row["low"], sign * row["high"]))
    if low <= 0:
        ends = f"{low:+.2f} to {high:+.2f}, {row['games']} games"
        return f"{row['judge']} ranks neither higher for sure ({ahead} {by}, {ends})"
    return f"{row['judge']} ranks {ahead} higher than {behind} ({by}, {low:.2f} to {high:.2f}, {row['games']} games)"


def _cost(costs: Mapping[str, float | None], first: str, second: str) -> str:
    told = [(name, costs.get(name)) for name in (first, second)]
    if any(money is None for _, money in told):
        return "what each costs is not known (llm.prices)"
    return "a seat and game costs " + ", ".join(f"{name} {money:.3g}" for name, money in told)
