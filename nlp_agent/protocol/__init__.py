"""Packets of the game server as typed objects. Pure.

Begin with :mod:`nlp_agent.protocol.packet`: what a frame of JSON holds, and the fixed words of the protocol.
``classic`` reads the lines of the TCP servers of 2019 to 2021, ``bounds`` says how much of anything is taken at most.

Source: the wire protocol of ``aiwolf-nlp-server`` (turn-based generation and the 2026 one with group chat).
"""

from nlp_agent.protocol import bounds
from nlp_agent.protocol.packet import (
    BROADCASTS,
    JUDGES,
    MORNINGS,
    ONLY_NAMED,
    OVER,
    PHASE_ENDS,
    PHASE_STARTS,
    POWER,
    SKIP,
    TALK_REQUESTS,
    TARGET_REQUESTS,
    Info,
    Judge,
    LengthRule,
    MaxCount,
    Packet,
    Request,
    Role,
    Setting,
    Species,
    Status,
    Talk,
    TalkSetting,
    Timeout,
    Vote,
    VoteSetting,
    parse_packet,
)

__all__ = [
    "BROADCASTS",
    "JUDGES",
    "MORNINGS",
    "ONLY_NAMED",
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
