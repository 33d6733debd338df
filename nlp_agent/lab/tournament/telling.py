"""What there is to say of a tournament, in lines for people. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nlp_agent.app.cli.screen import counted
from nlp_agent.game import Side, role_spec
from nlp_agent.lab.study.statistics import NOTHING, Figure
from nlp_agent.lab.tournament.deals import Tables
from nlp_agent.lab.tournament.differences import Difference, points
from nlp_agent.lab.tournament.limits import Projection
from nlp_agent.lab.tournament.standings import ContestantTally, Standings
from nlp_agent.lab.tournament.winning import ALL, Key

SCORED: Mapping[str, str] = {
    Tables.SIDES: "games won",
    Tables.MIXED: "seats won",
    Tables.SAME: "games won by its village",
}


def difference_line(one: Difference) -> str:
    """Short, for beside a bar."""
    if not one.deals:
        return f"{one.first} - {one.second}: no deal is whole yet"
    if one.all_equal:
        return f"{one.first} - {one.second}: {one.equal} of {one.deals} deals equal"
    verdict = f"{one.better} ahead" if one.decided else "undecided"
    return f"{one.first} - {one.second} {points(one.mean)} % ({points(one.low)} to {points(one.high)}), {verdict}"


def verdict_line(one: Difference, tables: Tables) -> str:
    """A sentence of its own, with all that it rests on."""
    told = f"{points(one.mean)} points of {SCORED[tables]} (95 %: {points(one.low)} to {points(one.high)}"
    rests = f"{one.deals} paired deals)"
    if one.all_equal:
        return f"{one.first} - {one.second}: undecided, {one.equal} of {one.deals} paired deals equal"
    if not one.decided:
        return f"{one.first} - {one.second}: undecided, {told}; {rests}"
    return f"{one.first} - {one.second}: {one.better} is better, {told}; {rests}"


def judged_line(one: Difference, standings: Standings, summary: Mapping[str, Any]) -> str:
    """Which of the two wins more, which is ranked higher by judges, and what a seat of each costs."""
    tallies = {name: standings.tallies[name] for name in (one.first, one.second)}
    costs = {
        name: None if tally.unpriced else tally.money / max(1, tally.seats.games) for name, tally in tallies.items()
    }
    return compared(one, summary, costs)


def compared(won: Difference, summary: Mapping[str, Any], costs: Mapping[str, float | None]) -> str:
    """Which of two wins more, which is ranked higher, and what each costs.

    ``summary`` is what ``nlp-agent judge`` writes into ``summary.json``; ``costs``: contestant -> money for a seat
    over a game, None when nobody said.
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


def cost_line(told: Projection, workers: int) -> str:
    """What ``told`` games will take."""
    parts = [f"{told.games} more games: about {duration(told.seconds)} on {counted(workers, 'worker')}"]
    if told.tokens:
        parts.append(f"{count(told.tokens)} tokens ({percent(told.cached, told.tokens)} cached)")
        cost = f"{told.money:.2f} ({told.low:.2f} to {told.high:.2f})"
        parts.append(cost if told.priced else "money unknown: set llm.prices")
    return ", ".join(parts)


def spent(tokens: int, money: float, priced: bool) -> str:
    """What was spent, in a few words; ``""`` when nothing was."""
    if not tokens:
        return ""
    return f"{count(tokens)} tokens, {f'{money:.2f}' if priced else 'no prices'}"


def count(number: float) -> str:
    """A count as people read it: 950, 12.3 k, 4.5 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.0f}"


def duration(seconds: float) -> str:
    """A time as people read it: 12 s, 3 min, 4.2 h, 2.5 days."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 172_800 else f"{seconds / 86_400:.1f} days"


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


# --- tables ----------------------------------------------------------------------------------------------------------

SEATS = ("Contestant", "Games", "Won", "95 % interval", "Village", "Wolves", "Fallbacks", "Faults", "Tokens", "Money")


def seat_table(standings: Standings) -> list[tuple[str, ...]]:
    """A row a contestant, under :data:`SEATS`."""
    rates = standings.rates()
    return [_seat_row(name, tally, rates) for name, tally in standings.tallies.items()]


def _seat_row(name: str, tally: ContestantTally, rates: Mapping[Key, Figure]) -> tuple[str, ...]:
    tokens = tally.prompt_tokens + tally.completion_tokens
    won = rates.get((name, ALL), NOTHING)
    money = "" if not tokens else "?" if tally.unpriced else f"{tally.money:.2f}"
    return (
        name,
        str(won.count),
        _rate(won),
        f"{100 * won.low:.1f} - {100 * won.high:.1f}" if won.low is not None and won.high is not None else "-",
        *(_rate(rates.get((name, f"side {side}"), NOTHING)) for side in Side),
        percent(tally.fallbacks, tally.replies),
        str(tally.faults),
        count(tokens) if tokens else "0",
        money,
    )


def _rate(won: Figure) -> str:
    return "-" if won.value is None else f"{100 * won.value:.1f} %"


def role_table(standings: Standings) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Columns and rows: how often each contestant won in each role, with the interval."""
    rates = standings.rates()
    known = {role for tally in standings.tallies.values() for role in tally.roles}
    roles = sorted(known, key=lambda role: (role_spec(role).side.value, role))
    rows = []
    for role in roles:
        cells = [role.lower()]
        for name in standings.tallies:
            won = rates.get((name, f"role {role}"), NOTHING)
            cells.append(f"{_rate(won)} ({100 * (won.low or 0):.0f}-{100 * (1 if won.high is None else won.high):.0f})")
        rows.append(tuple(cells))
    return ("Role", *standings.tallies), rows


def as_data(standings: Standings, differences: Sequence[Difference]) -> dict[str, Any]:
    """All figures as plain data, for programs."""
    rates = standings.rates()
    return {
        "games": standings.games,
        "village_wins": standings.village_wins,
        "without_winner": standings.undecided,
        "contestants": {name: _tally_data(name, tally, rates) for name, tally in standings.tallies.items()},
        "differences": [
            {
                "first": one.first,
                "second": one.second,
                "deals": one.deals,
                "equal_deals": one.equal,
                "difference": round(one.mean, 5),
                "low": round(one.low, 5),
                "high": round(one.high, 5),
                "decided": one.decided,
                "better": one.better,
            }
            for one in differences
        ],
    }


def _tally_data(name: str, tally: ContestantTally, rates: Mapping[Key, Figure]) -> dict[str, Any]:
    return {
        "games": tally.games,
        "seats": tally.seats.games,
        "won": _won_data(rates.get((name, ALL), NOTHING)),
        "sides": {side.value: _won_data(rates.get((name, f"side {side}"), NOTHING)) for side in Side},
        "roles": {role: _won_data(rates.get((name, f"role {role}"), NOTHING)) for role in sorted(tally.roles)},
        "replies": tally.replies,
        "fallbacks": tally.fallbacks,
        "faults": tally.faults,
        "prompt_tokens": tally.prompt_tokens,
        "cached_tokens": tally.cached_tokens,
        "completion_tokens": tally.completion_tokens,
        "money": None if tally.unpriced else round(tally.money, 6),
    }


def _won_data(won: Figure) -> dict[str, Any]:
    """``games``: finished ones it sat in so; ``deals``: what the interval counts."""
    ends = {"rate": won.value, "low": won.low, "high": won.high}
    rounded = {name: None if end is None else round(end, 4) for name, end in ends.items()}
    return {"games": won.count, "deals": won.games, **rounded}
