"""Words under review."""

from __future__ import annotations

from functools import cached_property

from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan
from nlp_agent.prompting import Pack, Prompt
from nlp_agent.reading.statement import Reading
from nlp_agent.text.guard import OVERLAP, plain_form, runs


class Draft:
    """Words under review; whatever several checks want to know of them is found once."""

    def __init__(self, text: str, plan: TalkPlan, prompt: Prompt | None, state: SeatState, pack: Pack) -> None:
        self.text, self.plan, self.prompt = text, plan, prompt
        self._state, self._pack = state, pack

    def only(self, part: str) -> Draft:
        """A part of the words, for the same plan and prompt."""
        return Draft(part, self.plan, self.prompt, self._state, self._pack)

    @cached_property
    def form(self) -> str:
        return plain_form(self.text, self._state.players)

    @cached_property
    def runs(self) -> frozenset[str]:
        return runs_of(self.text, self._state.players, self._pack)

    @cached_property
    def reading(self) -> Reading:
        return self._pack.reading.read(self.text, self._state.players)


def runs_of(text: str, players: tuple[str, ...], pack: Pack) -> frozenset[str]:
    """The runs of words in ``text`` that are long enough to be known again as a quotation."""
    spaced = pack.speech.spaced
    return runs(text, players, spaced=spaced, length=OVERLAP[spaced])
