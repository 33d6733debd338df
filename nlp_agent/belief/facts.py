"""What happened in public, cut into facts that odds can be given for; pure.

A fact says that ``who`` did something, or did it to ``about``. How likely each role is to do it stands in the odds,
never here. Facts hold what anybody at the table could see, so one list serves every seat and every pretended world.
"""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.game import SeatState
from nlp_agent.protocol import Role, Species
from nlp_agent.reading.ledger import Ledger, Result, Said


@dataclass(frozen=True, slots=True)
class Fact:
    """``kind`` names its odds. ``about`` is ``""`` when only ``who`` matters. ``amount`` scales the odds; ``day`` is
    the day it happened on, for those who want to speak of it."""

    kind: str
    who: str
    about: str = ""
    amount: float = 1.0
    day: int = 0


MOST_TIMES = 3
"""Saying the same thing more often than that adds nothing."""
FADING = 0.6
"""What an opinion or a vote still counts a day later: people change their minds, and so do those who deceive them.
Chosen by the hits in contests left out."""
FEW = 4
"""Where a player has that many others to speak of, an opinion counts in full; among more, each says less."""


def public_facts(state: SeatState, ledger: Ledger) -> list[Fact]:
    """Every fact so far, in a fixed order."""
    found: list[Fact] = []
    _claims(ledger, found)
    _results(state, ledger, found)
    _opinions(state, ledger, found)
    _votes(state, ledger, found)
    _presence(state, ledger, found)
    return found


def _claims(ledger: Ledger, found: list[Fact]) -> None:
    for role in (Role.SEER, Role.MEDIUM):
        claimants = ledger.claimants(role)
        for place, name in enumerate(claimants):
            order = ("first", "second", "later")[min(place, 2)]
            found.append(Fact(f"{role.lower()}_claim_{order}", name, day=ledger.claimed_on.get(name, 0)))
            if ledger.claimed_on.get(name, 0) > 1:
                found.append(Fact(f"{role.lower()}_claim_late", name, day=ledger.claimed_on[name]))
        for place, name in enumerate(claimants):
            found.extend(Fact(f"{role.lower()}_rivals", name, other) for other in claimants[place + 1 :])
    for role in (Role.BODYGUARD, Role.POSSESSED, Role.WEREWOLF):
        found.extend(Fact(f"{role.lower()}_claim", name) for name in ledger.claimants(role))
    found.extend(Fact(why, name) for name, why in ledger.liars.items())


def _results(state: SeatState, ledger: Ledger, found: list[Fact]) -> None:
    dead = {*state.executions.values(), *state.attacks.values()}
    for claimant, told in ledger.results.items():
        role = ledger.claims.get(claimant, "")
        if role not in (Role.SEER, Role.MEDIUM):
            continue
        for result in told:
            colour = "black" if result.result == Species.WEREWOLF else "white"
            found.append(Fact(f"{role.lower()}_{colour}", claimant, result.target, day=result.day - 1))
        if role == Role.SEER:
            _pattern(claimant, told, dead, found)


def _pattern(claimant: str, told: list[Result], dead: set[str], found: list[Fact]) -> None:
    """How many wolves a seer says it has found, and how many of its whites are dead."""
    blacks = sum(result.result == Species.WEREWOLF for result in told)
    if blacks:
        found.append(Fact("seer_told_black", claimant))
    if blacks > 1:
        found.append(Fact("seer_told_more_blacks", claimant, amount=blacks - 1))


def _opinions(state: SeatState, ledger: Ledger, found: list[Fact]) -> None:
    share = min(1.0, FEW / max(1, len(state.players) - 1))
    for kind, said in (("suspects", ledger.suspicions), ("trusts", ledger.trusts)):
        times: dict[tuple[str, str], list[Said]] = {}
        for entry in said:
            times.setdefault((entry.who, entry.target), []).append(entry)
        for (who, about), entries in times.items():
            day = entries[-1].day
            amount = min(len(entries), MOST_TIMES) ** 0.5 * share * FADING ** (state.day - day)
            found.append(Fact(kind, who, about, amount, day))


def _votes(state: SeatState, ledger: Ledger, found: list[Fact]) -> None:
    for (day, who), target in ledger.votes.items():
        if day >= state.day:
            found.append(Fact("announced", who, target, day=day))
    for day, votes in state.votes.items():
        fell, amount = state.executions.get(day, ""), FADING ** (state.day - day)
        for vote in votes:
            promised = ledger.votes.get((day, vote.agent), vote.target)
            found.append(Fact("voted", vote.agent, vote.target, amount, day))
            if vote.target == fell:
                found.append(Fact("felled", vote.agent, vote.target, amount, day))
            if promised != vote.target:
                found.append(Fact("broke_promise", vote.agent, promised, day=day))


def _presence(state: SeatState, ledger: Ledger, found: list[Fact]) -> None:
    for day, name in state.attacks.items():
        found.append(Fact("attacked", name, day=day))
        if ledger.claims.get(name) == Role.SEER:
            found.append(Fact("claimant_attacked", name, day=day))
    for day in range(1, state.day + 1):
        here = [n for n in state.players if n in state.alive or _lived(state, n, day)]
        counts = {name: ledger.counts.get((day, name), 0) for name in here}
        usual = sum(counts.values()) / max(1, len(counts))
        if usual < 1:
            continue
        for name, count in counts.items():
            if count == 0:
                found.append(Fact("silent", name, day=day))
            elif day == state.day:
                found.append(Fact("talks", name, amount=max(-1.0, min(1.0, (count - usual) / usual)), day=day))
    if state.day > 0:
        opinions = {s.who for s in ledger.suspicions} | {who for _, who in ledger.votes}
        found.extend(Fact("no_opinion", n) for n in state.alive if n not in opinions and n not in ledger.claims)


def _lived(state: SeatState, name: str, day: int) -> bool:
    """Whether a player that is dead now was there for the talks of ``day``."""
    return any(name == n and d >= day for book in (state.executions, state.attacks) for d, n in book.items())
