"""How a language is written and spoken at the table: data from a language pack's ``pack.yml``, section ``speech``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True)
class SpeechRules:
    """Source of the limits: regulations (read-aloud talk, no half-width comma) and what trimming must respect.

    ``spaced``: words are separated by spaces. ``comma``: ``"rewrite"`` turns half-width commas into connected prose,
    any other text replaces them. ``dangling``: words that must not end a shortened sentence. ``spoken``: symbols and
    the words they are read as. ``honorifics``: what may stand before or after a name when a target is looked up.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    spaced: bool = True
    terminals: str = ".!?"
    clause_marks: str = ""
    punctuation: str = ".!?'"
    full_stop: str = "."
    comma: str = "rewrite"
    conjunctions: tuple[str, ...] = ()
    dangling: tuple[str, ...] = ()
    honorifics: tuple[str, ...] = ()
    spoken: dict[str, str] = field(default_factory=dict)
    laughter: tuple[str, ...] = ()
