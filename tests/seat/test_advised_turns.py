"""Single turns of the advised style: what is asked, what is asked again, and how much an estimate counts."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Mapping
from typing import Any

import pytest

from nlp_agent.deadline import Deadline
from nlp_agent.prompting import Pack, Style, load_pack
from nlp_agent.prompting.sample_village import sample_packets
from nlp_agent.protocol import Info, Packet, Request, Role, Talk
from nlp_agent.seat import AskingOptions, Decision, How, Seat
from nlp_agent.seat.advised import thought_of
from tests.scripted_model import ScriptedModel
from tests.timing import TIMING

PACK = load_pack("en")
NAMES = ("Anselm", "Bram", "Corin", "Hollis", "Juno")


class Nowhere:
    def write(self, event: str, row: Mapping[str, Any]) -> None: ...


def asked(
    request: Request, role: str, said: tuple[tuple[str, str], ...], *answers: dict[str, Any], style: AskingOptions
) -> tuple[Decision, ScriptedModel]:
    """What Corin's seat decides on day 1 after ``said``, and the model that gave ``answers``."""

    def choose(_: object) -> Pack:
        return PACK

    model = ScriptedModel([json.dumps(answer) for answer in answers])
    seat = Seat(choose_pack=choose, model=model, timing=TIMING, seed=1, record=Nowhere(), asking=style)
    for packet in sample_packets(PACK, 5, role, 1):
        seat.hear(packet.model_copy(update={"talk_history": None}))
    talks = tuple(Talk(idx=idx, day=1, agent=who, text=text) for idx, (who, text) in enumerate(said))
    seat.hear(Packet(request="TALK", talk_history=talks))
    last = Packet(request=request, info=Info(agent="Corin", day=1, remain_count=2))
    seat.hear(last)
    return asyncio.run(seat.answer(last, Deadline.after(50.0, time.monotonic))), model


def even(**more: float) -> dict[str, float]:
    return {name: 0.25 for name in NAMES if name != "Corin"} | more


BLACK = (("Bram", "I am the seer. Hollis is a werewolf."), ("Hollis", "Bram is lying."))


def test_vote_against_odds_is_questioned_once() -> None:
    """Before a vote against the odds the model is told of them once.

    It reads the shares of both names; what it then chooses stands, also the same again.
    """
    first = {"thought": "", "wolf": even(), "choice": "Anselm"}
    decision, model = asked(Request.VOTE, Role.VILLAGER, BLACK, first, first, style=AskingOptions(Style.ADVISED))
    assert (decision.text, decision.how) == ("Anselm", How.RETRY)
    assert len(model.asks) == 2
    again = model.asks[1].messages[-1].content.removeprefix(model.asks[0].messages[-1].content)
    assert "You chose Anselm." in again
    assert all(re.search(rf"{name} \d+%", again) for name in ("Hollis", "Anselm"))


@pytest.mark.parametrize("margin", [0.0, 1.0])
def test_config_margin_decides_when_to_question(margin: float) -> None:
    """The margin of the config decides when a vote is questioned: 1 is never, 0 whenever somebody else is likelier."""
    first = {"thought": "", "wolf": even(), "choice": "Anselm"}
    style = AskingOptions(Style.ADVISED, margin=margin)
    _, model = asked(Request.VOTE, Role.VILLAGER, BLACK, first, first, style=style)
    assert len(model.asks) == (1 if margin else 2)


def test_liar_keeps_its_vote_unquestioned() -> None:
    """Who has to lie is not talked out of its vote: a werewolf votes for whom it likes."""
    first = {"thought": "", "wolf": even(), "choice": "Anselm"}
    decision, model = asked(Request.VOTE, Role.WEREWOLF, BLACK, first, style=AskingOptions(Style.ADVISED, margin=0.0))
    assert (decision.text, len(model.asks)) == ("Anselm", 1)


def test_disabled_judgement_asks_for_no_estimate() -> None:
    """Without judgement no estimate is asked for or counted.

    Neither the prompt nor the form speaks of one, and what comes all the same changes nothing.
    """
    style = AskingOptions(Style.ADVISED, judgement="off")
    talk = {"thought": "", "wolf": even(Juno=0.97), "vote": "", "to": "", "claim": "", "results": [], "words": "Hm."}
    decision, model = asked(Request.TALK, Role.VILLAGER, BLACK, talk, style=style)
    ask = model.asks[0]
    assert "wolf" not in (ask.schema or {})["properties"]
    assert '"wolf": {' not in "".join(message.content for message in ask.messages)
    decision.complete()
    assert decision.judgement is not None
    assert decision.judgement["model"] == {}
    assert decision.judgement["both"] == decision.judgement["core"]
    shown = asked(Request.TALK, Role.VILLAGER, BLACK, talk, style=AskingOptions(Style.ADVISED))
    assert '"wolf": {' in "".join(message.content for message in shown[1].asks[0].messages)


def test_a_model_that_was_wrong_counts_less() -> None:
    """The same estimate moves the fused odds less once another of its estimates was refuted by a sure result."""
    seer = (("Anselm", "Good morning."),)
    talk = {"vote": "", "to": "", "claim": "", "results": [], "words": "Let us hear everybody first."}
    right, wrong = (
        asked(Request.TALK, Role.SEER, seer, {"thought": "", "wolf": even(Juno=0.9, Bram=bram)} | talk,
              {"thought": "", "wolf": even(Juno=0.9), "choice": "Juno"}, style=AskingOptions(Style.ADVISED))[0]
        for bram in (0.05, 0.95)
    )  # fmt: skip
    right.complete()
    wrong.complete()
    assert right.judgement is not None
    assert wrong.judgement is not None
    assert right.judgement["trust"] == 1.0 > wrong.judgement["trust"]
    assert wrong.judgement["both"]["Juno"] <= right.judgement["both"]["Juno"]


def test_repaired_answer_keeps_its_own_thought() -> None:
    """A repaired answer stands in the journal with its own thought.

    What is left of the first answer goes out: the journal keeps that answer, and not the useless second one.
    """
    answer = {"wolf": even(), "vote": "", "to": "", "claim": "", "results": []}
    first = answer | {"thought": "Bram first.", "words": "Bram should speak first today. I am the medium."}
    second = answer | {"thought": "Juno first.", "words": "I am the medium."}
    style = AskingOptions(Style.ADVISED)
    decision, model = asked(Request.TALK, Role.VILLAGER, (), first, second, style=style)
    assert len(model.asks) == 2
    assert (decision.text, decision.how) == ("Bram should speak first today.", How.LLM)
    assert json.loads(decision.raw) == first
    assert thought_of(decision) == "Bram first."


def test_remainder_of_second_answer_is_a_retry() -> None:
    """What was left of the second answer counts as a retry, because it was paid for by a second question."""
    answer = {"thought": "", "wolf": even(), "vote": "", "to": "", "claim": "", "results": []}
    first = answer | {"words": "I am the medium."}
    second = answer | {"words": "Bram should speak first today. I am the medium."}
    decision, _ = asked(Request.TALK, Role.VILLAGER, (), first, second, style=AskingOptions(Style.ADVISED))
    assert (decision.text, decision.how) == ("Bram should speak first today.", How.RETRY)


@pytest.mark.parametrize("words", ["http://x.y/z", "I trust Bram. See http://x.y/z for more."])
def test_of_words_with_an_address_nothing_goes_out(words: str) -> None:
    """Nobody speaks a URL; "Y or z." is what cleaning would leave of one."""
    answer = {"thought": "", "wolf": even(), "vote": "", "to": "", "claim": "", "results": [], "words": words}
    decision, _ = asked(Request.TALK, Role.VILLAGER, (), answer, answer, style=AskingOptions(Style.ADVISED))
    assert decision.how is How.FALLBACK
    assert " or " not in decision.text
