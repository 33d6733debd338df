"""What may be said and how a name is found: the single exit for everything a seat sends. Pure, no I/O."""

from nlp_agent.talk.count import Kept, Mention, find_mention, is_capped, length_of, server_keeps
from nlp_agent.talk.rules import SpeechRules

__all__ = [
    "Kept",
    "Mention",
    "SpeechRules",
    "find_mention",
    "is_capped",
    "length_of",
    "server_keeps",
]
