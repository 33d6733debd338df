"""How much advice a model is shown, when it first reads the game itself, and when it is asked for estimates."""

from __future__ import annotations

import asyncio
import json
import re
import time
from typing import Any

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.errors import LlmError
from nlp_agent.llm.model import Question
from nlp_agent.planning.advice import AdviceKind
from nlp_agent.prompting import Style, load_pack
from nlp_agent.prompting.sample_village import sample_packets
from nlp_agent.protocol import Info, Packet, Request, Role, Talk
from nlp_agent.seat import AskingOptions, Seat
from nlp_agent.seat.decision import Decision, How
from tests.scripted_model import ScriptedModel
from tests.timing import TIMING

PACK = load_pack("en")
CLAIMS = (("Bram", "I am the seer. Hollis is a werewolf."), ("Anselm", "I am the seer. Bram is a werewolf."))
SAID = {"vote": "", "to": "", "claim": "", "results": [], "later": "", "words": "Bram spoke too soon for my taste."}


class Model(ScriptedModel):
    """Answers every question in the form that is asked for; questions for its own reading as ``reading`` says."""

    def __init__(self, reading: str | LlmError = "Bram wants Hollis gone before anybody asks why.") -> None:
        self.questions: list[Question] = []

        def answer(ask: Question) -> str:
            self.questions.append(ask)
            if ask.schema is None:
                if isinstance(reading, LlmError):
                    raise reading
                return reading
            parts: dict[str, Any] = ask.schema["properties"]
            return json.dumps({"thought": "", "choice": parts.get("choice", {}).get("enum", [""])[0]} | SAID)

        super().__init__(answer)

    @property
    def shown(self) -> list[str]:
        """The last message of every question."""
        return [ask.messages[-1].content for ask in self.questions]


def asked(
    model: Model,
    style: AskingOptions,
    request: Request = Request.TALK,
    role: str = Role.VILLAGER,
    left: int = 2,
    said: tuple[tuple[str, str], ...] = CLAIMS,
) -> Decision:
    """What Corin's seat decides on day 1, when ``said`` (two claim to be the seer) is what was said, and ``left`` talks
    come after this one."""
    seat = Seat(choose_pack=lambda _: PACK, model=model, timing=TIMING, seed=1, record=None, asking=style)
    for packet in sample_packets(PACK, 5, role, 1):
        seat.hear(packet.model_copy(update={"talk_history": None}))
    talks = tuple(Talk(idx=idx, day=1, agent=who, text=text) for idx, (who, text) in enumerate(said))
    last = Packet(request=request, info=Info(agent="Corin", day=1, remain_count=left), talk_history=talks)
    seat.hear(last)
    return asyncio.run(seat.answer(last, Deadline.after(50.0, time.monotonic)))


@pytest.mark.parametrize(
    ("kind", "chances", "cases"), [("full", True, True), ("certain", False, True), ("none", False, False)]
)
def test_the_config_says_how_much_advice_is_shown(kind: AdviceKind, chances: bool, cases: bool) -> None:
    """Chances only in full; what follows by counting also where only that is wanted; claims are always told."""
    model = Model()
    asked(model, AskingOptions(Style.ADVISED, advice=kind))
    (shown,) = model.shown
    assert (re.search(r"\d%", shown) is not None) == chances
    assert ("Bram is the seer. Then" in shown) == ("# What each execution leads to" in shown) == cases
    assert "Bram claimed on day 1, in its first talk today, to be the seer" in shown


def test_model_without_chances_is_not_questioned() -> None:
    """A model that is shown no chances is not told them after its vote.

    Its first choice counts, whatever the odds say.
    """
    assert asked(Model(), AskingOptions(Style.ADVISED, advice="certain", margin=0.0), Request.VOTE).how is How.LLM


def test_it_may_first_read_the_game_itself() -> None:
    """Before any advice and in plain words; then it is shown both. Asked with a day's first talk and its last."""
    model = Model()
    decision = asked(model, AskingOptions(Style.ADVISED, advice="after"))
    before, after = model.shown
    assert model.questions[0].schema is None
    assert "# What each execution leads to" not in before
    assert "Bram claimed on day 1, in its first talk today, to be the seer" in before
    assert "Bram wants Hollis gone before anybody asks why." in after
    assert "# What each execution leads to" in after
    assert decision.text == SAID["words"]
    assert decision.usage.calls == sum(ask.purpose == "TALK" for ask in model.questions) + 1
    for request in (Request.VOTE, Request.DIVINE):
        other = Model()
        asked(other, AskingOptions(Style.ADVISED, advice="after"), request, Role.SEER)
        assert all(ask.schema for ask in other.questions)


VOTES = tuple((who, "I vote for Bram.") for who in ("Anselm", "Corin", "Hollis"))


@pytest.mark.parametrize(
    ("said", "reads"),
    [
        ((*CLAIMS, *VOTES), False),  # three of five, this seat among them
        ((*CLAIMS, *VOTES, ("Bram", "Fine. Hollis asked first and nobody heard it.")), False),
        ((*CLAIMS, *VOTES, ("Hollis", "I am the seer. Anselm is a werewolf.")), True),
        ((*CLAIMS, *VOTES[:2]), True),  # two of five
        ((*CLAIMS, ("Corin", "I vote for Anselm."), VOTES[0], VOTES[2], ("Bram", "I vote for Corin.")), True),
    ],
)
def test_no_own_reading_where_the_vote_is_settled(said: tuple[tuple[str, str], ...], *, reads: bool) -> None:
    """Before its last talk a model reads the game itself, unless most have announced the vote that it has announced
    too, and nobody has claimed anything since."""
    model = Model()
    asked(model, AskingOptions(Style.ADVISED, advice="after"), left=0, said=said)
    assert (model.questions[0].schema is None) is reads


def test_turn_goes_on_without_a_reading() -> None:
    """Without a reading of its own the turn goes on.

    An endpoint that fails at it costs nothing but the reading.
    """
    model = Model(LlmError("no answer", kind="timeout"))
    decision = asked(model, AskingOptions(Style.ADVISED, advice="after"))
    assert (decision.text, decision.how) == (SAID["words"], How.LLM)


@pytest.mark.parametrize(
    ("request_", "role", "left", "estimates"),
    [
        (Request.VOTE, Role.VILLAGER, 2, True),
        (Request.VOTE, Role.WEREWOLF, 2, False),
        (Request.TALK, Role.SEER, 1, True),
        (Request.TALK, Role.SEER, 2, False),
    ],
)
def test_estimates_may_be_limited_to_votes(request_: Request, role: Role, left: int, estimates: bool) -> None:
    """Estimates may be asked for only before a vote.

    With the vote and with a day's last talk, and only of the village's side; the rules of speech name none.
    """
    model = Model()
    asked(model, AskingOptions(Style.ADVISED, judgement="votes", margin=1.0), request_, role, left)
    (question,) = model.questions
    assert ("wolf" in (question.schema or {})["properties"]) == estimates
    assert ("how likely you think that player is a werewolf" in question.messages[-1].content) == estimates
    assert '"wolf"' not in question.messages[0].content
