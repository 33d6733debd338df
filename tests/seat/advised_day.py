"""A day of one seat in a village of five that is asked in the advised style: what it decides, and what it was asked."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

from nlp_agent.deadline import Deadline
from nlp_agent.llm.model import Question
from nlp_agent.prompting import Style
from nlp_agent.prompting.sample_village import sample_packets
from nlp_agent.protocol import Info, Packet, Request, Role, Talk
from nlp_agent.seat import AskingOptions, Decision, Seat
from tests.packs import PACKS
from tests.scripted_model import ScriptedModel
from tests.timing import TIMING

CALLS_A_WOLF = {
    "en": "I am the seer. I divined {} and {} is a werewolf.",
    "ja": "私は占い師です。{}を占ったら{}は人狼でした。",
    "zh": "我是预言家。我查验了{}，{}是狼人。",
}
"""A claim to be the seer with a werewolf; each {} is the player."""


class Nowhere:
    def write(self, event: str, row: Mapping[str, Any]) -> None: ...


def talk(words: str, vote: str = "", **more: Any) -> dict[str, Any]:
    """The answer of a model that says ``words`` and means to vote for ``vote``."""
    return {"thought": "", "wolf": {}, "vote": vote, "to": "", "claim": "", "results": [], "words": words, **more}


class AdvisedDay:
    """``day`` of a seat whose model gives ``answers`` one after the other; then it fails."""

    def __init__(self, language: str, *answers: dict[str, Any], role: str = Role.VILLAGER, day: int = 1) -> None:
        pack = PACKS[language]
        self.day, self._idx = day, 0
        self.model = ScriptedModel([json.dumps(answer) for answer in answers])
        self.seat = Seat(
            choose_pack=lambda _: pack,
            model=self.model,
            timing=TIMING,
            seed=1,
            record=Nowhere(),
            asking=AskingOptions(Style.ADVISED),
        )
        for packet in sample_packets(pack, 5, role, day):
            self.seat.hear(packet.model_copy(update={"talk_history": None}))

    @property
    def others(self) -> tuple[str, ...]:
        return self.seat.state.others

    def hear(self, who: str, text: str) -> None:
        said = Talk(idx=self._idx, day=self.day, agent=who, text=text)
        self._idx += 1
        self.seat.hear(Packet(request="TALK", talk_history=(said,)))

    def turn(self, request: Request = Request.TALK, left: int = 2) -> Decision:
        """One decision, sent and, if it is a talk, heard by everybody. ``left``: talks left after it."""
        me = self.seat.state.me
        packet = Packet(request=request, info=Info(agent=me, day=self.day, remain_count=left))
        self.seat.hear(packet)
        deadline = Deadline.after(50.0, time.monotonic)
        decision = asyncio.run(self.seat.answer(packet, deadline))
        self.seat.delivered(decision, deadline)
        if request is Request.TALK:
            self.hear(me, decision.text)
        return decision

    @property
    def asked(self) -> str:
        """The last question that the model was asked, whole."""
        return "\n".join(message.content for message in self.model.asks[-1].messages)


def own_readings(day: AdvisedDay, between: str, *left: int) -> list[bool]:
    """Whether a seat that reads the game itself first does so with each of its talks, after which so many are ``left``;
    somebody says ``between`` after each."""
    told: list[bool] = []

    def answer(ask: Question) -> str:
        if ask.schema is None:
            told[-1] = True
            return "Somebody lies."
        return json.dumps(talk(f"Let us hear what number {len(told)} has to tell of the night."))

    day.seat._model = ScriptedModel(answer)
    day.seat._asking.advice = "after"
    for more in left:
        told.append(False)
        day.turn(left=more)
        day.hear(day.others[0], between)
    return told
