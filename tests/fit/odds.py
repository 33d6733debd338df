"""Fitting the odds on game logs: which roles do what, so that true worlds become likely and false ones do not.

The model is the one of :mod:`nlp_agent.belief`: the log-weight of a world is the sum of the odds of all facts in it.
What is maximised is the probability of the true world among random ones, as an onlooker sees it at every vote (with
equal chances for all worlds this sampling does not bias the odds: McFadden 1978), with a Gaussian prior around a first
guess for every odd. Villages with one wolf and with more share their odds and may differ from each other at a price.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from nlp_agent.belief.constants import SIZES
from nlp_agent.belief.mixture import FIELD_FIRST, shown
from nlp_agent.belief.odds import Odds, pattern_covers
from nlp_agent.protocol import Role
from nlp_agent.study.logs import VoteMoment

Floats = NDArray[np.float64]

# --- The kinds of facts that have odds, their patterns, a first guess for each, and how free it is to leave ... ------


class Prior(NamedTuple):
    """``odds``: log-odds before any game is seen; ``free``: standard deviation around it."""

    odds: float = 0.0
    free: float = 0.5


_W, _P, _S, _O = "WEREWOLF", "POSSESSED", "SEER", "OTHER"
_FREE = Prior(0.0, 1.0)


def _by_role(wolf: float = 0.0, possessed: float = 0.0, seer: float = 0.0, free: float = 0.7) -> dict[str, Prior]:
    return {_W: Prior(wolf, free), _P: Prior(possessed, free), _S: Prior(seer, free)}


def _towards(wolf: Prior, partner: float) -> dict[str, Prior]:
    """Who does it to whom: first what anybody does to a role, then, less freely, how single roles differ from that.

    Without that order the many pairs of a large village teach the fit a noise of its own. ``wolf`` is the guess for
    what anybody does to a wolf, for a village is a little righter than chance; ``partner`` for wolf and wolf on top.
    """
    anybody = {f"ANY>{_W}": wolf, f"ANY>{_P}": Prior(), f"ANY>{_S}": Prior()}
    pairs = ((_W, _P), (_W, _S), (_P, _W), (_P, _S), (_S, _W), (_S, _P))
    single = {f"{a}>{b}": Prior(0.0, 0.25) for a, b in pairs} | {f"{_W}>{_W}": Prior(partner, 0.25)}
    return anybody | single | _by_role(free=0.25)


def _towards_wolves(wolf: Prior, partner: float = 0.0) -> dict[str, Prior]:
    """Only what is done to wolves, and by wolves among themselves: for what tells little else."""
    return {f"ANY>{_W}": wolf, f"{_W}>{_W}": Prior(partner, 0.25)}


GUESSES: dict[str, dict[str, Prior]] = {
    "seer_claim_first": _by_role(0.0, 2.0, 3.5, 1.0),
    "seer_claim_second": _by_role(0.0, 2.5, 3.0, 1.0),
    "seer_claim_later": _by_role(1.5, 1.5, 2.0, 2.0),
    "seer_claim_late": _by_role(),
    "seer_rivals": {f"{_W}>{_P}": _FREE, f"{_P}>{_W}": _FREE, f"{_W}>{_W}": Prior(-1.0, 2.0)},
    "medium_claim_first": _by_role(-0.5, 1.0, -1.0) | {"MEDIUM": Prior(4.0, 1.0)},
    "medium_claim_second": _by_role(0.0, 1.5, -1.0) | {"MEDIUM": Prior(3.5, 1.0)},
    "medium_claim_later": _by_role(1.0, 1.5, -1.0) | {"MEDIUM": Prior(3.0, 1.0)},
    "medium_claim_late": _by_role() | {"MEDIUM": Prior()},
    "bodyguard_claim": _by_role(-0.5, -0.5, -0.5) | {"BODYGUARD": Prior(2.5, 1.0)},
    "possessed_claim": _by_role(0.0, 2.0, -1.0),
    "werewolf_claim": _by_role(0.5, 1.0, -1.0),
    "two_roles": _by_role(0.3, 0.3, -0.5),
    "changed_result": _by_role(0.3, 0.3, -0.5),
    "seer_black": {f"{_S}>HUMAN": Prior(-3.0, 1.0), f"{_P}>{_W}": Prior(0.0, 0.7), f"{_W}>{_W}": Prior(-1.0, 0.7)},
    "seer_white": {f"{_S}>{_W}": Prior(-3.0, 1.0), f"{_P}>{_W}": Prior(0.0, 0.7), f"{_W}>{_W}": Prior(0.5, 0.7)},
    # None for the seer: the look decides its colour, which SEER>HUMAN and SEER>WEREWOLF weigh already.
    "seer_told_black": {_W: Prior(0.5, 0.7), _P: Prior(0.5, 0.7)},
    "seer_told_more_blacks": _by_role(0.5, 0.5, 0.0),
    "medium_black": {"MEDIUM>HUMAN": Prior(-3.0, 1.0), f"{_P}>{_W}": Prior(0.0, 0.7), f"{_W}>{_W}": Prior(-0.5, 0.7)},
    "medium_white": {f"MEDIUM>{_W}": Prior(-3.0, 1.0), f"{_P}>{_W}": Prior(0.0, 0.7), f"{_W}>{_W}": Prior(0.5, 0.7)},
    "suspects": _towards_wolves(Prior(0.4, 0.2), -0.2),
    "trusts": _towards_wolves(Prior(-0.2, 0.3), 0.2),
    "announced": _towards(Prior(0.4, 0.3), -0.2),
    "voted": _towards(Prior(0.3, 0.3), -0.2),
    "felled": _towards_wolves(Prior()),
    "broke_promise": _by_role(0.2, 0.0, 0.0),
    "attacked": {_P: _FREE, _S: _FREE, "MEDIUM": _FREE, "BODYGUARD": _FREE},
    "claimant_attacked": {_P: Prior(-0.5, 0.7), _S: Prior(0.7, 0.7)},
    "silent": _by_role(),
    "talks": _by_role(),
    "no_opinion": _by_role(),
    "possessed_claim_refuted": _by_role(1.5, 2.0, -1.0),
    "call_unanswered": {f"{_W}>{_P}": Prior(-1.0, 0.7)},
}


# --- Telling players like ours from a field --------------------------------------------------------------------------


SIGN_SPREAD = 2.0
"""Standard deviation, around 0, of what a kind of fact is worth as a sign before any game is seen."""
SIGN_VOTES = 200
"""For so many votes those of each of the two count, however many there are: votes of one game are not independent."""


def shows(moment: VoteMoment) -> Floats:
    """[kinds] what :meth:`nlp_agent.belief.mixture.Mixture.share` weighs at a vote, seen by an onlooker."""
    kinds = list(GUESSES)
    found = np.zeros(len(kinds))
    for fact in moment.facts:
        if fact.kind in GUESSES:
            found[kinds.index(fact.kind)] += shown(fact) / len(moment.voters)
    return found


def fit_signs(field: Sequence[Floats], own: Sequence[Floats]) -> dict[str, float]:
    """Kind of fact -> log-odds that players are like ours: a logistic regression whose intercept is given.

    Both come from :func:`shows`, and weigh the same whatever their numbers.
    """
    seen = np.array([*field, *own])
    true = np.concatenate([np.zeros(len(field)), np.ones(len(own))])
    weight = np.concatenate([np.full(len(one), SIGN_VOTES / max(1, len(one))) for one in (field, own)])

    def loss(signs: Floats) -> tuple[float, Floats]:
        """Minus the log-likelihood with a Gaussian prior around 0, and its gradient."""
        told = seen @ signs - FIELD_FIRST
        value = float(weight @ (np.logaddexp(0.0, told) - true * told) + signs @ signs / (2 * SIGN_SPREAD**2))
        return value, seen.T @ (weight * (1 / (1 + np.exp(-told)) - true)) + signs / SIGN_SPREAD**2

    found = minimize(loss, np.zeros(seen.shape[1]), jac=True, method="L-BFGS-B").x
    return {kind: round(float(value), 2) for kind, value in zip(GUESSES, found, strict=True)}


# --- Fitting the odds on game logs -----------------------------------------------------------------------------------


WORLDS = 500
"""How many false worlds a moment is compared with; small villages have all of theirs."""
DIFFERENCE = 0.25
"""How far the two kinds of villages may lie apart, as a share of an odd's freedom."""
FREEDOM = 0.8
"""Scales every guess's freedom; chosen, as DIFFERENCE was, by the log-loss of contests left out."""

COLUMNS: tuple[tuple[str, str], ...] = tuple((kind, p) for kind, patterns in GUESSES.items() for p in patterns)
"""(kind, pattern) of every parameter."""
_OF_KIND = {kind: [c for c, (k, _) in enumerate(COLUMNS) if k == kind] for kind in GUESSES}


@dataclass(frozen=True)
class Example:
    """``phi``: [worlds, columns] how much of each odd a world would draw, the true world first; float32."""

    contest: str
    one_wolf: bool
    phi: NDArray[np.float32]


def examples_of(moments: Iterable[VoteMoment]) -> tuple[Example, ...]:
    """What fitting needs of each of ``moments``; here, because other processes find nothing in ``__main__``."""
    return tuple(example(moment) for moment in moments)


def example(moment: VoteMoment) -> Example:
    """What fitting needs of one vote."""
    game = moment.game
    players = sorted(game.names)
    place = {name: number for number, name in enumerate(players)}
    roles, worlds = _worlds(tuple(game.roles[name] for name in players), f"{game.contest}|{game.name}|{moment.day}")
    worlds = worlds[_possible(worlds, roles, [place[n] for n in moment.voters], moment, place)]
    phi = np.zeros((len(worlds), len(COLUMNS)), dtype=np.float32)
    for fact in moment.facts:
        if fact.kind in GUESSES and fact.who in place:
            drawn = _drawn(fact.kind, roles)
            columns = _OF_KIND[fact.kind]
            about = worlds[:, place[fact.about]] if fact.about in place else np.zeros(len(worlds), dtype=np.int64)
            phi[:, columns] += fact.amount * drawn[worlds[:, place[fact.who]], about]
    one = game.role_num_map.get(Role.WEREWOLF, 1) == 1
    return Example(game.contest, one, phi)


def _worlds(truth: tuple[str, ...], seed: str) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The role names, and worlds as [number, player] of indices into them; the true one first, each once or by
    chance."""
    roles = tuple(sorted(set(truth)))
    real = tuple(roles.index(role) for role in truth)
    rng, cards, found = random.Random(seed), list(real), {real: None}
    for _ in range(WORLDS):
        rng.shuffle(cards)
        found.setdefault(tuple(cards))
    return roles, np.array(list(found), dtype=np.int64)


def _possible(
    worlds: NDArray[np.int64], roles: tuple[str, ...], alive: list[int], moment: VoteMoment, place: Mapping[str, int]
) -> NDArray[np.bool_]:
    """The game goes on, and the attacked were no wolves."""
    wolf = worlds == roles.index(Role.WEREWOLF)
    living = wolf[:, alive].sum(axis=1)
    ok: NDArray[np.bool_] = (living >= 1) & (2 * living < len(alive))
    for day in moment.game.days:
        if day.day < moment.day and day.attacked:
            ok &= ~wolf[:, place[day.attacked]]
    ok[0] = True
    return ok


@cache
def _drawn(kind: str, roles: tuple[str, ...]) -> NDArray[np.float32]:
    """[role of who, role about, pattern of the kind]: whether the pattern fits."""
    table = np.zeros((len(roles), len(roles), len(GUESSES[kind])), dtype=np.float32)
    for c, pattern in enumerate(GUESSES[kind]):
        first, _, second = pattern.partition(">")
        for a, who in enumerate(roles):
            for b, about in enumerate(roles):
                table[a, b, c] = pattern_covers(first, who) and (not second or pattern_covers(second, about))
    return table


def fit(found: Sequence[Example]) -> Odds:
    """The odds that make the true worlds most likely; the sum is concave, so there is one best place."""
    guess = np.array([GUESSES[kind][pattern].odds for kind, pattern in COLUMNS])
    free = FREEDOM * np.array([GUESSES[kind][pattern].free for kind, pattern in COLUMNS])
    centre = np.concatenate([guess, np.zeros_like(guess)])
    precision = np.concatenate([free**-2, (free * DIFFERENCE) ** -2])

    @lru_cache(maxsize=1)
    def loss(place: bytes) -> tuple[float, Floats, Floats]:
        """What is made small, its gradient and its Hessian; asked for the same place twice in a row."""
        odds = np.frombuffer(place)
        value, gradient, curve = _likelihood(found, odds)
        away = odds - centre
        return float(precision @ away**2) / 2 - value, precision * away - gradient, curve + np.diag(precision)

    best = minimize(
        lambda odds: loss(odds.tobytes())[:2],
        centre,
        jac=True,
        hess=lambda odds: loss(odds.tobytes())[2],
        method="trust-exact",
    ).x
    half = len(guess)
    return _as_odds({SIZES[0]: best[:half] + best[half:], SIZES[1]: best[:half] - best[half:]})


def _likelihood(found: Sequence[Example], odds: Floats) -> tuple[float, Floats, Floats]:
    """Log-likelihood of the true worlds, its slope, and minus its second derivative."""
    half = len(odds) // 2
    value, slope, bend = 0.0, np.zeros_like(odds), np.zeros((len(odds), len(odds)))
    for one in (True, False):
        sign = 1.0 if one else -1.0
        mine = (odds[:half] + sign * odds[half:]).astype(np.float32)
        gain, curve = np.zeros(half), np.zeros((half, half))
        for case in found:
            if case.one_wolf is not one:
                continue
            score = (case.phi @ mine).astype(np.float64)
            score -= score.max()
            p = np.exp(score)
            total = p.sum()
            value += score[0] - np.log(total)
            p /= total
            mean = p.astype(np.float32) @ case.phi
            spread = case.phi - mean
            gain += case.phi[0] - mean
            curve += (spread * p[:, None].astype(np.float32)).T @ spread
        slope += np.concatenate([gain, sign * gain])
        bend += np.block([[curve, sign * curve], [sign * curve, curve]])
    return value, slope, bend


def _as_odds(values: Mapping[str, Floats]) -> Odds:
    sizes: dict[str, dict[str, dict[str, float]]] = {}
    for size, numbers in values.items():
        table = sizes.setdefault(size, {})
        for (kind, pattern), number in zip(COLUMNS, numbers, strict=True):
            table.setdefault(kind, {})[pattern] = round(float(number), 2)
    return Odds(sizes)


_HEAD = '''"""The odds by which :mod:`nlp_agent.belief` weighs what happened, by kind of fact and pattern of roles.

Log-odds. A pattern is a role, or two: "SEER>WEREWOLF" is a seer who did it to a werewolf. HUMAN, OTHER and ANY stand
for several roles; all patterns that fit add up. The kinds are listed in :mod:`nlp_agent.belief.facts`, the guesses the
fit starts from in ``tests/fit/odds.py``.

{source}
Fit again: python -m tests.fit odds DIR --write nlp_agent/belief/fitted.py
"""

FITTED: dict[str, dict[str, dict[str, float]]] = {{
'''
_WIDTH = 120


def write_odds(odds: Odds, source: str) -> str:
    """The text of the module with the odds; ``source`` says what it was fitted on, one line."""
    return _HEAD.format(source=source) + _rows(odds) + "}\n"


_OWN_HEAD = '''"""Odds of players like ours, a component of :mod:`nlp_agent.belief.mixture`, and what tells them apart.

Log-odds, patterns and kinds as in :mod:`nlp_agent.belief.fitted`. ``SIGNS``: kind of fact -> log-odds that the players
are like ours and not a field as in public games, for each unit of its amount a player.

{source}
Fit again: python -m tests.fit own DIR OWN_DIR --write nlp_agent/belief/fitted_own.py
"""

SIGNS: dict[str, float] = {{
{signs}
}}

OWN: dict[str, dict[str, dict[str, float]]] = {{
'''


def write_own(odds: Odds, signs: Mapping[str, float], source: str) -> str:
    """The text of the module with the component of players like ours; ``source`` as in :func:`write_odds`."""
    lines = [f'    "{kind}": {value:.2f},' for kind, value in signs.items()]
    return _OWN_HEAD.format(source=source, signs="\n".join(lines)) + _rows(odds) + "}\n"


def _rows(odds: Odds) -> str:
    """The odds as the lines of a dictionary."""
    lines = []
    for size in SIZES:
        lines.append(f'    "{size}": {{')
        for kind, patterns in odds.sizes.get(size, {}).items():
            pairs = [f'"{pattern}": {value:.2f}' for pattern, value in patterns.items()]
            row = f'        "{kind}": {{{", ".join(pairs)}}},'
            if len(row) > _WIDTH:
                row = "\n".join([f'        "{kind}": {{', *(f"            {pair}," for pair in pairs), "        },"])
            lines.append(row)
        lines.append("    },")
    return "\n".join(lines) + "\n"
