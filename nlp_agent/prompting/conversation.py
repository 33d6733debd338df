"""What one seat and its model say to each other in one game.

It grows like a chat: the system message, what was heard since, the seat's own talks as the model's answers, and last
what is asked now. All of it follows from the packets, so any prompt of a game can be made again.
"""

from __future__ import annotations

from collections.abc import Sequence

from nlp_agent.game import SeatState
from nlp_agent.planning.advice import Advice
from nlp_agent.planning.plan import TalkPlan, TargetPlan
from nlp_agent.prompting.build import build_view
from nlp_agent.prompting.official import OfficialConversation
from nlp_agent.prompting.pack import Pack
from nlp_agent.prompting.prompt import Kind, Prompt, Style
from nlp_agent.prompting.transcript import Transcript
from nlp_agent.protocol import Packet, Request, Talk
from nlp_agent.reading.statement import Heard
from nlp_agent.voice.persona import Persona
from nlp_agent.voice.sheet import Sheet


class Conversation:
    """One per seat and game; the pack's own frame, or the words of a pack in the official sample's manner.

    ``heard`` and ``budget``: see :class:`Transcript`.
    """

    def __init__(self, pack: Pack, state: SeatState, heard: Sequence[Heard] = (), budget: int = 0) -> None:
        self._pack, self._state = pack, state
        self._transcript = Transcript(state, heard, budget)
        self._official = OfficialConversation(pack.official, state) if pack.official is not None else None

    @property
    def official(self) -> bool:
        """Whether the pack's words are those of a config of the official sample."""
        return self._official is not None

    def hear(self, packet: Packet) -> None:
        """Take in a packet that the state has taken in already. Raises PackError where its template fails."""
        if self._official is not None:
            self._official.hear(packet)

    def ask(
        self,
        request: Request,
        *,
        plan: TalkPlan | TargetPlan | None,
        persona: Persona,
        choices: tuple[str, ...] = (),
        sheet: Sheet | None = None,
        news: Sequence[Talk] | None = None,
        style: Style = Style.DIRECTED,
        advice: Advice | None = None,
        thought: str = "",
        judged: bool = True,
    ) -> Prompt:
        """The prompt for ``request``; for the rest see :func:`build_view`. Raises PackError."""
        view = build_view(
            self._state,
            request,
            plan=plan,
            persona=persona,
            choices=choices,
            pack=self._pack,
            sheet=sheet,
            transcript=self._transcript,
            news=news,
            style=style,
            advice=advice,
            thought=thought,
            judged=judged,
        )
        prompt = self._pack.render(request, view)
        if self._official is None:
            return prompt
        if self._pack.verbatim and request in (Request.TALK, Request.WHISPER):
            return self._official.ask(request, "", view.variables())
        # Their words first, ours last: which names are legal, and in a pack with a frame of its own what it says.
        task = "\n\n".join(section.text for section in prompt.sections if section.kind is Kind.TASK)
        return self._official.ask(request, task, view.variables())

    def said(self, request: str, text: str) -> None:
        """``text`` went out as the answer to ``request``."""
        if self._official is not None:
            self._official.said(request, text)
