"""The shape of what is said, whoever it speaks of: by it repetitions are found."""

from __future__ import annotations

import re

from nlp_agent.text.names import Names
from nlp_agent.text.sentences import sentences_of

_HONORIFIC = re.compile("(?<=\ue000)(?:さん|さま|様|殿|くん|君|ちゃん)")
"""Voices differ in it; what they say with it may still be the same."""


def shapes(text: str, names: Names) -> tuple[str, ...]:
    """The sentences of ``text`` with names masked and anchors removed."""
    shape = names.shape(text).replace("@\ue000", "")
    parts = map(str.strip, sentences_of(_HONORIFIC.sub("", shape)))
    return tuple([part for part in parts if len(part) > 3])
