"""What may be said and how a name is found: the single exit for everything a seat sends. Pure, no I/O."""

from nlp_agent.text.count import find_mention, length_of
from nlp_agent.text.fit import room
from nlp_agent.text.language import Language, SeenText, VillageLanguage
from nlp_agent.text.streaming import complete_talk, far_too_long, whole_sentences
from nlp_agent.text.utterance import Allowance, heard_as, make_utterance, overrun

__all__ = [
    "Allowance",
    "Language",
    "SeenText",
    "VillageLanguage",
    "complete_talk",
    "far_too_long",
    "find_mention",
    "heard_as",
    "length_of",
    "make_utterance",
    "overrun",
    "room",
    "whole_sentences",
]
