"""The answer in a sentence: who is better, or that nobody knows yet, and what it would take to know. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nlp_agent.app.cli.screen import counted
from nlp_agent.report.measures import BOTH, SIDES, Paired, Point
from nlp_agent.study.statistics import Figure
from nlp_agent.tournament.standings import TARGET_HALF_WIDTH, Difference, deals_to_tell, points

LEAST_GAMES = 8
"""Games (or deals) of a team below which it is not called ahead or behind, whatever its interval says."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The first words of a report. ``state``: ``decided``, ``undecided`` or ``told`` (there was nothing to compare).
    ``advice``: what to do now.
    """

    state: str
    head: str
    text: str
    advice: str = ""


def conclude(
    who: Sequence[str],
    pairs: Sequence[Paired],
    above: Sequence[Point],
    rates: Sequence[Point],
    costs: Sequence[Point] = (),
    *,
    nameless: bool = False,
    fixed: bool = False,
) -> Conclusion:
    """Find what a report says first.

    ``pairs``: differences by deal; ``above``: wins above role, for where there are none; ``nameless``: others sat there
    of whom nobody knows whose they were; ``fixed``: the number of deals was fixed before the first.
    """
    if len(pairs) == 1:
        return _of_pair(pairs[0], {point.who: point.figure for point in costs}, fixed)
    if pairs:
        return _of_many(who, pairs)
    if len(who) > 1:
        return _above_role(above)
    found = {point.group: point.figure for point in rates}
    games = found[BOTH].games
    if nameless:
        text = (
            f"It won {format_percent(found[BOTH])}. "
            "Whose the other seats were is not in the records: nobody to compare."
        )
        return Conclusion("told", f"{counted(games, 'game')} of {who[0]}", text)
    text = f"The village won {format_percent(found[SIDES['VILLAGER']])}. All seats were {who[0]}'s: nobody to compare."
    return Conclusion("told", f"{counted(games, 'game')} of {who[0]} alone", text)


def _of_pair(pair: Paired, costs: dict[str, Figure], fixed: bool) -> Conclusion:
    one = pair.difference
    more = f"Of 100 games {one.first} wins {points(one.mean, '.1f')} more than {one.second}"
    if one.decided:
        ends = f"{points(one.low, '.1f')} to {points(one.high, '.1f')} at any look"
        text = f"{more} ({ends}{_fixed(one, fixed)}), on the same {one.deals} deals."
        return Conclusion(
            "decided", f"{one.first} is better", text, f"Enter {one.first}. {_price(one.first, one.second, costs)}"
        )
    if one.all_equal:
        text = f"{one.first} and {one.second} won equally often: {one.equal} of {one.deals} deals equal."
        advice = "From deals that are all equal nobody can say how many would tell."
        return Conclusion("undecided", f"Undecided so far between {one.first} and {one.second}", text, advice)
    ends = f"{points(one.low)} to {points(one.high)} at any look{_fixed(one, fixed)}"
    if one.mean:
        text = f"{more}, but the interval ({ends}) includes 0 (the same {one.deals} deals)."
    else:
        text = f"{one.first} and {one.second} won equally often ({ends}; games of 100, the same {one.deals} deals)."
    return Conclusion("undecided", f"Undecided so far between {one.first} and {one.second}", text, _open(pair, costs))


def _fixed(one: Difference, fixed: bool) -> str:
    """The narrower interval, where it is right."""
    return f"; {' to '.join(map(points, one.fixed))} at this number of deals, which was fixed before" if fixed else ""


def _price(first: str, second: str, costs: dict[str, Figure]) -> str:
    if first not in costs or second not in costs or not (costs[first].value or costs[second].value):
        return ""
    return f"Its seat costs {costs[first].value:.3g} a game, {second}'s {costs[second].value:.3g}."


def _open(pair: Paired, costs: dict[str, Figure]) -> str:
    """What to do while nobody knows."""
    one = pair.difference
    more = (
        "If there is a difference, it is a small one."
        if one.half <= TARGET_HALF_WIDTH
        else f"About {deals_to_tell(one):,} deals would tell it to ± {100 * TARGET_HALF_WIDTH:.0f} games of 100."
    )
    cheap, dear = sorted((one.first, one.second), key=lambda name: (costs[name].value or 0.0) if name in costs else 0.0)
    if cheap in costs and dear in costs and (costs[cheap].high or 0) < (costs[dear].low or 0):
        return f"{more} Until then {cheap} is the cheaper one. {_price(cheap, dear, costs)}"
    return more


def _of_many(who: Sequence[str], pairs: Sequence[Paired]) -> Conclusion:
    # Whoever is ahead stands first in each pair.
    beaten = {name: {p.difference.second for p in pairs if p.difference.better == name} for name in who}
    unbeaten = [name for name in who if not any(name in losers for losers in beaten.values())]
    decided = sum(pair.difference.decided for pair in pairs)
    deals = f"{decided} of {len(pairs)} differences are decided, each on {pairs[0].difference.deals} deals."
    for name in unbeaten:
        if len(beaten[name]) == len(who) - 1:
            return Conclusion(
                "decided", f"{name} is the best", f"It wins more than each of the others; {deals}", f"Enter {name}."
            )
    names = f"{', '.join(unbeaten[:-1])} and {unbeaten[-1]}" if len(unbeaten) > 1 else "the contestants"
    return Conclusion("undecided", f"Undecided so far between {names}", f"Nobody is known to beat any of them; {deals}")


def _above_role(above: Sequence[Point]) -> Conclusion:
    """For contests: everybody had other roles and other neighbours, so a role's usual share of wins is taken off."""
    known = [point for point in above if enough_games(point.figure)]
    if not known:
        most = max(point.figure.count for point in above)
        text = (
            f"Nobody played more than {counted(most, 'game')}; with fewer than {LEAST_GAMES} no team is called ahead."
        )
        return Conclusion("undecided", "Undecided: too few games", text, "Play more, or name a folder that has more.")
    first = known[0]
    ahead = [point.who for point in known if point.figure.decided and (point.figure.value or 0) > 0]
    gain = (
        f"{first.who} won {format_percent(first.figure, sign=True)} of its {counted(first.figure.count, 'game')} "
        "more than all who had its roles"
    )
    if not ahead:
        return Conclusion("undecided", "Undecided: nobody is ahead for sure", f"{gain}; no interval lies above 0.")
    luck = f"Of {len(known)} teams of equal strength one in forty would look so by luck."
    verb = "is" if len(ahead) == 1 else "are"
    return Conclusion("decided", f"{', '.join(ahead)} {verb} ahead", f"{gain}.", luck)


def enough_games(figure: Figure) -> bool:
    """Tell whether there are games enough to call anybody ahead."""
    return figure.games >= LEAST_GAMES


# --- numbers ---------------------------------------------------------------------------------------------------


def format_percent(figure: Figure, *, sign: bool = False) -> str:
    """Write a share with its interval in percent, as in ``46 % (41–51)``, with a decimal where it is small."""
    if figure.value is None:
        return "-"
    plus, digits = "+" if sign else "", 1 if 0 < abs(figure.value) < 0.1 else 0
    return f"{100 * figure.value:{plus}.{digits}f} %{_ends(figure, 100, f'{plus}.{digits}f')}"


def format_value(figure: Figure, form: str = ".1f") -> str:
    """Write a figure with its interval, as in ``3.2 (3.0–3.4)``."""
    return "-" if figure.value is None else f"{figure.value:{form}}{_ends(figure, 1, form)}"


def _ends(figure: Figure, scale: float, form: str) -> str:
    if figure.low is None or figure.high is None:
        return ""
    between = " to " if figure.low < 0 or "+" in form else "–"
    return f" ({scale * figure.low:{form}}{between}{scale * figure.high:{form}})"
