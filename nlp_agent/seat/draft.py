"""Words under review."""

from __future__ import annotations

from functools import cached_property

from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Prompt
from nlp_agent.reading.reader import TalkReader
from nlp_agent.reading.statement import Reading
from nlp_agent.text import Village


class Draft:
    """Words under review; whatever several checks want to know of them is found once."""

    def __init__(self, text: str, plan: TalkPlan, prompt: Prompt | None, village: Village, reader: TalkReader) -> None:
        self.text, self.plan, self.prompt = text, plan, prompt
        self._village, self._reader = village, reader

    def only(self, part: str) -> Draft:
        """A part of the words, for the same plan and prompt."""
        return Draft(part, self.plan, self.prompt, self._village, self._reader)

    @cached_property
    def form(self) -> str:
        return self._village.plain(self.text)

    @cached_property
    def runs(self) -> frozenset[str]:
        return self._village.runs(self.text)

    @cached_property
    def reading(self) -> Reading:
        return self._reader.read(self.text, self._village.players)
