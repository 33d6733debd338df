"""The fixed words of the protocol."""

from __future__ import annotations

from enum import StrEnum

SKIP = "Skip"
OVER = "Over"


class Request(StrEnum):
    """What a packet asks for or tells."""

    NAME = "NAME"
    INITIALIZE = "INITIALIZE"
    DAILY_INITIALIZE = "DAILY_INITIALIZE"
    TALK = "TALK"
    WHISPER = "WHISPER"
    DAILY_FINISH = "DAILY_FINISH"
    VOTE = "VOTE"
    DIVINE = "DIVINE"
    GUARD = "GUARD"
    ATTACK = "ATTACK"
    FINISH = "FINISH"
    TALK_PHASE_START = "TALK_PHASE_START"
    TALK_PHASE_END = "TALK_PHASE_END"
    TALK_BROADCAST = "TALK_BROADCAST"
    WHISPER_PHASE_START = "WHISPER_PHASE_START"
    WHISPER_PHASE_END = "WHISPER_PHASE_END"
    WHISPER_BROADCAST = "WHISPER_BROADCAST"


TALK_REQUESTS = frozenset({Request.TALK, Request.WHISPER})
TARGET_REQUESTS = frozenset({Request.VOTE, Request.DIVINE, Request.GUARD, Request.ATTACK})
MORNINGS = frozenset({Request.INITIALIZE, Request.DAILY_INITIALIZE})
PHASE_STARTS = frozenset({Request.TALK_PHASE_START, Request.WHISPER_PHASE_START})
PHASE_ENDS = frozenset({Request.TALK_PHASE_END, Request.WHISPER_PHASE_END})
BROADCASTS = frozenset({Request.TALK_BROADCAST, Request.WHISPER_BROADCAST})


class Role(StrEnum):
    """The roles known today. The wire may name others; packets keep them as plain strings."""

    VILLAGER = "VILLAGER"
    SEER = "SEER"
    MEDIUM = "MEDIUM"
    BODYGUARD = "BODYGUARD"
    WEREWOLF = "WEREWOLF"
    POSSESSED = "POSSESSED"


JUDGES = (Role.SEER, Role.MEDIUM)
"""Who gets results."""
POWER = (*JUDGES, Role.BODYGUARD)
"""Who has a gift for the village."""


class Species(StrEnum):
    """What divination and the medium tell."""

    HUMAN = "HUMAN"
    WEREWOLF = "WEREWOLF"


class Status(StrEnum):
    ALIVE = "ALIVE"
    DEAD = "DEAD"
