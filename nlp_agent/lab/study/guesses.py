"""The kinds of facts that have odds, their patterns, a first guess for each, and how free it is to leave that guess."""

from __future__ import annotations

from typing import NamedTuple


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
    "seer_claim_later": _by_role(1.5, 1.5, 2.0, 1.0),
    "seer_claim_late": _by_role(),
    "seer_rivals": {f"{_W}>{_P}": Prior(), f"{_P}>{_W}": Prior(), f"{_W}>{_W}": Prior(-1.0, 1.0)},
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
    "seer_told_black": _by_role(0.5, 0.5, 0.0),
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
}
