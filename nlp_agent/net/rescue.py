"""The plainest legal answer, from nothing but the packet that asks for it."""

from __future__ import annotations

from nlp_agent.protocol import OVER, TALK_REQUESTS, Packet


def plain_answer(packet: Packet) -> str:
    """Over, or the first living player other than the one asked; empty when the packet names none. Never raises."""
    if packet.kind in TALK_REQUESTS:
        return OVER
    info = packet.info
    if info is None:
        return ""
    return next((name for name in info.alive if name != info.agent and name not in info.role_map), "") or next(
        (name for name in info.alive if name != info.agent), ""
    )
