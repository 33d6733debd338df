"""Players for the tests of the table: small rules that answer a packet."""

from __future__ import annotations

from collections.abc import Callable

from nlp_agent.arena.engine import Deliver, Game, Reply
from nlp_agent.arena.in_process import Decider
from nlp_agent.protocol import Packet

Rule = Callable[[str, Packet], Reply]
"""(role, packet) -> reply."""


def quiet(packet: Packet) -> str | None:
    """Says nothing and names the first other living player."""
    if packet.request in ("TALK", "WHISPER"):
        return "Over"
    return other(packet) if packet.needs_reply else None


def polite(packet: Packet) -> str | None:
    """Says a sentence whenever asked, and names the first other living player."""
    if packet.request in ("TALK", "WHISPER"):
        return f"I have {packet.info.remain_count if packet.info else 0} talks left."
    return other(packet) if packet.needs_reply else None


def other(packet: Packet) -> str:
    assert packet.info is not None
    return next(name for name in packet.info.alive if name not in packet.info.role_map)


def table_of(count: int, *, special: Decider | None = None, others: Decider = quiet) -> list[Decider]:
    """``count`` deciders, the first of them ``special``."""
    return [special or others, *[others] * (count - 1)]


def play(game: Game, rule: Callable[[int, Packet], Reply]) -> list[tuple[int, Packet]]:
    """Play ``game`` to its end by ``rule(seat, packet)``; all packets that went out."""
    sent = []
    order = game.start()
    while isinstance(order, Deliver):
        sent.append((order.seat, order.packet))
        order = game.answer(rule(order.seat, order.packet))
    return sent
