"""What may be said and how a name is found: the single exit for everything a seat sends. Pure, no I/O."""

from nlp_agent.text.answer import NameMatch
from nlp_agent.text.count import Kept, Mention, find_mention, is_capped, length_of, server_keeps
from nlp_agent.text.fit import room
from nlp_agent.text.language import Language, SeenText, VillageLanguage
from nlp_agent.text.names import Names, NameSpan, names_of
from nlp_agent.text.rules import SpeechRules
from nlp_agent.text.streaming import complete_talk, far_too_long, whole_sentences
from nlp_agent.text.utterance import Allowance, Utterance, heard_as, make_utterance, overrun

__all__ = [
    "Allowance",
    "Kept",
    "Language",
    "Mention",
    "NameMatch",
    "NameSpan",
    "Names",
    "SeenText",
    "SpeechRules",
    "Utterance",
    "VillageLanguage",
    "complete_talk",
    "far_too_long",
    "find_mention",
    "heard_as",
    "is_capped",
    "length_of",
    "make_utterance",
    "names_of",
    "overrun",
    "room",
    "server_keeps",
    "whole_sentences",
]
