"""Words on their way out: made legal, held against what was said before, and looked at by the guard."""

from __future__ import annotations

from rapidfuzz import fuzz

from nlp_agent.game import SeatState
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting import Pack, Prompt
from nlp_agent.protocol import TALK_REQUESTS, Request, TalkSetting
from nlp_agent.seat.decision import Decision, Review
from nlp_agent.seat.guard import Guard
from nlp_agent.text import Floor, Utterance, make_utterance, resolve_name

REPEAT = 90
"""RapidFuzz ratio from which a talk counts as a repetition of an earlier own one (measure of the contest logs)."""
_ROOMY = 200
"""Characters of a talk for which the server has no cap."""


class Reviewer:
    """Looks at the words of one seat, its own lines and a model's alike; ``guard`` is the last look."""

    def __init__(self, state: SeatState, pack: Pack) -> None:
        self._state, self._pack = state, pack
        self.guard = Guard(state, pack)

    def review(self, raw: str, ready: Decision, prompt: Prompt | None = None) -> Review:
        """What would go out of a model's answer ``raw`` to the request of ``ready``, or why nothing would."""
        request = Request(ready.request)
        if request not in TALK_REQUESTS:
            match = resolve_name(raw, ready.choices, self._pack.speech, self._state.players)
            if match is None:
                return Review(problem=f"no legal name in: {raw[:200]}")
            return Review(match.name, (match.step,))
        utterance = self.legal(raw, request)
        if utterance is None:
            return Review(problem="nothing sayable was left of the answer")
        problem = ""
        if self._repeats(utterance.text, request):
            problem = f"a repetition: {utterance.text}"
        elif why := self.refusal(utterance.text, request, ready.plan, prompt):
            problem = f"refused: {why}: {utterance.text}"
        return Review(utterance.text, utterance.changes, problem)

    def legal(self, raw: str, request: Request) -> Utterance | None:
        """Words that this table takes as they are, or ``None`` when nothing sayable is left of ``raw``."""
        return make_utterance(raw, self.floor(request), self._pack.speech)

    def refusal(
        self, text: str, request: Request, plan: TalkPlan | TargetPlan | None, prompt: Prompt | None = None
    ) -> str:
        """Why ``text`` must not go out, or ``""``."""
        return self.guard.refusal(text, request, plan if isinstance(plan, TalkPlan) else TalkPlan(), prompt)

    def floor(self, request: Request) -> Floor:
        """What the table allows of a talk now."""
        state = self._state
        return Floor(state.me, state.players, state.alive, self._rule(request).max_length, state.remain_length)

    def room(self, request: Request) -> int:
        """Characters that surely fit, for words that are made to measure."""
        length = self._rule(request).max_length
        return min((cap for cap in (length.base_length, length.per_talk) if cap and cap > 0), default=_ROOMY)

    def _rule(self, request: Request) -> TalkSetting:
        setting = self._state.setting
        return setting.talk if request is Request.TALK else setting.whisper

    def _repeats(self, text: str, request: Request) -> bool:
        said = self._state.talks if request is Request.TALK else self._state.whispers
        return any(t.agent == self._state.me and t.said and fuzz.ratio(t.text, text) >= REPEAT for t in said)
