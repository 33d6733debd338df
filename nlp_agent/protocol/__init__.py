"""Packets of the game server as typed objects; pure, no I/O.

Source: the wire protocol of ``aiwolf-nlp-server`` (turn-based generation and the 2026 one with group chat).
"""

from nlp_agent.protocol import bounds
from nlp_agent.protocol.packet import (
    Info,
    Judge,
    LengthRule,
    MaxCount,
    Packet,
    Setting,
    Talk,
    TalkSetting,
    Timeout,
    Vote,
    VoteSetting,
    parse_packet,
)
from nlp_agent.protocol.words import (
    BROADCASTS,
    JUDGES,
    MORNINGS,
    OVER,
    PHASE_ENDS,
    PHASE_STARTS,
    POWER,
    SKIP,
    TALK_REQUESTS,
    TARGET_REQUESTS,
    Request,
    Role,
    Species,
    Status,
)

__all__ = [
    "BROADCASTS",
    "JUDGES",
    "MORNINGS",
    "OVER",
    "PHASE_ENDS",
    "PHASE_STARTS",
    "POWER",
    "SKIP",
    "TALK_REQUESTS",
    "TARGET_REQUESTS",
    "Info",
    "Judge",
    "LengthRule",
    "MaxCount",
    "Packet",
    "Request",
    "Role",
    "Setting",
    "Species",
    "Status",
    "Talk",
    "TalkSetting",
    "Timeout",
    "Vote",
    "VoteSetting",
    "bounds",
    "parse_packet",
]
