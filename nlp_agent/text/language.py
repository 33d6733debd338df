"""One language, as a pack describes it: what a talk may be made of, what must not be said, what things are called."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlp_agent.text.guard import GuardRules
from nlp_agent.text.plausible import PlausibleRules
from nlp_agent.text.rules import SpeechRules
from nlp_agent.text.words import Words


@dataclass(frozen=True, eq=False)
class Language:
    """``name`` is the pack's language (``en``, ``ja``)."""

    name: str
    words: Words
    speech: SpeechRules
    guard: GuardRules = field(default_factory=GuardRules)
    plausible: PlausibleRules = field(default_factory=PlausibleRules)
