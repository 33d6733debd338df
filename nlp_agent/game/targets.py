"""Whom a request may name.

Source: server behaviour – a dead or unknown target voids the action, a wolf that bites a wolf wastes the night,
and ``allow_self_vote`` is no reason to vote for oneself.
"""

from __future__ import annotations

from nlp_agent.game.state import SeatState
from nlp_agent.protocol import Request


def legal_targets(state: SeatState, request: Request) -> tuple[str, ...]:
    """Living players other than this seat that make sense for ``request``, in seat order.

    Fellow wolves are left out of ATTACK always. Players divined before are left out of DIVINE while others remain.
    Empty only when nobody else lives.
    """
    others = state.others
    if request is Request.ATTACK:
        prey = tuple(name for name in others if name not in state.partners)
        return prey or others
    if request is Request.DIVINE:
        seen = {judge.target for judge in state.divinations}
        return tuple(name for name in others if name not in seen) or others
    return others
