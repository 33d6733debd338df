"""When a streamed answer may be stopped. Pure."""

from __future__ import annotations

import regex

from nlp_agent.text.count import length_of
from nlp_agent.text.fit import room
from nlp_agent.text.language import Language
from nlp_agent.text.model_habits import ANSWER_LIMIT, answer_words, json_text
from nlp_agent.text.utterance import Allowance

_ENOUGH = 0.75
"""A talk that ends a sentence beyond this share of its room has no use for more."""
_TOO_MUCH = 1.5
_END = regex.compile(r"[.!?。！？][\"'”」』)）*]*")
_ENDS_HERE = regex.compile(rf"{_END.pattern}\Z")
_LAST = 40
"""Characters in which the end of a sentence shows."""


def complete_talk(text: str, allowed: Allowance) -> bool:
    """Whether the answer streamed so far holds all that can be said: more would only be cut off again.

    ``False`` while the model still thinks, inside JSON or code fences, and where talks have no limit, unless there is
    more than would be looked at.
    """
    visible = answer_words(text).lstrip()
    if len(visible) >= ANSWER_LIMIT:
        return True
    if not visible or visible[0] in "{[<`":
        return False
    most = room(allowed.length, allowed.remain_length, anchored=visible.startswith("@"))
    if most is None:
        return False
    said = length_of(visible.rstrip(), allowed.length)
    if said >= _ENOUGH * most and _ENDS_HERE.search(visible.rstrip()[-_LAST:]):
        return True
    # Beyond the room only a whole sentence counts; without one, some more text may still bring a clause to cut at.
    return said > most and (said > _TOO_MUCH * most or _END.search(visible) is not None)


def far_too_long(text: str, allowed: Allowance) -> bool:
    """Whether words streamed so far are so much longer than there is room that what follows is of no use."""
    most = room(allowed.length, allowed.remain_length, anchored=text.startswith("@"))
    return len(text) >= ANSWER_LIMIT or (most is not None and length_of(text, allowed.length) > 2 * _TOO_MUCH * most)


def whole_sentences(text: str, language: Language) -> str:
    """The finished sentences of an unfinished answer; ``""`` when not one has been finished."""
    visible = answer_words(text).strip()
    words = json_text(visible) or visible
    parts = [] if words[:1] in ("{", "[", "<") else language.sentences.split(words)
    while parts and not _ENDS_HERE.search(parts[-1][-_LAST:]):
        parts.pop()
    return language.sentences.join(parts)
