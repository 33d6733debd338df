"""Words: from whatever a model or a person wrote to a talk that may be sent, and the other way round, which player is
meant.

Begin with :mod:`nlp_agent.text.utterance`, the one exit for talks; it goes through the others in order: ``clean``
takes off what stands around the words and makes them speakable, ``anchor`` finds the ``@Name``, ``fit`` makes them
short enough, ``count`` says what the game server would keep. ``guardrails`` look for what must not leave. Pure: no
files, clock or network.
"""

from nlp_agent.text.count import find_mention, length_of
from nlp_agent.text.language import AnalysedText, Language, VillageLanguage
from nlp_agent.text.utterance import (
    Allowance,
    as_typed,
    complete_talk,
    far_too_long,
    heard_as,
    make_utterance,
    overrun,
    whole_sentences,
)

__all__ = [
    "Allowance",
    "AnalysedText",
    "Language",
    "VillageLanguage",
    "as_typed",
    "complete_talk",
    "far_too_long",
    "find_mention",
    "heard_as",
    "length_of",
    "make_utterance",
    "overrun",
    "whole_sentences",
]
