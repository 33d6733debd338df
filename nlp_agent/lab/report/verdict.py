"""The answer in a sentence: who is better, or that nobody knows yet, and what it would take to know. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nlp_agent.lab.report.evidence import Evidence
from nlp_agent.lab.report.measures import BOTH, SIDES, Paired, Point
from nlp_agent.lab.study.statistics import Figure

NARROW = 0.03
"""Half of the interval that a further run should aim for."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """``state``: ``decided``, ``undecided`` or ``told`` (there was nothing to compare)."""

    state: str
    head: str
    text: str


def verdict_of(evidence: Evidence, pairs: Sequence[Paired], above: Sequence[Point], rates: Sequence[Point]) -> Verdict:
    """What to say first."""
    if pairs:
        return _of_pair(pairs[0]) if len(evidence.who) == 2 else _of_many(evidence, pairs)
    if len(evidence.who) > 1:
        return _above_role(above)
    found = {point.group: point.figure for point in rates}
    village, games = found[SIDES["VILLAGER"]], found[BOTH].games
    text = (
        f"The village won {percent(village)} of {games} games. All seats were {evidence.who[0]}'s: nobody to compare."
    )
    return Verdict("told", f"{games} games among themselves", text)


def _of_pair(pair: Paired) -> Verdict:
    one = pair.difference
    ends = f"{points(one.mean)} points of 100, 95 % interval {points(one.low)} to {points(one.high)}, {one.deals} deals"
    if one.decided:
        other = one.second if one.better == one.first else one.first
        signed = one.mean if one.better == one.first else -one.mean
        low, high = (one.low, one.high) if one.better == one.first else (-one.high, -one.low)
        ends = f"{points(signed)} points of 100 (95 % interval {points(low)} to {points(high)}), same {one.deals} deals"
        return Verdict("decided", f"{one.better} is better", f"It wins more than {other} by {ends}.")
    return Verdict(
        "undecided",
        f"Undecided between {one.first} and {one.second}",
        f"The difference is {ends}: the interval holds 0. {_needed(pair)}",
    )


def _needed(pair: Paired) -> str:
    one = pair.difference
    if one.half <= NARROW:
        return "It is narrow: if there is a difference, it is a small one. Enter the cheaper one."
    deals = math.ceil(one.deals * (one.half / NARROW) ** 2 / 10) * 10
    return f"About {deals:,} deals would make it ± {100 * NARROW:.0f} points."


def _of_many(evidence: Evidence, pairs: Sequence[Paired]) -> Verdict:
    beaten: dict[str, set[str]] = {who: set() for who in evidence.who}
    for pair in pairs:
        one = pair.difference
        if one.decided:
            beaten[one.better].add(one.second if one.better == one.first else one.first)
    unbeaten = [who for who in evidence.who if not any(who in losers for losers in beaten.values())]
    for who in unbeaten:
        if len(beaten[who]) == len(evidence.who) - 1:
            return Verdict("decided", f"{who} is the best", f"It wins more than each of the others; {_listed(pairs)}")
    names = ", ".join(unbeaten)
    return Verdict("undecided", f"Undecided between {names}", f"Nobody is known to beat any of them; {_listed(pairs)}")


def _listed(pairs: Sequence[Paired]) -> str:
    decided = sum(pair.difference.decided for pair in pairs)
    return f"{decided} of {len(pairs)} differences on the same deals are decided."


def _above_role(above: Sequence[Point]) -> Verdict:
    """For contests: everybody had other roles and other neighbours, so a role's usual share of wins is taken off."""
    first = above[0]
    ahead = [point.who for point in above if point.figure.decided and (point.figure.value or 0) > 0]
    lead = (
        f"{first.who} won most, seen by its roles: {percent(first.figure, signed=True)} above what others won in them"
    )
    if ahead:
        more = f"decidedly above: {', '.join(ahead)}"
        chance = f"of {len(above)} teams alike, one in forty would be by luck"
        return Verdict(
            "decided",
            f"{' and '.join(ahead[:3])} {'is' if len(ahead) == 1 else 'are'} ahead",
            f"{lead}; {more} ({chance}).",
        )
    return Verdict("undecided", "Undecided: nobody is ahead for sure", f"{lead}; every interval holds 0.")


# --- numbers ---------------------------------------------------------------------------------------------------


def points(share: float) -> str:
    return f"{100 * share:+.1f}"


def percent(figure: Figure, *, signed: bool = False) -> str:
    """``46 % (41 to 51)``."""
    if figure.value is None:
        return "-"
    sign = "+" if signed else ""
    ends = (
        ""
        if figure.low is None or figure.high is None
        else f" ({100 * figure.low:{sign}.0f} to {100 * figure.high:{sign}.0f})"
    )
    return f"{100 * figure.value:{sign}.0f} %{ends}"


def plain(figure: Figure, digits: int = 1) -> str:
    if figure.value is None:
        return "-"
    ends = (
        "" if figure.low is None or figure.high is None else f" ({figure.low:.{digits}f} to {figure.high:.{digits}f})"
    )
    return f"{figure.value:.{digits}f}{ends}"
