"""The parts of a pack that a seat hears, thinks and speaks with when no model helps it."""

from __future__ import annotations

from dataclasses import dataclass

from nlp_agent.reading.reader import TalkReader
from nlp_agent.text.language import Language
from nlp_agent.voice.linebook import LineBook


@dataclass(frozen=True, eq=False)
class Playbook:
    """From one consistent loading of a pack's files."""

    language: Language
    reading: TalkReader
    lines: LineBook
