"""When a streamed answer may be stopped. Pure."""

from __future__ import annotations

import regex

from nlp_agent.text.count import length_of
from nlp_agent.text.fit import room
from nlp_agent.text.model_habits import json_text, without_thoughts
from nlp_agent.text.rules import SpeechRules
from nlp_agent.text.sentences import joined, sentences
from nlp_agent.text.utterance import Floor

_ENOUGH = 0.75
"""A talk that ends a sentence beyond this share of its room has no use for more."""
_TOO_MUCH = 1.5
_END = r"[.!?。！？][\"'”」』)）*]*"


def complete_talk(text: str, rules: SpeechRules, floor: Floor) -> bool:
    """Whether the answer streamed so far holds all that can be said: more would only be cut off again.

    ``False`` while the model still thinks, inside JSON or code fences, and where talks have no limit.
    """
    visible = without_thoughts(text).lstrip()
    if not visible or visible[0] in "{[<`":
        return False
    most = room(floor.length, floor.remain_length, anchored=visible.startswith("@"))
    if most is None:
        return False
    said = length_of(visible.rstrip(), floor.length)
    ends_here = regex.search(rf"{_END}\s*$", visible) is not None
    if ends_here and said >= _ENOUGH * most:
        return True
    # Beyond the room only a whole sentence counts; without one, some more text may still bring a clause to cut at.
    return said > most and (regex.search(_END, visible) is not None or said > _TOO_MUCH * most)


def whole_sentences(text: str, rules: SpeechRules) -> str:
    """The finished sentences of an unfinished answer; ``""`` when not one has been finished."""
    visible = without_thoughts(text).strip()
    words = json_text(visible) or visible
    parts = [] if words[:1] in ("{", "[", "<") else sentences(words, rules)
    while parts and regex.search(rf"{_END}$", parts[-1]) is None:
        parts.pop()
    return joined(parts, rules)
