"""Packets that a session must not take as they come: the last one once more, or one of another game; and the plainest
legal answer to any. Pure.
"""

from __future__ import annotations

from nlp_agent.protocol import OVER, TALK_REQUESTS, Packet, Request, Setting

_ENDS = frozenset({Request.DAILY_FINISH, Request.FINISH})
"""Packets with which no game begins; any other may be the first that could be read."""


class Repeats:
    """Tells a packet that came twice from the next round of a vote, which looks the same.

    A second frame would shift all later answers.
    """

    def __init__(self) -> None:
        self._last: str | bytes = b""
        self._times = 0

    def forget(self) -> None:
        """NAME was asked: whatever comes next is no repetition."""
        self._last = b""

    def is_one(self, packet: Packet, raw: str | bytes, setting: Setting, *, answering: bool) -> bool:
        """Whether this is the last packet once more; ``answering``: its answer is still being made."""
        self._times = self._times + 1 if raw == self._last else 1
        self._last = raw
        if self._times == 1 or packet.info is None:
            return False
        if answering or not packet.needs_reply:
            return True
        if packet.kind in TALK_REQUESTS:  # talks count down, so two of them are never alike
            return packet.info.remain_count is not None
        rounds = {Request.VOTE: setting.vote.max_count, Request.ATTACK: setting.attack_vote.max_count}
        return self._times > rounds.get(Request(packet.request), 1)


def is_strange(packet: Packet, game_id: str, *, started: bool) -> bool:
    """Whether this belongs to another game than ``game_id``, which is being played, or comes before any has begun."""
    if not started:
        return packet.kind in _ENDS and packet.info is not None
    theirs = packet.info.game_id if packet.info else ""
    return bool(game_id and theirs and game_id != theirs)


def plain_answer(packet: Packet) -> str:
    """Over, or the first living player other than the one asked; empty when the packet names none. Never raises."""
    if packet.kind in TALK_REQUESTS:
        return OVER
    info = packet.info
    if info is None:
        return ""
    others = [name for name in info.alive if name != info.agent]
    return next((name for name in others if name not in info.role_map), "") or next(iter(others), "")
